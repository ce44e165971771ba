/** Pushes, merged pull requests, releases, schedules: a prompt from the change, and a claim in a commit status. */
import { describe, expect, test } from "vitest";
import { firstJobId } from "../support/agent-platform.ts";
import {
  type AgentScene,
  apiKey,
  openAgentPull,
  openingPull,
  permissions,
  pullUrl,
  runAgent,
  setAgentScene,
} from "../support/agent-scene.ts";
import { createPatientClock } from "../support/fake-clock.ts";

function push({ github }: AgentScene, files: readonly string[] = ["src/retry.ts", "test/retry.test.ts"]) {
  const before = github.state.refs.get("refs/heads/main") ?? "";
  const after = github.addCommit({ message: "Retry twice\n\nBody", files, author: "mona" });
  return { before, after, ...github.events.push({ before, after, sender: "mona" }), run: { sha: after } };
}

const statuses = ({ github }: AgentScene) =>
  github.state.statuses.map(({ state, description }) => `${state}: ${description}`);

describe("a push", () => {
  test("becomes a job whose prompt contains the range, titles and paths, and keeps its record in commit statuses", async () => {
    await using scene = await setAgentScene();
    const { run, before, after, ...triggered } = push(scene);

    const result = await runAgent(scene, triggered, { run });

    expect(result.outputs, result.log).toMatchObject({ outcome: "no-pull-request", "job-id": firstJobId });
    const [prompt = ""] = scene.platform.created;
    expect(prompt).toContain(`Range: main, ${before.slice(0, 7)}...${after.slice(0, 7)}`);
    expect(prompt).toContain("- Retry twice");
    expect(prompt).toContain("- modified: src/retry.ts");
    expect(statuses(scene).at(-1)).toBe("success: Docs agent: completed, no pull request, job job-1");
    for (const { description, context } of scene.github.state.statuses) {
      expect(description?.length).toBeLessThanOrEqual(140);
      expect(context).toMatch(/^docs-automation\/agent \([0-9a-f]{12}\)$/);
    }
    expect(JSON.stringify(scene.github.state.statuses)).not.toContain(apiKey);
  });

  test.each([
    ["auto", false],
    ["changes", true],
  ])("quotes the diffs of the files that match `paths` with `context: %s`: %s", async (context, isQuoted) => {
    await using scene = await setAgentScene();
    const { github, platform } = scene;
    const files = ["src/retry.ts", "test/retry.test.ts"].map((filename) => ({
      filename,
      status: "modified" as const,
      patch: `@@ -1 +1 @@\n-const retries = 1;\n+const retries = 2; // ${filename}`,
    }));
    const before = github.state.refs.get("refs/heads/main") ?? "";
    const after = github.addCommit({ message: "Retry twice", files, author: "mona" });
    const triggered = github.events.push({ before, after, sender: "mona" });

    await runAgent(scene, triggered, { run: { sha: after }, inputs: { context, paths: "src/**" } });

    const [prompt = ""] = platform.created;
    expect(prompt).toContain("- modified: src/retry.ts");
    expect(
      /diff of src\/retry\.ts ---\n@@ -1 \+1 @@\n-const retries = 1;\n\+const retries = 2;/.test(prompt),
    ).toBe(isQuoted);
    expect(prompt).not.toContain("diff of test/");
  });

  test.each([
    ["", true],
    ["Update the changelog.", false],
  ])(
    "with `context: none` and the prompt “%s” has the change in its prompt: %s",
    async (prompt, isQuoted) => {
      await using scene = await setAgentScene();
      const { run, before: _, after: __, ...triggered } = push(scene);

      await runAgent(scene, triggered, { run, inputs: { context: "none", prompt } });

      expect(scene.platform.created).toHaveLength(1);
      expect(scene.platform.created[0]?.includes("- modified: src/retry.ts")).toBe(isQuoted);
    },
  );

  test("gets its pull request also where the runner's clock is an hour ahead of GitHub's", async () => {
    const prLink = pullUrl(1);
    await using scene = await setAgentScene(openingPull(1));
    const { run, before: _, after: __, ...triggered } = push(scene);
    const changes = createPatientClock(Date.now() + 3_600_000);

    const { outputs, visibleText } = await runAgent(scene, triggered, { run, changes });

    expect(outputs, visibleText).toMatchObject({ outcome: "pull-request", "pull-request-url": prLink });
  });

  test("that matches no path needs no permission for its statuses, in no attempt", async () => {
    await using scene = await setAgentScene();
    const { run, before: _, after: __, ...triggered } = push(scene);
    const { statuses: ___, ...granted } = permissions;
    const use = { inputs: { paths: "docs/**" }, permissions: granted };

    for (const runAttempt of [1, 2]) {
      const { outputs, visibleText } = await runAgent(scene, triggered, {
        ...use,
        run: { ...run, runAttempt },
      });
      expect(outputs, visibleText).toMatchObject({ outcome: "skipped", "skip-reason": "paths" });
    }
  });

  test.each(
    ["before", "after"].flatMap((when) =>
      [0, 1, 2, 3].map((skip) => ({ when: when as "before" | "after", skip })),
    ),
  )("outlasts a bad gateway $when its status number $skip is written", async ({ when, skip }) => {
    await using scene = await setAgentScene();
    const { run, before: _, after: __, ...triggered } = push(scene);
    const fault = { kind: "answer", when, status: 502 } as const;
    scene.github.faults.add({ method: "POST", path: "/statuses/", skip, fault });

    const { outputs, visibleText } = await runAgent(scene, triggered, { run });

    expect(outputs["outcome"], visibleText).toBe("no-pull-request");
    expect(scene.platform.created).toHaveLength(1);
    expect(statuses(scene).at(-1)).toBe("success: Docs agent: completed, no pull request, job job-1");
  });

  test.each([
    [{ paths: "src/**" }, "no-pull-request"],
    [{ paths: "lib/**" }, "skipped"],
    [{ "paths-ignore": "src/**\ntest/**" }, "skipped"],
    [{ paths: "src/**, !src/retry.ts" }, "skipped"],
  ])("with %j is %s", async (inputs, outcome) => {
    await using scene = await setAgentScene();
    const { run, before: _, after: __, ...triggered } = push(scene);

    const result = await runAgent(scene, triggered, { run, inputs: inputs as Record<string, string> });

    expect(result.outputs, result.log).toMatchObject({ outcome });
    if (outcome === "skipped") expect(result.outputs["skip-reason"]).toBe("paths");
    expect(scene.platform.created).toHaveLength(outcome === "skipped" ? 0 : 1);
  });

  test("of a new branch is compared with the default branch", async () => {
    await using scene = await setAgentScene();
    const after = scene.github.addCommit({ branch: "feature", message: "New", files: ["src/new.ts"] });
    const { ...triggered } = scene.github.events.push({ after, branch: "feature", sender: "mona" });

    const result = await runAgent(scene, triggered, { run: { sha: after, ref: "refs/heads/feature" } });

    expect(result.outputs["outcome"], result.log).toBe("no-pull-request");
    expect(scene.platform.created[0]).toContain("- modified: src/new.ts");
    expect(scene.platform.created[0]).toContain("The branch is new.");
  });

  test("that rewrote history says so", async () => {
    await using scene = await setAgentScene();
    const base = scene.github.state.refs.get("refs/heads/main") ?? "";
    const before = scene.github.addCommit({ message: "Old", files: ["src/old.ts"] });
    const after = scene.github.addCommit({ message: "New", files: ["src/new.ts"], parent: base });
    const triggered = scene.github.events.push({ before, after, sender: "mona", forced: true });

    const result = await runAgent(scene, triggered, { run: { sha: after } });

    expect(result.outputs["outcome"], result.log).toBe("no-pull-request");
    expect(scene.platform.created[0]).toContain("The push rewrote history");
    expect(scene.platform.created[0]).toContain("- modified: src/new.ts");
  });

  test("of more files than GitHub lists at once is looked up commit by commit", async () => {
    await using scene = await setAgentScene();
    const files = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `src/file-${from + index}.ts`);
    const before = scene.github.state.refs.get("refs/heads/main") ?? "";
    scene.github.addCommit({ message: "Many", files: files(0, 200) });
    const after = scene.github.addCommit({ message: "More", files: files(200, 350) });
    const triggered = scene.github.events.push({ before, after, sender: "mona" });

    const result = await runAgent(scene, triggered, {
      run: { sha: after },
      inputs: { paths: "src/file-349.ts" },
    });

    expect(result.outputs["outcome"], result.log).toBe("no-pull-request");
    expect(scene.platform.created[0]).toContain("src/file-349.ts");
  });

  test("of more files than GitHub lists starts a job, even if none of the listed files matches", async () => {
    await using scene = await setAgentScene();
    const files = Array.from({ length: 301 }, (_, index) => `src/file-${index}.ts`);
    const { run, before: _, after: __, ...triggered } = push(scene, files);

    const result = await runAgent(scene, triggered, { run, inputs: { paths: "lib/**" } });

    expect(result.outputs["outcome"], result.log).toBe("no-pull-request");
    expect(scene.platform.created[0]).toContain("GitHub did not list every file of this change.");
  });

  test("that merged the agent's own pull request starts nothing", async () => {
    await using scene = await setAgentScene(openingPull(1));
    const { run, before: _, after: __, ...first } = push(scene);
    await runAgent(scene, first, { run });
    const pull = scene.github.state.issues.get(1);
    if (!pull?.pull) throw new Error("The agent opened no pull request.");
    const own = { ...pull, pull: pull.pull };
    const before = scene.github.state.refs.get("refs/heads/main") ?? "";
    const after = scene.github.mergePullRequest(own);

    const pushed = await runAgent(scene, scene.github.events.push({ before, after, sender: "mona" }), {
      run: { sha: after },
    });
    const merged = await runAgent(scene, scene.github.events.pullRequestMerged(own, { sender: "mona" }), {
      run: { sha: after },
    });

    expect(pushed.outputs, pushed.log).toMatchObject({
      outcome: "skipped",
      "skip-reason": "own-pull-request",
    });
    expect(merged.outputs, merged.log).toMatchObject({
      outcome: "skipped",
      "skip-reason": "own-pull-request",
    });
    expect(scene.platform.created).toHaveLength(1);
  });

  test("of a merge queue that holds a person's change beside the agent's starts a job", async () => {
    await using scene = await setAgentScene();
    const { github } = scene;
    const before = github.state.refs.get("refs/heads/main") ?? "";
    github.mergePullRequest(
      github.openPullRequest({ author: "mona", head: "feature", files: ["src/retry.ts"] }),
    );
    const own = openAgentPull(github, "Reference: docs-automation-0123456789abcdef01234567");
    const after = github.mergePullRequest(own);

    const result = await runAgent(scene, github.events.push({ before, after, sender: "mona" }), {
      run: { sha: after },
    });

    expect(result.outputs, result.log).toMatchObject({ outcome: "no-pull-request" });
    expect(scene.platform.created[0]).toContain("src/retry.ts");
  });

  test("without `statuses: write` starts nothing, and says which line is missing", async () => {
    await using scene = await setAgentScene();
    const { run, before: _, after: __, ...triggered } = push(scene);
    const { statuses: ___, ...granted } = permissions;

    const result = await runAgent(scene, triggered, { run, permissions: { ...granted, statuses: "read" } });

    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "missing-permission" });
    expect(result.log).toContain("`statuses: write`");
    expect(scene.platform.created).toHaveLength(0);
  });
});

