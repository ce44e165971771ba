/** Exports a folder of documents as an export job does, in a process of its own: `DOCS WORK-FOLDER`. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createSiteExporter } from "../../src/server/exports/site-exporter.ts";

const [docsDir = "", workDir = ""] = process.argv.slice(2);
const ignore = () => undefined;
const log = { debug: ignore, info: ignore, notice: ignore, warning: ignore };
const siteDir = join(workDir, "site");
await mkdir(siteDir, { recursive: true });
const site = { docsDir, domain: "docs.example.com", siteDir, archive: join(workDir, "site.zip") };
const built = await createSiteExporter(log)(site, new AbortController().signal, ignore);
process.stdout.write(JSON.stringify(built));
