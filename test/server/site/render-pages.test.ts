import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { countWarnings } from "../../../src/server/site/report.ts";
import { createFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";
import { type RenderedFolder, renderFolder, renderInto } from "./render-files.ts";
import { searchSite } from "./search-site.ts";

const { signal } = new AbortController();

/** As many pages as are rendered in threads, or fewer. */
function createPages(count: number): Promise<TemporaryFolder> {
  const pages = Array.from({ length: count }, (_, number) => {
    const name = `page-${String(number).padStart(3, "0")}`;
    const next = `page-${String((number + 1) % count).padStart(3, "0")}`;
    const text = `# Page ${number}\n\n[Next](./${next}.md#none) ![Picture](./picture.png) <Odd />\n\n\`\`\`js\nlet a;\n\`\`\`\n`;
    return [`guides/${name}.mdx`, text] as const;
  });
  return createFolder({ ...Object.fromEntries(pages), "guides/picture.png": "png", "index.md": "# Home" });
}

/** Counts the threads that are started until it is disposed of. */
function countThreads() {
  const count = () => {
    threads.count += 1;
  };
  const threads = { count: 0, [Symbol.dispose]: () => void process.off("worker", count) };
  process.on("worker", count);
  return threads;
}

describe("pages that worker threads render", () => {
  test("are returned in order, each once, with all their data, and have the same bytes", async () => {
    await using docs = await createPages(220);
    const progress: number[] = [];
    using threads = countThreads();
    await using site = await renderFolder(docs, {}, ({ done }) => progress.push(done));
    expect(threads.count).toBe(Math.min(4, availableParallelism()));
    expect(progress).toEqual(Array.from({ length: 221 }, (_, number) => number + 1));
    expect(site.pageCount).toBe(221);
    expect(countWarnings(site.warnings)).toEqual({ component: 220, link: 220 });
    expect(site.warnings.find(({ kind }) => kind === "link")).toEqual({
      kind: "link",
      page: "guides/page-000.mdx",
      line: expect.any(Number),
      message: "the link ./page-001.md#none is broken: the page has no such section",
    });
    const report = JSON.parse(await site.read("export-report.json"));
    expect(report).toMatchObject({ formatVersion: 1, pageCount: 221, warningCount: 440 });
    expect(report.warnings).toEqual(site.warnings);
    expect(await site.read("guides/picture.png")).toBe("png");
    const searched = await searchSite(site.path, "page");
    expect(searched.pageCount).toBe(221);

    // A part of the pages is rendered in this thread, where there are few; their content is the same.
    await using alone = await renderFolder(docs, { paths: ["guides/page-007"] });
    const articleOf = async (site: RenderedFolder) =>
      /<article>[\s\S]*<\/article>/
        .exec(await site.read("guides/page-007.html"))?.[0]
        .replace(/<p>.*<\/p>/, "");
    expect(await articleOf(alone)).toBe(await articleOf(site));
  });

  test.each([
    [18, 0],
    [19, 1],
  ])("of %i pages and the home page use %i threads", async (count, expected) => {
    await using docs = await createPages(count);
    using threads = countThreads();
    await using site = await renderFolder(docs);
    expect(site.pageCount).toBe(count + 1);
    expect(threads.count).toBe(expected);
  });

  test("stop when the export is aborted", async () => {
    await using docs = await createPages(220);
    await using out = await createFolder();
    const abort = new AbortController();
    // A terminated thread has the exit code 1, and could end the process while it creates a compressor.
    const started = once(process, "worker") as Promise<[Worker]>;
    const exit = started.then(([thread]) => once(thread, "exit"));
    const rendering = renderInto({ docsDir: docs.path, outDir: out.path }, abort.signal, () =>
      abort.abort(new Error("no longer wanted")),
    );
    await expect(rendering).rejects.toThrow("no longer wanted");
    expect(await exit).toEqual([0]);
  });

  test("make the export fail with the path of the page that a worker thread could not finish", async () => {
    await using docs = await createPages(220);
    await using out = await createFolder();
    await using cache = await createFolder({ "a file": "" });
    const options = { docsDir: docs.path, outDir: out.path, cacheDir: join(cache.path, "a file") };
    await expect(renderInto(options, signal)).rejects.toThrow(/^guides\/page-\d+\.mdx: ENOTDIR/);
  });
});
