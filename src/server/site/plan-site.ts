/** Plans a site before rendering: its pages, their paths and the navigation. */
import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { type DocsTree, ifUsable, readDocsTree, readFile, readPageText } from "./content/docs-tree.ts";
import type { SlugStyle } from "./content/heading-slugs.ts";
import { type FrontMatter, firstHeading, readFrontMatter, splitFrontMatter } from "./content/page-source.ts";
import { withoutActiveImages } from "./content/sanitize.ts";
import { languageOfScript, languageTag } from "./interface-words.ts";
import type { LinkTargets } from "./links.ts";
import {
  firstPage,
  type ListedPage,
  locatePages,
  type NavigationNode,
  navigationFromFolders,
  type PageLocation,
  readNavigation,
  type SectionKind,
  selectVersion,
  titleFromName,
} from "./navigation.ts";
import { ReferencePlanner } from "./openapi/reference-pages.ts";
import { digestOfText } from "./page-cache.ts";
import type { PageSource } from "./render-page.ts";
import type { WarningKind, WarningReporter } from "./report.ts";
import {
  assignRoutes,
  isPagePath,
  isRenamed,
  type Route,
  Routes,
  stripOrderPrefixes,
  trimSlashes,
} from "./routes.ts";
import { readSiteConfig, type SiteConfig } from "./site-config.ts";

/** Which documents to export. */
export interface PlanOptions {
  readonly docsDir: string;
  /** A version in the navigation that is shown alone; other pages are rendered, but not listed. Any other value is only a label. */
  readonly version?: string | undefined;
  /** Pages or folders to export. Default: all pages. */
  readonly paths?: readonly string[] | undefined;
}

/** A site's pages and navigation. */
export interface SitePlan {
  readonly docs: DocsTree;
  readonly config: SiteConfig;
  /** Path of the configuration file; empty if there is none. */
  readonly configFile: string;
  /** Why the configuration file cannot be read. The navigation is then derived from the folders. */
  readonly configProblem: string | undefined;
  /** How heading identifiers are formed. */
  readonly slugStyle: SlugStyle;
  readonly routes: Routes;
  readonly pages: readonly PageSource[];
  readonly navigation: readonly NavigationNode[];
  /** Locations of the navigation's pages in reading order, by source file. */
  readonly locations: ReadonlyMap<string, PageLocation>;
}

/** The pages and redirects that links of a site lead to. */
export function linkTargetsOf({ config: { redirects, seo }, routes, locations }: SitePlan): LinkTargets {
  const firstPages = new Map<string, Route>();
  for (const { route } of [...locations.values()].map(({ page }) => page).reverse())
    for (const folder of withFolders(route.slug).slice(0, -1)) firstPages.set(folder, route);
  return { routes: routes.all, redirects, seo, firstPages: [...firstPages] };
}

