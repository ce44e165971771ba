import { describe, expect, test } from "vitest";
import {
  type Comment,
  createThreadComments,
  filterUnedited,
  orderByThread,
  permissionToWrite,
  pickConversation,
  sortByTime,
  type ThreadAddress,
} from "../../src/github/comments.ts";
import { connectRun, connectTo } from "../support/connect-github.ts";
import type { DiscussionComment } from "../support/github/state.ts";
import { type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";
import { startHttpServer } from "../support/http-server.ts";

/** Creates a discussion and its comment API. */
async function openDiscussion() {
  let nowMs = Date.parse("2026-06-01T00:00:00Z");
  const github = await startGitHubStandIn({ clock: () => nowMs });
  const api = connectRun(github, { discussions: "write" });
  const { number, id } = github.addDiscussion({ author: "mona" });
  return {
    github,
    passTime(ms: number) {
      nowMs += ms;
    },
    say: (body: string, replyTo?: DiscussionComment) =>
      github.addDiscussionComment({
        discussion: number,
        author: "mona",
        body,
        ...(replyTo && { replyTo: replyTo.id }),
      }),
    /** The comment API for an event of a comment or of the discussion itself. */
    commentsFor(asking?: DiscussionComment) {
      const thread: ThreadAddress = {
        kind: "discussion",
        number,
        nodeId: `D_${id}`,
        ...(asking && {
          triggerComment: { id: asking.id, nodeId: `DC_${asking.id}`, topId: asking.replyTo ?? asking.id },
        }),
      };
      return createThreadComments(thread, api);
    },
    /** The texts of our comments, and the comments they reply to. */
    ours: () =>
      [...github.state.discussionComments.values()]
        .filter(({ author }) => author === "github-actions[bot]")
        .map(({ body, replyTo }) => ({ body, replyTo })),
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

describe("a new comment on a discussion", () => {
  type Say = Awaited<ReturnType<typeof openDiscussion>>["say"];
  type Asked = { readonly asked?: DiscussionComment; readonly isDeleted?: boolean; readonly home?: number };

  test.each<[string, (say: Say) => Asked]>([
    [
      "in reply to the trigger comment",
      (say) => {
        const asked = say("/docs explain");
        return { asked, home: asked.id };
      },
    ],
    [
      "in the thread of the triggering reply",
      (say) => {
        const top = say("How does it retry?");
        return { asked: say("/docs explain", top), home: top.id };
      },
    ],
    ["at the top level if the discussion itself triggered the run", () => ({})],
    [
      "at the top level if the triggering comment was deleted",
      (say) => ({ asked: say("/docs explain"), isDeleted: true }),
    ],
    [
      "at the top level if the triggering reply was deleted",
      (say) => ({ asked: say("/docs explain", say("Hello")), isDeleted: true }),
    ],
    [
      "at the top level if the comment is a reply, which accepts no replies",
      (say) => ({ asked: { ...say("/docs explain", say("Hello")), replyTo: undefined } }),
    ],
  ])("is %s", async (_name, ask) => {
    await using scene = await openDiscussion();
    const { asked, isDeleted, home } = ask(scene.say);
    if (asked && isDeleted) scene.github.deleteComment(asked);

    const { parentId } = await scene.commentsFor(asked).create("Working on it.");

    expect(scene.ours()).toStrictEqual([{ body: "Working on it.", replyTo: home }]);
    if (home !== undefined) expect(parentId).toBe(home);
    if (home === asked?.id) expect(scene.github.requests).toHaveLength(1);
  });

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("whose answer is lost %s GitHub took it is not sent again", async (when, count) => {
    await using scene = await openDiscussion();
    const asked = scene.say("/docs explain");
    scene.github.faults.add({ path: "/graphql", fault: { kind: "reset", when } });

    await expect(scene.commentsFor(asked).create("Working on it.")).rejects.toMatchObject({
      code: "unreachable",
    });

    expect(scene.github.requests).toHaveLength(1);
    expect(scene.ours()).toHaveLength(count);
  });

  test("is deleted if the response to the deletion is lost", async () => {
    await using scene = await openDiscussion();
    const comments = scene.commentsFor();
    const created = await comments.create("Working on it.");
    scene.github.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });

    await comments.remove(created);

    expect(scene.ours()).toStrictEqual([]);
  });

  test("is updated, read and deleted", async () => {
    await using scene = await openDiscussion();
    const comments = scene.commentsFor();
    const created = await comments.create("Working on it.");

    expect(await comments.update(created, "Done.")).toMatchObject({ id: created.id, body: "Done." });
    expect(await comments.read(created)).toMatchObject({ id: created.id, body: "Done." });
    await comments.remove(created);
    expect(await comments.read(created)).toBeUndefined();
  });

  test("is not posted twice if GitHub's response contains a partial error", async () => {
    const answer = {
      data: { addDiscussionComment: { comment: null } },
      errors: [{ type: "FORBIDDEN", path: ["addDiscussionComment", "comment"], message: "Not for you" }],
    };
    await using server = await startHttpServer(() => Response.json(answer));
    const triggerComment = { id: 2, nodeId: "DC_2", topId: 2 };
    const thread: ThreadAddress = { kind: "discussion", number: 1, nodeId: "D_1", triggerComment };

    await expect(createThreadComments(thread, connectTo(server.url)).create("Hi")).rejects.toMatchObject({
      code: "missing-permission",
    });

    expect(server.requests).toHaveLength(1);
  });
});

describe("the comments of a discussion", () => {
  test("are listed over all pages, with all pages of replies, oldest first", async () => {
    await using scene = await openDiscussion();
    const tops = Array.from({ length: 101 }, (_, index) => scene.say(`comment ${index}`));
    const replies = Array.from({ length: 205 }, (_, index) => scene.say(`reply ${index}`, tops[7]));
    const later = scene.say("later", tops[0]);

    const listed = await scene.commentsFor().list();

    expect(listed.map(({ id }) => id)).toStrictEqual([...tops, ...replies, later].map(({ id }) => id));
    expect(listed.at(-1)).toMatchObject({ parentId: tops[0]?.id });
    // Two pages of comments, and two pages of replies.
    expect(scene.github.requests).toHaveLength(4);
  });

  test("are listed in smaller pages if GitHub finds a query too large", async () => {
    await using scene = await openDiscussion();
    const tops = Array.from({ length: 40 }, (_, index) => scene.say(`comment ${index}`));
    const replies = tops.flatMap((top) =>
      Array.from({ length: 9 }, (_, index) => scene.say(`${index}`, top)),
    );
    scene.github.state.nodesPerQuery = 150;

    const listed = await scene.commentsFor().list();

    expect(listed.map(({ id }) => id).sort()).toStrictEqual([...tops, ...replies].map(({ id }) => id).sort());
  });

  test("contain whether a maintainer hid a comment or reply", async () => {
    await using scene = await openDiscussion();
    const top = scene.say("How does it retry?");
    scene.say("Buy my watches!", top).isMinimized = true;

    const listed = await scene.commentsFor(top).list();

    expect(listed.map(({ body, isMinimized }) => [body, isMinimized])).toStrictEqual([
      ["How does it retry?", false],
      ["Buy my watches!", true],
    ]);
  });

  test("since a time are those created or changed since then, without pages of older replies", async () => {
    await using scene = await openDiscussion();
    const top = scene.say("comment");
    for (let count = 0; count < 250; count += 1) scene.say(`reply ${count}`, top);
    scene.passTime(60_000);
    const since = "2026-06-01T00:01:00Z";
    scene.github.edit(top, { body: "changed" });
    const fresh = scene.say("fresh", top);

    const listed = await scene.commentsFor().list({ since });

    expect(listed.map(({ id }) => id)).toStrictEqual([top.id, fresh.id]);
    expect(scene.github.requests).toHaveLength(1);
  });
});

const related = [
  { id: 1 },
  { id: 2 },
  { id: 3, parentId: 1 },
  { id: 4, parentId: 2 },
  { id: 5 },
  { id: 6, parentId: 1 },
];
const trigger = { id: 6, nodeId: "DC_6", topId: 1 };
const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id);

