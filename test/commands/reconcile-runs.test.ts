/** `command: reconcile` after runs that left something behind: it finishes that, and submits nothing. Each record: `reconcile.test.ts`. */
import { describe, expect, test } from "vitest";
import { finishAgent, runAgent as runAgentCommand } from "../../src/commands/agent.ts";
import { runAssistant } from "../../src/commands/assistant.ts";
import {
  type AgentScene,
  apiKey,
  botComments,
  openAgentPull,
  openingPull,
  permissions,
  pullUrl,
  runAgent,
  runReconcile,
  setAgentScene,
} from "../support/agent-scene.ts";
import { startAssistantPlatform } from "../support/assistant-platform.ts";
import { createPatientClock } from "../support/fake-clock.ts";
import { runWithFault } from "../support/fault-replay.ts";
import { runStepInProcess } from "../support/run-in-process.ts";
import { DEFAULT_RUN } from "../support/runner-environment.ts";

function ask({ github }: AgentScene) {
  const issue = github.addIssue({ author: "alice", title: "Retries" });
  return { issue, triggered: github.say(issue.number, "/docs explain retries") };
}

/** Asks, and kills the run when it polls its job. */
async function leaveJob(scene: AgentScene) {
  const { github, platform } = scene;
  const { issue, triggered } = ask(scene);
  const inputs = { "base-url": platform.url, "api-key": apiKey, "project-id": "prj_1" };
  const poll = { server: "platform", request: 1, failure: { kind: "kill", when: "after" } } as const;
  await runWithFault(
    { name: "agent", run: runAgentCommand, finish: finishAgent },
    { ...scene, triggered, inputs, permissions, servers: { github, platform } },
    { ...poll, next: "run", name: "" },
  );
  expect(botComments(scene, issue.number)[0]).toContain("Docs agent: working");
  return issue;
}

/** Pushes a commit whose run does not wait for its job; returns its SHA. */
async function pushDetached(scene: AgentScene, changes?: ReturnType<typeof createPatientClock>) {
  const { github } = scene;
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const after = github.addCommit({ message: "Change", files: ["a.ts"] });
  await runAgent(scene, github.events.push({ before, after, sender: "mona" }), {
    run: { sha: after },
    inputs: { wait: "false" },
    ...(changes && { changes }),
  });
  return after;
}

