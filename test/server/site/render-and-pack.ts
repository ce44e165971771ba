/** Renders and packs a folder in a process of its own, whose time zone a test can choose. */

import { join } from "node:path";
import { packBundle } from "../../../src/server/site/pack-bundle.ts";
import { renderSite } from "../../../src/server/site/render-site.ts";

const [docsDir = "", workDir = ""] = process.argv.slice(2);
const { signal } = new AbortController();
const outDir = join(workDir, "site");
await renderSite({ docsDir, outDir }, signal);
const { sha256 } = await packBundle(outDir, join(workDir, "site.zip"), signal);
process.stdout.write(sha256);
