/** Plans a site before rendering: its pages, their paths and the navigation. */
import { setImmediate } from "node:timers/promises";
import { type DocsTree, ifUsable, readDocsTree, readPageText } from "./content/docs-tree.ts";
import type { SlugStyle } from "./content/heading-slugs.ts";
import { type FrontMatter, firstHeading, readFrontMatter, splitFrontMatter } from "./content/page-source.ts";
import { withoutActiveImages } from "./content/sanitize.ts";
import { languageTag } from "./interface-words.ts";
import type { LinkConfig } from "./links.ts";
import {
  firstPage,
  type ListedPage,
  locatePages,
  type NavigationGroup,
  type NavigationNode,
  navigationFromFolders,
  type PageLocation,
  readNavigation,
  type SectionKind,
  selectVersion,
  titleFromName,
} from "./navigation.ts";
import { ReferencePlanner } from "./openapi/reference-pages.ts";
import { fetchRemoteDocuments } from "./openapi/remote-documents.ts";
import { digestOfText } from "./page-cache.ts";
import { findLanguageFolders } from "./page-languages.ts";
import type { FetchFile } from "./remote-files.ts";
import type { PageSource } from "./render-page.ts";
import type { WarningReporter } from "./report.ts";
import { assignRoutes, isPagePath, type Route, Routes, stripOrderPrefixes, trimSlashes } from "./routes.ts";
import { readSiteConfig, type SiteConfig } from "./site-config.ts";

/** Which documents to export. */
export interface PlanOptions {
  readonly docsDir: string;
  /** A folder in it that is excluded. */
  readonly excludedDir?: string;
  /** A version in the navigation to export alone. Any other value is only shown as a label. */
  readonly version?: string | undefined;
  /** Pages or folders to export. Default: all pages. */
  readonly paths?: readonly string[] | undefined;
  /** Fetches OpenAPI documents that the configuration names by a URL. Without it, they are not read. */
  readonly fetchFile?: FetchFile | undefined;
}

/** A site's pages and navigation. */
export interface SitePlan {
  readonly docs: DocsTree;
  readonly config: SiteConfig;
  /** Path of the configuration file; empty if there is none. */
  readonly configFile: string;
  /** How heading identifiers are formed. */
  readonly slugStyle: SlugStyle;
  readonly routes: Routes;
  readonly pages: readonly PageSource[];
  readonly navigation: readonly NavigationNode[];
  /** Locations of the navigation's pages in reading order, by source file. */
  readonly locations: ReadonlyMap<string, PageLocation>;
}

/** The configuration for resolving a site's links. */
export function linkConfigOf({ config: { redirects, seo }, configFile, locations }: SitePlan): LinkConfig {
  const firstPages = new Map<string, Route>();
  for (const { page } of locations.values()) {
    const names = page.route.slug.split("/").slice(0, -1);
    // Depth 0 is the root. With a configuration, the front page may only redirect to the first page.
    for (let depth = configFile === "" ? 1 : 0; depth <= names.length; depth += 1) {
      const folder = names.slice(0, depth).join("/");
      if (!firstPages.has(folder)) firstPages.set(folder, page.route);
    }
  }
  return { redirects, seo, firstPages: [...firstPages] };
}

