import { describe, expect, test } from "vitest";
import {
  type AgentScene,
  botComments,
  openAgentPull,
  pullUrl,
  runAgent,
  setAgentScene,
} from "../support/agent-scene.ts";
import { createPatientClock } from "../support/fake-clock.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";

const prLink = pullUrl(2);

async function setWords(options: Parameters<typeof setAgentScene>[0] = {}) {
  const scene = await setAgentScene({
    polls: [{ status: "active" }, { status: "completed", prLink }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
    ...options,
  });
  const { number: issue } = scene.github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  return { ...scene, issue };
}

function say(scene: AgentScene & { issue: number }, body: string, inputs: Record<string, string> = {}) {
  return runAgent(scene, scene.github.say(scene.issue, body), { inputs });
}

/** What people pressed, and the run that follows. */
function press(scene: AgentScene & { issue: number }, change: (body: string) => string, sender = "mona") {
  const card = scene.github.commentsOn(scene.issue).find(({ body }) => body.includes("- [ ] Try again"));
  if (card === undefined) throw new Error("There is no checkbox.");
  scene.github.edit(card, { body: change(card.body), editor: sender });
  return runAgent(scene, scene.github.events.issueComment(card, { sender, action: "edited" }));
}

/** Mona's first request, whose job fails; for a scene with `endsByHand`. */
async function failFirst(scene: AgentScene & { issue: number }) {
  const first = say(scene, "/docs explain retries");
  await expect.poll(() => scene.platform.created.length).toBe(1);
  scene.platform.finish("job-1", { status: "failed" });
  await first;
}

const tick = (body: string) => body.replace("- [ ] Try again", "- [x] Try again");

describe("`status`", () => {
  test("says how far the newest request is, and starts nothing", async () => {
    await using scene = await setWords();
    await say(scene, "/docs explain retries", { wait: "false" });

    const { outputs } = await say(scene, "/docs status");

    expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "status" });
    expect(scene.platform.created).toHaveLength(1);
    expect(botComments(scene, scene.issue).at(-1)).toMatch(
      /Latest request.*job-1.*The platform reports the job as `active`/,
    );
  });

  test("leaves out the requests of another project", async () => {
    await using scene = await setWords();
    await say(scene, "/docs explain retries", { wait: "false" });

    await say(scene, "/docs status", { "project-id": "another" });

    expect(botComments(scene, scene.issue).at(-1)).toContain("There is no request");
  });

  test("on a thread without requests says so without asking the platform", async () => {
    await using scene = await setWords();

    await say(scene, "/docs status");

    expect(scene.platform.requests).toHaveLength(0);
    expect(botComments(scene, scene.issue)).toMatchObject([expect.stringContaining("There is no request")]);
  });
});

test.each(["status", "stop", "retry"])(
  "a dry run of `%s` says that it would be carried out",
  async (word) => {
    await using scene = await setWords();

    const { outputs, visibleText } = await say(scene, `/docs ${word}`, { "dry-run": "true" });

    expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "dry-run" });
    expect(visibleText).toContain(`Dry run: \`${word}\` would be carried out.`);
    expect(botComments(scene, scene.issue)).toEqual([]);
  },
);

