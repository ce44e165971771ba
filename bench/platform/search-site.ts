/** The search of an exported site without a browser: loads what its first use loads, and asks. `SITE QUESTION` */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import MiniSearch from "minisearch";
import { findMatches, indexOptions } from "../../src/server/site/client/find-matches.ts";

const [siteDir = "", question = ""] = process.argv.slice(2);
const startedAt = performance.now();
const script = await readFile(join(siteDir, "site-assets/search-index.js"), "utf8");
const readAt = performance.now();
const holder = globalThis as { self?: unknown; docsSearchIndex?: Parameters<typeof MiniSearch.loadJS>[0] };
holder.self = globalThis;
runInThisContext(script);
const parsedAt = performance.now();
if (holder.docsSearchIndex === undefined) throw new Error("The site has no search index.");
const index = MiniSearch.loadJS(holder.docsSearchIndex, indexOptions);
const hits = findMatches(index, question, "").length;
const foundAt = performance.now();
const result = { hits, bytes: script.length, loadMs: parsedAt - readAt, firstHitMs: foundAt - startedAt };
process.stdout.write(JSON.stringify(result));
