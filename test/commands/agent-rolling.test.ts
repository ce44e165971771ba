import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { findRollingBranch } from "../../src/commands/agent.ts";
import type { GitHubEvent } from "../../src/github/event.ts";
import {
  type AgentScene,
  type AgentUse,
  openAgentPull,
  pullUrl,
  runAgent,
  setAgentScene,
} from "../support/agent-scene.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";

const prLink = pullUrl(1);
const rolling = { inputs: { "pull-request-mode": "rolling" } };

/** An agent that opens pull request 1 for its first job, and pushes a commit for every message. */
function setRolling(options: Parameters<typeof setAgentScene>[0] = {}) {
  return setAgentScene({
    polls: [{ status: "active" }, { status: "completed", prLink }],
    onCreate: (github, prompt) => void openAgentPull(github, prompt),
    onMessage: (github) =>
      void github.addCommit({ branch: "docs/agent", message: "Follow the message", author: "agent[bot]" }),
    ...options,
  });
}

/** Pushes a commit to the default branch; returns what runs for it. */
function push({ github }: AgentScene, message: string, paths = ["src/retry.ts"]) {
  const files = paths.map((filename) => ({ filename, status: "modified" as const, patch: "@@ -1 +1 @@" }));
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const after = github.addCommit({ message, files, author: "mona" });
  return { ...github.events.push({ before, after, sender: "mona" }), sha: after, ref: "refs/heads/main" };
}

/** Starts a run whose request to a server is held until `respond` is called. */
async function startHeld(
  scene: AgentScene,
  server: "platform" | "github",
  rule: { readonly path: string; readonly skip?: number },
) {
  const { promise: answered, resolve: respond } = Promise.withResolvers<void>();
  const { promise: isSent, resolve: send } = Promise.withResolvers<void>();
  const fault = { kind: "hold", until: answered } as const;
  scene[server].faults.add({ method: "POST", ...rule, fault, onMeet: send });
  const first = runAgent(scene, push(scene, "Retry twice"), rolling);
  await isSent;
  return { first, respond };
}

/** Runs a change behind one that is held: each wait lets that go on, unless `onWait` does something else first. */
async function runBehind(
  scene: AgentScene,
  { first, respond }: Awaited<ReturnType<typeof startHeld>>,
  use: AgentUse & { triggered?: TriggeredRun; behindMs?: number; onWait?: () => boolean } = {},
) {
  // The clocks of runners differ.
  const clock = createFakeClock(Date.now() - (use.behindMs ?? 0));
  const sleep = async (ms: number, signal: AbortSignal) => {
    if (!use.onWait?.()) {
      respond();
      await first;
    }
    return clock.sleep(ms, signal);
  };
  const changes = { clock: { now: clock.now, sleep }, deadlineMs: clock.now() + 3_600_000 };
  const triggered = use.triggered ?? push(scene, "Retry thrice");

  const second = await runAgent(scene, triggered, { ...rolling, ...use, changes });

  respond();
  await first;
  expect(second.outputs["outcome"], second.visibleText).toBe("updated");
  expect(scene.platform.created).toHaveLength(1);
  return second;
}

