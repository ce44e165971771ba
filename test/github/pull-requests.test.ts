import { describe, expect, test } from "vitest";
import { PullSummary } from "../../src/base/claim-record.ts";
import { InterruptedError } from "../../src/base/errors.ts";
import { readEvent } from "../../src/github/event.ts";
import { readIdentity } from "../../src/github/gate.ts";
import {
  createPullRequestFinder,
  decoratePullRequest,
  introducePullRequest,
  isFromOwnPullRequest,
  listOpenOwn,
  type PullRequest,
  readPullRequest,
} from "../../src/github/pull-requests.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { connectRun, connectTo } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import type { MergeMethod, NewPull } from "../support/github/scene.ts";
import { type GitHubStandIn, type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingLog } from "../support/recording-log.ts";
import { createRecordingRun } from "../support/recording-run.ts";

const signer = createRecordSigner("svc_key-one");
const trigger = "a".repeat(64);
const reference = signer.reference(trigger);
const claimedAt = "2020-01-01T00:00:00.000Z";
const request = { trigger, claimedAt };
const openedBy = { project: "prj_1", jobId: "job-1" };

const tipOf = ({ state }: GitHubStandIn, branch = "main") => state.refs.get(`refs/heads/${branch}`) ?? "";

async function openScene() {
  const github = await startGitHubStandIn();
  const api = connectRun(github, { "pull-requests": "write", contents: "read" });
  const deps = { api, identity: await readIdentity(api), signer };
  const run = createRecordingRun();
  return {
    github,
    api,
    deps,
    run,
    start: tipOf(github),
    /** Opens a pull request of the agent, by default with the reference in its description. */
    open: (options: Partial<NewPull> = {}) =>
      github.openPullRequest({
        author: "agent[bot]",
        head: "docs/a",
        body: `Reference: ${reference}`,
        ...options,
      }),
    find: createPullRequestFinder(deps),
    introduce: (number: number) =>
      introducePullRequest({ number, text: "Made by a job.", openedBy }, deps, run),
    listOwn: () => Array.fromAsync(listOpenOwn(deps)),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

describe("a search for a reference", () => {
  test("finds the pull request whose description contains the reference", async () => {
    await using scene = await openScene();
    const { number } = scene.open({ body: `Retries.\n\nReference: ${reference}` });

    expect(await scene.find(request)).toMatchObject({ number });
  });

  test("finds it if the runner's clock was hours ahead", async () => {
    await using scene = await openScene();
    const { number } = scene.open();
    const inSixHours = new Date(Date.now() + 6 * 60 * 60_000).toISOString();

    expect(await scene.find({ trigger, claimedAt: inSixHours })).toMatchObject({ number });
  });

  test("ignores pull requests from forks", async () => {
    await using scene = await openScene();
    scene.open({ author: "mallory", headRepository: "mallory/widgets" });

    expect(await scene.find(request)).toBeUndefined();
  });
});

describe("a search for a reference in another repository", () => {
  test("finds the pull request there, where nothing may be changed", async () => {
    await using docs = await startGitHubStandIn({ repository: "octo-org/docs" });
    const { number } = docs.openPullRequest({ author: "agent[bot]", head: "docs/a", body: reference });
    const find = createPullRequestFinder({ api: connectRun(docs, { "pull-requests": "read" }), signer });

    const found = await find({ ...request, docsRepository: "octo-org/Docs" });

    expect(found).toMatchObject({ number, isInOtherRepository: true });
  });

  test("finds nothing where the token has no access, and does not take a limit for that", async () => {
    await using scene = await openScene();
    const limit = { message: "API rate limit exceeded" };
    const search = () => scene.find({ ...request, docsRepository: "octo-org/docs" });

    expect(await search()).toBeUndefined();
    const fault = { kind: "answer", status: 403, body: JSON.stringify(limit) } as const;
    scene.github.faults.add({ path: "octo-org/other/pulls", fault });
    const limited = scene.find({ ...request, docsRepository: "octo-org/other" });
    await expect(limited).rejects.toMatchObject({ code: "rate-limited" });
  });
});

describe("many searches for references", () => {
  test("list the repository's pull requests once", async () => {
    await using scene = await openScene();
    const { number } = scene.open({ body: reference });
    for (let count = 0; count < 120; count += 1) scene.github.openPullRequest({ author: "mona", head: "x" });
    const from = scene.github.requests.length;

    const found = [
      await scene.find({ trigger: "b".repeat(64), claimedAt }),
      await scene.find(request),
      await scene.find({ trigger, claimedAt: "2999-01-01T00:00:00Z" }),
    ];

    expect(found).toMatchObject([undefined, { number }, undefined]);
    // Two pages of the list, and the found pull request.
    expect(scene.github.requests.length - from).toBe(3);
  });

  test("do not read the pull requests of more than a month, however old the request's text is", async () => {
    await using scene = await openScene();
    scene.github.state.now = () => new Date(Date.now() - 40 * 24 * 3_600_000).toISOString();
    for (let count = 0; count < 220; count += 1) scene.github.openPullRequest({ author: "mona", head: "x" });
    const from = scene.github.requests.length;

    expect(await scene.find(request)).toBeUndefined();

    expect(scene.github.requests.length - from).toBe(1);
  });

  test("do not mistake a failed page for the end of the list", async () => {
    await using scene = await openScene();
    const { number } = scene.open({ body: reference });
    scene.github.faults.add({ path: "/pulls", fault: { kind: "answer", status: 403, body: "{}" } });

    await expect(scene.find(request)).rejects.toMatchObject({ code: "missing-permission" });
    expect(await scene.find(request)).toMatchObject({ number });
  });
});

test("Two concurrent runs post one introduction on a pull request", async () => {
  await using scene = await openScene();
  const { number } = scene.open();

  await Promise.all([scene.introduce(number), scene.introduce(number)]);

  expect(scene.github.commentsOn(number)).toHaveLength(1);
  expect(scene.run.log.shown).toStrictEqual([]);
});

test.each(["before", "after"] as const)(
  "A connection that is cut %s GitHub posts an introduction leads to one introduction",
  async (when) => {
    await using scene = await openScene();
    const { number } = scene.open();
    scene.github.faults.add({ method: "POST", path: "/comments", fault: { kind: "reset", when } });

    await scene.introduce(number);

    expect(scene.github.commentsOn(number)).toHaveLength(1);
    expect(scene.run.log.shown).toStrictEqual([]);
  },
);

test("A comment whose ID exceeds 32 bits, as those of GitHub do, introduces a pull request", async () => {
  await using scene = await openScene();
  const { number } = scene.open({ body: "" });
  const { state } = scene.github;
  const { nextId } = state;
  state.nextId = () => 2 ** 32 + nextId();
  await scene.introduce(number);

  expect(await scene.listOwn()).toMatchObject([{ openedBy }]);
});

test("Open pull requests with many comments are found, although GitHub limits what a query reads", async () => {
  await using scene = await openScene();
  for (let index = 0; index < 30; index += 1) {
    const { number } = scene.open({ head: `docs/${index}` });
    for (let count = 0; count < 20; count += 1)
      scene.github.addComment({ issue: number, author: "mona", body: "+1" });
  }
  scene.github.state.nodesPerQuery = 250;

  expect(await scene.listOwn()).toHaveLength(30);
});

describe("a pull request with a reference", () => {
  test.each([
    `Reference: ${reference}`,
    `Retries.\r\n\r\nReference: ${reference}\r\n`,
    `- **Reference:** \`${reference}\``,
    `<!-- Reference: ${reference} -->`,
  ])("is the agent's if the reference is written as the prompt requires: %j", async (body) => {
    await using scene = await openScene();
    scene.open({ author: "mona", body });

    expect(await scene.listOwn()).toHaveLength(1);
  });

  test.each([`This follows up on ${reference}.`, `> Reference: ${reference}\n\nWhat is this?`])(
    "is another author's where it only mentions or quotes it: %j",
    async (body) => {
      await using scene = await openScene();
      scene.open({ author: "mona", body });

      expect(await scene.listOwn()).toStrictEqual([]);
    },
  );

  test("counts in the docs repository, too", async () => {
    await using docs = await startGitHubStandIn({ repository: "octo-org/docs" });
    docs.openPullRequest({ author: "agent[bot]", head: "docs/a", body: `Reference: ${reference}` });
    const api = connectRun(docs, { "pull-requests": "read" });
    const deps = { api, signer, identity: { login: "github-actions[bot]" } };

    expect(await Array.fromAsync(listOpenOwn(deps, "octo-org/docs"))).toHaveLength(1);
  });

  test("is looked for in a description of many empty lines", async () => {
    await using scene = await openScene();
    scene.open({ author: "mona", body: `${"\n".repeat(400_000)}*` });

    expect(await scene.listOwn()).toStrictEqual([]);
  });
});

describe("readPullRequest", () => {
  test("recognizes the repository of the run by its former name", async () => {
    await using scene = await openScene();
    const { github, api } = scene;
    const { number } = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
    await readPullRequest(number, api);
    const body = JSON.stringify(github.requests.at(-1)?.body);
    const headers = { authorization: `token ${github.tokenOf("mona")}` };
    // GitHub answers a query for the former name with the repository as it is called now.
    const response = await fetch(github.run.graphqlUrl, { method: "POST", headers, body });
    const fault = { kind: "answer", status: 200, body: await response.text() } as const;
    github.faults.add({ path: "/graphql", fault });

    const pull = await readPullRequest(number, api, { owner: "octo-org", name: "gadgets" });

    expect(pull).toMatchObject({ number, isInOtherRepository: false });
  });

  /** Creates a pull request that changes two pages and a script; the site is in a folder of the repository. */
  function openDocs({ github }: Scene, folder = "docs/") {
    github.addCommit({ message: "Docs", files: [`${folder}docs.json`], author: "mona" });
    const files = ["build.ts", `${folder}guides/a page.mdx`, `${folder}old.md`].map(
      (filename, index) =>
        ({
          filename,
          status: index === 2 ? "removed" : "modified",
          additions: index + 1,
          deletions: index,
        }) as const,
    );
    const sha = github.addCommit({ branch: "docs/a", message: "Explain", files, author: "agent[bot]" });
    const pull = github.openPullRequest({
      author: "agent[bot]",
      head: "docs/a",
      title: "Explain",
      body: "B",
    });
    return { ...pull, sha };
  }

  test("reads all details that a run needs in one request", async () => {
    await using scene = await openScene();
    const { number, sha } = openDocs(scene);
    const from = scene.github.requests.length;

    expect(await readPullRequest(number, scene.api)).toMatchObject({
      number,
      nodeId: expect.stringMatching(/^PR_/),
      url: expect.stringMatching(/\/octo-org\/widgets\/pull\/\d+$/),
      title: "Explain",
      state: "open",
      headSha: sha,
      isFork: false,
      body: "B",
      additions: 6,
      deletions: 3,
      fileCount: 3,
      commits: [{ sha, title: "Explain" }],
      files: [
        { path: "docs/guides/a page.mdx", additions: 2, deletions: 1 },
        { path: "docs/old.md", additions: 3, deletions: 2 },
        { path: "build.ts", additions: 1, deletions: 0 },
      ],
    });
    expect(scene.github.requests.length - from).toBe(1);
  });

  test.each([
    ["https://p.example/site/?a#b", "docs/", "https://p.example/site/guides/a%20page"],
    ["https://p.example", "", "https://p.example/guides/a%20page"],
    ["https://p.example", "website/", undefined],
  ])("previews at %s, with the site in %j, the page %s", async (environmentUrl, folder, page) => {
    await using scene = await openScene();
    const { number, sha } = openDocs(scene, folder);
    scene.github.addDeployment({ sha, environmentUrl });
    const api = connectRun(scene.github, {
      "pull-requests": "read",
      contents: "read",
      deployments: "read",
    });

    const pull = await readPullRequest(number, api);

    expect(pull).toMatchObject({ previewUrl: new URL(environmentUrl).href });
    expect((pull as PullRequest).files.map(({ previewUrl }) => previewUrl)).toStrictEqual([
      page,
      undefined,
      undefined,
    ]);
  });

  test.each([
    [485, 500],
    [486, undefined],
    [500, undefined],
    [501, "none"],
  ])("previews at an address of %i characters a page with an address of %s", async (length, page) => {
    await using scene = await openScene();
    const { number, sha } = openDocs(scene, "docs/");
    scene.github.addDeployment({ sha, environmentUrl: `${"https://p.example/".padEnd(length - 1, "x")}/` });
    const api = connectRun(scene.github, { "pull-requests": "read", contents: "read", deployments: "read" });

    const pull = (await readPullRequest(number, api)) as PullRequest;

    expect(pull.previewUrl?.length).toBe(page === "none" ? undefined : length);
    expect(pull.files[0]?.previewUrl?.length).toBe(page === "none" ? undefined : page);
  });

  test("uses the newest successful deployment with an `https` URL", async () => {
    await using scene = await openScene();
    const { number, sha } = openDocs(scene);
    const deploy = (environmentUrl?: string, outcome?: "FAILURE") =>
      scene.github.addDeployment({
        sha,
        ...(environmentUrl && { environmentUrl }),
        ...(outcome && { outcome }),
      });
    for (const url of ["https://one.example/", "https://two.example/", "javascript:alert(1)"]) deploy(url);
    deploy("https://mona:secret@evil.example/");
    deploy("https://failed.example/", "FAILURE");
    deploy();

    const api = connectRun(scene.github, { "pull-requests": "read", deployments: "read" });
    const pull = await readPullRequest(number, api);

    expect(pull).toMatchObject({ previewUrl: "https://two.example/" });
    expect(PullSummary.parse(pull)).toMatchObject({ previewUrl: "https://two.example/" });
  });

  test("returns a summary that fits a record, also for a large pull request", async () => {
    await using scene = await openScene();
    const { github } = scene;
    const tooLong = `${"a/".repeat(149)}p.md`;
    const longest = `${"a/".repeat(148)}p.md`;
    const others = Array.from({ length: 10 }, (_, index) => `page-${index}.md`);
    const paths = [tooLong, longest, ...others];
    const commit = (message: string, files: string[]) =>
      github.addCommit({ branch: "docs/a", message, files, author: "agent[bot]" });
    for (const path of paths) commit(`${"Explain ".repeat(40)}\n\nMore.`, [path]);
    const options = { author: "agent[bot]", head: "docs/a", title: "Explain ".repeat(50) };
    const { number } = github.openPullRequest(options);

    const pull = await readPullRequest(number, scene.api);

    expect(pull).toMatchObject(PullSummary.parse(pull));
    expect(pull).toMatchObject({
      fileCount: 12,
      commits: { length: 10 },
      files: [longest, ...others.slice(0, 9)].map((path) => ({ path })),
    });
  });

  test("omits what the token may not read", async () => {
    await using github = await startGitHubStandIn({ isPrivate: true });
    const { number } = github.openPullRequest({ author: "agent[bot]", head: "docs/a", title: "Explain" });
    const api = connectRun(github, { "pull-requests": "read" });

    expect(await readPullRequest(number, api)).toMatchObject({ title: "Explain", state: "open" });
  });

  test("distinguishes a missing pull request from one that the token cannot see", async () => {
    await using scene = await openScene();
    const { number } = scene.github.addIssue({ author: "mona", title: "No pull request" });
    await using closed = await startGitHubStandIn({ isPrivate: true });
    const own = closed.openPullRequest({ author: "agent[bot]", head: "docs/a" });

    expect(await readPullRequest(4711, scene.api)).toBeUndefined();
    expect(await readPullRequest(number, scene.api)).toBeUndefined();
    expect(await readPullRequest(1, scene.api, { owner: "other", name: "docs" })).toBe("hidden");
    expect(await readPullRequest(own.number, connectRun(closed, { issues: "write" }))).toBe("hidden");
  });

  test("reads whether it is a draft, merged, closed or from a fork", async () => {
    await using scene = await openScene();
    const { github, api } = scene;
    const open = (head: string, options = {}) =>
      github.openPullRequest({ author: "agent[bot]", head, ...options });
    const merged = openDocs(scene);
    const [draft, fork, closed] = [
      open("docs/b", { draft: true }),
      open("docs/c", { headRepository: "mallory/widgets" }),
      open("docs/d"),
    ];
    github.mergePullRequest(merged);
    github.closeThread(closed);

    expect(await readPullRequest(draft.number, api)).toMatchObject({ state: "draft" });
    expect(await readPullRequest(fork.number, api)).toMatchObject({ isFork: true });
    expect(await readPullRequest(merged.number, api)).toMatchObject({ state: "merged", headSha: merged.sha });
    expect(await readPullRequest(closed.number, api)).toMatchObject({ state: "closed" });
  });
});

/** Creates a pull request with commits. */
function openPull(
  { github }: Scene,
  { head, body, commits }: { head: string; body: string; commits: number },
) {
  for (let count = 0; count < commits; count += 1)
    github.addCommit({ branch: head, message: `${head} ${count}`, author: "mona" });
  return github.openPullRequest({ author: "mona", head, body });
}

const openOwn = (scene: Scene, commits = 3) =>
  openPull(scene, { head: "docs/agent", body: `Reference: ${reference}`, commits });
const openOther = (scene: Scene) => openPull(scene, { head: "feature", body: "Mine.", commits: 2 });

/** Checks a push of all commits on a branch since a commit, by default since the start of the scene. */
function push(
  { github, deps, start }: Scene,
  {
    before = start,
    branch = "main",
    forced = false,
  }: { before?: string; branch?: string; forced?: boolean } = {},
): Promise<boolean> {
  const { event } = github.events.push({ before, after: tipOf(github, branch), branch, forced });
  const read = readEvent("push", event);
  if (read.type !== "push") throw new Error("This is no push.");
  return isFromOwnPullRequest(read, deps, { clock: createFakeClock(), signal: new AbortController().signal });
}

const methods: readonly MergeMethod[] = ["merge", "squash", "rebase"];

describe("a push", () => {
  test.each(methods)("that is the %s of our pull request is ours", async (method) => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene), method);

    expect(await push(scene)).toBe(true);
  });

  test.each(methods)(
    "that also holds the %s of a person's pull request is not, in either order",
    async (method) => {
      for (const isOwnLast of [true, false]) {
        await using scene = await openScene();
        const pulls = [openOther(scene), openOwn(scene)];
        for (const pull of isOwnLast ? pulls : pulls.toReversed())
          scene.github.mergePullRequest(pull, method);

        expect(await push(scene)).toBe(false);
      }
    },
  );

  // GitHub lists no pull request for a commit until it has indexed the merge.
  test.each(methods)("that is the %s of our pull request is ours before GitHub lists it", async (method) => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene), method);
    scene.github.faults.add({
      path: /\/commits\/[^/]+\/pulls/,
      times: 3,
      fault: { kind: "answer", status: 200, body: "[]" },
    });

    expect(await push(scene)).toBe(true);
  });

  test("of a user's commit is not ours, and takes one request more than a merge", async () => {
    await using scene = await openScene();
    openOwn(scene);
    scene.github.addCommit({ message: "Retry twice", author: "mona" });
    const { requests } = scene.github;
    const start = requests.length;

    expect(await push(scene)).toBe(false);
    expect(requests.length - start).toBe(2);
  });

  test("that also contains a user's commit without a pull request is not ours", async () => {
    await using scene = await openScene();
    scene.github.addCommit({ message: "Retry twice", author: "mona" });
    scene.github.mergePullRequest(openOwn(scene));

    expect(await push(scene)).toBe(false);
  });

  test("of two of our pull requests is ours", async () => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene));
    const second = openPull(scene, { head: "docs/agent-2", body: `Reference: ${reference}`, commits: 2 });
    scene.github.mergePullRequest(second, "squash");

    expect(await push(scene)).toBe(true);
  });

  test.each([
    [20, true],
    [21, false],
  ])("of %i commits, of which 20 are looked up, is ours: %s", async (commits, isOurs) => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene, commits), "rebase");

    expect(await push(scene)).toBe(isOurs);
  });

  test("to the branch of our open pull request is ours, and a copy of it on another branch is not", async () => {
    await using scene = await openScene();
    openOwn(scene);

    expect(await push(scene, { branch: "docs/agent", forced: true })).toBe(true);
    scene.github.state.refs.set("refs/heads/main", tipOf(scene.github, "docs/agent"));
    expect(await push(scene)).toBe(false);
  });

  test("to a branch with the same name as a fork's branch is not ours", async () => {
    await using scene = await openScene();
    scene.github.addCommit({ branch: "docs/agent", author: "mona" });
    scene.open({ author: "eve", head: "docs/agent", headRepository: "eve/widgets" });

    expect(await push(scene, { branch: "docs/agent" })).toBe(false);
  });

  test("of a tag is never ours", async () => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene));
    const head = { id: tipOf(scene.github), message: "" };

    const tag = { ref: "refs/tags/v2", head, commits: [], forced: false };
    const run = { clock: createFakeClock(), signal: new AbortController().signal };
    expect(await isFromOwnPullRequest(tag, scene.deps, run)).toBe(false);
    expect(await isFromOwnPullRequest({ ...tag, ref: "refs/heads/main" }, scene.deps, run)).toBe(true);
  });

  test("that rewrote history is never ours", async () => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene));
    const ours = tipOf(scene.github);
    const before = scene.github.addCommit({ message: "Retry twice", author: "mona", parent: scene.start });
    scene.github.state.refs.set("refs/heads/main", ours);

    expect(await push(scene, { before, forced: true })).toBe(false);
  });

  test("whose commit no longer exists is not ours", async () => {
    await using scene = await openScene();
    scene.github.faults.add({
      path: "/pulls",
      fault: { kind: "answer", status: 422, body: '{"message":"No commit found for SHA"}' },
    });
    scene.github.addCommit({ message: "Retry twice", author: "mona" });

    expect(await push(scene)).toBe(false);
  });
});