describe("`stop`", () => {
  test("finds the request although GitHub at first does not find the thread", async () => {
    await using scene = await setWords({ endsByHand: true });
    const { github, issue } = scene;
    const waiting = say(scene, "/docs explain retries");
    await expect.poll(() => botComments(scene, issue).join()).toContain("job-1");
    const stop = github.addComment({ issue, author: "mona", body: "/docs stop" });
    const fault = { kind: "answer", status: 404, body: `{"message":"Not Found"}` } as const;
    github.faults.add({ method: "GET", path: `/issues/${issue}/comments`, fault });

    await runAgent(scene, github.events.issueComment(stop), { changes: createPatientClock() });

    expect((await waiting).outputs["outcome"]).toBe("cancelled");
    expect(botComments(scene, issue)[0]).toMatch(/stopped waiting[\s\S]*job-1/);
  });

  test.each([
    ["", 0],
    [", although GitHub at first does not find its comment", 1],
  ])("reaches a request whose run has just claimed it%s, and sends nothing afterwards", async (_, times) => {
    await using scene = await setWords();
    const { github, issue } = scene;
    const { promise: until, resolve: respond } = Promise.withResolvers<void>();
    const { promise: isClaimed, resolve: onMeet } = Promise.withResolvers<void>();
    const fault = { kind: "hold", until, when: "after" } as const;
    github.faults.add({ method: "POST", path: `/issues/${issue}/comments`, fault, onMeet });
    const claiming = say(scene, "/docs explain retries");
    await isClaimed;
    const notFound = { kind: "answer", status: 404, body: `{"message":"Not Found"}` } as const;
    github.faults.add({ method: "GET", path: "/issues/comments/", times, fault: notFound });

    await runAgent(scene, github.say(issue, "/docs stop"), { changes: createPatientClock() });
    respond();
    const { outputs } = await claiming;

    expect(outputs["outcome"]).toBe("cancelled");
    expect(scene.platform.created).toHaveLength(0);
    expect(botComments(scene, issue)).toMatchObject([expect.stringContaining("stopped before it was sent")]);
  });

  test("does not reach a request that was written after it, although its run starts later", async () => {
    await using scene = await setWords({ endsByHand: true });
    const { github, platform, issue } = scene;
    const stop = github.addComment({ issue, author: "mona", body: "/docs stop" });
    scene.passTime(5_000);
    const waiting = say(scene, "/docs explain limits instead");
    await expect.poll(() => botComments(scene, issue).join()).toContain("job-1");

    const { visibleText } = await runAgent(scene, github.events.issueComment(stop));
    platform.finish("job-1", { status: "completed", prLink });
    const { outputs } = await waiting;

    expect(visibleText).toContain("No run waits for a request of this thread.");
    expect(outputs["outcome"]).toBe("pull-request");
  });

  test("may be impossible to look for, which does not end the waiting", async () => {
    const active = Array.from({ length: 30 }, () => ({ status: "active" }));
    await using scene = await setWords({ polls: [...active, { status: "completed", prLink }] });
    let refused = 0;
    scene.github.faults.add({
      method: "GET",
      path: /\/issues\/comments\/\d+$/,
      times: Number.POSITIVE_INFINITY,
      fault: { kind: "answer", status: 403, body: '{"message":"API rate limit exceeded"}' },
      onMeet: () => {
        refused += 1;
      },
    });

    const { outputs, visibleText } = await say(scene, "/docs explain retries");

    expect(outputs["outcome"], visibleText).toBe("pull-request");
    expect(refused).toBeGreaterThan(0);
  });

  test("takes back a request that waits for an earlier one", async () => {
    await using scene = await setWords({ endsByHand: true });
    const first = say(scene, "/docs explain retries");
    await expect.poll(() => botComments(scene, scene.issue).join()).toContain("job-1");
    const second = say(scene, "/docs and in French");
    await expect.poll(() => botComments(scene, scene.issue).join()).toContain("queued");

    await say(scene, "/docs stop");
    const ends = await Promise.all([first, second]);

    expect(ends.map(({ outputs }) => outputs["outcome"])).toStrictEqual(["cancelled", "cancelled"]);
    expect(scene.platform.messages).toStrictEqual([]);
    expect(botComments(scene, scene.issue)[1]).toMatch(/not started[\s\S]*stopped before it was sent/);
  });

  test("waits for a submission at the same moment, to end the waiting for its job", async () => {
    await using scene = await setWords({ endsByHand: true });
    const submission = Promise.withResolvers<void>();
    const record = Promise.withResolvers<void>();
    scene.platform.faults.add({ method: "POST", fault: { kind: "hold", until: submission.promise } });
    const asked = say(scene, "/docs explain retries");
    await expect.poll(() => scene.platform.requests.length).toBe(1);
    const comment = { method: "GET", path: /\/issues\/comments\/\d+$/ };
    scene.github.faults.add({
      ...comment,
      skip: 1,
      fault: { kind: "hold", until: record.promise },
      onMeet: submission.resolve,
    });

    const stop = say(scene, "/docs stop");
    await expect.poll(() => botComments(scene, scene.issue).join()).toContain("job-1");
    record.resolve();

    expect((await stop).outputs["skip-reason"]).toBe("stop");
    expect((await asked).outputs["outcome"]).toBe("cancelled");
    expect(botComments(scene, scene.issue)[0]).toMatch(/stopped waiting[\s\S]*job-1/);
  });

  test("that read the record before the submission, and wrote it after, loses no job", async () => {
    await using scene = await setWords({ endsByHand: true });
    const edit = { method: "PATCH", path: /\/issues\/comments\/\d+$/ };
    const [asking, stopping] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let held = 0;
    const onMeet = () => {
      held += 1;
    };
    scene.github.faults.add({ ...edit, fault: { kind: "hold", until: asking.promise }, onMeet });
    const asked = say(scene, "/docs explain retries");
    await expect.poll(() => held).toBe(1);
    scene.github.faults.add({ ...edit, fault: { kind: "hold", until: stopping.promise }, onMeet });
    const stop = say(scene, "/docs stop");
    await expect.poll(() => held).toBe(2);

    asking.resolve();
    await expect.poll(() => botComments(scene, scene.issue).join()).toContain("job-1");
    stopping.resolve();
    await stop;

    expect((await asked).outputs).toMatchObject({ outcome: "cancelled", "job-id": "job-1" });
    expect(botComments(scene, scene.issue)[0]).toMatch(/stopped waiting[\s\S]*job-1/);
  });

  test("says that a request is still being sent", async () => {
    await using scene = await setWords({ endsByHand: true });
    const submission = Promise.withResolvers<void>();
    scene.platform.faults.add({ method: "POST", fault: { kind: "hold", until: submission.promise } });
    const asked = say(scene, "/docs explain retries");
    await expect.poll(() => scene.platform.requests.length).toBe(1);

    const comment = scene.github.addComment({ issue: scene.issue, author: "mona", body: "/docs stop" });
    const stop = await runAgent(scene, scene.github.events.issueComment(comment));
    submission.resolve();
    await expect.poll(() => botComments(scene, scene.issue).join()).toContain("job-1");
    await say(scene, "/docs stop");

    expect(stop.visibleText).toContain("being sent at this moment; write `stop` again");
    expect(comment.reactions.map(({ content }) => content)).toStrictEqual(["eyes", "confused"]);
    expect((await asked).outputs["outcome"]).toBe("cancelled");
  });

  test("takes back a request that was not sent although its claim has expired", async () => {
    await using scene = await setWords();
    const reset = { kind: "reset", when: "before" } as const;
    scene.github.faults.add({ method: "PATCH", times: Number.POSITIVE_INFINITY, fault: reset });
    await say(scene, "/docs explain retries");
    scene.github.faults.clear();
    scene.passTime(3_600_000);

    await say(scene, "/docs stop");

    expect(scene.platform.created).toHaveLength(0);
    expect(botComments(scene, scene.issue)[0]).toMatch(/not started[\s\S]*stopped before it was sent/);
  });

  test.each(["stop", "retry"])("and `retry` change nothing for a stranger: %s", async (word) => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries");
    const before = botComments(scene, scene.issue);
    scene.github.addPerson("eve", "read");

    const comment = scene.github.addComment({ issue: scene.issue, author: "eve", body: `/docs ${word}` });
    const { outputs } = await runAgent(scene, scene.github.events.issueComment(comment));

    expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "permission" });
    expect(botComments(scene, scene.issue)).toStrictEqual(before);
    expect(comment.reactions).toStrictEqual([]);
    expect(scene.platform.created).toHaveLength(1);
  });

  test("where nothing runs changes nothing", async () => {
    await using scene = await setWords();
    await say(scene, "/docs explain retries");
    const before = botComments(scene, scene.issue);

    await say(scene, "/docs stop");

    expect(botComments(scene, scene.issue)).toStrictEqual(before);
  });
});

