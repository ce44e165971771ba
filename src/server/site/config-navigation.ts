/** Reads the navigation of `docs.json` (and of `mint.json`), however its parts are nested. */
import { isJsonObject, type JsonObject } from "../json-object.ts";
import { type NavigationNode, type NavigationSection, titleFromName } from "./navigation.ts";
import type { PageSource } from "./render-page.ts";
import type { Routes } from "./routes.ts";
import { toNavigationPage } from "./tree-navigation.ts";

interface Reading {
  readonly routes: Routes;
  readonly pages: ReadonlyMap<string, PageSource>;
  /** Entries that lead to no page. */
  readonly onMissing: (entry: string) => void;
}

const maxDepth = 12;

/** Keys whose value is a list of alternatives, with the property that names each and how they are shown. */
const sectionKinds: readonly { key: string; name: string; as: NavigationSection["as"] }[] = [
  { key: "languages", name: "language", as: "language" },
  { key: "versions", name: "version", as: "version" },
  { key: "products", name: "product", as: "product" },
  { key: "tabs", name: "tab", as: "tab" },
  { key: "dropdowns", name: "dropdown", as: "product" },
  { key: "anchors", name: "anchor", as: "product" },
  { key: "menu", name: "item", as: "product" },
];

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textAt(entry: JsonObject, ...keys: readonly string[]): string | undefined {
  return keys
    .map((key) => entry[key])
    .find((value): value is string => typeof value === "string" && value !== "");
}

function readPage(entry: string, reading: Reading): NavigationNode[] {
  const route = reading.routes.bySource(entry) ?? reading.routes.find(entry);
  const page = route && reading.pages.get(route.source);
  if (page !== undefined) return page.frontMatter.hidden === true ? [] : [toNavigationPage(page)];
  reading.onMissing(entry);
  return [];
}

function readGroup(entry: JsonObject, depth: number, reading: Reading): NavigationNode[] {
  const title = textAt(entry, "group", "title") ?? "";
  const root = textAt(entry, "root");
  const rootPage = root === undefined ? [] : readPage(root, reading);
  const children = [...rootPage, ...readContainer(entry, depth, reading)];
  if (entry["hidden"] === true || children.length === 0) return [];
  return title === "" ? children : [{ kind: "group", title, children }];
}

function readEntry(entry: unknown, depth: number, reading: Reading): NavigationNode[] {
  if (depth > maxDepth) return [];
  if (typeof entry === "string") return readPage(entry, reading);
  return isJsonObject(entry) ? readGroup(entry, depth + 1, reading) : [];
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

function readSection(
  entry: unknown,
  { name, as }: { readonly name: string; readonly as: NavigationSection["as"] },
  depth: number,
  reading: Reading,
): NavigationNode[] {
  if (!isJsonObject(entry) || entry["hidden"] === true) return [];
  const title = textAt(entry, name, "name", "title") ?? titleFromName(name);
  const children = readContainer(entry, depth + 1, reading);
  if (children.length > 0) {
    if (as !== "language") return [{ kind: "section", as, title, children }];
    return [{ kind: "section", as, title: languageName(title), children, lang: title }];
  }
  const href = textAt(entry, "href", "url");
  return href !== undefined && /^https?:/i.test(href) ? [{ kind: "link", title, href }] : [];
}

function readContainer(container: JsonObject, depth: number, reading: Reading): NavigationNode[] {
  if (depth > maxDepth) return [];
  const sections = sectionKinds.flatMap(({ key, name, as }) =>
    asList(container[key]).flatMap((entry) => readSection(entry, { name, as }, depth, reading)),
  );
  const entries = [...asList(container["groups"]), ...asList(container["pages"])];
  return [...sections, ...entries.flatMap((entry) => readEntry(entry, depth, reading))];
}

/** The navigation that a configuration describes; empty where it describes none. */
export function createConfigNavigation(navigation: unknown, reading: Reading): readonly NavigationNode[] {
  if (Array.isArray(navigation)) return navigation.flatMap((entry) => readEntry(entry, 0, reading));
  return isJsonObject(navigation) ? readContainer(navigation, 0, reading) : [];
}

/** Keeps one version of a navigation that has several; `undefined` where it has no such version. */
export function selectVersion(
  navigation: readonly NavigationNode[],
  version: string,
): readonly NavigationNode[] | undefined {
  const isVersion = (node: NavigationNode) => node.kind === "section" && node.as === "version";
  const chosen = navigation.find((node) => isVersion(node) && node.title === version);
  if (chosen?.kind === "section") return chosen.children;
  const languages = navigation.flatMap((node) => {
    if (node.kind !== "section" || isVersion(node)) return [];
    const children = selectVersion(node.children, version);
    return children === undefined ? [] : [{ ...node, children }];
  });
  return languages.length === 0 ? undefined : languages;
}
