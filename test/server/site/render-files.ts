/** Sites made of a few files, and what is read of their pages. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractArchive } from "../../../src/bundle/verify.ts";
import {
  type RenderedSite,
  type RenderSiteOptions,
  renderSite,
} from "../../../src/server/site/render-site.ts";
import { createFolder, type Files, type TemporaryFolder } from "../../support/temporary-folder.ts";

/** Where a test has a site's documents, and wants its files. */
export interface RenderedInto extends Omit<RenderSiteOptions, "archive"> {
  readonly outDir: string;
}

/** Renders a site, and unpacks its bundle. */
export async function renderInto(
  { outDir, ...options }: RenderedInto,
  signal: AbortSignal = new AbortController().signal,
  onProgress?: Parameters<typeof renderSite>[2],
): Promise<RenderedSite> {
  const work = await mkdtemp(join(tmpdir(), "docs-bundle-"));
  try {
    const archive = join(work, "bundle.zip");
    const site = await renderSite({ ...options, archive }, signal, onProgress);
    await extractArchive(archive, outDir, {}, signal);
    return site;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** A rendered site, which disappears with the test. */
export interface RenderedFolder extends AsyncDisposable, RenderedSite {
  /** The folder of its files. */
  readonly path: string;
  read(path: string): Promise<string>;
  list(): Promise<string[]>;
}

/** Renders a folder of documents. */
export async function renderFolder(
  docs: Pick<TemporaryFolder, "path">,
  options: Partial<RenderedInto> = {},
  onProgress?: Parameters<typeof renderSite>[2],
): Promise<RenderedFolder> {
  const out = await createFolder();
  const site = await renderInto({ docsDir: docs.path, outDir: out.path, ...options }, undefined, onProgress);
  return {
    ...site,
    path: out.path,
    read: (path) => readFile(join(out.path, path), "utf8"),
    list: async () => (await readdir(out.path, { recursive: true })).sort(),
    [Symbol.asyncDispose]: () => out[Symbol.asyncDispose](),
  };
}

/** Renders these files, by their paths in the documents folder. */
export async function renderFiles(
  files: Files,
  options: Partial<RenderedInto> = {},
): Promise<RenderedFolder> {
  await using docs = await createFolder(files);
  return await renderFolder(docs, options);
}

/** Titles and links of the navigation beside a page, in order, without those that only phones show there. */
export function sidebarOf(html: string): string[] {
  const [menu = ""] = /<nav class="sidebar"[\s\S]*?<\/nav>/.exec(html) ?? [];
  const sidebar = menu.replace(/<div class="narrow-only">[\s\S]*?<\/div>/g, "");
  return [
    ...sidebar.matchAll(
      /<summary>(?:<span[^>]*>[^<]*<\/span> )?([^<]+)|<a [^>]*?href="([^"]+)"[^>]*>([^<]+)/g,
    ),
  ].map(([, group, href, title]) => (group === undefined ? `${title} (${href})` : `${group}:`));
}
