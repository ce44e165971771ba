/** Everything that is decided before a page is rendered: which pages there are, their addresses and the navigation. */
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

/** Which documents become which site. */
export interface PlanOptions {
  readonly docsDir: string;
  /** A folder below it that is no part of it. */
  readonly excludedDir?: string;
  /** One of the versions that the configuration's navigation names, or only a label. */
  readonly version?: string | undefined;
  /** Addresses or folders of the pages to export; all pages without it. */
  readonly paths?: readonly string[] | undefined;
  /** Fetches the OpenAPI documents that the configuration names by an address; unless set, they are not read. */
  readonly fetchFile?: FetchFile | undefined;
}

/** A site's pages and navigation. */
export interface SitePlan {
  readonly docs: DocsTree;
  readonly config: SiteConfig;
  /** The file that it is from; empty where there is none. */
  readonly configFile: string;
  /** How the pages' headings are identified. */
  readonly slugStyle: SlugStyle;
  readonly routes: Routes;
  readonly pages: readonly PageSource[];
  readonly navigation: readonly NavigationNode[];
  /** Pages of the navigation in reading order, by their source files. */
  readonly locations: ReadonlyMap<string, PageLocation>;
}

/** What the links of a site need besides its pages. */
export function linkConfigOf({ config: { redirects, seo }, configFile, locations }: SitePlan): LinkConfig {
  const firstPages = new Map<string, Route>();
  for (const { page } of locations.values()) {
    const names = page.route.slug.split("/").slice(0, -1);
    // The root too, where its page only leads on to the first one.
    for (let depth = configFile === "" ? 1 : 0; depth <= names.length; depth += 1) {
      const folder = names.slice(0, depth).join("/");
      if (!firstPages.has(folder)) firstPages.set(folder, page.route);
    }
  }
  return { redirects, seo, firstPages: [...firstPages] };
}

/** Reads the documents and decides on pages, addresses and navigation. */
export async function planSite(
  options: PlanOptions,
  signal: AbortSignal,
  onWarning: WarningReporter,
): Promise<SitePlan> {
  const tree = await readDocsTree(options.docsDir, signal, options.excludedDir);
  const safe = await withoutActiveImages(tree, signal);
  for (const { path, message } of safe.skipped) onWarning(path, `it was left out: ${message}`, "file");

  const found = await findRoutes(safe, onWarning, options.fetchFile);
  const { config, configFile, problem, planner, described, every } = found;
  const docs = { ...found.docs, variables: config.variables };
  const warn = (message: string) => configFile !== "" && onWarning(configFile, message, "configuration");
  if (problem !== undefined) warn(`the navigation is taken from the folders instead: ${problem}`);
  const extras = nameExtras(docs);
  if (extras !== "") warn(`style sheets and scripts of the documents have no effect here: ${extras}`);
  const selections = (options.paths ?? [""]).map(selectPath);
  const selected = every.all.filter(({ slug }) => selections.some((isSelected) => isSelected(slug)));
  const isPartial = selected.length < every.all.length;
  const read = await readPages(docs, selected, signal, onWarning, planner);
  // A link to a page that was left out leads nowhere.
  const routes = new Routes(read.map(({ route }) => route));

  const configured = readNavigation(described, routes, read);
  if (!isPartial)
    for (const entry of configured.missing) warn(`the navigation names “${entry}”, which is no page`);
  if (configured.ignored.size > 0)
    warn(`in the navigation, these have no effect here: ${[...configured.ignored].sort().join(", ")}`);
  const isUsable = firstPage(configured.nodes) !== undefined;
  if (!isUsable && problem === undefined)
    warn("its navigation leads to no page; the folders are used instead");
  const version =
    options.version === undefined ? undefined : selectVersion(configured.nodes, options.version);
  const navigation = isUsable ? (version ?? configured.nodes) : navigationFromFolders(read);
  const locations = locatePages(navigation);

  const isListed = (source: string) =>
    !isUsable || locations.has(source) || configured.searchable.has(source);
  const isAllIndexed = config.seo?.indexing === "all" || config.seo?.indexHiddenPages === true;
  const isIndexed = ({ route, frontMatter: { hidden, isUnsearchable } }: ListedPage) =>
    !isUnsearchable && (isAllIndexed || (hidden !== true && isListed(route.source)));
  const placed = placePages(read, navigation, locations);
  const pages = placed.map((page) => ({ ...page, isIndexed: isIndexed(page) }));
  const slugStyle = configFile === "" ? "github" : "docs-json";
  return { docs, config, configFile, slugStyle, routes, pages, navigation, locations };
}

