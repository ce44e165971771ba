/** The site's navigation as one tree: read from the configuration, or made from the folders. */
import { cachePerObject } from "../../base/cache-per-object.ts";
import { isJsonObject, type JsonObject } from "../../base/text.ts";
import { compareText } from "./content/docs-tree.ts";
import { readEndpoint } from "./content/page-source.ts";
import { languageTag } from "./interface-words.ts";
import type { PageSource } from "./render-page.ts";
import { type Route, type Routes, stripOrderPrefixes } from "./routes.ts";
import { type ConfiguredFrame, frameKeys, readFrame } from "./site-config.ts";

/** What every entry shows. */
interface NavigationEntry {
  readonly title: string;
  /** Name of its icon, as the documents write it. */
  readonly icon?: string | undefined;
  /** A word beside the title, such as `New`. */
  readonly tag?: string | undefined;
}

/** An entry that leads to a page. */
export interface NavigationPage extends NavigationEntry {
  readonly kind: "page";
  readonly route: Route;
  /** Of the operation that it documents. */
  readonly method: string | undefined;
  readonly deprecated: boolean;
}

/** Parts of the site of which a reader sees one at a time; a `tab` is shown in a row, an `anchor` in a list, the others in a menu. */
export type SectionKind = "tab" | "version" | "language" | "product" | "menu" | "anchor";

/** Entries under a common title; with `as`, one of several parts of the site. */
export interface NavigationGroup extends NavigationEntry {
  readonly kind: "group";
  readonly as?: SectionKind;
  /** Tag of the pages' language, for a language. */
  readonly lang?: string | undefined;
  /** What surrounds its pages, for a language. */
  readonly frame?: ConfiguredFrame;
  /** Whether it is the part for readers who chose none. */
  readonly isDefault?: boolean;
  /** Whether it is open from the start. */
  readonly isOpen?: boolean;
  readonly children: readonly NavigationNode[];
}

/** A link to another site, or to a page that is listed elsewhere; with `as`, beside the parts of the site. */
export interface NavigationLink extends NavigationEntry {
  readonly kind: "link";
  readonly as?: SectionKind;
  readonly to: string | Route;
}

/** An entry of the navigation. */
export type NavigationNode = NavigationPage | NavigationGroup | NavigationLink;

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

/** The pages of these entries and of those below; the parts for readers who chose none come first. */
export function* walkPages(
  nodes: readonly NavigationNode[],
  ancestors: PageLocation["ancestors"],
): Generator<Omit<PageLocation, "position">, undefined> {
  const preferred = nodes.find((node) => node.kind === "group" && node.isDefault === true);
  for (const node of preferred === undefined
    ? nodes
    : [preferred, ...nodes.filter((other) => other !== preferred)]) {
    if (node.kind === "page") yield { page: node, ancestors };
    else if (node.kind === "group") yield* walkPages(node.children, [...ancestors, node]);
  }
}

/** The first page among these entries and below them. */
export function firstPage(nodes: readonly NavigationNode[]): NavigationPage | undefined {
  return walkPages(nodes, []).next().value?.page;
}

/** Alternatives of which the reader is in one, and links beside them. */
export interface Switch {
  readonly as: SectionKind;
  readonly sections: readonly (NavigationGroup | NavigationLink)[];
  readonly active: NavigationGroup | undefined;
}

/** The folders of a part's pages and those above them, and whether they hold a page themselves; not the root, above all parts. */
const foldersOf = cachePerObject((part: NavigationGroup): ReadonlyMap<string, boolean> => {
  const own = new Set([...walkPages(part.children, [])].map(({ page }) => folderOf(page.route.slug)));
  const all = [...own].flatMap((folder) => [folder, ...foldersAbove(folder)]);
  return new Map(all.map((folder) => [folder, own.has(folder)]));
});

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** From the nearest on, without the root. */
function foldersAbove(folder: string): string[] {
  const parent = folderOf(folder);
  return parent === "" ? [] : [parent, ...foldersAbove(parent)];
}

/** The one part with pages in a page's folder, or else in the nearest one above it. */
function partByFolder(parts: readonly NavigationGroup[], slug: string): NavigationGroup | undefined {
  const folder = folderOf(slug);
  for (const at of [folder, ...foldersAbove(folder)]) {
    const around = parts.filter((part) => foldersOf(part).has(at));
    const holders = around.filter((part) => foldersOf(part).get(at));
    const found = holders.length > 0 ? holders : around;
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  }
  return undefined;
}

/**
 * The navigation as it is for a page: what there is to choose from, and the entries of what is chosen. A page outside the
 * navigation is taken to be in its language, in the part whose folder it is in, and in the version for readers who chose none;
 * of other parts, nothing is chosen where none has its folder.
 */
