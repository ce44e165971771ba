import { describe, expect, test } from "vitest";
import { orderByThread, pickConversation } from "../../../src/github/comments/comment-order.ts";

const comments = [
  { id: 1 },
  { id: 2 },
  { id: 3, parentId: 1 },
  { id: 4, parentId: 2 },
  { id: 5 },
  { id: 6, parentId: 1 },
];
const asking = { id: 6, nodeId: "DC_6", topId: 1 };
const ids = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id);

describe("orderByThread", () => {
  test("puts replies after their comment, and the thread that asks last", () => {
    expect(ids(orderByThread(comments, asking))).toStrictEqual([2, 4, 5, 1, 3, 6]);
  });

  test("keeps the threads in the order of their comments where none of them asks", () => {
    expect(ids(orderByThread(comments, undefined))).toStrictEqual([1, 3, 6, 2, 4, 5]);
  });
});

describe("pickConversation", () => {
  test("takes the comments at the top level, then those of the thread that asks", () => {
    expect(ids(pickConversation(comments, asking))).toStrictEqual([2, 5, 1, 3, 6]);
  });

  test("takes the comments at the top level where the discussion itself asks", () => {
    expect(ids(pickConversation(comments, undefined))).toStrictEqual([1, 2, 5]);
  });
});