const maxNamedExtras = 20;

/** The style sheets and scripts that the format puts into every page. */
function nameExtras({ files }: DocsTree): string {
  const extras = [...files].filter((path) => /^(?:.*\.css|[^/]+\.js)$/i.test(path));
  const more = extras.length > maxNamedExtras ? ` and ${extras.length - maxNamedExtras} more` : "";
  return extras.slice(0, maxNamedExtras).join(", ") + more;
}

/** Reads the configuration, and lists the pages that the documents have by their files and by their OpenAPI documents. */
async function findRoutes(tree: DocsTree, onWarning: WarningReporter, fetchFile?: FetchFile) {
  const { file: configFile = "", config, problem } = await readSiteConfig(tree, onWarning);
  const isConfigured = configFile !== "";
  const report = (address: string, reason: string) =>
    onWarning(configFile, `the OpenAPI document ${address} was not fetched: ${reason}`, "api");
  const docs = fetchFile === undefined ? tree : await fetchRemoteDocuments(tree, config, fetchFile, report);
  // Beside a configuration, the root's `snippets` folder is reserved for parts of pages.
  const isPage = (path: string) => isPagePath(path) && !(isConfigured && path.startsWith("snippets/"));
  const written = assignRoutes([...docs.files].filter(isPage), isConfigured);
  const planner = new ReferencePlanner(docs, config, configFile, written, onWarning);
  const described = await planner.expandNavigation(config.navigation);
  const every = new Routes([...written, ...[...planner.pages.values()].map(({ route }) => route)]);
  return { docs, config, configFile, problem, planner, described, every };
}

/** Says of each page which language and version it is of, and where its translations are. */
function placePages(
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
  const fallback = languages.find(({ isDefault }) => isDefault)?.lang;
  const placed = pages.map((page) => {
    const version = sectionOf(page, "version");
    const folder = folderOf(page.route.slug);
    const written = languageTag(page.frontMatter.lang) ?? sectionOf(page, "language")?.lang;
    const lang = written ?? folder?.lang ?? fallback;
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

/** `v2`, `1.4`, `3.x`: folders that hold one version of the documentation. */
function isVersionFolder(name: string): boolean {
  return /^(?:v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*|\d+\.x)$/i.test(name);
}

/** The paths that are neither a page nor a folder of pages. @throws {ActionError} when the documents cannot be read. */
export async function findUnknownPaths(
  docsDir: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const docs = await readDocsTree(docsDir, signal);
  const { every } = await findRoutes(docs, () => undefined);
  return paths.filter((path) => !every.all.some(({ slug }) => selectPath(path)(slug)));
}

/** Whether a page is at this path, or in this folder; the root holds every page. */
function selectPath(path: string): (slug: string) => boolean {
  const expected = trimSlashes(path).replace(/\.(?:mdx|md|html)$/i, "");
  return (slug) => expected === "" || slug === expected || slug.startsWith(`${expected}/`);
}

/**
 * Reads every page's title and front matter, in the order of the routes. The texts are not kept: they are read again
 * when their page is rendered, so that memory does not grow with the documents.
 */
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
    const groups = "its `groups` have no effect: everyone who has the export can read it";
    if (frontMatter.isRestricted) onWarning(route.source, groups, "configuration");
    if (problem !== undefined) onWarning(route.source, problem, "markup");
    const { reference, title, description } = (await planner?.referenceOf(route, frontMatter)) ?? {};
    pages.push({
      route,
      frontMatter: { ...frontMatter, description: frontMatter.description ?? description },
      title: titleOf({ ...frontMatter, title: frontMatter.title ?? title }, body, route.source),
      ...(reference && { reference }),
      digest: digestOfText(file),
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
