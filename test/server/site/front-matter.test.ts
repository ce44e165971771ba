import { expect, test } from "vitest";
import { readFrontMatter, splitFrontMatter } from "../../../src/server/site/content/page-source.ts";

test("front matter may have many spaces, on a hundred pages", () => {
  const yaml = `title: a${" ".repeat(60_000)}:`;
  for (let page = 0; page < 100; page += 1) expect(readFrontMatter(yaml).frontMatter.title).toBeUndefined();
});

test.each(["'", '"'])("a text between %s may continue on a line without indentation", (quote) => {
  const { frontMatter, problem } = readFrontMatter(
    `title: A\ndescription: ${quote}One\ntwo: three${quote}\n`,
  );
  expect(problem).toBeUndefined();
  expect(frontMatter).toMatchObject({ title: "A", description: "One two: three" });
});

test("tens of thousands of blank lines, which would take the parser seconds, are one", () => {
  expect(splitFrontMatter(`---\ntitle: A\n---\na${" \n".repeat(50_000)}b`).body).toBe("\n\n\na\n\nb");
});
