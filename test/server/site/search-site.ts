import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { openSearchIndex, type SearchMatch } from "../../../src/server/site/client/find-matches.ts";

/** Searches an exported site as its search box does, without a browser. */
export async function searchSite(folder: string, query: string, indexes: readonly number[] = [0]) {
  let [bytes, pageCount] = [0, 0];
  const known = new Map<string, string>();
  const index = openSearchIndex(async (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const script = await readFile(join(folder, `site-assets/search/${name}.js`), "utf8");
    bytes += Buffer.byteLength(script);
    let content = "";
    const docsSearchLoaded = (loaded: string, held: string) => {
      if (loaded === name) content = held;
    };
    runInNewContext(script, { docsSearchLoaded });
    if (/^\d+$/.test(name)) pageCount += (JSON.parse(content) as { pageCount: number }).pageCount;
    known.set(name, content);
    return content;
  });
  const matches: readonly SearchMatch[] = (await index.find(query, indexes)) ?? [];
  return {
    matches,
    paths: matches.map(({ path }) => path),
    /** Of the scripts that were loaded. */
    bytes,
    pageCount,
  };
}
