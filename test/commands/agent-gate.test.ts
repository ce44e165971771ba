/** Who and what starts nothing: nothing is sent, acknowledged or written. Each decision of the gate: `test/github/gate.test.ts`. */
import { describe, expect, test } from "vitest";
import { type AgentScene, type AgentUse, apiKey, runAgent, setAgentScene } from "../support/agent-scene.ts";
import type { TriggeredRun } from "../support/github/scene-events.ts";

interface Refusal {
  readonly name: string;
  readonly reason: string;
  readonly event: (scene: AgentScene) => TriggeredRun;
  readonly use?: AgentUse;
}

/** A comment on an issue by a stranger. */
function comment({ github }: AgentScene, author: string, body = "/docs explain retries") {
  const issue = github.addIssue({ author: "alice", title: "Retries", body: "How often?" });
  return github.addComment({ issue: issue.number, author, body });
}

const said = (author: string, body?: string) => (scene: AgentScene) =>
  scene.github.events.issueComment(comment(scene, author, body));

const refusals: readonly Refusal[] = [
  { name: "a user who can only read", reason: "permission", event: said("eve") },
  { name: "a user who can triage where writing is needed", reason: "permission", event: said("tria") },
  { name: "a bot", reason: "bot", event: said("renovate[bot]") },
  {
    name: "a text with a marker",
    reason: "own-comment",
    event: said("mona", "/docs go\n\n<!-- docs-automation:claim:v1 x -->"),
  },
  {
    name: "an edit by another user",
    reason: "confused-deputy",
    event: (scene) =>
      scene.github.events.issueComment(comment(scene, "eve"), { sender: "mona", action: "edited" }),
  },
  {
    name: "a re-run that another user started",
    reason: "permission",
    event: said("mona"),
    use: { run: { runAttempt: 2, triggeringActor: "eve" } },
  },
  {
    name: "an unrelated label",
    reason: "no-trigger",
    event: ({ github }) =>
      github.events.issueLabeled(github.addIssue({ author: "mona", body: "/docs do this" }), {
        label: "bug",
        sender: "mona",
      }),
  },
  {
    name: "a label that is set by a user who can only read",
    reason: "permission",
    event: ({ github }) =>
      github.events.issueLabeled(github.addIssue({ author: "mona", body: "/docs go", labels: ["docs"] }), {
        label: "docs",
        sender: "eve",
      }),
  },
  { name: "ordinary talk", reason: "no-trigger", event: said("mona", "Thanks!") },
  {
    name: "a prompt of the workflow on a stranger's comment",
    reason: "permission",
    event: said("stranger"),
    use: { inputs: { prompt: "Update the docs." } },
  },
  {
    name: "`help` in a dry run",
    reason: "dry-run",
    event: said("mona", "/docs help"),
    use: { inputs: { "dry-run": "true" } },
  },
  {
    name: "a deleted branch",
    reason: "branch-deleted",
    event: ({ github }) => {
      const before = github.addCommit({ branch: "old" });
      const pushed = github.events.push({ before, after: "0".repeat(40), branch: "old", sender: "mona" });
      return { ...pushed, event: { ...pushed.event, deleted: true } };
    },
  },
  {
    name: "a draft of a release",
    reason: "draft-release",
    event: ({ github }) => {
      const published = github.events.releasePublished(github.addRelease({ tag: "v1.0.0", author: "mona" }));
      const { release } = published.event as { release: object };
      return { ...published, event: { ...published.event, release: { ...release, draft: true } } };
    },
  },
  {
    name: "a rolling change of other files in a dry run",
    reason: "paths",
    event: ({ github }) => {
      const before = github.state.refs.get("refs/heads/main") ?? "";
      const after = github.addCommit({ files: ["src/retry.ts"] });
      return github.events.push({ before, after, sender: "mona" });
    },
    use: {
      inputs: { "dry-run": "true", "pull-request-mode": "rolling", paths: "lib/**" },
      run: { ref: "refs/heads/main" },
    },
  },
  {
    name: "a prompt of the workflow on a deletion",
    reason: "event-action",
    event: (scene) => {
      const created = said("mona")(scene);
      return { ...created, event: { ...created.event, action: "deleted" } };
    },
    use: { inputs: { prompt: "Update the docs." } },
  },
  {
    name: "a pull request closed without merging",
    reason: "not-merged",
    event: ({ github }) =>
      github.events.pullRequestMerged(github.openPullRequest({ author: "mona", head: "x" })),
  },
];

