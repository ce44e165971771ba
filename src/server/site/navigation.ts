/** The site's navigation tree: reads it from the configuration or derives it from the folders, and finds what a page shows of it. */
import { cachePerObject } from "../../base/cache-per-object.ts";
import { capitalize, isJsonObject, type JsonObject } from "../../base/text.ts";
import { compareText } from "./content/docs-tree.ts";
import { languageTag } from "./interface-words.ts";
import { textIn } from "./json-values.ts";
import { readOperationName } from "./openapi/api-document.ts";
import type { PageSource } from "./render-page.ts";
import { type Route, type Routes, stripOrderPrefixes } from "./routes.ts";
import { type ConfiguredFrame, frameKeys, readFrame } from "./site-config.ts";

/** What all entries show. */
interface NavigationEntry {
  readonly title: string;
  /** Name, path or URL of the icon, as written. */
  readonly icon?: string | undefined;
  /** A label beside the title, such as `New`. */
  readonly tag?: string | undefined;
}

/** An entry that leads to a page. */
export interface NavigationPage extends NavigationEntry {
  readonly kind: "page";
  readonly route: Route;
  /** HTTP method of the operation that the page documents. */
  readonly method: string | undefined;
  readonly deprecated: boolean;
}

/** Types of sections of which one is shown at a time. Tabs are shown in a row, anchors in a list, others in a menu. */
export type SectionKind = "tab" | "version" | "language" | "product" | "menu" | "anchor";

/** Entries with a common title. With `as`, it is a section of the site. */
export interface NavigationGroup extends NavigationEntry {
  readonly kind: "group";
  readonly as?: SectionKind;
  /** Language tag, for a language. */
  readonly lang?: string | undefined;
  /** Header, footer and banner, for a language. */
  readonly frame?: ConfiguredFrame;
  readonly isDefault?: boolean;
  readonly isOpen?: boolean;
  readonly children: readonly NavigationNode[];
}

/** A link to another site, a file, or a page that another entry lists. With `as`, it is shown beside the sections of that type. */
export interface NavigationLink extends NavigationEntry {
  readonly kind: "link";
  readonly as?: SectionKind;
  /** As written. */
  readonly to: string;
}

/** An entry of the navigation. */
export type NavigationNode = NavigationPage | NavigationGroup | NavigationLink;

/** Location of a page in the navigation. Ancestors are outermost first. */
export interface PageLocation {
  readonly page: NavigationPage;
  readonly ancestors: readonly NavigationGroup[];
  /** Index in reading order. */
  readonly position: number;
}

/** The locations of all pages in reading order, by source. Of several, the first is used. */
export function locatePages(navigation: readonly NavigationNode[]): ReadonlyMap<string, PageLocation> {
  const locations = new Map<string, PageLocation>();
  for (const { page, ancestors } of walkPages(navigation, [])) {
    const { source } = page.route;
    if (!locations.has(source)) locations.set(source, { page, ancestors, position: locations.size });
  }
  return locations;
}

/** Counts the distinct pages of entries and their descendants, up to `max`. */
export function countPages(nodes: readonly NavigationNode[], max: number): number {
  const sources = new Set<string>();
  for (const { page } of walkPages(nodes, [])) if (sources.add(page.route.source).size >= max) break;
  return sources.size;
}

