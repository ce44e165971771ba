/** The site's navigation as one tree: read from the configuration, or made from the folders. */
import { isJsonObject, type JsonObject } from "../../base/text.ts";
import { compareText } from "./content/docs-tree.ts";
import { readEndpoint } from "./content/page-source.ts";
import type { PageSource } from "./render-page.ts";
import { type Route, type Routes, stripOrderPrefixes } from "./routes.ts";

/** An entry that leads to a page. */
export interface NavigationPage {
  readonly kind: "page";
  readonly title: string;
  readonly route: Route;
  readonly tag: string | undefined;
  /** Of the operation that it documents. */
  readonly method: string | undefined;
  readonly deprecated: boolean;
}

/** Entries under a common title; with `as`, one of several parts of the site of which a reader sees one at a time. */
export interface NavigationGroup {
  readonly kind: "group";
  readonly title: string;
  /** `tab` is shown in a row, the others in a menu. */
  readonly as?: "tab" | "version" | "language" | "product";
  /** Language code of the pages, for a language. */
  readonly lang?: string;
  readonly children: readonly NavigationNode[];
}

/** An entry of the navigation: a page, a group, or a link out of the site. */
export type NavigationNode =
  | NavigationPage
  | NavigationGroup
  | { readonly kind: "link"; readonly title: string; readonly href: string };

/** Where in the navigation a page is; `ancestors` are the entries above it, outermost first. */
export interface PageLocation {
  readonly page: NavigationPage;
  readonly ancestors: readonly NavigationGroup[];
  /** Its place in the reading order. */
  readonly position: number;
}

/** Every page of the navigation in reading order, by its source; a page that is listed several times counts at the first. */
export function locatePages(navigation: readonly NavigationNode[]): ReadonlyMap<string, PageLocation> {
  const locations = new Map<string, PageLocation>();
  for (const { page, ancestors } of walkPages(navigation, [])) {
    const { source } = page.route;
    if (!locations.has(source)) locations.set(source, { page, ancestors, position: locations.size });
  }
  return locations;
}

/** How many pages these entries and those below them lead to; counts no further than `most`. */
export function countPages(nodes: readonly NavigationNode[], most: number): number {
  const sources = new Set<string>();
  for (const { page } of walkPages(nodes, [])) if (sources.add(page.route.source).size >= most) break;
  return sources.size;
}

function* walkPages(
  nodes: readonly NavigationNode[],
  ancestors: PageLocation["ancestors"],
): Generator<Omit<PageLocation, "position">, undefined> {
  for (const node of nodes) {
    if (node.kind === "page") yield { page: node, ancestors };
    else if (node.kind === "group") yield* walkPages(node.children, [...ancestors, node]);
  }
}

/** The first page among these entries and below them. */
export function firstPage(nodes: readonly NavigationNode[]): NavigationPage | undefined {
  return walkPages(nodes, []).next().value?.page;
}

/** Alternatives of which the reader is in one. */
export interface Switch {
  readonly as: NonNullable<NavigationGroup["as"]>;
  readonly sections: readonly NavigationGroup[];
  readonly active: NavigationGroup;
}

/**
 * The navigation as it is for a page: what there is to choose from, and the entries of what is chosen. A page outside the
 * navigation is taken to be in the first of each.
 */
export function navigationFor(
  navigation: readonly NavigationNode[],
  location: PageLocation | undefined,
): { readonly switches: readonly Switch[]; readonly nodes: readonly NavigationNode[] } {
  const switches: Switch[] = [];
  const nodes: NavigationNode[] = [];
  let level = navigation;
  for (;;) {
    const groups = level.filter((node) => node.kind === "group");
    const sections = groups.filter(({ as }) => as !== undefined);
    nodes.push(...level.filter((node) => node.kind !== "group" || node.as === undefined));
    const active = sections.find((section) => location?.ancestors.includes(section)) ?? sections[0];
    if (active?.as === undefined) return { switches, nodes };
    if (sections.length > 1) switches.push({ as: active.as, sections, active });
    level = active.children;
  }
}

/** Makes an entry's title of a file or folder name: `api-reference` becomes `Api reference`. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

function toNavigationPage({ route, title, frontMatter }: PageSource): NavigationPage {
  const { sidebarTitle, tag, endpoint, deprecated = false } = frontMatter;
  const method = readEndpoint(endpoint)?.method;
  return { kind: "page", title: sidebarTitle ?? title, route, tag, method, deprecated };
}

const maxDepth = 12;

/** Keys whose value is a list of entries, with the property that names each; with `as` they are alternatives. */
const listKinds: readonly { key: string; name: string; as?: Switch["as"] }[] = [
  { key: "languages", name: "language", as: "language" },
  { key: "versions", name: "version", as: "version" },
  { key: "products", name: "product", as: "product" },
  { key: "tabs", name: "tab", as: "tab" },
  { key: "dropdowns", name: "dropdown", as: "product" },
  { key: "anchors", name: "anchor", as: "product" },
  { key: "menu", name: "item", as: "product" },
  { key: "groups", name: "group" },
  { key: "pages", name: "group" },
];

