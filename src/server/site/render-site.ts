/** Renders a folder of Markdown and MDX into the bundle of a static site. */
import { ActionError } from "../../base/errors.ts";
import { exportReportPath } from "../../base/export-report.ts";
import { isMainPage, joinPages, printPageList, printSitemap } from "./agent-files.ts";
import { clientAssets } from "./client-assets.ts";
import { ifUsable, readPageText } from "./content/docs-tree.ts";
import { readPacked } from "./content/packed-data.ts";
import { readCopy } from "./content/sanitize.ts";
import { describeSite, siteStyles } from "./describe-site.ts";
import { noLinks, type PageLinks, renderRedirectPage, reportBrokenSections, SiteLinks } from "./links.ts";
import { pruneCache } from "./page-cache.ts";
import { renderNotFoundPage, type SiteDescription } from "./page-layout.ts";
import { linkTargetsOf, type PlanOptions, planSite, type SitePlan } from "./plan-site.ts";
import { openPictureStore, type PictureStore, type RemoteMediaOptions } from "./remote-files.ts";
import type { PageSource } from "./render-page.ts";
import { renderPages } from "./render-pages.ts";
import { collectWarnings, type PageReporter, printReport, type Warning } from "./report.ts";
import { assetsFolder, listPaths, markdownPath, type Route, relativeLink } from "./routes.ts";
import { createSearchIndexes } from "./search-index.ts";
import { siteUrlOf } from "./site-config.ts";
import {
  type BundleFile,
  copyPacked,
  type PackedFile,
  packFile,
  unpackText,
  writeBundle,
} from "./write-bundle.ts";

/** Options of rendering a site. */
export interface RenderSiteOptions extends PlanOptions, RemoteMediaOptions {
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
  readonly report: string;
  readonly sizeBytes: number;
}

/**
 * Renders a folder of documents. Documents are not trusted: their code runs only in a sandbox, symbolic links out of the folder are not
 * followed, and problems with pages become warnings. The output is reproducible. After a failure or an abort, there is no bundle.
 *
 * @throws {ActionError} if the folder or its configuration file cannot be read; the signal's reason if it is aborted
 */
