/** What an exported site has for programs that read it: each page as Markdown, and lists of the pages. */
import { posix } from "node:path";
import { html } from "hono/html";
import { oneLine, printInline } from "./content/to-markdown.ts";
import type { LinkResolver } from "./links.ts";
import type { Site } from "./page-layout.ts";
import type { PageSource } from "./render-page.ts";
import { encodePath, markdownPath, type Route } from "./routes.ts";

/** Links that lead from Markdown to Markdown; with a page they start at the site's root and not at it. */
export function toMarkdownFiles({ resolveLink, resolveMedia }: LinkResolver, page?: Route): LinkResolver {
  const toFile = (href: string | undefined) => {
    if (href === undefined || /^(?:[a-z][a-z\d+.-]*:|#)/i.test(href)) return href;
    const file = href.replace(/\.html(?=#|$)/, ".md");
    return page === undefined ? file : posix.join("/", posix.dirname(page.outPath), file);
  };
  return { resolveLink: (href, line) => toFile(resolveLink(href, line)), resolveMedia };
}

/** `llms-full.txt` holds no more: programs that read it have little memory. */
const maxFullBytes = 8 * 1024 * 1024;
/** Of these, the note on what is left out may take so many. */
const noteBytes = 100;
/** `llms.txt` lists no more pages. */
const maxListed = 10_000;
/** A sitemap has no more addresses (sitemaps.org). */
const maxAddresses = 50_000;

/** What the lists are made from. */
export interface AgentFilesSource {
  readonly site: Site;
  readonly description: string | undefined;
  /** The pages to list, in the order of the navigation. */
  readonly pages: readonly PageSource[];
  /** Reads a file of the site. */
  readonly readFile: (path: string) => Promise<Buffer>;
  /** Address of the published site, where it is known. */
  readonly address: string | undefined;
}

/**
 * The lists of a site's pages, by their paths in it: `llms.txt` and `llms-full.txt` as llmstxt.org describes them, and with the
 * site's address a `sitemap.xml`.
 *
 * @param onLeftOut Told how many pages one of the files leaves out.
 */
export async function createAgentFiles(
  source: AgentFilesSource,
  onLeftOut: (file: string, count: number) => void,
): Promise<ReadonlyMap<string, string>> {
  const { site, pages, readFile, address } = source;
  const tell = (file: string, count: number, most: number) => count > most && onLeftOut(file, count - most);
  const defaults = pages.filter(({ version, isDefaultVersion }) => version === undefined || isDefaultVersion);
  tell("llms.txt", defaults.length, maxListed);
  const language = site.lang ?? defaults[0]?.lang;
  const main = defaults.filter(({ lang }) => lang === undefined || lang === language);
  const full = await joinPages(main, readFile);
  tell("llms-full.txt", main.length, full.count);
  const rest = pages.length - full.count;
  const note = rest === 0 ? "" : `\n---\n\nNot in this file: ${rest} pages. See llms.txt.\n`;
  const files = new Map([
    ["llms.txt", printList(source, [...new Set([...main, ...defaults])].slice(0, maxListed))],
    ["llms-full.txt", full.text + note],
  ]);
  if (address === undefined) return files;
  tell("sitemap.xml", pages.length, maxAddresses);
  return files.set("sitemap.xml", printSitemap(address, pages.slice(0, maxAddresses)));
}

/** Sections are the navigation's groups: those of the first language first; other versions are a link each. */
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

/** The text of the pages, as many as fit. */
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
