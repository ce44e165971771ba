/** `command: reconcile`: finishes what dead runners left behind, as a process, and submits nothing. */
import { describe, expect, test } from "vitest";
import {
  type AgentScene,
  botComments,
  createAgentJob,
  openAgentPull,
  runAgent,
  runAgentProcess,
  setAgentScene,
} from "../support/agent-scene.ts";

function reconcile(scene: AgentScene, permissions = {}, inputs = {}) {
  return runAgentProcess(
    scene,
    { eventName: "schedule", event: {} },
    {
      inputs: { command: "reconcile", ...inputs },
      run: { runId: 99 },
      permissions: {
        contents: "read",
        issues: "write",
        "pull-requests": "write",
        statuses: "write",
        discussions: "write",
        ...permissions,
      },
    },
  );
}

function ask({ github }: AgentScene) {
  const issue = github.addIssue({ author: "alice", title: "Retries" });
  const comment = github.addComment({ issue: issue.number, author: "mona", body: "/docs explain retries" });
  return { issue, triggered: github.events.issueComment(comment) };
}

/** Runs the agent and kills it at the first log line that matches. */
async function runUntil(scene: AgentScene, triggered: Parameters<typeof createAgentJob>[1], pattern: RegExp) {
  await using job = await createAgentJob(scene, triggered);
  const step = await job.startMain();
  await step.waitForLog(pattern);
  step.signal("SIGKILL");
  await step.result;
}

