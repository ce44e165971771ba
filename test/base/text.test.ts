import { expect, test } from "vitest";
import { cutText, formatDuration, joinLastLines, shorten } from "../../src/base/text.ts";

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["ab😀d", 4, "ab…"],
])("%j shortened to %i is %j", (text, length, expected) => {
  expect(shorten(text, length)).toBe(expected);
});

test.each([
  [80, "1 s"],
  [42_000, "42 s"],
  [185_000, "3 min 5 s"],
])("%i milliseconds are shown as %s", (ms, expected) => {
  expect(formatDuration(ms)).toBe(expected);
});

test("a shortened text ends with a complete character", () => {
  expect(cutText("ab😀", 3)).toBe("ab");
});

test("the last lines of a text are found in linear time", () => {
  const spaces = " ".repeat(200_000);
  const before = process.threadCpuUsage();
  expect(joinLastLines(`a\r\n\n b${spaces}c \n\nd\n`, 2)).toBe(`b${spaces}c / d`);
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
});
