import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/github/claim-store.ts";
import { createCommentClaims } from "../../src/github/comment-claims.ts";
import type { Comment, ThreadComments } from "../../src/github/comments.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";

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

/** A thread in memory whose server knows when its comments were changed. */
function createThread(): ThreadComments {
  const comments: Comment[] = [];
  return {
    async list({ since } = {}) {
      return comments.filter(({ updatedAt }) => !since || updatedAt >= since);
    },
    async create(body) {
      const comment = {
        id: comments.length + 1,
        nodeId: "",
        author: identity,
        body,
        url: "https://github.example/c",
        createdAt,
        updatedAt: createdAt,
      };
      comments.push(comment);
      return comment;
    },
    update: () => Promise.reject(new Error("Nothing is updated here.")),
    remove: () => Promise.reject(new Error("Nothing is removed here.")),
    read: async ({ id }) => comments.find((comment) => comment.id === id),
  };
}

function openClaims(since: string) {
  return createCommentClaims(
    { thread: { kind: "issue", number: 1, nodeId: "" }, trigger: record.trigger, since },
    {
      comments: createThread(),
      identity,
      signer: createRecordSigner("svc_key"),
      api: {
        repository: { owner: "octo-org", name: "widgets", id: "1" },
        serverNow: () => Date.parse(createdAt) + 2000,
      },
      render: () => "### Docs agent",
    },
  );
}

describe("the records of a thread", () => {
  test.each([
    ["was written before", "2026-01-01T11:59:59Z"],
    ["seems to be from the future", "2026-01-01T12:30:00Z"],
    ["has no time", ""],
  ])("are found where the text that asks %s", async (_name, since) => {
    const claims = openClaims(since);

    await claims.create(record);

    expect(await claims.list()).toMatchObject([{ record: { owner: "1.1.w" } }]);
  });

  test("are not searched among what is older than the text that asks", async () => {
    const claims = openClaims("2026-01-01T12:00:01Z");

    await claims.create(record);

    expect(await claims.list()).toStrictEqual([]);
  });
});
