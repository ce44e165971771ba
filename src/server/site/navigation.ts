/** The site's navigation as one tree, whichever way it was described. */
import type { Route } from "./routes.ts";

/** An entry that leads to a page. */
export interface NavigationPage {
  readonly kind: "page";
  readonly title: string;
  readonly route: Route;
  readonly tag?: string;
}

/** An entry that leads out of the site. */
interface NavigationLink {
  readonly kind: "link";
  readonly title: string;
  readonly href: string;
}

/** Entries under a common title. */
export interface NavigationGroup {
  readonly kind: "group";
  readonly title: string;
  readonly children: readonly NavigationNode[];
}

/** One of several parts of the site of which a reader sees one at a time. */
export interface NavigationSection {
  readonly kind: "section";
  /** `tab` is shown in a row, the others in a menu. */
  readonly as: "tab" | "version" | "language" | "product";
  readonly title: string;
  /** Language code of the pages, for a language. */
  readonly lang?: string;
  readonly children: readonly NavigationNode[];
}

/** An entry of the navigation. */
export type NavigationNode = NavigationPage | NavigationLink | NavigationGroup | NavigationSection;

/** A page with the entries above it, outermost first. */
export interface PagePlace {
  readonly page: NavigationPage;
  readonly ancestors: readonly (NavigationGroup | NavigationSection)[];
}

function* walk(nodes: readonly NavigationNode[], ancestors: PagePlace["ancestors"]): Generator<PagePlace> {
  for (const node of nodes) {
    if (node.kind === "page") yield { page: node, ancestors };
    else if (node.kind !== "link") yield* walk(node.children, [...ancestors, node]);
  }
}

/** Every page of the navigation in reading order; a page that stands in several places counts at the first. */
export function pagesInOrder(navigation: readonly NavigationNode[]): readonly PagePlace[] {
  const seen = new Set<string>();
  return [...walk(navigation, [])].filter(({ page }) => {
    const isNew = !seen.has(page.route.source);
    seen.add(page.route.source);
    return isNew;
  });
}

/** The first page among these entries and below them. */
export function firstPage(nodes: readonly NavigationNode[]): NavigationPage | undefined {
  return walk(nodes, []).next().value?.page;
}

/** Makes an entry's title of a file or folder name: `api-reference` becomes `Api reference`. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
