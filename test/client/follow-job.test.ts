import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { InterruptedError } from "../../src/base/errors.ts";
import { PlatformError } from "../../src/client/errors.ts";
import {
  estimateRemainingMs,
  type FollowJobOptions,
  followJob,
  nextPollDelayMs,
} from "../../src/client/follow-job.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createRecordingLog } from "../support/recording-log.ts";

interface Job {
  readonly status?: string | undefined;
  readonly percent?: number;
}
type Answer = Job | Error;

/** Follows a job whose polls return the responses of a list; the last response repeats. */
function follow(
  answers: readonly Answer[],
  options: Partial<FollowJobOptions<Job>> = {},
  random = () => 0.5,
) {
  const clock = createFakeClock();
  const log = createRecordingLog();
  const controller = new AbortController();
  const states: (string | undefined)[] = [];
  let polls = 0;
  const read = async () => {
    const answer = answers[Math.min(polls, answers.length - 1)];
    polls += 1;
    if (answer instanceof Error) throw answer;
    return answer ?? {};
  };
  const ended = followJob<Job>(
    {
      name: "export job se_1",
      read,
      describe: ({ status, percent }) => ({
        status,
        percent,
        line: [status ?? "?", percent].filter((word) => word !== undefined).join(", "),
      }),
      isEnded: (status) => status === "completed" || status === "failed",
      runningStatuses: ["queued", "running"],
      submittedMs: clock.now(),
      deadlineMs: clock.now() + 3_600_000,
      ...options,
    },
    {
      ...{ clock, log, random, signal: controller.signal },
      onState: (_job, { status }) => void states.push(status),
    },
  );
  return { ended, clock, log, controller, states, polls: () => polls };
}

const unavailable = new PlatformError("unavailable", "Could not poll: the platform returned 503.");

