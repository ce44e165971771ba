import { describe, expect, it } from "vitest";
import { retryDelay } from "../../../src/bundle/transfer/retry-delay.ts";

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
});
