import { describe, expect, test } from "vitest";
import { readChanges } from "../../src/github/changes.ts";
import { readEvent } from "../../src/github/event.ts";
import { connectRun } from "../support/connect-github.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";

const nothing = "0".repeat(40);
const tagObject = "a".repeat(40);

const tipOf = ({ state }: GitHubStandIn) => state.refs.get("refs/heads/main") ?? "";

async function openScene(permissions: Permissions = { contents: "read" }) {
  const github = await startGitHubStandIn();
  const api = connectRun(github, permissions);
  const commit = github.addCommit({ branch: "main", message: "Release 2\n\nMore", files: ["src/new.ts"] });
  return { github, api, commit, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("the changes of a pushed annotated tag", () => {
  test.each([
    { what: "new", before: nothing, notes: ["The tag is new."] },
    { what: "moved", before: "b".repeat(40), notes: [] },
  ])("are those of its commit, for a $what tag", async ({ before, notes }) => {
    await using scene = await openScene();
    const changes = await readChanges(
      {
        type: "push",
        action: "",
        sender: undefined,
        ref: "refs/tags/v2",
        before,
        after: tagObject,
        head: { id: scene.commit, message: "Release 2\n\nMore" },
        deleted: false,
        forced: false,
        defaultBranch: "main",
        commits: [],
      },
      scene.api,
    );

    expect(changes).toMatchObject({
      range: `v2, up to ${scene.commit.slice(0, 7)}`,
      titles: ["Release 2"],
      files: [{ path: "src/new.ts" }],
    });
    expect(changes.notes.slice(0, -1)).toStrictEqual(notes);
  });
});

/** The merge of a pull request with one file. */
function mergeFeature({ github, commit }: Awaited<ReturnType<typeof openScene>>) {
  github.addCommit({ branch: "feature", message: "Feature", files: ["src/feature.ts"] });
  const { number } = github.openPullRequest({ author: "mona", head: "feature" });
  const thread = { kind: "pull-request", number, title: "", url: "" } as const;
  return {
    type: "pull-request",
    action: "closed",
    sender: undefined,
    thread: { ...thread, nodeId: "", body: "", author: undefined, createdAt: "" },
    merged: true,
    base: { ref: "main", sha: commit, repo: undefined },
    head: { ref: "feature", sha: commit, repo: undefined },
    mergeSha: undefined,
    isFork: false,
  } as const;
}

describe("the changes of a merged pull request", () => {
  test("are complete, unless GitHub lists no more of its files", async () => {
    await using scene = await openScene({ "pull-requests": "read" });

    expect(await readChanges(mergeFeature(scene), scene.api)).toMatchObject({
      files: [{ path: "src/feature.ts" }],
      isComplete: true,
    });
  });

  test("that may not be read name the missing permission", async () => {
    await using scene = await openScene();

    await expect(readChanges(mergeFeature(scene), scene.api)).rejects.toMatchObject({
      hint: expect.stringContaining("`pull-requests: read`"),
    });
  });
});

test("the changes of a push whose former commit cannot be compared are those of its commit", async () => {
  await using scene = await openScene();
  const { event } = scene.github.events.push({ before: "b".repeat(40), after: scene.commit });
  const push = readEvent("push", event);
  if (push.type !== "push") throw new Error("This is no push.");
  scene.github.faults.add({ path: "/compare/", fault: { kind: "answer", status: 422, body: "{}" } });

  expect(await readChanges(push, scene.api)).toMatchObject({ files: [{ path: "src/new.ts" }] });
});

describe("the changes of a large push", () => {
  test("are read in one request, and say what GitHub did not list", async () => {
    await using scene = await openScene();
    const before = scene.commit;
    for (let count = 1; count <= 260; count += 1) {
      const files = Array.from({ length: 2 }, (_, index) => `src/${count}/${index}.ts`);
      scene.github.addCommit({ message: `Change ${count}`, files });
    }
    const { event } = scene.github.events.push({ before, after: tipOf(scene.github) });
    const push = readEvent("push", event);
    if (push.type !== "push") throw new Error("This is no push.");
    const from = scene.github.requests.length;

    const changes = await readChanges(push, scene.api);

    expect(scene.github.requests.length - from).toBe(1);
    expect(changes.notes).toStrictEqual(["Only the first 250 of 260 commits were read."]);
    expect(changes).toMatchObject({ isComplete: false, files: { length: 300 } });
  });
});

describe("the changes of a release", () => {
  const release = {
    type: "release",
    action: "published",
    sender: undefined,
    nodeId: "RE_1",
    name: "",
    body: "",
    url: "https://github.localhost/octo-org/widgets/releases/1",
    isDraft: false,
    author: undefined,
  } as const;

  /** As GitHub lists releases, newest first; only users who can push see drafts. */
  const drafted = [
    { tag_name: "v3", draft: false },
    { tag_name: "v2", draft: true },
    { tag_name: "v1", draft: false },
  ];

  test("are those since the previous release", async () => {
    await using scene = await openScene();
    scene.github.addRelease({ tag: "v1" });
    scene.github.addCommit({ message: "Second", files: ["src/second.ts"] });
    scene.github.addRelease({ tag: "v2" });

    expect(await readChanges({ ...release, tag: "v2" }, scene.api)).toMatchObject({
      range: "v1...v2",
      titles: ["Second"],
      notes: [],
    });
  });

  test("are not compared with a draft", async () => {
    await using scene = await openScene();
    scene.github.addRelease({ tag: "v1" });
    const fault = { kind: "answer", status: 200, body: JSON.stringify(drafted) } as const;
    scene.github.faults.add({ path: /\/releases\?/, fault });

    expect(await readChanges({ ...release, tag: "v3" }, scene.api)).toMatchObject({ range: "v1...v3" });
  });

  test("are not compared with a later release if GitHub does not list the release", async () => {
    await using scene = await openScene();
    scene.github.addRelease({ tag: "v9" });

    expect(await readChanges({ ...release, tag: "v2" }, scene.api)).toMatchObject({
      range: "v2",
      isComplete: false,
      notes: [
        "The release is not among the newest 1 releases, so it cannot be compared with the one before it.",
      ],
    });
  });
});
