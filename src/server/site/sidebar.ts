/** The navigation beside a page: the parts of the site to choose from, and the entries of the chosen one. */
import { type Html, html } from "./content/html.ts";
import { iconHtml } from "./content/icons.ts";
import {
  firstPage,
  locatePages,
  type NavigationGroup,
  type NavigationNode,
  type NavigationSection,
  type PageLocation,
} from "./navigation.ts";

/** Up to this many pages, all groups are open from the start. */
const maxOpenPages = 40;
/** Beyond this many pages, groups that the page is not in are a link: every page carries its navigation. */
const maxListedPages = 400;

/** The link from a page to a path of the site. */
export type LinkTo = (path: string) => string;

/** Alternatives of which the reader is in one. */
interface Switch {
  readonly as: NavigationSection["as"];
  readonly sections: readonly NavigationSection[];
  readonly active: NavigationSection;
}

/** The navigation from a page's point of view. */
interface PageNavigation {
  readonly switches: readonly Switch[];
  readonly nodes: readonly NavigationNode[];
}

/** Follows the parts of the site that a page is in; a page outside the navigation is taken to be in the first of each. */
function navigationFor(
  navigation: readonly NavigationNode[],
  location: PageLocation | undefined,
): PageNavigation {
  const switches: Switch[] = [];
  const nodes: NavigationNode[] = [];
  let level = navigation;
  for (;;) {
    const sections = level.filter((node) => node.kind === "section");
    nodes.push(...level.filter((node) => node.kind !== "section"));
    const active = sections.find((section) => location?.ancestors.includes(section)) ?? sections[0];
    if (active === undefined) return { switches, nodes };
    if (sections.length > 1) switches.push({ as: active.as, sections, active });
    level = active.children;
  }
}

/**
 * Which version, language and product of the site a page is in, as one word for comparing; empty where there is nothing to
 * choose.
 */
export function partOf(navigation: readonly NavigationNode[], location: PageLocation | undefined): string {
  return navigationFor(navigation, location)
    .switches.filter(({ as }) => as !== "tab")
    .map(({ as, active }) => `${as} ${active.title}`)
    .join(" / ");
}

const switchLabels = { version: "Version", language: "Language", product: "Product" };

/** Renders the row of tabs under the header, which not every site has, and the entries with menus for the other parts above. */
export function renderNavigation(
  navigation: readonly NavigationNode[],
  location: PageLocation | undefined,
  linkTo: LinkTo,
): { readonly tabBar: Html | false; readonly sidebar: Html } {
  const { switches, nodes } = navigationFor(navigation, location);
  const pageCount = locatePages(nodes).size;

  function renderSections({ sections, active }: Switch): Html {
    const links = sections.map((section) => {
      const landing = firstPage(section.children);
      if (landing === undefined) return false;
      const current = section === active && html` aria-current="true"`;
      return html`<li><a href="${linkTo(landing.route.outPath)}"${current}>${section.title}</a></li>`;
    });
    return html`<ul>${links}</ul>`;
  }

  function renderGroup(group: NavigationGroup, depth: number): Html {
    const { title, children } = group;
    const holdsPage = location?.ancestors.includes(group) ?? false;
    const landing = firstPage(children);
    if (!holdsPage && pageCount > maxListedPages && landing !== undefined)
      return html`<li><a class="nav-folded" href="${linkTo(landing.route.outPath)}">${title}${iconHtml("chevron")}</a></li>`;
    const open = (holdsPage || (depth === 0 && pageCount <= maxOpenPages)) && html` open`;
    return html`<li><details${open}><summary>${title}${iconHtml("chevron")}</summary>${renderList(children, depth + 1, title)}</details></li>`;
  }

  function renderList(list: readonly NavigationNode[], depth: number, groupTitle?: string): Html {
    // A group's own page would only repeat the group's title.
    const indexTitle = list.some(({ title }) => title === "Overview") ? undefined : groupTitle;
    const items = list.map((node) => {
      if (node.kind === "group") return renderGroup(node, depth);
      if (node.kind === "section") return false;
      if (node.kind === "link")
        return html`<li><a href="${node.href}" rel="noopener noreferrer">${node.title}${iconHtml("external")}</a></li>`;
      const current = location?.page.route === node.route && html` aria-current="page"`;
      const title = node.title === indexTitle ? "Overview" : node.title;
      const tag = node.tag !== undefined && html` <span class="tag">${node.tag}</span>`;
      return html`<li><a href="${linkTo(node.route.outPath)}"${current}>${title}${tag}</a></li>`;
    });
    return html`<ul>${items}</ul>`;
  }

  const tabs = switches.find(({ as }) => as === "tab");
  const menus = switches.map((menu) =>
    menu.as === "tab"
      ? false
      : html`<details class="switcher"><summary><span class="switcher-label">${switchLabels[menu.as]}</span> ${menu.active.title}${iconHtml("chevron")}</summary>${renderSections(menu)}</details>`,
  );
  return {
    tabBar:
      tabs !== undefined && html`<nav class="tab-bar" aria-label="Sections">${renderSections(tabs)}</nav>`,
    sidebar: html`${menus}${renderList(nodes, 0)}`,
  };
}