const failsOnce = () => {
  let jobs = 0;
  return {
    polls: [{ status: "failed", error: "The model was overloaded." }],
    onCreate: () => {
      jobs += 1;
    },
    jobs: () => jobs,
  };
};

describe("a keyword for the steps of two projects", () => {
  const projects = ["prj_1", "prj_2"];

  /** Runs one step for each project. */
  async function sayToBoth(scene: AgentScene & { issue: number }, body: string) {
    const triggered = scene.github.say(scene.issue, body);
    const before = botComments(scene, scene.issue).length;
    for (const project of projects) await runAgent(scene, triggered, { inputs: { "project-id": project } });
    return botComments(scene, scene.issue).slice(before);
  }

  test("gets a reply of each project to `status`, which names it", async () => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries", { "project-id": "prj_2" });

    const replies = await sayToBoth(scene, "/docs status");

    expect(replies).toHaveLength(2);
    expect(replies[0]).toMatch(/^Project `prj_1`: There is no request/);
  });

  test("gets a reply to `retry` that names the project without a request to repeat", async () => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries", { "project-id": "prj_2" });

    const [refusal, status] = await sayToBoth(scene, "/docs retry");

    expect(refusal).toMatch(/^Project `prj_1`: There is no request on this thread that ended without/);
    expect(status).toContain("prj_2");
    expect(scene.platform.created).toHaveLength(2);
  });

  test("is only for the project of a selected checkbox", async () => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries", { "project-id": "prj_2" });
    const before = botComments(scene, scene.issue).length;

    const { outputs } = await press(scene, tick);

    expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "other-project" });
    expect(botComments(scene, scene.issue)).toHaveLength(before);
  });
});

