/** The files of an exported site for programs: Markdown links, `llms.txt`, `llms-full.txt` and the sitemap. */
import { posix } from "node:path";
import { html } from "hono/html";
import { oneLine, printInline } from "./content/to-markdown.ts";
import type { LinkResolver } from "./links.ts";
import type { Site } from "./page-layout.ts";
import type { PageSource } from "./render-page.ts";
import { encodePath, markdownPath, type Route } from "./routes.ts";

/** Makes links lead to the Markdown files of pages. @param page if given, its links become absolute paths from the site's root */
export function toMarkdownFiles({ resolveLink, resolveMedia }: LinkResolver, page?: Route): LinkResolver {
  const toFile = (href: string | undefined) => {
    if (href === undefined || /^(?:[a-z][a-z\d+.-]*:|#)/i.test(href)) return href;
    const file = href.replace(/\.html(?=#|$)/, ".md");
    return page === undefined ? file : posix.join("/", posix.dirname(page.outPath), file);
  };
  return { resolveLink: (href, line) => toFile(resolveLink(href, line)), resolveMedia };
}

/** Maximum size of `llms-full.txt`: the context of its readers is limited. */
const maxFullBytes = 8 * 1024 * 1024;
/** Reserved for the note on omitted pages. */
const noteBytes = 100;
/** Maximum number of pages in `llms.txt`. */
const maxListed = 10_000;
/** Maximum number of URLs in a sitemap (sitemaps.org). */
const maxAddresses = 50_000;

/** The data for the lists. */
export interface AgentFilesSource {
  readonly site: Site;
  readonly description: string | undefined;
  /** The pages to list, in navigation order. */
  readonly pages: readonly PageSource[];
  /** Reads a file of the site. */
  readonly readFile: (path: string) => Promise<Buffer>;
  /** URL of the published site, if known. */
  readonly address: string | undefined;
}

/**
 * Creates the lists of a site's pages, by path: `llms.txt` and `llms-full.txt` (llmstxt.org), and `sitemap.xml` if the site's URL is known.
 *
 * @param onLeftOut receives the number of pages that a file omits
 */
export async function createAgentFiles(
  source: AgentFilesSource,
  onLeftOut: (file: string, count: number) => void,
): Promise<ReadonlyMap<string, string>> {
  const { site, pages, readFile, address } = source;
  const report = (file: string, count: number, max: number) => count > max && onLeftOut(file, count - max);
  const defaults = pages.filter(({ version, isDefaultVersion }) => version === undefined || isDefaultVersion);
  report("llms.txt", defaults.length, maxListed);
  const language = site.lang ?? defaults[0]?.lang;
  const main = defaults.filter(({ lang }) => lang === undefined || lang === language);
  const full = await joinPages(main, readFile);
  report("llms-full.txt", main.length, full.count);
  const omitted = pages.length - full.count;
  const note = omitted === 0 ? "" : `\n---\n\nNot in this file: ${omitted} pages. See llms.txt.\n`;
  const files = new Map([
    ["llms.txt", printList(source, [...new Set([...main, ...defaults])].slice(0, maxListed))],
    ["llms-full.txt", full.text + note],
  ]);
  if (address === undefined) return files;
  report("sitemap.xml", pages.length, maxAddresses);
  return files.set("sitemap.xml", printSitemap(address, pages.slice(0, maxAddresses)));
}

/** Sections are navigation groups, the main language first. Each other version is a single link. */
function printList({ site, description, pages }: AgentFilesSource, listed: readonly PageSource[]): string {
  const titleOf = ({ route }: PageSource) =>
    (site.locations.get(route.source)?.ancestors ?? []).map(({ title }) => oneLine(title)).join(" / ");
  const lines = [`# ${oneLine(site.title)}`, ""];
  if (description !== undefined) lines.push(`> ${printInline(description)}`, "");
  lines.push("Every page is Markdown at these addresses, and HTML with the ending `.html`.");
  for (const [title, group] of Map.groupBy(listed, titleOf)) {
    lines.push("", `## ${title || "Pages"}`, "");
    for (const page of group) lines.push(linkLine(page, page.title, page.frontMatter.description));
  }
  const others = pages.filter(({ version, isDefaultVersion }) => version !== undefined && !isDefaultVersion);
  const versions = [...Map.groupBy(others, ({ lang, version }) => `${lang} ${version}`).values()].flatMap(
    ([first]) => (first === undefined ? [] : [linkLine(first, titleOf(first), undefined)]),
  );
  if (versions.length > 0) lines.push("", "## Optional", "", ...versions);
  return `${lines.join("\n")}\n`;
}

function linkLine({ route }: PageSource, title: string, about: string | undefined): string {
  const link = `- [${oneLine(title).replace(/[[\]]/g, "\\$&")}](${encodePath(markdownPath(route.outPath))})`;
  return about === undefined ? link : `${link}: ${printInline(about)}`;
}

/** Joins the texts of as many pages as fit. */
async function joinPages(pages: readonly PageSource[], readFile: AgentFilesSource["readFile"]) {
  const parts: string[] = [];
  let bytes = noteBytes;
  for (const { route } of pages) {
    const path = markdownPath(route.outPath);
    const text = (await readFile(path)).toString();
    const part = `${parts.length === 0 ? "" : "\n---\n\n"}${text}\nSource: ${encodePath(path)}\n`;
    bytes += Buffer.byteLength(part);
    if (bytes > maxFullBytes) break;
    parts.push(part);
  }
  return { text: parts.join(""), count: parts.length };
}

function printSitemap(address: string, pages: readonly PageSource[]): string {
  const base = address.replace(/\/+$/, "");
  const entries = pages.map(
    ({ route }) => html`<url><loc>${`${base}/${encodePath(route.outPath)}`}</loc></url>\n`,
  );
  const start =
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  return `${start}${entries.join("")}</urlset>\n`;
}