describe("other changes", () => {
  test("a merged pull request becomes a job whose prompt contains its description, with its status on its thread", async () => {
    await using scene = await setAgentScene();
    const pull = scene.github.openPullRequest({
      author: "mona",
      head: "x",
      title: "Retry twice",
      body: "Once was too few. <!-- SECRET ORDER -->",
      files: ["src/retry.ts"],
    });
    const sha = scene.github.mergePullRequest(pull);

    const result = await runAgent(scene, scene.github.events.pullRequestMerged(pull, { sender: "mona" }), {
      run: { sha },
    });

    expect(result.outputs, result.log).toMatchObject({ outcome: "no-pull-request" });
    expect(scene.platform.created[0]).toContain("- Retry twice");
    expect(scene.platform.created[0]).toContain("- modified: src/retry.ts");
    expect(scene.platform.created[0]).toMatch(
      /--- begin (\w+): pull request #1, by @mona, .*---\nRetry twice\n\nOnce was too few\.\s*\n--- end \1 ---/,
    );
    expect(scene.platform.created[0]).not.toContain("SECRET ORDER");
    const comment = scene.github.commentsOn(pull.number).at(-1)?.body;
    expect(comment).toContain("Docs agent: completed");
    expect(comment).toContain(
      "Removed from the pull request, because GitHub does not show it: 1 hidden segment.",
    );
  });

  test("a merged pull request of a fork becomes a job, even if it copies a reference of the agent", async () => {
    await using scene = await setAgentScene();
    const pull = scene.github.openPullRequest({
      author: "eve",
      head: "x",
      headRepository: "eve/widgets",
      body: "Reference: docs-automation-0123456789abcdef01234567",
    });
    const sha = scene.github.mergePullRequest(pull);

    const result = await runAgent(scene, scene.github.events.pullRequestMerged(pull, { sender: "mona" }), {
      run: { sha },
    });

    expect(result.outputs, result.log).toMatchObject({ outcome: "no-pull-request" });
  });

  test("a release becomes a job whose prompt contains its notes", async () => {
    await using scene = await setAgentScene();
    scene.github.addRelease({ tag: "v1.0.0" });
    scene.github.addCommit({ message: "Add x", files: ["src/x.ts"] });
    const release = scene.github.addRelease({
      tag: "v1.1.0",
      body: "Adds x. <!-- SECRET ORDER -->",
      author: "mona",
    });
    const sha = scene.github.state.refs.get("refs/heads/main") ?? "";

    const result = await runAgent(scene, scene.github.events.releasePublished(release), { run: { sha } });

    expect(result.outputs, result.log).toMatchObject({ outcome: "no-pull-request" });
    expect(scene.platform.created[0]).toContain("Adds x.");
    expect(scene.platform.created[0]).not.toContain("SECRET ORDER");
    expect(scene.platform.created[0]).toContain("Range: v1.0.0...v1.1.0");
  });

  test("a release that is deleted and published again is a new request", async () => {
    await using scene = await setAgentScene();
    const publish = () => scene.github.events.releasePublished(scene.github.addRelease({ tag: "v1.0.0" }));
    const sha = scene.github.state.refs.get("refs/heads/main") ?? "";
    const first = publish();

    for (const triggered of [first, first, publish()]) await runAgent(scene, triggered, { run: { sha } });

    expect(scene.platform.created).toHaveLength(2);
  });

  test.each(["schedule", "workflow_dispatch", "repository_dispatch"])(
    "%s sends the workflow's prompt, once a run",
    async (eventName) => {
      await using scene = await setAgentScene();
      const sha = scene.github.state.refs.get("refs/heads/main") ?? "";
      const use = { inputs: { prompt: "Check all links." }, run: { sha } };
      const triggered = { eventName, event: { schedule: "0 3 * * *" } };

      const first = await runAgent(scene, triggered, use);
      const again = await runAgent(scene, triggered, { ...use, run: { sha, runAttempt: 2 } });
      const next = await runAgent(scene, triggered, { ...use, run: { sha, runId: 9 } });

      expect(first.outputs, first.log).toMatchObject({ "job-id": firstJobId });
      expect([again, next].map(({ outputs }) => outputs["job-id"])).toStrictEqual([firstJobId, "job-2"]);
      expect(scene.platform.created[0]).toMatch(/^Check all links\.\n/);
    },
  );

  test("an event that says nothing needs a prompt", async () => {
    await using scene = await setAgentScene();

    const result = await runAgent(scene, {});

    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "invalid-input" });
    expect(result.log).toContain("`prompt`");
  });
});
