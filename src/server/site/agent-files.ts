/** The files of an exported site for programs: Markdown links, `llms.txt`, `llms-full.txt` and the sitemap. */
import { posix } from "node:path";
import { html } from "hono/html";
import { oneLine, printInline } from "./content/to-markdown.ts";
import type { LinkResolver } from "./links.ts";
import type { SiteDescription } from "./page-layout.ts";
import type { PageSource } from "./render-page.ts";
import { encodePath, hasScheme, markdownPath, type Route } from "./routes.ts";

/** Makes links lead to the Markdown files of pages. @param page if given, its links become absolute paths from the site's root */
export function toMarkdownFiles({ resolveLink, resolveMedia }: LinkResolver, page?: Route): LinkResolver {
  const toFile = (href: string | undefined) => {
    if (href === undefined || hasScheme(href) || href.startsWith("#")) return href;
    const file = href.replace(/\.html(?=#|$)/, ".md");
    return page === undefined ? file : posix.join("/", posix.dirname(page.outPath), file);
  };
  return { resolveLink: (href, line) => toFile(resolveLink(href, line)), resolveMedia };
}

/** Maximum size of `llms-full.txt`: the context of its readers is limited. */
const maxFullBytes = 8 * 1024 * 1024;
/** Reserved for the note on omitted pages. */
const noteBytes = 100;

/** Whether a page belongs to the main language and the default version of a site. */
export function isMainPage({ lang, isDefaultVersion }: PageSource, site: SiteDescription): boolean {
  return (lang === undefined || lang === site.lang) && isDefaultVersion;
}

/** The list of a site's pages (llmstxt.org) in the default version, by navigation groups; the main language first. */
export function printPageList(
  site: SiteDescription,
  pages: readonly PageSource[],
  description: string | undefined,
): string {
  const titleOf = ({ route }: PageSource) =>
    (site.locations.get(route.source)?.ancestors ?? []).map(({ title }) => oneLine(title)).join(" / ");
  const isForeign = (page: PageSource) => Number(!isMainPage(page, site));
  const listed = pages
    .filter(({ isDefaultVersion }) => isDefaultVersion)
    .toSorted((left, right) => isForeign(left) - isForeign(right));
  const lines = [`# ${oneLine(site.title)}`, ""];
  if (description !== undefined) lines.push(`> ${printInline(description)}`, "");
  lines.push("Every page is Markdown at these addresses, and HTML with the ending `.html`.");
  for (const [title, section] of Map.groupBy(listed, titleOf))
    lines.push("", `## ${title || "Pages"}`, "", ...section.map(printListItem));
  return `${lines.join("\n")}\n`;
}

function printListItem({ route, title, frontMatter: { description } }: PageSource): string {
  const link = `- [${oneLine(title).replace(/[[\]]/g, "\\$&")}](${encodePath(markdownPath(route.outPath))})`;
  return description === undefined ? link : `${link}: ${printInline(description)}`;
}

/**
 * Joins the Markdown of as many pages as fit into `llms-full.txt`.
 *
 * @param total number of all pages
 */
export function joinPages(pages: Iterable<readonly [path: string, text: string]>, total: number): string {
  const parts: string[] = [];
  let bytes = noteBytes;
  for (const [path, text] of pages) {
    const part = `${text}\nSource: ${encodePath(path)}\n`;
    bytes += Buffer.byteLength(part);
    if (bytes > maxFullBytes) break;
    parts.push(part);
  }
  const omitted = total - parts.length;
  if (omitted > 0) parts.push(`Not in this file: ${omitted} pages. See llms.txt.\n`);
  return parts.join("\n---\n\n");
}

/** The sitemap of a site with a known URL. */
export function printSitemap(siteUrl: string, pages: readonly PageSource[]): string {
  const base = siteUrl.replace(/\/+$/, "");
  const entries = pages.map(
    ({ route }) => html`<url><loc>${`${base}/${encodePath(route.outPath)}`}</loc></url>\n`,
  );
  const start =
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  return `${start}${entries.join("")}</urlset>\n`;
}
