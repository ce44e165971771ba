import { expect, test } from "vitest";
import { renderFiles } from "./render-files.ts";
import { renderText } from "./render-text.ts";

const length = 200_000;
const many = (text: string) => text.repeat(length / text.length);

/** Texts in which a search that starts again at each character takes minutes. */
test.each([
  ["braces behind a code's language", `\`\`\`js ${many("{")}\ncode\n\`\`\``],
  ["hyphens behind a code's language", `\`\`\`js ${many("a-")}\ncode\n\`\`\``],
  ["empty lines in a code", `\`\`\`js\na${many("\n")}b\n\`\`\``],
  ["empty lines in a diagram", `\`\`\`mermaid\ngraph TD\n${many("\n")}a-->b\n\`\`\``],
  ["settings in a diagram", `\`\`\`mermaid\n${many("%%{\n")}graph TD\n\`\`\``],
  ["quotes in front matter", `---\n${'a: "\n'.repeat(10_000)}---\ntext`],
  ["empty lines in a page", `a${many("\n")}b`],
  ["spaces in a heading", `# a${many(" ")}b {#c`],
  ["a text without a tilde", many("a")],
  ["slashes in a link", `[a](b${many("/")}c)`],
])("many %s do not slow down a page", async (_name, body) => {
  await using site = await renderFiles({ "index.md": body });
  expect(site.pageCount).toBe(1);
});

test.each([
  ["comments that are not closed", many("<!-- a\n")],
  ["backticks in a line", `<!-- a -->${many("`")} a`],
  ["fences that are not closed", `<!-- a -->\n${many("```js\n")}`],
  ["digits in a line", `<!-- a -->\n${many("1")}`],
])("many %s do not slow down a page with comments", async (_name, body) => {
  const { warnings } = await renderText(`{a\n\n${body}`, "page.mdx");
  expect(warnings).toEqual([expect.stringContaining("it is not MDX and was read as Markdown")]);
});

test("content that is nested too deeply is reported as missing", async () => {
  const depth = 130;
  const { html, warnings } = await renderText(`${"> ".repeat(depth)}inside`, "page.md");
  expect(html).not.toContain("inside");
  expect(warnings).toEqual(["content nested in more than 100 elements is not shown"]);
});

test.each([
  ["page.md", `|${"a|".repeat(1_000)}\n|${"-|".repeat(1_000)}\n${"|b|\n".repeat(1_000)}`],
  ["page.mdx", `<table><tr>${"<td>a</td>".repeat(500)}</tr>${"<tr><td>b</td></tr>".repeat(500)}</table>`],
])("a table with many columns and rows is not padded in %s", async (source, body) => {
  const { html, markdown } = await renderText(body, source);
  expect(html.match(/<t[dh]>/g)?.length).toBeLessThan(3_000);
  expect(markdown.length).toBeLessThan(20_000);
});

/** A table of so many columns and rows. */
function tableOf(columns: number, rows: number): string {
  const row = (cell: string) => `|${`${cell}|`.repeat(columns)}\n`;
  return row("a") + row("-") + row("b").repeat(rows);
}

test.each([
  ["columns", 20_000, 10],
  ["cells", 100, 2_000],
])("tables of a page with too many %s stay text and are reported", async (_name, columns, rows) => {
  for (const source of ["page.md", "page.mdx"]) {
    const { html, warnings } = await renderText(`# Page\n\n${tableOf(columns, rows)}`, source);
    expect(warnings).toEqual(["the page's tables stay text: they have more than 100000 cells"]);
    expect(html).not.toContain("<table>");
    expect(html).toContain("|b|b|b|");
  }
});

test("many tables do not slow down a page", async () => {
  const { warnings } = await renderText("|a|\n|-|\n".repeat(60_000), "page.md");
  expect(warnings.length).toBe(1);
});
