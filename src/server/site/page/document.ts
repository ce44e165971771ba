/** The HTML document around a page's content. */
import type { Heading } from "../content/headings.ts";
import { type Html, html } from "../content/html.ts";
import { iconHtml } from "../content/icons.ts";
import type { NavigationPage, PagePlace } from "../navigation.ts";
import { assetsFolder, rootPrefix } from "../routes.ts";
import { modelSidebar, partOf, renderSidebar, renderTabBar } from "./sidebar.ts";
import { linkFrom, type Position, type Site } from "./site.ts";

/** What a document shows. */
export interface DocumentContent extends Position {
  /** Plain text, for the browser's title. */
  readonly title: string;
  readonly titleHtml: Html;
  readonly description: string | undefined;
  /** A method and a path that the page documents. */
  readonly endpoint: string | undefined;
  readonly lang: string;
  readonly contentHtml: Html;
  readonly headings: readonly Heading[];
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

function renderHead(site: Site, content: DocumentContent): Html {
  const asset = (name: string) => linkFrom(content, `${assetsFolder}/${name}`);
  const title = content.title === site.title ? site.title : `${content.title} · ${site.title}`;
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${content.description !== undefined && html`<meta name="description" content="${content.description.replaceAll("`", "")}">\n`}<meta name="color-scheme" content="light dark">
<link rel="icon" href="${linkFrom(content, site.favicon)}">
<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("theme.js")}"></script>
<script src="${asset("site.js")}" defer></script>
</head>`;
}

function renderLogo(site: Site, content: DocumentContent): Html {
  if (site.logo === undefined) return html`<span class="site-title">${site.title}</span>`;
  const { light, dark } = site.logo;
  const picture = (path: string, className: string) =>
    html`<img class="${className}" src="${linkFrom(content, path)}" alt="${site.title}" height="26">`;
  return html`${picture(light, "only-light")}${picture(dark, "only-dark")}`;
}

function renderHeader(site: Site, content: DocumentContent): Html {
  const version = site.version !== undefined && html`<span class="site-version">${site.version}</span>`;
  const links = site.links.map(
    ({ label, href }) => html`<a class="header-link" href="${href}" rel="noopener noreferrer">${label}</a>`,
  );
  return html`<header class="site-header">
<button type="button" class="icon-button menu-button" data-menu aria-expanded="false" aria-controls="docs-navigation" aria-label="Navigation">${iconHtml("menu")}</button>
<a class="site-name" href="${linkFrom(content, site.home)}">${renderLogo(site, content)}</a>${version}
<div class="header-tools">${links}<button type="button" class="search-button" data-search>${iconHtml("search")}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon-button" data-theme-toggle aria-label="Dark colours" aria-pressed="false">${iconHtml("moon")}${iconHtml("sun")}</button></div>
</header>`;
}

function renderBreadcrumbs({ place }: DocumentContent): Html | false {
  const groups = (place?.ancestors ?? []).filter(
    (node) => node.title !== place?.page.title && !(node.kind === "section" && node.as === "language"),
  );
  if (groups.length === 0) return false;
  return html`<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${groups.map(({ title }) => html`<li>${title}</li>`)}</ol></nav>`;
}

function renderContents(headings: readonly Heading[]): Html | false {
  const listed = headings.filter(({ depth }) => depth <= 3);
  if (listed.length < 2) return false;
  const items = listed.map(
    ({ id, text, depth }) => html`<li class="toc-${depth}"><a href="#${id}">${text}</a></li>`,
  );
  return html`<nav class="toc" aria-label="On this page"><p class="toc-title">On this page</p><ul>${items}</ul></nav>`;
}

/** Pages before and after this one, within the same part of the site. */
function neighboursOf(site: Site, place: PagePlace | undefined): (NavigationPage | undefined)[] {
  if (place === undefined) return [];
  const sectionsOf = ({ ancestors }: PagePlace) => ancestors.filter(({ kind }) => kind === "section");
  const own = sectionsOf(place);
  const index = site.places.indexOf(place);
  return [site.places[index - 1], site.places[index + 1]].map((neighbour) => {
    if (neighbour === undefined) return undefined;
    const theirs = sectionsOf(neighbour);
    return theirs.length === own.length && theirs.every((section, at) => section === own[at])
      ? neighbour.page
      : undefined;
  });
}

function renderPager(site: Site, content: DocumentContent): Html | false {
  const [previous, next] = neighboursOf(site, content.place);
  if (previous === undefined && next === undefined) return false;
  const link = (page: NavigationPage | undefined, rel: "prev" | "next", label: string) =>
    page !== undefined &&
    html`<a class="pager-${rel}" rel="${rel}" href="${linkFrom(content, page.route.outPath)}"><span class="pager-label">${label}</span><span class="pager-title">${page.title}</span></a>`;
  return html`<nav class="pager" aria-label="Previous and next page">${link(previous, "prev", "Previous")}${link(next, "next", "Next")}</nav>`;
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

/** Renders a whole page. */
export function renderDocument(site: Site, content: DocumentContent): string {
  const sidebar = modelSidebar(site, content);
  const tabBar = renderTabBar(sidebar, content);
  const part = partOf(site, content);
  const lead =
    content.description !== undefined && html`<p class="lead">${withCode(content.description)}</p>`;
  const contents = renderContents(content.headings);
  return html`<!doctype html>
<html lang="${content.lang}" data-root="${rootPrefix(content.outPath)}"${part !== "" && html` data-part="${part}"`}>
${renderHead(site, content)}
<body${tabBar && html` class="has-tab-bar"`}>
<a class="skip-link" href="#docs-content">Skip to content</a>
${renderHeader(site, content)}
${tabBar}
<div class="layout">
<nav class="sidebar" id="docs-navigation" aria-label="Site">${renderSidebar(sidebar, content)}</nav>
<main id="docs-content" tabindex="-1">
${renderBreadcrumbs(content)}<article>
<h1>${content.titleHtml}</h1>
${renderEndpoint(content.endpoint)}${lead}
${content.contentHtml}
</article>
${renderPager(site, content)}
</main>
${contents}
</div>
</body>
</html>
`.markup;
}
