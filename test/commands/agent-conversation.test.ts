import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { runReconcile } from "../../src/commands/reconcile.ts";
import { readPullRequest } from "../../src/github/pull-requests.ts";
import {
  type AgentScene,
  apiKey,
  botComments,
  openAgentPull,
  permissions,
  pullUrl,
  runReconcile as reconcile,
  runAgent,
  setAgentScene,
} from "../support/agent-scene.ts";
import { connectRun } from "../support/connect-github.ts";
import { createFakeClock, createPatientClock } from "../support/fake-clock.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";

const prLink = pullUrl(2);

/** An agent that opens pull request 2 for its first job, and pushes a commit for every message, on an issue. */
async function setConversation({
  pushes = true,
  ...options
}: Parameters<typeof setAgentScene>[0] & { pushes?: boolean } = {}) {
  const scene = await setAgentScene({
    polls: [{ status: "active" }, { status: "completed", prLink }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
    onMessage: (github) => {
      if (pushes)
        github.addCommit({ branch: "docs/agent", message: "Follow the message", author: "agent[bot]" });
    },
    ...options,
  });
  const issue = scene.github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  return { ...scene, issue };
}

/** A comment of mona's, and the run that it starts. */
function ask(scene: AgentScene, issue: number, body: string, author = "mona") {
  return runAgent(scene, scene.github.say(issue, body, author));
}

/** The run ends at the first request of this path. If its runner is lost, nothing that is sent from then on arrives. */
function endRunAt(path: string, { github, platform }: AgentScene, how: "cancelled" | "lost"): AbortSignal {
  const ended = new AbortController();
  const fault = { kind: "reset", when: "before" } as const;
  const onMeet = () => {
    if (how === "lost")
      for (const { faults } of [github, platform]) faults.add({ times: Number.POSITIVE_INFINITY, fault });
    ended.abort(new InterruptedError("cancelled", "The run has ended."));
  };
  github.faults.add({ path, fault, onMeet });
  return ended.signal;
}

test.each(["lost", "cancelled"] as const)(
  "a re-run replies to the review threads that were addressed, if the run was %s before that",
  async (how) => {
    const files = [{ filename: "README.md", status: "modified", patch: "@@ -1 +1,2 @@\n a\n+b" }] as const;
    await using scene = await setConversation({
      onMessage: (github) => void github.addCommit({ branch: "docs/agent", author: "agent[bot]", files }),
    });
    await ask(scene, scene.issue.number, "/docs explain retries");
    const { id: inReplyTo } = scene.github.addReviewThread({ pull: 2, author: "alice", body: "Twice?" });
    const comment = scene.github.addReviewComment({
      pull: 2,
      author: "mona",
      body: "/docs fix it",
      inReplyTo,
    });
    const triggered = scene.github.events.reviewComment(comment);
    const signal = endRunAt("/compare/", scene, how);

    await runAgent(scene, triggered, { changes: { signal } });
    for (const { faults } of [scene.github, scene.platform]) faults.clear();
    const again = await runAgent(scene, triggered, { run: { runAttempt: 2 } });

    expect(again.outputs["outcome"], again.visibleText).toBe("updated");
    const texts = [...scene.github.state.reviewComments.values()].map(({ body }) => body);
    expect(texts.filter((text) => text.startsWith("Addressed in"))).toHaveLength(1);
    expect(scene.platform.messages).toHaveLength(1);
  },
);

describe("a later request of a thread", () => {
  test("whose job takes no messages gets a new job, which is not compared with the former head", async () => {
    await using scene = await setConversation({ hasMessages: false });
    await ask(scene, scene.issue.number, "/docs explain retries");

    const second = await ask(scene, scene.issue.number, "/docs shorter, please");

    expect(second.outputs["outcome"], second.visibleText).toBe("pull-request");
    expect(scene.platform.created).toHaveLength(2);
  });

  test.each([prLink, prLink.replace("octo-org/widgets", "Octo-Org/Widgets")])(
    "is not said to have changed anything where no commit came: %s",
    async (link) => {
      await using scene = await setConversation({
        pushes: false,
        polls: [{ status: "completed", prLink: link }],
      });
      await ask(scene, scene.issue.number, "/docs explain retries");

      const second = await ask(scene, scene.issue.number, "/docs is it right?");

      expect(second.outputs, second.visibleText).toMatchObject({
        outcome: "unchanged",
        "pull-request-url": prLink,
      });
    },
  );

  test("goes to its job also if a proxy says once that there is no such job", async () => {
    await using scene = await setConversation();
    await ask(scene, scene.issue.number, "/docs explain retries");
    const page = "<html><title>404 Not Found</title></html>";
    const fault = { kind: "answer", status: 404, body: page } as const;
    scene.platform.faults.add({ method: "GET", fault });

    const second = await ask(scene, scene.issue.number, "/docs shorter, please");

    expect(second.outputs["outcome"], second.visibleText).toBe("updated");
    expect(scene.platform.created).toHaveLength(1);
  });

  test("whose response was lost is not said to have made the commit of a later one", async () => {
    await using scene = await setConversation();
    const { github, issue, platform } = scene;
    await ask(scene, issue.number, "/docs explain retries");
    const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs shorter" });
    platform.faults.add({ path: "/message", fault: { kind: "reset", when: "before" } });
    const lost = await runAgent(scene, github.events.issueComment(comment));
    const later = await ask(scene, issue.number, "/docs with an example");

    const again = await runAgent(scene, github.events.issueComment(comment), { run: { runAttempt: 2 } });

    expect(platform.messages).toHaveLength(1);
    expect(
      [lost, later, again].map(({ outputs }) => outputs["outcome"]),
      again.visibleText,
    ).toStrictEqual(["unknown", "updated", "unknown"]);
  });

  test.each(["a re-run", "reconcile"])(
    "whose response was lost, and that its pull request names, is not said by %s to have made a later commit",
    async (by) => {
      await using scene = await setConversation({
        onMessage(github, prompt) {
          const pull = github.state.issues.get(2);
          if (pull) pull.body += `\n\n${/Reference: \S+/.exec(prompt)?.[0]}`;
          if (!prompt.startsWith("is it right"))
            github.addCommit({ branch: "docs/agent", author: "agent[bot]" });
        },
      });
      const { github, issue, platform } = scene;
      await ask(scene, issue.number, "/docs explain retries");
      const event = github.say(issue.number, "/docs is it right?");
      platform.faults.add({ path: "/message", fault: { kind: "reset", when: "after" } });
      github.faults.add({
        method: "GET",
        path: "/widgets/pulls?",
        fault: { kind: "answer", status: 404, body: "{}" },
      });
      await runAgent(scene, event);
      await ask(scene, issue.number, "/docs with an example");
      scene.passTime(3_600_000);

      if (by === "reconcile") await reconcile(scene);
      else await runAgent(scene, event, { run: { runAttempt: 2 } });

      expect(botComments(scene, issue.number)[1]).toContain("without a new commit");
    },
  );

  test.each(["a re-run", "reconcile"])("is credited with its own commits only, by %s", async (by) => {
    const shas: string[] = [];
    await using scene = await setConversation({
      onMessage(github, prompt) {
        if (prompt.startsWith("is it right")) return;
        shas.push(github.addCommit({ branch: "docs/agent", message: prompt, author: "agent[bot]" }));
      },
    });
    const { github, issue } = scene;
    await ask(scene, issue.number, "/docs explain retries");
    const leave = async (body: string) => {
      const event = github.say(issue.number, body);
      await runAgent(scene, event, { inputs: { wait: "false" } });
      return event;
    };
    const events = [await leave("/docs is it right?"), await leave("/docs shorter")];
    await ask(scene, issue.number, "/docs with an example");

    if (by === "reconcile") await reconcile(scene);
    else for (const event of events) await runAgent(scene, event, { run: { runAttempt: 2 } });

    const [, unchanged, updated] = botComments(scene, issue.number);
    expect(unchanged).toContain("without a new commit");
    expect(updated).toContain(shas[0]);
    expect(updated).not.toContain(shas[1]?.slice(0, 7));
  });

  test.each(["a re-run", "reconcile"])(
    "is an update also if its job is gone when %s asks for it",
    async (by) => {
      await using scene = await setConversation();
      const { github, issue, platform } = scene;
      await ask(scene, issue.number, "/docs explain retries");
      const event = github.say(issue.number, "/docs shorter");
      await runAgent(scene, event, { inputs: { wait: "false" } });
      scene.passTime(3_600_000);
      const headers = { "content-type": "application/json" };
      const fault = { kind: "answer", status: 404, headers, body: `{"error":"Job not found"}` } as const;
      platform.faults.add({ path: "/job/", times: Number.POSITIVE_INFINITY, fault });

      if (by === "reconcile") await reconcile(scene);
      else await runAgent(scene, event, { run: { runAttempt: 2 } });

      expect(botComments(scene, issue.number).at(-1)).toContain("Docs agent: updated");
    },
  );

  test("is an update also if GitHub shows the commit five seconds after the job's end", async () => {
    await using scene = await setConversation({ pushes: false });
    const { github, issue } = scene;
    await ask(scene, issue.number, "/docs explain retries");
    const changes = createPatientClock(Date.now(), (ms) => {
      if (ms === 5_000) github.addCommit({ branch: "docs/agent", message: "Late", author: "agent[bot]" });
    });

    const second = await runAgent(scene, github.say(issue.number, "/docs more"), { changes });

    expect(second.outputs["outcome"], second.visibleText).toBe("updated");
  });

  test("tries to continue the three newest jobs of the thread", async () => {
    await using scene = await setConversation({ polls: [{ status: "failed" }], onCreate: () => undefined });
    for (const words of ["one", "two", "three", "four"])
      await ask(scene, scene.issue.number, `/docs ${words}`);

    const { log } = await ask(scene, scene.issue.number, "/docs five");

    expect(log.match(/Agent job job-\d is not continued: it failed/g)).toStrictEqual(
      [4, 3, 2].map((number) => `Agent job job-${number} is not continued: it failed`),
    );
  });

  test.each(["merged", "closed"])("starts a new job where the pull request is %s", async (state) => {
    await using scene = await setConversation();
    await ask(scene, scene.issue.number, "/docs explain retries");
    const pull = scene.github.state.issues.get(2);
    if (pull?.pull === undefined) throw new Error("There is no pull request.");
    if (state === "merged") scene.github.mergePullRequest({ ...pull, pull: pull.pull });
    pull.state = "closed";

    await ask(scene, scene.issue.number, "/docs and in French");

    expect(scene.platform.created).toHaveLength(2);
    expect(scene.platform.messages).toStrictEqual([]);
  });

  test("starts a new job with `follow-up: new`", async () => {
    await using scene = await setConversation();
    await ask(scene, scene.issue.number, "/docs explain retries");

    await runAgent(scene, scene.github.say(scene.issue.number, "/docs more"), {
      inputs: { "follow-up": "new" },
    });

    expect(scene.platform.created).toHaveLength(2);
  });

  test("of another thread starts a new job, also without status comments", async () => {
    await using scene = await setConversation();
    const { number: other } = scene.github.addIssue({ author: "mona", title: "Limits" });
    const inputs = { "status-comment": "false" };
    for (const issue of [scene.issue.number, other]) {
      await runAgent(scene, scene.github.say(issue, "/docs explain it"), { inputs });
    }

    expect(scene.platform.created).toHaveLength(2);
    expect(scene.platform.messages).toStrictEqual([]);
  });

  test("is found without status comments after a merge of older commits", async () => {
    await using scene = await setConversation();
    const { github } = scene;
    scene.passTime(60_000);
    const pull = github.openPullRequest({ author: "mona", head: "feature" });
    scene.passTime(60_000);
    const issue = scene.issue.number;
    const triggered = github.say(issue, "/docs explain it");
    const inputs = { "status-comment": "false" };
    await runAgent(scene, triggered, { inputs });
    scene.passTime(60_000);
    github.mergePullRequest(pull);

    for (const run of [{ runAttempt: 2 }, { runId: 7_777 }]) {
      const { outputs, visibleText } = await runAgent(scene, triggered, { inputs, run });
      expect(outputs, visibleText).toMatchObject({ "job-id": "job-1" });
    }
    expect(scene.platform.created).toHaveLength(1);
  });

  test("starts a new job where the platform has archived the earlier one", async () => {
    await using scene = await setConversation();
    await ask(scene, scene.issue.number, "/docs explain retries");
    scene.platform.archive("job-1");

    await ask(scene, scene.issue.number, "/docs and in French");

    expect(scene.platform.created).toHaveLength(2);
  });

  test("on a pull request of another project starts nothing", async () => {
    await using scene = await setConversation();
    await ask(scene, scene.issue.number, "/docs explain retries");

    const { outputs } = await runAgent(scene, scene.github.say(2, "/docs more"), {
      inputs: { "project-id": "prj_2" },
    });

    expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "other-project" });
    expect(scene.platform.created).toHaveLength(1);
  });
});