/** Reads the documents and plans the site. */
export async function planSite(
  options: PlanOptions,
  signal: AbortSignal,
  onWarning: WarningReporter,
): Promise<SitePlan> {
  const tree = await readDocsTree(options.docsDir, signal, options.excludedDir);
  const safe = await withoutActiveImages(tree, signal);
  for (const { path, message } of safe.skipped) onWarning(path, `it was left out: ${message}`, "file");

  const found = await findRoutes(safe, onWarning, options.fetchFile);
  const { config, configFile, problem, planner, expandedNavigation, allRoutes } = found;
  const docs = { ...found.docs, variables: config.variables };
  const warn = (message: string) => configFile !== "" && onWarning(configFile, message, "configuration");
  if (problem !== undefined)
    warn(`it was ignored, and the navigation is derived from the folders: ${problem}`);
  const extras = nameExtras(docs);
  if (extras !== "") warn(`style sheets and scripts of the documents have no effect: ${extras}`);
  const selections = (options.paths ?? [""]).map(selectPath);
  const selected = allRoutes.all.filter(({ slug }) => selections.some((isSelected) => isSelected(slug)));
  const isPartial = selected.length < allRoutes.all.length;
  const read = await readPages(docs, selected, signal, onWarning, planner);
  // Links to pages that were left out are broken.
  const routes = new Routes(read.map(({ route }) => route));

  const configured = readNavigation(expandedNavigation, routes, read);
  if (!isPartial)
    for (const entry of configured.missing)
      warn(`the navigation names “${entry}”, but there is no such page`);
  if (configured.ignored.size > 0)
    warn(`unsupported keys in the navigation: ${[...configured.ignored].sort().join(", ")}`);
  const isUsable = firstPage(configured.nodes) !== undefined;
  if (!isUsable && problem === undefined)
    warn("its navigation contains no existing page, so the navigation is derived from the folders");
  const version =
    options.version === undefined ? undefined : selectVersion(configured.nodes, options.version);
  const navigation = isUsable ? (version ?? configured.nodes) : navigationFromFolders(read);
  const locations = locatePages(navigation);

  const isListed = (source: string) =>
    !isUsable || locations.has(source) || configured.searchable.has(source);
  const isAllIndexed = config.seo?.indexing === "all" || config.seo?.indexHiddenPages === true;
  const isIndexed = ({ route, frontMatter: { hidden, isUnsearchable } }: ListedPage) =>
    !isUnsearchable && (isAllIndexed || (hidden !== true && isListed(route.source)));
  const placed = assignLanguages(read, navigation, locations);
  const pages = placed.map((page) => ({ ...page, isIndexed: isIndexed(page) }));
  const slugStyle = configFile === "" ? "github" : "docs-json";
  return { docs, config, configFile, slugStyle, routes, pages, navigation, locations };
}

const maxNamedExtras = 20;

/** Lists the custom style sheets and scripts, which the format includes in every page. */
function nameExtras({ files }: DocsTree): string {
  const extras = [...files].filter((path) => /^(?:.*\.css|[^/]+\.js)$/i.test(path));
  const more = extras.length > maxNamedExtras ? ` and ${extras.length - maxNamedExtras} more` : "";
  return extras.slice(0, maxNamedExtras).join(", ") + more;
}

/** Reads the configuration, and lists all pages: those with files and those generated from OpenAPI documents. */
async function findRoutes(tree: DocsTree, onWarning: WarningReporter, fetchFile?: FetchFile) {
  const { file: configFile = "", config, problem } = await readSiteConfig(tree, onWarning);
  const isConfigured = configFile !== "";
  const report = (address: string, reason: string) =>
    onWarning(configFile, `the OpenAPI document ${address} was not fetched: ${reason}`, "api");
  const docs = fetchFile === undefined ? tree : await fetchRemoteDocuments(tree, config, fetchFile, report);
  // With a configuration, the `snippets` folder in the root contains parts of pages.
  const isPage = (path: string) => isPagePath(path) && !(isConfigured && path.startsWith("snippets/"));
  const written = assignRoutes([...docs.files].filter(isPage), isConfigured);
  const planner = new ReferencePlanner(docs, config, configFile, written, onWarning);
  const expandedNavigation = await planner.expandNavigation(config.navigation);
  const allRoutes = new Routes([...written, ...[...planner.pages.values()].map(({ route }) => route)]);
  return { docs, config, configFile, problem, planner, expandedNavigation, allRoutes };
}