describe("a request that failed", () => {
  test("is not made again by a second `retry` once the first has succeeded", async () => {
    await using scene = await setWords({ endsByHand: true });
    await failFirst(scene);
    const again = say(scene, "/docs retry");
    await expect.poll(() => scene.platform.created.length).toBe(2);
    scene.platform.finish("job-2", { prLink });
    await again;

    const { outputs, visibleText } = await say(scene, "/docs retry");

    expect(outputs, visibleText).toMatchObject({ outcome: "skipped", "skip-reason": "retry" });
    expect([scene.platform.created.length, scene.platform.messages.length]).toStrictEqual([2, 0]);
  });

  test("is made again once by two `retry` at the same time", async () => {
    await using scene = await setWords({ endsByHand: true });
    await failFirst(scene);
    // Both read the thread before either claims the request.
    const post = { method: "POST", path: /\/comments$/ };
    const arrived = Promise.withResolvers<void>();
    scene.github.faults.add({ ...post, fault: { kind: "hold", until: arrived.promise } });
    const onMeet = () => arrived.resolve();
    scene.github.faults.add({ ...post, fault: { kind: "hold", until: Promise.resolve() }, onMeet });
    const both = [say(scene, "/docs retry"), say(scene, "/docs retry")];
    await expect.poll(() => scene.platform.created.length).toBe(2);
    await expect.poll(() => botComments(scene, scene.issue).join()).toContain("queued");
    scene.platform.finish("job-2", { prLink });

    const ends = await Promise.all(both);

    expect(ends.map(({ outputs }) => outputs["skip-reason"]).toSorted()).toStrictEqual(["retry", undefined]);
    expect([scene.platform.created.length, scene.platform.messages.length]).toStrictEqual([2, 0]);
    expect(botComments(scene, scene.issue).at(-1)).toContain("Another run repeated this request.");
  });

  test("is made again by a `retry` after one that `limit-per-user` refused", async () => {
    await using scene = await setWords(failsOnce());
    const limit = { "limit-per-user": "1" };
    await say(scene, "/docs explain retries", limit);
    const refused = await say(scene, "/docs retry", limit);
    scene.passTime(3_600_000);

    const again = await say(scene, "/docs retry", limit);

    expect(refused.outputs["skip-reason"]).toBe("limit-per-user");
    expect(again.outputs["outcome"], again.visibleText).toBe("failed");
    expect(scene.platform.created).toHaveLength(2);
  });

  test("is made again by `retry` although the same request succeeded before it", async () => {
    await using scene = await setWords();
    await say(scene, "/docs explain retries");
    const fault = {
      kind: "answer",
      when: "before",
      status: 429,
      headers: { "retry-after": "90000" },
    } as const;
    scene.platform.faults.add({ method: "POST", fault: { ...fault, body: "{}" } });
    const limited = await say(scene, "/docs explain retries");

    const again = await say(scene, "/docs retry");

    expect(limited.outputs["outcome"], limited.visibleText).toBe("rate-limited");
    expect(again.outputs["skip-reason"], again.visibleText).toBeUndefined();
    expect([scene.platform.created.length, scene.platform.messages.length]).toStrictEqual([1, 1]);
  });

  test("of a label quotes its issue again by `retry`, also with `context: none`", async () => {
    await using scene = await setWords({ polls: [{ status: "failed" }] });
    const { github, platform } = scene;
    const issue = github.state.issues.get(scene.issue);
    if (issue === undefined) throw new Error("There is no issue.");
    const inputs = { context: "none" };
    await runAgent(scene, github.events.issueLabeled(issue, { label: "docs", sender: "mona" }), { inputs });

    await say(scene, "/docs retry", inputs);

    const quoted = expect.stringContaining("How often?");
    expect(platform.created).toStrictEqual([quoted, quoted]);
  });

  test("is made again by `retry` as it was asked, whatever its status comment shows", async () => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries");
    const card = scene.github.commentsOn(scene.issue).find(({ body }) => body.includes("Try again"));
    if (card === undefined) throw new Error("There is no status comment.");
    scene.github.edit(card, { body: card.body.replace("explain retries", "delete it"), editor: "mona" });

    await say(scene, "/docs retry");

    expect(scene.platform.created).toMatchObject(Array(2).fill(expect.stringMatching(/^explain retries\n/)));
  });

  test.each([
    ["that ends with an ellipsis is made again", "explain retries …", 2],
    ["of 4,000 characters is made again", "x".repeat(4000), 2],
    ["of more is not made again, because its status comment has only the start", "x".repeat(4001), 1],
  ])("%s", async (_name, request, jobs) => {
    await using scene = await setWords(failsOnce());
    await say(scene, `/docs ${request}`);

    await say(scene, "/docs retry");

    expect(scene.platform.created).toHaveLength(jobs);
    expect(scene.platform.created.at(-1)).toMatch(new RegExp(`^${request}\n`));
  });

  test("is not made again if its response was lost and its pull request exists: the reply links it", async () => {
    await using scene = await setWords({ onCreate: () => undefined });
    scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });
    await say(scene, "/docs explain retries");
    openAgentPull(scene.github, scene.platform.created[0] ?? "");

    const { outputs } = await say(scene, "/docs retry");

    expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "retry" });
    expect(scene.platform.created).toHaveLength(1);
    expect(botComments(scene, scene.issue).at(-1)).toContain(prLink);
  });

  test("is made again by its checkbox", async () => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries");

    const again = await press(scene, tick);

    expect(again.outputs["outcome"], again.visibleText).toBe("failed");
    expect(scene.platform.created).toHaveLength(2);
    expect(botComments(scene, scene.issue).at(-1)).toContain("mona");
  });

  test.each([
    ["ticked by a user without permission", tick, "eve"],
    [
      "pressed together with another change",
      (body: string) => `${tick(body)}\n\n/docs delete everything`,
      "mona",
    ],
    [
      "whose request was changed with it",
      (body: string) => tick(body).replace("explain retries", "delete it"),
      "mona",
    ],
  ])("is not made again by a checkbox %s", async (_name, change, sender) => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries");

    const { outputs } = await press(scene, change, sender);

    expect(outputs["outcome"]).toBe("skipped");
    expect(scene.platform.created).toHaveLength(1);
  });

  test("is not made again where there is none", async () => {
    await using scene = await setWords();

    await say(scene, "/docs retry");

    expect(scene.platform.created).toHaveLength(0);
    expect(botComments(scene, scene.issue)).toMatchObject([
      expect.stringContaining("no request on this thread"),
    ]);
  });
});

