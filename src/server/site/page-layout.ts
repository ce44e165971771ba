/** The HTML document around a page's content: header, navigation, table of contents. */
import { posix } from "node:path";
import { html, raw } from "hono/html";
import { inlineText } from "./content/component.ts";
import { iconElement } from "./content/icons.ts";
import { readEndpoint } from "./content/page-source.ts";
import {
  countPages,
  firstPage,
  type NavigationGroup,
  type NavigationNode,
  navigationFor,
  type PageLocation,
  type Switch,
} from "./navigation.ts";
import type { SitePlan } from "./plan-site.ts";
import { type RenderedPage, toMarkup } from "./render-page.ts";
import { assetsFolder, relativeLink } from "./routes.ts";
import { chooseIndexes, type SearchPart } from "./search-index.ts";

/** Markup from a template: what is put into it is escaped, unless it is markup itself; `false` and `undefined` print nothing. */
type Html = ReturnType<typeof html>;

/** The link from a page to a path of the site. */
type LinkTo = (path: string) => string;

/** What the frame of every page needs to know of the site around it. */
export interface Site extends Pick<SitePlan, "navigation" | "locations"> {
  /** The locations in reading order. */
  readonly order: readonly PageLocation[];
  /** The languages and versions that can be searched. */
  readonly searchParts: readonly SearchPart[];
  readonly title: string;
  /** Shown beside the title. */
  readonly version: string | undefined;
  /** Path of the icon in the site. */
  readonly favicon: string;
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  /** Links in the header, to other sites. */
  readonly links: readonly { readonly label: string; readonly href: string }[];
}

/**
 * A page runs the site's own scripts, and loads nothing from elsewhere. `file:` stands beside `'self'` because browsers
 * disagree on whether a page opened from disk has an origin.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' file:",
  "style-src 'self' file:",
  "img-src 'self' file: data:",
  "media-src 'self' file:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Renders a whole page. */
