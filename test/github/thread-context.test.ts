import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/runtime.ts";
import type { Comment } from "../../src/github/comments.ts";
import type { TextEvent } from "../../src/github/event.ts";
import type { ReviewComment, ReviewThread } from "../../src/github/review-threads.ts";
import { quoteLocation, readThreadContext } from "../../src/github/thread-context.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const time = "2026-01-01T12:00:00Z";
const event = {
  type: "text",
  action: "created",
  thread: {
    kind: "issue",
    number: 1,
    title: "Support <template> and <!-- comments -->\u202E",
    body: "a <!-- b -->",
    author: { login: "mona" },
    createdAt: time,
    url: "https://github.com/o/r/issues/1",
  },
  text: { kind: "issue-comment", nodeId: "trigger", changedAt: time },
} as unknown as TextEvent;
const comment = (id: number, body: string): Comment => ({
  id,
  nodeId: `c${id}`,
  author: undefined,
  body,
  url: `https://github.com/o/r/issues/1#issuecomment-${id}`,
  createdAt: "2026-01-01T11:00:00Z",
  updatedAt: "2026-01-01T11:00:00Z",
});

const run = (clock: Clock = createFakeClock(), signal = new AbortController().signal) => ({ clock, signal });

test("the quoted lines of a review comment contain no invisible characters", () => {
  const location = { path: "src/a\u200b.ts", line: 2, hunk: "@@ -1 +1 @@\n+retry(\u202e2)" };

  expect(quoteLocation({ ...event, location })).toMatchObject([
    { text: "src/a.ts, line 2\n\n@@ -1 +1 @@\n+retry(2)" },
  ]);
});

describe("readThreadContext", () => {
  test("reads titles as text and bodies as Markdown", async () => {
    const context = await readThreadContext(event, [], run());

    expect(context.pieces[0]?.text).toBe("Support <template> and <!-- comments -->\n\na");
    expect(context).toMatchObject({ hiddenSegments: 1, invisibleCharacters: 1 });
  });

  test("sorts a discussion by thread, the trigger comment's last, and names the comment of each reply", async () => {
    const triggerComment = { id: 9, nodeId: "trigger", topId: 1 };
    const discussion = {
      ...event,
      thread: { ...event.thread, kind: "discussion", triggerComment },
    } as TextEvent;
    const comments = [
      comment(1, "first"),
      comment(2, "second"),
      { ...comment(3, "to the first"), parentId: 1 },
      { ...comment(4, "to the second"), parentId: 2 },
    ];

    const context = await readThreadContext(discussion, comments, run());

    expect(context.pieces.slice(1).map(({ title, text }) => [title, text])).toStrictEqual([
      ["comment", "second"],
      ["reply to comment 2", "to the second"],
      ["comment", "first"],
      ["reply to comment 1", "to the first"],
    ]);
  });

  test("excludes the trigger, our own, hidden and later comments", async () => {
    const comments = [
      { ...comment(1, "the trigger"), nodeId: "trigger" },
      { ...comment(2, "hidden"), isMinimized: true },
      comment(3, "ours\n\n<!-- docs-automation:claim:v1 x -->"),
      { ...comment(4, "edited later"), updatedAt: "2026-01-01T12:00:01Z" },
      { ...comment(5, "edited before"), updatedAt: time },
      { ...comment(6, "on the diff"), isReviewComment: true },
    ];

    const { pieces } = await readThreadContext(event, comments, run());

    expect(pieces.slice(1).map(({ text }) => text)).toStrictEqual(["edited before"]);
  });

  test.each(["issue", "discussion"])(
    "quotes the body of the %s only if it is not the request",
    async (kind) => {
      const opened = { ...event, text: { ...event.text, kind } } as TextEvent;
      const read = async (isTextTheRequest?: boolean) =>
        (
          await readThreadContext(
            opened,
            [],
            run(),
            isTextTheRequest === undefined ? {} : { isTextTheRequest },
          )
        ).pieces[0]?.text;

      expect(await read()).toBe("Support <template> and <!-- comments -->");
      expect(await read(true)).toBe("Support <template> and <!-- comments -->");
      expect(await read(false)).toBe("Support <template> and <!-- comments -->\n\na");
    },
  );

  test("sorts comments and reviews by time, and a discussion by number", async () => {
    const early = { ...comment(9, "early"), createdAt: "2026-01-01T10:00:00Z" };
    const review = { ...early, id: 1, nodeId: "r", body: "between", createdAt: "2026-01-01T10:30:00Z" };
    const reviews = [{ ...review, publishedAt: review.createdAt, editedAt: undefined, reviewId: 1 }];
    const read = async (kind: string) => {
      const thread = { ...event.thread, kind };
      const read = await readThreadContext(
        { ...event, thread } as TextEvent,
        [comment(2, "late"), early],
        run(),
        {
          reviews,
        },
      );
      return read.pieces.slice(1).map(({ text }) => text);
    };

    expect(await read("pull-request")).toStrictEqual(["early", "between", "late"]);
    expect(await read("discussion")).toStrictEqual(["late", "early", "between"]);
  });

  test.each([
    [0, 10],
    [1, 9],
  ])("reads at most 600,000 characters: %i more", async (more, count) => {
    const comments = Array.from({ length: 10 }, (_, id) =>
      comment(id, "x".repeat(60_000 + (id === 0 ? more : 0))),
    );

    const { pieces } = await readThreadContext(event, comments, run());

    expect(pieces.slice(1)).toHaveLength(count);
  });

  test("reads the newest comments if all of them would take too long", async () => {
    const comments = Array.from({ length: 14 }, (_, id) => comment(id, `${id} ${"]".repeat(60_000)}`));

    const context = await readThreadContext(event, comments, run());

    expect(context.pieces.slice(1).map(({ url }) => url?.split("-").at(-1))).toStrictEqual([
      "5",
      "6",
      "7",
      "8",
      "9",
      "10",
      "11",
      "12",
      "13",
    ]);
  });

  test("stops at the time limit, and returns the newest comments", async () => {
    const now = createFakeClock().now();
    let reads = 0;
    // The clock advances by a second on every read.
    const clock = { now: () => now + 1000 * reads++, sleep: () => Promise.reject(new Error("No wait.")) };
    const comments = Array.from({ length: 9 }, (_, id) => comment(id, `comment ${id}`));

    const context = await readThreadContext(event, comments, run(clock));

    expect(context.pieces.slice(1).map(({ text }) => text)).toStrictEqual([
      "comment 5",
      "comment 6",
      "comment 7",
      "comment 8",
    ]);
  });

  test("ends between two comments when the run is cancelled", async () => {
    const controller = new AbortController();
    const cancelled = new Error("The workflow was cancelled.");
    const comments = Array.from({ length: 3 }, (_, id) => comment(id, `comment ${id}`));
    const reading = readThreadContext(event, comments, run(undefined, controller.signal));

    setImmediate(() => controller.abort(cancelled));

    await expect(reading).rejects.toBe(cancelled);
  });
});

