/** Renders a folder of Markdown and MDX into a site that opens from disk. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { readAsset, readPageText, UnusableFileError } from "./content/docs-tree.ts";
import { describeSite, type SiteNames } from "./describe-site.ts";
import { type BrokenLink, createLinkResolver, findBrokenSections, type LinkIndex } from "./link-resolver.ts";
import { renderDocument } from "./page/document.ts";
import { renderHomePage, renderNotFoundPage } from "./page/extra-pages.ts";
import { partOf } from "./page/sidebar.ts";
import type { Site } from "./page/site.ts";
import { type PlanOptions, planSite, type SitePlan } from "./plan-site.ts";
import { renderRedirectPages } from "./redirect-pages.ts";
import { type PageSource, type RenderedPage, renderPage } from "./render-page.ts";
import { assetsFolder } from "./routes.ts";
import { createSearchIndex, type SearchIndexBuilder } from "./search-index.ts";
import { siteFiles } from "./site-files.ts";

/** Which documents to render, where to, and what to call the site. */
export type RenderSiteOptions = PlanOptions & SiteNames;

/** A remark on one file of the documents. */
interface SiteWarning {
  /** Path of the file from the documents folder. */
  readonly page: string;
  readonly message: string;
}

/** What was rendered, and everything that could not be rendered as it was meant. */
export interface RenderedSite {
  readonly pageCount: number;
  /** Paths of the pages in the site, in the order of their sources. */
  readonly pages: readonly string[];
  readonly warnings: readonly SiteWarning[];
  /** Components that this renderer does not know, with how often each was used. */
  readonly unknownComponents: Readonly<Record<string, number>>;
  readonly brokenLinks: readonly BrokenLink[];
}

/** How far a rendering has come. */
export interface RenderProgress {
  readonly done: number;
  readonly total: number;
}

/** What a rendering needs besides its options. */
export interface RenderSiteDeps {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: RenderProgress) => void;
}

interface Rendering {
  readonly options: RenderSiteOptions;
  readonly plan: SitePlan;
  readonly site: Site;
  readonly links: LinkIndex;
  readonly search: SearchIndexBuilder;
  readonly ids: Map<string, ReadonlySet<string>>;
  readonly unknownComponents: Map<string, number>;
  readonly warn: (page: string, message: string) => void;
}

async function writeSiteFile(outDir: string, path: string, content: string | Uint8Array): Promise<void> {
  const target = join(outDir, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}

function langOf(page: PageSource, place: Site["places"][number] | undefined): string {
  const section = place?.ancestors.find((node) => node.kind === "section" && node.lang !== undefined);
  const lang = page.frontMatter.lang ?? (section?.kind === "section" ? section.lang : undefined) ?? "en";
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(lang) ? lang : "en";
}

function toDocument(page: RenderedPage, { site }: Rendering): string {
  const { source } = page;
  const place = site.placesBySource.get(source.route.source);
  return renderDocument(site, {
    outPath: source.route.outPath,
    place,
    title: source.title,
    titleHtml: page.titleHtml,
    description: source.frontMatter.description,
    endpoint: source.frontMatter.endpoint,
    lang: langOf(source, place),
    contentHtml: page.contentHtml,
    headings: page.headings,
  });
}

async function renderOne(source: PageSource, rendering: Rendering): Promise<void> {
  const { plan, links, unknownComponents, options } = rendering;
  const path = source.route.source;
  const page = await renderPage(source, await readPageText(plan.docs, path), {
    docs: plan.docs,
    links: createLinkResolver(source.route, links),
    onWarning: (message) => rendering.warn(path, message),
    onUnknownComponent: (name) => unknownComponents.set(name, (unknownComponents.get(name) ?? 0) + 1),
  });
  rendering.ids.set(path, page.ids);
  const place = rendering.site.placesBySource.get(path);
  if (source.frontMatter.hidden !== true) {
    rendering.search.add(page, {
      place: place?.ancestors.map(({ title }) => title).join(" / ") ?? "",
      part: place === undefined ? "" : partOf(rendering.site, { outPath: source.route.outPath, place }),
    });
  }
  await writeSiteFile(options.outDir, source.route.outPath, toDocument(page, rendering));
}

async function renderPages(rendering: Rendering, { signal, onProgress }: RenderSiteDeps): Promise<void> {
  const { pages } = rendering.plan;
  for (const [index, source] of pages.entries()) {
    signal.throwIfAborted();
    try {
      await renderOne(source, rendering);
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      rendering.warn(source.route.source, `it was left out: ${error.message}`);
    }
    onProgress?.({ done: index + 1, total: pages.length });
    // A server that renders goes on answering between two pages.
    await setImmediate();
  }
}

async function copyAssets(
  { plan, links, options, warn }: Rendering,
  { signal }: RenderSiteDeps,
): Promise<void> {
  for (const [source, outPath] of links.assets) {
    signal.throwIfAborted();
    try {
      await writeSiteFile(options.outDir, outPath, await readAsset(plan.docs, source));
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      warn(source, `it was not copied: ${error.message}`);
    }
  }
}

async function writeExtraPages({ plan, site, links, options, search }: Rendering): Promise<void> {
  const moved = renderRedirectPages(plan, links);
  for (const [path, content] of moved) await writeSiteFile(options.outDir, path, content);
  const hasHome = moved.has("index.html") || plan.pages.some(({ route }) => route.outPath === "index.html");
  if (!hasHome) await writeSiteFile(options.outDir, "index.html", renderHomePage(site));
  await writeSiteFile(options.outDir, "404.html", renderNotFoundPage(site));
  for (const [name, content] of siteFiles(plan.config)) {
    await writeSiteFile(options.outDir, `${assetsFolder}/${name}`, content);
  }
  await writeSiteFile(options.outDir, `${assetsFolder}/search-index.js`, search.toScript());
}

/**
 * Renders a folder of documents into `outDir`. Documents are not trusted: nothing in them runs, links out of the folder
 * are not followed, and a page that cannot be rendered as it was meant becomes a warning.
 *
 * @throws {ActionError} when the documents folder cannot be read; the signal's reason when it is aborted.
 */
export async function renderSite(options: RenderSiteOptions, deps: RenderSiteDeps): Promise<RenderedSite> {
  const warnings: SiteWarning[] = [];
  const warn = (page: string, message: string) => void warnings.push({ page, message });
  const plan = await planSite(options, { signal: deps.signal, onWarning: warn });
  const remoteMedia = new Map<string, number>();
  const { site, links } = describeSite(plan, options, {
    onRemoteMedia: (page) => remoteMedia.set(page, (remoteMedia.get(page) ?? 0) + 1),
  });
  const rendering: Rendering = {
    ...{ options, plan, site, links, warn },
    search: createSearchIndex(),
    ids: new Map(),
    unknownComponents: new Map(),
  };
  await renderPages(rendering, deps);
  await copyAssets(rendering, deps);
  await writeExtraPages(rendering);
  for (const [page, count] of remoteMedia) warn(page, `pictures from elsewhere became links: ${count}`);
  return {
    pageCount: rendering.ids.size,
    pages: plan.pages
      .filter(({ route }) => rendering.ids.has(route.source))
      .map(({ route }) => route.outPath),
    warnings,
    unknownComponents: Object.fromEntries([...rendering.unknownComponents].toSorted()),
    brokenLinks: [...links.broken, ...findBrokenSections(links, rendering.ids)],
  };
}