export async function renderSite(
  options: RenderSiteOptions,
  signal: AbortSignal,
  onProgress?: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<RenderedSite> {
  const { archive, cacheDir, remoteMedia = "link" } = options;
  const { warnings, onWarning } = collectWarnings();
  const plan = await planSite(options, signal, onWarning);
  const { docs, pages, locations, configFile, configProblem, slugStyle } = plan;
  if (configProblem !== undefined) {
    const hint = "Correct the file. Without it, the navigation is derived from the folders.";
    throw new ActionError("invalid-input", `${configFile} cannot be read: ${configProblem}`, { hint });
  }
  const targets = linkTargetsOf(plan);
  const links = new SiteLinks(docs, targets);
  const ownLinks = noLinks();
  const position = ({ route }: PageSource) => locations.get(route.source)?.position ?? locations.size;
  const indexed = pages
    .filter(({ isIndexed }) => isIndexed)
    .sort((left, right) => position(left) - position(right));
  const search = createSearchIndexes(indexed);
  const description = describeSite(plan, links, ownLinks, options.version, onWarning);
  const site: SiteDescription = { ...description, searchParts: search.parts };
  const job = { docs, pages, slugStyle, targets, site, cacheDir, remoteMedia };
  /** All identifiers that links can target, by page. */
  const ids = new Map<string, ReadonlySet<string>>();
  const linksByPage = [ownLinks];
  /** The Markdown of the pages in the main language and version. */
  const mainTexts = new Map<string, PackedFile>();
  let hasDiagram = false;
  let report = "";

  async function* renderPageFiles(pictures: PictureStore | undefined): AsyncGenerator<BundleFile> {
    let done = 0;
    for await (const result of renderPages(job, signal, pictures?.fetch)) {
      const { page, files } = result;
      const { source, outPath } = page.route;
      for (const { message, kind, line } of result.warnings) onWarning(source, message, kind, line);
      linksByPage.push(result.links);
      done += 1;
      onProgress?.({ done, total: pages.length });
      if (files === undefined) continue;
      yield [outPath, files.html];
      yield [markdownPath(outPath), files.markdown];
      ids.set(source, files.ids);
      hasDiagram ||= files.hasDiagram;
      if (isMainPage(page, site)) mainTexts.set(source, copyPacked(files.markdown));
      yield* packFiles(search.add(source, files.entry));
    }
    yield* packFiles(search.end());
  }

  async function* renderFiles(): AsyncGenerator<BundleFile> {
    await using pictures =
      remoteMedia === "fetch" ? openPictureStore(`${archive}.pictures`, options, signal) : undefined;
    yield* renderPageFiles(pictures);
    if (pictures !== undefined) yield* packFiles(pictures.files());
    if (hasDiagram) yield* packFiles([[`${assetsFolder}/diagrams.js`, readPacked("diagrams")]]);
    const texts = renderOtherFiles(plan, site, links, ownLinks, (message, kind) => {
      // In a partial export, many redirects lead to pages that are not exported.
      if (options.paths === undefined || kind !== "link") onWarning(configFile, message, kind);
    });
    const exported = indexed.filter(({ route }) => ids.has(route.source));
    const lists = await createLists(plan, site, exported, mainTexts);
    for (const file of lists) texts.set(...file);
    const assets = new Set(linksByPage.flatMap((found) => [...found.assets]));
    for (const path of listPaths) assets.delete(path);
    for (const asset of assets) {
      const leaveOut = (message: string) => onWarning(asset, `it was not copied: ${message}`, "file");
      const file = await ifUsable(readCopy(docs, asset), leaveOut);
      if (file !== undefined) yield* packFiles([[links.assetPath(asset), file]]);
    }
    signal.throwIfAborted();
    reportBrokenSections(linksByPage, ids, onWarning);
    report = printReport(ids.size, warnings);
    texts.set(exportReportPath, report);
    yield* packFiles(texts);
    signal.throwIfAborted();
  }

  const sizeBytes = await writeBundle(archive, renderFiles());
  if (cacheDir !== undefined) await pruneCache(cacheDir);
  const paths = pages.filter(({ route }) => ids.has(route.source)).map(({ route }) => route.outPath);
  return { pageCount: paths.length, pages: paths, warnings, report, sizeBytes };
}

type SiteFile = readonly [path: string, content: string | Uint8Array];

async function* packFiles(files: AsyncIterable<SiteFile> | Iterable<SiteFile>): AsyncGenerator<BundleFile> {
  for await (const [path, content] of files) yield [path, await packFile(path, content)];
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5bd7"/><path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n`;

/** Renders the site's other files, by path: "not found" page, front page, redirects and assets. */
function renderOtherFiles(
  { pages, config, configFile }: SitePlan,
  site: SiteDescription,
  links: SiteLinks,
  found: PageLinks,
  onWarning: PageReporter,
): Map<string, string> {
  const { "not-found.js": _, ...assets } = clientAssets;
  const css = clientAssets["site.css"] + siteStyles(config, site);
  const notFound = renderNotFoundPage(site);
  const files = new Map([["404.html", notFound]]);
  for (const [name, content] of Object.entries({ ...assets, "favicon.svg": favicon, "site.css": css }))
    files.set(`${assetsFolder}/${name}`, content);
  const first = site.order[0]?.page.route ?? pages[0]?.route;
  if (!pages.some(({ route }) => route.outPath === "index.html")) {
    const href = first && relativeLink("index.html", first.outPath);
    files.set("index.html", href ? renderRedirectPage(href, site.title, site.lang) : notFound);
  }
  const titles = new Map(pages.map(({ route, title }) => [route.source, title]));
  const titleOf = ({ source, slug }: Route) => titles.get(source) ?? slug;
  for (const [path, page] of links.redirectPages(site.lang, titleOf, configFile, found, onWarning))
    files.set(path, page);
  return files;
}

/** The lists of pages for programs, by path. Those that the documents provide take precedence. */
async function createLists(
  { docs, config, pages }: SitePlan,
  site: SiteDescription,
  exported: readonly PageSource[],
  mainTexts: ReadonlyMap<string, PackedFile>,
): Promise<Map<string, string>> {
  const home = pages.find(({ route }) => route.outPath === "index.html");
  function* unpackMainTexts() {
    for (const { route } of exported) {
      const file = mainTexts.get(route.source);
      if (file !== undefined) yield [markdownPath(route.outPath), unpackText(file)] as const;
    }
  }
  const siteUrl = siteUrlOf(config);
  const lists = new Map([
    ["llms.txt", printPageList(site, exported, config.description ?? home?.frontMatter.description)],
    ["llms-full.txt", joinPages(unpackMainTexts(), exported.length)],
    ...(siteUrl === undefined ? [] : [["sitemap.xml", printSitemap(siteUrl, exported)] as const]),
  ]);
  for (const path of listPaths.filter((list) => docs.files.has(list))) {
    const own = await ifUsable(readPageText(docs, path), () => undefined);
    if (own !== undefined) lists.set(path, own);
  }
  // Without a front page, its Markdown is the list of pages.
  if (home === undefined) lists.set("index.md", lists.get("llms.txt") ?? "");
  return lists;
}
