import { describe, expect, test } from "vitest";
import { quoteChanges, quotePlace } from "../../../src/commands/agent/quote-context.ts";
import { describeRemoval } from "../../../src/commands/describe-removal.ts";
import type { Changes } from "../../../src/github/changes.ts";
import type { WrittenEvent } from "../../../src/github/event.ts";

const changes: Changes = {
  range: "main\u202E",
  url: undefined,
  titles: ["fix: close <title> and <!-- comments -->", 'feat: [a](b "c")\u200B'],
  notes: ["Branch x\u{E0041}"],
  files: [
    { path: "src/__init__.py", status: "modified" },
    { path: "docs/[a](b 'c')\u2066.md", status: "added" },
  ],
  isComplete: true,
};

describe("quoted changes", () => {
  test("show titles and paths as GitHub does: as plain text, without what nobody sees", () => {
    const paths = changes.files.map(({ path }) => path);

    expect(quoteChanges(changes, paths).text).toMatchInlineSnapshot(`
      "Range: main
      Branch x

      Titles:
      - fix: close <title> and <!-- comments -->
      - feat: [a](b "c")

      Changed files:
      - modified: src/__init__.py
      - added: docs/[a](b 'c').md"
    `);
  });
});

describe("a quoted place", () => {
  test("keeps the lines of a diff as they are shown: they are code", () => {
    const hunk = "@@ -1 +1 @@\n-<!-- old -->\n+<template>\u202E";
    const event = { place: { path: "a.vue", line: 3, hunk } } as unknown as WrittenEvent;

    expect(quotePlace(event)[0]?.text).toBe("a.vue, line 3\n\n@@ -1 +1 @@\n-<!-- old -->\n+<template>");
  });
});

describe("the receipt", () => {
  test.each([
    [0, 0, undefined],
    [1, 0, "1 hidden segment"],
    [2, 1, "2 hidden segments and 1 invisible character"],
    [0, 2, "2 invisible characters"],
  ])("says %i and %i as %j", (hiddenSegments, invisibleCharacters, words) => {
    expect(describeRemoval({ hiddenSegments, invisibleCharacters }, "the request")).toBe(
      words && `Removed from the request, because GitHub does not show it: ${words}.`,
    );
  });
});
