/** Renders one page from its file to HTML. */
import type { ElementContent, Root as HtmlRoot } from "hast";
import { h } from "hastscript";
import type { Root } from "mdast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import type { IndexedSection } from "./client/index-format.ts";
import { renderCodeBlocks } from "./content/code-blocks.ts";
import { inlineMarkdown } from "./content/component.ts";
import { removeAgentsContent } from "./content/components.ts";
import type { DocsTree } from "./content/docs-tree.ts";
import { readPage } from "./content/evaluate-page.ts";
import { elementsIn, findElement } from "./content/hast.ts";
import type { SlugStyle } from "./content/heading-slugs.ts";
import { type FrontMatter, isBare, splitFrontMatter, titleTest } from "./content/page-source.ts";
import { parseMarkdown } from "./content/parse-page.ts";
import {
  findTitle,
  type Heading,
  outlinePage,
  pageCode,
  pageSections,
  polishTree,
  takeAside,
} from "./content/polish-tree.ts";
import { withTimeLimit } from "./content/time-limit.ts";
import { toContent } from "./content/to-html.ts";
import { toMarkdown } from "./content/to-markdown.ts";
import { type Words, wordsFor } from "./interface-words.ts";
import { resolveLinks } from "./link-elements.ts";
import type { LinkResolver } from "./links.ts";
import type { ApiReference } from "./openapi/describe-reference.ts";
import type { PageReporter } from "./report.ts";
import type { Route } from "./routes.ts";

/** A page before it is rendered. */
export interface PageSource {
  readonly route: Route;
  readonly frontMatter: FrontMatter;
  /** Title in navigation, search and the browser. */
  readonly title: string;
  /** The part of an OpenAPI document that it describes after its own text. */
  readonly reference?: ApiReference;
  /** Text of a generated page, which has no file. */
  readonly content?: string;
  /** Digest of its file when the page was planned. */
  readonly digest?: string;
  /** The language that the script of its text identifies. */
  readonly textLanguage?: string | undefined;
  readonly lang: string | undefined;
  /** The language of its search index; without one, every page searches it. */
  readonly searchLanguage?: string | undefined;
  /** Title of the version it belongs to; `undefined`: all versions. */
  readonly version: string | undefined;
  /** Whether it belongs to the default version or to all versions. */
  readonly isDefaultVersion: boolean;
  /** Whether search, assistant and page lists contain it. Pages outside the navigation usually are not indexed. */
  readonly isIndexed: boolean;
}

/** A rendered page with the data that the rest of the site needs. */
export interface RenderedPage {
  readonly source: PageSource;
  /** The first-level heading; empty if the page's content has one. */
  readonly titleHtml: string;
  /** Content of the paragraph below the title; empty without a description. */
  readonly leadHtml: string;
  readonly contentHtml: string;
  readonly markdown: string;
  /** Examples beside the content; empty for most pages. */
  readonly asideHtml: string;
  readonly headings: readonly Heading[];
  readonly hasDiagram: boolean;
  readonly sections: readonly IndexedSection[];
  /** The text of its code blocks, for the search. */
  readonly code: string;
  /** All identifiers that links can target. */
  readonly ids: ReadonlySet<string>;
}

/** The dependencies of rendering a page. */
export interface RenderPageDeps {
  readonly docs: DocsTree;
  readonly links: LinkResolver;
  readonly slugStyle: SlugStyle;
  /** Resolves links for the page as Markdown. */
  readonly markdownLinks: LinkResolver;
  readonly onWarning: PageReporter;
  /** Called before links are resolved, for instance to fetch pictures. */
  readonly beforeLinks?: (html: HtmlRoot) => Promise<void>;
}

/** Renders a page. Problems lead to warnings and simpler output, never to an error. */
export async function renderPage(
  page: PageSource,
  file: string,
  deps: RenderPageDeps,
): Promise<RenderedPage> {
  const { body: ownText } = splitFrontMatter(file);
  const { url = "" } = page.frontMatter;
  // A page without text whose navigation entry is an external link contains that link.
  const body = ownText.trim() === "" && /^https?:[^\s<>]+$/i.test(url) ? `[${url}](<${url}>)` : ownText;
  const { docs, onWarning } = deps;
  const { source } = page.route;
  try {
    return await renderTree(page, deps, (start) =>
      readPage(source, body, docs, onWarning, start, page.reference),
    );
  } catch (error) {
    onWarning(`it could not be rendered, and its source is shown: ${String(error)}`, "markup");
  }
  const text: Root = { type: "root", children: [{ type: "code", value: body.trim() }] };
  return renderTree(page, deps, async (start) => withTimeLimit(() => start(text)));
}

/** Renders a page from its tree, which `read` passes to the first step. */
async function renderTree(
  page: PageSource,
  deps: RenderPageDeps,
  read: <Result>(start: (tree: Root) => Result) => Promise<Result>,
): Promise<RenderedPage> {
  const words = wordsFor(page.lang ?? "");
  const start = (tree: Root) => {
    const html = toContent(tree, words, deps.onWarning);
    polishTree(html, words);
    renderCodeBlocks(html, words, deps.onWarning);
    return html;
  };
  if (deps.beforeLinks === undefined) return read((tree) => finishPage(page, start(tree), words, deps));
  const html = await read(start);
  await deps.beforeLinks(html);
  return withTimeLimit(() => finishPage(page, html, words, deps));
}

/** What needs the other pages: links, and what is known of the page. */
function finishPage(page: PageSource, html: HtmlRoot, words: Words, deps: RenderPageDeps): RenderedPage {
  const { frontMatter } = page;
  const isTitle = titleTest(page, deps.slugStyle);
  const markdown = toMarkdown(html, page, isTitle, deps.markdownLinks, words);
  removeAgentsContent(html);
  const isOwn = isBare(frontMatter);
  const title = isOwn ? findElement(html, "h1") : findTitle(html, isTitle);
  const { headings, ids } = outlinePage(html, deps.slugStyle, words, title);
  resolveLinks(html, deps.links, words);
  if (!isOwn) html.children = html.children.filter((child) => child !== title);
  const lead: HtmlRoot = { type: "root", children: inlineMarkdown(frontMatter.description ?? "") };
  resolveLinks(lead, deps.links, words);
  const sections = pageSections(html);
  const code = pageCode(html);
  const hasDiagram = elementsIn(html).some(({ properties }) => properties["dataDiagram"] !== undefined);
  const aside = takeAside(html);
  // A heading that is empty after its expression was evaluated is no heading any more.
  const heading =
    title?.tagName === "h1" ? title : h("h1", { className: isOwn ? "sr-only" : undefined }, page.title);
  return {
    source: page,
    titleHtml: isOwn && title !== undefined ? "" : toMarkup([heading]),
    leadHtml: toMarkup(lead.children as ElementContent[]),
    contentHtml: toMarkup(html.children as ElementContent[]),
    asideHtml: toMarkup(aside),
    ...{ markdown, headings, hasDiagram, sections, code, ids },
  };
}

/** Renders Markdown from the configuration. */
export function renderMarkdown(text: string, links: LinkResolver): string {
  return withTimeLimit(() => {
    const words = wordsFor("");
    const tree = toContent(parseMarkdown(text), words, () => undefined);
    resolveLinks(tree, links, words);
    return toMarkup(tree.children as ElementContent[]);
  });
}

const stringifier = unified().use(rehypeStringify, { closeSelfClosing: false }).freeze();

/** Prints nodes as HTML. */
export function toMarkup(children: ElementContent[]): string {
  return stringifier.stringify({ type: "root", children });
}