describe("the comments of a pull request", () => {
  /** Creates a pull request with a triggering review thread, and its comment API. */
  async function openPull(permissions: Permissions = { "pull-requests": "write" }) {
    let nowMs = Date.parse("2026-01-01T12:00:00Z");
    const github = await startGitHubStandIn({ clock: () => nowMs });
    const pull = github.openPullRequest({ author: "alice", head: "x" });
    const top = github.addReviewThread({ pull: pull.number, author: "rev", body: "Why?" });
    const asked = github.addReviewComment({
      pull: pull.number,
      author: "mona",
      body: "/docs",
      inReplyTo: top.id,
    });
    const triggerComment = { id: asked.id, nodeId: `PRRC_${asked.id}`, topId: top.id };
    const address: ThreadAddress = { kind: "pull-request", number: pull.number, nodeId: "", triggerComment };
    return {
      github,
      pull,
      top,
      comments: createThreadComments(address, connectRun(github, permissions)),
      passTime(ms: number) {
        nowMs += ms;
      },
      onDiff: () => [...github.state.reviewComments.values()].slice(2),
      [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
    };
  }

  test("are posted in the triggering review thread, and updated, read and deleted there", async () => {
    await using scene = await openPull();
    const { comments, top } = scene;

    const created = await comments.create(({ isReviewComment }) => `On the diff: ${isReviewComment}`);
    await comments.update(created, "Edited.");

    expect(scene.onDiff()).toMatchObject([{ id: created.id, inReplyTo: top.id, body: "Edited." }]);
    expect(await comments.read(created)).toMatchObject({ body: "Edited.", parentId: top.id });
    await comments.remove(created);
    expect(await comments.read(created)).toBeUndefined();
    expect(scene.github.commentsOn(scene.pull.number)).toStrictEqual([]);
  });

  test.each<[string, (scene: Awaited<ReturnType<typeof openPull>>) => unknown, Permissions]>([
    ["was deleted", ({ github, top }) => github.deleteComment(top), { "pull-requests": "write" }],
    ["may not be written to", ({ comments }) => comments, { "pull-requests": "read", issues: "write" }],
  ])("are in the conversation if the review thread %s", async (_name, prepare, permissions) => {
    await using scene = await openPull(permissions);
    prepare(scene);

    const { isReviewComment = false } = await scene.comments.create(
      (home) => `On the diff: ${home.isReviewComment}`,
    );

    expect(isReviewComment).toBe(false);
    expect(scene.github.commentsOn(scene.pull.number)).toMatchObject([{ body: "On the diff: undefined" }]);
  });

  test("are deleted if the response to the deletion is lost", async () => {
    await using scene = await openPull();
    const created = await scene.comments.create("Working on it.");
    scene.github.faults.add({ method: "DELETE", fault: { kind: "reset", when: "after" } });

    await scene.comments.remove(created);

    expect(scene.onDiff()).toStrictEqual([]);
  });

  test("are not posted twice if the response to a reply is lost", async () => {
    await using scene = await openPull();
    scene.github.faults.add({ method: "POST", fault: { kind: "reset", when: "after" } });

    await expect(scene.comments.create("Working on it.")).rejects.toMatchObject({ code: "unreachable" });

    expect(scene.onDiff()).toHaveLength(1);
    expect(scene.github.commentsOn(scene.pull.number)).toStrictEqual([]);
  });

  test("are listed oldest first, with review comments", async () => {
    await using scene = await openPull();
    const { github, pull, comments } = scene;
    const say = (author: string) => {
      scene.passTime(1000);
      return github.addComment({ issue: pull.number, author, body: "Hello" }).id;
    };
    const ids = [say("mona")];
    const since = new Date(Date.parse("2026-01-01T12:00:01Z")).toISOString();
    scene.passTime(1000);
    ids.push((await comments.create("Working on it.")).id, say("rev"));

    expect((await comments.list({ since })).map(({ id }) => id)).toStrictEqual(ids);
    expect(await comments.list()).toHaveLength(5);
  });
});

test("comments are sorted by time, and those of the same second by number", () => {
  const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];
  const comments = [
    { id: 1, createdAt: late },
    { id: 4, createdAt: early },
    { id: 3, createdAt: early },
    { id: 2, createdAt: late },
  ] as readonly unknown[] as readonly Comment[];

  expect(ids(sortByTime(comments))).toStrictEqual([3, 4, 1, 2]);
});