/** A run of a comment that GitHub's failure cuts off after its claim: the status comment stays as it is. */
async function cutOff(scene: AgentScene, event: Partial<TriggeredRun>) {
  const isCut = { kind: "reset", when: "before" } as const;
  scene.github.faults.add({ method: "PATCH", times: Number.POSITIVE_INFINITY, fault: isCut });
  await runAgent(scene, event, { run: { runId: 77 } });
  scene.github.faults.clear();
  scene.passTime(600_000);
}

test.each([{ runAttempt: 2 }, { runId: 77 }])(
  "a second run of a `retry` continues its job: %j",
  async (run) => {
    await using scene = await setWords(failsOnce());
    await say(scene, "/docs explain retries");
    const event = scene.github.say(scene.issue, "/docs retry");
    await runAgent(scene, event, { inputs: { wait: "false" } });
    scene.passTime(7_200_000);

    const { outputs, visibleText } = await runAgent(scene, event, { run });

    expect(outputs, visibleText).toMatchObject({ outcome: "failed", "job-id": "job-2" });
    expect(scene.platform.created).toHaveLength(2);
    expect(botComments(scene, scene.issue)).toHaveLength(2);
  },
);

test("a re-run of a request that was cut off and then edited leaves no open status comment", async () => {
  await using scene = await setWords();
  const { github, platform, issue } = scene;
  const comment = github.addComment({ issue, author: "mona", body: "/docs explain retries" });
  const event = github.events.issueComment(comment);
  await cutOff(scene, event);
  github.edit(comment, { body: "/docs explain waits" });
  expect(botComments(scene, issue)).toMatchObject([expect.stringContaining("starting")]);

  const { outputs } = await runAgent(scene, event, { run: { runId: 77, runAttempt: 2 } });

  expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "text-edited" });
  expect(botComments(scene, issue)).toMatchObject([expect.stringContaining("was edited after the event")]);
  expect(platform.created).toHaveLength(0);
});

