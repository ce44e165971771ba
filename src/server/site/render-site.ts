/** Renders a folder of Markdown and MDX into the bundle of a static site. */

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exportReportPath } from "../../base/export-report.ts";
import { createAgentFiles } from "./agent-files.ts";
import { BundleWriter, packFile } from "./bundle-writer.ts";
import { clientAssets } from "./client-assets.ts";
import { type DocsTree, ifUsable, readPageText } from "./content/docs-tree.ts";
import { readPacked } from "./content/packed-data.ts";
import { readCopy } from "./content/sanitize.ts";
import { describeSite, siteStyles } from "./describe-site.ts";
import {
  noLinks,
  type PageLinks,
  type RedirectReport,
  renderRedirectPage,
  reportBrokenSections,
  SiteLinks,
} from "./links.ts";
import { digestOfText, PageCache } from "./page-cache.ts";
import { renderHomePage, renderNotFoundPage, type Site } from "./page-layout.ts";
import { linkConfigOf, type PlanOptions, planSite, type SitePlan } from "./plan-site.ts";
import {
  createFileFetcher,
  createPictureFetcher,
  type FetchPicture,
  pathOfPicture,
  type RemoteOptions,
} from "./remote-files.ts";
import type { PageSource } from "./render-page.ts";
import { type PageResult, type PagesToRender, renderPages } from "./render-pages.ts";
import { printReport, type Warning, type WarningReporter } from "./report.ts";
import { assetsFolder, listPaths, markdownPath, type Route, relativeLink } from "./routes.ts";
import { planSearch, SearchIndexWriter } from "./search-index.ts";
import { type SiteConfig, siteAddress } from "./site-config.ts";

/** Options of rendering a site. */
export interface RenderSiteOptions extends Omit<PlanOptions, "excludedDir" | "fetchFile">, RemoteOptions {
  /** Path of the bundle. Its folder is excluded from the documents. */
  readonly archive: string;
  /** Folder of the page cache. Without it, nothing is kept for later exports. */
  readonly cacheDir?: string | undefined;
}

/** The result of rendering a site. */
export interface RenderedSite {
  readonly pageCount: number;
  /** Output paths of the pages, in the order of their sources. */
  readonly pages: readonly string[];
  readonly warnings: readonly Warning[];
  /** Content of the report file. */
  readonly report: string;
  /** Size of the bundle. */
  readonly sizeBytes: number;
  /** Digest of the bundle. */
  readonly sha256: string;
}

/**
 * Renders a folder of documents. Documents are not trusted: their code runs only in a sandbox, symbolic links out of the folder are not
 * followed, and problems with pages become warnings. The output is reproducible. After a failure or an abort, there is no bundle.
 *
 * @throws {ActionError} if the folder cannot be read; the signal's reason if it is aborted
 */
