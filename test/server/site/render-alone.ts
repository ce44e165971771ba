/** Renders a folder in a process of its own, whose time zone a test can choose. */

import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { renderSite } from "../../../src/server/site/render-site.ts";

const [docsDir = "", workDir = ""] = process.argv.slice(2);
const options = { docsDir, archive: join(workDir, "site.zip") };
await renderSite(options, new AbortController().signal);
process.stdout.write(hash("sha256", await readFile(options.archive)));