test.each([
  ["issue", "issues: write"],
  ["pull-request", "pull-requests: write"],
  ["discussion", "discussions: write"],
] as const)("writing on a thread of kind %s needs `%s`", (kind, permission) => {
  expect(permissionToWrite(kind)).toBe(permission);
});

describe("filterUnedited", () => {
  const identity = { login: "github-actions[bot]" };
  const editor = (login: string, type: string) => ({ __typename: type, login });
  const node = { body: "Done.", isMinimized: false, lastEditedAt: null, editor: null };
  const edited = { ...node, lastEditedAt: "2026-01-01T00:00:00Z" };

  test("keeps comments that only their author edited, and that no one hid or deleted", async () => {
    const nodes = [
      node,
      { ...edited, editor: editor("github-actions", "Bot") },
      { ...edited, editor: editor("github-actions", "User") },
      { ...edited, editor: editor("mona", "User") },
      edited,
      { ...node, isMinimized: true },
      { ...node, body: "Another text." },
      null,
    ];
    let query: unknown;
    await using server = await startHttpServer(async (request) => {
      query = await request.json();
      return Response.json({ data: { nodes } });
    });
    const comments = nodes.map((_, index) => ({ nodeId: `IC_${index}`, body: "Done." }));
    const thread: ThreadAddress = { kind: "issue", number: 1, nodeId: "I_1" };

    const kept = await filterUnedited(comments, thread, { api: connectTo(server.url), identity });

    expect(kept).toStrictEqual(comments.slice(0, 2));
    expect(query).toMatchObject({ variables: { ids: comments.map(({ nodeId }) => nodeId) } });
  });
});

describe("orderByThread", () => {
  test("sorts replies after their comment, and the trigger comment's thread last", () => {
    for (const comments of [related, related.toReversed()])
      expect(ids(orderByThread(comments, trigger))).toStrictEqual([2, 4, 5, 1, 3, 6]);
  });

  test("sorts threads by their first comment if none of them triggered the run", () => {
    expect(ids(orderByThread(related, undefined))).toStrictEqual([1, 3, 6, 2, 4, 5]);
  });
});

describe("pickConversation", () => {
  test("picks top-level comments, then those of the trigger comment's thread", () => {
    expect(ids(pickConversation(related, trigger))).toStrictEqual([2, 5, 1, 3, 6]);
  });

  test("picks top-level comments if the discussion itself triggered the run", () => {
    expect(ids(pickConversation(related, undefined))).toStrictEqual([1, 2, 5]);
  });
});