export function navigationFor(
  navigation: readonly NavigationNode[],
  location: PageLocation | undefined,
  { lang, slug }: { readonly lang?: string | undefined; readonly slug: string },
): { readonly switches: readonly Switch[]; readonly nodes: readonly NavigationNode[] } {
  const switches: Switch[] = [];
  const nodes: NavigationNode[] = [];
  let level = navigation;
  for (;;) {
    const sections = level.filter(
      (node) => node.kind !== "page" && node.as !== undefined,
    ) as Switch["sections"];
    nodes.push(...level.filter((node) => node.kind === "page" || node.as === undefined));
    const groups = sections.filter((section) => section.kind === "group");
    const active =
      groups.find((section) => location?.ancestors.includes(section)) ??
      groups.find((section) => lang !== undefined && section.lang === lang) ??
      partByFolder(groups, slug) ??
      groups.find(
        ({ as, isDefault }) => isDefault && (groups.length === 1 || /^(?:version|language)$/.test(as ?? "")),
      );
    const kindOf = (section: Switch["sections"][number]) =>
      (section.kind === "group" ? (active ?? groups[0])?.as : section.as) as SectionKind;
    for (const [as, own] of Map.groupBy(sections, kindOf))
      if (own.length > 1 || own[0]?.kind === "link")
        switches.push({ as, sections: own, active: as === active?.as ? active : undefined });
    if (active === undefined) return { switches, nodes };
    level = active.children;
  }
}

/** Makes an entry's title of a file or folder name: `api-reference` becomes `Api reference`. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** What the navigation needs to know of a page. */
export type ListedPage = Pick<
  PageSource,
  "route" | "title" | "frontMatter" | "reference" | "content" | "digest"
>;

function toNavigationPage({ route, title, frontMatter }: ListedPage): NavigationPage | NavigationLink {
  const { sidebarTitle, tag, icon, url, endpoint, deprecated = false } = frontMatter;
  const entry = { title: sidebarTitle ?? title, tag, icon };
  if (url !== undefined && /^https?:/i.test(url)) return { kind: "link", ...entry, to: url };
  const method = readEndpoint(endpoint)?.method;
  return { kind: "page", ...entry, route, method, deprecated };
}

const maxDepth = 12;

/** A key whose value is a list of entries: the property that names each; with `as` they are alternatives. */
interface ListKind {
  readonly key: string;
  readonly name: string;
  readonly as?: SectionKind;
}

const listKinds: readonly ListKind[] = [
  { key: "languages", name: "language", as: "language" },
  { key: "versions", name: "version", as: "version" },
  { key: "products", name: "product", as: "product" },
  { key: "tabs", name: "tab", as: "tab" },
  { key: "dropdowns", name: "dropdown", as: "menu" },
  { key: "anchors", name: "anchor", as: "anchor" },
  { key: "menu", name: "item", as: "menu" },
  { key: "groups", name: "group" },
  { key: "pages", name: "group" },
];

/** Every key of an entry or a container that has an effect; pages are made of `openapi` before. */
const knownKeys = new Set([
  ...listKinds.flatMap(({ key, name }) => [key, name]),
  ..."global root name title href url icon tag hidden searchable default expanded openapi $schema".split(" "),
]);

