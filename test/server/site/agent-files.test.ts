import { describe, expect, test } from "vitest";
import { joinPages } from "../../../src/server/site/agent-files.ts";
import { renderFiles } from "./render-files.ts";

describe("an exported site, for programs that read it,", () => {
  test("has every page as Markdown, whose links lead to Markdown", async () => {
    await using site = await renderFiles({
      "index.mdx":
        "---\ntitle: Home\ndescription: Where to start.\n---\n\n[Start](/guides/start#keys), [file](/data.json), [out](https://example.com/a.html), [gone](/none).",
      "guides/start.mdx": "---\ntitle: Start\n---\n\n## Keys\n\n<Note>[Home](../index.mdx)</Note>",
      "data.json": "{}",
    });
    expect(await site.read("index.md")).toBe(
      "# Home\n\n> Where to start.\n\n[Start](guides/start.md#keys), [file](data.json), [out](https://example.com/a.html), gone.\n",
    );
    expect(await site.read("guides/start.md")).toBe(
      "# Start\n\n## Keys\n\n> **Note**\n>\n> [Home](../index.md)\n",
    );
    expect(await site.read("guides/start.html")).toContain(
      '<link rel="alternate" type="text/markdown" href="start.md">',
    );
    expect(site.warnings.filter(({ kind }) => kind === "link")).toHaveLength(1);
  });

  test("a description is Markdown of its own, with links only on its page", async () => {
    await using site = await renderFiles({
      "index.md": "---\ntitle: A\ndescription: '# Use <b>`c`</b> in **bold** [words](b.md)'\n---\n",
      "b.md": "# B",
    });
    expect(await site.read("index.md")).toContain("> \\# Use \\<b>`c`\\</b> in **bold** [words](b.md)\n");
    expect(await site.read("llms.txt")).toContain("(index.md): \\# Use \\<b>`c`\\</b> in **bold** words\n");
  });

  test("has the labels of callouts and fields in the page's language", async () => {
    const content =
      "> [!CAUTION]\n> A\n\n<Warning title='B'>C</Warning>\n\n<Callout type='custom'>D</Callout>\n\n<ParamField query='e' required default='1'>F</ParamField>";
    await using site = await renderFiles({
      "index.mdx": `---\ntitle: T\n---\n\n${content}`,
      "de.mdx": `---\ntitle: T\nlang: de\n---\n\n${content}`,
    });
    expect(await site.read("index.md")).toBe(
      "# T\n\n> **Danger**\n>\n> A\n\n> **Warning: B**\n>\n> C\n\n> **Note**\n>\n> D\n\n- `e` (query, required, default: 1)\n\n  F\n",
    );
    expect(await site.read("de.md")).toBe(
      "# T\n\n> **Gefahr**\n>\n> A\n\n> **Warnung: B**\n>\n> C\n\n> **Hinweis**\n>\n> D\n\n- `e` (query, erforderlich, Standard: 1)\n\n  F\n",
    );
  });

  test("says under the title which endpoint a page describes", async () => {
    await using site = await renderFiles({
      "a.mdx": "---\ntitle: List\napi: get /ships/{id}\n---\n\nText.",
      "b.mdx": "---\ntitle: Sent\napi: ships.json WEBHOOK ship sent\n---\n\nText.",
    });
    expect(await site.read("a.md")).toBe("# List\n\n`GET /ships/{id}`\n\nText.\n");
    expect(await site.read("b.md")).toBe("# Sent\n\n`WEBHOOK ship sent`\n\nText.\n");
  });

  const versions = {
    "docs.json": {
      name: "Harbour",
      description: "All about harbours.",
      navigation: {
        languages: [
          {
            language: "en",
            versions: [
              { version: "v2", groups: [{ group: "Guides", pages: ["v2/ships"] }] },
              { version: "v1", groups: [{ group: "Guides", pages: ["v1/ships"] }] },
            ],
          },
          { language: "de", groups: [{ group: "Anleitungen", pages: ["de/ships"] }] },
        ],
      },
    },
    "v1/ships.md": "---\ntitle: Ships\n---\nOld.",
    "v2/ships.md": "---\ntitle: Ships\ndescription: What floats.\n---\nNew.",
    "de/ships.md": "---\ntitle: Schiffe\n---\nNeu.",
  };

  test("lists its pages by the navigation: the default version of each language", async () => {
    await using site = await renderFiles(versions);
    expect(await site.read("llms.txt")).toBe(`# Harbour

> All about harbours.

Every page is Markdown at these addresses, and HTML with the ending \`.html\`.

## English / v2 / Guides

- [Ships](v2/ships.md): What floats.

## Deutsch / Anleitungen

- [Schiffe](de/ships.md)
`);
    // Where no page is the front page, the list is.
    expect(await site.read("index.md")).toBe(await site.read("llms.txt"));
  });

  test("has the default version's pages in one file, which says what it leaves out", async () => {
    await using site = await renderFiles(versions);
    expect(await site.read("llms-full.txt")).toBe(
      "# Ships\n\n> What floats.\n\nNew.\n\nSource: v2/ships.md\n\n---\n\nNot in this file: 2 pages. See llms.txt.\n",
    );
  });

  test("has a sitemap if its configuration says where it will be", async () => {
    await using without = await renderFiles({ "index.md": "Text." });
    expect(await without.list()).not.toContain("sitemap.xml");
    await using site = await renderFiles({
      "docs.json": {
        seo: { metatags: { canonical: "https://docs.example.com/a&b/" } },
        navigation: ["index", "guides/über"],
      },
      "index.md": "Text.",
      "guides/über.md": "Text.",
    });
    expect(await site.read("sitemap.xml")).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://docs.example.com/a&amp;b/index.html</loc></url>
<url><loc>https://docs.example.com/a&amp;b/guides/%C3%BCber.html</loc></url>
</urlset>
`);
  });

  test("are found by the documents' links to them", async () => {
    const links = "[All](/llms.txt), [texts](/llms-full.txt), [map](/sitemap.xml)";
    const seo = { metatags: { canonical: "https://docs.example.com" } };
    await using site = await renderFiles({ "docs.json": { seo }, "a/b.md": links });
    await using local = await renderFiles({ "a/b.md": links });
    expect(await site.read("a/b.md")).toContain(
      "[All](../llms.txt), [texts](../llms-full.txt), [map](../sitemap.xml)",
    );
    expect(site.warnings).toEqual([]);
    expect(local.warnings.map(({ message }) => message)).toEqual([
      "the link /sitemap.xml is broken: there is no such page",
    ]);
  });

  test("keeps the lists that the documents bring themselves", async () => {
    await using site = await renderFiles({
      "index.md": "[The list](/llms.txt)",
      "llms.txt": "# Written by hand\n",
    });
    expect(await site.read("llms.txt")).toBe("# Written by hand\n");
    expect(await site.read("index.md")).toContain("[The list](llms.txt)");
    expect(await site.list()).not.toContain("llms-2.txt");
  });

  test("has no longer text in one file than it says", () => {
    const text = "word ".repeat(390_000);
    const pages = ["a", "b", "c", "d", "e"].map((name) => [`${name}.md`, text] as const);
    const full = joinPages(pages, pages.length);
    expect(Buffer.byteLength(full)).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(full).toMatch(/\nNot in this file: 1 pages\. See llms\.txt\.\n$/);
  });
});
