/** Everything that is decided before a page is rendered: which pages there are, their addresses and the navigation. */
import { setImmediate } from "node:timers/promises";
import { type DocsTree, ifUsable, readDocsTree, readPageText } from "./content/docs-tree.ts";
import { type FrontMatter, firstHeading, readFrontMatter, splitFrontMatter } from "./content/page-source.ts";
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
import { ReferencePlanner } from "./openapi/reference-pages.ts";
import type { PageSource } from "./render-page.ts";
import type { WarningReporter } from "./report.ts";
import { assignRoutes, isPagePath, type Route, Routes, stripOrderPrefixes } from "./routes.ts";
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

/** Reads the documents and decides on pages, addresses and navigation. */
export async function planSite(
  options: PlanOptions,
  signal: AbortSignal,
  onWarning: WarningReporter,
): Promise<SitePlan> {
  const tree = await readDocsTree(options.docsDir, options.outDir, signal);
  const docs = await withoutActiveImages(tree, signal);
  for (const { path, message } of docs.skipped) onWarning(path, `it was left out: ${message}`, "file");

  const { file, config, problem } = await readSiteConfig(docs, onWarning);
  const warn = (message: string) => file !== undefined && onWarning(file, message, "configuration");
  if (problem !== undefined) warn(`the navigation is taken from the folders instead: ${problem}`);

  const written = listRoutes(docs, file !== undefined);
  const planner = new ReferencePlanner(docs, config, file ?? "", written, onWarning);
  const described = await planner.expandNavigation(config.navigation);
  const every = new Routes([...written, ...[...planner.pages.values()].map(({ route }) => route)]);
  const selections = (options.paths ?? [""]).map(selectPath);
  const selected = every.all.filter(({ slug }) => selections.some((isSelected) => isSelected(slug)));
  const routes = new Routes(selected);
  const isPartial = selected.length < every.all.length;
  const pages = await readPages(docs, routes, signal, onWarning, planner);

  const configured = readNavigation(described, routes, pages, (entry) => {
    if (!isPartial) warn(`the navigation names “${entry}”, which is no page`);
  });
  const version = options.version === undefined ? undefined : selectVersion(configured, options.version);
  const isUsable = firstPage(configured) !== undefined;
  if (!isUsable && problem === undefined)
    warn("its navigation leads to no page; the folders are used instead");
  const navigation = isUsable ? (version ?? configured) : navigationFromFolders(pages);
  return { docs, config, routes, pages, navigation, locations: locatePages(navigation) };
}

/** The paths that are neither a page nor a folder of pages. @throws {ActionError} when the documents cannot be read. */
export async function findUnknownPaths(
  docsDir: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const docs = await readDocsTree(docsDir, "", signal);
  const { file, config } = await readSiteConfig(docs, () => undefined);
  const written = listRoutes(docs, file !== undefined);
  const planner = new ReferencePlanner(docs, config, file ?? "", written, () => undefined);
  await planner.expandNavigation(config.navigation);
  const every = [...written, ...[...planner.pages.values()].map(({ route }) => route)];
  return paths.filter((path) => !every.some(({ slug }) => selectPath(path)(slug)));
}

/** The pages among the files; beside a configuration file, the root's `snippets` folder is reserved for parts of pages. */
function listRoutes({ files }: DocsTree, isConfigured: boolean): Route[] {
  const isPage = (path: string) => isPagePath(path) && !(isConfigured && path.startsWith("snippets/"));
  return assignRoutes([...files].filter(isPage), isConfigured);
}

/** Whether a page is at this path, or in this folder; the root holds every page. */
function selectPath(path: string): (slug: string) => boolean {
  const expected = path.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx|md|html)$/i, "");
  return (slug) =>
    expected === "" || slug === expected || slug === `${expected}/index` || slug.startsWith(`${expected}/`);
}

/**
 * Reads every page's title and front matter, in the order of the routes. The texts are not kept: they are read again
 * when their page is rendered, so that memory does not grow with the documents.
 */
export async function readPages(
  docs: DocsTree,
  routes: Routes,
  signal: AbortSignal,
  onWarning: WarningReporter,
  planner?: ReferencePlanner,
): Promise<PageSource[]> {
  const pages: PageSource[] = [];
  for (const route of routes.all) {
    signal.throwIfAborted();
    const made = planner?.pages.get(route.source);
    if (made !== undefined) {
      pages.push(made);
      continue;
    }
    const leaveOut = (message: string) => onWarning(route.source, `it was left out: ${message}`, "file");
    const file = await ifUsable(readPageText(docs, route.source), leaveOut);
    if (file === undefined) continue;
    const { yaml, body } = splitFrontMatter(file);
    const { frontMatter, problem } = readFrontMatter(yaml);
    if (problem !== undefined) onWarning(route.source, problem, "markup");
    const { reference, title, description } = (await planner?.referenceOf(route, frontMatter)) ?? {};
    pages.push({
      route,
      frontMatter: { ...frontMatter, description: frontMatter.description ?? description },
      title: titleOf({ ...frontMatter, title: frontMatter.title ?? title }, body, route.source),
      ...(reference && { reference }),
    });
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