/** Determines language, version and translations of each page. */
function assignLanguages(
  pages: readonly ListedPage[],
  navigation: readonly NavigationNode[],
  locations: SitePlan["locations"],
): Omit<PageSource, "isIndexed">[] {
  const sectionOf = ({ route }: ListedPage, as: SectionKind) =>
    locations.get(route.source)?.ancestors.find((ancestor) => ancestor.as === as);
  const languages = navigation.filter(
    (node) => node.kind === "group" && node.as === "language",
  ) as NavigationGroup[];
  const folderOf = findLanguageFolders(
    pages.map(({ route }) => route.slug),
    new Set(languages.flatMap(({ lang }) => lang ?? [])),
  );
  const defaultLanguage = languages.find(({ isDefault }) => isDefault)?.lang;
  const placed = pages.map((page) => {
    const version = sectionOf(page, "version");
    const folder = folderOf(page.route.slug);
    const configured = languageTag(page.frontMatter.lang) ?? sectionOf(page, "language")?.lang;
    const lang = configured ?? folder?.lang ?? defaultLanguage;
    return {
      ...page,
      lang,
      ...(page.reference && { reference: { ...page.reference, lang } }),
      version: version?.title ?? page.route.slug.split("/", 2).find(isVersionFolder),
      isDefaultVersion: version?.isDefault ?? true,
      key: folder?.rest ?? page.route.slug,
    };
  });
  const byKey = Map.groupBy(placed, ({ key }) => key);
  return placed.map(({ key, ...page }) => {
    const found = (byKey.get(key) ?? []).map(({ lang, route: { outPath } }) => ({ lang, outPath }));
    return { ...page, translations: found.length > 1 ? found : [] };
  });
}

/** Whether a folder name is a version: `v2`, `1.4` or `3.x`. */
function isVersionFolder(name: string): boolean {
  return /^(?:v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*|\d+\.x)$/i.test(name);
}

/** Returns the paths that match no page. @throws {ActionError} if the documents cannot be read */
export async function findUnknownPaths(
  docsDir: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const docs = await readDocsTree(docsDir, signal);
  const { allRoutes } = await findRoutes(docs, () => undefined);
  return paths.filter((path) => !allRoutes.all.some(({ slug }) => selectPath(path)(slug)));
}

/** Creates a filter for the page at a path, or the pages in a folder. An empty path matches all pages. */
function selectPath(path: string): (slug: string) => boolean {
  const expected = trimSlashes(path).replace(/\.(?:mdx|md|html)$/i, "");
  return (slug) => expected === "" || slug === expected || slug.startsWith(`${expected}/`);
}

/** Reads title and front matter of each page, in the order of the routes. Texts are read again for rendering, to save memory. */
export async function readPages(
  docs: DocsTree,
  routes: readonly Route[],
  signal: AbortSignal,
  onWarning: WarningReporter,
  planner?: ReferencePlanner,
): Promise<ListedPage[]> {
  const pages: ListedPage[] = [];
  for (const route of routes) {
    signal.throwIfAborted();
    const generated = planner?.pages.get(route.source);
    if (generated !== undefined) {
      pages.push(generated);
      continue;
    }
    const leaveOut = (message: string) => onWarning(route.source, `it was left out: ${message}`, "file");
    const file = await ifUsable(readPageText(docs, route.source), leaveOut);
    if (file === undefined) continue;
    const { yaml, body } = splitFrontMatter(file);
    const { frontMatter, problem } = readFrontMatter(yaml);
    const restriction = "its `groups` have no effect: everyone with access to the export can read the page";
    if (frontMatter.isRestricted) onWarning(route.source, restriction, "configuration");
    if (problem !== undefined) onWarning(route.source, problem, "markup");
    const { reference, title, description } = (await planner?.referenceOf(route, frontMatter)) ?? {};
    pages.push({
      route,
      frontMatter: { ...frontMatter, description: frontMatter.description ?? description },
      title: titleOf({ ...frontMatter, title: frontMatter.title ?? title }, body, route.source),
      ...(reference && { reference }),
      digest: digestOfText(file),
    });
    // Lets the server respond to other requests.
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
