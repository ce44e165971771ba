import { expect, test } from "vitest";
import { limitByLength, withTimeLimit } from "../../../src/server/site/content/time-limit.ts";

test("work that never ends is stopped", () => {
  const { signal } = new AbortController();
  let turns = 0;
  const forever = () => {
    while (!signal.aborted) turns += 1;
  };
  expect(() => withTimeLimit(forever, 200)).toThrow("timed out after 200ms");
  expect(turns).toBeGreaterThan(0);
});

test("nested work has the outer limit, and later work has its own", () => {
  let turns = 0;
  const forever = () => {
    while (turns >= 0) turns += 1;
  };
  const nested = () => withTimeLimit(forever, 60_000);
  expect(() => withTimeLimit(nested, 20)).toThrow("timed out after 20ms");
  expect(() => withTimeLimit(forever, 30)).toThrow("timed out after 30ms");
});

test("the limit by length grows up to the general limit", () => {
  expect([0, 40_000, 2_000_000].map(limitByLength)).toEqual([2_000, 4_000, 30_000]);
});

test("work that ends in time returns its result or throws its own error", () => {
  const error = new RangeError("mine");
  const fail = () => {
    throw error;
  };
  expect(withTimeLimit(() => 42, 60_000)).toBe(42);
  expect(() => withTimeLimit(fail, 60_000)).toThrow(error);
});
