import { describe, expect, test } from "vitest";
import { InterruptedError } from "../../../src/base/errors.ts";
import { PlatformError } from "../../../src/client/errors.ts";
import type { Submission, SubmitOnceDeps } from "../../../src/commands/submission/submission.ts";
import { submitOnce } from "../../../src/commands/submission/submit-once.ts";
import type { ClaimRecord, KnownClaim } from "../../../src/github/claim-store.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createMemoryClaims } from "../../support/memory-claims.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

const trigger = "a".repeat(64);
const draft = { command: "agent", target: "prj_1", trigger } as const;

/** A place for records and a platform, over which several runs can be tried. */
function setScene() {
  const clock = createFakeClock();
  const claims = createMemoryClaims(clock.now);
  const log = createRecordingLog();
  let submissions = 0;
  const run = (
    owner: { runId?: string; runAttempt?: number } = {},
    changes: Partial<SubmitOnceDeps<string>> & {
      onAmbiguous?: "stop" | "resubmit";
      deadlineMs?: number;
    } = {},
  ): Promise<Submission<string>> =>
    submitOnce(
      {
        owner: { runId: "1", runAttempt: 1, word: "w", ...owner },
        draft,
        onAmbiguous: changes.onAmbiguous ?? "stop",
        deadlineMs: changes.deadlineMs ?? clock.now() + 3_600_000,
      },
      {
        claims,
        lastWords: claims,
        clock,
        log,
        signal: new AbortController().signal,
        findEnd: async () => undefined,
        onFree: async () => undefined,
        objection: async () => undefined,
        onRecord: () => undefined,
        ...changes,
        async submit() {
          submissions += 1;
          return changes.submit ? changes.submit() : { jobId: `job-${submissions}`, job: "created" };
        },
      },
    );
  const seed = (record: Partial<ClaimRecord>) =>
    claims.create({
      ...draft,
      state: "claimed",
      owner: "9.1.x",
      claimedAt: new Date(clock.now()).toISOString(),
      leaseSeconds: 15,
      ...record,
    });
  return { clock, claims, log, run, seed, submissions: () => submissions };
}

const lost = () => Promise.reject(new PlatformError("unavailable", "500", { maybeSubmitted: true }));

