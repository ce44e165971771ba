import { expect, test } from "vitest";
import { TimeLimitError, withTimeLimit } from "../../../src/server/site/content/parse-page.ts";

test("work that never ends is stopped", () => {
  const { signal } = new AbortController();
  let turns = 0;
  const forever = () => {
    while (!signal.aborted) turns += 1;
  };
  expect(() => withTimeLimit(20, forever)).toThrow(TimeLimitError);
  expect(turns).toBeGreaterThan(0);
});

test("work that ends in time gives its result, and its errors are its own", () => {
  const error = new RangeError("mine");
  const fail = () => {
    throw error;
  };
  expect(withTimeLimit(60_000, () => 42)).toBe(42);
  expect(() => withTimeLimit(60_000, fail)).toThrow(error);
});
