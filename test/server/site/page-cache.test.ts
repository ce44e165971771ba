import { writeFileSync } from "node:fs";
import { readdir, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { digestOfText, PageCache, pruneCache } from "../../../src/server/site/page-cache.ts";
import { createFolder, readFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { renderFolder } from "./render-files.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Exports twice over the same cache, with a change in between, and once without a cache. */
async function exportAround(docs: TemporaryFolder, cache: TemporaryFolder, change: () => Promise<unknown>) {
  const render = async (cacheDir?: string) => {
    await using site = await renderFolder(docs, { cacheDir });
    return { files: await readFolder(site.path), warnings: site.warnings };
  };
  const before = await render(cache.path);
  await change();
  return { before, after: await render(cache.path), expected: await render() };
}

const codes = "```js\nlet a = 1\n\nlet b = `\n${a}`\n```\n\n```json\n{}\n```\n\n```js\nlet a = 1\n```";

const files = {
  "codes.md": codes,
  "docs.json": {
    navigation: { pages: ["index", "old/use", "new/use", "plain", "list", "count"] },
  },
  "index.mdx":
    'import Part from "./part.mdx"\n\n<Part />\n\n<Odd>x</Odd>\n\n[gone](/gone)\n\n```js\nlet a = 1\n```',
  "part.mdx": "First.",
  "old/use.mdx": 'import Part from "./part.mdx"\n\n<Part />',
  "new/use.mdx": 'import Part from "./part.mdx"\n\n<Part />',
  "old/part.mdx": "Old.",
  "new/part.mdx": "New.",
  "plain.md": "> [!NOTE]\n> Text of a page.",
  "list.mdx": "---\nopenapi: GET /list\n---\n",
  "count.mdx": "---\nopenapi: GET /count\n---\n",
  "api.json": apiDocument("first"),
};

function apiDocument(field: string): string {
  const content = { "application/json": { schema: { type: "object", properties: { [field]: {} } } } };
  const responses = { 200: { description: "Well.", content } };
  return JSON.stringify({
    openapi: "3.1.0",
    paths: { "/list": { get: { responses } }, "/count": { get: {} } },
  });
}

describe("the cache of rendered pages", () => {
  test("gives the same site and the same warnings, and pages of the same text what they import themselves", async () => {
    await using docs = await createFolder(files);
    await using cache = await createFolder();
    const { before, after, expected } = await exportAround(docs, cache, async () => undefined);
    expect(after).toEqual(before);
    expect(after).toEqual(expected);
    expect(after.warnings.length).toBeGreaterThan(1);
    expect(after.files.get("old/use.html")).toContain("Old.");
    expect(after.files.get("new/use.html")).toContain("New.");
  });

  test.each([
    ["a page", "plain.md", "Another text."],
    ["what a page imports", "part.mdx", "Second."],
    ["a page's text around its codes", "codes.md", `New text.\n\n${codes}`],
    ["one of a page's codes", "codes.md", codes.replace("let b", "const b")],
    ["a file that an import now finds first", "part.mdx.mdx", "Nearer."],
    ["the title of a page", "new/use.mdx", "---\ntitle: Renamed\n---\nText."],
    ["the pages that there are", "gone.mdx", "No longer gone."],
    ["an API document", "api.json", apiDocument("second")],
    ["the configuration", "docs.json", JSON.stringify({ name: "Named", navigation: { pages: ["index"] } })],
  ])("follows a change of %s", async (_name, path, text) => {
    await using docs = await createFolder(files);
    await using cache = await createFolder();
    const { before, after, expected } = await exportAround(docs, cache, () =>
      writeFile(join(docs.path, path), text),
    );
    expect(after).toEqual(expected);
    if (path !== "part.mdx.mdx") expect(after).not.toEqual(before);
  });

  test("renders damaged files again", async () => {
    await using docs = await createFolder(files);
    await using cache = await createFolder();
    const { after, expected } = await exportAround(docs, cache, async () => {
      const entries = [...(await readFolder(cache.path)).keys()].map((path) => join(cache.path, path));
      expect(entries.length).toBeGreaterThan(3);
      for (const [at, path] of entries.entries())
        await (at % 2 === 0 ? truncate(path, 40) : writeFile(path, "damaged"));
    });
    expect(after).toEqual(expected);
  });

  test("renders nothing but the page that was changed", async () => {
    await using docs = await createFolder(files);
    await using cache = await createFolder();
    const entries = async () => new Set((await readFolder(cache.path)).keys());
    let before = new Set<string>();
    const { after, expected } = await exportAround(docs, cache, async () => {
      before = await entries();
      await writeFile(join(docs.path, "plain.md"), "Another text of the page.");
    });
    expect(after).toEqual(expected);
    expect((await entries()).difference(before).size).toBe(1);
  });

  test("takes pages that threads have rendered", async () => {
    const pages = Array.from({ length: 220 }, (_, at) => [
      `page-${at}.md`,
      `---\ntitle: Page – ${at}\n---\nText.`,
    ]);
    await using docs = await createFolder(Object.fromEntries(pages));
    await using cache = await createFolder();
    const entries = async () => new Set((await readFolder(cache.path)).keys());
    const render = async () => {
      await using site = await renderFolder(docs, { cacheDir: cache.path });
      return await readFolder(site.path);
    };
    const first = await render();
    const before = await entries();
    await writeFile(join(docs.path, "page-7.md"), "---\ntitle: Page – 7\n---\nAnother text.");
    const second = await render();
    const changed = [...first.keys()].filter((path) => second.get(path) !== first.get(path));
    expect(changed).toEqual([
      "llms-full.txt",
      "page-7.html",
      "page-7.md",
      ...["l", "p0", "w0"].map((part) => `site-assets/search/0-${part}.js`),
    ]);
    expect(second.get("page-7.html")).toContain("Another text.");
    expect((await entries()).difference(before).size).toBe(1);
  });

  test("does not take what a page became during an export for what it was at its beginning", async () => {
    await using docs = await createFolder(files);
    await using cache = await createFolder();
    const page = join(docs.path, "plain.md");
    const render = async (cacheDir?: string, onProgress?: () => void) => {
      await using site = await renderFolder(docs, { cacheDir }, onProgress);
      return await site.read("plain.html");
    };
    const during = await render(cache.path, () => writeFileSync(page, "Written meanwhile."));
    expect(during).toContain("Written meanwhile.");
    await writeFile(page, files["plain.md"]);
    expect(await render(cache.path)).toBe(await render());
  });

  test("makes a result once, and one that shows the date once a day", async () => {
    await using cache = await createFolder();
    const docs = { root: "/nowhere", files: new Set<string>(), skipped: [] };
    const make = vi.fn(async () => ({ made: "of a text" }));
    const prepare = async (text: string) => {
      return new PageCache(docs, cache.path, []).remember({ digest: digestOfText(text) }, make);
    };
    for (const text of ["plain", "plain", "{new Date()}", "{new Date()}"])
      expect(await prepare(text)).toEqual({ made: "of a text" });
    expect(make).toHaveBeenCalledTimes(2);
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ["Date"] });
    try {
      await prepare("plain");
      expect(make).toHaveBeenCalledTimes(2);
      await prepare("{new Date()}");
      expect(make).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test("removes what no export has used for a month, checked once a day", async () => {
    await using cache = await createFolder({ "ab/old": "x", "ab/new": "y" });
    const names = async () => [...(await readFolder(cache.path)).keys()];
    await utimes(join(cache.path, "ab/old"), daysAgo(31), daysAgo(31));
    await utimes(cache.path, daysAgo(2), daysAgo(2));
    await pruneCache(cache.path);
    expect(await names()).toEqual(["ab/new"]);
    await utimes(join(cache.path, "ab/new"), daysAgo(31), daysAgo(31));
    await pruneCache(cache.path);
    expect(await names()).toEqual(["ab/new"]);
  });

  test("is pruned by two exports at once", async () => {
    const paths = Array.from({ length: 500 }, (_, index) => `ab/${index}`);
    await using cache = await createFolder(Object.fromEntries(paths.map((path) => [path, ""])));
    for (const path of [...paths, ""]) await utimes(join(cache.path, path), daysAgo(31), daysAgo(31));

    const first = pruneCache(cache.path);
    await vi.waitUntil(async () => (await readdir(join(cache.path, "ab"))).length < paths.length, {
      interval: 0,
    });
    await Promise.all([first, pruneCache(cache.path)]);

    expect(await readFolder(cache.path)).toHaveProperty("size", 0);
  });
});
