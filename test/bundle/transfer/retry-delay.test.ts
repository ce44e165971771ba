import { describe, expect, it } from "vitest";
import { parseRetryAfter, retryDelay } from "../../../src/bundle/transfer/retry-delay.ts";

const now = Date.parse("2026-11-21T08:00:00Z");

describe("the pause before another try", () => {
  it("is random, and its bound doubles up to ten seconds", () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7].map((failures) =>
      retryDelay({ failures, retryAfterMs: undefined }, () => 1),
    );

    expect(bounds).toEqual([400, 800, 1600, 3200, 6400, 10_000, 10_000]);
    expect(retryDelay({ failures: 5, retryAfterMs: undefined }, () => 0)).toBe(0);
  });

  it("is never shorter than storage asks, up to five minutes", () => {
    expect(retryDelay({ failures: 1, retryAfterMs: 60_000 }, () => 1)).toBe(60_000);
    expect(retryDelay({ failures: 1, retryAfterMs: 3_600_000 }, () => 1)).toBe(300_000);
  });

  it.each([
    { value: "7", expected: 7000 },
    { value: "Sat, 21 Nov 2026 08:01:00 GMT", expected: 60_000 },
    { value: "Sat, 21 Nov 2026 07:00:00 GMT", expected: 0 },
    { value: "soon", expected: undefined },
    { value: "2026", expected: 2_026_000 },
    { value: undefined, expected: undefined },
  ])("reads Retry-After: $value", ({ value, expected }) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });
});