describe("followJob", () => {
  test("returns the job once its status is final", async () => {
    const { ended, clock, states } = follow([
      { status: "queued" },
      { status: "running" },
      { status: "completed" },
    ]);
    expect(await ended).toEqual({ status: "completed" });
    expect(states).toEqual(["queued", "running", "completed"]);
    expect(clock.waits).toEqual([2500, 2500, 2500]);
  });

  test("polls the job of an embedded platform after a quarter of its age, between 0.2 and 2.5 seconds", async () => {
    const running = Array.from({ length: 17 }, () => ({ status: "running" }));
    const { ended, clock } = follow([...running, { status: "completed" }], { isEmbedded: true });
    await ended;
    expect(clock.waits).toEqual([
      ...[200, 200, 200, 200, 200, 250, 313, 391, 489, 611],
      ...[764, 955, 1193, 1492, 1865, 2331, 2500, 2500],
    ]);
  });

  test("writes one line per change, and one every 30 seconds without change", async () => {
    const { ended, log } = follow([
      { status: "queued" },
      ...Array.from({ length: 28 }, () => ({ status: "running", percent: 5 })),
      { status: "completed" },
    ]);
    await ended;
    expect(log.lines).toMatchInlineSnapshot(`
      [
        "info: Export job se_1: queued (3 s)",
        "info: Export job se_1: running, 5 (5 s)",
        "info: Export job se_1: running, 5 (35 s)",
        "info: Export job se_1: running, 5 (1 min 5 s)",
        "info: Export job se_1: completed (1 min 26 s)",
      ]
    `);
  });

  test("writes one line every 30 seconds also while the platform does not respond", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<Job>()];
    const read = () => {
      asked.resolve();
      return answered.promise;
    };
    const { ended, clock, log, controller } = follow([], { read });
    await asked.promise;

    for (let seconds = 0; seconds < 62; seconds += 1) {
      await clock.sleep(1000, controller.signal);
      vi.advanceTimersByTime(1000);
    }
    answered.resolve({ status: "completed" });
    await ended;

    expect(log.lines).toStrictEqual([
      "info: Export job se_1: no response yet (31 s)",
      "info: Export job se_1: no response yet (1 min 1 s)",
      "info: Export job se_1: completed (1 min 5 s)",
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("warns once of an unknown status and continues", async () => {
    const { ended, log } = follow([
      { status: "warming" },
      { status: "warming" },
      {},
      {},
      { status: "completed" },
    ]);
    await ended;
    expect(log.lines.filter((line) => line.startsWith("warning"))).toEqual([
      "warning: Export job se_1 has a status this action does not know (“warming”); still waiting.",
      "warning: The response for export job se_1 has no status; still waiting.",
    ]);
  });

  test("tolerates nine failed polls in a row, repeatedly", async () => {
    const codes = ["unavailable", "unreachable", "unexpected-response", "conflict"] as const;
    const nine = Array.from(
      { length: 9 },
      (_, poll) => new PlatformError(codes[poll % 4] ?? "internal", "no"),
    );
    const { ended } = follow([...nine, { status: "running" }, ...nine, { status: "completed" }]);
    expect(await ended).toEqual({ status: "completed" });
  });

  test("gives up after ten failed polls in a row with the last reason", async () => {
    const { ended, log, polls } = follow([unavailable]);
    await expect(ended).rejects.toBe(unavailable);
    expect(polls()).toBe(10);
    expect(log.lines[1]).toBe(
      `info: ${unavailable.message} Polling again in 2 s (failure 2 of 10 in a row).`,
    );
  });

  test("gives up after five minutes without a usable response; a rate limit is one", async () => {
    const details = { retryAfterMs: 110_000 };
    const limited = new PlatformError("rate-limited", "no", details);
    const slow = new PlatformError("unavailable", "no", details);
    const { ended, polls } = follow([limited, limited, limited, limited, slow]);
    await expect(ended).rejects.toMatchObject({ code: "unavailable" });
    expect(polls()).toBe(7);
  });

  test("polls until exactly five minutes have passed without a response", async () => {
    const slow = new PlatformError("unavailable", "no", { retryAfterMs: 60_000 });
    const { ended, clock } = follow([slow], { pollAtOnce: true });
    await expect(ended).rejects.toBe(slow);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBe(360_000);
  });

  test.each([
    ["unauthorized", {}],
    ["forbidden", {}],
    ["rejected", {}],
    // A certificate that is not trusted.
    ["unreachable", { retryable: false }],
  ] as const)("gives up at once on %s %o", async (code, details) => {
    const { ended, polls } = follow([new PlatformError(code, "no", details)]);
    await expect(ended).rejects.toMatchObject({ code });
    expect(polls()).toBe(1);
  });

  test("tolerates an unknown job for the first 30 seconds only", async () => {
    const unknown = new PlatformError("not-found", "no such job");
    await expect(follow([unknown, { status: "completed" }]).ended).resolves.toEqual({ status: "completed" });
    const { ended, clock } = follow([unknown]);
    await expect(ended).rejects.toBe(unknown);
    expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(30_000);
  });

  test("tolerates no unknown job that was only named, unless a proxy may have responded", async () => {
    const named = { submittedMs: undefined, pollAtOnce: true };
    const unknown = new PlatformError("not-found", "no such job", { isFromApi: true });
    const { ended, polls } = follow([unknown, { status: "completed" }], named);
    await expect(ended).rejects.toBe(unknown);
    expect(polls()).toBe(1);

    const proxied = follow([new PlatformError("not-found", "a page"), { status: "completed" }], named);
    await expect(proxied.ended).resolves.toEqual({ status: "completed" });
  });

  test.each(["not-found", "forbidden"] as const)(
    "ends if the platform responds %s for an earlier found job, but not if a proxy does",
    async (code) => {
      const page = new PlatformError(code, "an HTML page");
      const pages = Array.from({ length: 8 }, () => page);
      const running = Array.from({ length: 20 }, () => ({ status: "running" }));
      await expect(follow([...running, ...pages, { status: "completed" }]).ended).resolves.toEqual({
        status: "completed",
      });
      const gone = new PlatformError(code, "gone", { isFromApi: true });
      const { ended, polls } = follow([...running, gone]);
      await expect(ended).rejects.toBe(gone);
      expect(polls()).toBe(21);
    },
  );

  test("waits with jitter, and after a failure with full jitter of at least half a second", async () => {
    const answers = [{ status: "running" }, unavailable, unavailable, { status: "completed" }];
    const early = follow(answers, {}, () => 0);
    await early.ended;
    expect(early.clock.waits).toEqual([2250, 2250, 500, 500]);
    const late = follow(answers, {}, () => 0.999_999);
    await late.ended;
    expect(late.clock.waits).toEqual([2750, 2750, 2000, 4000]);
  });

  test("waits for Retry-After and a part of a polling interval", async () => {
    const limited = new PlatformError("rate-limited", "slow down", { retryAfterMs: 90_000 });
    const { ended, clock, log } = follow([limited, { status: "completed" }]);
    await ended;
    expect(log.lines[0]).toBe("info: slow down Polling again in 1 min 32 s.");
    expect(clock.waits).toEqual([2500, 27_500, 30_000, 30_000, 4375]);
  });

  test("says when its last poll is, if Retry-After passes the deadline", async () => {
    const limited = new PlatformError("rate-limited", "slow down", { retryAfterMs: 3_600_000 });
    const { ended, log } = follow([limited], { deadlineMs: createFakeClock().now() + 30_000 });
    await expect(ended).rejects.toMatchObject({ code: "timed-out" });
    expect(log.lines[0]).toBe("info: slow down The last poll is at the deadline, in 28 s.");
  });

  test("polls less often for the rest of the job after a rate limit", async () => {
    const limited = new PlatformError("rate-limited", "slow down");
    const running = Array.from({ length: 4 }, () => ({ status: "running" }));
    const once = follow([limited, ...running, { status: "completed" }]);
    await once.ended;
    expect(once.clock.waits).toEqual([2500, 5625, 3750, 3750, 3750, 3750]);
    const twice = follow([limited, limited, ...running, { status: "completed" }]);
    await twice.ended;
    expect(twice.clock.waits.slice(3)).toEqual([5625, 5625, 5625, 5625]);
  });

  test("waits for half of the time that the job's progress leaves, without its time in a queue", async () => {
    const percents = [0, 0, 20, 40, 40];
    const { ended, clock } = follow(
      [...percents.map((percent) => ({ status: "running", percent })), { status: "completed" }],
      { submittedMs: createFakeClock().now() - 100_000 },
    );
    await ended;
    expect(clock.waits).toEqual([5500, 5803, 6122, 10_395, 9789, 4895]);
  });

  test("polls a last time exactly at the deadline, and uses the result", async () => {
    const deadlineMs = createFakeClock().now() + 6000;
    const { ended, clock } = follow([{ status: "running" }, { status: "running" }, { status: "completed" }], {
      deadlineMs,
    });
    await expect(ended).resolves.toEqual({ status: "completed" });
    expect(clock.now()).toBe(deadlineMs);
  });

  test("times out at the deadline and reports the last state", async () => {
    const { ended } = follow([{ status: "running", percent: 40 }], {
      deadlineMs: createFakeClock().now() + 5000,
    });
    await expect(ended).rejects.toMatchObject({
      code: "timed-out",
      message:
        "Stopped waiting for export job se_1: `timeout-minutes` has passed. Its last state was: running, 40.",
    });
  });

  test.each([
    { answers: [{ status: "running" }, unavailable], end: ` The last poll failed: ${unavailable.message}` },
    { answers: [unavailable, { status: "running" }], end: "" },
  ])(
    "names the last failure at the deadline only if no response followed: $end",
    async ({ answers, end }) => {
      const { ended } = follow(answers, { deadlineMs: createFakeClock().now() + 60_000 });

      await expect(ended).rejects.toHaveProperty(
        "message",
        `Stopped waiting for export job se_1: \`timeout-minutes\` has passed. Its last state was: running.${end}`,
      );
    },
  );

  test("polls a job that may have ended long ago without waiting first", async () => {
    const { ended, clock } = follow([{ status: "completed" }], { pollAtOnce: true });
    await ended;
    expect(clock.waits).toEqual([0]);
  });

  test("stops waiting with the signal's reason", async () => {
    const { ended, controller } = follow([{ status: "running" }]);
    const reason = new InterruptedError("cancelled", "The workflow was cancelled.");
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
  });
});

const middle = () => 0.5;

describe("nextPollDelayMs", () => {
  test("starts at 2.5 s and grows with the job's age up to a minute and a half", () => {
    const delays = [0, 2, 40, 50, 200, 1000, 3600].map((age) =>
      nextPollDelayMs(age * 1000, undefined, middle),
    );
    expect(delays).toEqual([2500, 2500, 2500, 2750, 11_000, 55_000, 90_000]);
  });

  test("is half of the estimated remaining time, and at most four times the delay without an estimate", () => {
    expect(nextPollDelayMs(200_000, 40_000, middle)).toBe(20_000);
    expect(nextPollDelayMs(200_000, 4000, middle)).toBe(2500);
    expect(nextPollDelayMs(200_000, 3_600_000, middle)).toBe(44_000);
  });

  test("grows with the overdue time of a job", () => {
    expect(nextPollDelayMs(200_000, -1000, middle)).toBe(2500);
    expect(nextPollDelayMs(200_000, -100_000, middle)).toBe(5500);
  });

  test("has a jitter of 10 %", () => {
    const delays = [0, 0.5, 0.75, 0.999_999].map((random) =>
      nextPollDelayMs(200_000, undefined, () => random),
    );
    expect(delays).toEqual([9900, 11_000, 11_550, 12_100]);
  });

  test("stays within its bounds including jitter", () => {
    fc.assert(
      fc.property(
        fc.nat(100_000_000),
        fc.option(fc.integer({ min: -100_000_000, max: 100_000_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (ageMs, restMs, random) => {
          const delay = nextPollDelayMs(ageMs, restMs, () => random);
          expect(delay).toBeGreaterThanOrEqual(2250);
          expect(delay).toBeLessThanOrEqual(99_000);
        },
      ),
    );
  });
});

describe("estimateRemainingMs", () => {
  test.each([
    ["no samples", []],
    ["one sample", [{ atMs: 0, percent: 50 }]],
    [
      "no progress",
      [
        { atMs: 0, percent: 50 },
        { atMs: 1000, percent: 50 },
      ],
    ],
    [
      "decreasing progress",
      [
        { atMs: 0, percent: 50 },
        { atMs: 1000, percent: 40 },
      ],
    ],
    [
      "too little progress",
      [
        { atMs: 0, percent: 1 },
        { atMs: 1000, percent: 2 },
      ],
    ],
    [
      "completed progress",
      [
        { atMs: 0, percent: 50 },
        { atMs: 1000, percent: 100 },
      ],
    ],
  ])("returns undefined with %s", (_name, samples) => {
    expect(estimateRemainingMs(samples, 1000)).toBeUndefined();
  });

  test("needs no more than 3 %, and any progress", () => {
    const samples = [0, 2.5, 3].map((percent, index) => ({ atMs: index * 1000, percent }));
    expect(estimateRemainingMs(samples, 2000)).toBe(194_000);
  });

  test("uses the newest speed", () => {
    const samples = [0, 40, 80, 82, 84].map((percent, index) => ({ atMs: index * 10_000, percent }));
    // 2 % in 10 s: 16 % take 80 s, of which 5 s have passed, or more than all.
    expect(estimateRemainingMs(samples, 45_000)).toBe(75_000);
    expect(estimateRemainingMs(samples, 150_000)).toBe(-30_000);
  });

  test("uses the speed of the newest fifth of many samples", () => {
    const percents = [0, 10, 20, 30, 40, 50, 60, 70, 80, 86, 88];
    const samples = percents.map((percent, index) => ({ atMs: index * 10_000, percent }));
    // 8 % in 20 s: 12 % take 30 s.
    expect(estimateRemainingMs(samples, 100_000)).toBe(30_000);
  });
});
