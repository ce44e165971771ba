import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { backoffDelayMs, estimateRestMs, nextPollDelayMs } from "../../src/client/poll-schedule.ts";

const middle = () => 0.5;

describe("nextPollDelayMs", () => {
  test("starts at 2 s and grows with the square root of the job's age up to 30 s", () => {
    const delays = [0, 2, 8, 50, 200, 450, 3600].map((age) =>
      nextPollDelayMs({ ageMs: age * 1000, samples: [] }, middle),
    );
    expect(delays).toEqual([2000, 2000, 4000, 10_000, 20_000, 30_000, 30_000]);
  });

  test("follows the estimated rest where progress moves", () => {
    const samples = [0, 10, 20, 30].map((percent, index) => ({ atMs: index * 10_000, percent }));
    // 10 % in 10 s: 70 s are left; √(2·200 s) = 20 s would be the blind wait.
    expect(nextPollDelayMs({ ageMs: 200_000, samples }, middle)).toBe(30_000);
    const late = [96, 97, 98].map((percent, index) => ({ atMs: index * 1000, percent }));
    expect(nextPollDelayMs({ ageMs: 200_000, samples: late }, middle)).toBe(2000);
  });

  test("jitters by a tenth and stays within its bounds", () => {
    fc.assert(
      fc.property(
        fc.nat(100_000_000),
        fc.array(fc.record({ atMs: fc.nat(), percent: fc.double({ min: 0, max: 100, noNaN: true }) })),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (ageMs, samples, random) => {
          const delay = nextPollDelayMs({ ageMs, samples }, () => random);
          expect(delay).toBeGreaterThanOrEqual(1800);
          expect(delay).toBeLessThanOrEqual(33_000);
        },
      ),
    );
  });

  test("looks about thirty times at a job of ten minutes with linear progress, and sees its end within four seconds", () => {
    const endMs = 600_000;
    const samples: { atMs: number; percent: number }[] = [];
    let nowMs = 0;
    let looks = 0;
    while (nowMs < endMs) {
      nowMs += nextPollDelayMs({ ageMs: nowMs, samples }, middle);
      looks += 1;
      samples.push({ atMs: nowMs, percent: Math.min(100, (100 * nowMs) / endMs) });
    }
    expect(nowMs - endMs).toBeLessThanOrEqual(4000);
    expect(looks).toBeLessThanOrEqual(45);
  });
});

describe("estimateRestMs", () => {
  test.each([
    ["no samples", []],
    ["one sample", [{ atMs: 0, percent: 50 }]],
    [
      "no movement",
      [
        { atMs: 0, percent: 50 },
        { atMs: 1000, percent: 50 },
      ],
    ],
    [
      "a step back",
      [
        { atMs: 0, percent: 50 },
        { atMs: 1000, percent: 40 },
      ],
    ],
    [
      "too early to say",
      [
        { atMs: 0, percent: 1 },
        { atMs: 1000, percent: 2 },
      ],
    ],
    [
      "all done",
      [
        { atMs: 0, percent: 50 },
        { atMs: 1000, percent: 100 },
      ],
    ],
  ])("knows nothing with %s", (_name, samples) => {
    expect(estimateRestMs(samples)).toBeUndefined();
  });
});

describe("backoffDelayMs", () => {
  test("is full jitter below a ceiling that doubles up to 30 s", () => {
    expect([1, 2, 3, 4, 5, 20].map((failures) => backoffDelayMs(failures, () => 1))).toEqual([
      2000, 4000, 8000, 16_000, 30_000, 30_000,
    ]);
    expect(backoffDelayMs(5, () => 0)).toBe(500);
  });
});