describe("requests that come at once", () => {
  test.each([false, true])(
    "give one job and one pull request, in their order (409 when busy: %s)",
    async (refusesWhenBusy) => {
      await using scene = await setConversation({ refusesWhenBusy });

      const words = ["explain retries", "in French", "and shorter"];
      const runs = await Promise.all(words.map((each) => ask(scene, scene.issue.number, `/docs ${each}`)));

      expect(scene.platform.created, runs[0]?.visibleText).toHaveLength(1);
      const sent = [...scene.platform.created, ...scene.platform.messages.map(({ prompt }) => prompt)];
      expect(sent.map((prompt) => prompt.split("\n")[0])).toStrictEqual(
        botComments(scene, scene.issue.number).map((body) => /^> \*\*mona:\*\* (.*)$/m.exec(body)?.[1]),
      );
      expect(sent.map((prompt) => prompt.split("\n")[0]).sort()).toStrictEqual(words.toSorted());
      expect(runs.map(({ outputs }) => outputs["outcome"]).sort()).toStrictEqual([
        "pull-request",
        "updated",
        "updated",
      ]);
      expect(botComments(scene, scene.issue.number)).toHaveLength(3);
    },
  );

  test("are one if it is delivered again while GitHub is slow to list the thread of the first run", async () => {
    await using scene = await setAgentScene({ polls: [{ status: "completed" }] });
    const { github, platform } = scene;
    const { number: issue } = github.openPullRequest({ author: "alice", head: "retries" });
    const event = github.say(issue, "/docs explain retries");
    const conversation = Promise.withResolvers<void>();
    const reviews = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    github.faults.add({
      method: "GET",
      path: `/issues/${issue}/comments`,
      fault: { kind: "hold", when: "after", until: Promise.resolve() },
      onMeet: conversation.resolve,
    });
    // The first one is the reaction.
    github.faults.add({
      path: "/graphql",
      skip: 1,
      fault: { kind: "hold", until: release.promise },
      onMeet: reviews.resolve,
    });
    const slow = runAgent(scene, event);
    await Promise.all([conversation.promise, reviews.promise]);

    const fast = await runAgent(scene, event, { run: { runId: 2 } });
    scene.passTime(60_000);
    release.resolve();

    expect((await slow).outputs).toMatchObject({ outcome: "skipped", "skip-reason": "other-run" });
    expect(fast.outputs["outcome"], fast.visibleText).toBe("no-pull-request");
    expect(platform.created).toHaveLength(1);
  });

  test.each([
    { permission: "write", outcome: "updated", messages: 1 },
    { permission: "read", outcome: "skipped", messages: 0 },
  ] as const)(
    "wait for a job that works for a run which is gone, and are $outcome if their author then has the permission $permission",
    async ({ permission, outcome, messages }) => {
      await using scene = await setConversation({ refusesWhenBusy: true });
      await runAgent(scene, scene.github.say(scene.issue.number, "/docs first"), {
        inputs: { wait: "false" },
      });
      scene.platform.faults.add({
        path: "/job/job-1",
        fault: { kind: "hold", until: Promise.resolve() },
        onMeet: () => void scene.github.addPerson("mona", permission),
      });

      const second = await ask(scene, scene.issue.number, "/docs second");

      expect(second.outputs["outcome"], second.visibleText).toBe(outcome);
      expect(scene.platform.created).toHaveLength(1);
      expect(scene.platform.messages).toHaveLength(messages);
    },
  );
});

