import { describe, expect, test } from "vitest";
import type { ClaimRecord } from "../../src/base/claim-record.ts";
import { correctRecord } from "../../src/commands/claim.ts";
import type { ClaimStore } from "../../src/github/claims.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createMemoryClaims } from "../support/memory-claims.ts";
import { createRecordingRun } from "../support/recording-run.ts";

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
  await correctRecord({ ...base, ...saved }, isEmbedded, claims, createRecordingRun());
  return claims.records().slice(1);
}

describe("the record of a killed run", () => {
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
      "what the run was sending may have been sent, although GitHub lists the record from before",
      { state: "claimed" },
      { state: "submitting" },
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
    let polls = 0;
    const late: Pick<ClaimStore, "list" | "update"> = {
      ...claims,
      async list() {
        polls += 1;
        if (polls === 3) await claims.create(base);
        return claims.list();
      },
    };

    const run = createRecordingRun();
    await correctRecord(base, false, late, run);

    expect(run.log.lines).toStrictEqual([
      "info: The status of the interrupted request was corrected: released.",
    ]);
    expect(claims.records()).toMatchObject([{ state: "released", outcome: "interrupted" }]);
  });

  test("is left alone under a replaced key", async () => {
    const claims = createMemoryClaims(() => 0);
    const claim = { ...(await claims.create(base)), isUnverifiable: true };

    await correctRecord(base, false, { ...claims, list: async () => [claim] }, createRecordingRun());

    expect(claims.records()).toStrictEqual([base]);
  });

  test.each([
    ["is looked for three times, because it may be listed late", "claimed", [1_500, 1_500]],
    ["is looked for once if it was listed before", "submitting", []],
  ] as const)("%s; it is not created where it is gone", async (_name, state, waits) => {
    const claims = createMemoryClaims(() => 0);
    const clock = createFakeClock();

    await correctRecord({ ...base, state }, false, claims, createRecordingRun({ clock }));

    expect(clock.waits).toStrictEqual(waits);
    expect(claims.records()).toStrictEqual([]);
  });
});
