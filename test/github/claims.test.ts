import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import {
  createCommentClaimStore,
  isOlderClaim,
  type StoredClaim,
  triggerKey,
} from "../../src/github/claims.ts";
import { createThreadComments } from "../../src/github/comments.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { connectRun } from "../support/connect-github.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";

const trigger = {
  repositoryId: "101",
  eventKind: "issue-comment",
  subject: "IC_1",
  body: "/docs go\nnow",
  command: "agent",
  target: "prj_1",
};

test("a trigger is the same with other line ends, and another one with any other difference", () => {
  const key = triggerKey(trigger);

  expect(triggerKey({ ...trigger, body: "/docs go\r\nnow" })).toBe(key);
  const others = Object.entries(trigger).map(([name, value]) =>
    triggerKey({ ...trigger, [name]: `${value}x` }),
  );
  expect(new Set([key, ...others]).size).toBe(Object.keys(trigger).length + 1);
});

test.each([
  [
    "the first time",
    { id: 2, createdAt: "2026-01-01T00:00:00Z" },
    { id: 1, createdAt: "2026-01-01T00:00:01Z" },
  ],
  ["the lower number at the same time", ...numbered("2026-01-01T00:00:00Z")],
  ["the lower number without times", ...numbered(undefined)],
])("of two claims, the older one has %s", (_order, older, newer) => {
  const [one, other] = [older as StoredClaim, newer as StoredClaim];

  expect(isOlderClaim(one, other)).toBe(true);
  expect(isOlderClaim(other, one)).toBe(false);
  expect(isOlderClaim(one, one)).toBe(false);
});

function numbered(createdAt: string | undefined) {
  const time = createdAt === undefined ? {} : { createdAt };
  return [
    { id: 1, ...time },
    { id: 2, ...time },
  ] as const;
}

const identity = { login: "github-actions[bot]", id: 1, isBot: true };
const createdAt = "2026-01-01T12:00:00Z";
const record: ClaimRecord = {
  command: "agent",
  target: "prj_1",
  trigger: "a".repeat(64),
  state: "claimed",
  owner: "1.1.w",
  claimedAt: createdAt,
  leaseSeconds: 15,
};

