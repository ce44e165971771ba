/** What a documentation site would search with instead: an index in one file, or Pagefind. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import MiniSearch from "minisearch";
import { type MadePage, makePage } from "./make-pages.ts";

/** Writes a page whose `find(query)` gives the first result's title; loads everything when it is called first. */
export async function writeMiniSearch(folder: string, pageCount: number): Promise<void> {
  const options = { fields: ["title", "headings", "text"], storeFields: ["title", "path", "description"] };
  const index = new MiniSearch<ReturnType<typeof toDocument>>(options);
  for (let number = 0; number < pageCount; number += 1) index.add(toDocument(makePage(number), number));
  const umd = new URL("../umd/index.js", import.meta.resolve("minisearch"));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "minisearch.js"), await readFile(umd));
  await writeFile(join(folder, "index.js"), `loaded(${JSON.stringify(JSON.stringify(index))});\n`);
  // Options of VitePress's local search.
  const page = `<!doctype html><script>
const add = (src) => new Promise((resolve) => {
  const script = document.createElement("script");
  Object.assign(script, { src, onload: resolve });
  document.head.append(script);
});
let json;
window.loaded = (content) => { json = content; };
window.find = async (query) => {
  await Promise.all([add("minisearch.js"), add("index.js")]);
  const index = MiniSearch.loadJSON(json, ${JSON.stringify(options)});
  return index.search(query, { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, headings: 1 } })[0]?.title;
};
</script>`;
  await writeFile(join(folder, "index.html"), page);
}

function toDocument({ title, path, description, sections }: MadePage, id: number) {
  const headings = sections.map(([, heading]) => heading).join("\n");
  return { id, title, path, description, headings, text: sections.map(([, , text]) => text).join("\n") };
}

const pagefindVersion = "1.4.0";

/** The same with Pagefind, which only works over HTTP. */
export async function writePagefind(folder: string, pageCount: number): Promise<void> {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const project = join(cache, "docs-automation-bench", `pagefind@${pagefindVersion}`);
  await mkdir(project, { recursive: true });
  await writeFile(join(project, "package.json"), `{"private":true}\n`);
  const args = ["install", "--no-audit", "--no-fund", "--silent", `pagefind@${pagefindVersion}`];
  await promisify(execFile)("npm", args, { cwd: project });
  const entry = pathToFileURL(join(project, "node_modules/pagefind/lib/index.js")).href;
  const pagefind = (await import(entry)) as PagefindModule;
  const { index } = await pagefind.createIndex();
  for (let number = 0; number < pageCount; number += 1) {
    const { path, title, description, sections } = makePage(number);
    const content = [title, description, ...sections.flatMap(([, heading, text]) => [heading, text])].join(
      "\n",
    );
    await index.addCustomRecord({ url: `/${path}`, content, language: "en", meta: { title } });
  }
  await index.writeFiles({ outputPath: join(folder, "pagefind") });
  await pagefind.close();
  const page = `<!doctype html><html lang="en"><script>
window.find = async (query) => {
  const { search } = await import("/pagefind/pagefind.js");
  const { results } = await search(query);
  return (await results[0]?.data())?.meta.title;
};
</script>`;
  await writeFile(join(folder, "index.html"), page);
}

/** What is used of the package. */
interface PagefindModule {
  createIndex(): Promise<{
    index: {
      addCustomRecord(record: object): Promise<unknown>;
      writeFiles(options: { outputPath: string }): Promise<unknown>;
    };
  }>;
  close(): Promise<unknown>;
}
