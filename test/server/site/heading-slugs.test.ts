import { describe, expect, test } from "vitest";
import { createSectionIds } from "../../../src/server/site/content/heading-slugs.ts";
import { firstHeading } from "../../../src/server/site/content/page-source.ts";
import { renderFiles } from "./render-files.ts";

describe("ids of sections", () => {
  test.each([
    ["Getting started", "getting-started"],
    ["Config.json options", "config-json-options"],
    ["What's new", "what’s-new"],
    ["Rate limits (per minute)", "rate-limits-per-minute"],
    ["Read/write access", "read/write-access"],
    ["Fees & billing", "fees-&-billing"],
    ["OAuth", "oauth"],
    ["Step 1: Begin, then go?", "step-1-begin-then-go"],
    ["snake_case.name", "snake_case-name"],
    ["菜单", "菜单"],
    ["100 % sure", "100-%-sure"],
    ["\ud800", "\ufffd"],
  ])("on a site with a configuration, %j has the format's id", (title, id) => {
    expect(createSectionIds("docs-json")(title).id).toBe(id);
  });

  test("titles without a letter and equal titles have unique ids", () => {
    const createIds = createSectionIds("docs-json", new Set(["overview-2"]));
    const titles = ["Overview", "Overview", "Overview", "???", "???"];
    expect(titles.map((title) => createIds(title).id)).toEqual([
      ...["overview", "overview-3", "overview-4", "section", "section-2"],
    ]);
  });

  test("a section without a docs.json has GitHub's identifier, and VitePress's leads to it", () => {
    expect(createSectionIds("github")("index.html and Project Root")).toEqual({
      id: "indexhtml-and-project-root",
      aliases: ["index-html-and-project-root"],
    });
  });

  test("long titles and many equal titles have identifiers", () => {
    const createIds = createSectionIds("docs-json");
    expect(createIds("a".repeat(500_000)).id).toHaveLength(500_000);
    const ids = Array.from({ length: 70_000 }, () => createIds("b").id);
    expect(ids.at(-1)).toBe("b-70000");
  });

  test.each([
    ["# C#", "C#"],
    ["# Closed ##  ", "Closed"],
    ["# 简介 {#introduction}", "简介"],
    ["# Spaced { #own-id }", "Spaced"],
    ["# [Link](x) and `code`", "Link and code"],
    [
      "# Function: my\\_func\\<T\\>() in _emphasis_ and <b>HTML</b> &amp; `a*b`",
      "Function: my_func<T>() in emphasis and HTML & a*b",
    ],
    ["Text.\n\nUnderlined *title*\n====\n\n# Later", "Underlined title"],
    ["- Item\n====\n\n# Title", "Title"],
  ])("the first heading is the page's title", (body, title) => {
    expect(firstHeading(body)).toBe(title);
  });

  test.each([
    [`# a${" ".repeat(10_000)}b`, "a"],
    [`# ${"[".repeat(200_000)}`, "["],
  ])("a title has at most 1,000 characters", (body, start) => {
    expect(firstHeading(body)?.slice(0, start.length)).toBe(start);
    expect(firstHeading(body)?.length).toBeLessThanOrEqual(1_000);
  });

  test("links with all punctuation, by an earlier version of the format, find their section", async () => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["index"]}}',
      "index.md": "[2](#step-2%3A-create-it)\n\n## Step 2: Create it",
    });
    expect(site.warnings).toEqual([]);
  });

  test.each([
    ['2.2.5. TL, or the "Type Language"', "#2-2-5-tl%2C-or-the-%E2%80%9Ctype-language%E2%80%9D"],
    ["`dict_get?`", "#dict-get%3F"],
    ["Subtraction, `-`", "#subtraction%2C"],
    ['Why "Deterministic"?', "#why-“deterministic”"],
  ])("links find %j also by encoded punctuation", async (title, link) => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["index"]}}',
      "index.md": `[It](${link})\n\n## ${title}`,
    });
    expect(site.warnings).toEqual([]);
  });

  test("links by the rules of GitHub and of earlier versions of the format find their section", async () => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["index"]}}',
      "index.md": [
        ...[
          "[1](#_meta) [2](#meta) [3](#job_nameended) [4](#job-name-ended) [5](#what’s-new) [6](#whats-new)",
        ],
        ...["## `_meta`", "## `job_name.ended`", "## What's new"],
      ].join("\n\n"),
    });
    expect(site.warnings).toEqual([]);
    expect(await site.read("index.html")).toMatch(/<h2 id="_meta"><span id="meta"><\/span><code>/);
  });

  test("on a site without a configuration, sections have GitHub's ids", async () => {
    await using site = await renderFiles({ "a.md": "## What's new\n\n## Fees & billing\n\n## What's new" });
    const ids = [...(await site.read("a.html")).matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id);
    expect(ids).toEqual(["whats-new", "fees--billing", "whats-new-1"]);
  });

  test("links find HTML code blocks by their id", async () => {
    await using site = await renderFiles({
      "a.md": '[to](#sample)\n\n<pre id="sample"><code>x</code></pre>',
    });
    expect(site.warnings).toEqual([]);
    expect(await site.read("a.html")).toMatch(/<\w+ [^>]*id="sample"/);
  });

  test("ids are unique, and an author's own ids have precedence", async () => {
    await using site = await renderFiles({
      "docs.json": '{"navigation": {"pages": ["index"]}}',
      "index.mdx": [
        ...['<div id="setup">', "## Setup", "</div>", '<div id="own">', "## Eigenes", "</div>"],
        ...["## Named {#chosen}", "## Chosen", '<div id="own">again</div>', "## Setup"],
        ...['<ParamField query="maxAge">Seconds.</ParamField>', "## Max age"],
      ].join("\n\n"),
    });
    const html = await site.read("index.html");
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const headings = [...html.matchAll(/<h2 id="([^"]*)">/g)].map(([, id]) => id);
    expect(headings).toEqual(["setup", "eigenes", "chosen", "chosen-2", "setup-2", "max-age"]);
    expect(html).toContain('<div id="own">');
    expect(html).toContain('id="param-max-age"');
  });
});