export function renderDocument(site: Site, page: Omit<RenderedPage, "sections" | "ids">): string {
  const { frontMatter, title, route } = page.source;
  const { outPath } = route;
  const location = site.locations.get(route.source);
  const linkTo = (path: string) => relativeLink(outPath, path);
  const { switches, nodes } = navigationFor(site.navigation, location);
  const tabs = switches.find(({ as }) => as === "tab");
  const { searched, others } = chooseIndexes(site.searchParts, location);
  const asset = (name: string) => linkTo(`${assetsFolder}/${name}`);
  const { description } = frontMatter;
  const document = html`<!doctype html>
<html lang="${languageOf(frontMatter.lang, location)}" data-root="${"../".repeat(outPath.split("/").length - 1)}" data-indexes="${searched.join(" ")}"${others.length > 0 && html` data-other-indexes="${others.join(" ")}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === site.title ? title : `${title} · ${site.title}`}</title>
${description !== undefined && html`<meta name="description" content="${description.replaceAll("`", "")}">\n`}<meta name="color-scheme" content="light dark">
<link rel="icon" href="${linkTo(site.favicon)}">
<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("theme.js")}"></script>
<script src="${asset("site.js")}" defer></script>
</head>
<body>
<a class="sr-only" href="#docs-content">Skip to content</a>
${renderHeader(site, linkTo)}
${tabs && html`<nav class="tab-bar" aria-label="Sections">${renderSections(tabs, linkTo)}</nav>`}
<div class="layout">
<nav class="sidebar" id="docs-navigation" popover aria-label="Site">${renderSidebar(switches, nodes, location, outPath)}</nav>
<main id="docs-content" tabindex="-1">
${renderBreadcrumbs(location)}<article>
<h1>${raw(page.titleHtml)}</h1>
${renderEndpoint(frontMatter.endpoint)}${description !== undefined && html`<p class="lead">${raw(toMarkup(inlineText(description)))}</p>`}
${raw(page.contentHtml)}
</article>
${page.asideHtml !== "" && html`<aside class="page-aside" aria-label="Examples">${raw(page.asideHtml)}</aside>`}
${renderPager(site, location, linkTo)}
</main>
${page.asideHtml === "" && renderContents(page.headings)}
</div>
</body>
</html>
`;
  return document.toString();
}

/** An icon as markup. */
function iconHtml(name: string): Html {
  const icon = iconElement(name);
  return raw(icon === undefined ? "" : toMarkup([icon]));
}

function languageOf(written: string | undefined, location: PageLocation | undefined): string {
  const lang = written ?? location?.ancestors.find(({ as }) => as === "language")?.lang ?? "en";
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(lang) ? lang : "en";
}

function renderHeader({ title, version, logo, links }: Site, linkTo: LinkTo): Html {
  const picture = (path: string, className: string) =>
    html`<img class="${className}" src="${linkTo(path)}" alt="${title}" height="26">`;
  const name =
    logo === undefined
      ? html`<span class="site-title">${title}</span>`
      : html`${picture(logo.light, "only-light")}${picture(logo.dark, "only-dark")}`;
  return html`<header class="site-header">
<button type="button" class="icon-button menu-button" popovertarget="docs-navigation" aria-label="Navigation">${iconHtml("menu")}</button>
<a class="site-name" href="${linkTo("index.html")}">${name}</a>${version !== undefined && html`<span class="tag">${version}</span>`}
<div class="header-tools">${links.map(({ label, href }) => html`<a class="header-link" href="${href}" rel="noopener noreferrer">${label}</a>`)}<button type="button" class="search-button" data-search>${iconHtml("search")}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon-button" data-theme-toggle aria-label="Dark colours" aria-pressed="false">${iconHtml("moon")}${iconHtml("sun")}</button></div>
</header>`;
}

/** Up to this many pages, all groups are open from the start. */
const maxOpenPages = 40;
/** Beyond this many pages, groups that the page is not in are a link: every page carries its navigation. */
const maxListedPages = 400;

/** Each entry that is only a link as it was last rendered, and for which folder: the pages of a folder have the same. */
const linkItems = new WeakMap<NavigationNode, { readonly folder: string; readonly item: Html }>();

const switchLabels = { version: "Version", language: "Language", product: "Product" };

/** Renders menus for the parts of the site to choose from, and the entries of the chosen ones. */
function renderSidebar(
  switches: readonly Switch[],
  nodes: readonly NavigationNode[],
  location: PageLocation | undefined,
  outPath: string,
): Html {
  const pageCount = countPages(nodes, maxListedPages + 1);
  const chevron = iconHtml("chevron-right");
  const folder = posix.dirname(outPath);
  const linkTo = (path: string) => relativeLink(outPath, path);

  function reuse(node: NavigationNode, render: () => Html): Html {
    const known = linkItems.get(node);
    if (known?.folder === folder) return known.item;
    const item = render();
    linkItems.set(node, { folder, item });
    return item;
  }

  function renderGroup(group: NavigationGroup, depth: number): Html {
    const { title, children } = group;
    const holdsPage = location?.ancestors.includes(group) ?? false;
    const landing = firstPage(children);
    if (!holdsPage && pageCount > maxListedPages && landing !== undefined) {
      const { outPath: target } = landing.route;
      return reuse(
        group,
        () => html`<li><a class="nav-folded" href="${linkTo(target)}">${title}${chevron}</a></li>`,
      );
    }
    const open = (holdsPage || (depth === 0 && pageCount <= maxOpenPages)) && html` open`;
    return html`<li><details${open}><summary>${title}${chevron}</summary>${renderList(children, depth + 1, title)}</details></li>`;
  }

  function renderList(list: readonly NavigationNode[], depth: number, groupTitle?: string): Html {
    // A group's own page would only repeat the group's title.
    const indexTitle = list.some(({ title }) => title === "Overview") ? undefined : groupTitle;
    const items = list.map((node) => {
      if (node.kind === "group") return node.as === undefined && renderGroup(node, depth);
      if (node.kind === "link")
        return html`<li><a href="${node.href}" rel="noopener noreferrer">${node.title}${iconHtml("external-link")}</a></li>`;
      const isCurrent = location?.page.route === node.route;
      const renderItem = () => {
        const title = node.title === indexTitle ? "Overview" : node.title;
        const method = node.method !== undefined && html`${renderMethod(node.method)} `;
        const label = node.deprecated ? html`<s>${title}</s>` : title;
        const tag = node.tag !== undefined && html` <span class="tag">${node.tag}</span>`;
        const current = isCurrent && html` aria-current="page"`;
        return html`<li><a href="${linkTo(node.route.outPath)}"${current}>${method}${label}${tag}</a></li>`;
      };
      return isCurrent ? renderItem() : reuse(node, renderItem);
    });
    return html`<ul>${items}</ul>`;
  }

  const menus = switches.map((menu) => {
    if (menu.as === "tab") return false;
    const label = html`<span class="switcher-label">${switchLabels[menu.as]}</span> ${menu.active.title}${chevron}`;
    return html`<details class="switcher"><summary>${label}</summary>${renderSections(menu, linkTo)}</details>`;
  });
  return html`${menus}${renderList(nodes, 0)}`;
}

/** Links to the parts of the site of which the page is in one. */
function renderSections({ sections, active }: Switch, linkTo: LinkTo): Html {
  const links = sections.map((section) => {
    const landing = firstPage(section.children);
    if (landing === undefined) return false;
    const current = section === active && html` aria-current="true"`;
    return html`<li><a href="${linkTo(landing.route.outPath)}"${current}>${section.title}</a></li>`;
  });
  return html`<ul>${links}</ul>`;
}

function renderBreadcrumbs(location: PageLocation | undefined): Html | false {
  const groups = (location?.ancestors ?? []).filter(
    ({ title, as }) => title !== location?.page.title && as !== "language",
  );
  if (groups.length === 0) return false;
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${groups.map(({ title }) => html`<li>${title}</li>`)}</ol></nav>`;
}

function renderContents(headings: RenderedPage["headings"]): Html | false {
  const listed = headings.filter(({ depth, isUnlisted }) => depth <= 3 && isUnlisted !== true);
  if (listed.length < 2) return false;
  const items = listed.map(
    ({ id, text, depth }) => html`<li class="toc-${depth}"><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav class="toc" aria-label="On this page"><p class="toc-title">On this page</p><ul>${items}</ul></nav>`;
}

/** Links to the pages before and after this one, within the same part of the site. */
function renderPager({ order }: Site, location: PageLocation | undefined, linkTo: LinkTo): Html | false {
  if (location === undefined) return false;
  const sectionsOf = ({ ancestors }: PageLocation) => ancestors.filter(({ as }) => as !== undefined);
  const own = sectionsOf(location);
  const link = (offset: number, rel: string, label: string) => {
    const to = order[location.position + offset];
    const other = to && sectionsOf(to);
    if (to === undefined || other?.length !== own.length || own.some((section, at) => section !== other[at]))
      return false;
    return html`<a class="pager-${rel}" rel="${rel}" href="${linkTo(to.page.route.outPath)}"><span class="pager-label">${label}</span><span class="pager-title">${to.page.title}</span></a>`;
  };
  const links = [link(-1, "prev", "Previous"), link(1, "next", "Next")].filter(Boolean);
  return links.length > 0 && html`<nav class="pager" aria-label="Previous and next page">${links}</nav>`;
}

function renderMethod(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`;
}

function renderEndpoint(endpoint: string | undefined): Html | false {
  const { method, path } = readEndpoint(endpoint) ?? {};
  if (method === undefined) return false;
  return html`<p class="endpoint">${renderMethod(method)}<code>${path}</code></p>`;
}

/** The front page of documents that have none: the navigation's first level. */
export function renderHomePage(site: Site): string {
  const cards = site.navigation.map((node) => {
    const landing = firstPage([node]);
    if (landing === undefined) return false;
    return html`<div class="card card-link"><p class="card-title"><a href="${relativeLink("index.html", landing.route.outPath)}">${node.title}</a></p></div>`;
  });
  return renderOwnPage(site, "index", site.title, html`<div class="columns columns-2">${cards}</div>`);
}

/** The page that file servers show for an address that does not exist. */
export function renderNotFoundPage(site: Site): string {
  const content = html`<p>There is no page at this address. Search the site, or start from <a href="index.html">the front page</a>.</p>`;
  return renderOwnPage(site, "404", "Page not found", content);
}

/** A page that no document is behind. */
function renderOwnPage(site: Site, slug: string, title: string, content: Html): string {
  const route = { source: "", slug, outPath: `${slug}.html` };
  const titleHtml = toMarkup([{ type: "text", value: title }]);
  const source = { route, frontMatter: {}, title };
  return renderDocument(site, {
    source,
    titleHtml,
    contentHtml: content.toString(),
    asideHtml: "",
    headings: [],
  });
}
