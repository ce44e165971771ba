import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/github/claim-store.ts";
import { createCommentClaims } from "../../src/github/comment-claims.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { connectRun } from "../support/connect-github.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";

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

/** An issue with a record that was written two seconds ago, in the thread of a text of this time. */
async function openScene(since: string) {
  let nowMs = Date.parse(createdAt);
  const github = await startGitHubStandIn({ clock: () => nowMs });
  const { number } = github.addIssue({ author: "mona" });
  const api = connectRun(github, { issues: "write", contents: "read" });
  const claims = createCommentClaims(
    { thread: { kind: "issue", number, nodeId: "" }, trigger: record.trigger, since },
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
  ])("are found where the text that asks %s", async (_name, since) => {
    await using scene = await openScene(since);

    expect(await scene.claims.list()).toMatchObject([{ record: { owner: "1.1.w" } }]);
  });

  test("are not searched among what is older than the text that asks", async () => {
    await using scene = await openScene("2026-01-01T12:00:01Z");

    expect(await scene.claims.list()).toStrictEqual([]);
  });
});
