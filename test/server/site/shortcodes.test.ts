import { expect, test } from "vitest";
import { firstHeading } from "../../../src/server/site/content/page-source.ts";
import { renderHtml } from "./render-text.ts";

test.each([
  ["Done :tada:!", "<p>Done 🎉!</p>"],
  ["**:+1:** :-1: (:100:)", "<p><strong>👍</strong> 👎 (💯)</p>"],
  [":smile:{ .large } Text", "<p>😄 Text</p>"],
  [":smile:{count} Text", "<p>😄{count} Text</p>"],
])("names of emoji become emoji: %j", async (markdown, expected) => {
  expect(await renderHtml(markdown, "page.md")).toBe(expected);
});

test("a name of an emoji is replaced in a table, a component and a title, too", async () => {
  expect(await renderHtml("| a |\n| - |\n| :heavy_check_mark: |", "page.md")).toContain("<td>✔️</td>");
  expect(await renderHtml("<Note>Done :tada:</Note>", "page.mdx")).toContain("Done 🎉");
  expect(firstHeading("# :rocket: Start")).toBe("🚀 Start");
});

test.each([
  "`:tada:`",
  "```\n:tada:\n```",
  "a:tada:b",
  "10:100:20",
  "urn:isbn:100:1",
  ":no-such-name:",
  ":material-there-is-no-such-icon-xyzzy:",
  ":constructor:",
  "https://example.com/:id:/x",
  "GET /users/:id:",
])("%j stays text", async (markdown) => {
  const html = await renderHtml(markdown, "page.md");
  expect(html).not.toMatch(/🎉|💯|🆔|<svg/u);
  expect(html).toMatch(/:[\w-]+:/);
});

test.each([
  ":material-star: Rating",
  ":fontawesome-solid-star:{ .lg .middle } Rating",
  ":octicons-star-16: Rating",
])("names of MkDocs' icons become icons: %j", async (markdown) => {
  const html = await renderHtml(markdown, "page.md");
  expect(html).toMatch(/^<p><svg class="icon"[^>]*>.*<\/svg> Rating<\/p>$/);
});
