/** The page that is to a version or language what another page is to its own. */
import { cachePerObject } from "../../base/cache-per-object.ts";
import {
  firstPage,
  type NavigationGroup,
  type NavigationNode,
  type NavigationPage,
  type PageLocation,
  walkPages,
} from "./navigation.ts";

/** Folders that this share of a section's pages are in belong to the section: `fr`, or `v2`. */
const commonShare = 0.9;

/** How the pages of a section are found by their addresses; every page asks for the same sections. */
const addressesOf = cachePerObject((section: NavigationGroup) => {
  const pages = [...walkPages(section.children, [])].map(({ page }) => page);
  const counts = new Map<string, number>();
  for (const { route } of pages)
    for (const folder of new Set(route.slug.split("/").slice(0, -1)))
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const isOwn = (name: string) => (counts.get(name) ?? 0) >= pages.length * commonShare;
  const keyOf = (slug: string) => {
    const segments = slug.split("/");
    return segments.filter((name, at) => at === segments.length - 1 || !isOwn(name)).join("/");
  };
  const byKey = new Map(pages.toReversed().map((page) => [keyOf(page.route.slug), page] as const));
  return { keyOf, byKey };
});

/**
 * Where the link from a page to another version or language of it leads: to the same address but for the folders of the
 * version or language, else to the same place in the navigation, else to the section's first page.
 *
 * @param active The section that the page is in.
 */
export function findCounterpart(
  location: PageLocation | undefined,
  active: NavigationGroup,
  section: NavigationGroup,
): NavigationPage | undefined {
  const level = location?.ancestors.indexOf(active) ?? -1;
  if (location === undefined || level < 0) return firstPage(section.children);
  const key = addressesOf(active).keyOf(location.page.route.slug);
  const page = addressesOf(section).byKey.get(key);
  if (page !== undefined) return page;
  let [own, others]: (readonly NavigationNode[])[] = [active.children, section.children];
  for (const ancestor of location.ancestors.slice(level + 1)) {
    // Translated titles differ: there the place counts.
    const other =
      others?.find(({ kind, title }) => kind === "group" && title === ancestor.title) ??
      (section.as === "language" ? others?.[own?.indexOf(ancestor) ?? -1] : undefined);
    if (other?.kind !== "group" || firstPage(other.children) === undefined) break;
    [own, others] = [ancestor.children, other.children];
  }
  return firstPage(others ?? []);
}
