/** Converts the `meta.json` files of folders (Fumadocs) to the navigation of a `docs.json`. */
import { posix } from "node:path";
import type { JsonObject } from "../../base/text.ts";
import { listOf, objectOf } from "./json-values.ts";
import { folderTitle, type ListedPage } from "./navigation.ts";

const separator = /^---(?:\[[^\]]*\])?(.*)---$/;
const link = /^(?:external:)?(?:\[[^\]]*\])?\[([^\]]+)\]\(([^)]+)\)$/;

/**
 * The navigation of pages whose folders have a `meta.json`: its `pages` are in their order, under their separators, and a folder
 * with `root` is a tab.
 *
 * @param folders the content of these files, by folder
 */
export function navigationFromMeta(
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