describe("reconcile", () => {
  test("finishes the comment of a job whose runner died", async () => {
    await using scene = await setAgentScene({
      polls: [{ status: "active" }, { status: "completed", prLink: pullUrl(2) }],
      onCreate: (github, prompt) => void openAgentPull(github, prompt),
    });
    const issue = await leaveJob(scene);
    scene.passTime(3_600_000);

    const result = await runReconcile(scene);

    expect(result.outputs, result.log).toMatchObject({ outcome: "reconciled" });
    expect(result.log).toContain("1 open request checked, 1 finished.");
    expect(botComments(scene, issue.number)).toHaveLength(1);
    expect(botComments(scene, issue.number)[0]).toContain(" #2](");
    expect(scene.platform.created).toHaveLength(1);
  });

  test("finishes a record although the conversations of later ones are locked", async () => {
    await using scene = await setAgentScene();
    const asked = Array.from({ length: 7 }, () => ask(scene));
    for (const { triggered } of asked) await runAgent(scene, triggered, { inputs: { wait: "false" } });
    const body = JSON.stringify({ message: "Unable to update comment because issue is locked." });
    const fault = { kind: "answer", status: 403, body } as const;
    scene.github.faults.add({ method: "PATCH", path: "/issues/comments/", times: 6, fault });

    const all = await runReconcile(scene);
    scene.github.faults.add({ method: "PATCH", path: "/issues/comments/", times: 6, fault });
    const locked = await runReconcile(scene);

    expect(all.visibleText).toContain("7 open requests checked, 1 finished.");
    expect(locked.outputs, locked.visibleText).toMatchObject({ outcome: "reconciled" });
    expect(locked.visibleText).toContain("the conversation is locked");
  });

  test("says below a question, on an issue and in a discussion, that the run that answered it ended early", async () => {
    await using scene = await setAgentScene();
    await using assistant = await startAssistantPlatform([{ chunks: [], end: "hang" }]);
    const { github } = scene;
    const { number } = github.addIssue({ author: "alice" });
    const { number: discussion } = github.addDiscussion({ author: "alice" });
    const body = "/ask how often?";
    const inputs = { "base-url": assistant.url, "api-key": "svc_dsc_key", domain: "docs.example.com" };
    for (const triggered of [
      github.say(number, body),
      github.events.discussionComment(github.addDiscussionComment({ discussion, author: "mona", body })),
    ]) {
      const asked = assistant.asked.length;
      const killed = new AbortController();
      const run = { ...DEFAULT_RUN, ...github.run, token: github.runToken(permissions), ...triggered };
      const changes = { signal: killed.signal };
      const ended = runStepInProcess("assistant", runAssistant, run, inputs, changes);
      await expect.poll(() => assistant.asked.length).toBeGreaterThan(asked);
      github.faults.add({ times: Number.POSITIVE_INFINITY, fault: { kind: "reset", when: "before" } });
      killed.abort(new Error("The runner is gone."));
      await ended;
      github.faults.clear();
    }
    const answers = () => [
      ...botComments(scene, number),
      ...[...github.state.discussionComments.values()].slice(1).map((comment) => comment.body),
    ];
    const searching = expect.stringContaining("Searching the documentation");
    expect(answers()).toStrictEqual([searching, searching]);
    scene.passTime(20 * 60_000);
    const early = await runReconcile(scene);
    expect(answers(), early.log).toStrictEqual([searching, searching]);
    scene.passTime(20 * 60_000);

    const result = await runReconcile(scene);

    const interrupted = expect.stringContaining("The run that was answering ended early.");
    expect(answers(), result.log).toStrictEqual([interrupted, interrupted]);
    expect((await runReconcile(scene)).log).toContain("0 open requests checked");
  });

  test("changes nothing in a dry run, and says what it would finish", async () => {
    await using scene = await setAgentScene({
      polls: [{ status: "active" }, { status: "completed", prLink: null }],
    });
    const issue = await leaveJob(scene);
    scene.passTime(3_600_000);
    const before = botComments(scene, issue.number);

    const result = await runReconcile(scene, { inputs: { "dry-run": "true" } });

    expect(result.log).toContain("1 open request checked, 1 would be finished (dry run).");
    expect(botComments(scene, issue.number)).toEqual(before);
  });

  test("finds the pull request of a lost submission", async () => {
    await using scene = await setAgentScene();
    const { issue, triggered } = ask(scene);
    scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });
    await runAgent(scene, triggered);
    openAgentPull(scene.github, scene.platform.created[0] ?? "");

    await runReconcile(scene);

    expect(botComments(scene, issue.number)[0]).toContain(" #2](");
  });

  test("finishes the statuses of a push and the comments of a discussion, and ignores forgeries", async () => {
    await using scene = await setAgentScene();
    const { github } = scene;
    await pushDetached(scene);
    const discussion = github.addDiscussion({ author: "mona", body: "/docs explain" });
    await runAgent(scene, github.events.discussionOpened(discussion), { inputs: { wait: "false" } });
    const [genuine] = [...github.state.discussionComments.values()];
    const issue = github.addIssue({ author: "eve" });
    github.addComment({ issue: issue.number, author: "eve", body: genuine?.body ?? "" });
    github.addComment({ issue: issue.number, author: "github-actions[bot]", body: genuine?.body ?? "" });

    const result = await runReconcile(scene);

    expect(result.log).toContain("2 open requests checked, 2 finished.");
    expect(github.state.statuses.at(-1)).toMatchObject({ state: "success" });
    expect([...github.state.discussionComments.values()][0]?.body).toContain(
      "Docs agent: completed, no pull request",
    );
    expect(scene.platform.created).toHaveLength(2);
  });

  test("accepts the pull request of a push also where the runner's clock was an hour ahead of GitHub's", async () => {
    await using scene = await setAgentScene(openingPull(1));
    const after = await pushDetached(scene, createPatientClock(Date.now() + 3_600_000));

    const result = await runReconcile(scene);

    expect(result.log).toContain("1 open request checked, 1 finished.");
    expect(scene.github.state.statuses.at(-1)).toMatchObject({ sha: after, state: "success" });
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

    const result = await runReconcile(scene);

    expect(result.log).toContain("1 open request checked, 1 finished.");
    expect(scene.github.state.statuses.at(-1)).toMatchObject({ sha: after, state: "success" });
  });

  test("goes on without a permission that others need, and names its line in log and summary", async () => {
    await using scene = await setAgentScene();
    const { issue, triggered } = ask(scene);
    await runAgent(scene, triggered, { inputs: { wait: "false" } });

    const result = await runReconcile(scene, {
      permissions: { contents: "read", issues: "write", "pull-requests": "write" },
    });

    expect(result.outputs, result.log).toMatchObject({ outcome: "reconciled" });
    expect(botComments(scene, issue.number)[0]).toContain("Docs agent: completed, no pull request");
    for (const line of ["`discussions: write`", "`statuses: write`"]) expect(result.log).toContain(line);
    expect(result.summary).toContain("Discussions were not searched");
  });

  test("fails where it may see nothing, and names the line to begin with", async () => {
    await using scene = await setAgentScene();

    const result = await runReconcile(scene, { permissions: { contents: "read" } });

    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "missing-permission" });
    expect(result.log).toContain("`issues: write`");
  });

  test("introduces a pull request without a phrase that it cannot know", async () => {
    await using scene = await setAgentScene(openingPull(2));
    const { issue } = ask(scene);
    await runAgent(scene, scene.github.say(issue.number, "/write more"), {
      inputs: { wait: "false", "trigger-phrase": "/write" },
    });

    await runReconcile(scene);

    const [introduction = ""] = botComments(scene, 2);
    expect(introduction).toContain("Agent job `job-1` created this pull request.");
    expect(introduction.split("<!--")[0]).not.toContain("/");
  });
});
