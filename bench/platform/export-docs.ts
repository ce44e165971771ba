/** Exports a folder of documents as an export job does, in a process of its own: `DOCS WORK-FOLDER [again]`. */
import { appendFile, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";
import { renderSite } from "../../src/server/site/render-site.ts";

if (isMainThread) await exportDocs(process.argv.slice(2));
// Bundled, this is the threads' entry, too.
else await import("../../src/worker-thread.ts");

async function exportDocs([docsDir = "", workDir = "", mode]: readonly string[]): Promise<void> {
  // Only the re-export has a cache to read, as a platform with `--data` has.
  const cacheDir = mode === "again" ? join(workDir, "cache") : undefined;
  /** Processor time of each, in microseconds. */
  const durations: number[] = [];
  // After the first, re-exports of one changed page, by a platform that goes on running.
  for (const name of ["first", "second", "third"]) {
    await mkdir(workDir, { recursive: true });
    const site = { docsDir, archive: join(workDir, `${name}.zip`), cacheDir };
    const before = process.cpuUsage();
    await renderSite(site, new AbortController().signal);
    const { user, system } = process.cpuUsage(before);
    durations.push(user + system);
    if (mode !== "again") break;
    const pages = (await readdir(docsDir, { recursive: true })).filter((path) =>
      /page-\d+\.mdx?$/.test(path),
    );
    await appendFile(join(docsDir, pages.sort()[pages.length >> 1] ?? ""), "\nOne more sentence.\n");
  }
  process.stdout.write(JSON.stringify(durations));
}