describe("nothing is sent, acknowledged or written for", () => {
  test.each(refusals)("$name", async ({ event, reason, use }) => {
    await using scene = await setAgentScene();

    const result = await runAgent(scene, event(scene), use);

    expect(result.outputs, result.log).toMatchObject({ outcome: "skipped", "skip-reason": reason });
    expect(scene.platform.requests).toStrictEqual([]);
    expect(scene.github.changes()).toStrictEqual([]);
    expect(result.visibleText).not.toContain(apiKey);
  });

  test.each(["edited", "deleted"])("a comment that was %s since", async (state) => {
    await using scene = await setAgentScene();
    const written = comment(scene, "mona");
    const triggered = scene.github.events.issueComment(written);
    if (state === "edited") scene.github.edit(written, { body: "/docs delete everything" });
    else scene.github.deleteComment(written);

    const result = await runAgent(scene, triggered);

    expect(result.outputs, result.log).toMatchObject({ outcome: "skipped", "skip-reason": `text-${state}` });
    expect(scene.platform.requests).toStrictEqual([]);
  });

  test("a dry run, which shows the prompt instead", async () => {
    await using scene = await setAgentScene();

    const result = await runAgent(scene, said("mona")(scene), { inputs: { "dry-run": "true" } });

    expect(result.outputs).toMatchObject({ outcome: "skipped", "skip-reason": "dry-run" });
    expect(result.summary).toContain("POST /v2/agent/prj_1/job");
    expect(result.summary).toContain("explain retries");
    expect(scene.platform.requests).toStrictEqual([]);
    expect(scene.github.changes()).toStrictEqual([]);
  });
});

describe("the gate fails closed", () => {
  test("without a token", async () => {
    await using scene = await setAgentScene();

    const result = await runAgent(scene, said("mona")(scene), {
      inputs: { "github-token": " " },
      run: { token: "" },
    });

    expect(result.outputs).toMatchObject({ "error-code": "missing-permission" });
    expect(result.log).toContain("issues: write");
    expect(scene.platform.requests).toStrictEqual([]);
  });

  test("when GitHub does not answer", async () => {
    await using scene = await setAgentScene();
    scene.github.faults.add({
      path: "/collaborators/",
      times: Number.POSITIVE_INFINITY,
      fault: { kind: "answer", status: 500, body: "{}" },
    });

    const result = await runAgent(scene, said("mona")(scene));

    expect(result.outputs["outcome"]).toBe("error");
    expect(scene.platform.requests).toStrictEqual([]);
  });

  test("naming the missing line of `permissions:`", async () => {
    await using scene = await setAgentScene();

    const result = await runAgent(scene, said("mona")(scene), { permissions: { issues: "read" } });

    expect(result.outputs).toMatchObject({ outcome: "error", "error-code": "missing-permission" });
    expect(result.log).toContain("`issues: write`");
    expect(scene.platform.requests).toStrictEqual([]);
  });
});

test.each([
  ["a person with triage, where triage is enough", "tria", { "minimum-permission": "triage" }],
  ["a named user", "eve", { "allowed-users": "eve" }],
  ["a named bot", "renovate[bot]", { "allowed-bots": "renovate[bot]" }],
])("the gate opens for %s", async (_name, author, inputs) => {
  await using scene = await setAgentScene();

  const result = await runAgent(scene, said(author)(scene), { inputs });

  expect(result.outputs, result.log).toMatchObject({ outcome: "no-pull-request" });
  expect(scene.platform.created).toHaveLength(1);
});