describe("submitOnce", () => {
  test("writes down what it is about to do before it does it", async () => {
    const scene = setScene();

    const submission = await scene.run();

    expect(submission).toMatchObject({
      kind: "submitted",
      job: "created",
      claim: { record: { state: "working", jobId: "job-1" } },
    });
    expect(scene.claims.history).toStrictEqual(["claimed", "submitting", "working"]);
  });

  test("resumes the job of an earlier run instead of creating one", async () => {
    const scene = setScene();
    await scene.run();

    const again = await scene.run({ runAttempt: 2 });
    const other = await scene.run({ runId: "2" });

    expect(again).toMatchObject({ kind: "found", claim: { record: { jobId: "job-1" } } });
    expect(other).toMatchObject({ kind: "found" });
    expect(scene.submissions()).toBe(1);
  });

  test("elects one of two runs that claim at once", async () => {
    const scene = setScene();

    const both = await Promise.all([scene.run({ runId: "1" }), scene.run({ runId: "2" })]);

    expect(both.map(({ kind }) => kind).sort()).toStrictEqual(["other-run", "submitted"]);
    expect(scene.submissions()).toBe(1);
    expect(scene.claims.records()).toHaveLength(1);
  });

  test.each<Partial<ClaimRecord>>([
    { state: "submitting", leaseSeconds: 180 },
    { state: "claimed", outcome: "queued until 2026-01-01T00:10:00.000Z", leaseSeconds: 180 },
  ])(
    "leaves the request to a run that was elected before its own claim could be seen: $state",
    async (rival) => {
      const scene = setScene();
      const create: SubmitOnceDeps<string>["claims"]["create"] = async (record) => {
        const held = await scene.claims.create(record);
        // Two more that claimed later; the last of them found nobody else yet.
        await scene.seed({ owner: "2.1.x" });
        await scene.seed({ owner: "3.1.x", ...rival });
        return held;
      };

      const submission = await scene.run({}, { claims: { ...scene.claims, create } });

      expect(submission).toMatchObject({ kind: "other-run", claim: { record: { owner: "3.1.x" } } });
      expect(scene.submissions()).toBe(0);
    },
  );

  test("leaves a lost answer alone, now and in later runs", async () => {
    const scene = setScene();

    const first = await scene.run({}, { submit: lost });
    const second = await scene.run({ runAttempt: 2 });

    expect([first.kind, second.kind]).toStrictEqual(["lost", "lost"]);
    expect(scene.claims.records()).toMatchObject([{ state: "unknown" }]);
    expect(scene.submissions()).toBe(1);
  });

  test("takes the record of a run that died while submitting for a lost answer", async () => {
    const scene = setScene();
    await scene.seed({ state: "submitting", owner: "1.1.x", leaseSeconds: 180 });

    expect(await scene.run({ runId: "1", runAttempt: 2 })).toMatchObject({ kind: "lost" });
    expect(scene.submissions()).toBe(0);
  });

  test("submits once more where the workflow accepts a second job", async () => {
    const scene = setScene();
    await scene.seed({ state: "unknown" });

    expect(await scene.run({}, { onAmbiguous: "resubmit" })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
  });

  test("takes over at once from a dead attempt of its own run, and after the lease from another run", async () => {
    const scene = setScene();
    await scene.seed({ owner: "1.1.x" });
    expect(await scene.run({ runAttempt: 2 })).toMatchObject({ kind: "submitted" });
    expect(scene.clock.waits).toStrictEqual([]);

    const other = setScene();
    await other.seed({ owner: "7.1.x" });
    expect(await other.run()).toMatchObject({ kind: "submitted" });
    expect(other.clock.waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(15_000);
    expect(other.claims.records()).toHaveLength(1);
  });

  test("does not believe, and does not ignore, a record under a replaced key", async () => {
    const scene = setScene();
    const claim = await scene.seed({ state: "working", jobId: "job-0" });
    const list = async () => [{ ...claim, isUnverifiable: true }];

    expect(await scene.run({}, { claims: { ...scene.claims, list } })).toMatchObject({ kind: "lost" });
    expect(scene.submissions()).toBe(0);
  });

  test("queues visibly while the limit is used up, then submits", async () => {
    const scene = setScene();
    let refusals = 2;
    const submit = async () => {
      refusals -= 1;
      if (refusals >= 0) throw new PlatformError("rate-limited", "429", { retryAfterMs: 600_000 });
      return { jobId: "job-1", job: "created" };
    };

    expect(await scene.run({}, { submit })).toMatchObject({ kind: "submitted" });
    const tenMinutes = [180_000, 180_000, 180_000, 60_000];
    expect(scene.clock.waits).toStrictEqual([...tenMinutes, ...tenMinutes]);
    expect(new Set(scene.claims.history)).toStrictEqual(
      new Set([
        "claimed",
        "submitting",
        "claimed: queued until 2026-01-01T00:10:00.000Z",
        "claimed: queued until 2026-01-01T00:20:00.000Z",
        "working",
      ]),
    );
  });

  test("asks ever less often where the platform names a time that is over", async () => {
    const scene = setScene();
    const submit = () => Promise.reject(new PlatformError("rate-limited", "429", { retryAfterMs: 0 }));

    await expect(scene.run({}, { submit })).rejects.toMatchObject({ code: "rate-limited" });
    expect(scene.clock.waits.slice(0, 8)).toStrictEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  test("takes over, while it watches, from a queued run that is gone", async () => {
    const scene = setScene();
    const gone = new Error("The runner is gone.");
    const submit = () =>
      Promise.reject(new PlatformError("rate-limited", "429", { retryAfterMs: 3_000_000 }));
    const clock = { now: scene.clock.now, sleep: () => Promise.reject(gone) };
    const lastWords = { ...scene.claims, update: () => Promise.reject(gone) };
    await expect(scene.run({}, { submit, clock, lastWords })).rejects.toBe(gone);

    expect(await scene.run({ runId: "2" })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toMatchObject([{ state: "working" }]);
  });

  test("sends nothing after its claim ran out while the machine was asleep", async () => {
    const scene = setScene();
    const asleepMs = 3_600_000;
    const submit = () => Promise.reject(new PlatformError("rate-limited", "429", { retryAfterMs: 60_000 }));
    const clock = {
      now: scene.clock.now,
      sleep: (ms: number, signal: AbortSignal) => scene.clock.sleep(ms + asleepMs, signal),
    };
    const deadlineMs = clock.now() + 3 * asleepMs;

    await expect(scene.run({}, { submit, clock, deadlineMs })).rejects.toMatchObject({ code: "timed-out" });
    expect(scene.submissions()).toBe(1);
    expect(scene.claims.records()).toMatchObject([{ state: "released" }]);
  });

  test("sends nothing when its time is over before it could", async () => {
    const scene = setScene();

    await expect(scene.run({}, { deadlineMs: scene.clock.now() })).rejects.toMatchObject({
      code: "timed-out",
    });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "timed-out" }]);
  });

  test("takes a pull request without a record for the end of an earlier run", async () => {
    const scene = setScene();
    await scene.seed({ owner: "1.1.x", state: "released" });
    const findEnd = async () => ({
      outcome: "pull-request",
      pullRequestUrl: "https://github.example/pull/3",
    });

    expect(await scene.run({ runAttempt: 2 }, { findEnd })).toMatchObject({ kind: "found" });
    expect(scene.submissions()).toBe(0);
    expect(scene.claims.records()).toMatchObject([{ state: "ended", outcome: "pull-request" }]);
  });

  test("gives up where the limit lasts longer than the run may wait, and lets a later run try", async () => {
    const scene = setScene();
    const submit = () =>
      Promise.reject(new PlatformError("rate-limited", "429", { retryAfterMs: 7_200_000 }));

    await expect(scene.run({}, { submit })).rejects.toMatchObject({ code: "rate-limited" });
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "rate-limited" }]);
    expect(await scene.run({ runAttempt: 2 })).toMatchObject({ kind: "submitted" });
  });

  test("asks again after a wait whether the request still stands", async () => {
    const scene = setScene();
    let asked = 0;
    const objection = async () => {
      asked += 1;
      return asked > 1 ? { reason: "text-deleted", message: "gone" } : undefined;
    };
    const submit = () => Promise.reject(new PlatformError("rate-limited", "429", { retryAfterMs: 1000 }));

    expect(await scene.run({}, { submit, objection })).toMatchObject({ kind: "withdrawn" });
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "skipped" }]);
  });

  test("releases the claim when the platform turns the request away", async () => {
    const scene = setScene();
    const submit = () => Promise.reject(new PlatformError("forbidden", "403: plan"));

    await expect(scene.run({}, { submit })).rejects.toMatchObject({ code: "forbidden" });
    expect(scene.claims.records()).toMatchObject([
      { state: "released", message: expect.stringContaining("403: plan") },
    ]);
  });

  test.each([
    ["before it sent anything", "claimed", "released"],
    ["while it waits for the answer", "submitting", "unknown"],
  ])("leaves the truth behind when it is cancelled %s", async (_name, during, left) => {
    const scene = setScene();
    const cancelled = new InterruptedError("cancelled", "The workflow was cancelled.");
    const claims = {
      ...scene.claims,
      update: (...[claim, record]: Parameters<typeof scene.claims.update>) =>
        during === "claimed" ? Promise.reject(cancelled) : scene.claims.update(claim, record),
    };

    await expect(scene.run({}, { claims, submit: () => Promise.reject(cancelled) })).rejects.toBe(cancelled);
    expect(scene.claims.records()).toMatchObject([{ state: left, outcome: "cancelled" }]);
  });

  test("finds its claim again when the answer to it was lost", async () => {
    const scene = setScene();
    const claims = {
      ...scene.claims,
      async create(record: ClaimRecord) {
        await scene.claims.create(record);
        throw new Error("connection reset");
      },
    };

    expect(await scene.run({}, { claims })).toMatchObject({ kind: "submitted" });
    expect(scene.claims.records()).toHaveLength(1);
  });

  test("keeps a claim for the post step before it is written", async () => {
    const scene = setScene();
    const known: string[] = [];
    const claims = { ...scene.claims, create: () => Promise.reject(new Error("403")) };
    const onRecord = ({ id, record }: KnownClaim) => known.push(`${id ?? "none"}: ${record.state}`);

    await expect(scene.run({}, { claims, onRecord })).rejects.toThrow("403");
    expect(known).toStrictEqual(["none: claimed", "none: released"]);
  });

  test("releases a claim whose answer is cut off by a cancellation", async () => {
    const scene = setScene();
    const controller = new AbortController();
    const cancelled = new InterruptedError("cancelled", "The workflow was cancelled.");
    const claims = {
      ...scene.claims,
      async create(record: ClaimRecord) {
        await scene.claims.create(record);
        controller.abort(cancelled);
        throw cancelled;
      },
    };

    await expect(scene.run({}, { claims, signal: controller.signal })).rejects.toBe(cancelled);
    expect(scene.claims.records()).toMatchObject([{ state: "released", outcome: "cancelled" }]);
  });

  test("keeps the job when it cannot be written down", async () => {
    const scene = setScene();
    const claims = {
      ...scene.claims,
      update: (...[claim, record]: Parameters<typeof scene.claims.update>) =>
        record.state === "working" ? Promise.reject(new Error("502")) : scene.claims.update(claim, record),
    };

    expect(await scene.run({}, { claims })).toMatchObject({
      kind: "submitted",
      claim: { record: { jobId: "job-1" } },
    });
    expect(scene.log.lines.join()).toContain("could not be written down");
  });
});
