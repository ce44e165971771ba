import { compareText } from "./content/docs-tree.ts";
import {
  type NavigationGroup,
  type NavigationNode,
  type NavigationPage,
  titleFromName,
} from "./navigation.ts";
import type { PageSource } from "./render-page.ts";
import { stripOrderPrefixes } from "./routes.ts";

interface Folder {
  readonly name: string;
  readonly pages: PageSource[];
  readonly folders: Map<string, Folder>;
}

interface Entry {
  readonly node: NavigationNode;
  readonly order: number;
  readonly name: string;
}

const isIndex = /(?:^|\/)(?:index|readme)\.\w+$/i;

function createFolder(name: string): Folder {
  return { name, pages: [], folders: new Map() };
}

function folderFor(root: Folder, segments: readonly string[]): Folder {
  let folder = root;
  for (const segment of segments) {
    const next = folder.folders.get(segment) ?? createFolder(segment);
    folder.folders.set(segment, next);
    folder = next;
  }
  return folder;
}

function toFolders(pages: readonly PageSource[]): Folder {
  const root = createFolder("");
  for (const page of pages) folderFor(root, page.route.source.split("/").slice(0, -1)).pages.push(page);
  return root;
}

/** A number at the start of a file's or folder's name. */
function orderOfName(name: string): number | undefined {
  const match = /^(\d{1,3})[-_.]/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** The entry of a page in the navigation. */
export function toNavigationPage({ route, title, frontMatter }: PageSource): NavigationPage {
  return {
    kind: "page",
    title: frontMatter.sidebarTitle ?? title,
    route,
    ...(frontMatter.tag === undefined ? {} : { tag: frontMatter.tag }),
  };
}

function pageEntry(page: PageSource): Entry {
  const name = page.route.source.split("/").at(-1) ?? "";
  const order = isIndex.test(page.route.source)
    ? -1
    : (page.frontMatter.order ?? orderOfName(name) ?? Number.MAX_SAFE_INTEGER);
  return { node: toNavigationPage(page), order, name };
}

function folderEntry(folder: Folder): Entry {
  const index = folder.pages.find(({ route }) => isIndex.test(route.source));
  const title =
    index?.frontMatter.sidebarTitle ?? index?.title ?? titleFromName(stripOrderPrefixes(folder.name));
  const node: NavigationGroup = { kind: "group", title, children: toNodes(folder) };
  const order = index?.frontMatter.order ?? orderOfName(folder.name) ?? Number.MAX_SAFE_INTEGER;
  return { node, order, name: folder.name };
}

function toNodes(folder: Folder): NavigationNode[] {
  const entries = [...folder.pages.map(pageEntry), ...[...folder.folders.values()].map(folderEntry)];
  return entries
    .toSorted((left, right) => left.order - right.order || compareText(left.name, right.name))
    .map(({ node }) => node);
}

/** Navigation from the folders: by front matter `order`, then numbers in names, then names; `index` first. */
export function createTreeNavigation(pages: readonly PageSource[]): readonly NavigationNode[] {
  return toNodes(toFolders(pages.filter(({ frontMatter }) => frontMatter.hidden !== true)));
}
