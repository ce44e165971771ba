import { expect, test } from "vitest";
import { cutText, shorten } from "../../src/base/text.ts";

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["ab😀d", 4, "ab…"],
])("%j shortened to %i is %j", (text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});

test("a shortened text ends with a complete character", () => {
  expect(cutText("ab😀", 3)).toBe("ab");
});
