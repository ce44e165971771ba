/** The navigation beside a page: the parts of the site to choose from, and the entries of the chosen one. */
import { type Html, html } from "../content/html.ts";
import { iconHtml } from "../content/icons.ts";
import {
  firstPage,
  type NavigationGroup,
  type NavigationNode,
  type NavigationPage,
  type NavigationSection,
  pagesInOrder,
} from "../navigation.ts";
import { linkFrom, type Position, type Site } from "./site.ts";

/** Up to this many entries, all groups are open from the start. */
const maxOpenEntries = 40;
/** Beyond this many entries, groups the page is not in are a link: every page carries its navigation. */
const maxListedEntries = 400;

/** Alternatives of which the reader is in one. */
interface Switch {
  readonly as: NavigationSection["as"];
  readonly sections: readonly NavigationSection[];
  readonly active: NavigationSection;
}

/** The navigation from a page's point of view. */
export interface SidebarModel {
  readonly switches: readonly Switch[];
  readonly nodes: readonly NavigationNode[];
}

/** Follows the parts of the site that a page is in; a page outside the navigation is taken to be in the first of each. */
export function modelSidebar(site: Site, { place }: Position): SidebarModel {
  const switches: Switch[] = [];
  const nodes: NavigationNode[] = [];
  const ancestors = place?.ancestors ?? [];
  let level = site.navigation;
  for (;;) {
    const sections = level.filter((node) => node.kind === "section");
    nodes.push(...level.filter((node) => node.kind !== "section"));
    const active = sections.find((section) => ancestors.includes(section)) ?? sections[0];
    if (active === undefined) return { switches, nodes };
    switches.push({ as: active.as, sections, active });
    level = active.children;
  }
}

/**
 * Which version, language and product of the site a page is in, as one word for comparing; empty where there is nothing to
 * choose.
 */
export function partOf(site: Site, position: Position): string {
  const { switches } = modelSidebar(site, position);
  return switches
    .filter(({ as, sections }) => as !== "tab" && sections.length > 1)
    .map(({ as, active }) => `${as} ${active.title}`)
    .join(" / ");
}

interface Rendering {
  readonly position: Position;
  readonly entryCount: number;
}

function renderPageEntry(
  node: NavigationPage,
  indexTitle: string | undefined,
  { position }: Rendering,
): Html {
  const isCurrent = position.place?.page.route === node.route;
  const title = node.title === indexTitle ? "Overview" : node.title;
  const tag = node.tag === undefined ? false : html` <span class="tag">${node.tag}</span>`;
  const href = linkFrom(position, node.route.outPath);
  return html`<li><a href="${href}"${isCurrent && html` aria-current="page"`}>${title}${tag}</a></li>`;
}

function renderGroup(node: NavigationGroup, depth: number, rendering: Rendering): Html {
  const { position, entryCount } = rendering;
  const holdsPage = position.place?.ancestors.includes(node) ?? false;
  const landing = firstPage(node.children);
  if (!holdsPage && entryCount > maxListedEntries && landing !== undefined) {
    return html`<li><a class="nav-folded" href="${linkFrom(position, landing.route.outPath)}">${node.title}${iconHtml("chevron")}</a></li>`;
  }
  const isOpen = holdsPage || (depth === 0 && entryCount <= maxOpenEntries);
  return html`<li><details${isOpen && html` open`}><summary>${node.title}${iconHtml("chevron")}</summary>${renderList(node.children, { depth: depth + 1, ...indexTitleOf(node) }, rendering)}</details></li>`;
}

interface ListPlace {
  readonly depth: number;
  /** Title of the group's own page, which would only repeat the group's. */
  readonly indexTitle?: string;
}

function indexTitleOf({ title, children }: NavigationGroup): { indexTitle?: string } {
  return children.some((child) => child.title === "Overview") ? {} : { indexTitle: title };
}

function renderNode(node: NavigationNode, { depth, indexTitle }: ListPlace, rendering: Rendering): Html {
  if (node.kind === "page") return renderPageEntry(node, indexTitle, rendering);
  if (node.kind === "link") {
    return html`<li><a href="${node.href}" rel="noopener noreferrer">${node.title}${iconHtml("external")}</a></li>`;
  }
  return node.kind === "group" ? renderGroup(node, depth, rendering) : html``;
}

function renderList(nodes: readonly NavigationNode[], place: ListPlace, rendering: Rendering): Html {
  return html`<ul>${nodes.map((node) => renderNode(node, place, rendering))}</ul>`;
}

const switchLabels = {
  tab: "Sections",
  version: "Version",
  language: "Language",
  product: "Product",
} as const;

function sectionLink(section: NavigationSection, active: NavigationSection, position: Position): Html {
  const landing = firstPage(section.children);
  if (landing === undefined) return html``;
  const isActive = section === active;
  return html`<li><a href="${linkFrom(position, landing.route.outPath)}"${isActive && html` aria-current="true"`}>${section.title}</a></li>`;
}

function renderSwitcher({ as, sections, active }: Switch, position: Position): Html {
  const links = sections.map((section) => sectionLink(section, active, position));
  return html`<details class="switcher"><summary><span class="switcher-label">${switchLabels[as]}</span> ${active.title}${iconHtml("chevron")}</summary><ul>${links}</ul></details>`;
}

/** The row of tabs under the header; nothing where the site has none. */
export function renderTabBar({ switches }: SidebarModel, position: Position): Html | false {
  const tabs = switches.find(({ as }) => as === "tab");
  if (tabs === undefined || tabs.sections.length < 2) return false;
  const links = tabs.sections.map((section) => sectionLink(section, tabs.active, position));
  return html`<nav class="tab-bar" aria-label="Sections"><ul>${links}</ul></nav>`;
}

/** The navigation's entries, with menus for versions, languages and products above them. */
export function renderSidebar({ switches, nodes }: SidebarModel, position: Position): Html {
  const menus = switches.filter(({ as, sections }) => as !== "tab" && sections.length > 1);
  const rendering = { position, entryCount: pagesInOrder(nodes).length };
  return html`${menus.map((menu) => renderSwitcher(menu, position))}${renderList(nodes, { depth: 0 }, rendering)}`;
}
