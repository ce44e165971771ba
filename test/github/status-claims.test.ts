import { createHmac, hkdfSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import { readIdentity } from "../../src/github/gate.ts";
import { createRecordSigner } from "../../src/github/record-signer.ts";
import { createStatusClaimStore } from "../../src/github/status-claims.ts";
import { connectRun } from "../support/connect-github.ts";
import { type Permissions, startGitHubStandIn } from "../support/github-stand-in.ts";

const trigger = "b".repeat(64);
const record: ClaimRecord = {
  command: "agent",
  target: "prj_1",
  trigger,
  state: "claimed",
  owner: "1.1.abc",
  claimedAt: "2026-01-01T00:00:00.000Z",
  leaseSeconds: 15,
  runUrl: "https://github.localhost/octo-org/widgets/actions/runs/1/attempts/1",
};

async function openScene(permissions: Permissions = { statuses: "write", contents: "read" }) {
  const github = await startGitHubStandIn();
  const sha = github.state.refs.get("refs/heads/main") ?? "";
  const api = connectRun(github, permissions);
  const identity = await readIdentity(api);
  const open = (commit: string, key = "svc_key-one") =>
    createStatusClaimStore(
      { sha: commit },
      { api, identity, signer: createRecordSigner(key), describe: () => "x".repeat(500) },
    );
  return { github, sha, open, claims: open(sha), [Symbol.asyncDispose]: () => github[Symbol.asyncDispose]() };
}

/** A record in version 1 of the format, created without the code under test. */
function signEarlier(location: string): string {
  const derive = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", "svc_key-one", "docs-automation", purpose, bytes));
  const { claimedAt: c, leaseSeconds: l } = record;
  const packed = { k: "agent", g: "prj_1", t: trigger, s: "working", w: "1.1.abc", c, l, j: "job_1" };
  const payload = Buffer.from(JSON.stringify(packed)).toString("base64url");
  const signature = createHmac("sha256", derive("marker v1", 32)).update(`${location}\n${payload}`);
  return `${payload}.${derive("key id v1", 4).toString("hex")}.${signature.digest("base64url")}`;
}

describe("a record in commit statuses", () => {
  test("is read in its latest state, with the ID of its first status", async () => {
    await using scene = await openScene();
    const first = await scene.claims.create(record);
    await scene.claims.update(first, { ...record, state: "working", jobId: "job_1" });

    const [claim, ...others] = await scene.claims.list();

    expect(claim).toMatchObject({ id: first.id, record: { ...record, state: "working", jobId: "job_1" } });
    expect(others).toStrictEqual([]);
    // Of GitHub's and this machine's clocks.
    expect(claim?.ageMs).toBeGreaterThanOrEqual(0);
    expect(claim?.ageMs).toBeLessThan(600_000);
  });

  test("is separate for each owner, in the order of their first statuses", async () => {
    await using scene = await openScene();
    const one = await scene.claims.create(record);
    await scene.claims.create({ ...record, owner: "2.1.def" });
    await scene.claims.update(one, { ...record, state: "submitting" });

    const owners = (await scene.claims.list()).map((claim) => claim.record.owner);

    expect(owners).toStrictEqual(["1.1.abc", "2.1.def"]);
  });

  test.each([
    [{ state: "claimed" }, "pending"],
    [{ state: "working", jobId: "job_1" }, "pending"],
    [{ state: "unknown" }, "error"],
    [{ state: "released", outcome: "failed" }, "failure"],
    [{ state: "ended", outcome: "failed" }, "failure"],
    [{ state: "ended", outcome: "pull-request" }, "success"],
  ] as const)("%j is shown as %s", async (change, shown) => {
    await using scene = await openScene();
    await scene.claims.create({ ...record, ...change });
    expect(scene.github.state.statuses.map(({ state }) => state)).toStrictEqual([shown]);
  });

  test("fits GitHub's limits", async () => {
    await using scene = await openScene();
    const url = `https://github.localhost/octo-org/widgets/pull/${"9".repeat(10)}`;
    await scene.claims.create({
      ...record,
      state: "ended",
      jobId: "j".repeat(36),
      outcome: "pull-request",
      pullRequestUrl: url,
    });

    const [status] = scene.github.state.statuses;

    expect(status?.description?.length).toBe(140);
    expect(status?.targetUrl?.length).toBeLessThan(1000);
  });

  test("that is removed stays as a released one, which has no effect", async () => {
    await using scene = await openScene();
    await scene.claims.remove(await scene.claims.create(record));

    expect(await scene.claims.list()).toMatchObject([{ record: { owner: record.owner, state: "released" } }]);
  });

  test("is ignored if it was copied, changed, or written by another account", async () => {
    await using scene = await openScene();
    await scene.claims.create(record);
    const [genuine] = scene.github.state.statuses;
    if (!genuine) throw new Error("No status was written.");
    const other = scene.github.addCommit({ message: "Other" });
    const { state } = scene.github;
    state.statuses.push(
      { ...genuine, id: 5001, sha: other },
      { ...genuine, id: 5002, creator: "eve" },
      { ...genuine, id: 5003, context: "docs-automation/agent (cccccccccccc)" },
      { ...genuine, id: 5004, targetUrl: genuine.targetUrl?.replace(/v1\.\w/, "v1.Z") },
    );

    expect(await scene.open(other).list()).toStrictEqual([]);
    expect(await scene.claims.list()).toMatchObject([{ id: genuine.id }]);
  });

  test("of an earlier version is read", async () => {
    await using scene = await openScene();
    await scene.claims.create({ ...record, runUrl: "" });
    const [status] = scene.github.state.statuses;
    if (!status) throw new Error("No status was written.");
    const sha = scene.github.addCommit({ message: "Earlier" });
    // The signature is valid for one commit only, so the recorded status is moved to it.
    const signed = signEarlier(`v1 status repository:101 commit:${sha} context:${status.context}`);
    scene.github.state.statuses.push({
      ...status,
      id: 6001,
      sha,
      targetUrl: `#docs-automation:v1.${signed}`,
    });

    expect(await scene.open(sha).list()).toMatchObject([
      { id: 6001, record: { trigger, state: "working", jobId: "job_1" } },
    ]);
  });

  test("with a replaced key is listed as unverifiable", async () => {
    await using scene = await openScene();
    await scene.claims.create(record);

    expect(await scene.open(scene.sha, "svc_key-two").list()).toMatchObject([{ isUnverifiable: true }]);
  });

  test("names the permission to write statuses in the error of a read", async () => {
    await using scene = await openScene({ contents: "read" });

    await expect(scene.claims.list()).rejects.toMatchObject({
      hint: expect.stringContaining("`statuses: write`"),
    });
  });
});
