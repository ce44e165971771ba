import { describe, expect, test } from "vitest";
import { readEvent } from "../../../src/github/event/read-event.ts";
import { createGitHubApi } from "../../../src/github/github-api.ts";
import { readIdentity } from "../../../src/github/people/identity.ts";
import { isFromOwnPullRequest } from "../../../src/github/pull-requests/is-from-own-pull-request.ts";
import { createRecordSigner } from "../../../src/github/record-signer.ts";
import type { MergeMethod } from "../../support/github/scene-history.ts";
import { type GitHubStandIn, startGitHubStandIn } from "../../support/github-stand-in.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const reference = "Reference: docs-automation-0123456789abcdef01234567";

async function openScene() {
  const github = await startGitHubStandIn();
  const api = createGitHubApi(
    {
      apiUrl: github.run.apiUrl,
      token: github.runToken({ "pull-requests": "write", contents: "read" }),
      userAgent: "test",
      repository: { owner: "octo-org", name: "widgets", id: "101" },
    },
    { log: createRecordingLog(), signal: new AbortController().signal, random: () => 0.5 },
  );
  const deps = { api, identity: await readIdentity(api), signer: createRecordSigner("svc_key-one") };
  return { github, deps, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

const tipOf = ({ state }: GitHubStandIn, branch = "main") => state.refs.get(`refs/heads/${branch}`) ?? "";

/** A pull request with some commits. */
function openPull(
  { github }: Scene,
  { head, body, commits }: { head: string; body: string; commits: number },
) {
  for (let count = 0; count < commits; count += 1)
    github.addCommit({ branch: head, message: `${head} ${count}`, author: "mona" });
  return github.openPullRequest({ author: "mona", head, body });
}

const openOwn = (scene: Scene, commits = 3) =>
  openPull(scene, { head: "docs/agent", body: reference, commits });
const openOther = (scene: Scene) => openPull(scene, { head: "feature", body: "Mine.", commits: 2 });

/** What the action makes of a push of everything that came to a branch since then. */
function pushSince(
  { github, deps }: Scene,
  before: string,
  { branch = "main", forced = false }: { branch?: string; forced?: boolean } = {},
): Promise<boolean> {
  const { event } = github.events.push({ before, after: tipOf(github, branch), branch, forced });
  const push = readEvent("push", event);
  if (push.type !== "push") throw new Error("This is no push.");
  return isFromOwnPullRequest(push, deps);
}

const methods: readonly MergeMethod[] = ["merge", "squash", "rebase"];

describe("a push", () => {
  test.each(methods)("that is the %s of our pull request is ours", async (method) => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    scene.github.mergePullRequest(openOwn(scene), method);

    expect(await pushSince(scene, before)).toBe(true);
  });

  test.each(methods)(
    "that also holds the %s of a person's pull request is not, in either order",
    async (method) => {
      for (const isOwnLast of [true, false]) {
        await using scene = await openScene();
        const before = tipOf(scene.github);
        const pulls = [openOther(scene), openOwn(scene)];
        for (const pull of isOwnLast ? pulls : pulls.toReversed())
          scene.github.mergePullRequest(pull, method);

        expect(await pushSince(scene, before)).toBe(false);
      }
    },
  );

  test("that also holds a person's commit without a pull request is not ours", async () => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    scene.github.addCommit({ message: "Retry twice", author: "mona" });
    scene.github.mergePullRequest(openOwn(scene));

    expect(await pushSince(scene, before)).toBe(false);
  });

  test("of two pull requests of ours is ours", async () => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    scene.github.mergePullRequest(openOwn(scene));
    const second = openPull(scene, { head: "docs/agent-2", body: reference, commits: 2 });
    scene.github.mergePullRequest(second, "squash");

    expect(await pushSince(scene, before)).toBe(true);
  });

  test("of a merge with more commits than a page asks once for each page", async () => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    scene.github.mergePullRequest(openOwn(scene, 150));
    const known = scene.github.requests.length;

    expect(await pushSince(scene, before)).toBe(true);
    expect(scene.github.requests.slice(known).map(({ operation }) => operation)).toStrictEqual([
      "repos/list-pull-requests-associated-with-commit",
      "pulls/list-commits",
      "pulls/list-commits",
    ]);
  });

  test("of a rebase with more commits than are looked up counts as somebody else's", async () => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    scene.github.mergePullRequest(openOwn(scene, 60), "rebase");
    const known = scene.github.requests.length;

    expect(await pushSince(scene, before)).toBe(false);
    expect(scene.github.requests.length - known).toBeLessThan(60);
  });

  test("to the branch of our open pull request is ours, and a copy of it on another branch is not", async () => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    openOwn(scene);

    expect(await pushSince(scene, before, { branch: "docs/agent", forced: true })).toBe(true);
    scene.github.state.refs.set("refs/heads/main", tipOf(scene.github, "docs/agent"));
    expect(await pushSince(scene, before)).toBe(false);
  });

  test("to a branch of that name in a fork does not make it ours", async () => {
    await using scene = await openScene();
    const before = tipOf(scene.github);
    scene.github.addCommit({ branch: "docs/agent", author: "mona" });
    scene.github.openPullRequest({
      author: "eve",
      head: "docs/agent",
      headRepository: "eve/widgets",
      body: reference,
    });

    expect(await pushSince(scene, before, { branch: "docs/agent" })).toBe(false);
  });

  test("of a tag is not ours, whatever its commit came with", async () => {
    await using scene = await openScene();
    scene.github.mergePullRequest(openOwn(scene));
    const head = { id: tipOf(scene.github), message: "" };

    const push = { ref: "refs/tags/v2", head, commits: [], forced: false };
    expect(await isFromOwnPullRequest(push, scene.deps)).toBe(false);
    expect(await isFromOwnPullRequest({ ...push, ref: "refs/heads/main" }, scene.deps)).toBe(true);
  });

  test("that rewrote history is not ours, whatever its tip came with", async () => {
    await using scene = await openScene();
    const base = tipOf(scene.github);
    scene.github.mergePullRequest(openOwn(scene));
    const ours = tipOf(scene.github);
    const before = scene.github.addCommit({ message: "Retry twice", author: "mona", parent: base });
    scene.github.state.refs.set("refs/heads/main", ours);

    expect(await pushSince(scene, before, { forced: true })).toBe(false);
  });

  test("whose commit is gone by now is not ours", async () => {
    await using scene = await openScene();
    scene.github.faults.add({
      path: "/pulls",
      fault: { kind: "answer", status: 422, body: '{"message":"No commit found for SHA"}' },
    });
    const before = tipOf(scene.github);
    scene.github.mergePullRequest(openOwn(scene));

    expect(await pushSince(scene, before)).toBe(false);
  });
});
