/** Finds the page in another version or language that corresponds to a page. */
import { cachePerObject } from "../../base/cache-per-object.ts";
import {
  firstPage,
  type NavigationGroup,
  type NavigationNode,
  type NavigationPage,
  type PageLocation,
  walkPages,
} from "./navigation.ts";

/** A folder that contains this share of a section's pages is the section's own, such as `fr` or `v2`. */
const commonShare = 0.9;

/** The pages of a section, by slug without the section's own folders. */
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
 * Finds the counterpart of a page in another section: the page with the same slug apart from the sections' folders, else the page at the
 * same position in the navigation, else the section's first page.
 *
 * @param active the section of the page
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
    // Titles differ between languages, so the position is compared.
    const other =
      others?.find(({ kind, title }) => kind === "group" && title === ancestor.title) ??
      (section.as === "language" ? others?.[own?.indexOf(ancestor) ?? -1] : undefined);
    if (other?.kind !== "group" || firstPage(other.children) === undefined) break;
    [own, others] = [ancestor.children, other.children];
  }
  return firstPage(others ?? []);
}
