import { describe, expect, test } from "vitest";
import { durations, progressShapes } from "../../bench/waiting/jobs.ts";
import { waitInCrowd, waitWithSchedule } from "../../bench/waiting/simulation.ts";
import { follow, mean } from "../../bench/waiting.ts";

const shapesWithPace = ["linear", "queued 30 %, then linear", "slow, then fast"];

/** Mean seconds from the job's end to the poll that finds it, and mean number of polls, over a set of the benchmark. */
async function measure(set: string, shape = "none") {
  const jobs = durations[set] ?? [];
  const waits = await follow(jobs, shape);
  return {
    lateSeconds: mean(waits.map(({ overshootMs = Number.NaN }) => overshootMs)) / 1000,
    polls: mean(waits.map(({ polls }) => polls)),
    allowedSeconds: mean(jobs.map((ms) => Math.max(1500, 0.03 * ms))) / 1000,
    halfOfEvery10: mean(jobs.map((ms) => waitWithSchedule(ms, { waitMs: () => 10_000 }).polls)) / 2,
  };
}

describe("the polling schedule on simulated jobs", () => {
  test.each(Object.keys(durations))("notices the end within 1.5 s or 3 % on average: %s", async (set) => {
    const { lateSeconds, allowedSeconds } = await measure(set);
    expect(lateSeconds).toBeLessThanOrEqual(allowedSeconds);
  });

  test.each([20, 30, 60, 150, 400, 900])("notices it as fast around each duration: %i s", async (seconds) => {
    // Within 20 % of the duration, so that the end is at any time between two polls.
    const jobs = Array.from({ length: 400 }, (_, index) => seconds * (800 + index));
    const waits = await follow(jobs, "none");
    const late = mean(waits.map(({ overshootMs = Number.NaN }) => overshootMs));
    expect(late).toBeLessThanOrEqual(Math.max(1500, 0.03 * 1000 * seconds));
  });

  test.each(shapesWithPace)("notices the end within 2.5 s on average with progress: %s", async (shape) => {
    for (const set of Object.keys(durations)) {
      expect((await measure(set, shape)).lateSeconds, set).toBeLessThanOrEqual(2.5);
    }
  });

  test.each(["none", ...shapesWithPace])(
    "needs at most half as many polls as a fixed interval of 10 s: %s",
    async (shape) => {
      const { polls, halfOfEvery10 } = await measure("10 min to 1 h, log-uniform", shape);
      expect(polls).toBeLessThanOrEqual(halfOfEvery10);
    },
  );

  test("is no slower with progress than without, and polls hardly more often if the progress stops", async () => {
    for (const set of Object.keys(durations)) {
      const without = await measure(set);
      for (const shape of Object.keys(progressShapes)) {
        const { lateSeconds, polls } = await measure(set, shape);
        expect(lateSeconds, `${set}, ${shape}`).toBeLessThanOrEqual(without.lateSeconds + 0.1);
        expect(polls, `${set}, ${shape}`).toBeLessThanOrEqual(1.3 * without.polls);
      }
    }
  });
});

describe("fifty runs at once", () => {
  const jobs = durations["5 s to 1 h, log-uniform"]?.filter((_, index) => index % 4 === 0) ?? [];

  test.each([
    { limit: 600, refused: 40, minute: 640 },
    { limit: 100, refused: 90, minute: 155 },
    { limit: 30, refused: 140, minute: 80 },
  ])("all end below a limit of $limit requests per minute", async ({ limit, refused, minute }) => {
    const crowd = await waitInCrowd(jobs, limit, 0);
    expect(crowd.waits).toHaveLength(50);
    expect(crowd.refused).toBeLessThanOrEqual(refused);
    expect(Math.max(...crowd.byMinute)).toBeLessThanOrEqual(minute);
    // From the fourth minute on, they stay below the limit without further rate-limited responses.
    expect(Math.max(...crowd.byMinute.slice(4))).toBeLessThanOrEqual(limit);
  });
});
