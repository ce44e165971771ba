import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countWarnings } from "../../../src/server/site/report.ts";
import { createFolder, type TestFolder } from "./docs-folder.ts";
import { renderInto } from "./render-files.ts";
import { searchSite } from "./search-site.ts";

const { signal } = new AbortController();

/** As many pages as are rendered in threads, or fewer. */
function createPages(count: number): Promise<TestFolder> {
  const pages = Array.from({ length: count }, (_, number) => {
    const name = `page-${String(number).padStart(3, "0")}`;
    const next = `page-${String((number + 1) % count).padStart(3, "0")}`;
    const text = `# Page ${number}\n\n[Next](./${next}.md#none) ![Picture](./picture.png) <Odd />\n\n\`\`\`js\nlet a;\n\`\`\`\n`;
    return [`guides/${name}.mdx`, text] as const;
  });
  return createFolder({ ...Object.fromEntries(pages), "guides/picture.png": "png", "index.md": "# Home" });
}

async function readAll(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const files = paths
    .sort()
    .map(async (path) => [path.slice(folder.length), await readFile(path, "utf8")] as [string, string]);
  return Promise.all(files);
}

describe("pages that worker threads render", () => {
  test("are returned in order, each once, with all their data", async () => {
    await using docs = await createPages(220);
    await using out = await createFolder();
    const progress: number[] = [];
    const site = await renderInto({ docsDir: docs.path, outDir: out.path }, signal, ({ done }) =>
      progress.push(done),
    );
    expect(progress).toEqual(Array.from({ length: 221 }, (_, number) => number + 1));
    expect(site.pageCount).toBe(221);
    expect(countWarnings(site.warnings)).toEqual({ component: 220, link: 220 });
    expect(site.warnings.find(({ kind }) => kind === "link")).toEqual({
      kind: "link",
      page: "guides/page-000.mdx",
      line: expect.any(Number),
      message: "the link ./page-001.md#none is broken: the page has no such section",
    });
    const report = JSON.parse(await readFile(join(out.path, "export-report.json"), "utf8"));
    expect(report).toMatchObject({ formatVersion: 1, pageCount: 221, warningCount: 440 });
    expect(report.warnings).toEqual(site.warnings);
    expect(await readFile(join(out.path, "guides/picture.png"), "utf8")).toBe("png");
    const searched = await searchSite(out.path, "page");
    expect(searched.pageCount).toBe(221);
  });

  test("have the same bytes in every worker thread", async () => {
    await using docs = await createPages(220);
    await using first = await createFolder();
    await using second = await createFolder();
    await renderInto({ docsDir: docs.path, outDir: first.path }, signal);
    await renderInto({ docsDir: docs.path, outDir: second.path }, signal);
    expect(await readAll(second.path)).toEqual(await readAll(first.path));
    await using alone = await createFolder();
    // A part of the pages is rendered in this thread, where there are few; their content is the same.
    await renderInto({ docsDir: docs.path, outDir: alone.path, paths: ["guides/page-007"] }, signal);
    const articleOf = (html: string) =>
      /<article>[\s\S]*<\/article>/.exec(html)?.[0].replace(/<p>.*<\/p>/, "");
    const path = "guides/page-007.html";
    const [one, other] = await Promise.all(
      [alone, first].map((site) => readFile(join(site.path, path), "utf8")),
    );
    expect(articleOf(one ?? "")).toBe(articleOf(other ?? ""));
  });

  test("stop when the export is aborted", async () => {
    await using docs = await createPages(220);
    await using out = await createFolder();
    const abort = new AbortController();
    const rendering = renderInto({ docsDir: docs.path, outDir: out.path }, abort.signal, () =>
      abort.abort(new Error("no longer wanted")),
    );
    await expect(rendering).rejects.toThrow("no longer wanted");
  });

  test("make the export fail with the path of the page that a worker thread could not finish", async () => {
    await using docs = await createPages(220);
    await using out = await createFolder();
    await using cache = await createFolder({ "a file": "" });
    const options = { docsDir: docs.path, outDir: out.path, cacheDir: join(cache.path, "a file") };
    await expect(renderInto(options, signal)).rejects.toThrow(/^guides\/page-\d+\.mdx: ENOTDIR/);
  });
});
