/** Renders a folder in a process of its own, whose time zone a test can choose. */

import { join } from "node:path";
import { renderSite } from "../../../src/server/site/render-site.ts";

const [docsDir = "", workDir = ""] = process.argv.slice(2);
const options = { docsDir, archive: join(workDir, "site.zip") };
const { sha256 } = await renderSite(options, new AbortController().signal);
process.stdout.write(sha256);