export async function renderSite(
  options: RenderSiteOptions,
  signal: AbortSignal,
  onProgress?: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<RenderedSite> {
  const warnings: Warning[] = [];
  const onWarning: WarningReporter = (page, message, kind, line) =>
    void warnings.push({ kind, page, ...(line !== undefined && { line }), message });
  const { archive, remoteMedia = "link" } = options;
  const fetchFile = createFileFetcher(options, signal);
  const planned = { ...options, excludedDir: dirname(archive), fetchFile };
  const plan = await planSite(planned, signal, onWarning);
  const { docs, pages, config, configFile, slugStyle } = plan;
  const routes = plan.routes.all;
  const addresses = linkConfigOf(plan);
  const links = new SiteLinks(docs, routes, addresses);
  const frameLinks = noLinks();
  const indexed = inReadingOrder(plan);
  const searchPlan = planSearch(indexed);
  const description = describeSite(plan, links, frameLinks, options.version, onWarning);
  const site = { ...description, searchParts: searchPlan.parts };

  await using bundle = await BundleWriter.create(archive);
  const pack = createPacker(docs, options.cacheDir);
  const write = async (path: string, content: string | Uint8Array) =>
    bundle.add(path, await pack(path, content));

  const { cacheDir } = options;
  const job = { docs, pages, slugStyle, routes, addresses, site, cacheDir, remoteMedia };
  // Remote pictures are fetched in any order, and are added to the bundle in a fixed order.
  const pictures = new Set<string>();
  const pictureFolder = `${archive}.pictures`;
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(pictureFolder, { recursive: true, force: true }));
  const keepPicture = async (name: string, content: Uint8Array) => {
    await mkdir(pictureFolder, { recursive: true });
    await writeFile(join(pictureFolder, name), content);
    pictures.add(name);
  };
  const fetchPicture = fetchFile && createPictureFetcher(fetchFile, keepPicture);
  const indexes = searchPlan.parts.map((_, part) => new SearchIndexWriter(part, write));
  const rendered = await collectPages(job, signal, fetchPicture, onWarning, async (result, done) => {
    // Results are in the order of the pages.
    const { outPath = "" } = pages[done - 1]?.route ?? {};
    if (result.files !== undefined) {
      await bundle.add(outPath, result.files.html);
      await bundle.add(markdownPath(outPath), result.files.markdown);
    }
    const position = searchPlan.positions.get(result.source);
    if (result.entry !== undefined && position !== undefined)
      await indexes[position.part]?.add(result.entry, position.rank);
    onProgress?.({ done, total: pages.length });
  });
  const { idsBySource, hasDiagram } = rendered;
  const allLinks = [frameLinks, ...rendered.linksOfPages];
  for (const name of [...pictures].sort())
    await write(pathOfPicture(name), await readFile(join(pictureFolder, name)));
  for (const index of indexes) await index.end();

  for (const source of new Set(allLinks.flatMap(({ assets }) => [...assets]))) {
    signal.throwIfAborted();
    const file = await readAsset(docs, source, onWarning);
    if (file !== undefined) await write(links.assetPath(source), file);
  }

  if (hasDiagram) await write(`${assetsFolder}/diagrams.js`, readPacked("diagrams"));
  const otherFiles = renderOtherFiles(plan, site, links, {
    found: frameLinks,
    source: configFile,
    // In a partial export, many redirects lead to pages that are not exported.
    onLeftOut: (message, kind) => {
      if (options.paths === undefined || kind !== "link") onWarning(configFile, message, kind);
    },
  });
  const home = pages.find(({ route }) => route.outPath === "index.html");
  const written = pages.filter(({ route }) => idsBySource.has(route.source));
  const lists = await createAgentFiles(
    {
      site,
      description: config.description ?? home?.frontMatter.description,
      pages: indexed.filter(({ route }) => idsBySource.has(route.source)),
      readFile: (path) => bundle.read(path),
      address: siteAddress(config),
    },
    (file, count) => onWarning(file, `it omits ${count} pages`, "file"),
  );
  if (home === undefined) otherFiles.set("index.md", lists.get("llms.txt") ?? "");
  for (const [path, content] of lists) otherFiles.set(path, (await readOwnList(docs, path)) ?? content);
  reportBrokenSections(allLinks, idsBySource, onWarning);
  const pageCount = idsBySource.size;
  const report = printReport(pageCount, warnings);
  otherFiles.set(exportReportPath, report);
  // A list that the documents provide may already be in the bundle, because a page links to it.
  const missing = [...otherFiles].filter(([path]) => !bundle.has(path));
  for (const [path, content] of missing) await write(path, content);
  signal.throwIfAborted();
  const { bytes: sizeBytes, sha256 } = await bundle.finish();
  const paths = written.map(({ route }) => route.outPath);
  return { pageCount, pages: paths, warnings, report, sizeBytes, sha256 };
}

