/** Sites made of a few files, and what is read of their pages. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type RenderedSite,
  type RenderSiteOptions,
  renderSite,
} from "../../../src/server/site/render-site.ts";
import { createFolder, type TestFolder } from "./docs-folder.ts";

/** A rendered site, which disappears with the test. */
export interface RenderedFolder extends AsyncDisposable, RenderedSite {
  read(path: string): Promise<string>;
  list(): Promise<string[]>;
}

/** Renders a folder of documents. */
export async function renderFolder(
  docs: TestFolder,
  options: Partial<RenderSiteOptions> = {},
): Promise<RenderedFolder> {
  const out = await createFolder();
  const site = await renderSite(
    { docsDir: docs.path, outDir: out.path, ...options },
    new AbortController().signal,
  );
  return {
    ...site,
    read: (path) => readFile(join(out.path, path), "utf8"),
    list: async () => (await readdir(out.path, { recursive: true })).sort(),
    [Symbol.asyncDispose]: () => out[Symbol.asyncDispose](),
  };
}

/** Renders these files, by their paths in the documents folder. */
export async function renderFiles(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Partial<RenderSiteOptions> = {},
): Promise<RenderedFolder> {
  await using docs = await createFolder(files);
  return await renderFolder(docs, options);
}

/** Titles and links of the navigation beside a page, in order. */
export function sidebarOf(html: string): string[] {
  const sidebar = /<nav class="sidebar"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "";
  return [
    ...sidebar.matchAll(
      /<summary>(?:<span[^>]*>[^<]*<\/span> )?([^<]+)|<a [^>]*?href="([^"]+)"[^>]*>([^<]+)/g,
    ),
  ].map(([, group, href, title]) => (group === undefined ? `${title} (${href})` : `${group}:`));
}
