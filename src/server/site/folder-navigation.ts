/** The navigation of documents without a configuration: from the folders' `meta.json` files (Fumadocs), or else from the folders themselves. */
import { posix } from "node:path";
import { isJsonObject, type JsonObject, parseJson } from "../../base/text.ts";
import { compareText, type DocsTree, ifUsable, readPageText } from "./content/docs-tree.ts";
import { type FrontMatter, toFrontMatter } from "./content/page-source.ts";
import { listOf, objectOf } from "./json-values.ts";
import {
  isGenericTitle,
  type ListedPage,
  type NavigationNode,
  titleFromName,
  toNavigationPage,
} from "./navigation.ts";
import { stripOrderPrefixes } from "./routes.ts";

/** The navigation of the `meta.json` files in the form of a `docs.json`, if one of them lists its pages. */
export async function readMetaNavigation(
  docs: DocsTree,
  pages: readonly ListedPage[],
): Promise<JsonObject | undefined> {
  const folders = await readFolderFiles(docs, "meta.json");
  const isListed = [...folders.values()].some((folder) => Array.isArray(folder["pages"]));
  return isListed ? navigationFromMeta(pages, folders) : undefined;
}

/** The files of this name, by folder. Those that contain no object are left out. */
async function readFolderFiles(docs: DocsTree, name: string): Promise<ReadonlyMap<string, JsonObject>> {
  const folders = new Map<string, JsonObject>();
  for (const path of docs.files) {
    if (posix.basename(path) !== name) continue;
    const content = parseJson((await ifUsable(readPageText(docs, path), () => undefined)) ?? "");
    if (isJsonObject(content)) folders.set(posix.dirname(path), content);
  }
  return folders;
}

const separator = /^---(?:\[[^\]]*\])?(.*)---$/;
const link = /^(?:external:)?(?:\[[^\]]*\])?\[([^\]]+)\]\(([^)]+)\)$/;

/**
 * The navigation of pages whose folders have a `meta.json`: its `pages` are in their order, under their separators, and a folder
 * with `root` is a tab.
 *
 * @param folders the content of these files, by folder
 */
function navigationFromMeta(
  pages: readonly ListedPage[],
  folders: ReadonlyMap<string, JsonObject>,
): JsonObject {
  const byPath = new Map(pages.map((page) => [page.route.source.replace(/\.\w+$/, ""), page]));
  const contents = new Map<string, Set<string>>();
  for (const path of byPath.keys())
    for (let child = path; child !== "."; child = posix.dirname(child)) {
      const folder = posix.dirname(child);
      contents.set(folder, (contents.get(folder) ?? new Set()).add(child));
    }
  const tabs: JsonObject[] = [];
  const opened = new Set<string>();

  function openFolder(folder: string): { readonly root?: string; readonly pages: unknown[] } {
    // A folder that is named again would multiply its contents.
    if (opened.has(folder)) return { pages: [] };
    opened.add(folder);
    const names = listOf(folders.get(folder)?.["pages"] ?? ["..."]).map(String);
    const named = new Set(names.map((name) => posix.join(folder, name.replace(/^(?:!|\.\.\.)/, ""))));
    const index = posix.join(folder, "index");
    const others = [...(contents.get(folder) ?? [])].filter((path) => path !== index && !named.has(path));
    const entries: unknown[] = [];
    let list = entries;
    for (const name of names) {
      const group = separator.exec(name)?.[1];
      if (group === undefined) for (const entry of readEntry(folder, name, others)) list.push(entry);
      else {
        list = [];
        entries.push({ group, pages: list });
      }
    }
    return named.has(index) ? { pages: entries } : { root: index, pages: entries };
  }

  /** @param others the unnamed contents of the folder, which are shown once */
  function readEntry(folder: string, name: string, others: string[]): readonly unknown[] {
    if (name === "...") return others.splice(0).flatMap(show);
    if (name === "z...a") return others.splice(0).toReversed().flatMap(show);
    const [, title, href] = link.exec(name) ?? [];
    if (title !== undefined) return [{ title, href }];
    const path = posix.join(folder, name.replace(/^\.\.\./, ""));
    // Folders that lead to each other could nest without end.
    if (posix.relative(folder, path).startsWith("..")) return [];
    if (!name.startsWith("...") || !contents.has(path)) return show(path);
    const { root, pages } = openFolder(path);
    return [root, ...pages];
  }

  function show(path: string): readonly unknown[] {
    const source = byPath.get(path)?.route.source;
    if (!contents.has(path)) return [source];
    const { title: name, icon, defaultOpen: expanded, root } = objectOf(folders.get(path));
    const title = folderTitle(byPath.get(posix.join(path, "index")), posix.basename(path));
    const entry = { name, title, icon, expanded, ...openFolder(path) };
    if (root !== true) return [source, entry];
    tabs.push(entry);
    return [source];
  }

  const content = openFolder(".");
  return { ...content, tabs };
}

