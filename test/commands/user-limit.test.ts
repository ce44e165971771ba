import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import { countRecentUses, refuseOverLimit } from "../../src/commands/user-limit.ts";
import { createCommentClaimStore } from "../../src/github/claims.ts";
import { readIdentity } from "../../src/github/gate.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { connectRun } from "../support/connect-github.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { startGitHubStandIn } from "../support/github-stand-in.ts";

const nowMs = Date.UTC(2026, 0, 1, 12);
const minute = 60_000;
const draft = { command: "agent", target: "p", trigger: "0".repeat(64), requester: "mona" } as const;

/** A repository with an issue and a pull request; records can be written at an earlier time. */
async function setScene() {
  let githubMs = nowMs;
  const github = await startGitHubStandIn({ clock: () => githubMs });
  const issue = github.addIssue({ author: "eve", body: "?" }).number;
  const pull = github.openPullRequest({ author: "eve", head: "x" }).number;
  const api = connectRun(
    github,
    { issues: "write", "pull-requests": "write" },
    { clock: createFakeClock(nowMs) },
  );
  const deps = { api, signer: createRecordSigner("svc_key"), identity: await readIdentity(api) };
  let count = 0;
  const write = async (
    minutesAgo: number,
    record: Partial<ClaimRecord> = {},
    more: Partial<typeof deps> = {},
  ) => {
    const number = count % 2 === 0 ? issue : pull;
    const kind = count % 2 === 0 ? "issue" : "pull-request";
    count += 1;
    const claims = createCommentClaimStore(
      { thread: { kind, number, nodeId: "" } },
      { ...deps, ...more, render: () => "Status" },
    );
    githubMs = nowMs - minutesAgo * minute;
    await claims.create({
      ...draft,
      trigger: String(count).padStart(64, "a"),
      state: "ended",
      outcome: "no-pull-request",
      owner: "1.1.x",
      claimedAt: new Date(githubMs).toISOString(),
      leaseSeconds: 0,
      ...record,
    });
    githubMs = nowMs;
    // The client knows GitHub's time from its last response.
    await readIdentity(api);
  };
  return { github, issue, deps, write, [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

describe("countRecentUses", () => {
  test("reads the newest thousand comments at most", async () => {
    await using scene = await setScene();
    const { github, deps, issue } = scene;
    for (let count = 0; count < 1_050; count += 1) github.addComment({ issue, author: "eve", body: "Hello" });
    const before = github.requests.length;

    await countRecentUses(draft, deps);

    expect(github.requests.length - before).toBe(10);
  });

  test("counts the user's requests and the project's jobs of the last hour, in one request", async () => {
    await using scene = await setScene();
    const { github, deps, write } = scene;
    await write(50);
    await write(10, { requester: "Mona", state: "working" });
    await write(5, { requester: "otto", state: "unknown" });
    await write(4, { state: "claimed" });
    const before = github.requests.length;

    const uses = await countRecentUses(draft, deps);

    expect(uses.userRequestTimes.map((time) => (nowMs - time) / minute)).toStrictEqual([50, 10, 4]);
    expect(uses).toMatchObject({ projectUses: 3, isNotified: false });
    expect(github.requests.length - before).toBe(1);
  });

  test("does not depend on the clocks of runners", async () => {
    await using scene = await setScene();
    await scene.write(10, { claimedAt: new Date(nowMs - 90 * minute).toISOString() });
    await scene.write(60, { claimedAt: new Date(nowMs).toISOString() });

    const uses = await countRecentUses(draft, scene.deps);

    expect(uses.userRequestTimes).toStrictEqual([nowMs - 10 * minute]);
  });

  test("omits records that are older, of another project or command, not sent, its own or forged", async () => {
    await using scene = await setScene();
    const { github, issue, deps, write } = scene;
    await write(60);
    await write(1, { target: "q" });
    await write(1, { command: "assistant" });
    await write(1, { state: "released", outcome: "cancelled" });
    await write(1, { trigger: draft.trigger });
    await write(1, {}, { signer: createRecordSigner("svc_other") });
    const [genuine] = github.commentsOn(issue);
    github.addComment({ issue, author: "eve", body: genuine?.body ?? "" });

    expect(await countRecentUses(draft, deps)).toStrictEqual({
      userRequestTimes: [],
      projectUses: 0,
      isNotified: false,
    });
  });

  test("reports whether the user was notified", async () => {
    await using scene = await setScene();
    const release = { state: "released", outcome: "limit-per-user until 2026-01-01T12:30:00.000Z" } as const;
    await scene.write(1, { ...release, requester: "otto" });
    expect(await countRecentUses(draft, scene.deps)).toMatchObject({ isNotified: false });
    await scene.write(1, release);
    expect(await countRecentUses(draft, scene.deps)).toMatchObject({
      isNotified: true,
      userRequestTimes: [],
    });
  });
});

test.each<[string, number[], number | undefined, string | undefined]>([
  ["no request without a limit", [1, 1, 1], undefined, undefined],
  ["no request below it", [50, 10], 3, undefined],
  ["a request above it, until the oldest no longer counts", [50, 10], 2, "2026-01-01 12:10 UTC"],
  ["one far above it, until enough do not", [50, 40.5, 10], 2, "2026-01-01 12:20 UTC"],
])("refuseOverLimit refuses %s", (_name, minutes, limit, time) => {
  const refusal = refuseOverLimit(
    minutes.map((each) => nowMs - each * minute),
    limit,
  );

  if (time === undefined) return expect(refusal).toBeUndefined();
  const message = `The limit of ${limit} requests per user and hour is reached; ask again at ${time}.`;
  expect(refusal).toMatchObject({ reason: "limit-per-user", message });
  expect(refusal?.outcome).toMatch(/^limit-per-user until 2026-01-01T12:\d0:00\.000Z$/);
});
