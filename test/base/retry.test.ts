import { describe, expect, test } from "vitest";
import { backoffMs, parseRetryAfter } from "../../src/base/retry.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

describe("backoffMs", () => {
  const backoff = { baseMs: 400, maxMs: 10_000 };

  test("is random below a bound that doubles with each failure, up to the maximum", () => {
    const bounds = [1, 2, 3, 6, 60].map((failures) => backoffMs(failures, () => 1, backoff));
    expect(bounds).toStrictEqual([400, 800, 1_600, 10_000, 10_000]);
    expect([0, 0.5].map((random) => backoffMs(3, () => random, backoff))).toStrictEqual([0, 800]);
  });
});

describe("parseRetryAfter", () => {
  test.each([
    ["0", 0],
    ["120", 120_000],
    [" 7 ", 7_000],
    ["1.5", 1_500],
    ["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 11:00:00 GMT", 0],
  ])("reads %j as %i ms", (value, ms) => {
    expect(parseRetryAfter(value, now)).toBe(ms);
  });

  test.each(["9".repeat(20), "9".repeat(400), "Thu, 01 Jan 275000 00:00:00 GMT"])(
    "cuts a wait of more than a year, so that its end is a date: form %#",
    (value) => {
      const waitMs = parseRetryAfter(value, now) ?? Number.NaN;
      expect(new Date(now + waitMs).toISOString()).toBe("2027-11-21T12:00:00.000Z");
    },
  );

  test.each([undefined, "", "soon", "-5", "2026"])("ignores %j", (value) => {
    expect(parseRetryAfter(value, now)).toBe(value === "2026" ? 2_026_000 : undefined);
  });
});