/** The indexed pages, in navigation order. */
function inReadingOrder({ pages, locations }: SitePlan): PageSource[] {
  const position = ({ route }: PageSource) => locations.get(route.source)?.position ?? locations.size;
  return pages.filter(({ isIndexed }) => isIndexed).sort((left, right) => position(left) - position(right));
}

/** Reads a list that the documents provide themselves. */
async function readOwnList(docs: DocsTree, path: string): Promise<string | undefined> {
  if (!listPaths.includes(path) || !docs.files.has(path)) return undefined;
  return ifUsable(readPageText(docs, path), () => undefined);
}

/** Renders the front page of documents without one. With a configuration, it redirects to the first page of the navigation. */
function renderFrontPage(site: Site, slugStyle: SitePlan["slugStyle"]): string {
  const first = slugStyle === "docs-json" ? site.order[0] : undefined;
  if (first === undefined) return renderHomePage(site);
  return renderRedirectPage(relativeLink("index.html", first.page.route.outPath), site.title, site.lang);
}

/** Packs files. Texts that an earlier export has packed are taken from the cache. */
function createPacker(docs: DocsTree, cacheDir: string | undefined): typeof packFile {
  if (cacheDir === undefined) return packFile;
  const cache = new PageCache(docs, cacheDir, 0);
  return async (path, content) => {
    if (typeof content !== "string") return packFile(path, content);
    const key = await cache.keyOf(digestOfText(""), "packed", content);
    return cache.remember(key, () => packFile(path, content));
  };
}

/** Renders the site's other files, by path: "not found" page, front page, redirects and assets. */
function renderOtherFiles(
  { pages, config, slugStyle }: SitePlan,
  site: Site,
  links: SiteLinks,
  report: RedirectReport,
): Map<string, string> {
  const files = new Map([["404.html", renderNotFoundPage(site)]]);
  if (!pages.some(({ route }) => route.outPath === "index.html"))
    files.set("index.html", renderFrontPage(site, slugStyle));
  const titles = new Map(pages.map(({ route, title }) => [route.source, title]));
  const titleOf = ({ source, slug }: Route) => titles.get(source) ?? slug;
  const redirectPages = links.redirectPages(site.lang, titleOf, report);
  for (const [path, page] of redirectPages) files.set(path, page);
  for (const [name, content] of Object.entries(siteAssets(config, site)))
    files.set(`${assetsFolder}/${name}`, content);
  return files;
}

function readAsset(docs: DocsTree, source: string, onWarning: WarningReporter) {
  const leaveOut = (message: string) => onWarning(source, `it was not copied: ${message}`, "file");
  return ifUsable(readCopy(docs, source), leaveOut);
}

/** Renders the pages and collects their identifiers, links and warnings. */
async function collectPages(
  job: PagesToRender,
  signal: AbortSignal,
  fetchPicture: FetchPicture | undefined,
  onWarning: WarningReporter,
  onPage: (result: PageResult, done: number) => Promise<void>,
) {
  const idsBySource = new Map<string, ReadonlySet<string>>();
  const linksOfPages: PageLinks[] = [];
  let hasDiagram = false;
  for await (const result of renderPages(job, signal, fetchPicture)) {
    const { source, ids, links, warnings } = result;
    hasDiagram ||= result.hasDiagram === true;
    for (const { message, kind, line } of warnings) onWarning(source, message, kind, line);
    if (ids !== undefined) idsBySource.set(source, ids);
    linksOfPages.push(links);
    await onPage(result, linksOfPages.length);
  }
  return { idsBySource, linksOfPages, hasDiagram };
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5bd7"/><path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n`;

/** Style sheet, scripts and icon, by file name. */
function siteAssets(config: SiteConfig, site: Site): Readonly<Record<string, string>> {
  const { "not-found.js": _, ...files } = clientAssets;
  return {
    ...files,
    "favicon.svg": favicon,
    "site.css": clientAssets["site.css"] + siteStyles(config, site),
  };
}
