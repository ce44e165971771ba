import { describe, expect, test } from "vitest";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import {
  type AddressedRequest,
  readReviewThreads,
  replyToReviewThreads,
} from "../../src/github/review-threads.ts";
import { renderAddressedReply } from "../../src/presentation/status-comment.ts";
import { connectRun } from "../support/connect-github.ts";
import { type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { createRecordingLog } from "../support/recording-log.ts";

const minute = 60_000;
const all: Permissions = { contents: "write", "pull-requests": "write" };
const bot = "github-actions[bot]";

/** Creates a pull request with two pages, and replies to its review threads. */
async function openScene() {
  let nowMs = Date.parse("2026-01-01T12:00:00Z");
  const github = await startGitHubStandIn({ clock: () => nowMs });
  const pull = github.openPullRequest({ author: "agent[bot]", head: "docs/a", files: ["a.md", "b.md"] });
  const connect = (permissions: Permissions = all) => {
    const log = createRecordingLog();
    const api = connectRun(github, permissions, { log });
    const identity = { login: bot, id: 1, isBot: true };
    return { api, identity, signer: createRecordSigner("svc_key-one"), log };
  };
  const head = () => github.state.refs.get("refs/heads/docs/a") ?? "";
  /** Time of the request; the agent pushes commits after it. */
  const request = () => {
    const facts = { requestedAt: new Date(nowMs).toISOString(), headBefore: head() };
    nowMs += minute;
    return facts;
  };
  return {
    github,
    pull,
    connect,
    request,
    comment: (options: { path?: string; line?: number; body?: string; review?: number } = {}) =>
      github.addReviewThread({
        pull: pull.number,
        author: "rev",
        path: "a.md",
        line: 10,
        body: "Why?",
        ...options,
      }),
    push: (...files: Parameters<typeof github.pushToPullRequest>[1][]) =>
      files.map((commit) => github.pushToPullRequest(pull, commit)).at(-1) ?? "",
    passTime(ms: number) {
      nowMs += ms;
    },
    async answer(
      facts: Pick<AddressedRequest, "requestedAt" | "headBefore" | "reviewId">,
      use: Partial<AddressedRequest> = {},
      deps = connect(),
    ) {
      const from = github.requests.length;
      const given = {
        pullNumber: pull.number,
        resolve: false,
        describe: renderAddressedReply,
        headAfter: head(),
      };
      await replyToReviewThreads({ ...given, ...facts, ...use }, deps, deps.log);
      return {
        log: deps.log.shown,
        operations: github.requests.slice(from).map(({ operation }) => operation),
      };
    },
    /** The replies of our account in the thread of a comment. */
    repliesTo: ({ id }: { id: number }) =>
      [...github.state.reviewComments.values()]
        .filter(({ inReplyTo, author }) => inReplyTo === id && author === bot)
        .map(({ body }) => body.replace(/\n\n<!-- docs-automation:addressed:v1 [\w.-]+ -->$/, "")),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

const replied = (sha: string) =>
  `Addressed in [\`${sha.slice(0, 7)}\`](https://github.localhost/octo-org/widgets/commit/${sha}).`;

/** A patch that changes line `line` of a file. */
const change = (filename: string, line: number) =>
  ({
    files: [{ filename, status: "modified", patch: `@@ -${line - 1},3 +${line - 1},3 @@\n a\n-b\n+c\n d` }],
  }) as const;

describe("the review threads of a pull request", () => {
  test("are read with their lines and comments in one request", async () => {
    await using scene = await openScene();
    const { github, pull } = scene;
    const first = github.addReviewThread({
      pull: pull.number,
      author: "rev",
      path: "a.md",
      line: 3,
      side: "LEFT",
      diffHunk: "@@ -1,3 +1,3 @@\n+new",
      body: "Why?",
      replies: [{ author: "mona", body: "Because." }],
    });
    github.resolveThread(scene.comment());
    github.addReview({ pull: pull.number, author: "rev", body: "Two questions." });
    const { api } = scene.connect({ "pull-requests": "read" });
    const from = github.requests.length;

    const { threads, reviews, unread } = await readReviewThreads(pull.number, api);

    expect(github.requests.slice(from)).toHaveLength(1);
    expect(threads).toMatchObject([
      {
        topId: first.id,
        isResolved: false,
        isOutdated: false,
        isOnOldSide: true,
        location: { path: "a.md", line: 3, hunk: "@@ -1,3 +1,3 @@\n+new" },
        comments: [
          { id: first.id, isReviewComment: true, author: { login: "rev" }, body: "Why?" },
          { parentId: first.id, author: { login: "mona" }, body: "Because." },
        ],
        unread: 0,
      },
      { isResolved: true, isOnOldSide: false },
    ]);
    expect(reviews).toMatchObject([{ author: { login: "rev" }, body: "Two questions." }]);
    expect(unread).toBe(0);
  });

  test("keep the line of an outdated thread", async () => {
    await using scene = await openScene();
    scene.comment({ line: 10 });
    scene.push(change("a.md", 10));

    const { threads } = await readReviewThreads(scene.pull.number, scene.connect().api);

    expect(threads).toMatchObject([{ isOutdated: true, location: { path: "a.md", line: 10 } }]);
  });

  test("are the newest 300 with their newest 50 comments, in three requests", async () => {
    await using scene = await openScene();
    const { github, pull } = scene;
    for (let index = 1; index <= 302; index += 1) scene.comment({ body: `Thread ${index}` });
    const last = scene.comment({ body: "The last." });
    for (let index = 1; index <= 60; index += 1) {
      github.addReviewComment({
        pull: pull.number,
        author: "mona",
        body: `Reply ${index}`,
        inReplyTo: last.id,
      });
    }
    const { api } = scene.connect();
    const from = github.requests.length;

    const { threads, unread } = await readReviewThreads(pull.number, api);

    expect(github.requests.slice(from)).toHaveLength(3);
    expect(threads.map(({ comments: [first] }) => first?.body).slice(0, 2)).toStrictEqual([
      "Thread 4",
      "Thread 5",
    ]);
    expect(unread).toBe(3);
    const newest = threads.at(-1);
    expect(newest).toMatchObject({ topId: last.id, unread: 11 });
    expect(newest?.comments.map(({ body }) => body)).toHaveLength(50);
    expect(newest?.comments.at(-1)?.body).toBe("Reply 60");
  });

  test("are read in smaller pages if GitHub finds a query too large", async () => {
    await using scene = await openScene();
    for (let index = 1; index <= 303; index += 1) scene.comment({ body: `Thread ${index}` });
    const { api } = scene.connect();
    scene.github.state.nodesPerQuery = 100;

    const { threads, unread } = await readReviewThreads(scene.pull.number, api);

    expect(threads.map(({ comments: [first] }) => first?.body)).toStrictEqual(
      Array.from({ length: 300 }, (_, index) => `Thread ${index + 4}`),
    );
    expect(unread).toBe(3);
  });

  test.each([502, 504])(
    "are read in smaller pages if a query takes GitHub too long, which is status %i",
    async (status) => {
      await using scene = await openScene();
      for (let index = 1; index <= 30; index += 1) scene.comment();
      const fault = {
        kind: "answer",
        status,
        body: JSON.stringify({ message: "We couldn't respond in time." }),
      } as const;
      scene.github.faults.add({ path: "/graphql", times: 4, fault });

      const { threads } = await readReviewThreads(scene.pull.number, scene.connect().api);

      expect(threads).toHaveLength(30);
      // Four attempts at all of them, and three pages of ten.
      expect(scene.github.requests).toHaveLength(7);
    },
  );

  test("cannot be read if GitHub finds every page too large, which the error says once", async () => {
    await using scene = await openScene();
    scene.comment();
    const { api } = scene.connect();
    scene.github.state.nodesPerQuery = 0;
    const from = scene.github.requests.length;

    await expect(readReviewThreads(scene.pull.number, api)).rejects.toMatchObject({
      code: "unavailable",
      message: `GitHub could not read the review threads of #${scene.pull.number}: Resource limits for this query exceeded.`,
    });
    expect(scene.github.requests.length - from).toBeLessThan(8);
  });
});

describe("a review that the token's account has not submitted", () => {
  /** A thread in which the account drafted a reply, and a drafted thread. */
  async function openDraft() {
    const scene = await openScene();
    const thread = scene.comment();
    const pull = scene.pull.number;
    const { id: review } = scene.github.addReview({ pull, author: bot, body: "Draft.", state: "PENDING" });
    scene.github.addReviewComment({ pull, author: bot, body: "Draft.", inReplyTo: thread.id, review });
    scene.github.addReviewThread({ pull, author: bot, path: "a.md", line: 10, body: "Draft.", review });
    return { ...scene, thread };
  }

  test("is not read", async () => {
    await using scene = await openDraft();

    const { threads, reviews, unread } = await readReviewThreads(scene.pull.number, scene.connect().api);

    expect(threads.map(({ comments }) => comments.map(({ body }) => body))).toStrictEqual([["Why?"]]);
    expect(threads).toMatchObject([{ unread: 0 }]);
    expect({ reviews, unread }).toStrictEqual({ reviews: [], unread: 0 });
  });

  test("gets no reply, which GitHub would not show, but a warning that names it", async () => {
    await using scene = await openDraft();
    const request = scene.request();
    scene.push(change("a.md", 10));

    const { log } = await scene.answer(request, { resolve: true });

    expect(scene.repliesTo(scene.thread)).toStrictEqual(["Draft."]);
    expect(log).toStrictEqual([
      expect.stringMatching(/^warning: Pull request #1: .*github-actions\[bot\].* submit or discard/),
    ]);
  });
});

describe("replyToReviewThreads", () => {
  test("replies to threads whose lines the commit changed", async () => {
    await using scene = await openScene();
    const near = scene.comment({ line: 10 });
    const far = scene.comment({ line: 90 });
    const elsewhere = scene.comment({ path: "b.md", line: 10 });
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));

    const { log, operations } = await scene.answer(request);

    expect(scene.repliesTo(near)).toStrictEqual([replied(sha)]);
    expect(scene.repliesTo(far)).toStrictEqual([]);
    expect(scene.repliesTo(elsewhere)).toStrictEqual([]);
    expect(log).toStrictEqual([]);
    expect(operations).toStrictEqual([
      "graphql:repository",
      "repos/compare-commits-with-basehead",
      "graphql:addPullRequestReviewThreadReply",
    ]);
    expect(scene.github.isResolved(near)).toBe(false);
  });

  test("replies to threads with a line of the change before or after the push", async () => {
    await using scene = await openScene();
    const threads = [49, 50, 52, 53, 59, 60, 63, 64].map((line) => scene.comment({ line }));
    const request = scene.request();
    const patch = "@@ -50,3 +60,4 @@\n a\n+b\n c\n d";
    const sha = scene.push({ files: [{ filename: "a.md", status: "modified", patch }] });

    await scene.answer(request);

    const [yes, no] = [[replied(sha)], []];
    const replies = threads.map((thread) => scene.repliesTo(thread));
    expect(replies).toStrictEqual([no, yes, yes, no, no, yes, yes, no]);
  });

  test("replies to threads near the change, and to those on a whole changed file", async () => {
    await using scene = await openScene();
    const nextLine = scene.comment({ line: 11 });
    const file = scene.github.addReviewComment({
      pull: scene.pull.number,
      author: "rev",
      body: "Too long.",
      path: "a.md",
      line: undefined,
    });
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));

    await scene.answer(request);

    expect(scene.repliesTo(nextLine)).toStrictEqual([replied(sha)]);
    expect(scene.repliesTo(file)).toStrictEqual([replied(sha)]);
  });

  test("replies only to outdated threads if the push rewrote the commits: GitHub compares all of them", async () => {
    await using scene = await openScene();
    const { github } = scene;
    const [unchanged, outdated] = [3, 4].map((line) => scene.comment({ path: "b.md", line }));
    const facts = scene.request();
    const parent = github.state.refs.get("refs/heads/main") ?? "";
    const patch = "@@ -1,5 +1,5 @@\n a\n b\n c\n-d\n+e\n f";
    const files = [{ filename: "b.md", status: "modified", patch }] as const;
    const sha = github.addCommit({ branch: "docs/a", parent, author: "agent[bot]", files });

    await scene.answer(facts, { resolve: true });

    const replies = [unchanged, outdated].map((thread) => thread && scene.repliesTo(thread));
    expect(replies).toStrictEqual([[], [replied(sha)]]);
    expect(unchanged && github.isResolved(unchanged)).toBe(false);
  });

  test("names the last of several commits that changed the file", async () => {
    await using scene = await openScene();
    const [a, b] = [scene.comment(), scene.comment({ path: "b.md" })];
    const request = scene.request();
    const ofB = scene.push(change("b.md", 10));
    scene.push(change("a.md", 10));
    const ofA = scene.push(change("a.md", 11));
    scene.push({ files: ["c.md"] });

    const { operations } = await scene.answer(request);

    expect(scene.repliesTo(a)).toStrictEqual([replied(ofA)]);
    expect(scene.repliesTo(b)).toStrictEqual([replied(ofB)]);
    expect(operations).toHaveLength(4);
  });

  test("names the only commit that changed the only file, although another one followed", async () => {
    await using scene = await openScene();
    const thread = scene.comment();
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));
    scene.push({ files: ["c.md"] });

    await scene.answer(request);

    expect(scene.repliesTo(thread)).toStrictEqual([replied(sha)]);
  });

  test("skips threads that are resolved or were opened after the request", async () => {
    await using scene = await openScene();
    const resolved = scene.comment();
    scene.github.resolveThread(resolved);
    const request = scene.request();
    const later = scene.comment();
    scene.push(change("a.md", 10));

    const { operations } = await scene.answer(request);

    expect([...scene.repliesTo(resolved), ...scene.repliesTo(later)]).toStrictEqual([]);
    expect(operations).toStrictEqual(["graphql:repository"]);
  });

  test("skips a thread that was drafted before the request, and published after it", async () => {
    await using scene = await openScene();
    const draft = scene.comment();
    const request = scene.request();
    draft.publishedAt = new Date(Date.parse(request.requestedAt) + minute).toISOString();
    scene.push(change("a.md", 10));

    await scene.answer(request, { resolve: true });

    expect(scene.repliesTo(draft)).toStrictEqual([]);
    expect(scene.github.isResolved(draft)).toBe(false);
  });

  test("resolves the threads of the review that is the request, which GitHub published a moment later", async () => {
    await using scene = await openScene();
    const { github, pull } = scene;
    const review = github.addReview({ pull: pull.number, author: "rev", body: "/docs fix both" });
    const request = { ...scene.request(), reviewId: review.id };
    const thread = github.addReviewThread({
      ...{ pull: pull.number, author: "rev", review: review.id },
      ...{ path: "a.md", line: 10, body: "Why?" },
    });
    const sha = scene.push(change("a.md", 10));

    await scene.answer(request, { resolve: true });

    expect(scene.repliesTo(thread)).toStrictEqual([replied(sha)]);
    expect(github.isResolved(thread)).toBe(true);
  });

  test("resolves threads with `resolve`, unless users commented since", async () => {
    await using scene = await openScene();
    const [quiet, busy, edited] = [scene.comment(), scene.comment(), scene.comment()];
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));
    scene.github.addReviewComment({
      pull: scene.pull.number,
      author: "rev",
      body: "And this?",
      inReplyTo: busy.id,
    });

    scene.github.edit(edited, { body: "Why, and for how long?" });

    const { log, operations } = await scene.answer(request, { resolve: true });

    expect(scene.github.isResolved(quiet)).toBe(true);
    expect(scene.github.isResolved(busy)).toBe(false);
    expect(scene.github.isResolved(edited)).toBe(false);
    expect(scene.repliesTo(busy)).toStrictEqual([replied(sha)]);
    expect(log).toStrictEqual([]);
    expect(operations.filter((operation) => operation?.includes("Reply"))).toHaveLength(1);
  });

  test("replies once, also if the run is repeated", async () => {
    await using scene = await openScene();
    const thread = scene.comment();
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));

    await scene.answer(request);
    await scene.answer(request);

    expect(scene.repliesTo(thread)).toStrictEqual([replied(sha)]);
  });

  test("replies again for a later request's commit", async () => {
    await using scene = await openScene();
    const thread = scene.comment();
    const first = scene.request();
    const one = scene.push(change("a.md", 10));
    await scene.answer(first);
    const second = scene.request();
    const other = scene.push(change("a.md", 10));

    await scene.answer(second);

    expect(scene.repliesTo(thread)).toStrictEqual([replied(one), replied(other)]);
  });

  test("replies although another account posted a copy of the reply", async () => {
    await using scene = await openScene();
    const { github, pull } = scene;
    const [one, other] = [scene.comment(), scene.comment({ path: "b.md" })];
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));
    await scene.answer(request);
    const genuine =
      [...github.state.reviewComments.values()].find(({ author }) => author === bot)?.body ?? "";
    for (const { id } of [one, other]) {
      github.addReviewComment({ pull: pull.number, author: "eve", body: genuine, inReplyTo: id });
    }
    const next = scene.push(change("b.md", 10));

    await scene.answer(request);

    expect(scene.repliesTo(one)).toStrictEqual([replied(sha)]);
    expect(scene.repliesTo(other)).toStrictEqual([replied(next)]);
  });

  test("updates five threads in a request, because GitHub does not execute many changes at once", async () => {
    await using scene = await openScene();
    const threads = Array.from({ length: 25 }, () => scene.comment());
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));

    const { operations } = await scene.answer(request, { resolve: true });

    for (const thread of threads) {
      expect(scene.repliesTo(thread)).toStrictEqual([replied(sha)]);
      expect(scene.github.isResolved(thread)).toBe(true);
    }
    expect(operations.filter((operation) => operation?.includes("resolveReviewThread"))).toHaveLength(5);
  });

  test("names the last commits of many files, although GitHub limits what a query reads", async () => {
    await using scene = await openScene();
    const paths = Array.from({ length: 22 }, (_, index) => `${index}.md`);
    scene.push({ files: paths });
    const { id: review } = scene.github.addReview({ pull: scene.pull.number, author: "rev", body: "" });
    const threads = paths.map((path) => scene.comment({ path, review }));
    const request = scene.request();
    const shas = paths.map((path) => scene.push(change(path, 10)));
    scene.github.state.nodesPerQuery = 15;

    const { log } = await scene.answer(request);

    expect(log).toStrictEqual([]);
    expect(threads.map((thread) => scene.repliesTo(thread))).toStrictEqual(shas.map((sha) => [replied(sha)]));
  });

  test("replies, with a warning that names the permission, if the token may not resolve threads", async () => {
    await using scene = await openScene();
    const thread = scene.comment();
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));
    const deps = scene.connect({ ...all, contents: "read" });

    const { log } = await scene.answer(request, { resolve: true }, deps);

    expect(scene.repliesTo(thread)).toStrictEqual([replied(sha)]);
    expect(log).toStrictEqual([expect.stringMatching(/^warning: Pull request #\d+: .*`contents: write`/)]);
  });

  test("only logs a warning if GitHub cannot compare the heads", async () => {
    await using scene = await openScene();
    const thread = scene.comment();
    const request = scene.request();
    scene.push(change("a.md", 10));

    const { log } = await scene.answer({ ...request, headBefore: "0".repeat(40) });

    expect(scene.repliesTo(thread)).toStrictEqual([]);
    expect(log).toStrictEqual([expect.stringMatching(/^warning: Pull request #\d+: /)]);
  });

  test("replies once if GitHub's response to the reply is lost", async () => {
    await using scene = await openScene();
    const thread = scene.comment();
    const request = scene.request();
    const sha = scene.push(change("a.md", 10));
    // After the query of the review threads.
    scene.github.faults.add({ path: "/graphql", skip: 1, fault: { kind: "reset", when: "after" } });

    const { log } = await scene.answer(request);
    await scene.answer(request);

    expect(scene.repliesTo(thread)).toStrictEqual([replied(sha)]);
    expect(log).toStrictEqual([expect.stringMatching(/^warning: Pull request #\d+: /)]);
  });
});
