import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quoteContainers } from "../../../src/server/site/content/dialects.ts";
import { firstHeading } from "../../../src/server/site/content/page-source.ts";
import { caseCount } from "../../support/property-seed.ts";
import { renderHtml, renderText } from "./render-text.ts";

/** The page's Markdown, without its title. */
async function read(markdown: string, path = "page.md"): Promise<string> {
  const page = await renderText(markdown, path);
  expect(page.warnings).toEqual([]);
  return page.markdown.replace(/^# .*\n\n/, "").trimEnd();
}

describe("a callout", () => {
  test.each([
    [":::tip\nText.\n:::", "> **Tip**\n>\n> Text."],
    [":::tip Use `this`\n\nText.\n\n:::", "> **Tip: Use this**\n>\n> Text."],
    ["::: warning[Look *out*]{#id .class}\nText.\n:::", "> **Warning: Look out**\n>\n> Text."],
    [":::Caution\n- one\n- two\n:::\nAfter.", "> **Danger**\n>\n> - one\n> - two\n\nAfter."],
    ["::::info\n:::danger\nInner.\n:::\n::::", "> **Info**\n>\n> > **Danger**\n> >\n> > Inner."],
    ["1. one\n   :::note\n   Text.\n   :::\n2. two", "1. one\n\n   > **Note**\n   >\n   > Text.\n\n2. two"],
    [":::note\n```md\n:::\n```\nText.\n:::", "> **Note**\n>\n> ```md\n> :::\n> ```\n>\n> Text."],
    ["/// tip\n\nText.\n\n///", "> **Tip**\n>\n> Text."],
    [
      "//// info | Use `this`\n/// danger\nInner.\n///\n////",
      "> **Info: Use this**\n>\n> > **Danger**\n> >\n> > Inner.",
    ],
    [":::note\n///\nText.\n:::", "> **Note**\n>\n> /// Text."],
    ["!!! note\n    Text.\n\n    More.\n\nAfter.", "> **Note**\n>\n> Text.\n>\n> More.\n\nAfter."],
    [
      '!!! tip inline end "A title"\n    ```sh\n    ls\n\n    pwd\n    ```',
      "> **Tip: A title**\n>\n> ```sh\n> ls\n>\n> pwd\n> ```",
    ],
    ["!!! example\n    Text.", "> **Note: Example**\n>\n> Text."],
    ['!!! our-own ""\n    Text.', "> **Note**\n>\n> Text."],
    [
      "- item\n\n    !!! bug\n        Text.\n\n- other",
      "- item\n\n  > **Danger: Bug**\n  >\n  > Text.\n\n- other",
    ],
    ["> [!IMPORTANT]\n> Text.", "> **Info**\n>\n> Text."],
    ["> [!tip] A **title**\n> Text.", "> **Tip: A title**\n>\n> Text."],
  ])("may be written as %j", async (markdown, expected) => {
    expect(await read(markdown)).toBe(expected);
  });

  test("may be written like this in MDX, too", async () => {
    expect(await read(":::note\n<Check>Done.</Check> {1 + 1}\n:::", "page.mdx")).toContain("> **Note**");
  });

  test.each([
    ":::python\nText.\n:::",
    ":::",
    "::: v-pre\nText.\n:::",
    "> [!other]\n> Text.",
    "/// caption\nText.\n///",
    "/// tips of the day",
    "Wow!!! note",
    "Title\n===",
    '=== "no space',
    "```\n:::note\n!!! note\n```",
    "    :::",
  ])("is not %j", async (markdown) => {
    expect((await renderText(markdown, "page.md")).html).not.toMatch(/callout|role="tab/);
  });

  test("is not read in a code block, which an indented fence does not end", async () => {
    const text = "!!! note\n\n    ```\n\n    !!! tip\n        Text.";
    expect(await read(`\`\`\`\n${text}\n\`\`\``)).toContain(text);
  });

  test("keeps the line numbers of warnings", async () => {
    const { warnings, lines } = await renderText(
      "!!! note\n    Text.\n\n:::tip\n<form></form>\n:::",
      "page.md",
    );
    expect([warnings.length, lines]).toEqual([1, [5]]);
  });
});

test.each(['??? tip "More"\n    Text.', "::: details More\nText.\n:::", "/// details | More\nText.\n///"])(
  "%j is an accordion",
  async (markdown) => {
    const { html } = await renderText(markdown, "page.md");
    expect(html).toMatch(/<details[^>]*><summary[^>]*>More<\/summary>.*<p>Text\.<\/p>/s);
  },
);

test("adjacent `===` blocks are tabs, which may contain callouts", async () => {
  const { html } = await renderText(
    '=== "macOS"\n\n    One.\n\n=== "Linux"\n\n    !!! tip\n        Two.\n\nAfter.\n\n=== "Other"\n    Three.',
    "page.md",
  );
  const groups = html.split('<div class="tabs ').slice(1);
  expect(
    groups.map((group) => [...group.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)),
  ).toEqual([["macOS", "Linux"], ["Other"]]);
  expect(html).toMatch(/callout-tip.*Two.*<p>After\.<\/p>/s);
});

test("adjacent `/// tab` blocks are tabs", async () => {
  const { html } = await renderText("/// tab | A\n\nOne.\n\n///\n\n/// tab | B\n\nTwo.\n\n///\n", "page.md");
  expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["A", "B"]);
});

test("a group of code blocks has their titles", async () => {
  const { html } = await renderText(
    "::: code-group\n```sh [npm]\nnpm i\n```\n```sh [yarn]\nyarn\n```\n:::",
    "page.md",
  );
  expect([...html.matchAll(/role="tab"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual(["npm", "yarn"]);
});

test("attributes behind pictures and links are not shown, and a picture has its width", async () => {
  const { html } = await renderText(
    '![A](/a.png){ width="300" } ![B](/b.png){: .right width=50% } [C](/c){ .button } ![D](/d.png){id} [E](/e) {.f} {.g}',
    "page.md",
  );
  expect(html).toMatch(/src="\/a\.png"[^>]* width="300"/);
  expect(html.replace(/<[^>]*>/g, "").trim()).toBe("C {id} E {.f} {.g}");
});

test("the content of an HTML element with the attribute `markdown` is Markdown", async () => {
  const figure =
    '<figure markdown="span">\n    ![A](b.svg){ width="300" }\n    <figcaption>*One*</figcaption>\n</figure>';
  const html = await renderHtml(`${figure}\n\n<p id="x">*two*</p>`, "page.md");
  expect(html).toMatch(
    /^<figure>.*<img .*alt="A" width="300".*<figcaption>\*One\*<\/figcaption>.*<\/figure>/s,
  );
  expect(html).toContain("*two*</p>");
  expect(await renderHtml(`1. a\n\n${figure.replace(/^/gm, "     ")}`, "page.md")).toContain("<img");
});

test("elements with the attribute `markdown` are read five levels deep", async () => {
  const nested = `${"<div markdown>\n".repeat(6)}*six*\n${"</div>\n".repeat(6)}`;
  expect(await renderHtml(`<div markdown>\n*one*\n</div>\n\n${nested}`, "page.md")).toMatch(
    /<em>one<\/em>.*\*six\*/s,
  );
});

test("a title has its emoji, and the icon before it", async () => {
  const html = await renderHtml(
    '=== ":octicons-file-code-16: a.toml"\n\n    One.\n\n=== ":none: b"\n\n    Two.\n\n!!! tip "Go :rocket:"\n\n    Three.',
    "page.md",
  );
  expect(html).toMatch(/<button[^>]*><svg.*?<\/svg>a\.toml<\/button><button[^>]*>:none: b<\/button>/s);
  expect(html).toContain('<p class="callout-title">Go 🚀</p>');
});

test("no line is added or lost, and each keeps its words", () => {
  const lines = [
    ":::note",
    ":::",
    "::::tip T",
    "!!! note",
    '??? tip "T"',
    '=== "T"',
    "```",
    "~~~~",
    "",
    " ",
    "a",
    "> b",
    "- c",
    "\tdd",
  ];
  const line = fc.tuple(fc.constantFrom("", "  ", "    ", "        "), fc.constantFrom(...lines));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (parts) => {
      const text = parts.map((part) => part.join("")).join("\n");
      const quoted = quoteContainers(text).split("\n");
      const wordsOf = (each: string) => each.replace(/^[> ]*/, "").trimEnd();
      expect(quoted).toHaveLength(parts.length || 1);
      for (const [at, each] of text.split("\n").entries())
        if (/^[ab-d\s>-]*$/.test(each)) expect(wordsOf(quoted[at] ?? ""), text).toBe(wordsOf(each));
    }),
    { numRuns: caseCount(200) },
  );
});

test.each([
  ["nested", ":::note\n".repeat(5_000)],
  ["long", `:::note ${"{".repeat(500_000)}${" ".repeat(500_000)}x`],
  ["quoted", `!!! note ${'" '.repeat(500_000)}x`],
  ["attributed", `![](a.png){${"a=bbb".repeat(39)}!}`],
  ["indented", `${" ".repeat(500_000)}!!! note\n`.repeat(4)],
])("many %s containers are read quickly", async (_, markdown) => {
  expect((await renderText(markdown, "page.md")).html.length).toBeGreaterThan(0);
});

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

test.each(["[[toc]]", "[[TOC]]", "[TOC]", "[[_TOC_]]"])("%s is removed", async (marker) => {
  const html = await renderHtml(`${marker}\n\nText.`, "page.md");
  expect(html).toBe("<p>Text.</p>");
});

test.each(["See [[toc]].", "[toc", "[TOC]\n\n[toc]: https://example.com", "```\n[[toc]]\n```", "`[TOC]`"])(
  "%j is no marker for a table of contents",
  async (text) => {
    const html = await renderHtml(text, "page.md");
    expect(html).toMatch(/toc/i);
  },
);