/** Reads the documents and plans the site. */
export async function planSite(
  options: PlanOptions,
  signal: AbortSignal,
  onWarning: WarningReporter,
): Promise<SitePlan> {
  const { docsDir, paths = [""], version } = options;
  const tree = await withoutActiveImages(await readDocsTree(docsDir, signal), signal);
  for (const { path, message } of tree.skipped) onWarning(path, `it was left out: ${message}`, "file");
  const found = await findRoutes(tree, onWarning);
  // The documents may have changed since the export was requested.
  requireKnown(found.routes, options.paths ?? []);
  const { config, configFile, configProblem, planner } = found;
  const docs = { ...tree, variables: config.variables };
  const warn = (message: string) => configFile !== "" && onWarning(configFile, message, "configuration");
  const extras = [...docs.files].filter((path) => /^(?:.*\.css|[^/]+\.js)$/i.test(path)).join(", ");
  if (extras !== "") warn(`style sheets and scripts of the documents have no effect: ${extras}`);
  const wanted = new Set(paths.map(toSlug));
  const selected = found.routes.filter(({ slug }) => withFolders(slug).some((path) => wanted.has(path)));
  const all = await readPages(docs, selected, signal, onWarning, planner);
  // A configuration names the pages to show.
  const read = configFile === "" ? all.filter(({ frontMatter }) => !frontMatter.isDraft) : all;
  // Links to pages that were left out are broken.
  const routes = new Routes(read.map(({ route }) => route));

  const configured = readNavigation(found.expandedNavigation, routes, read);
  if (options.paths === undefined)
    for (const entry of configured.missing)
      warn(`the navigation names “${entry}”, but there is no such page`);
  if (configured.ignored.size > 0)
    warn(`unsupported keys in the navigation: ${[...configured.ignored].sort().join(", ")}`);
  if (configured.invalid.length > 0) warn(`these have an invalid form: ${configured.invalid.join(", ")}`);
  const isUsable = firstPage(configured.nodes) !== undefined;
  if (!isUsable && config.navigation !== undefined)
    warn("its navigation contains no existing page, so the navigation is derived from the folders");
  const reduced = version === undefined ? undefined : selectVersion(configured.nodes, version);
  const navigation = isUsable ? (reduced ?? configured.nodes) : navigationFromFolders(read);
  const locations = locatePages(navigation);

  const isListed = (source: string) =>
    !isUsable || locations.has(source) || configured.searchable.has(source);
  const isIndexed = ({ route, frontMatter: { hidden, isUnsearchable } }: ListedPage) =>
    !isUnsearchable && (config.seo?.indexing === "all" || (hidden !== true && isListed(route.source)));
  const placed = assignLanguages(read, navigation, locations);
  const pages = placed.map((page) => ({ ...page, isIndexed: isIndexed(page) }));
  const slugStyle = configFile === "" ? "github" : "docs-json";
  return { docs, config, configFile, configProblem, slugStyle, routes, pages, navigation, locations };
}

/** Reads the configuration, and lists all pages: those with files and those generated from OpenAPI documents. */
async function findRoutes(docs: DocsTree, onWarning: WarningReporter) {
  const { file: configFile = "", config, problem } = await readSiteConfig(docs, onWarning);
  const isConfigured = configFile !== "";
  // With a configuration, the `snippets` folder in the root contains parts of pages.
  const isPage = (path: string) => isPagePath(path) && !(isConfigured && path.startsWith("snippets/"));
  const ownRoutes = assignRoutes([...docs.files].filter(isPage), isConfigured);
  for (const route of ownRoutes)
    if (isRenamed(route, isConfigured))
      onWarning(route.source, `its path is in use or not portable: it became ${route.outPath}`, "file");
  const planner = new ReferencePlanner(docs, config, configFile, ownRoutes, onWarning);
  const expandedNavigation = await planner.expandNavigation(config.navigation);
  const routes = [...ownRoutes, ...[...planner.pages.values()].map(({ route }) => route)];
  return { config, configFile, configProblem: problem, planner, expandedNavigation, routes };
}

/** Determines language and version of each page: those of its part of the navigation, or else of its first two folders. */
function assignLanguages(
  pages: readonly ListedPage[],
  navigation: readonly NavigationNode[],
  locations: SitePlan["locations"],
): Omit<PageSource, "isIndexed">[] {
  const sectionOf = ({ route }: ListedPage, as: SectionKind) =>
    locations.get(route.source)?.ancestors.find((ancestor) => ancestor.as === as);
  const groups = navigation.filter((node) => node.kind === "group");
  const languages = groups.filter(({ as }) => as === "language");
  const configured = new Set(languages.flatMap(({ lang }) => lang ?? []));
  const defaultLanguage = languages.find(({ isDefault }) => isDefault)?.lang;
  const versionSections = pages.flatMap((page) => sectionOf(page, "version") ?? []);
  const versions = new Map(versionSections.map((section) => [section.title, section]));
  return pages.map((page) => {
    const folders = page.route.slug.split("/").slice(0, -1).slice(0, 2);
    const version = sectionOf(page, "version")?.title ?? folders.find((name) => versionFolder.test(name));
    const folderLanguage = folders.map(languageTag).find((lang) => configured.has(lang ?? ""));
    const ownLanguage = languageTag(page.frontMatter.lang) ?? sectionOf(page, "language")?.lang;
    const searchLanguage = ownLanguage ?? folderLanguage ?? defaultLanguage;
    const lang = searchLanguage ?? page.textLanguage;
    return {
      ...page,
      lang,
      searchLanguage,
      ...(page.reference && { reference: { ...page.reference, lang } }),
      version,
      isDefaultVersion: versions.get(version ?? "")?.isDefault ?? true,
    };
  });
}

