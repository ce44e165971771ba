import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { readFrontMatter, toFrontMatter } from "../../../src/server/site/content/page-source.ts";

/** What the parser of YAML makes of a front matter. */
function parsed(yaml: string) {
  try {
    return toFrontMatter(parse(yaml, { logLevel: "error" }) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

const values = [
  "Plain words",
  "Größe, 大小 [or] {both} & more!",
  "trailing spaces   ",
  '"in quotation marks: # too"',
  "'single # too: so'",
  "'it''s'",
  '"a \\"word\\""',
  '"open',
  '"closed" rest',
  "text # a comment",
  "text#none",
  "key: value",
  "https://example.com/",
  "ends with:",
  "true",
  "false  ",
  "True",
  "NULL",
  "null",
  '"true"',
  "yes",
  "12",
  "1.5e3",
  "-",
  "- item",
  "[list]",
  "*alias",
  "&anchor text",
  "!tag text",
  "|\n  block\n  text",
  "first\n  second",
  "first\nsecond",
  "tab\tinside",
  "",
];

describe("front matter", () => {
  test.each(values)("has the same value as with the YAML parser: %j", (value) => {
    for (const yaml of [
      `title: ${value}`,
      `title: ${value}\nhidden: true`,
      `hidden: ${value}\ntitle: Second`,
      `title: First\ntitle: ${value}`,
      `description:  ${value}\n\n# comment\n`,
    ]) {
      const { frontMatter, problem } = readFrontMatter(yaml);
      const expected = parsed(yaml);
      if (problem === undefined) expect(frontMatter, yaml).toEqual(expected);
      else expect(expected, yaml).toBeUndefined();
    }
  });

  test("may have many spaces, on a hundred pages", () => {
    const yaml = `title: a${" ".repeat(60_000)}:`;
    for (let page = 0; page < 100; page += 1) expect(readFrontMatter(yaml).frontMatter.title).toBeUndefined();
  });
});
