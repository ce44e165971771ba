import { expect, test } from "vitest";
import { cutText, shorten } from "../../src/base/text.ts";

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["ab😀d", 4, "ab…"],
])("%j shortened to %i is %j", (text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});

test("a cut text ends with a whole character", () => {
  expect(cutText("ab😀", 3)).toBe("ab");
});