/** A folder name that is a version: `v2`, `1.4` or `3.x`. */
const versionFolder = /^(?:v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*|\d+\.x)$/i;

/** A path of an export matches no page; `message` names it. */
export class UnknownPathError extends Error {}

/** @throws {UnknownPathError} if a path matches no page; {ActionError} if the documents cannot be read. */
export async function requirePages(docsDir: string, paths: readonly string[], signal: AbortSignal) {
  const docs = await readDocsTree(docsDir, signal);
  requireKnown((await findRoutes(docs, () => undefined)).routes, paths);
}

/** @throws {UnknownPathError} if a path matches no page. */
function requireKnown(routes: readonly Route[], paths: readonly string[]): void {
  const known = new Set(routes.flatMap(({ slug }) => withFolders(slug)));
  for (const [index, path] of paths.entries())
    if (!known.has(toSlug(path)))
      throw new UnknownPathError(`paths.${index}: ${path} is neither a page nor a folder of pages.`);
}

const toSlug = (path: string) => trimSlashes(path).replace(/\.(?:mdx|md|html)$/i, "");

/** The slug of a page and the folders that contain it; the empty one contains all pages. */
function withFolders(slug: string): string[] {
  const names = slug.split("/");
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
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
    const page = generated ?? (await readListedPage(docs, route, onWarning, planner));
    if (page !== undefined) pages.push(page);
    // Lets the server respond to other requests.
    if (pages.length % 50 === 0) await setImmediate();
  }
  return pages;
}

/** More than an English page has letters of another script in examples, and less than any page in that script outside of code. */
const leastScriptShare = 0.1;

async function readListedPage(
  docs: DocsTree,
  route: Route,
  onWarning: WarningReporter,
  planner: ReferencePlanner | undefined,
): Promise<ListedPage | undefined> {
  const warn = (message: string, kind: WarningKind) => onWarning(route.source, message, kind);
  const leaveOut = (message: string) => warn(`it was left out: ${message}`, "file");
  const file = await ifUsable(readPageText(docs, route.source), leaveOut);
  if (file === undefined) return undefined;
  const bytes = file.includes("\ufffd") ? await readFile(docs, route.source) : Buffer.of();
  if (!isUtf8(bytes) || bytes.includes(0))
    warn("it has invalid bytes, shown as \ufffd: save it as UTF-8 without NUL bytes", "file");
  const { yaml, body } = splitFrontMatter(file);
  const { frontMatter, problem } = readFrontMatter(yaml);
  for (const warning of frontMatter.warnings ?? []) warn(warning, "configuration");
  if (problem !== undefined) warn(problem, "markup");
  const { reference, title, description } = (await planner?.referenceOf(route, frontMatter)) ?? {};
  return {
    route,
    frontMatter: { ...frontMatter, description: frontMatter.description ?? description },
    title: titleOf({ ...frontMatter, title: frontMatter.title ?? title }, body, route.source),
    ...(reference && { reference }),
    textLanguage: languageOfScript(body.replace(/```[\s\S]*?```|`[^`]*`/g, ""), leastScriptShare),
    digest: digestOfText(file),
  };
}

function titleOf(frontMatter: FrontMatter, body: string, source: string): string {
  const title = frontMatter.title ?? firstHeading(body) ?? frontMatter.sidebarTitle;
  if (title !== undefined) return title;
  const segments = stripOrderPrefixes(source.replace(/\.\w+$/, "")).split("/");
  const name = segments.pop() ?? "";
  return titleFromName(/^(?:_?index|readme)$/i.test(name) ? (segments.pop() ?? "Home") : name);
}
