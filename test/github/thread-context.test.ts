import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/runtime.ts";
import type { Comment } from "../../src/github/comments.ts";
import type { WrittenEvent } from "../../src/github/event.ts";
import { readThreadContext } from "../../src/github/thread-context.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const time = "2026-01-01T12:00:00Z";
const event = {
  type: "written",
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
} as unknown as WrittenEvent;
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

describe("readThreadContext", () => {
  test("takes titles as GitHub shows them, as text, and bodies as Markdown", async () => {
    const context = await readThreadContext(event, [], run());

    expect(context.pieces[0]?.text).toBe("Support <template> and <!-- comments -->\n\na");
    expect(context).toMatchObject({ hiddenSegments: 1, invisibleCharacters: 1 });
  });

  test("shows a discussion thread by thread, the trigger comment's thread last, and names what a reply replies to", async () => {
    const triggerComment = { id: 9, nodeId: "trigger", topId: 1 };
    const discussion = {
      ...event,
      thread: { ...event.thread, kind: "discussion", triggerComment },
    } as WrittenEvent;
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

  test("reads the newest of comments that would take too long to read", async () => {
    const comments = Array.from({ length: 14 }, (_, id) => comment(id, `${id} ${"]".repeat(60_000)}`));

    const context = await readThreadContext(event, comments, run());

    expect(context.unread).toBe(5);
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

  test("stops when reading has taken too long, with the newest that were read", async () => {
    const now = createFakeClock().now();
    let reads = 0;
    // Every look at the clock finds a second more gone.
    const clock = { now: () => now + 1000 * reads++, sleep: () => Promise.reject(new Error("No wait.")) };
    const comments = Array.from({ length: 9 }, (_, id) => comment(id, `comment ${id}`));

    const context = await readThreadContext(event, comments, run(clock));

    expect(context.pieces.slice(1).map(({ text }) => text)).toStrictEqual([
      "comment 5",
      "comment 6",
      "comment 7",
      "comment 8",
    ]);
    expect(context.unread).toBe(5);
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