/** The pages of entries and their descendants. The default section comes first. */
function* walkPages(
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

/** The first page of entries and their descendants. */
export function firstPage(nodes: readonly NavigationNode[]): NavigationPage | undefined {
  return walkPages(nodes, []).next().value?.page;
}

/** The first page of a section. A section with the language or version of the current page takes precedence over the default one. */
export function landingPage(
  section: NavigationGroup,
  location: PageLocation | undefined,
): NavigationPage | undefined {
  const own = location?.ancestors.filter(({ as }) => as === "language" || as === "version") ?? [];
  const groups = section.children.filter((node) => node.kind === "group");
  const same = groups.find((group) => own.some(({ as, title }) => as === group.as && title === group.title));
  return same === undefined ? firstPage(section.children) : landingPage(same, location);
}

/** Sections of one type to choose from, and links beside them. */
export interface Switch {
  readonly as: SectionKind;
  readonly sections: readonly (NavigationGroup | NavigationLink)[];
  readonly active: NavigationGroup | undefined;
}

/**
 * The navigation as a page shows it: the switches, and the entries of the active sections. For a page outside the navigation, the active
 * sections are those of its language, else the default ones.
 */
export function navigationFor(
  navigation: readonly NavigationNode[],
  location: PageLocation | undefined,
  lang: string,
): { readonly switches: readonly Switch[]; readonly nodes: readonly NavigationNode[] } {
  const switches: Switch[] = [];
  const nodes: NavigationNode[] = [];
  let level = navigation;
  for (;;) {
    const sections = level.filter((node) => node.kind !== "page").filter(({ as }) => as !== undefined);
    nodes.push(...level.filter((node) => node.kind === "page" || node.as === undefined));
    const groups = sections.filter((section) => section.kind === "group");
    const active =
      groups.find((section) => location?.ancestors.includes(section)) ??
      groups.find((section) => section.lang === lang) ??
      groups.find(({ isDefault }) => isDefault);
    const typeOf = (section: Switch["sections"][number]) =>
      (section.kind === "group" ? active?.as : section.as) as SectionKind;
    for (const [as, own] of Map.groupBy(sections, typeOf))
      if (own.length > 1 || own[0]?.kind === "link")
        switches.push({ as, sections: own, active: as === active?.as ? active : undefined });
    if (active === undefined) return { switches, nodes };
    level = active.children;
  }
}

/** Folders of a path that may be those of its version and language. An OpenAPI document can give a page thousands of folders. */
const maxComparedFolders = 4;

/** The paths by which pages of two sections are compared: the slug, and the slug without one of its first folders, such as `v2`. */
function comparedPaths(slug: string): string[] {
  const segments = slug.split("/");
  const folders = segments.slice(0, -1).slice(0, maxComparedFolders);
  return [slug, ...folders.map((_, index) => segments.toSpliced(index, 1).join("/"))];
}

/** The pages of a section by {@link comparedPaths}; of several, the first. */
const pagesByPath = cachePerObject((section: NavigationGroup) => {
  const pages = [...walkPages(section.children, [])].map(({ page }) => page).reverse();
  return new Map(
    pages.flatMap((page) => comparedPaths(page.route.slug).map((path) => [path, page] as const)),
  );
});

/** Finds the counterpart of a page in another version or language: the page with the same path apart from one folder. */
export function findCounterpart({ slug }: Route, section: NavigationGroup): NavigationPage | undefined {
  return comparedPaths(slug).flatMap((path) => pagesByPath(section).get(path) ?? [])[0];
}

/** Derives a title from the name of a file or folder: `api-reference` becomes `Api reference`. */
export function titleFromName(name: string): string {
  return capitalize(name.replace(/[-_]+/g, " ").trim()) || name;
}

/** Whether a title says only that the page is the first of its folder or site. */
export function isGenericTitle(title: string): boolean {
  return /^(?:|home|index|introduction|overview|welcome)$/i.test(title);
}

/** The data of a page that the navigation needs. */
export type ListedPage = Pick<
  PageSource,
  "route" | "title" | "frontMatter" | "reference" | "content" | "textLanguage" | "digest"
>;

/** The navigation entry of a page: the page, or the external link that its front matter names. */
function toNavigationPage({ route, title, frontMatter }: ListedPage): NavigationPage | NavigationLink {
  const { sidebarTitle, tag, icon, url, endpoint, deprecated = false } = frontMatter;
  const entry = { title: sidebarTitle ?? title, tag, icon };
  if (url !== undefined && /^https?:/i.test(url)) return { kind: "link", ...entry, to: url };
  const method = readOperationName(endpoint)?.method;
  return { kind: "page", ...entry, route, method, deprecated };
}

const isIndex = /(?:^|\/)(?:_?index|readme)\.\w+$/i;

/**
 * Derives the navigation from the folders at a depth. Order: `index`, then `order` in front matter or a number prefix, then the name. A
 * folder has the order of its index page.
 */
export function navigationFromFolders(pages: readonly ListedPage[], depth = 0): readonly NavigationNode[] {
  const shown = pages.filter(({ frontMatter }) => frontMatter.hidden !== true);
  const segmentsOf = ({ route }: ListedPage) => route.source.split("/").slice(depth);
  const entries = [...Map.groupBy(shown, (page) => segmentsOf(page)[0] ?? "")].map(([name, own]) => {
    const file = own.find((page) => segmentsOf(page).length === 1);
    if (file !== undefined) {
      const order = isIndex.test(name) ? -1 : orderOf(file, name);
      return { name, order, node: toNavigationPage(file) };
    }
    const index = own.find((page) => segmentsOf(page).length === 2 && isIndex.test(page.route.source));
    const children = navigationFromFolders(own, depth + 1);
    const ownTitle = index?.frontMatter.sidebarTitle ?? index?.title ?? "";
    // The title of an index page may say only that it is one.
    const title = isGenericTitle(ownTitle) ? titleFromName(stripOrderPrefixes(name)) : ownTitle;
    const node = { kind: "group", title, children } as const;
    return { name, order: orderOf(index, name), node };
  });
  return entries
    .toSorted((left, right) => left.order - right.order || compareText(left.name, right.name))
    .map(({ node }) => node);
}

/** The order from front matter, or else from the number prefix of the name. */
function orderOf(page: ListedPage | undefined, name: string): number {
  const prefix = /^(\d{1,3})[-_.]/.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER;
  return page?.frontMatter.order ?? Number(prefix);
}

/** A key with a list of entries. `name` is the property with an entry's title; with `as`, the entries are sections. */
interface ListKind {
  readonly key: string;
  readonly name: string;
  readonly as?: SectionKind;
}

const sectionKinds: readonly ListKind[] = [
  { key: "languages", name: "language", as: "language" },
  { key: "versions", name: "version", as: "version" },
  { key: "products", name: "product", as: "product" },
  { key: "tabs", name: "tab", as: "tab" },
  { key: "dropdowns", name: "dropdown", as: "menu" },
  { key: "anchors", name: "anchor", as: "anchor" },
  { key: "menu", name: "item", as: "menu" },
];
const entryKinds: readonly ListKind[] = [
  { key: "groups", name: "group" },
  { key: "pages", name: "group" },
];

/** All supported keys of entries and containers. `openapi` was already replaced by pages. */
const knownKeys = new Set([
  ...[...sectionKinds, ...entryKinds].flatMap(({ key, name }) => [key, name]),
  ..."global root name title href url icon tag hidden searchable default expanded openapi $schema".split(" "),
]);

/** Reads the navigation of a configuration, with sections nested in any order. */
export function readNavigation(navigation: unknown, routes: Routes, pages: readonly ListedPage[]) {
  const bySource = new Map(pages.map((page) => [page.route.source, page]));
  /** Sources of pages in hidden entries that are still indexed. */
  const searchable = new Set<string>();
  const missing: string[] = [];
  /** Unsupported keys. */
  const ignored = new Set<string>();
  /** Lists of entries, and parts of a language's frame, of which something was dropped because of its type. */
  const invalid: string[] = [];

  function readPage(entry: string): NavigationNode[] {
    const page = bySource.get(routes.find(entry)?.source ?? "");
    if (page === undefined) missing.push(entry);
    return page === undefined || page.frontMatter.hidden ? [] : [toNavigationPage(page)];
  }

  function readEntry(entry: unknown, kind: ListKind): NavigationNode[] {
    if (!isJsonObject(entry)) return typeof entry === "string" ? readPage(entry) : [];
    const isHidden = entry["hidden"] === true;
    if (isHidden && entry["searchable"] !== true) return [];
    const children = markDefaults(readContainer(entry, kind));
    if (!isHidden) return nameEntry(entry, children, kind);
    for (const { page } of walkPages(children, [])) searchable.add(page.route.source);
    return [];
  }

  function nameEntry(entry: JsonObject, children: NavigationNode[], kind: ListKind): NavigationNode[] {
    const title = textIn(entry, kind.name, "name", "title") ?? (kind.as && titleFromName(kind.name));
    if (title === undefined) return children;
    const appearance = { title, icon: textIn(entry, "icon"), tag: textIn(entry, "tag") };
    // A section without pages becomes a link to the target of its first link.
    const isLink = children.length === 0 || (kind.as !== undefined && firstPage(children) === undefined);
    if (isLink) {
      const to = children.length === 0 ? textIn(entry, "href", "url") : firstTarget(children);
      // Anchors that are links are always visible, outside of switches.
      const shownIn = kind.as !== undefined && kind.as !== "anchor" && { as: kind.as };
      return to === undefined ? [] : [{ kind: "link", ...appearance, ...shownIn, to }];
    }
    const flags = { isDefault: entry["default"] === true, isOpen: entry["expanded"] === true };
    return [{ kind: "group", ...appearance, ...flags, ...describeSection(entry, title, kind.as), children }];
  }

  function describeSection(entry: JsonObject, title: string, as: SectionKind | undefined) {
    if (as !== "language") return as && { as };
    const lang = languageTag(title);
    const { frame, invalid: dropped } = readFrame(entry);
    invalid.push(...dropped.map((part) => `${title}.${part}`));
    return { as, title: languageName(lang ?? title), lang, frame };
  }

  function readContainer(container: JsonObject, kind?: ListKind): NavigationNode[] {
    const isKnown = (key: string) =>
      knownKeys.has(key) || (kind?.as === "language" && frameKeys.includes(key));
    const keys = Object.keys(container);
    for (const key of keys) if (!isKnown(key)) ignored.add(key);
    // Groups and the pages beside them: the list that is written first.
    const entries = entryKinds.toSorted((left, right) => keys.indexOf(left.key) - keys.indexOf(right.key));
    const { global } = container;
    const root = textIn(container, "root");
    const title = kind && textIn(container, kind.name, "name", "title");
    // An operation that no document has, which was reported, is now `undefined`.
    const isEntry = (entry: unknown) => ["string", "undefined"].includes(typeof entry) || isJsonObject(entry);
    return [
      ...(isJsonObject(global) ? readContainer(global) : []),
      ...(root === undefined ? [] : readPage(root)),
      ...[...sectionKinds, ...entries].flatMap((inner) => {
        const list = container[inner.key] ?? [];
        if (!Array.isArray(list) || !list.every(isEntry))
          invalid.push(title === undefined ? inner.key : `${title}.${inner.key}`);
        return Array.isArray(list) ? list.flatMap((entry) => readEntry(entry, inner)) : [];
      }),
    ];
  }

  const container = Array.isArray(navigation) ? { groups: navigation } : navigation;
  const nodes = isJsonObject(container) ? markDefaults(readContainer(container)) : [];
  return { nodes, searchable, missing, ignored, invalid };
}

/** Marks the default section: the first one that is configured as default, or else the first one. */
function markDefaults(nodes: readonly NavigationNode[]): NavigationNode[] {
  const sections = nodes.filter((node) => node.kind === "group").filter(({ as }) => as !== undefined);
  const defaultSection = sections.find(({ isDefault }) => isDefault) ?? sections[0];
  return nodes.map((node) =>
    node.kind === "group" ? { ...node, isDefault: node === defaultSection } : node,
  );
}

/** The target of the first link of entries without pages. */
function firstTarget(nodes: readonly NavigationNode[]): string | undefined {
  const [first] = nodes;
  if (first?.kind === "group") return firstTarget(first.children);
  return first?.kind === "link" ? first.to : undefined;
}

/** The name of a language in that language; an invalid code is returned unchanged. */
function languageName(code: string): string {
  try {
    const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
    return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
  } catch (error) {
    if (error instanceof RangeError) return code;
    throw error;
  }
}

/** Reduces a navigation to one version; `undefined` if it does not have that version. */
export function selectVersion(
  navigation: readonly NavigationNode[],
  version: string,
): readonly NavigationNode[] | undefined {
  const groups = navigation.filter((node) => node.kind === "group");
  const selected = groups.find(({ as, title }) => as === "version" && title === version);
  if (selected !== undefined) return selected.children;
  const reduced = groups.flatMap((group) => {
    const children = group.as === "version" ? undefined : selectVersion(group.children, version);
    return children === undefined ? [] : [{ ...group, children }];
  });
  return reduced.length === 0 ? undefined : reduced;
}
