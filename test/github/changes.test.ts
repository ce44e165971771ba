import { describe, expect, test } from "vitest";
import { readChanges, readParent, readRange } from "../../src/github/changes.ts";
import { readEvent } from "../../src/github/event.ts";
import { connectRun, connectTo } from "../support/connect-github.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { startHttpServer } from "../support/http-server.ts";

const nothing = "0".repeat(40);
const tagObject = "a".repeat(40);

const tipOf = ({ state }: GitHubStandIn) => state.refs.get("refs/heads/main") ?? "";

async function openScene(permissions: Permissions = { contents: "read" }) {
  const github = await startGitHubStandIn();
  const api = connectRun(github, permissions);
  const commit = github.addCommit({ branch: "main", message: "Release 2\n\nMore", files: ["src/new.ts"] });
  return { github, api, commit, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

test.each([
  { what: "new", before: nothing, notes: ["The tag is new."] },
  { what: "moved", before: "b".repeat(40), notes: [] },
])(
  "the changes of a pushed annotated tag are those of its commit, for a $what tag",
  async ({ before, notes }) => {
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
  },
);

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
    expect(changes.notes).toStrictEqual(["Only the newest 250 of 260 commits were read."]);
    expect(changes.titles.at(-1)).toBe("Change 260");
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

/** A GitHub whose every comparison, commit and list of files has this many files; and the paths that are requested. */
async function startPlainGitHub(count: number, more: object = {}) {
  const files = Array.from({ length: count }, (_, index) => ({ filename: `${index}.md`, status: "added" }));
  const commits = [{ sha: "s", html_url: "u", commit: { message: " First \nline\n" } }];
  const comparison = { html_url: "compared", status: "ahead", total_commits: 1, commits, files, ...more };
  const server = await startHttpServer(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname.includes("/compare/")) return Response.json(comparison);
    if (pathname.includes("/pulls/")) return Response.json(files);
    if (pathname.endsWith("/releases")) return Response.json([{ tag_name: "v1", draft: false }]);
    return Response.json({ files, parents: [{ sha: "p" }, { sha: "q" }] });
  });
  const requests = () => server.requests.map(({ path }) => path.replace("/repos/octo-org/widgets", ""));
  return { api: connectTo(server.url), requests, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const after = "c".repeat(40);
const merged = { id: after, message: "Merge\n\nMore" };
const push = {
  type: "push",
  action: "",
  sender: undefined,
  ref: "refs/heads/topic",
  before: "b".repeat(40),
  after,
  head: merged,
  deleted: false,
  forced: false,
  defaultBranch: "main",
  commits: [merged],
} as const;
const [fromBefore, fromDefault] = [push.before, "main"].map((base) => `/compare/${base}...${after}`);

describe("the changes of a push", () => {
  test.each([
    ["an existing branch", {}, fromBefore, "topic, bbbbbbb...ccccccc", []],
    ["a new branch", { before: nothing }, fromDefault, "topic, main...ccccccc", ["The branch is new."]],
    [
      "a rewritten branch",
      { forced: true },
      fromBefore,
      "topic, bbbbbbb...ccccccc",
      ["The push rewrote history: earlier commits were removed."],
    ],
    ["a moved tag", { ref: "refs/tags/v1" }, fromBefore, "v1, bbbbbbb...ccccccc", []],
  ] as const)("to %s are compared", async (_name, changes, path, range, notes) => {
    await using github = await startPlainGitHub(1);

    expect(await readChanges({ ...push, ...changes }, github.api)).toStrictEqual({
      files: [{ path: "0.md", previousPath: undefined, status: "added" }],
      isComplete: true,
      range,
      url: "compared",
      titles: ["First"],
      notes,
    });
    expect(github.requests().map(decodeURIComponent)).toStrictEqual([path]);
  });

  test.each([
    ["the new default branch", { ref: "refs/heads/main" }, "main, up to ccccccc", "The branch is new."],
    ["a new tag", { ref: "refs/tags/main" }, "main, up to ccccccc", "The tag is new."],
  ])("to %s are those of its commits", async (_name, changes, range, note) => {
    await using github = await startPlainGitHub(1);
    const commits = [{ id: "d", message: "" }, merged];

    const all = await readChanges({ ...push, before: nothing, ...changes, commits }, github.api);

    const last = "There is no earlier commit to compare with; these are the commits of the push.";
    expect(all).toMatchObject({ range, titles: ["Merge"], isComplete: false, notes: [note, last] });
    expect(github.requests()).toStrictEqual([`/commits/${after}`]);
  });

  test.each([
    [299, [merged], true],
    [299, [], true],
    [300, [merged], false],
    [0, [merged, merged], false],
  ])("with a commit of %i files are complete: %j, %s", async (count, commits, isComplete) => {
    await using github = await startPlainGitHub(count);
    const created = { ...push, ref: "refs/tags/v1", before: nothing, commits };

    expect(await readChanges(created, github.api)).toMatchObject({ isComplete, titles: expect.any(Array) });
  });

  test("that diverged, and of which not every commit is listed, say so", async () => {
    await using github = await startPlainGitHub(299, { status: "diverged", total_commits: 2 });

    expect(await readRange("main", "topic", github.api)).toMatchObject({
      range: "main...topic",
      isComplete: true,
      notes: [
        "The two commits have diverged; the changes are those since their common ancestor.",
        "Only the newest 1 of 2 commits were read.",
      ],
    });
    await using other = await startPlainGitHub(300);
    expect(await readRange("main", "topic", other.api)).toMatchObject({ isComplete: false, notes: [] });
  });
});

test.each([
  [2999, true],
  [3000, false],
])("the changes of a pull request with %i files are complete: %s", async (count, isComplete) => {
  await using github = await startPlainGitHub(count);
  const thread = { number: 7, title: "Feature", url: "u" } as const;
  const event = { type: "text", thread } as unknown as Parameters<typeof readChanges>[0];

  expect(await readChanges(event, github.api)).toMatchObject({
    range: "pull request #7",
    titles: ["Feature"],
    url: "u",
    isComplete,
    notes: [],
  });
});

test("a first release has no earlier one, and is named by its name or else by its tag", async () => {
  await using github = await startPlainGitHub(0);
  const release = { type: "release", tag: "v1", name: "First", url: "u" };
  const read = (event: object) => readChanges(event as Parameters<typeof readChanges>[0], github.api);

  const notes = ["There is no earlier release to compare with."];
  expect(await read(release)).toMatchObject({ range: "v1", titles: ["First"], notes, isComplete: false });
  expect(await read({ ...release, name: "" })).toMatchObject({ titles: ["v1"] });
});

test("a commit's first parent is read alone", async () => {
  await using github = await startPlainGitHub(0);

  expect(await readParent("abc", github.api)).toBe("p");
  expect(github.requests()).toStrictEqual(["/commits/abc?per_page=1"]);
});
