/** The HTML document around a page's content: header, navigation, table of contents. */
import { type Html, html } from "./content/html.ts";
import { iconHtml } from "./content/icons.ts";
import { firstPage, type NavigationNode, type PageLocation } from "./navigation.ts";
import type { RenderedPage } from "./render-page.ts";
import { assetsFolder, relativeLink } from "./routes.ts";
import { type LinkTo, partOf, renderNavigation } from "./sidebar.ts";

/** What the frame of every page needs to know of the site around it. */
export interface Site {
  readonly title: string;
  /** Shown beside the title. */
  readonly version: string | undefined;
  readonly navigation: readonly NavigationNode[];
  /** Pages of the navigation in reading order, by their source files. */
  readonly locations: ReadonlyMap<string, PageLocation>;
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
export function renderDocument(site: Site, page: Omit<RenderedPage, "text" | "ids">): string {
  const { frontMatter, title, route } = page.source;
  const { outPath } = route;
  const location = site.locations.get(route.source);
  const linkTo = (path: string) => relativeLink(outPath, path);
  const { tabBar, sidebar } = renderNavigation(site.navigation, location, linkTo);
  const part = partOf(site.navigation, location);
  const asset = (name: string) => linkTo(`${assetsFolder}/${name}`);
  const { description } = frontMatter;
  return html`<!doctype html>
<html lang="${languageOf(frontMatter.lang, location)}" data-root="${"../".repeat(outPath.split("/").length - 1)}"${part !== "" && html` data-part="${part}"`}>
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
<body${tabBar && html` class="has-tab-bar"`}>
<a class="sr-only" href="#docs-content">Skip to content</a>
${renderHeader(site, linkTo)}
${tabBar}
<div class="layout">
<nav class="sidebar" id="docs-navigation" aria-label="Site">${sidebar}</nav>
<main id="docs-content" tabindex="-1">
${renderBreadcrumbs(location)}<article>
<h1>${page.titleHtml}</h1>
${renderEndpoint(frontMatter.endpoint)}${description !== undefined && html`<p class="lead">${withCode(description)}</p>`}
${page.contentHtml}
</article>
${renderPager(location, linkTo)}
</main>
${renderContents(page.headings)}
</div>
</body>
</html>
`.markup;
}

function languageOf(written: string | undefined, location: PageLocation | undefined): string {
  const section = location?.ancestors.find((node) => node.kind === "section" && node.as === "language");
  const lang = written ?? (section?.kind === "section" ? section.lang : undefined) ?? "en";
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
<button type="button" class="icon-button menu-button" data-menu aria-expanded="false" aria-controls="docs-navigation" aria-label="Navigation">${iconHtml("menu")}</button>
<a class="site-name" href="${linkTo("index.html")}">${name}</a>${version !== undefined && html`<span class="tag">${version}</span>`}
<div class="header-tools">${links.map(({ label, href }) => html`<a class="header-link" href="${href}" rel="noopener noreferrer">${label}</a>`)}<button type="button" class="search-button" data-search>${iconHtml("search")}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon-button" data-theme-toggle aria-label="Dark colours" aria-pressed="false">${iconHtml("moon")}${iconHtml("sun")}</button></div>
</header>`;
}

function renderBreadcrumbs(location: PageLocation | undefined): Html | false {
  const groups = (location?.ancestors ?? []).filter(
    (node) => node.title !== location?.page.title && !(node.kind === "section" && node.as === "language"),
  );
  if (groups.length === 0) return false;
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${groups.map(({ title }) => html`<li>${title}</li>`)}</ol></nav>`;
}

function renderContents(headings: RenderedPage["headings"]): Html | false {
  const listed = headings.filter(({ depth }) => depth <= 3);
  if (listed.length < 2) return false;
  const items = listed.map(
    ({ id, text, depth }) => html`<li class="toc-${depth}"><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav class="toc" aria-label="On this page"><p class="toc-title">On this page</p><ul>${items}</ul></nav>`;
}

/** Links to the pages before and after this one, within the same part of the site. */
function renderPager(location: PageLocation | undefined, linkTo: LinkTo): Html | false {
  const sectionsOf = ({ ancestors }: PageLocation) => ancestors.filter(({ kind }) => kind === "section");
  const link = (to: PageLocation | undefined, rel: "prev" | "next", label: string) => {
    if (location === undefined || to === undefined) return false;
    const own = sectionsOf(location);
    const other = sectionsOf(to);
    if (own.length !== other.length || own.some((section, at) => section !== other[at])) return false;
    return html`<a class="pager-${rel}" rel="${rel}" href="${linkTo(to.page.route.outPath)}"><span class="pager-label">${label}</span><span class="pager-title">${to.page.title}</span></a>`;
  };
  const previous = link(location?.previous, "prev", "Previous");
  const next = link(location?.next, "next", "Next");
  if (!previous && !next) return false;
  return html`<nav class="pager" aria-label="Previous and next page">${previous}${next}</nav>`;
}

function renderEndpoint(endpoint: string | undefined): Html | false {
  const match = /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+(\S+)\s*$/i.exec(endpoint ?? "");
  if (match === null) return false;
  const method = (match[1] ?? "").toUpperCase();
  return html`<p class="endpoint"><span class="method method-${method.toLowerCase()}">${method}</span><code>${match[2]}</code></p>`;
}

/** A description is plain text but for `code` between back-ticks. */
function withCode(description: string): Html[] {
  return description
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`));
}

/** The front page of documents that have none: the navigation's first level. */
export function renderHomePage(site: Site): string {
  const cards = site.navigation.map((node) => {
    const landing = node.kind === "link" ? undefined : firstPage([node]);
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
function renderOwnPage(site: Site, slug: string, title: string, contentHtml: Html): string {
  const route = { source: "", slug, outPath: `${slug}.html` };
  const source = { route, frontMatter: {}, title };
  return renderDocument(site, { source, titleHtml: html`${title}`, contentHtml, headings: [] });
}
