/** The agent command in this process: how a job that an earlier run recorded ends, whatever became of it. */
import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import { InterruptedError } from "../../src/base/errors.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { runAgent } from "../../src/commands/agent.ts";
import { createCommentClaimStore, triggerKey } from "../../src/github/claims.ts";
import { readIdentity } from "../../src/github/gate.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import {
  type AgentScene,
  apiKey,
  botComments,
  openAgentPull,
  openingPull,
  permissions,
  pullUrl,
  setAgentScene,
} from "../support/agent-scene.ts";
import { connectRun } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { runInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN, type WorkflowRun } from "../support/runner-environment.ts";

const hour = 3_600_000;

interface Use {
  readonly inputs?: Readonly<Record<string, string>>;
  readonly run?: Partial<WorkflowRun>;
  readonly signal?: AbortSignal;
}

/** A comment that calls the agent, and runs of it whose waits pass at once. */
function ask(scene: AgentScene) {
  const { github, platform } = scene;
  const issue = github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs explain retries" });
  const triggered = github.events.issueComment(comment);
  const attempt = async ({ inputs = {}, signal, ...use }: Use = {}) => {
    const run = {
      ...DEFAULT_RUN,
      ...github.run,
      token: github.runToken(permissions),
      ...triggered,
      ...use.run,
    };
    const given = { "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1", ...inputs };
    const clock = createFakeClock(Date.now());
    const changes = { clock, deadlineMs: clock.now() + hour, ...(signal && { signal }) };
    return runInProcess("agent", runAgent, run, given, changes);
  };
  return { attempt, issue, comment, status: () => botComments(scene, issue.number) };
}

/** A scene whose job was started by an earlier run, which did not wait for it. */
async function setRecordedScene(options: Parameters<typeof setAgentScene>[0] = {}) {
  const scene = await setAgentScene(options);
  const asked = ask(scene);
  await asked.attempt({ inputs: { wait: "false" } });
  scene.passTime(2 * hour);
  const again = (use: Use = {}) => asked.attempt({ ...use, run: { runAttempt: 2, ...use.run } });
  return { ...asked, again, scene, [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose]() };
}

const prLink = pullUrl(2);

/** The job has ended with the pull request that the agent opened. */
function setEndedJobScene() {
  return setRecordedScene(openingPull(2));
}

const gone = { path: "/job/", times: Number.POSITIVE_INFINITY };
const json = { "content-type": "application/json" };
const notFound = { kind: "answer", status: 404, headers: json, body: `{"error":"Job not found"}` } as const;
const page = { kind: "answer", status: 404, headers: { "content-type": "text/html" }, body: "<p>?" } as const;

test("a record that another key signed stays as it is, and its request is not sent again", async () => {
  await using scene = await setRecordedScene();
  const recorded = JSON.stringify(scene.status());

  const { end } = await scene.again({ inputs: { "api-key": "svc_another-key" } });

  expect(end).toMatchObject({ outcome: "unknown" });
  expect(JSON.stringify(scene.status())).toBe(recorded);
});

test("a job is resumed although GitHub at first does not find the thread that holds its record", async () => {
  await using scene = await setRecordedScene();
  const fault = { kind: "answer", status: 404, headers: json, body: `{"message":"Not Found"}` } as const;
  scene.scene.github.faults.add({ path: `/issues/${scene.issue.number}/comments`, times: 2, fault });

  const { end } = await scene.again();

  expect(end).toMatchObject({ outcome: "no-pull-request" });
  expect(scene.scene.platform.created).toHaveLength(1);
  expect(scene.status()).toHaveLength(1);
});

test("a commit that GitHub does not find fails a re-run, and hides no record in its statuses", async () => {
  await using scene = await setAgentScene({ polls: [{ status: "active" }] });
  const { attempt } = ask(scene);
  const { statuses } = scene.github.state;
  const inputs = { wait: "false", "status-comment": "false" };
  await attempt({ inputs });
  const written = statuses.length;
  const fault = { kind: "answer", status: 404, headers: json, body: `{"message":"Not Found"}` } as const;
  scene.github.faults.add({ path: /\/commits\/\w+\/statuses/, fault });

  const { end } = await attempt({ inputs, run: { runAttempt: 2 } });

  expect(end).toMatchObject({ code: "not-found" });
  expect(statuses).toHaveLength(written);
});