const nothing = { labels: [], reviewers: [], draft: false };

async function openOwnPull(permissions: Permissions) {
  const github = await startGitHubStandIn();
  const cancel = new AbortController();
  const log = createRecordingLog();
  const api = connectRun(github, permissions, { log, signal: cancel.signal });
  const opened = github.openPullRequest({ author: "agent[bot]", head: "docs/a" });
  const pull = await readPullRequest(opened.number, api);
  if (pull === undefined || pull === "hidden") throw new Error("The pull request is not there.");
  return {
    github,
    opened,
    cancel,
    log,
    pull,
    api,
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

test.each([
  [["rev"], { reviewers: ["rev"], teams: [] }],
  [["octo-org/docs"], { reviewers: [], teams: ["docs"] }],
  [["rev", "octo-org/docs"], { reviewers: ["rev"], teams: ["docs"] }],
])("reviews are requested from users and from teams: %j", async (reviewers, requested) => {
  await using scene = await openOwnPull({ "pull-requests": "write" });
  const { github, opened, pull, log } = scene;
  github.addPerson("rev");
  const api = connectTo(github.run.apiUrl, { token: github.tokenOf("docs-app[bot]"), log });

  await decoratePullRequest(pull, { ...nothing, reviewers }, api, log);

  expect(opened.pull).toMatchObject(requested);
  expect(log.shown).toEqual([]);
});

test("labels and reviewers are requested again after a failure of GitHub", async () => {
  await using scene = await openOwnPull({ "pull-requests": "write" });
  scene.github.addPerson("rev");
  for (const path of ["/labels", "/requested_reviewers"])
    scene.github.faults.add({ path, fault: { kind: "answer", status: 502, body: "Bad Gateway" } });

  const decoration = { ...nothing, labels: ["docs"], reviewers: ["rev"] };
  await decoratePullRequest(scene.pull, decoration, scene.api, scene.log);

  expect(scene.opened).toMatchObject({ labels: ["docs"], pull: { reviewers: ["rev"] } });
  expect(scene.log.shown).toStrictEqual([]);
});

test("a team that the run's token does not see keeps no user from being asked for a review", async () => {
  await using scene = await openOwnPull({ "pull-requests": "write" });
  scene.github.addPerson("rev");
  const reviewers = ["rev", "octo-org/docs"];

  await decoratePullRequest(scene.pull, { ...nothing, reviewers }, scene.api, scene.log);

  expect(scene.opened.pull).toMatchObject({ reviewers: ["rev"], teams: [] });
  expect(scene.log.shown).toStrictEqual([
    expect.stringMatching(
      /^warning: Pull request #\d+: .*team.*`members: read`.*Could not resolve to a node/,
    ),
  ]);
});

describe("labels and reviewers that GitHub refuses", () => {
  test("cause a warning that names the permission", async () => {
    await using scene = await openOwnPull({ "pull-requests": "read" });

    await decoratePullRequest(scene.pull, { ...nothing, labels: ["docs"] }, scene.api, scene.log);

    expect(scene.log.shown).toStrictEqual([
      expect.stringMatching(/^warning: Pull request #\d+: .*label.*`pull-requests: write`/),
    ]);
  });

  test("do not delay the end of a cancelled run", async () => {
    await using scene = await openOwnPull({ "pull-requests": "write" });
    const cancelled = new InterruptedError("cancelled", "The workflow was cancelled.");
    scene.cancel.abort(cancelled);

    const decorated = decoratePullRequest(
      scene.pull,
      { ...nothing, labels: ["docs"], draft: true },
      scene.api,
      scene.log,
    );

    await expect(decorated).rejects.toBe(cancelled);
    expect(scene.log.shown).toStrictEqual([]);
  });
});
