/** The search of an exported site without a browser: what it loads for a question, and how long that takes. `SITE QUESTION` */
import { searchSite } from "../../test/server/site/search-site.ts";

const [siteDir = "", question = ""] = process.argv.slice(2);
const startedAt = performance.now();
const { matches, bytes } = await searchSite(siteDir, question);
process.stdout.write(
  JSON.stringify({ hits: matches.length, bytes, firstHitMs: performance.now() - startedAt }),
);