/**
 * The navigation that a configuration describes, however its parts are nested; empty where it describes none.
 * `onMissing` gets each entry that leads to no page.
 */
export function readNavigation(
  navigation: unknown,
  routes: Routes,
  pages: readonly PageSource[],
  onMissing: (entry: string) => void,
): readonly NavigationNode[] {
  const bySource = new Map(pages.map((page) => [page.route.source, page]));

  function readPage(entry: string): NavigationNode[] {
    const page = bySource.get(routes.find(entry)?.source ?? "");
    if (page === undefined) onMissing(entry);
    return page === undefined || page.frontMatter.hidden === true ? [] : [toNavigationPage(page)];
  }

  function readEntry(entry: unknown, depth: number, name = "group", as?: Switch["as"]): NavigationNode[] {
    if (typeof entry === "string") return readPage(entry);
    if (!isJsonObject(entry) || entry["hidden"] === true) return [];
    const title = textAt(entry, name, "name", "title") ?? (as && titleFromName(name));
    const children = readContainer(entry, depth + 1);
    if (title === undefined) return children;
    const href = textAt(entry, "href", "url") ?? "";
    if (children.length === 0) return /^https?:/i.test(href) ? [{ kind: "link", title, href }] : [];
    return [{ kind: "group", title, ...describePart(title, as), children }];
  }

  function readContainer(container: JsonObject, depth: number): NavigationNode[] {
    if (depth > maxDepth) return [];
    const root = textAt(container, "root");
    const entries = listKinds.flatMap(({ key, name, as }) => {
      const list = container[key];
      return Array.isArray(list) ? list.flatMap((entry) => readEntry(entry, depth, name, as)) : [];
    });
    return root === undefined ? entries : [...readPage(root), ...entries];
  }

  if (Array.isArray(navigation)) return navigation.flatMap((entry) => readEntry(entry, 0));
  return isJsonObject(navigation) ? readContainer(navigation, 0) : [];
}

function describePart(title: string, as: Switch["as"] | undefined) {
  return as === "language" ? { as, title: languageName(title), lang: title } : { ...(as && { as }) };
}

function textAt(entry: JsonObject, ...keys: readonly string[]): string | undefined {
  return keys
    .map((key) => entry[key])
    .find((value): value is string => typeof value === "string" && value !== "");
}

/** A language's own name for itself; what was written, where it is no language code. */
function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** Keeps one version of a navigation that has several; `undefined` where it has no such version. */
export function selectVersion(
  navigation: readonly NavigationNode[],
  version: string,
): readonly NavigationNode[] | undefined {
  const groups = navigation.filter((node) => node.kind === "group");
  const chosen = groups.find(({ as, title }) => as === "version" && title === version);
  if (chosen !== undefined) return chosen.children;
  const others = groups.flatMap((group) => {
    const children = group.as === "version" ? undefined : selectVersion(group.children, version);
    return children === undefined ? [] : [{ ...group, children }];
  });
  return others.length === 0 ? undefined : others;
}

const isIndex = /(?:^|\/)(?:index|readme)\.\w+$/i;

interface Folder {
  readonly pages: PageSource[];
  readonly folders: Map<string, Folder>;
}

/** Navigation from the folders: by front matter `order`, then numbers in names, then names; `index` first. */
export function navigationFromFolders(pages: readonly PageSource[]): readonly NavigationNode[] {
  const root: Folder = { pages: [], folders: new Map() };
  for (const page of pages) {
    if (page.frontMatter.hidden === true) continue;
    let folder = root;
    for (const segment of page.route.source.split("/").slice(0, -1)) {
      const inner: Folder = folder.folders.get(segment) ?? { pages: [], folders: new Map() };
      folder.folders.set(segment, inner);
      folder = inner;
    }
    folder.pages.push(page);
  }
  return toNodes(root);
}

function toNodes({ pages, folders }: Folder): NavigationNode[] {
  const entries = [
    ...pages.map((page) => {
      const name = page.route.source.split("/").at(-1) ?? "";
      const order = isIndex.test(name) ? -1 : orderOf(page.frontMatter.order, name);
      return { name, order, node: toNavigationPage(page) };
    }),
    ...[...folders].map(([name, folder]) => {
      const index = folder.pages.find(({ route }) => isIndex.test(route.source));
      const title =
        index?.frontMatter.sidebarTitle ?? index?.title ?? titleFromName(stripOrderPrefixes(name));
      const node: NavigationGroup = { kind: "group", title, children: toNodes(folder) };
      return { name, order: orderOf(index?.frontMatter.order, name), node };
    }),
  ];
  return entries
    .toSorted((left, right) => left.order - right.order || compareText(left.name, right.name))
    .map(({ node }) => node);
}

/** What the front matter says, else a number at the start of a file's or folder's name. */
function orderOf(written: number | undefined, name: string): number {
  return written ?? Number(/^(\d{1,3})[-_.]/.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