describe("the reviews of a pull request", () => {
  const later = "2026-01-01T12:00:01Z";
  const asked = {
    ...event,
    thread: { ...event.thread, kind: "pull-request", triggerComment: { id: 5, nodeId: "trigger", topId: 5 } },
    text: { kind: "review-comment", id: 5, nodeId: "trigger", changedAt: time },
    reviewId: 9,
    location: { path: "a.md", line: 1, hunk: "@@ -1 +1 @@" },
  } as unknown as TextEvent;
  const onDiff = (id: number, change: Partial<ReviewComment> = {}): ReviewComment => ({
    ...comment(id, `comment ${id}`),
    isReviewComment: true,
    publishedAt: time,
    editedAt: undefined,
    reviewId: undefined,
    ...change,
  });
  const threadOf = (...comments: ReviewComment[]): ReviewThread => ({
    id: "T",
    topId: comments[0]?.id,
    opening: { publishedAt: time, reviewId: undefined },
    isResolved: false,
    isOutdated: false,
    location: { path: "b\u202E.md", line: 2, hunk: "@@ -1,2 +1,2 @@" },
    isOnOldSide: false,
    comments,
    unread: 0,
  });
  const quoted = async (threads: readonly ReviewThread[], reviews: readonly ReviewComment[] = []) =>
    (await readThreadContext(asked, [], run(), { threads, reviews })).pieces.slice(1).map(({ text }) => text);

  test("include comments that were published after the request only if they are part of the same review", async () => {
    const drafted = { publishedAt: later };
    const threads = [
      threadOf(onDiff(1, { ...drafted, reviewId: 8 }), onDiff(2, { ...drafted, reviewId: 9 })),
    ];

    expect(await quoted(threads)).toStrictEqual(["b.md, line 2\n\n@@ -1,2 +1,2 @@", "comment 2"]);
  });

  test("exclude comments that were edited after the request, also of the same review", async () => {
    const edited = { editedAt: later, reviewId: 9 };
    const introduction = onDiff(9, { body: "Introduction", publishedAt: later, reviewId: 9 });

    expect(await quoted([threadOf(onDiff(1, edited))], [introduction])).toStrictEqual(["Introduction"]);
    expect(await quoted([], [{ ...introduction, editedAt: later }])).toStrictEqual([]);
    expect(await quoted([], [{ ...introduction, reviewId: 8 }])).toStrictEqual([]);
  });

  test.each([
    ["a review", { reviewId: 9, location: undefined }, ["said", "comment 2"]],
    ["a comment on a diff", { reviewId: undefined }, ["said", "comment 2"]],
    ["a comment of the conversation", { reviewId: undefined, location: undefined }, ["comment 2", "said"]],
  ])(
    "are last in the context for a request of %s, otherwise the conversation is",
    async (_, change, order) => {
      const conversation = [comment(1, "said")];
      const reviews = { threads: [threadOf(onDiff(2))], reviews: [] };
      const request = { ...asked, ...change } as unknown as TextEvent;
      const { pieces } = await readThreadContext(request, conversation, run(), reviews);

      expect(pieces.map(({ text }) => text).filter((text) => order.includes(text))).toStrictEqual(order);
    },
  );

  test("have their lines before them, the thread with the newest comment last, and the own one after it", async () => {
    const at = (minute: number) => ({ publishedAt: `2026-01-01T11:${minute}:00Z` });
    const place = (path: string) => ({ location: { path, line: undefined, hunk: "@@" } });
    const threads = [
      { ...threadOf(onDiff(5, at(10)), onDiff(1, at(11))), ...place("own.md") },
      { ...threadOf(onDiff(2, at(50)), onDiff(3, at(20)), onDiff(4, at(40))), ...place("new.md") },
      { ...threadOf(onDiff(7, { body: "<!-- docs-automation:claim:v1 x -->" })), ...place("empty.md") },
      { ...threadOf(onDiff(6, at(30))), ...place("old.md") },
      { ...threadOf(onDiff(8, at(59)), onDiff(9, { ...at(59), isMinimized: true })), ...place("done.md") },
    ].map((thread, index) => ({ ...thread, isResolved: index === 4 }));

    expect(await quoted(threads)).toStrictEqual([
      ...["old.md\n\n@@", "comment 6"],
      ...["new.md\n\n@@", "comment 2", "comment 3", "comment 4"],
      "comment 1",
    ]);
  });

  test("exclude hidden comments, and those of resolved threads that are not the own one", async () => {
    const hidden = onDiff(2, { isMinimized: true });
    const resolved = { ...threadOf(onDiff(3)), isResolved: true };
    const own = { ...threadOf(onDiff(4), onDiff(5)), topId: 4, isResolved: true };

    expect(await quoted([threadOf(hidden), resolved, own])).toStrictEqual(["comment 4"]);
    const elsewhere = {
      ...asked,
      location: undefined,
      thread: { ...asked.thread, triggerComment: undefined },
    };
    const read = await readThreadContext(elsewhere as unknown as TextEvent, [], run(), { threads: [own] });
    expect(read.pieces).toHaveLength(1);
  });

  test.each([
    [60, false],
    [61, true],
  ])("shorten a hunk of %i lines: %s", (count, isShortened) => {
    const hunk = ["@@", ...Array.from({ length: count }, (_, line) => `+${line}`)].join("\n");
    const [piece] = quoteLocation({ ...event, location: { path: "a", line: 1, hunk } });

    expect(piece?.text.includes("…")).toBe(isShortened);
    expect(piece?.rank).toBe("first");
  });

  test("exclude only comments without a readable time", async () => {
    const threads = [threadOf(onDiff(1, { publishedAt: "" }), onDiff(2))];

    expect(await quoted(threads)).toContain("comment 2");
    expect(await quoted(threads)).not.toContain("comment 1");
  });

  test("include the header and the end of a long hunk", async () => {
    const lines = Array.from({ length: 500 }, (_, line) => `+line ${line}.`);
    const hunk = ["@@ -1,500 +1,500 @@", ...lines].join("\n");
    const [text = ""] = await quoted([
      { ...threadOf(onDiff(1)), location: { path: "c.md", line: 500, hunk } },
    ]);

    expect(text).toMatch(/^c\.md, line 500\n\n@@ -1,500 \+1,500 @@\n…\n\+line 440\.\n/);
    expect(text).toMatch(/\+line 499\.$/);
  });
});