/** Creates an issue with a two seconds old record, and the store of its claims. */
async function openScene(since: string) {
  let nowMs = Date.parse(createdAt);
  const github = await startGitHubStandIn({ clock: () => nowMs });
  const { number } = github.addIssue({ author: "mona" });
  const api = connectRun(github, { issues: "write", contents: "read" });
  const claims = createCommentClaimStore(
    { thread: { kind: "issue", number, nodeId: "" }, since },
    { api, identity, signer: createRecordSigner("svc_key"), render: () => "### Docs agent" },
  );
  await claims.create(record);
  nowMs += 2000;
  await api.request({ doing: "ask for the time", permission: "contents: read" }, "GET /repos/{owner}/{repo}");
  return { claims, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("the records of a thread", () => {
  test.each([
    ["was written before", "2026-01-01T11:59:59Z"],
    ["seems to be from the future", "2026-01-01T12:30:00Z"],
    ["has no time", ""],
  ])("are found if the trigger's text %s", async (_name, since) => {
    await using scene = await openScene(since);

    expect(await scene.claims.list()).toMatchObject([{ record: { owner: "1.1.w" } }]);
  });

  test("are not searched in comments before the trigger's text", async () => {
    await using scene = await openScene("2026-01-01T12:00:01Z");

    expect(await scene.claims.list()).toStrictEqual([]);
  });
});

test("A record that was deleted is not listed from the earlier list", async () => {
  await using github = await startGitHubStandIn({ clock: () => Date.parse(createdAt) });
  const { number } = github.addIssue({ author: "mona" });
  const api = connectRun(github, { issues: "write", contents: "read" });
  const deps = { api, identity, signer: createRecordSigner("svc_key"), render: () => "### Docs agent" };
  const thread = { kind: "issue", number, nodeId: "" } as const;
  const other = createCommentClaimStore({ thread }, deps);
  const claim = await other.create(record);
  const listed = { comments: await createThreadComments(thread, api).list(), at: createdAt };
  const claims = createCommentClaimStore({ thread, listed }, deps);
  await other.remove(claim);

  expect(await claims.reread(claim)).toBeUndefined();
  expect(await claims.list()).toStrictEqual([]);
});

test("A record that GitHub did not find for a moment is listed again", async () => {
  await using github = await startGitHubStandIn({ clock: () => Date.parse(createdAt) });
  const { number } = github.addIssue({ author: "mona" });
  const api = connectRun(github, { issues: "write", contents: "read" });
  const deps = { api, identity, signer: createRecordSigner("svc_key"), render: () => "### Docs agent" };
  const claims = createCommentClaimStore({ thread: { kind: "issue", number, nodeId: "" } }, deps);
  const claim = await claims.create(record);
  const body = '{"message":"Not Found"}';
  github.faults.add({ path: `/issues/comments/${claim.id}`, fault: { kind: "answer", status: 404, body } });

  expect(await claims.reread(claim)).toBeUndefined();
  expect(await claims.list()).toMatchObject([{ id: claim.id }]);
});

test("A record is as old as it was when it was listed", async () => {
  let nowMs = Date.parse(createdAt);
  await using github = await startGitHubStandIn({ clock: () => nowMs });
  const { number } = github.addIssue({ author: "mona" });
  const api = connectRun(github, { issues: "write", contents: "read" });
  const deps = { api, identity, signer: createRecordSigner("svc_key"), render: () => "### Docs agent" };
  const thread = { kind: "issue", number, nodeId: "" } as const;
  await createCommentClaimStore({ thread }, deps).create(record);
  const listed = { comments: await createThreadComments(thread, api).list(), at: createdAt };
  nowMs += 60_000;
  const claims = createCommentClaimStore({ thread, listed }, deps);

  expect(await claims.list()).toMatchObject([{ ageMs: 60_000 }]);
  expect(claims.listedAtStart?.()).toMatchObject([{ ageMs: 0 }]);
});

describe("the records of a pull request", () => {
  /** Creates a pull request with records in its conversation and in a review thread. */
  async function openPull() {
    let nowMs = Date.parse(createdAt);
    const github = await startGitHubStandIn({ clock: () => nowMs });
    const { number } = github.openPullRequest({ author: "mona", head: "x" });
    const { id } = github.addReviewThread({ pull: number, author: "mona", body: "Why?" });
    const api = connectRun(github, { "pull-requests": "write" });
    const deps = { api, identity, signer: createRecordSigner("svc_key"), render: () => "### Docs agent" };
    const thread = { kind: "pull-request", number, nodeId: "" } as const;
    const triggerComment = { id, nodeId: `PRRC_${id}`, topId: id };
    return {
      github,
      number,
      topId: id,
      passTime(ms: number) {
        nowMs += ms;
      },
      inConversation: createCommentClaimStore({ thread }, deps),
      onDiff: createCommentClaimStore({ thread: { ...thread, triggerComment } }, deps),
      [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
    };
  }

  test("are found in comments and review comments, and updated there", async () => {
    await using scene = await openPull();
    const { github, inConversation, onDiff } = scene;
    const first = await onDiff.create({ ...record, owner: "1.1.diff" });
    scene.passTime(1000);
    const second = await inConversation.create({ ...record, owner: "2.1.talk" });

    await inConversation.update(first, { ...record, owner: "1.1.diff", state: "submitting" });

    const found = [
      { id: first.id, isReviewComment: true, record: { owner: "1.1.diff", state: "submitting" } },
      { id: second.id, record: { owner: "2.1.talk" } },
    ];
    expect(await inConversation.list()).toMatchObject(found);
    expect(await onDiff.list()).toMatchObject(found);
    expect(isOlderClaim(first, second)).toBe(true);
    expect(isOlderClaim(second, first)).toBe(false);
    await inConversation.remove(first);
    expect([...github.state.reviewComments.values()]).toHaveLength(1);
  });

  test.each([
    ["just written", false],
    ["changed since", true],
  ])("are forged if they are copied between comments and review comments, %s", async (_name, isChanged) => {
    await using scene = await openPull();
    const { github, number, topId, inConversation, onDiff } = scene;
    const claims = [await inConversation.create(record), await onDiff.create(record)];
    for (const claim of claims) {
      if (isChanged) await onDiff.update(claim, { ...record, state: "ended" });
    }
    const bodies = (await onDiff.list()).map(({ body = "" }) => body);
    const author = identity.login;
    github.state.comments.clear();
    github.state.reviewComments.delete(claims[1]?.id ?? 0);

    github.addComment({ issue: number, author, body: bodies[1] ?? "" });
    github.addReviewComment({ pull: number, author, body: bodies[0] ?? "", inReplyTo: topId });

    expect(bodies).toStrictEqual([
      expect.stringContaining("docs-automation:claim"),
      expect.stringContaining("docs-automation:claim"),
    ]);
    expect(await onDiff.list()).toStrictEqual([]);
  });
});