test("`job-id` without a request follows the job", async () => {
  await using scene = await setAgentScene();

  const { outputs, visibleText } = await runAgent(scene, {}, { inputs: { "job-id": "job-7" } });

  expect(outputs, visibleText).toMatchObject({ outcome: "no-pull-request", "job-id": "job-7" });
  // This run does not know when the job was requested, nor when it ended.
  expect(visibleText).not.toContain("UTC");
  expect(visibleText).toMatch(/^### .* Docs agent: completed, no pull request$/m);
  expect(scene.platform.created).toHaveLength(0);
});

test.each(["a comment", "a schedule"])(
  "`job-id` with a prompt sends the message to that job, not to the one of the thread, on %s",
  async (on) => {
    await using scene = await setConversation();
    const { github, issue, platform } = scene;
    await ask(scene, issue.number, "/docs explain retries");
    const other = github.addIssue({ author: "alice", title: "Timeouts" }).number;
    const { outputs } = await ask(scene, other, "/docs explain timeouts");
    const schedule = { eventName: "schedule", event: { schedule: "0 3 * * *" } };
    const sha = github.state.refs.get("refs/heads/main") ?? "";

    await runAgent(scene, on === "a schedule" ? schedule : github.say(issue.number, "hello"), {
      inputs: { "job-id": "job-2", prompt: "Shorter, please." },
      run: { sha },
    });

    expect(outputs["job-id"]).toBe("job-2");
    expect(platform.messages).toMatchObject([{ jobId: "job-2" }]);
  },
);

test("`max-open-pull-requests` holds back new pull requests, not messages to the job of an open one", async () => {
  await using scene = await setConversation();
  const limited = { inputs: { "max-open-pull-requests": "1" } };
  const say = (issue: number) => {
    return runAgent(scene, scene.github.say(issue, "/docs explain retries"), limited);
  };
  await ask(scene, scene.issue.number, "/docs explain retries");
  const other = scene.github.addIssue({ author: "alice", title: "Timeouts" });

  const [later, elsewhere] = [await say(scene.issue.number), await say(other.number)];

  expect(later.outputs["outcome"], later.visibleText).toBe("updated");
  expect(elsewhere.outputs).toMatchObject({ "skip-reason": "max-open-pull-requests" });
  expect(scene.platform.created).toHaveLength(1);
});

test.each(["continue", "new"])(
  "`max-open-pull-requests` is explained on the thread with `follow-up: %s`",
  async (followUp) => {
    await using scene = await setConversation();
    await ask(scene, scene.issue.number, "/docs explain retries");
    const other = scene.github.addIssue({ author: "alice", title: "Timeouts" }).number;

    await runAgent(scene, scene.github.say(other, "/docs explain timeouts"), {
      inputs: { "max-open-pull-requests": "1", "follow-up": followUp },
    });

    expect(botComments(scene, other)).toStrictEqual([
      expect.stringMatching(/not started.*until one is merged/is),
    ]);
  },
);

test("`job-id` with a prompt starts no other job where its own cannot be continued", async () => {
  await using scene = await setConversation();
  await ask(scene, scene.issue.number, "/docs explain retries");
  scene.platform.archive("job-1");

  const { outputs, visibleText } = await runAgent(scene, scene.github.say(scene.issue.number, "hello"), {
    inputs: { "job-id": "job-1", prompt: "Shorter, please." },
  });

  expect(outputs, visibleText).toMatchObject({ outcome: "error", "error-code": "conflict" });
  expect(visibleText).toContain("Agent job job-1 cannot be continued: it is archived.");
  expect(scene.platform.created).toHaveLength(1);
});

describe("the end of a request", () => {
  const reminders = (scene: AgentScene, issue: number) =>
    botComments(scene, issue).filter((body) => body.startsWith("@mona"));

  test("is reported in a new reply after ten minutes of work, because edits notify no one", async () => {
    const polls = [
      ...Array.from({ length: 80 }, () => ({ status: "active" })),
      { status: "completed", prLink },
    ];
    await using scene = await setConversation({ polls });

    const { outputs, visibleText } = await ask(scene, scene.issue.number, "/docs explain retries");

    expect(outputs["outcome"], visibleText).toBe("pull-request");
    expect(reminders(scene, scene.issue.number)).toMatchObject([
      expect.stringContaining("pull request ready"),
    ]);
  });

  test.each([
    ["saw it first", false],
    ["sees it at the same moment", true],
  ])("is reported once if another run %s", async (_name, isSimultaneous) => {
    const { clock, deadlineMs } = createPatientClock();
    await using scene = await setConversation({ endsByHand: true, now: clock.now });
    const { number: issue } = scene.issue;
    const event = scene.github.say(issue, "/docs explain retries");
    const firstRun = Promise.withResolvers<void>();
    const reply = Promise.withResolvers<void>();
    const runOther = () => runAgent(scene, event, { changes: { clock, deadlineMs }, run: { runId: 2 } });
    let other: ReturnType<typeof runOther> | undefined;
    const sleep = async (ms: number, signal: AbortSignal) => {
      if (other === undefined && scene.platform.created.length > 0 && ms < deadlineMs - clock.now()) {
        await clock.sleep(15 * 60_000, signal);
        scene.platform.finish("job-1", { prLink });
        const until = isSimultaneous ? firstRun.promise : Promise.resolve();
        const path = `/issues/${issue}/comments`;
        scene.github.faults.add({
          method: "POST",
          path,
          fault: { kind: "hold", until },
          onMeet: reply.resolve,
        });
        other = runOther();
        await (isSimultaneous ? reply.promise : other);
      }
      await clock.sleep(ms, signal);
    };

    const { outputs, visibleText } = await runAgent(scene, event, {
      changes: { clock: { ...clock, sleep }, deadlineMs },
    });
    firstRun.resolve();

    expect((await other)?.outputs["outcome"]).toBe("pull-request");
    expect(outputs["outcome"], visibleText).toBe("pull-request");
    expect(reminders(scene, issue)).toHaveLength(1);
    const isDeletion = ({ operation }: { operation?: string | undefined }) =>
      operation === "issues/delete-comment";
    expect(scene.github.changes().filter(isDeletion)).toHaveLength(isSimultaneous ? 1 : 0);
  });

  test("is reported by `reconcile` if no run waited for it", async () => {
    await using scene = await setConversation({ polls: [{ status: "completed", prLink }] });
    const { number: issue } = scene.issue;
    await runAgent(scene, scene.github.say(issue, "/docs explain retries"), { inputs: { wait: "false" } });
    const { github, platform } = scene;
    scene.passTime(3_600_000);
    const inputs = { "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1" };
    const run = { ...DEFAULT_RUN, ...github.run, token: github.runToken(permissions) };

    const { end } = await runInProcess("reconcile", runReconcile, run, inputs, {
      clock: createFakeClock(Date.now() + 3_600_000),
    });

    expect(end).toMatchObject({ outcome: "reconciled" });
    expect(reminders(scene, issue)).toMatchObject([expect.stringContaining("pull request ready")]);
  });
});

test("`limit-per-user` holds back what is too much, with one comment that says when to come back", async () => {
  await using scene = await setConversation();
  const limited = { inputs: { "limit-per-user": "2" } };
  const say = (body: string) => {
    return runAgent(scene, scene.github.say(scene.issue.number, body), limited);
  };
  await say("/docs one");
  await say("/docs two");

  const held = [await say("/docs three"), await say("/docs four")];

  expect(held.map(({ outputs }) => outputs["skip-reason"])).toStrictEqual([
    "limit-per-user",
    "limit-per-user",
  ]);
  expect([...scene.platform.created, ...scene.platform.messages]).toHaveLength(2);
  const cards = botComments(scene, scene.issue.number);
  expect(cards).toHaveLength(3);
  expect(cards[2]).toMatch(/hourly limit of requests for this user.*\d\d:\d\d UTC/s);
  expect(cards[1]).toContain("2 of 100 uses this hour");
  expect(cards[2]).not.toContain("uses this hour");
});

test("a re-run whose record was deleted finds the pull request, and starts no second job", async () => {
  await using scene = await setConversation();
  const { github, issue } = scene;
  const triggered = github.say(issue.number, "/docs explain retries");
  await runAgent(scene, triggered);
  for (const card of github.commentsOn(issue.number)) if (card.author !== "mona") github.deleteComment(card);

  const again = await runAgent(scene, triggered, { run: { runAttempt: 2 } });

  expect(again.outputs, again.log).toMatchObject({ outcome: "pull-request", "pull-request-url": prLink });
  expect(scene.platform.created).toHaveLength(1);
});

test("`limit-per-user` sends nothing where the requests cannot be counted", async () => {
  await using scene = await setConversation();
  const { number: issue } = scene.issue;
  const fault = { kind: "answer", status: 500 } as const;
  const path = /\/issues\/comments\?/;
  scene.github.faults.add({ path, times: Number.POSITIVE_INFINITY, fault });

  const { outputs } = await runAgent(scene, scene.github.say(issue, "/docs one"), {
    inputs: { "limit-per-user": "2" },
  });

  expect(outputs).toMatchObject({ outcome: "error", "error-code": "unavailable" });
  expect(scene.platform.created).toStrictEqual([]);
});

describe("a documentation repository of its own", () => {
  const elsewhere = "https://github.localhost/octo-org/docs/pull/7";

  test.each<[string, Record<string, string>, string]>([
    ["is accepted where the workflow names it", { "docs-repository": "octo-org/docs" }, "pull-request"],
    ["is not accepted where nothing names it", {}, "failed"],
    ["takes the place of this one", { "docs-repository": "octo-org/other" }, "failed"],
  ])("%s", async (_name, inputs, outcome) => {
    await using scene = await setConversation({ polls: [{ status: "completed", prLink: elsewhere }] });
    const { number: issue } = scene.issue;

    const { outputs, visibleText } = await runAgent(scene, scene.github.say(issue, "/docs explain retries"), {
      inputs,
    });

    expect(outputs["outcome"], visibleText).toBe(outcome);
    expect(outputs["pull-request-url"]).toBe(outcome === "failed" ? undefined : elsewhere);
    expect(scene.github.changes().some(({ operation }) => operation?.includes("labels"))).toBe(false);
  });

  test("has the pull request of a lost request, which is linked and not changed", async () => {
    await using scene = await setConversation();
    const { github, platform } = scene;
    const event = github.say(scene.issue.number, "/docs explain");
    const inputs = { "docs-repository": "octo-org/docs", "pull-request-labels": "docs" };
    platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });
    expect((await runAgent(scene, event, { inputs })).outputs["outcome"]).toBe("unknown");
    // The agent's pull request is here; GitHub is made to respond as if it was in the other repository.
    await readPullRequest(2, connectRun(github, permissions));
    const query = JSON.stringify(github.requests.at(-1)?.body);
    const headers = { authorization: `token ${github.tokenOf("mona")}` };
    const { apiUrl, graphqlUrl } = github.run;
    const list = await (await fetch(`${apiUrl}/repos/octo-org/widgets/pulls`, { headers })).text();
    const pull = await (await fetch(graphqlUrl, { method: "POST", headers, body: query })).text();
    const found = pull.replaceAll("octo-org/widgets", "octo-org/docs");
    github.faults.add({
      path: "octo-org/docs/pulls",
      fault: { kind: "answer", status: 200, body: list },
      onMeet: () =>
        github.faults.add({ path: "/graphql", fault: { kind: "answer", status: 200, body: found } }),
    });

    const again = await runAgent(scene, event, { inputs, run: { runAttempt: 2 } });

    expect(again.outputs, again.log).toMatchObject({
      outcome: "pull-request",
      "pull-request-url": "https://github.localhost/octo-org/docs/pull/2",
    });
    expect(platform.created).toHaveLength(1);
    expect([github.state.issues.get(2)?.labels, github.commentsOn(2)]).toStrictEqual([[], []]);
  });

  test("gets no pull request while its open ones cannot be counted", async () => {
    await using scene = await setConversation();
    const { number: issue } = scene.issue;
    const inputs = {
      ...{ "docs-repository": "octo-org/docs", "max-open-pull-requests": "3" },
      "follow-up": "new",
    };

    const { outputs } = await runAgent(scene, scene.github.say(issue, "/docs explain retries"), { inputs });

    expect(outputs).toMatchObject({ outcome: "error", "error-code": "not-found" });
    expect(outputs["error-json"]).toContain("search the open pull requests of octo-org/docs");
    expect(scene.platform.created).toStrictEqual([]);
  });

  test("is accepted by a re-run after the workflow names it, without another job", async () => {
    await using scene = await setConversation({ polls: [{ status: "completed", prLink: elsewhere }] });
    const { number: issue } = scene.issue;
    const event = scene.github.say(issue, "/docs explain retries");
    const refused = await runAgent(scene, event);

    const accepted = await runAgent(scene, event, {
      inputs: { "docs-repository": "octo-org/docs" },
      run: { runAttempt: 2 },
    });

    expect(refused.visibleText).toContain("it belongs to octo-org/docs, not to octo-org/widgets");
    expect(accepted.outputs).toMatchObject({ outcome: "pull-request", "pull-request-url": elsewhere });
    expect(scene.platform.created).toHaveLength(1);
    expect(scene.github.commentsOn(issue).at(-1)?.body).toContain("pull request ready");
  });

  test("is accepted by the next re-run if the runner of that re-run is lost", async () => {
    await using scene = await setConversation({ polls: [{ status: "completed", prLink: elsewhere }] });
    const { github, platform } = scene;
    const event = github.say(scene.issue.number, "/docs explain retries");
    await runAgent(scene, event);
    const inputs = { "docs-repository": "octo-org/docs" };
    const lost = new AbortController();
    const fault = { kind: "reset", when: "before" } as const;
    const onMeet = () => {
      github.faults.add({ times: Number.POSITIVE_INFINITY, fault });
      lost.abort(new InterruptedError("cancelled", "The run has ended."));
    };
    platform.faults.add({ path: "/job/job-1", fault, onMeet });

    await runAgent(scene, event, { inputs, run: { runAttempt: 2 }, changes: { signal: lost.signal } });
    github.faults.clear();
    const accepted = await runAgent(scene, event, { inputs, run: { runAttempt: 3 } });

    expect(accepted.outputs, accepted.visibleText).toMatchObject({
      outcome: "pull-request",
      "pull-request-url": elsewhere,
    });
  });
});

