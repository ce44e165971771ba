import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ActionError } from "../../../src/base/errors.ts";
import { openFileStorage } from "../../../src/server/base/file-storage.ts";
import { readDocsTree } from "../../../src/server/site/content/docs-tree.ts";
import { renderSite } from "../../../src/server/site/render-site.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createFolder } from "../../support/temporary-folder.ts";
import { renderFiles, renderFolder, renderInto, sidebarOf } from "./render-files.ts";

describe("renderSite", () => {
  test("gives every page an address ending in .html, without ordering prefixes", async () => {
    await using site = await renderFiles({
      "index.md": "# Home",
      "01-start/02-install.mdx": "# Install",
      "01-start/README.md": "# Start",
      "2024-plan.md": "# Plan",
    });
    expect(site.pages).toEqual(["start/install.html", "start/index.html", "2024-plan.html", "index.html"]);
    expect(site.pageCount).toBe(4);
    expect(site.warnings).toEqual([]);
  });

  test("leaves out exported sites and the data of a platform that are below the documents", async () => {
    await using docs = await createFolder({ "index.md": "# Home", "data/agent.md": "# A copy" });
    const links = { lifetimeMs: 1, publicUrl: () => "", now: Date.now };
    const inDocs = (folder: string) => join(docs.path, folder);
    await openFileStorage(inDocs("data"), links, createRecordingLog());
    for (let round = 1; round <= 2; round += 1) {
      await renderInto({ docsDir: docs.path, outDir: inDocs("docs-export/site") });
      expect(await readFile(inDocs("docs-export/site/index.md"), "utf8")).toContain("# Home");
      await using site = await renderFolder(docs);
      expect(site.pages).toEqual(["index.html"]);
    }
  });

  test("a site without a name is called like its front page, if that is not only “Home”, else like its folder or the one around that", async () => {
    await using docs = await createFolder({
      "named/README.md": "# The tool\n\nText.",
      "the-guides/a.md": "# A",
      "my-tool/docs/a.md": "# A",
      "our-tool/docs/index.md": "Text.",
      [`${"0f".repeat(20)}-1/index.md`]: "# Welcome",
    });
    const titleOf = async (folder: string, page: string) => {
      await using site = await renderFolder({ path: join(docs.path, folder) });
      return /<title>(.*)<\/title>/.exec(await site.read(page))?.[1];
    };
    expect(await titleOf("named", "index.html")).toBe("The tool");
    expect(await titleOf("the-guides", "a.html")).toBe("A · The guides");
    expect(await titleOf("my-tool/docs", "a.html")).toBe("A · My tool");
    expect(await titleOf("our-tool/docs", "index.html")).toBe("Home · Our tool");
    // The folder of a commit's files.
    expect(await titleOf(`${"0f".repeat(20)}-1`, "index.html")).toBe("Welcome");
  });

  test("a page has the language that the script of its text identifies", async () => {
    const code = "```\nexport const everything = english();\n```";
    await using site = await renderFiles({
      "start.md": `# Vue\n\n使用 Vue 构建界面。\n\n${code}`,
      "search.md":
        "# Search\n\nAnalyzers split Chinese text such as 构建 and Arabic text such as نص into words.",
      "ar.md": "# React\n\nمكتبة JavaScript لبناء واجهات المستخدم",
      "fa.md": "# Vue\n\nفریمورک پیش‌رونده جاوا اسکریپت",
      "he.md": "---\nlang: en\n---\n\n# שלום",
    });
    const languages = ["start", "search", "ar", "fa", "he"].map(async (name) => {
      return / lang="\w+"(?: dir="rtl")?/.exec(await site.read(`${name}.html`))?.[0];
    });
    expect(await Promise.all(languages)).toEqual([
      ' lang="zh"',
      ' lang="en"',
      ' lang="ar" dir="rtl"',
      ' lang="fa" dir="rtl"',
      ' lang="en"',
    ]);
  });

  test("a page has its language, title, description and a policy that allows the site's own files only", async () => {
    await using site = await renderFiles({
      "docs.json": '{"name": "Docs", "navigation": {"pages": ["index"]}}',
      "index.md": '---\ntitle: A "title"\ndescription: What it <is>.\nlang: de\n---\nText.',
    });
    const html = await site.read("index.html");
    expect(html).toContain('<html lang="de" data-root=""');
    expect(html).toContain("<title>A &quot;title&quot; · Docs</title>");
    expect(html).toContain('<meta name="description" content="What it &lt;is&gt;.">');
    expect(html).toContain("default-src &#39;none&#39;; script-src &#39;self&#39; file:");
    expect(html).toContain('<h1>A "title"</h1>');
  });

  test("is the same with the line endings, byte order marks and UTF-16 of Windows", async () => {
    const description = "Sends.\n\n```js\nsend();\nagain();\n```";
    const responses = { 200: { description } };
    const files = {
      "docs.json": '{\n  "name": "Docs",\n  "navigation": { "pages": ["index", "api"] }\n}\n',
      "index.mdx":
        '---\ntitle: Home\ndescription: "Of\n  two lines"\n---\n\nimport Part from "/snippets/part.mdx";\n\n```js title="a.js"\nlet a;\nlet b;\n```\n\n<Part />\n\n$$\nx\n$$\n\n| a |\n|---|\n| 1 |\n',
      "snippets/part.mdx": "- one\n\n  ```sh\n  ls\n  pwd\n  ```\n",
      "api.mdx": "---\nopenapi: openapi.json GET /send\n---\n",
    };
    const api = (ending: string) =>
      JSON.stringify({
        openapi: "3.1.0",
        paths: { "/send": { get: { description: description.replaceAll("\n", ending), responses } } },
      });
    const toWindows = (text: string) => `\uFEFF${text.replaceAll("\n", "\r\n")}`;
    const windows = Object.entries(files).map(([path, text]) => [path, toWindows(text)] as const);
    await using site = await renderFiles({ ...files, "openapi.json": api("\n") });
    await using same = await renderFiles({
      ...Object.fromEntries(windows),
      "api.mdx": Buffer.from(toWindows(files["api.mdx"]), "utf16le"),
      "openapi.json": toWindows(api("\r\n")),
    });

    expect(site.warnings).toEqual([]);
    expect(same.warnings).toEqual([]);
    for (const path of ["index.html", "index.md", "api.html", "api.md"])
      expect(await same.read(path), path).toBe(await site.read(path));
  });

  test("warns of files that are not text, and of changed paths", async () => {
    await using site = await renderFiles({
      "index.md": "# Home\n\nThe character \ufffd itself.",
      "latin.md": Buffer.from("# Latin\n\nCaf\u00e9", "latin1"),
      "binary.md": Buffer.from("# PNG\0\u0001"),
      "copied.md": `# Copied\n\n${"Text. ".repeat(20)}A\0B`,
      "q?x.md": "# Question",
      "aux.md": "# Device",
      "dup.md": "# One",
      "dup.mdx": "# Two",
      "01-first.md": "# First",
      "part/README.md": "# Part",
    });

    expect(await site.read("latin.html")).toContain("Caf\ufffd");
    expect(await site.list()).not.toContain("binary.html");
    expect(await site.read("copied.html")).toContain("A\ufffdB");
    expect(site.warnings.map(({ page, message }) => `${page}: ${message}`).sort()).toEqual([
      "aux.md: its path is in use or not portable: it became _aux.html",
      "binary.md: it was left out: it has many NUL bytes: it is binary, or UTF-16 without a byte order mark",
      "copied.md: it has invalid bytes, shown as \ufffd: save it as UTF-8 without NUL bytes",
      "dup.mdx: its path is in use or not portable: it became dup-2.html",
      "latin.md: it has invalid bytes, shown as \ufffd: save it as UTF-8 without NUL bytes",
      "q?x.md: its path is in use or not portable: it became q-x.html",
    ]);
  });

  test("beside a docs.json, a title in the front matter stays above another first heading", async () => {
    const files = {
      "one.md": "---\ntitle: Messages\n---\n# `tool.messages`\n\nText.\n\n# More",
      "two.md": "---\ntitle: The same\n---\n# The Same\n\nText.",
      "three.md": "# Only heading\n\nText.",
      "four.md": "A note.\n\n# Below a note\n\n# More",
      "five.md": "---\ntitle: Above\n---\nText.\n\n# Above",
    };
    const pages = ["one", "two", "three", "four", "five"];
    await using site = await renderFiles({
      "docs.json": { navigation: { pages } },
      ...files,
    });
    const headingsOf = async (path: string) =>
      [
        ...(await site.read(path)).matchAll(
          /<h(\d)[^>]*>(?:<span[^>]*><\/span>)*(.*?)(?:<a class="heading|<\/h)/g,
        ),
      ].map(([, depth, text]) => `${depth} ${text}`);
    expect(await headingsOf("one.html")).toEqual(["1 Messages", "2 <code>tool.messages</code>", "2 More"]);
    expect(await headingsOf("two.html")).toEqual(["1 The Same"]);
    expect(await headingsOf("three.html")).toEqual(["1 Only heading"]);
    expect(await headingsOf("four.html")).toEqual(["1 Below a note", "2 More"]);
    expect(await site.read("four.md")).toBe("# Below a note\n\nA note.\n\n## More\n");
    expect(await headingsOf("five.html")).toEqual(["1 Above", "2 Above"]);
    expect(await site.read("one.md")).toBe("# Messages\n\n## `tool.messages`\n\nText.\n\n## More\n");
    await using plain = await renderFiles(files);
    expect(await plain.read("one.html")).toContain('<h1 id="toolmessages"><code>tool.messages</code></h1>');
  });

  test("a title has an id, links and pictures as every other heading", async () => {
    const picture = "https://pictures.example/logo.png";
    await using site = await renderFiles({
      "setup/index.md": `# Setup ![logo](${picture}) ![mark](mark.png) of [A](../a.md)[^1]\n\n[up](#setup---of-a1)\n\n[^1]: Note.`,
      "setup/mark.png": "",
      "logo.md": "# ![The logo](setup/mark.png)\n\nText.",
      "a.md":
        "# Setup\n\n- [Setup](#setup)\n- [Second](#setup-1)\n\n## Setup\n\n[other](setup/index.md#setup---of-a1)",
    });
    expect(site.warnings.map(({ page, message }) => `${page} ${message}`)).toEqual([
      `setup/index.md the remote picture ${picture} became a link`,
    ]);
    const [title] = (await site.read("setup/index.html")).match(/<h1.*<\/h1>/) ?? [];
    expect(title).toContain(`<a href="${picture}"`);
    expect(title).toContain('<img src="mark.png"');
    expect(title).toContain('<a href="../a.html">A</a>');
    expect(await site.read("logo.html")).toMatch(
      /<h1 id="the-logo"><img src="setup\/mark.png" alt="The logo"/,
    );
    const page = await site.read("a.html");
    expect(page).toContain('<h1 id="setup">Setup</h1>');
    expect(page).toContain('<h2 id="setup-1">');
  });

  test("navigation from the folders follows order, prefixes and names, index first", async () => {
    await using site = await renderFiles({
      "zebra.md": "---\norder: 0\n---\n# Zebra",
      "apple.md": "# Apple",
      "02-second/b.md": "# B",
      "02-second/a.md": "---\nsidebarTitle: Short\n---\n# A long title",
      "01-first/index.md": "# The first",
      "01-first/page.md": "# Page",
      "hidden.md": "---\nhidden: true\n---\n# Hidden",
      "_partial.md": "# Partial",
    });
    expect(sidebarOf(await site.read("apple.html"))).toEqual([
      "Zebra (zebra.html)",
      "The first:",
      "The first (first/index.html)",
      "Page (first/page.html)",
      "Second:",
      "Short (second/a.html)",
      "B (second/b.html)",
      "Apple (apple.html)",
    ]);
    expect(site.pages).toContain("hidden.html");
    expect(site.pages).not.toContain("_partial.html");
  });

  test("navigation from the folders takes names and positions that Hugo stores", async () => {
    await using site = await renderFiles({
      "_index.md": "# Home",
      "a/_index.md": "---\nweight: 2\n---\n# The first [page](two.md)",
      "a/two.md": "# Two",
      "b/index.md": "---\nsidebarTitle: Begin here\norder: 1\n---\n# B",
      "b/last.md": "---\nweight: 20\nlinkTitle: The end\n---\n# Last",
      "b/first.md": "---\nweight: 10\n---\n# First",
      "c/page.md": "# Page",
    });
    expect(sidebarOf(await site.read("index.html"))).toEqual([
      "Home (index.html)",
      "Begin here:",
      "Begin here (b/index.html)",
      "First (b/first.html)",
      "The end (b/last.html)",
      "The first page:",
      "The first page (a/index.html)",
      "Two (a/two.html)",
      "C:",
      "Page (c/page.html)",
    ]);
  });

  test("drafts are left out, unless a configuration names the pages", async () => {
    const files = {
      "draft.md": "---\ndraft: true\n---\n# Draft",
      "unpublished.md": "---\npublished: false\n---\n# Not published",
      "page.md": "---\ndraft: false\npublished: true\n---\n# Page",
    };
    await using plain = await renderFiles(files);
    expect(plain.pages.filter((path) => /draft|published|page/.test(path))).toEqual(["page.html"]);
    const config = JSON.stringify({ name: "Site", navigation: { pages: ["draft", "page"] } });
    await using configured = await renderFiles({ ...files, "docs.json": config });
    expect(configured.pages).toContain("draft.html");
  });

  test("navigation from docs.json shows the tab, version and language that a page is in", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "Site",
        navigation: {
          languages: [
            {
              language: "en",
              versions: [
                {
                  version: "2",
                  tabs: [
                    { tab: "Guides", groups: [{ group: "G", pages: ["two"] }] },
                    { tab: "API", pages: ["api"] },
                  ],
                },
                { version: "1", pages: ["one"] },
              ],
            },
            { language: "fr", pages: ["fr"] },
          ],
        },
      },
      "two.md": "# Two",
      "api.md": "# Api",
      "one.md": "# One",
      "fr.md": "# Fr",
    });
    const two = await site.read("two.html");
    expect(two).toContain('<nav class="tab-bar" aria-label="Sections">');
    expect(sidebarOf(two)).toEqual([
      ...["English:", "English (two.html)", "Français (fr.html)"],
      ...["2:", "2 (two.html)", "1 (one.html)", "G:", "Two (two.html)"],
    ]);
    expect(await site.read("fr.html")).toContain('<html lang="fr"');
    expect(await site.read("one.html")).not.toContain("tab-bar");
    expect(site.warnings).toEqual([]);
  });

  test("one version of several can be exported alone", async () => {
    const files = {
      "docs.json": {
        navigation: {
          versions: [
            { version: "2", pages: ["two"] },
            { version: "1", pages: ["one"] },
          ],
        },
      },
      "one.md": "# One",
      "two.md": "# Two",
    };
    await using site = await renderFiles(files, { version: "1" });
    expect(sidebarOf(await site.read("one.html"))).toEqual(["One (one.html)"]);
    expect(await site.read("one.html")).toContain('<span class="tag">1</span>');
  });

  test.each([
    [
      { primary: "#0d7a6f" },
      "light-dark(oklch(from #0d7a6f min(l,0.48) calc(c*min(1,0.48/l)) h),oklch(from #0d7a6f max(l,0.75) calc(c*min(1,0.25/(1 - l))) h))",
    ],
    [
      { primary: "#048", light: "#9cf" },
      "light-dark(oklch(from #048 min(l,0.48) calc(c*min(1,0.48/l)) h),oklch(from #9cf max(l,0.75) calc(c*min(1,0.25/(1 - l))) h))",
    ],
    [{ primary: "red;}body{display:none" }, undefined],
    [{ light: "#fff" }, undefined],
  ])("the accent of %j is kept within what can be read", async (colors, accent) => {
    await using site = await renderFiles({ "docs.json": { colors }, "a.md": "# A" });
    const added = /:root\{--accent:(.*);--button:.*\}\n/.exec(await site.read("site-assets/site.css"))?.[1];
    expect(added).toBe(accent);
  });

  test.each([
    ["#f2ff59", "#f2ff59;--button-words:#111"],
    ["#0af", "#0af;--button-words:#111"],
    ["#e05a50", "oklch(from #e05a50 min(l,0.54) calc(c*min(1,0.54/l)) h)"],
  ])("a button of the colour %s has words that can be read", async (dark, button) => {
    await using site = await renderFiles({
      "docs.json": { colors: { primary: "#123456", dark } },
      "a.md": "# A",
    });
    expect(await site.read("site-assets/site.css")).toContain(`;--button:${button}}`);
  });

  test("an old mint.json is read too", async () => {
    await using site = await renderFiles({
      "mint.json": {
        name: "Old",
        navigation: [{ group: "Group", pages: ["a", { group: "Inner", pages: ["b"] }] }],
      },
      "a.md": "# A",
      "b.md": "# B",
    });
    expect(sidebarOf(await site.read("a.html"))).toEqual(["Group:", "A (a.html)", "Inner:", "B (b.html)"]);
  });

  test.each([
    ["is no JSON", "{", /^docs\.json cannot be read: it is not JSON: .+/],
    ["is no object", "[]", /^docs\.json cannot be read: it is not an object/],
    ["is nested deeply", `${'{"a":'.repeat(70)}1${"}".repeat(70)}`, /: it is nested deeper than 64 levels$/],
  ])("a docs.json that %s fails the export", async (_, content, message) => {
    const rendered = renderFiles({ "docs.json": content, "a.md": "# A" });

    await expect(rendered).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(message),
    });
  });

  test("a navigation of a wrong type is a warning, and the folders are the navigation", async () => {
    const content = '{"navigation": {"tabs": 7, "groups": [null, 1, {"pages": {}}]}}';
    await using site = await renderFiles({ "docs.json": content, "a.md": "# A" });

    expect(site.warnings.map(({ message }) => message)).toEqual([
      "these have an invalid form: tabs, groups, pages",
      "its navigation contains no existing page, so the navigation is derived from the folders",
    ]);
    expect(sidebarOf(await site.read("a.html"))).toEqual(["A (a.html)"]);
  });

  test("links lead to pages however they are written, and every other one is reported", async () => {
    await using site = await renderFiles({
      "index.md": [
        "[1](guides/start.mdx) [2](/guides/start) [3](/docs/guides/start) [4](./guides/start.html#deep) [5](01-x)",
        "[6](/guides/) [7](gone.md) [8](guides/start#nowhere) [9](#top) [10](https://example.com/a) [11](file.pdf) [12](secret.sh)",
        "[13](javascript:alert(1)) [14](mailto:a@example.com) [15](//example.com) [16](guides/start#Deep)",
      ].join("\n"),
      "guides/start.mdx":
        "# Start\n\n## Deep\n\n[up](../index.md) [beside](more) [below](guides/more) [not](./guides/more)",
      "guides/more.md": "# More",
      "guides/index.md": "# Guides",
      "01-x.md": "# X",
      "file.pdf": "PDF",
      "secret.sh": "echo",
    });
    const html = await site.read("index.html");
    const hrefs = [...html.matchAll(/<a href="([^"]+)"[^>]*>\d+<\/a>/g)].map(([, href]) => href);
    expect(hrefs).toEqual([
      ...["guides/start.html", "guides/start.html", "guides/start.html", "guides/start.html#deep", "x.html"],
      ...["guides/index.html", "guides/start.html#nowhere", "#top", "https://example.com/a", "file.pdf"],
      ...["mailto:a@example.com", "https://example.com/", "guides/start.html#Deep"],
    ]);
    expect(await site.read("guides/start.html")).toMatch(
      /<a href="\.\.\/index\.html">up<\/a> <a href="more\.html">beside<\/a> <a href="more\.html">below<\/a> <span/,
    );
    const [inner, ...others] = site.warnings;
    expect(inner).toMatchObject({ page: "guides/start.mdx", line: 5 });
    expect(inner?.message).toBe("the link ./guides/more is broken: there is no such page");
    expect(others).toEqual(
      [
        {
          line: 3,
          message: "the link javascript:alert(1) is broken: URLs of this type are not allowed",
        },
        { line: 2, message: "the link gone.md is broken: there is no such page" },
        { line: 2, message: "the link secret.sh is broken: the file is not part of the exported site" },
        { line: 2, message: "the link guides/start#nowhere is broken: the page has no such section" },
      ].map((broken) => ({ kind: "link", page: "index.md", ...broken })),
    );
    expect(await site.list()).toContain("file.pdf");
    expect(await site.list()).not.toContain("secret.sh");
  });

  test("a link to a video or frame without a name is called what it is, in the page's language", async () => {
    await using site = await renderFiles({
      "a.mdx": `---\nlang: de\n---\n\n<iframe src="https://example.com/f" />\n\n<video src="https://example.com/v.mp4" />`,
    });
    const html = await site.read("a.html");
    expect([...html.matchAll(/class="missing-media external">([^<]+)/g)].map(([, name]) => name)).toEqual([
      "Eingebetteter Inhalt",
      "Video",
    ]);
  });

  test("has the pictures of GitBook's hidden folder, and no page for its parts", async () => {
    await using site = await renderFiles({
      "index.md": "# A\n\n![one](<.gitbook/assets/a (1).png>)",
      ".gitbook/assets/a (1).png": new Uint8Array([1]),
      ".gitbook/includes/part.md": "# Part",
      ".github/part.md": "# Part",
    });
    expect(site.warnings).toEqual([]);
    expect(site.pages).toEqual(["index.html"]);
    expect(await site.read("index.html")).toContain('<img src="gitbook/assets/a%20(1).png" alt="one"');
    expect(await site.list()).toContain("gitbook/assets/a (1).png");
  });

  test("pictures are copied, those from elsewhere become links, and missing ones are reported", async () => {
    await using site = await renderFiles({
      "a/index.md":
        "![one](../img/a%20b.png) ![two](https://example.com/x.png) ![three](gone.png) ![four](/img/c.svg)",
      "img/a b.png": new Uint8Array([1, 2, 3]),
      "img/c.svg": '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>',
      "img/unused.png": new Uint8Array([4]),
    });
    const html = await site.read("a/index.html");
    expect(html).toContain('<img src="../img/a%20b.png" alt="one" loading="lazy">');
    expect(html).toContain(
      '<a href="https://example.com/x.png" rel="noopener noreferrer" class="missing-media external">two</a>',
    );
    expect(html).toContain('<span class="missing-media">three</span>');
    expect(await site.list()).toEqual(expect.arrayContaining(["img/a b.png", "img/c.svg"]));
    expect(await site.list()).not.toContain("img/unused.png");
    const warning = { page: "a/index.md", line: 1 };
    expect(site.warnings).toEqual([
      {
        ...warning,
        kind: "media",
        message: "the remote picture https://example.com/x.png became a link",
      },
      { ...warning, kind: "link", message: "the link gone.png is broken: the site has no such file" },
    ]);
  });

  test("an icon from elsewhere is left out, and reported", async () => {
    await using site = await renderFiles({
      "index.mdx": '# A\n\n<Card title="B" icon={<img src="https://example.com/i.png" alt="x" />}>C</Card>',
    });
    expect(await site.read("index.html")).not.toContain("example.com");
    expect(site.warnings).toEqual([
      expect.objectContaining({
        kind: "media",
        message: "the remote icon https://example.com/i.png was left out",
      }),
    ]);
  });

  test.each([
    ["a script", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["a handler", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    [
      "a picture from elsewhere",
      '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://example.com/x.png"/></svg>',
    ],
  ])("an SVG with %s is not copied", async (_, content) => {
    await using site = await renderFiles({ "index.md": "![x](x.svg)", "x.svg": content });
    expect(await site.list()).not.toContain("x.svg");
    expect(site.warnings).toEqual([
      {
        kind: "file",
        page: "x.svg",
        message: expect.stringMatching(
          /^it was left out: this image contains (?:scripts or loads external resources|<script>, which may run code or load resources)$/,
        ),
      },
      expect.objectContaining({ kind: "link", page: "index.md", line: 1 }),
    ]);
  });

  test("snippets are put in their place with their properties, and those that include themselves are cut", async () => {
    await using site = await renderFiles({
      "docs.json": { navigation: { pages: ["index"] } },
      "index.mdx":
        'import Greeting from "/snippets/greeting.mdx"\nimport Loop from "./snippets/loop.mdx"\nimport Out from "../../outside.mdx"\n\n<Greeting name="World" />\n\n<Snippet file="plain.mdx" />\n\n<Loop />\n\n<Out />',
      "snippets/greeting.mdx": "Hello {name} and {props.name}!",
      "snippets/plain.mdx": "---\ntitle: x\n---\nPlain **text**.",
      "snippets/loop.mdx": 'import Loop from "./loop.mdx"\n\nRound.\n\n<Loop />',
    });
    const html = await site.read("index.html");
    expect(html).toContain("<p>Hello World and World!</p>");
    expect(html).toContain("<p>Plain <strong>text</strong>.</p>");
    expect(html.match(/Round\./g)).toHaveLength(1);
    expect(site.pages).toEqual(["index.html"]);
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "the snippet ../../outside.mdx is not part of the documents",
      "the snippet snippets/loop.mdx was left out: it includes itself, or there are too many",
      "<Out> is not a known component; only its content is shown",
    ]);
  });

  test("the warning about an unknown component says how it is shown", async () => {
    await using site = await renderFiles({
      "index.mdx": '<Teaser title="A" href="/">\n  Text.\n</Teaser>\n\n<Mystery>Text.</Mystery>',
    });
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "<Teaser> is not a known component; it is shown as a card",
      "<Mystery> is not a known component; only its content is shown",
    ]);
  });

  test("snippets that multiply are stopped", async () => {
    const files: Record<string, string> = { "index.mdx": '<Snippet file="s0.mdx" />' };
    for (let level = 0; level < 7; level += 1) {
      files[`snippets/s${level}.mdx`] = `<Snippet file="s${level + 1}.mdx" />\n\n`.repeat(10);
    }
    files["snippets/s7.mdx"] = "leaf";
    await using site = await renderFiles({ ...files, "docs.json": '{"navigation":{"pages":["index"]}}' });
    expect((await site.read("index.html")).length).toBeLessThan(50_000);
    expect(site.warnings.length).toBeGreaterThan(0);
  });

  test("fails for a path that is no page any more when the export starts", async () => {
    const rendering = renderFiles({ "index.md": "# Home" }, { paths: ["index", "gone"] });

    await expect(rendering).rejects.toThrow("paths.1: gone is neither a page nor a folder of pages.");
  });

  test("only the selected pages are exported", async () => {
    await using site = await renderFiles(
      { "a.md": "# A", "guides/b.md": "# B", "guides/deep/c.md": "# C", "guidesx.md": "# X" },
      { paths: ["/guides", "a.md"] },
    );
    expect(site.pages).toEqual(["a.html", "guides/b.html", "guides/deep/c.html"]);
  });

  test("documents without a front page get one, and every site has a page for lost readers", async () => {
    await using site = await renderFiles({ "guides/a.md": "# A", "guides/b.md": "[home](/)" });
    expect(await site.read("index.html")).toContain('content="0; url=guides/a.html"');
    expect(await site.read("404.html")).toContain("Page not found");
    expect(await site.read("guides/b.html")).toContain('<a href="a.html">home</a>');
  });

  test("two files with one address both keep a page", async () => {
    await using site = await renderFiles({
      "01-a.md": "# One",
      "02-a.md": "# Two",
      "A.md": "# Three",
      "404.md": "# Four",
    });
    expect(new Set(site.pages.map((page) => page.toLowerCase())).size).toBe(4);
  });

  test("front matter that cannot be read is a warning", async () => {
    await using site = await renderFiles({
      "a.md": "---\ntitle: [\n---\n# Shown",
      "b.md":
        "---\na: &a [x]\nb: &b [*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d]\n---\nText",
    });
    expect(site.warnings.map(({ page }) => page)).toEqual(["a.md", "b.md"]);
    expect(await site.read("a.html")).toContain('<h1 id="shown">Shown</h1>');
  });

  test("a description may have code, bold words and links, which only its page shows", async () => {
    const description = "**Fast** `a*b*c` and ``d`` at x/*/y/*, see [B](/b) or [it](javascript:alert(1)).";
    await using site = await renderFiles({
      "a.md": `---\ndescription: "${description}"\n---\n# A`,
      "b.md": "# B",
    });
    const page = await site.read("a.html");
    expect(page).toContain(
      '<p class="lead"><strong>Fast</strong> <code>a*b*c</code> and <code>d</code> at x/*/y/*, see <a href="b.html">B</a> or [it](javascript:alert(1)).</p>',
    );
    expect(page).toContain('content="Fast a*b*c and d at x/*/y/*, see B or [it](javascript:alert(1)).">');
  });

  test("links out of the folder are not followed", async () => {
    await using outside = await createFolder({ "secret.md": "# Secret", "secret.png": "secret" });
    await using docs = await createFolder({
      "index.md": "![x](link.png) [y](../secret.md) ![z](../../../../etc/passwd)",
    });
    await symlink(join(outside.path, "secret.md"), join(docs.path, "link.md"));
    await symlink(join(outside.path, "secret.png"), join(docs.path, "link.png"));
    await symlink(outside.path, join(docs.path, "folder"));
    await using site = await renderFolder(docs);
    expect(site.pages).toEqual(["index.html"]);
    expect(site.warnings.filter(({ kind }) => kind === "file")).toEqual(
      ["folder", "link.md", "link.png"].map((page) => ({
        kind: "file",
        page,
        message: "it was left out: symbolic links are not followed",
      })),
    );
    expect((await site.list()).filter((path) => /link|secret|passwd/.test(path))).toEqual([]);
  });

  test("a folder that disappears while the documents are listed is left out with a warning", async () => {
    await using docs = await createFolder({ "one/a.md": "# A", "other/b.md": "# B" });
    const signal = Object.assign(new AbortController().signal, {
      // Called for each file.
      throwIfAborted: () => rmSync(docs.path, { recursive: true, force: true }),
    });
    const { files, skipped } = await readDocsTree(docs.path, signal);
    expect([files.size, skipped]).toEqual([
      1,
      [{ path: expect.stringMatching(/^o/), message: "the folder cannot be read (ENOENT)" }],
    ]);
  });

  test("a page that is too large is left out with a warning", async () => {
    const small = "# Small\n\nSee [the other](big.md).";
    await using site = await renderFiles({ "big.md": "x".repeat(3_000_000), "small.md": small });
    expect(site.pages).toEqual(["small.html"]);
    expect(site.warnings).toEqual([
      {
        kind: "file",
        page: "big.md",
        message: "it was left out: the file has 3000000 bytes; at most 2097152 are read",
      },
      {
        kind: "link",
        page: "small.md",
        line: 3,
        message: "the link big.md is broken: the file is not part of the exported site",
      },
    ]);
    expect(await site.read("small.html")).toMatch(/<span class="broken-link"[^>]*>the other</);
  });

  test("parts of the configuration may lie in files of their own", async () => {
    await using site = await renderFiles({
      "docs.json": { name: "Site", navigation: { $ref: "./nav/all.json" } },
      "nav/all.json": {
        groups: [{ $ref: "group.json", group: "Mine" }, { $ref: "gone.json" }, { $ref: "all.json" }],
      },
      "nav/group.json": { group: "Theirs", pages: ["a"] },
      "a.md": "# A",
    });
    expect(sidebarOf(await site.read("a.html"))).toEqual(["Mine:", "A (a.html)"]);
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "the reference to nav/gone.json was left out: the file is not part of the documents",
      "the reference to nav/all.json was left out: it refers to itself, or there are too many references",
    ]);
  });

  test("a configuration of several megabytes is read", async () => {
    await using site = await renderFiles({
      "docs.json": {
        name: "Large",
        navigation: { pages: ["index"] },
        description: "x".repeat(5_000_000),
      },
      "index.md": "# A",
    });
    expect(site.warnings).toEqual([]);
    expect(await site.read("index.html")).toContain("Large");
  });

  test("beside a configuration, pages keep their addresses, and links find them with and without prefixes", async () => {
    await using site = await renderFiles({
      "docs.json": { navigation: { pages: ["seps/414-meta", "seps/415-meta"] } },
      "index.md": "# Home\n\n[one](/seps/414-meta) [two](/seps/415-meta) [either](/seps/meta)",
      "seps/414-meta.md": "# One",
      "seps/415-meta.md": "# Two",
    });
    expect(await site.list()).toEqual(expect.arrayContaining(["seps/414-meta.html", "seps/415-meta.html"]));
    const home = await site.read("index.html");
    expect(home).toMatch(/href="seps\/414-meta.html">one</);
    expect(home).toMatch(/href="seps\/415-meta.html">two</);
    expect(home).toMatch(/href="seps\/414-meta.html">either</);
    expect(site.warnings).toEqual([]);
  });

  test("files that a configuration refers to over and over are left out once they are too long together", async () => {
    const long = { $ref: "long.json" };
    await using site = await renderFiles({
      "docs.json": {
        name: "Site",
        navigation: { groups: Array.from({ length: 10 }, () => long) },
      },
      "long.json": `{"group": "Long", "pages": ["a"]}${" ".repeat(4_000_000)}`,
      "a.md": "# A",
    });
    expect(new Set(site.warnings.map(({ message }) => message))).toEqual(
      new Set(["the reference to long.json was left out: the files together are too long"]),
    );
  });

  test("addresses that moved lead on, in links and by pages of their own", async () => {
    await using site = await renderFiles({
      "docs.json": {
        redirects: [
          { source: "/", destination: "/v2/start" },
          { source: "/old", destination: "/newer" },
          { source: "/newer", destination: "/v2/start#first" },
          { source: "/round", destination: "/and-round" },
          { source: "/and-round", destination: "/round" },
          { source: "/blog", destination: "https://blog.example.com/" },
          { source: "/v2/start", destination: "/old" },
          { source: "/latest/:slug*", destination: "/v2/:slug*" },
          { source: "/:version/first", destination: "/v2/start" },
          { source: "/../out", destination: "/v2/start" },
          { source: "/robots.txt", destination: "/v2/start" },
          { source: "/bad", destination: "javascript:alert(1)" },
          { source: "/lost", destination: "/nowhere" },
          { source: "/renamed", destination: "/v2/start#second" },
        ],
      },
      "v2/start.md": "# Start\n\n## First\n\n[one](/old) [two](/latest/start) [three](/blog)",
    });
    const page = await site.read("v2/start.html");
    expect(page).toContain('<a href="#first">one</a>');
    expect(page).toContain('<a href="start.html">two</a>');
    expect(page).toContain(
      '<a href="https://blog.example.com/" rel="noopener noreferrer" class="external">three',
    );
    const pages = (await site.list()).filter((path) => path.endsWith(".html"));
    expect(pages).toEqual([
      "404.html",
      "blog.html",
      "index.html",
      "newer.html",
      "old.html",
      "renamed.html",
      "v2/start.html",
    ]);
    expect(await site.read("old.html")).toContain('content="0; url=v2/start.html#first"');
    expect(await site.read("index.html")).toContain('<a href="v2/start.html">Start</a>');
    expect(site.pageCount).toBe(1);
    const left = (moved: string) => `the redirect from ${moved} was left out: there is no such page`;
    expect(
      site.warnings.flatMap(({ kind, page: file, message }) => (kind === "link" ? [[file, message]] : [])),
    ).toEqual([
      ["docs.json", left("/round to /and-round")],
      ["docs.json", left("/and-round to /round")],
      ["docs.json", left("/bad to javascript:alert(1)")],
      ["docs.json", left("/lost to /nowhere")],
      ["docs.json", "the link /v2/start#second is broken: the page has no such section"],
    ]);
    expect(site.warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        "the redirect from /:version/first was left out: a wildcard is read at its end only",
        "redirects with wildcards (1) apply only to links",
      ]),
    );
  });

  test("a configuration's redirects are limited", async () => {
    const redirects = Array.from({ length: 5_001 }, (_, index) => ({
      source: `/from-${index}/*`,
      destination: "/index",
    }));
    await using site = await renderFiles({
      "docs.json": { redirects },
      "index.md": "# A\n\n[last](/from-4999/x) [further](/from-5000/x)",
    });
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "the link /from-5000/x is broken: there is no such page",
      "only 5000 of 5001 redirects are read",
      "redirects with wildcards (5000) apply only to links",
    ]);
  });

  test("a link to a folder without a page leads to its first page in the navigation", async () => {
    await using site = await renderFiles({
      "docs.json": {
        redirects: [{ source: "/api", destination: "/reference" }],
        navigation: { pages: ["index", "guides/start/b", "guides/a", "reference/x"] },
      },
      "index.md": "[guides](/guides/) [start](guides/start) [api](/api) [drafts](/drafts)",
      "guides/a.md": "# A",
      "guides/start/b.md": "# B",
      "reference/x.md": "# X",
      "drafts/y.md": "# Y",
    });
    expect(await site.read("index.html")).toContain(
      '<a href="guides/start/b.html">guides</a> <a href="guides/start/b.html">start</a> <a href="reference/x.html">api</a>',
    );
    expect(await site.read("api.html")).toContain('content="0; url=reference/x.html"');
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "the link /drafts is broken: there is no such page",
    ]);
  });

  test("the address of the site leads to its first page, where it has no front page", async () => {
    await using site = await renderFiles({
      "docs.json": {
        redirects: [{ source: "/old", destination: "/" }],
        navigation: { pages: ["guides/start", "guides/next"] },
      },
      "guides/start.md": "# Start",
      "guides/next.md": "[home](/) [up](../)",
    });
    expect(await site.read("guides/next.html")).toContain(
      '<a href="start.html">home</a> <a href="start.html">up</a>',
    );
    expect(await site.read("old.html")).toContain('content="0; url=guides/start.html"');
    expect(site.warnings).toEqual([]);
  });

  test("addresses from the root may begin with the folder that the site is published in", async () => {
    const link = { label: "Code", href: "https://example.com", icon: { name: "github", library: "lucide" } };
    const files = {
      "index.md":
        "[b](/help/b#first) ![One](/help/one.png) [c](/docs/c) [gone](/help/gone) [paper](/gone.pdf)",
      "b.md": "# B\n\n## First",
      "docs/c.md": "# C",
      "one.png": "picture",
    };
    const seo = { metatags: { canonical: "https://example.com/help" } };
    await using site = await renderFiles({
      ...files,
      "docs.json": { seo, navbar: { links: [link] }, navigation: { pages: ["index"] } },
    });
    const page = await site.read("index.html");
    expect(page).toContain('<a href="b.html#first">b</a> <img src="one.png"');
    expect(page).toContain('<a href="docs/c.html">c</a>');
    expect(page).toMatch(/header-link"[^>]*><i class="icon /);
    expect(site.warnings.map(({ message }) => message)).toEqual([
      "the link /help/gone is broken: there is no such page",
      "the link /gone.pdf is broken: the site has no such file",
    ]);
    await using unknown = await renderFiles({ "index.md": "[b](/docs/b)", "b.md": "# B" });
    expect(await unknown.read("index.html")).toContain('<a href="b.html">b</a>');
  });

  test("pages of addresses that moved, and links that lead nowhere, speak the site's language", async () => {
    await using site = await renderFiles({
      "docs.json": {
        redirects: [{ source: "/alt", destination: "/" }],
        navigation: { languages: [{ language: "de", pages: ["index"] }] },
      },
      "index.md": "# Start\n\n[weg](/weg)",
    });
    const moved = await site.read("alt.html");
    expect(moved).toContain('<html lang="de">');
    expect(moved).toContain("<h1>Diese Seite ist umgezogen</h1>");
    expect(await site.read("index.html")).toContain('title="Diese Seite ist nicht Teil des Exports"');
  });

  test("a redirect may name the folder that the site is published in", async () => {
    await using site = await renderFiles({
      "docs.json": {
        seo: { metatags: { canonical: "https://example.com/help" } },
        redirects: [
          { source: "/old", destination: "/help/new" },
          { source: "/older", destination: "/help/guides" },
        ],
      },
      "new.md": "[old](/help/old) [older](/older)",
      "guides/a.md": "# A",
    });
    expect(site.warnings).toEqual([]);
    expect(await site.read("new.html")).toContain(
      '<a href="new.html">old</a> <a href="guides/a.html">older</a>',
    );
    expect(await site.read("old.html")).toContain('content="0; url=new.html"');
  });

  test("a redirect may lead to a page and a section whose names are encoded", async () => {
    await using site = await renderFiles({
      "docs.json": {
        redirects: [{ source: "/old%20name", destination: "/new%20name#caf%C3%A9" }],
      },
      "new name.md": "# New\n\n## Café\n\n[moved](/old%20name)",
    });
    expect(site.warnings.filter(({ kind }) => kind === "link")).toEqual([]);
    expect(await site.read("new name.html")).toContain('<a href="#café">moved</a>');
    expect(await site.read("old name.html")).toContain('content="0; url=new%20name.html#café"');
  });

  test("a page that is not MDX is shown all the same, and its file's line is named", async () => {
    await using site = await renderFiles({
      "bad.mdx": "---\ntitle: Bad\n---\n\nText.\n\n</Note>\n\nMore.",
    });
    expect(site.warnings).toEqual([
      {
        kind: "markup",
        page: "bad.mdx",
        line: 7,
        message: expect.stringMatching(/^it is not MDX and was read as Markdown: /),
      },
    ]);
    expect(await site.read("bad.html")).toContain("More.");
  });

  test("a comment of MDX is not shown, also in a file that is called Markdown", async () => {
    await using site = await renderFiles({ "a.md": "# A\n\n{/* for authors */}\n\nText." });
    expect(await site.read("a.html")).not.toContain("for authors");
  });

  test("progress is reported page by page", async () => {
    await using docs = await createFolder({ "a.md": "# A", "b.md": "# B" });
    const reported: unknown[] = [];
    await using site = await renderFolder(docs, {}, (progress) => reported.push(progress));
    expect(site.pageCount).toBe(2);
    expect(reported).toEqual([
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  test("an aborted rendering ends with the signal's reason", async () => {
    await using docs = await createFolder({ "a.md": "# A", "b.md": "# B" });
    await using out = await createFolder();
    const controller = new AbortController();
    const reason = new Error("enough");
    const options = { docsDir: docs.path, archive: join(out.path, "site.zip") };
    await expect(renderSite(options, controller.signal, () => controller.abort(reason))).rejects.toBe(reason);
    expect(await readdir(out.path)).toEqual([]);
  });

  test("a folder that does not exist is an input error", async () => {
    const gone = await mkdtemp(join(tmpdir(), "docs-site-"));
    await rm(gone, { recursive: true });
    const failure = renderInto({ docsDir: gone, outDir: `${gone}-out` }, new AbortController().signal);
    await expect(failure).rejects.toThrow(ActionError);
    await expect(failure).rejects.toMatchObject({ code: "invalid-input" });
  });

  test("a large navigation is folded where the page is not", async () => {
    const files: Record<string, string> = {};
    for (let folder = 0; folder < 10; folder += 1) {
      for (let page = 0; page < 41; page += 1) files[`f${folder}/p${page}.md`] = "# P";
    }
    await using site = await renderFiles(files);
    const links = sidebarOf(await site.read("f3/p7.html"));
    expect(links.length).toBe(9 + 1 + 41);
  });
});
