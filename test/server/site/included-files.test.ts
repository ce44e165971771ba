import { describe, expect, test } from "vitest";
import { readDocsTree } from "../../../src/server/site/content/docs-tree.ts";
import { includeFiles } from "../../../src/server/site/content/included-files.ts";
import { createFolder } from "./docs-folder.ts";
import { renderFiles } from "./render-files.ts";

/** The Markdown of a page with these files beside it, without its title, and the warnings. */
async function read(page: string, files: Readonly<Record<string, string>> = {}) {
  await using site = await renderFiles({
    "docs.json": '{ "name": "Test", "navigation": ["guide/page"] }',
    "guide/page.md": page,
    ...files,
  });
  const markdown = await site.read("guide/page.md");
  const warnings = site.warnings.filter(({ page }) => page === "guide/page.md");
  return { markdown: markdown.replace(/^# Page\n\n/, "").trimEnd(), warnings };
}

describe("an include", () => {
  const part =
    "---\ntitle: Part\n---\n\nOne.\n\n<!-- #region two -->\nTwo.\n<!-- #endregion two -->\n\nThree.\n";

  test.each([
    ["<!--@include: ./inc/part.md-->", "One.\n\nTwo.\n\nThree."],
    ["<!-- @include: @/guide/inc/part.md -->", "One.\n\nTwo.\n\nThree."],
    ["<!--@include: ./inc/part.md{9,}-->", "Three."],
    ["<!--@include: ./inc/part.md{5,5}-->", "One."],
    ["<!--@include: ./inc/part.md#two-->", "Two."],
    ["- item\n\n  <!--@include: ./inc/part.md#two-->\n- other", "- item\n\n  Two.\n\n- other"],
    ["- <!--@include: ./inc/part.md{5,8}-->", "- One.\n\n  Two."],
    ["Before <!--@include: ./inc/part.md#two--> after.", "Before Two. after."],
    ["<!--@include: ./inc/outer.md-->", "Outer.\n\nTwo."],
  ])("is replaced: %j", async (page, expected) => {
    const outer = "Outer.\n\n<!--@include: ./part.md#two-->";
    const { markdown, warnings } = await read(page, {
      "guide/inc/part.md": part,
      "guide/inc/outer.md": outer,
    });
    expect(markdown.replace(/\n*<!--.*-->\n*/g, "\n\n").trim()).toBe(expected);
    expect(warnings).toEqual([]);
  });

  test("may have the title of the page", async () => {
    await using site = await renderFiles({
      "a.md": "<!--@include: ./part.md-->",
      "part.md": "# Changes\n\nText.",
    });
    expect(await site.read("a.html")).toContain("<title>Changes ");
    expect(await site.read("a.md")).toBe("# Changes\n\nText.\n");
  });

  test("is replaced in MDX, too", async () => {
    const { markdown, warnings } = await read("<Note>\n<!--@include: ./part.md-->\n</Note>", {
      "guide/part.md": "Text.",
    });
    expect(markdown).toContain("> Text.");
    expect(warnings).toEqual([]);
  });

  test("of a file that is missing, outside or endless is a warning at its line", async () => {
    const page =
      "Text.\n\n<!--@include: ./gone.md-->\n\n<!--@include: ../../../etc/passwd-->\n\n<!--@include: ./part.md#x-->\n\n<!--@include: ./self.md-->\n\nEnd.";
    const { markdown, warnings } = await read(page, {
      "guide/part.md": part,
      "guide/self.md": "<!--@include: ./self.md-->",
    });
    expect(markdown).toBe("Text.\n\nEnd.");
    expect(warnings).toMatchInlineSnapshot(`
      [
        {
          "kind": "file",
          "line": 3,
          "message": "the included file ./gone.md was left out: it is not part of the documents",
          "page": "guide/page.md",
        },
        {
          "kind": "file",
          "line": 5,
          "message": "the included file ../../../etc/passwd was left out: it is not part of the documents",
          "page": "guide/page.md",
        },
        {
          "kind": "file",
          "line": 7,
          "message": "the included file ./part.md was left out: it has no region x",
          "page": "guide/page.md",
        },
        {
          "kind": "file",
          "line": 9,
          "message": "the included file ./self.md was left out: includes are nested too deeply",
          "page": "guide/page.md",
        },
      ]
    `);
  });

  test("stays as it is in code", async () => {
    const code = "```md\n<!--@include: ./part.md-->\n```\n\nWrite `<!--@include: ./part.md-->` in `a`.";
    expect(await read(code)).toEqual({ markdown: code, warnings: [] });
  });

  test("of more than a page may include is left out", async () => {
    await using folder = await createFolder({ "part.md": "x".repeat(900_000) });
    const docs = await readDocsTree(folder.path, new AbortController().signal);
    const report: unknown[] = [];
    const page = "<!--@include: ./part.md-->\n".repeat(4);
    const { text } = await includeFiles("page.md", page, docs, (...warning) => report.push(warning));
    expect(text.length).toBe(1_800_000 + 4);
    const message = "the included file ./part.md was left out: the page includes too much";
    expect(report).toEqual([3, 4].map((line) => [message, "file", line]));
  });

  test("takes little time for lines that are nearly one", async () => {
    const page = `<<< a ${" ".repeat(480)}{${"1".repeat(480)}\n<!--@include: ${"x#".repeat(480)}\n`.repeat(
      1_000,
    );
    const start = performance.now();
    await includeFiles("page.md", page, { root: "/nowhere", files: new Set(), skipped: [] }, () => undefined);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test("keeps the lines of later warnings", async () => {
    const { warnings } = await read("<!--@include: ./part.md-->\n\n[gone](/gone)", {
      "guide/part.md": "One.\n\nTwo.\n\nThree.",
    });
    expect(warnings).toMatchObject([{ kind: "link", line: 3 }]);
  });
});

describe("an import of code", () => {
  const script = "start();\n  // #region run\n  if (x) {\n    run();\n  }\n  // #endregion run\n";

  test.each([
    ["<<< @/inc/s.js", `**s.js**\n\n\`\`\`js\n${script}\`\`\``],
    ["<<< ../inc/s.js#run", "**s.js**\n\n```js\nif (x) {\n  run();\n}\n```"],
    ["<<< @/inc/s.js#run{1,3 ts:line-numbers} [Run it]", "**Run it**\n\n```ts\nif (x) {\n  run();\n}\n```"],
    ["- item\n\n  <<< @/inc/s.js#run", "- item\n\n  **s.js**\n\n  ```js\n  if (x) {\n    run();\n  }\n  ```"],
    ["<<< @/inc/fences.txt", "**fences.txt**\n\n````txt\n~~~~\n```\n````"],
  ])("becomes a code block: %j", async (page, expected) => {
    const { markdown, warnings } = await read(page, { "inc/s.js": script, "inc/fences.txt": "~~~~\n```" });
    expect(markdown).toBe(expected);
    expect(warnings).toEqual([]);
  });

  test("marks its lines, and is a tab of a group", async () => {
    const page = "::: code-group\n<<< @/inc/s.js{1}\n<<< @/inc/s.js#run{2 ts:line-numbers} [Run it]\n:::";
    await using site = await renderFiles({ "page.md": page, "inc/s.js": script });
    const html = await site.read("page.html");
    expect(html).toMatch(/role="tab"[^>]*>s\.js<.*role="tab"[^>]*>Run it</s);
    expect(html).toMatch(/<span class="line line-highlighted"><span class="tk-function">start/);
    expect(html).toMatch(/class="code-block code-numbered" data-language="ts"/);
  });

  test("of a missing file is a warning at its line", async () => {
    const { markdown, warnings } = await read("Text.\n\n<<< @/inc/gone.js{1}");
    expect(markdown).toBe("Text.");
    const message = "the included file @/inc/gone.js was left out: it is not part of the documents";
    expect(warnings).toEqual([{ page: "guide/page.md", kind: "file", line: 3, message }]);
  });
});