describe("reconcile", () => {
  test("finishes the comment of a job whose runner died", async () => {
    await using scene = await setAgentScene({
      polls: [
        { status: "active" },
        { status: "completed", prLink: "https://github.localhost/octo-org/widgets/pull/2" },
      ],
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const { issue, triggered } = ask(scene);
    await runUntil(scene, triggered, /job-1: active/);
    expect(botComments(scene, issue.number)[0]).toContain("Docs agent: working");
    scene.passTime(3_600_000);

    const result = await reconcile(scene);

    expect(result.outputs, result.log).toMatchObject({ outcome: "reconciled" });
    expect(result.log).toContain("1 open request checked, 1 finished.");
    expect(botComments(scene, issue.number)).toHaveLength(1);
    expect(botComments(scene, issue.number)[0]).toContain(" #2](");
    expect(scene.platform.created).toHaveLength(1);
  });

  test("changes nothing in a dry run, and says what it would finish", async () => {
    await using scene = await setAgentScene({
      polls: [{ status: "active" }, { status: "completed", prLink: null }],
    });
    const { issue, triggered } = ask(scene);
    await runUntil(scene, triggered, /job-1: active/);
    scene.passTime(3_600_000);
    const before = botComments(scene, issue.number);

    const result = await reconcile(scene, {}, { "dry-run": "true" });

    expect(result.log).toContain("1 open request checked, 1 would be finished (dry run).");
    expect(botComments(scene, issue.number)).toEqual(before);
  });

  test("does not say of a waiting run that it is gone", async () => {
    await using scene = await setAgentScene({ polls: [{ status: "active" }] });
    const { issue, triggered } = ask(scene);
    await runUntil(scene, triggered, /job-1: active/);
    // Older than the time in which a record is left alone, younger than the run's deadline.
    scene.passTime(11 * 60_000);

    await reconcile(scene);

    expect(botComments(scene, issue.number)[0]).toContain("Docs agent: working");
  });

  test("leaves a job alone that a run still waits for", async () => {
    await using scene = await setAgentScene({
      polls: [{ status: "active" }, { status: "completed", prLink: null }],
    });
    const { issue, triggered } = ask(scene);
    await runUntil(scene, triggered, /job-1: active/);

    const result = await reconcile(scene);

    expect(result.log).toContain("1 open request checked, 0 finished.");
    expect(botComments(scene, issue.number)[0]).toContain("Docs agent: working");
  });

  test("finds the pull request of a lost submission", async () => {
    await using scene = await setAgentScene();
    const { issue, triggered } = ask(scene);
    scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });
    await runAgent(scene, triggered);
    openAgentPull(scene.github, scene.platform.created[0] ?? "");

    await reconcile(scene);

    expect(botComments(scene, issue.number)[0]).toContain(" #2](");
  });

  test("finishes the statuses of a push and the comments of a discussion, and ignores forgeries", async () => {
    await using scene = await setAgentScene();
    const { github } = scene;
    const before = github.state.refs.get("refs/heads/main") ?? "";
    const after = github.addCommit({ message: "Change", files: ["a.ts"] });
    await runAgent(scene, github.events.push({ before, after, sender: "mona" }), {
      run: { sha: after },
      inputs: { wait: "false" },
    });
    const discussion = github.addDiscussion({ author: "mona", body: "/docs explain" });
    await runAgent(scene, github.events.discussionOpened(discussion), { inputs: { wait: "false" } });
    const [genuine] = [...github.state.discussionComments.values()];
    const issue = github.addIssue({ author: "eve" });
    github.addComment({ issue: issue.number, author: "eve", body: genuine?.body ?? "" });
    github.addComment({ issue: issue.number, author: "github-actions[bot]", body: genuine?.body ?? "" });

    const result = await reconcile(scene);

    expect(result.log).toContain("2 open requests checked, 2 finished.");
    expect(github.state.statuses.at(-1)).toMatchObject({ state: "success" });
    expect([...github.state.discussionComments.values()][0]?.body).toContain(
      "Docs agent: completed, no pull request",
    );
    expect(scene.platform.created).toHaveLength(2);
  });

  test("finishes the status of a push to a branch that is not the default one", async () => {
    await using scene = await setAgentScene();
    const { github } = scene;
    const before = github.addCommit({ branch: "release/1.x" });
    const after = github.addCommit({ branch: "release/1.x", message: "Change", files: ["a.ts"] });
    const triggered = github.events.push({ before, after, branch: "release/1.x", sender: "mona" });
    await runAgent(scene, triggered, {
      run: { sha: after, ref: "refs/heads/release/1.x" },
      inputs: { wait: "false" },
    });
    github.addCommit({ branch: "release/1.x", message: "Later" });

    const result = await reconcile(scene);

    expect(result.log).toContain("1 open request checked, 1 finished.");
    expect(github.state.statuses.at(-1)).toMatchObject({ sha: after, state: "success" });
  });

  test("goes on without a permission that others need, and names its line in log and summary", async () => {
    await using scene = await setAgentScene();
    const { issue, triggered } = ask(scene);
    await runAgent(scene, triggered, { inputs: { wait: "false" } });

    const result = await reconcile(scene, { discussions: undefined, statuses: undefined });

    expect(result.outputs, result.log).toMatchObject({ outcome: "reconciled" });
    expect(botComments(scene, issue.number)[0]).toContain("Docs agent: completed, no pull request");
    for (const line of ["`discussions: write`", "`statuses: write`"]) expect(result.log).toContain(line);
    expect(result.summary).toContain("Discussions were not searched");
  });

  test("fails where it may see nothing, and names the line to begin with", async () => {
    await using scene = await setAgentScene();
    const nothing = { issues: undefined, "pull-requests": undefined, statuses: undefined };

    const result = await reconcile(scene, { ...nothing, discussions: undefined });

    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "missing-permission" });
    expect(result.log).toContain("`issues: write`");
    expect(result.exitCode).toBe(1);
  });

  test("introduces a pull request without a phrase that it cannot know", async () => {
    const link = "https://github.localhost/octo-org/widgets/pull/2";
    await using scene = await setAgentScene({
      polls: [{ status: "completed", prLink: link }],
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const { issue } = ask(scene);
    const comment = scene.github.addComment({ issue: issue.number, author: "mona", body: "/write more" });
    await runAgent(scene, scene.github.events.issueComment(comment), {
      inputs: { wait: "false", "trigger-phrase": "/write" },
    });

    await reconcile(scene);

    const [introduction = ""] = botComments(scene, 2);
    expect(introduction).toContain("Agent job `job-1` created this pull request.");
    expect(introduction.split("<!--")[0]).not.toContain("/");
  });

  test("does not let one record that cannot be checked keep it from the others", async () => {
    await using scene = await setAgentScene();
    for (let count = 0; count < 2; count += 1)
      await runAgent(scene, ask(scene).triggered, { inputs: { wait: "false" } });
    scene.platform.faults.add({ method: "GET", fault: { kind: "answer", status: 500, body: "{}" } });

    const result = await reconcile(scene);

    expect(result.log).toContain("2 open requests checked, 1 finished.");
    expect(result.exitCode).toBe(0);
  });

  test("that is cancelled while the platform hangs ends, and leaves every comment as it was", async () => {
    await using scene = await setAgentScene();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const { issue, triggered } = ask(scene);
    await runAgent(scene, triggered, { inputs: { wait: "false" } });
    const before = botComments(scene, issue.number);
    scene.platform.faults.add({
      method: "GET",
      fault: { kind: "hold", until: answered.promise },
      onMeet: asked.resolve,
    });
    await using job = await createAgentJob(
      scene,
      { eventName: "schedule", event: {} },
      { inputs: { command: "reconcile" }, run: { runId: 99 } },
    );

    const step = await job.startMain();
    await asked.promise;
    step.signal("SIGINT");
    const result = await step.result;
    answered.resolve();

    expect(result.outputs, result.log).toMatchObject({ "error-code": "cancelled" });
    expect(botComments(scene, issue.number)).toEqual(before);
  });

  test("twice at the same time finishes each request once, and introduces its pull request once", async () => {
    await using scene = await setAgentScene({
      polls: [{ status: "completed", prLink: "https://github.localhost/octo-org/widgets/pull/2" }],
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const { issue, triggered } = ask(scene);
    await runAgent(scene, triggered, { inputs: { wait: "false" } });

    const results = await Promise.all([reconcile(scene), reconcile(scene)]);

    expect(results.map(({ exitCode }) => exitCode)).toStrictEqual([0, 0]);
    expect(botComments(scene, issue.number)).toHaveLength(1);
    expect(botComments(scene, issue.number)[0]).toContain(" #2](");
    expect(botComments(scene, 2)).toHaveLength(1);
  });

  test("has nothing to do in a quiet repository", async () => {
    await using scene = await setAgentScene();

    const result = await reconcile(scene);

    expect(result.outputs).toMatchObject({ outcome: "reconciled" });
    expect(scene.platform.requests).toStrictEqual([]);
    expect(scene.github.changes()).toStrictEqual([]);
  });
});
