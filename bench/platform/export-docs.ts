/** Exports a folder of documents as an export job does, in a process of its own: `DOCS WORK-FOLDER`. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createSiteExporter } from "../../src/server/exports/site-exporter.ts";

const [docsDir = "", workDir = ""] = process.argv.slice(2);
const ignore = () => undefined;
const log = { debug: ignore, info: ignore, notice: ignore, warning: ignore };
const exporter = createSiteExporter(log);
/** Processor time of each, in microseconds. */
const durations: number[] = [];
// The second is a re-export by a platform that goes on running.
for (const name of ["first", "second"]) {
  const siteDir = join(workDir, name);
  await mkdir(siteDir, { recursive: true });
  const site = { docsDir, domain: "docs.example.com", siteDir, archive: join(workDir, `${name}.zip`) };
  const before = process.cpuUsage();
  await exporter(site, new AbortController().signal, ignore);
  const { user, system } = process.cpuUsage(before);
  durations.push(user + system);
  if (process.argv[4] !== "twice") break;
}
process.stdout.write(JSON.stringify(durations));
