import { describe, expect, test } from "vitest";
import { type FinishClaimDeps, finishClaim } from "../../../src/commands/submission/finish-claim.ts";
import type { ClaimRecord } from "../../../src/github/claim-store.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createMemoryClaims } from "../../support/memory-claims.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const base: ClaimRecord = {
  command: "agent",
  target: "prj_1",
  trigger: "a".repeat(64),
  state: "claimed",
  owner: "1.1.x",
  claimedAt: "2026-01-01T00:00:00.000Z",
  leaseSeconds: 15,
};

/** Finishes after a run that last saved one record while another is written down. */
async function finish(
  written: Partial<ClaimRecord>,
  saved: Partial<ClaimRecord>,
  isEmbedded = false,
): Promise<readonly ClaimRecord[]> {
  const claims = createMemoryClaims(() => 0);
  await claims.create({ ...base, owner: "2.1.y" });
  await claims.create({ ...base, ...written });
  await finishClaim({ saved: { ...base, ...saved }, isEmbedded }, depsOf(claims));
  return claims.records().slice(1);
}

function depsOf(claims: FinishClaimDeps["claims"]): FinishClaimDeps {
  const { signal } = new AbortController();
  return { claims, clock: createFakeClock(), log: createRecordingLog(), signal };
}

describe("finishClaim", () => {
  test.each([
    [
      "what was only claimed is released",
      { state: "claimed" },
      { state: "claimed" },
      { state: "released", outcome: "interrupted" },
    ],
    [
      "what may have been sent is unknown",
      { state: "submitting" },
      { state: "submitting" },
      { state: "unknown" },
    ],
    [
      "what was written last counts, not what was saved",
      { state: "submitting" },
      { state: "claimed" },
      { state: "unknown" },
    ],
    [
      "a running job goes on",
      { state: "working", jobId: "j" },
      { state: "working", jobId: "j" },
      { state: "working", outcome: "interrupted" },
    ],
    [
      "a job that could not be written down is known",
      { state: "submitting" },
      { state: "working", jobId: "j" },
      { state: "working", jobId: "j", outcome: "interrupted" },
    ],
    [
      "an end that could not be written down is written",
      { state: "working", jobId: "j" },
      { state: "ended", jobId: "j", outcome: "archived" },
      { state: "ended", outcome: "archived" },
    ],
    [
      "a settled record stays",
      { state: "ended", outcome: "failed" },
      { state: "working", jobId: "j" },
      { state: "ended", outcome: "failed" },
    ],
  ] as const)("%s", async (_name, written, saved, left) => {
    expect(await finish(written, saved)).toMatchObject([left]);
  });

  test("a job of the embedded platform ended with its run", async () => {
    const working = { state: "working", jobId: "j" } as const;

    expect(await finish(working, working, true)).toMatchObject([{ ...working, outcome: "stopped" }]);
  });

  test("finds a claim that was still on its way when its run ended", async () => {
    const claims = createMemoryClaims(() => 0);
    let looks = 0;
    const late: FinishClaimDeps["claims"] = {
      ...claims,
      async list() {
        looks += 1;
        if (looks === 3) await claims.create(base);
        return claims.list();
      },
    };

    await finishClaim({ saved: base, isEmbedded: false }, depsOf(late));

    expect(claims.records()).toMatchObject([{ state: "released", outcome: "interrupted" }]);
  });

  test("does nothing where the record is gone", async () => {
    const claims = createMemoryClaims(() => 0);

    await finishClaim({ saved: base, isEmbedded: false }, depsOf(claims));

    expect(claims.records()).toStrictEqual([]);
  });
});
