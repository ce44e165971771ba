/** The way of one page from its source to sanitized HTML: parse, inline snippets, convert, sanitize, expand, link. */
import type { Element, ElementContent, Root as HtmlRoot } from "hast";
import type { Root } from "mdast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { componentNamesByLowerCase, expandComponents } from "./components/expand-components.ts";
import { markAlerts } from "./content/alerts.ts";
import type { DocsTree } from "./content/docs-tree.ts";
import { identifyFields } from "./content/field-ids.ts";
import type { FrontMatter } from "./content/front-matter.ts";
import { element, textOf } from "./content/hast.ts";
import { type Heading, outlineHeadings } from "./content/headings.ts";
import { Html, html } from "./content/html.ts";
import { pageText } from "./content/page-text.ts";
import { type ParsedPage, parseMarkdown, parsePage } from "./content/parse-page.ts";
import { polishTree } from "./content/polish-tree.ts";
import { type LinkResolver, resolveLinks } from "./content/resolve-links.ts";
import { sanitizePage } from "./content/sanitize.ts";
import { inlineSnippets, type PageScopes } from "./content/snippets.ts";
import { withTimeLimit } from "./content/time-limit.ts";
import { toHtmlTree } from "./content/to-html-tree.ts";
import type { Route } from "./routes.ts";

/** A page before it is rendered. */
export interface PageSource {
  readonly route: Route;
  readonly frontMatter: FrontMatter;
  /** Its name in navigation, search and the browser's title. */
  readonly title: string;
}

/** A page's content as HTML, and what the rest of the site needs to know of it. */
export interface RenderedPage {
  readonly source: PageSource;
  /** The inside of the page's first-level heading. */
  readonly titleHtml: Html;
  readonly contentHtml: Html;
  readonly headings: readonly Heading[];
  /** Words for the search index. */
  readonly text: string;
  /** Every identifier that a link can point to. */
  readonly ids: ReadonlySet<string>;
}

/** Where a page's content is from and where remarks on it go. */
export interface RenderPageDeps {
  readonly docs: DocsTree;
  readonly links: LinkResolver;
  readonly onWarning: (message: string) => void;
  readonly onUnknownComponent: (name: string) => void;
}

const stringifier = unified().use(rehypeStringify, { closeSelfClosing: false }).freeze();

function toMarkup(children: readonly ElementContent[]): Html {
  return new Html(stringifier.stringify({ type: "root", children: [...children] }));
}

function collectIds(tree: HtmlRoot): Set<string> {
  const ids = new Set<string>();
  visit(tree, "element", (node: Element) => {
    const { id } = node.properties;
    if (typeof id === "string") ids.add(id);
  });
  return ids;
}

const maxNamedLines = 5;

/** Lines of the page's file; what stands in a snippet has none. */
function describeLines(lines: readonly (number | undefined)[]): string {
  const known = [...new Set(lines)].filter((line) => line !== undefined);
  if (known.length === 0) return "";
  const more = known.length > maxNamedLines ? ", …" : "";
  return ` (line ${known.slice(0, maxNamedLines).join(", ")}${more})`;
}

function toSafeTree(tree: Root, scopes: PageScopes, deps: RenderPageDeps): HtmlRoot {
  const dynamicLines: (number | undefined)[] = [];
  const converted = toHtmlTree(tree, {
    scopeOf: scopes.of,
    componentNames: componentNamesByLowerCase,
    onDynamicExpression: (line) => dynamicLines.push(line),
  });
  if (dynamicLines.length > 0) {
    const places = describeLines(dynamicLines);
    deps.onWarning(`expressions that would have to be run were left out: ${dynamicLines.length}${places}`);
  }
  const onFrame = (address: string) => deps.onWarning(`embedded content became a link: ${address}`);
  return expandComponents(sanitizePage(converted, { onFrame }), { onUnknown: deps.onUnknownComponent });
}

/** A heading can be left without words: those of an expression, for instance. */
function hasText(nodes: readonly ElementContent[] | undefined): nodes is readonly ElementContent[] {
  return nodes?.some((node) => textOf(node).trim() !== "") ?? false;
}

function finishPage(tree: HtmlRoot, page: PageSource, deps: RenderPageDeps): RenderedPage {
  polishTree(tree);
  const { leadingTitle, headings } = outlineHeadings(tree);
  identifyFields(tree, collectIds(tree));
  resolveLinks(tree, deps.links);
  return {
    source: page,
    titleHtml: toMarkup(hasText(leadingTitle) ? leadingTitle : [{ type: "text", value: page.title }]),
    contentHtml: toMarkup(tree.children as ElementContent[]),
    headings,
    text: pageText(tree),
    ids: collectIds(tree),
  };
}

/** The last resort for a page that defeats every parser: its text, as it is. */
function renderAsText(body: string, page: PageSource): RenderedPage {
  const text = body.trim();
  const tree = element("pre", { tabIndex: 0 }, text);
  return {
    source: page,
    titleHtml: html`${page.title}`,
    contentHtml: toMarkup([tree]),
    headings: [],
    text: text.slice(0, 10_000),
    ids: new Set(),
  };
}

/** Generous, since a busy machine must not change the result: real pages take up to one second of an idle one. */
const parseLimitMs = 30_000;

type Parse = (body: string) => ParsedPage;

async function tryToRender(
  parse: Parse,
  page: PageSource,
  body: string,
  deps: RenderPageDeps,
): Promise<RenderedPage> {
  const { tree, problem } = withTimeLimit(parseLimitMs, () => parse(body));
  if (problem !== undefined) deps.onWarning(problem);
  markAlerts(tree);
  const { docs, onWarning } = deps;
  const scopes = await inlineSnippets(tree, { docs, path: page.route.source, onWarning });
  return withTimeLimit(parseLimitMs, () => finishPage(toSafeTree(tree, scopes, deps), page, deps));
}

/** Renders a page; whatever is wrong with it becomes a warning and a plainer page, never an error. */
export async function renderPage(
  page: PageSource,
  body: string,
  deps: RenderPageDeps,
): Promise<RenderedPage> {
  const attempts: readonly Parse[] = [
    (text) => parsePage(page.route.source, text),
    (text) => ({ tree: parseMarkdown(text), syntax: "markdown" }),
  ];
  for (const parse of attempts) {
    try {
      return await tryToRender(parse, page, body, deps);
    } catch (error) {
      deps.onWarning(`it is shown more plainly than it was written: ${String(error)}`);
    }
  }
  return renderAsText(body, page);
}

/** The first heading of a page's Markdown, for pages without a title in their front matter. */
export function firstHeading(body: string): string | undefined {
  const beforeCode = body.split(/^(?:```|~~~)/m, 1)[0] ?? "";
  const heading = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(beforeCode)?.[1];
  if (heading === undefined) return undefined;
  const text = heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]|<[^>]*>/g, "")
    .trim();
  return text === "" ? undefined : text;
}
