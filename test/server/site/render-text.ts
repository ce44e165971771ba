import type { LinkResolver } from "../../../src/server/site/links.ts";
import { type PageSource, renderPage } from "../../../src/server/site/render-page.ts";
import type { WarningKind } from "../../../src/server/site/report.ts";
import type { Route } from "../../../src/server/site/routes.ts";

/** What became of a text. */
export interface RenderedText {
  readonly html: string;
  /** What is shown beside it. */
  readonly aside: string;
  /** Headings of the table of contents. */
  readonly listed: readonly string[];
  readonly title: string;
  readonly text: string;
  /** The page as Markdown, with its title. */
  readonly markdown: string;
  readonly warnings: readonly string[];
  /** The kinds of the warnings, and the lines that they name. */
  readonly kinds: readonly WarningKind[];
  readonly lines: readonly (number | undefined)[];
  readonly unknown: readonly string[];
}

const keepLinks: LinkResolver = {
  resolveLink: (href) => href,
  resolveMedia: (source) => source,
};

/** A page of which nothing is known but where it is. */
function createPageSource(route: Route): PageSource {
  const place = { lang: undefined, version: undefined, isDefaultVersion: true };
  return { route, frontMatter: {}, title: "Page", isIndexed: true, ...place };
}

/** Renders one page by itself; links are kept as they are, so that nothing but the renderer protects the page. */
export async function renderText(body: string, source = "page.mdx"): Promise<RenderedText> {
  const warnings: string[] = [];
  const kinds: WarningKind[] = [];
  const lines: (number | undefined)[] = [];
  const unknown: string[] = [];
  const onWarning = (message: string, kind: WarningKind, line?: number) => {
    const [, name] = /^<(.+)> is not a known component/.exec(message) ?? [];
    if (kind === "component" && name !== undefined) unknown.push(name);
    else if (warnings.push(message) > 0 && kinds.push(kind) > 0) lines.push(line);
  };
  const route = { source, slug: "page", outPath: "page.html" };
  const docs = { root: "/nowhere", files: new Set<string>(), skipped: [] };
  const page = await renderPage(createPageSource(route), body, {
    slugStyle: "github",
    docs,
    links: keepLinks,
    markdownLinks: keepLinks,
    onWarning,
  });
  const listed = page.headings.filter(({ isUnlisted }) => isUnlisted !== true).map(({ text }) => text);
  const { contentHtml: html, asideHtml: aside, titleHtml: title } = page;
  const text = page.sections.map((section) => section.slice(1).join(" ").trim()).join(" ");
  return { html, markdown: page.markdown, aside, listed, title, text, warnings, kinds, lines, unknown };
}

/** The same, as HTML alone. */
export async function renderHtml(body: string, source = "page.mdx"): Promise<string> {
  return (await renderText(body, source)).html.trim();
}