const isIndex = /(?:^|\/)(?:_?index|readme)\.\w+$/i;

/** Name and position of a folder in the navigation. */
type FolderSettings = Pick<FrontMatter, "order" | "sidebarTitle">;

/**
 * Derives the navigation from the folders at a depth. Order: `index`, then `order` in front matter, the position in the folder's
 * `_category_.json` (Docusaurus) or a number prefix, then the name.
 */
export async function navigationFromFolders(
  docs: DocsTree,
  pages: readonly ListedPage[],
  depth: number,
): Promise<readonly NavigationNode[]> {
  const files = await readFolderFiles(docs, "_category_.json");
  const settings = [...files].map(([folder, { label, position }]) => {
    return [folder, toFrontMatter({ nav_title: label, order: position })] as const;
  });
  return deriveFolder(pages, new Map(settings), depth);
}

function deriveFolder(
  pages: readonly ListedPage[],
  folders: ReadonlyMap<string, FolderSettings>,
  depth: number,
): readonly NavigationNode[] {
  const shown = pages.filter(({ frontMatter }) => frontMatter.hidden !== true);
  const segmentsOf = ({ route }: ListedPage) => route.source.split("/").slice(depth);
  const entries = [...Map.groupBy(shown, (page) => segmentsOf(page)[0] ?? "")].map(([name, own]) => {
    const file = own.find((page) => segmentsOf(page).length === 1);
    if (file !== undefined) {
      const order = isIndex.test(name) ? -1 : orderOf(file.frontMatter.order, name);
      return { name, order, node: toNavigationPage(file) };
    }
    const index = own.find((page) => segmentsOf(page).length === 2 && isIndex.test(page.route.source));
    const path = own[0]?.route.source.split("/", depth + 1).join("/") ?? "";
    const settings = folders.get(path);
    const title = settings?.sidebarTitle ?? folderTitle(index, name);
    const children = deriveFolder(own, folders, depth + 1);
    return {
      name,
      order: orderOf(settings?.order ?? index?.frontMatter.order, name),
      node: { kind: "group", title, children } as const,
    };
  });
  return entries
    .toSorted((left, right) => left.order - right.order || compareText(left.name, right.name))
    .map(({ node }) => node);
}

/** The title of a folder: that of its index page, unless this only says that it is one, or else the folder's name. */
function folderTitle(index: ListedPage | undefined, name: string): string {
  const title = index?.frontMatter.sidebarTitle ?? index?.title ?? "";
  return isGenericTitle(title) ? titleFromName(stripOrderPrefixes(name).replace(/^\((.+)\)$/, "$1")) : title;
}

/** The order from front matter, or else from the number prefix of the name. */
function orderOf(configured: number | undefined, name: string): number {
  return configured ?? Number(/^(\d{1,3})[-_.]/.exec(name)?.[1] ?? Number.MAX_SAFE_INTEGER);
}