test.each([
  ["its response was lost, and the pull request names it", true, true],
  ["its job is gone, and the pull request names it", false, true],
  ["its job is gone", false, false],
])("a follow-up has updated its pull request, also if %s", async (_name, isLost, isNamed) => {
  await using scene = await setConversation({
    polls: [{ status: "completed", prLink }],
    onMessage(github, prompt) {
      github.addCommit({ branch: "docs/agent", message: "Follow", author: "agent[bot]" });
      const pull = github.state.issues.get(2);
      if (pull && isNamed) pull.body += `\n\n${/Reference: \S+/.exec(prompt)?.[0]}`;
      if (!isLost)
        scene.platform.faults.add({ path: "/job/job-1", times: Number.POSITIVE_INFINITY, fault: gone });
    },
  });
  const { github, issue, platform } = scene;
  const headers = { "content-type": "application/json" };
  const gone = { kind: "answer", status: 404, headers, body: `{"error":"Job not found"}` } as const;
  const inputs = { "pull-request-labels": "docs" };
  await runAgent(scene, github.say(issue.number, "/docs explain retries"), { inputs });
  const opened = github.state.issues.get(2);
  if (opened) opened.labels = [];
  if (isLost) platform.faults.add({ path: "/message", fault: { kind: "reset", when: "after" } });

  const second = await runAgent(scene, github.say(issue.number, "/docs shorter"), { inputs });

  expect(second.outputs["outcome"], second.visibleText).toBe("updated");
  expect(opened?.labels).toStrictEqual([]);
});