describe("`pull-request-mode: rolling`", () => {
  test("gives the next change to the job of the open pull request, and lists both in it", async () => {
    await using scene = await setRolling();

    const first = await runAgent(scene, push(scene, "Retry twice"), rolling);
    const second = await runAgent(scene, push(scene, "Retry thrice"), rolling);

    expect(
      [first, second].map(({ outputs }) => outputs["outcome"]),
      second.visibleText,
    ).toStrictEqual(["pull-request", "updated"]);
    expect(scene.platform.created).toHaveLength(1);
    expect(scene.platform.created[0]?.match(/Changed files:/g)).toHaveLength(1);
    const writes = scene.github.requests.filter(({ method, path }) => /POST.*statuses/.test(method + path));
    // Each is claimed, next, submitting, working and ended.
    expect(writes).toHaveLength(10);
    const body = scene.github.state.issues.get(1)?.body ?? "";
    expect(body).toMatch(/Reference: docs-automation-/);
    expect(body).toMatch(/Source changes\n\n- .*Retry thrice\n- .*Retry twice\n/);
  });

  test("finds the job if GitHub shows fewer commits in one query", async () => {
    await using scene = await setRolling();
    await runAgent(scene, push(scene, "Retry twice"), rolling);
    for (let count = 0; count < 60; count += 1) push(scene, `Other work ${count}`);
    scene.github.state.nodesPerQuery = 40;

    const { outputs, visibleText } = await runAgent(scene, push(scene, "Retry thrice"), rolling);

    expect(outputs["outcome"], visibleText).toBe("updated");
    expect(scene.platform.created).toHaveLength(1);
  });

  test("starts a new pull request when the last one was merged, and lists no earlier change in it", async () => {
    const finish = () => {
      const count = scene.platform.created.length;
      const end = { status: "completed", prLink: prLink.replace(/1$/, String(count)) };
      scene.platform.finish(`job-${count}`, end);
    };
    await using scene = await setRolling({
      onCreate: (github, prompt) => {
        openAgentPull(github, prompt);
        finish();
      },
      onMessage: finish,
    });
    await runAgent(scene, push(scene, "Retry twice"), rolling);
    const pull = scene.github.state.issues.get(1);
    if (pull === undefined) throw new Error("There is no pull request.");
    pull.state = "closed";

    await runAgent(scene, push(scene, "Retry thrice"), rolling);
    const { log } = await runAgent(scene, push(scene, "Retry four times"), rolling);

    expect(scene.platform.created).toHaveLength(2);
    expect(scene.platform.messages).toMatchObject([{ jobId: "job-2" }]);
    expect(log).not.toContain("is not continued");
    expect(scene.github.state.issues.get(2)?.body).toMatch(
      /Source changes\n\n- .*Retry four times\n- .*Retry thrice\n(?!-)/,
    );
  });

  test("quotes the diffs of all changes with `context: changes`", async () => {
    await using scene = await setRolling();
    await runAgent(scene, push(scene, "Retry twice"), rolling);

    for (const context of ["auto", "changes"])
      await runAgent(scene, push(scene, "Retry thrice"), { inputs: { ...rolling.inputs, context } });

    const quotes = scene.platform.messages.map(({ prompt }) => prompt.match(/: diff of /g)?.length ?? 0);
    expect(quotes).toStrictEqual([0, 2]);
  });

  test.each([
    ["whose request is being sent", "platform", { path: "/job" }, 0],
    ["that was next before its claim could be seen", "github", { path: "/statuses/", skip: 2 }, 60_000],
  ] as const)("waits for a change %s", async (_name, server, rule, behindMs) => {
    await using scene = await setRolling();
    const held = await startHeld(scene, server, rule);

    const second = await runBehind(scene, held, { behindMs });

    expect(second.log).toContain("notice: Another change comes first: https://");
  });

  test("waits for a change that GitHub shows late", async () => {
    await using scene = await setRolling();
    const { state } = scene.github;
    const held = await startHeld(scene, "platform", { path: "/job" });
    state.shownStatuses = 0;
    const onWait = () => {
      const isShown = !Number.isFinite(state.shownStatuses);
      state.shownStatuses = Number.POSITIVE_INFINITY;
      return !isShown;
    };

    await runBehind(scene, held, { onWait });
  });

  test("waits for a change that a forced push removed from the branch, and continues its job", async () => {
    await using scene = await setRolling();
    const { github } = scene;
    const held = await startHeld(scene, "platform", { path: "/job" });
    const before = github.state.refs.get("refs/heads/main") ?? "";
    const [parent = ""] = github.state.commits.get(before)?.parents ?? [];
    const after = github.addCommit({ message: "Retry twice, amended", parent, files: ["src/retry.ts"] });
    const triggered = github.events.push({ before, after, sender: "mona", forced: true });

    await runBehind(scene, held, { triggered, run: { sha: after, ref: "refs/heads/main" } });
  });

  test.each([
    ["a push to a branch", { type: "push" }, "refs/heads/main", "refs/heads/main"],
    ["a schedule", { type: "other" }, "refs/heads/main", "refs/heads/main"],
    ["a merge", { type: "pull-request", base: { ref: "next" } }, "refs/heads/main", "refs/heads/next"],
    ["a push of a tag", { type: "push" }, "refs/tags/v1", undefined],
    ["a comment", { type: "text" }, "refs/heads/main", undefined],
    ["a release", { type: "release" }, "refs/heads/main", undefined],
  ])("concerns the branch of %s", (_name, event, ref, branch) => {
    const run = { environment: { GITHUB_REF: ref } };
    const of = (pullRequestMode: "rolling" | "per-request") =>
      findRollingBranch({ pullRequestMode }, event as unknown as GitHubEvent, run);

    expect(of("rolling")).toBe(branch);
    expect(of("per-request")).toBeUndefined();
  });

  test("gathers the changes of many pushes at once into one pull request", async () => {
    await using scene = await setRolling({ refusesWhenBusy: true });
    const pushes = Array.from({ length: 12 }, (_, index) =>
      push(scene, `Change ${index}`, [`src/${index}.ts`]),
    );

    const runs = await Promise.all(pushes.map((each) => runAgent(scene, each, rolling)));

    const outcomes = runs.map(({ outputs }) => outputs["outcome"]);
    const story = runs.map(({ visibleText }) => visibleText).join("\n---\n");
    expect(
      outcomes.filter((outcome) => outcome === "pull-request"),
      story,
    ).toHaveLength(1);
    expect(
      outcomes.every((outcome) => ["pull-request", "updated", "skipped"].includes(outcome ?? "")),
      story,
    ).toBe(true);
    expect(scene.platform.created, story).toHaveLength(1);
    const prompts = [...scene.platform.created, ...scene.platform.messages.map(({ prompt }) => prompt)].join(
      "\n",
    );
    for (const [index] of pushes.entries()) expect(prompts).toContain(`src/${index}.ts`);
    expect(scene.platform.messages.length).toBeLessThan(pushes.length - 1);
    const covered = runs.filter(({ outputs }) => outputs["outcome"] === "skipped");
    for (const { outputs, log } of covered) {
      expect(outputs["skip-reason"]).toBe("covered");
      expect(log).toContain("Another run sent this change to the agent together with its own.");
    }
    const last = new Map(scene.github.state.statuses.map(({ sha, state }) => [sha, state]));
    expect(pushes.map(({ sha }) => last.get(sha))).toStrictEqual(Array(pushes.length).fill("success"));
  });

  test("reads the branch rarely where many changes wait", async () => {
    await using scene = await setRolling({ endsByHand: true });
    const controller = new AbortController();
    /** Runs that wait until the end of the test. */
    const runs = [];
    for (let count = 0; count < 10; count += 1) {
      const { promise: waits, resolve } = Promise.withResolvers<void>();
      const sleep = (_ms: number, signal: AbortSignal) => {
        resolve();
        return new Promise<void>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      };
      const changes = { clock: { now: Date.now, sleep }, signal: controller.signal };
      runs.push(runAgent(scene, push(scene, `Change ${count}`), { ...rolling, changes }));
      await waits;
    }
    const counted = scene.github.requests.length;
    const clock = createFakeClock(Date.now());
    const changes = { clock, deadlineMs: clock.now() + 3_600_000 };

    const { outputs } = await runAgent(scene, push(scene, "One more"), { ...rolling, changes });

    const sent = scene.github.requests.length - counted;
    controller.abort(new InterruptedError("cancelled", "The test is over."));
    await Promise.all(runs);
    expect(outputs["outcome"]).toBe("timed-out");
    expect(sent).toBeLessThan(70);
  });

  test("sends a change again with the next one when its job failed", async () => {
    let status = "completed";
    await using scene = await setRolling({
      onMessage: () => scene.platform.finish("job-1", { status, prLink: null }),
    });
    await runAgent(scene, push(scene, "Retry twice", ["src/first.ts"]), rolling);
    status = "failed";
    await runAgent(scene, push(scene, "Retry thrice", ["src/second.ts"]), rolling);

    await runAgent(scene, push(scene, "Retry four times", ["src/third.ts"]), rolling);

    const prompt = scene.platform.messages.at(-1)?.prompt;
    expect(prompt).toContain("src/third.ts");
    expect(prompt).toContain("src/second.ts");
    expect(prompt).not.toContain("src/first.ts");
  });

  test("sends a change again with the next one when its job failed after that of a later change", async () => {
    let status = "completed";
    await using scene = await setRolling({
      onMessage: () => scene.platform.finish("job-1", { status, prLink: null }),
    });
    const earlier = push(scene, "Retry twice", ["src/first.ts"]);
    await runAgent(scene, push(scene, "Retry thrice", ["src/second.ts"]), rolling);
    status = "failed";
    await runAgent(scene, earlier, rolling);

    await runAgent(scene, push(scene, "Retry four times", ["src/third.ts"]), rolling);

    const prompt = scene.platform.messages.at(-1)?.prompt;
    expect(prompt).toContain("src/third.ts");
    expect(prompt).toContain("src/first.ts");
  });

  test.each(["failed", "archived"])(
    "sends the first change again with the next one when its job %s",
    async (end) => {
      let status = end;
      await using scene = await setRolling({
        onCreate: () => scene.platform.finish(`job-${scene.platform.created.length}`, { status }),
      });
      await runAgent(scene, push(scene, "Retry twice", ["src/first.ts"]), rolling);
      status = "completed";

      const { visibleText } = await runAgent(scene, push(scene, "Retry thrice", ["src/second.ts"]), rolling);

      const prompt = scene.platform.created.at(-1);
      expect(prompt, visibleText).toContain("src/second.ts");
      expect(prompt).toContain("src/first.ts");
    },
  );

  test.each([
    ["request was refused", { path: "/job", fault: { kind: "answer", status: 400 } }],
    ["run was lost", { path: "/statuses/", skip: 1, fault: { kind: "reset", when: "before" } }],
  ] as const)("sends a change whose %s with the next one, once", async (_name, rule) => {
    await using scene = await setRolling();
    const { github, platform } = scene;
    for (const { faults } of [github, platform])
      faults.add({ ...rule, method: "POST", times: Number.POSITIVE_INFINITY });
    await runAgent(scene, push(scene, "Retry twice", ["src/first.ts"]), rolling);
    for (const { faults } of [github, platform]) faults.clear();
    scene.passTime(600_000);

    await runAgent(scene, push(scene, "Retry thrice", ["src/second.ts"]), rolling);
    await runAgent(scene, push(scene, "Retry four times", ["src/third.ts"]), rolling);

    const [prompt] = platform.created;
    for (const file of ["src/first.ts", "src/second.ts"]) expect(prompt).toContain(file);
    expect(platform.messages).toHaveLength(1);
    expect(platform.messages[0]?.prompt).not.toMatch(/src\/(?:first|second)/);
    expect(github.state.issues.get(1)?.body).toMatch(/Retry four times\n.*Retry thrice\n.*Retry twice\n/);
  });

  test("does not send a change again whose response was lost", async () => {
    await using scene = await setRolling({ onCreate: () => undefined });
    scene.platform.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });
    const lost = await runAgent(scene, push(scene, "Retry twice", ["src/first.ts"]), rolling);

    await runAgent(scene, push(scene, "Retry thrice", ["src/second.ts"]), rolling);

    expect(lost.outputs["outcome"]).toBe("unknown");
    expect(scene.platform.created).toHaveLength(2);
    expect(scene.platform.created[1]).toContain("src/second.ts");
    expect(scene.platform.created[1]).not.toContain("src/first.ts");
  });

  test("sends every change also if the first commit of the repository is one of them", async () => {
    await using scene = await setRolling();
    const { github, platform } = scene;
    const [sha = ""] = github.state.refs.values();
    platform.faults.add({ method: "POST", times: 2, fault: { kind: "answer", status: 400 } });
    const first = github.events.push({ after: sha, sender: "mona" });
    await runAgent(scene, first, { ...rolling, run: { sha, ref: "refs/heads/main" } });
    await runAgent(scene, push(scene, "Retry twice", ["src/first.ts"]), rolling);

    await runAgent(scene, push(scene, "Retry thrice", ["src/second.ts"]), rolling);

    expect(platform.created).toMatchObject([expect.stringContaining("src/first.ts")]);
  });

  test("says in the pull request which change was left out, and why", async () => {
    await using scene = await setRolling();
    const use = { inputs: { ...rolling.inputs, paths: "src/**" } };
    await runAgent(scene, push(scene, "Change another workflow", [".github/y.yml"]), use);
    await runAgent(scene, push(scene, "Retry twice"), use);
    const skipped = await runAgent(scene, push(scene, "Change a workflow", [".github/x.yml"]), use);
    await runAgent(scene, push(scene, "Retry thrice"), use);

    expect(skipped.outputs).toMatchObject({ outcome: "skipped", "skip-reason": "paths" });
    expect(scene.github.state.statuses).toContainEqual(
      expect.objectContaining({
        state: "success",
        description: "Docs agent: skipped, no changed file matches `paths`",
      }),
    );
    expect(scene.github.state.issues.get(1)?.body).toMatch(
      /Change a workflow — skipped: no changed file matches/,
    );
    expect(scene.github.state.issues.get(1)?.body).not.toContain("Change another workflow");
  });

  test("finds its pull request among five hundred of others with at most six requests", async () => {
    await using scene = await setRolling();
    await runAgent(scene, push(scene, "Retry twice"), rolling);
    // The records of the earlier change are out of sight.
    scene.github.state.statuses.length = 0;
    for (let count = 0; count < 500; count += 1)
      scene.github.openPullRequest({ author: "alice", head: `feature-${count}`, files: ["x"] });
    const counted = scene.github.requests.length;

    const { outputs, visibleText } = await runAgent(scene, push(scene, "Retry thrice"), rolling);

    expect(outputs["outcome"], visibleText).toBe("updated");
    const searches = scene.github.requests
      .slice(counted)
      .filter(({ body }) => JSON.stringify(body ?? "").includes("states: OPEN"));
    expect(searches.length).toBeLessThanOrEqual(6);
  });

  test("gives one open pull request for many merges at once", async () => {
    const own = 9;
    await using scene = await setRolling({
      polls: [{ status: "active" }, { status: "completed", prLink: prLink.replace(/1$/, String(own)) }],
      refusesWhenBusy: true,
    });
    const merges = Array.from({ length: own - 1 }, (_, index) => {
      const files = [`src/${index}.ts`];
      const pull = scene.github.openPullRequest({
        author: "mona",
        head: `feature-${index}`,
        title: `Change ${index}`,
        files,
      });
      scene.github.mergePullRequest(pull, "squash");
      return scene.github.events.pullRequestMerged(pull);
    });

    const runs = await Promise.all(merges.map((each) => runAgent(scene, each, rolling)));

    const story = runs.map(({ visibleText }) => visibleText).join("\n---\n");
    expect(scene.platform.created, story).toHaveLength(1);
    const prompts = [...scene.platform.created, ...scene.platform.messages.map(({ prompt }) => prompt)].join(
      "\n",
    );
    for (const index of merges.keys()) expect(prompts).toContain(`src/${index}.ts`);
    expect(scene.github.state.issues.get(own)?.body).toMatch(/Source changes/);
  });
});