test("a re-run that is refused stays that if GitHub does not accept the change of the open status comment", async () => {
  await using scene = await setWords();
  const { github, issue } = scene;
  const comment = github.addComment({ issue, author: "mona", body: "/docs explain retries" });
  const event = github.events.issueComment(comment);
  await cutOff(scene, event);
  github.edit(comment, { body: "/docs explain waits" });
  const fault = { kind: "answer", when: "before", status: 404, body: "{}" } as const;
  github.faults.add({ method: "PATCH", fault });

  const { outputs, visibleText } = await runAgent(scene, event, { run: { runId: 77, runAttempt: 2 } });

  expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "text-edited" });
  expect(visibleText).toContain("warning: ");
});

test("a re-run of a `retry` that was cut off leaves no open status comment where the request succeeded meanwhile", async () => {
  await using scene = await setWords({ endsByHand: true });
  const { github, platform, issue } = scene;
  const first = say(scene, "/docs explain retries");
  await expect.poll(() => platform.created.length).toBe(1);
  platform.finish("job-1", { status: "failed" });
  await first;
  const retry = github.say(issue, "/docs retry");
  await cutOff(scene, retry);
  const again = say(scene, "/docs explain retries");
  await expect.poll(() => platform.created.length).toBe(2);
  platform.finish("job-2", { status: "completed" });
  await again;
  // Whether the requester is notified of the failed job depends on its apparent duration.
  const cards = () => botComments(scene, issue).filter((body) => !body.startsWith("@mona"));
  expect(cards()[1]).toContain("starting");

  const { outputs } = await runAgent(scene, retry, { run: { runId: 77, runAttempt: 2 } });

  expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "retry" });
  expect(cards()[1]).toContain("not started");
  expect(platform.created).toHaveLength(2);
});

test("a `retry` that finds nothing to repeat leaves a waiting request as it is", async () => {
  await using scene = await setWords({ endsByHand: true });
  const first = say(scene, "/docs explain retries");
  await expect.poll(() => botComments(scene, scene.issue).join()).toContain("job-1");
  const second = say(scene, "/docs and in French");
  await expect.poll(() => botComments(scene, scene.issue).join()).toContain("queued");

  const { outputs } = await say(scene, "/docs retry");

  expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "retry" });
  expect(botComments(scene, scene.issue)[1]).toContain("queued");
  await say(scene, "/docs stop");
  await Promise.all([first, second]);
});

test("an edit after a job has started starts no second one", async () => {
  await using scene = await setWords();
  const comment = scene.github.addComment({
    issue: scene.issue,
    author: "mona",
    body: "/docs explain retries",
  });
  await runAgent(scene, scene.github.events.issueComment(comment));
  scene.github.edit(comment, { body: "/docs explain everything" });

  const { outputs } = await runAgent(scene, scene.github.events.issueComment(comment, { action: "edited" }), {
    run: { runId: 999 },
  });

  expect(outputs).toMatchObject({ outcome: "skipped", "skip-reason": "edited" });
  expect(scene.platform.created).toHaveLength(1);
});

test("a re-run replies to a keyword, unless an earlier attempt did", async () => {
  await using scene = await setWords();
  const event = scene.github.say(scene.issue, "/docs help");

  for (const runAttempt of [2, 3]) await runAgent(scene, event, { run: { runAttempt } });

  expect(botComments(scene, scene.issue)).toStrictEqual([expect.stringContaining("Docs agent: help")]);
});
