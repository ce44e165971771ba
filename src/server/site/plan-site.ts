/** Everything that is decided before a page is rendered: which pages there are, their addresses and the navigation. */
import { setImmediate } from "node:timers/promises";
import { type DocsTree, readDocsTree, readPageText, UnusableFileError } from "./content/docs-tree.ts";
import { type FrontMatter, firstHeading, splitFrontMatter } from "./content/page-source.ts";
import { withoutActiveImages } from "./content/sanitize.ts";
import {
  firstPage,
  locatePages,
  type NavigationNode,
  navigationFromFolders,
  type PageLocation,
  readNavigation,
  selectVersion,
  titleFromName,
} from "./navigation.ts";
import type { PageSource } from "./render-page.ts";
import { isPagePath, Routes, stripOrderPrefixes } from "./routes.ts";
import { readSiteConfig, type SiteConfig } from "./site-config.ts";

/** Which documents become which site. */
export interface PlanOptions {
  readonly docsDir: string;
  readonly outDir: string;
  /** One of the versions that the configuration's navigation names, or only a label. */
  readonly version?: string;
  /** Addresses or folders of the pages to export; all pages without it. */
  readonly paths?: readonly string[];
}

/** A site's pages and navigation. */
export interface SitePlan {
  readonly docs: DocsTree;
  readonly config: SiteConfig;
  readonly routes: Routes;
  readonly pages: readonly PageSource[];
  readonly navigation: readonly NavigationNode[];
  /** Pages of the navigation in reading order, by their source files. */
  readonly locations: ReadonlyMap<string, PageLocation>;
}

interface PlanDeps {
  readonly signal: AbortSignal;
  readonly onWarning: (page: string, message: string) => void;
}

/** Reads the documents and decides on pages, addresses and navigation. */
export async function planSite(options: PlanOptions, deps: PlanDeps): Promise<SitePlan> {
  const docs = await withoutActiveImages(await readDocsTree(options, deps), deps.signal);
  for (const { path, message } of docs.skipped) deps.onWarning(path, `it was left out: ${message}`);

  const { file, config, problem } = await readSiteConfig(docs, deps.onWarning);
  const warn = (message: string) => file !== undefined && deps.onWarning(file, message);
  if (problem !== undefined) warn(`the navigation is taken from the folders instead: ${problem}`);

  // Beside a configuration file, the root's `snippets` folder is reserved for parts of pages.
  const isPage = (path: string) => isPagePath(path) && (file === undefined || !path.startsWith("snippets/"));
  const every = new Routes([...docs.files].filter(isPage));
  const isSelected = selectPaths(options.paths ?? []);
  const selected = every.all.filter(({ slug }) => isSelected(slug));
  const routes = new Routes(selected.map(({ source }) => source));
  const isPartial = selected.length < every.all.length;
  const pages = await readPages(docs, routes, deps);

  const configured = readNavigation(config.navigation, routes, pages, (entry) => {
    if (!isPartial) warn(`the navigation names “${entry}”, which is no page`);
  });
  const version = options.version === undefined ? undefined : selectVersion(configured, options.version);
  const isUsable = firstPage(configured) !== undefined;
  if (!isUsable && problem === undefined)
    warn("its navigation leads to no page; the folders are used instead");
  const navigation = isUsable ? (version ?? configured) : navigationFromFolders(pages);
  return { docs, config, routes, pages, navigation, locations: locatePages(navigation) };
}

/** Whether a page is at one of these paths, or in one of these folders; every page is, without paths. */
function selectPaths(paths: readonly string[]): (slug: string) => boolean {
  const expected = paths.map((path) => path.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx|md|html)$/i, ""));
  if (expected.length === 0 || expected.includes("")) return () => true;
  return (slug) =>
    expected.some((path) => slug === path || slug === `${path}/index` || slug.startsWith(`${path}/`));
}

/**
 * Reads every page's title and front matter, in the order of the routes. The texts are not kept: they are read again
 * when their page is rendered, so that memory does not grow with the documents.
 */
export async function readPages(docs: DocsTree, routes: Routes, deps: PlanDeps): Promise<PageSource[]> {
  const pages: PageSource[] = [];
  for (const route of routes.all) {
    deps.signal.throwIfAborted();
    try {
      const { frontMatter, body, problem } = splitFrontMatter(await readPageText(docs, route.source));
      if (problem !== undefined) deps.onWarning(route.source, problem);
      pages.push({ route, frontMatter, title: titleOf(frontMatter, body, route.source) });
    } catch (error) {
      if (!(error instanceof UnusableFileError)) throw error;
      deps.onWarning(route.source, `it was left out: ${error.message}`);
    }
    // A server that plans a site answers in between.
    if (pages.length % 50 === 0) await setImmediate();
  }
  return pages;
}

function titleOf(frontMatter: FrontMatter, body: string, source: string): string {
  const written = frontMatter.title ?? firstHeading(body) ?? frontMatter.sidebarTitle;
  if (written !== undefined) return written;
  const segments = stripOrderPrefixes(source.replace(/\.\w+$/, "")).split("/");
  const name = segments.pop() ?? "";
  return titleFromName(/^(?:index|readme)$/i.test(name) ? (segments.pop() ?? "Home") : name);
}