/** The navigation that a configuration describes, however its parts are nested; empty where it describes none. */
export function readNavigation(navigation: unknown, routes: Routes, pages: readonly ListedPage[]) {
  const bySource = new Map(pages.map((page) => [page.route.source, page]));
  /** Sources of pages that are in no visible entry, and may be searched for all the same. */
  const searchable = new Set<string>();
  /** Entries that lead to no page. */
  const missing: string[] = [];
  /** Keys that have no effect here. */
  const ignored = new Set<string>();

  function readPage(entry: string): NavigationNode[] {
    const page = bySource.get(routes.find(entry)?.source ?? "");
    if (page === undefined) missing.push(entry);
    return page === undefined || page.frontMatter.hidden ? [] : [toNavigationPage(page)];
  }

  function readEntry(entry: unknown, depth: number, kind: ListKind): NavigationNode[] {
    if (typeof entry === "string") return readPage(entry);
    if (!isJsonObject(entry)) return [];
    const isHidden = entry["hidden"] === true;
    if (isHidden && entry["searchable"] !== true) return [];
    const children = markDefaults(readContainer(entry, depth + 1, kind));
    if (!isHidden) return nameEntry(entry, children, kind);
    for (const { page } of walkPages(children, [])) searchable.add(page.route.source);
    return [];
  }

  function nameEntry(entry: JsonObject, children: NavigationNode[], kind: ListKind): NavigationNode[] {
    const title = textAt(entry, kind.name, "name", "title") ?? (kind.as && titleFromName(kind.name));
    if (title === undefined) return children;
    const look = { title, icon: textAt(entry, "icon"), tag: textAt(entry, "tag") };
    if (children.length === 0) return readLink(textAt(entry, "href", "url"), look, kind);
    // A part that holds no page leads where its first link does: it is never what a page is in.
    if (kind.as !== undefined && firstPage(children) === undefined)
      return linksIn(children)
        .slice(0, 1)
        .map(({ to }) => ({ kind: "link", ...look, ...placeOf(kind), to }));
    const flags = { isDefault: entry["default"] === true, isOpen: entry["expanded"] === true };
    return [{ kind: "group", ...look, ...flags, ...describePart(entry, title, kind.as), children }];
  }

  function readLink(href: string | undefined, look: NavigationEntry, kind: ListKind): NavigationNode[] {
    if (href === undefined) return [];
    const to = /^(?:https?:|mailto:)/i.test(href) ? href : routes.find(href.replace(/[?#].*$/, ""));
    if (to === undefined) missing.push(href);
    return to === undefined ? [] : [{ kind: "link", ...look, ...placeOf(kind), to }];
  }

  function readContainer(container: JsonObject, depth: number, kind?: ListKind): NavigationNode[] {
    if (depth > maxDepth) return [];
    const isKnown = (key: string) =>
      knownKeys.has(key) || (kind?.as === "language" && frameKeys.includes(key));
    for (const key of Object.keys(container)) if (!isKnown(key)) ignored.add(key);
    const { global } = container;
    const root = textAt(container, "root");
    return [
      ...(isJsonObject(global) ? readContainer(global, depth + 1) : []),
      ...(root === undefined ? [] : readPage(root)),
      ...listKinds.flatMap((kind) => {
        const list = container[kind.key];
        return Array.isArray(list) ? list.flatMap((entry) => readEntry(entry, depth, kind)) : [];
      }),
    ];
  }

  const container = Array.isArray(navigation) ? { groups: navigation } : navigation;
  const nodes = isJsonObject(container) ? markDefaults(readContainer(container, 0)) : [];
  return { nodes, searchable, missing, ignored };
}

/** Of alternatives, one is for readers who chose none: the first that says so, else the first. */
function markDefaults(nodes: readonly NavigationNode[]): NavigationNode[] {
  const parts = nodes.filter((node) => node.kind === "group" && node.as !== undefined) as NavigationGroup[];
  const chosen = parts.find(({ isDefault }) => isDefault) ?? parts[0];
  return nodes.map((node) => (node.kind === "group" ? { ...node, isDefault: node === chosen } : node));
}

/** Links beside the parts of the site; anchors that only lead somewhere are always in sight. */
function placeOf({ as }: ListKind): Pick<NavigationLink, "as"> {
  return as === undefined || as === "anchor" ? {} : { as };
}

function linksIn(nodes: readonly NavigationNode[]): NavigationLink[] {
  return nodes.flatMap((node) => {
    if (node.kind === "group") return linksIn(node.children);
    return node.kind === "link" ? [node] : [];
  });
}

function describePart(entry: JsonObject, title: string, as: SectionKind | undefined) {
  if (as !== "language") return as && { as };
  const lang = languageTag(title);
  return { as, title: languageName(lang ?? title), lang, frame: readFrame(entry) };
}

function textAt(entry: JsonObject, ...keys: readonly string[]): string | undefined {
  return keys
    .map((key) => entry[key])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");
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

/** Navigation from the folders: by front matter `order`, then numbers in names, then names; `index` first. */
export function navigationFromFolders(pages: readonly ListedPage[], depth = 0): readonly NavigationNode[] {
  const shown = pages.filter(({ frontMatter }) => frontMatter.hidden !== true);
  const segmentsOf = ({ route }: ListedPage) => route.source.split("/").slice(depth);
  const entries = [...Map.groupBy(shown, (page) => segmentsOf(page)[0] ?? "")].map(([name, own]) => {
    const file = own.find((page) => segmentsOf(page).length === 1);
    if (file !== undefined) {
      const order = isIndex.test(name) ? -1 : orderOf(file.frontMatter.order, name);
      return { name, order, node: toNavigationPage(file) };
    }
    const index = own.find((page) => segmentsOf(page).length === 2 && isIndex.test(page.route.source));
    const title =
      index?.frontMatter.sidebarTitle ??
      index?.title ??
      titleFromName(stripOrderPrefixes(name).replace(/^\((.+)\)$/, "$1"));
    const node = { kind: "group", title, children: navigationFromFolders(own, depth + 1) } as const;
    return { name, order: orderOf(index?.frontMatter.order, name), node };
  });
  return entries
    .toSorted((left, right) => left.order - right.order || compareText(left.name, right.name))
    .map(({ node }) => node);
}

/** What the front matter says, else a number at the start of a file's or folder's name. */
function orderOf(written: number | undefined, name: string): number {
  return written ?? Number(/^(\d{1,3})[-_.]/.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