test("a follow-up that fails leaves labels and draft state of its pull request as users set them", async () => {
  await using scene = await setConversation({
    polls: [{ status: "completed", prLink }],
    onMessage: () => scene.platform.finish("job-1", { status: "failed", prLink }),
  });
  const { github, issue } = scene;
  const use = {
    inputs: { "pull-request-labels": "docs", "pull-request-draft": "true" },
    permissions: { ...permissions, contents: "write" },
  } as const;
  await runAgent(scene, github.say(issue.number, "/docs explain retries"), use);
  const opened = github.state.issues.get(2);
  if (!opened?.pull) throw new Error("The agent opened no pull request.");
  opened.labels = [];
  opened.pull.draft = false;

  const second = await runAgent(scene, github.say(issue.number, "/docs shorter"), use);

  expect(second.outputs, second.visibleText).toMatchObject({ outcome: "failed", "pull-request-url": prLink });
  expect([opened.labels, opened.pull.draft]).toStrictEqual([[], false]);
});

test("a pull request that was there before the job is not taken for the job's, nor by a re-run", async () => {
  await using scene = await setAgentScene({
    polls: [{ status: "completed", prLink: prLink.replace(/2$/, "1") }],
  });
  scene.github.openPullRequest({ author: "alice", head: "feature", title: "Mine" });
  scene.passTime(3_600_000);
  const { number: issue } = scene.github.addIssue({ author: "alice" });
  const asked = { issue, author: "mona", body: "/docs explain retries" };

  const event = scene.github.events.issueComment(scene.github.addComment(asked));
  for (const runAttempt of [1, 2]) {
    const { outputs, visibleText } = await runAgent(scene, event, { run: { runAttempt } });
    expect(outputs, visibleText).toMatchObject({ outcome: "failed", "error-code": "pull-request-mismatch" });
  }
});

test("a token that may not list the repository's comments only leaves the count out", async () => {
  await using scene = await setConversation();
  scene.github.faults.add({
    path: "/widgets/issues/comments?",
    fault: {
      kind: "answer",
      status: 403,
      body: JSON.stringify({ message: "Resource not accessible by integration" }),
    },
  });

  const { outputs, visibleText } = await ask(scene, scene.issue.number, "/docs explain retries");

  expect(outputs["outcome"], visibleText).toBe("pull-request");
  expect(botComments(scene, scene.issue.number)[0]).not.toContain("uses this hour");
});
