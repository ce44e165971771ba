import { html } from "../content/html.ts";
import { firstPage, type NavigationNode } from "../navigation.ts";
import { renderDocument } from "./document.ts";
import { linkFrom, type Position, type Site } from "./site.ts";

function entryCard(node: NavigationNode, position: Position) {
  const landing = node.kind === "page" ? node : node.kind === "link" ? undefined : firstPage(node.children);
  if (landing === undefined) return false;
  const href = linkFrom(position, landing.route.outPath);
  return html`<div class="card card-link"><p class="card-title"><a href="${href}">${node.title}</a></p></div>`;
}

/** The front page of documents that have none: the navigation's first level. */
export function renderHomePage(site: Site): string {
  const position = { outPath: "index.html", place: undefined };
  return renderDocument(site, {
    ...position,
    title: site.title,
    titleHtml: html`${site.title}`,
    description: undefined,
    endpoint: undefined,
    lang: "en",
    contentHtml: html`<div class="columns columns-2">${site.navigation.map((node) => entryCard(node, position))}</div>`,
    headings: [],
  });
}

/** The page that file servers show for an address that does not exist. */
export function renderNotFoundPage(site: Site): string {
  const position = { outPath: "404.html", place: undefined };
  return renderDocument(site, {
    ...position,
    title: "Page not found",
    titleHtml: html`Page not found`,
    description: undefined,
    endpoint: undefined,
    lang: "en",
    contentHtml: html`<p>There is no page at this address. Search the site, or start from <a href="${linkFrom(position, site.home)}">the front page</a>.</p>`,
    headings: [],
  });
}