describe("a job that the platform has forgotten", () => {
  test.each([
    ["", {}, 0],
    [" while it is followed", { polls: [{ status: "active" }] }, 1],
  ])("has failed%s", async (_name, options, skip) => {
    await using scene = await setRecordedScene(options);
    scene.scene.platform.faults.add({ ...gone, skip, fault: notFound });

    const { end, outputs } = await scene.again();

    expect(end).toMatchObject({ outcome: "failed", error: { code: "job-failed" } });
    expect(outputs).toMatchObject({ jobId: "job-1" });
    expect(scene.status()).toStrictEqual([expect.stringContaining("The platform no longer knows agent job")]);
  });

  test.each([
    ["adopted", false],
    ["kept where that fails", true],
  ])("has made the pull request that carries its reference, which is %s", async (_name, isRefused) => {
    await using scene = await setRecordedScene({
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const { github, platform } = scene.scene;
    platform.faults.add({ ...gone, fault: notFound });
    const closed = { kind: "answer", status: 403, headers: json, body: `{"message":"Locked"}` } as const;
    if (isRefused) github.faults.add({ method: "POST", path: "/issues/2/comments", fault: closed });

    const { end, log, outputs } = await scene.again();

    expect(end).toMatchObject({ outcome: "pull-request" });
    const number = Number(outputs["pullRequestNumber"]);
    expect(log.lines.some((line) => line.startsWith(`warning: Pull request #${number}`))).toBe(isRefused);
    expect(github.commentsOn(number)).toHaveLength(isRefused ? 0 : 1);
  });

  test("is not given up where only a wrong address or a proxy knows nothing of it", async () => {
    await using scene = await setRecordedScene();
    scene.scene.platform.faults.add({ ...gone, fault: page });

    expect((await scene.again()).end).toMatchObject({ code: "not-found" });
    expect(scene.status()).toStrictEqual([expect.stringMatching(/still running.*base-url/s)]);
  });
});

describe("an end that an earlier run recorded", () => {
  test.each([
    ["completed", { outcome: "no-pull-request" }],
    ["archived", { outcome: "archived", error: { code: "job-failed" } }],
    ["failed", { outcome: "failed", error: { code: "job-failed" } }],
  ])("is shown once more: %s", async (jobStatus, expected) => {
    await using scene = await setAgentScene({ polls: [{ status: jobStatus }] });
    const { attempt } = ask(scene);

    expect((await attempt()).end).toMatchObject(expected);
    const again = await attempt({ run: { runAttempt: 2 } });

    expect(again.end).toMatchObject(expected);
    expect(again.outputs).toMatchObject({ jobId: "job-1" });
    expect(scene.platform.created).toHaveLength(1);
  });

  test("is shown once more: a pull request", async () => {
    await using scene = await setAgentScene({
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const { attempt } = ask(scene);
    scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });

    const first = await attempt();
    const again = await attempt({ run: { runAttempt: 2 } });

    expect([first.end, again.end]).toMatchObject(Array(2).fill({ outcome: "pull-request" }));
    expect(again.outputs["pullRequestNumber"]).toBe(first.outputs["pullRequestNumber"]);
    expect(again.outputs["pullRequestUrl"]).toMatch(/\/pull\/\d+$/);
    expect(scene.platform.created).toHaveLength(1);
  });
});

test.each([
  ["archived", "pull-request"],
  ["failed", "failed"],
])(
  "a pull request of a job that did not complete is adopted, and shown by this run and the next: %s",
  async (jobStatus, outcome) => {
    await using scene = await setAgentScene({
      polls: [{ status: jobStatus, prLink }],
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const { attempt, status } = ask(scene);

    const first = await attempt();
    const again = await attempt({ run: { runAttempt: 2 } });

    for (const { end, outputs } of [first, again]) {
      expect(end).toMatchObject({ outcome });
      expect(outputs).toMatchObject({ pullRequestUrl: prLink, pullRequestNumber: "2" });
    }
    expect(first.outputs).toMatchObject({ status: jobStatus });
    expect(status()).toStrictEqual([
      expect.stringMatching(new RegExp(`\\]\\(${prLink}\\).*${jobStatus}`, "s")),
    ]);
    expect(scene.github.commentsOn(2)).toMatchObject([{ body: expect.stringContaining("job-1") }]);
  },
);

describe("a job that a run stops waiting for", () => {
  test("because of the time is said to go on", async () => {
    await using scene = await setRecordedScene({ polls: [{ status: "active" }] });

    const { end } = await scene.again();

    expect(end).toBeInstanceOf(InterruptedError);
    expect(scene.status()).toStrictEqual([expect.stringMatching(/still running.*`timeout-minutes`/s)]);
  });

  test("because of the platform says why", async () => {
    await using scene = await setRecordedScene();
    const refused = { kind: "answer", status: 401, headers: json, body: `{"error":"key expired"}` } as const;
    scene.scene.platform.faults.add({ ...gone, fault: refused });

    const { end } = await scene.again();

    expect(end).toBeInstanceOf(PlatformError);
    expect(scene.status()).toStrictEqual([expect.stringMatching(/still running.*key expired/s)]);
  });
});

describe("a job that has ended while GitHub's rate limit is used up", () => {
  /** A job with a pull request. After the run has read the job's end, GitHub refuses so many requests. */
  async function setLimit(times: number) {
    const scene = await setEndedJobScene();
    const { github, platform } = scene.scene;
    const body = '{"message":"API rate limit exceeded"}';
    const fault = { kind: "answer", status: 403, headers: json, body } as const;
    platform.faults.add({
      path: "/job/",
      fault: { kind: "hold", until: Promise.resolve() },
      onMeet: () => github.faults.add({ path: "/graphql", times, fault }),
    });
    return scene;
  }

  test("is reported when GitHub answers again", async () => {
    await using scene = await setLimit(20);

    const { end } = await scene.again();

    expect(end).toMatchObject({ outcome: "pull-request" });
    expect(scene.scene.github.faults.take({ method: "POST", path: "/graphql" })).toBeUndefined();
  });

  test("is not said to be running", async () => {
    await using scene = await setLimit(Number.POSITIVE_INFINITY);

    const { end } = await scene.again();

    expect(end).toMatchObject({ code: "rate-limited" });
    expect(scene.status()).toStrictEqual([expect.stringMatching(/job ended.*its result is not recorded/s)]);
  });
});

test("a run that is cancelled after its job has ended does not say that the job continues", async () => {
  await using scene = await setEndedJobScene();
  const { github, platform } = scene.scene;
  const controller = new AbortController();
  const cancel = () => controller.abort(new InterruptedError("cancelled", "The workflow was cancelled."));
  const hold = { kind: "hold", until: Promise.resolve() } as const;
  platform.faults.add({
    path: "/job/",
    fault: hold,
    onMeet: () => github.faults.add({ path: "/graphql", fault: hold, onMeet: cancel }),
  });

  const { end, facts } = await scene.again({ signal: controller.signal });

  // If the run is killed instead, the post step knows that, too.
  expect(facts).toContainEqual(
    expect.stringMatching(/^state:claim=.*"leaseSeconds":\d+,(?!.*"outcome").*"endedAt"/),
  );
  expect(end).toMatchObject({
    message: "Stopped waiting: agent job job-1 has ended; its result is not recorded.",
    hint: "Re-run the workflow to get its result. No new job is started.",
  });
  expect(scene.status()).toStrictEqual([expect.stringContaining("job ended")]);
});

test("a pull request that GitHub shows a moment after the job's end is linked", async () => {
  await using scene = await setEndedJobScene();
  const { github, platform } = scene.scene;
  const errors = [{ type: "NOT_FOUND", path: ["repository", "pullRequest"], message: "Could not resolve." }];
  const body = JSON.stringify({ data: { repository: { pullRequest: null } }, errors });
  platform.faults.add({
    path: "/job/",
    fault: { kind: "hold", until: Promise.resolve() },
    onMeet: () =>
      github.faults.add({ path: "/graphql", fault: { kind: "answer", status: 200, headers: json, body } }),
  });

  const { end } = await scene.again();

  expect(end).toMatchObject({ outcome: "pull-request" });
  expect(scene.status()).toStrictEqual([expect.stringContaining("pull request ready")]);
});

describe("a request that waits for the platform's limit", () => {
  type Asked = ReturnType<typeof ask>;
  const withdrawn = (skipReason: string) => ({ outcome: "skipped", skipReason });

  test.each<[string, object, (scene: AgentScene, asked: Asked) => unknown]>([
    [
      "is withdrawn when its author may not ask any more",
      withdrawn("permission"),
      ({ github }) => github.addPerson("mona", "read"),
    ],
    [
      "is withdrawn when its text is edited",
      withdrawn("text-edited"),
      ({ github }, { comment }) => github.edit(comment, { body: "/docs delete everything" }),
    ],
    ["is sent when its author still may", { outcome: "no-pull-request" }, () => undefined],
  ])("%s", async (_name, expected, act) => {
    await using scene = await setAgentScene();
    const asked = ask(scene);
    const limit = { kind: "answer", status: 429, headers: { ...json, "retry-after": "60" } } as const;
    scene.platform.faults.add({ method: "POST", fault: limit, onMeet: () => void act(scene, asked) });

    const { end } = await asked.attempt();

    expect(end).toMatchObject(expected);
    const isSent = !("skipReason" in expected);
    expect(scene.platform.created).toHaveLength(isSent ? 1 : 0);
    if (!isSent) expect(asked.status()).toStrictEqual([expect.stringMatching(/Not permitted: |was edited/)]);
  });
});

test("`on-ambiguous: resubmit` sends a request whose response was lost once more, and no oftener", async () => {
  await using scene = await setAgentScene();
  const fault = { kind: "reset", when: "after" } as const;
  scene.platform.faults.add({ method: "POST", times: Number.POSITIVE_INFINITY, fault });

  const { end } = await ask(scene).attempt({ inputs: { "on-ambiguous": "resubmit" } });

  expect(end).toMatchObject({ outcome: "unknown" });
  expect(scene.platform.created).toHaveLength(2);
});

test("a reported pull request of the job's own repository is accepted although the token cannot see it", async () => {
  const prLink = "https://github.localhost/octo-org/site/pull/3";
  const end = { status: "completed", prLink, source: { repository: "octo-org/site" } };
  await using scene = await setRecordedScene({ polls: [end] });

  const { outputs } = await scene.again();

  expect(outputs).toMatchObject({ pullRequestUrl: prLink, pullRequestNumber: "3" });
});

test("a lost submission whose pull request is found gets the labels that the workflow asks for", async () => {
  await using scene = await setAgentScene({
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
  });
  const { attempt } = ask(scene);
  scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });

  const { end, outputs } = await attempt({ inputs: { "pull-request-labels": "docs" } });

  expect(end).toMatchObject({ outcome: "pull-request" });
  const number = Number(outputs["pullRequestNumber"]);
  expect(scene.github.state.issues.get(number)?.labels).toContain("docs");
  expect(scene.platform.created).toHaveLength(1);
});

test("a lost submission is unknown, and not an error of GitHub, while GitHub does not respond either", async () => {
  await using scene = await setAgentScene();
  const { attempt } = ask(scene);
  const fault = { kind: "reset", when: "before" } as const;
  const onMeet = () => scene.github.faults.add({ times: Number.POSITIVE_INFINITY, fault });
  scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" }, onMeet });

  const { end, log } = await attempt();

  expect(end).toMatchObject({ outcome: "unknown", error: { maybeSubmitted: true } });
  expect(log.lines.join()).toMatch(/warning: No response from GitHub; could not read pull requests/);
});

test("a request whose thread cannot be read gets 😕", async () => {
  await using scene = await setAgentScene();
  const { attempt, comment } = ask(scene);
  const outage = { kind: "answer", status: 502 } as const;
  scene.github.faults.add({ method: "GET", path: "/comments", times: 4, fault: outage });

  expect((await attempt()).end).toMatchObject({ code: "unavailable" });
  expect(comment.reactions.map(({ content }) => content)).toStrictEqual(["eyes", "confused"]);
});

test("a request that another run works on is left to it, with a link to that run, and resumed by a re-run of it", async () => {
  await using scene = await setAgentScene();
  const { attempt, status } = ask(scene);
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  scene.platform.faults.add({
    method: "POST",
    fault: { kind: "hold", when: "before", until: released.promise },
    onMeet: arrived.resolve,
  });
  const first = attempt();
  await arrived.promise;

  const second = await attempt({ run: { runId: 8_002 } });
  released.resolve();

  expect(second.end).toMatchObject({
    outcome: "skipped",
    skipReason: "other-run",
    message: expect.stringContaining("/actions/runs/7001"),
    summary: expect.stringMatching(
      /^### Docs agent: skipped[\s\S]*\[Details\]\(https:.*\/actions\/runs\/7001/,
    ),
  });
  expect((await first).end).toMatchObject({ outcome: "no-pull-request" });
  expect([scene.platform.created.length, status().length]).toStrictEqual([1, 1]);
});

test("a record that another run wrote while the thread was read is seen", async () => {
  await using scene = await setAgentScene();
  const { attempt } = ask(scene);
  const isRead = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  scene.github.faults.add({
    method: "GET",
    path: /\/issues\/\d+\/comments/,
    fault: { kind: "hold", when: "after", until: released.promise },
    onMeet: isRead.resolve,
  });
  const first = attempt();
  await isRead.promise;

  const second = await attempt({ run: { runId: 8_002 } });
  scene.passTime(5_000);
  released.resolve();

  expect(second.end).toMatchObject({ outcome: "no-pull-request" });
  expect((await first).end).toMatchObject({ outcome: "skipped", skipReason: "other-run" });
  expect(scene.platform.created).toHaveLength(1);
});

describe("a job of the embedded platform", () => {
  /** The record of such a job, as the run that started it wrote it. */
  async function seed({ github }: AgentScene, number: number, record: Partial<ClaimRecord>) {
    const api = connectRun(github, permissions);
    const signer = createRecordSigner("embedded platform of repository 101");
    const thread = { kind: "issue", number, nodeId: "" } as const;
    const deps = { api, signer, identity: await readIdentity(api), render: () => "### Docs agent: working" };
    await createCommentClaimStore({ thread }, deps).create({
      command: "agent",
      target: "local",
      trigger: "",
      state: "working",
      jobId: "aj_1",
      claimedAt: new Date().toISOString(),
      leaseSeconds: 60,
      owner: "1.1.x",
      ...record,
    });
  }

  test.each<[string, boolean, number, object]>([
    ["ended with its run", false, 2 * hour, { outcome: "failed" }],
    ["is known by its pull request", true, 2 * hour, { outcome: "pull-request" }],
    ["is left to the run that works on it", false, 0, { outcome: "skipped", skipReason: "other-run" }],
  ])("%s", async (_name, hasPull, ageMs, expected) => {
    await using scene = await setAgentScene();
    const { attempt, issue, comment } = ask(scene);
    const trigger = triggerKey({
      repositoryId: "101",
      eventKind: "issue-comment",
      subject: `IC_${comment.id}`,
      body: "",
      command: "agent",
      target: "local",
    });
    await seed(scene, issue.number, { trigger });
    const reference = createRecordSigner("embedded platform of repository 101").reference(trigger);
    if (hasPull) openAgentPull(scene.github, `Reference: ${reference}`);
    scene.passTime(ageMs);

    const inputs = { "base-url": "local", "api-key": "", "project-id": "", "agent-command": "true" };
    expect((await attempt({ inputs, run: { runId: 8_002 } })).end).toMatchObject(expected);
  });
});
