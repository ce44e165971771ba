/** The way of one page from its file to HTML, from the top down. */
import type { ElementContent, Root as HtmlRoot } from "hast";
import type { Root } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import type { IndexedSection } from "./client/index-format.ts";
import { CodeHighlighter, type HighlightedCodes, renderCodeBlocks } from "./content/code-blocks.ts";
import { inlineMarkdown } from "./content/component.ts";
import { expandComponents } from "./content/components.ts";
import type { DocsTree } from "./content/docs-tree.ts";
import { readPage } from "./content/evaluate-page.ts";
import { findElement } from "./content/hast.ts";
import type { SlugStyle } from "./content/heading-slugs.ts";
import { type FrontMatter, isBare, splitFrontMatter, titleTest } from "./content/page-source.ts";
import { parseMarkdown } from "./content/parse-page.ts";
import {
  type Heading,
  outlinePage,
  pageSections,
  polishTree,
  takeAside,
  takeLeadingTitle,
} from "./content/polish-tree.ts";
import { sanitizePage } from "./content/sanitize.ts";
import { withTimeLimit } from "./content/time-limit.ts";
import { toHtmlTree } from "./content/to-html.ts";
import { toMarkdown } from "./content/to-markdown.ts";
import { type Words, wordsFor } from "./interface-words.ts";
import { type LinkResolver, resolveLinks } from "./links.ts";
import type { ApiReference } from "./openapi/describe-reference.ts";
import { digestOfText, type PageCache } from "./page-cache.ts";
import { collectWarnings, type PageReporter } from "./report.ts";
import type { Route } from "./routes.ts";

/** A page before it is rendered. */
export interface PageSource {
  readonly route: Route;
  readonly frontMatter: FrontMatter;
  /** Its name in navigation, search and the browser's title. */
  readonly title: string;
  /** What of an OpenAPI document it describes after its own text. */
  readonly reference?: ApiReference;
  /** The text of a page that no file is behind. */
  readonly content?: string;
  /** Of its file's text, as it was when the page was planned. */
  readonly digest?: string;
  /** Tag of its language; `undefined` where nothing says it. */
  readonly lang: string | undefined;
  /** The version of the documentation that it belongs to, as its title; `undefined`: all of them. */
  readonly version: string | undefined;
  /** Whether that is the version which a reader gets who chose none. */
  readonly isDefaultVersion: boolean;
  /** This page in every language that it is there in, if there are several, and paths of their files in the site. */
  readonly translations: readonly { readonly lang: string | undefined; readonly outPath: string }[];
  /** Whether search, the assistant and machines find it; a page that is not in the navigation is usually not meant to. */
  readonly isIndexed: boolean;
}

/** A page's content as HTML, and what the rest of the site needs to know of it. */
export interface RenderedPage {
  readonly source: PageSource;
  /** The inside of the page's first-level heading; empty where its content has that. */
  readonly titleHtml: string;
  /** The inside of the paragraph below it; empty without a description. */
  readonly leadHtml: string;
  readonly contentHtml: string;
  /** The page as plain Markdown. */
  readonly markdown: string;
  /** What is shown beside the content; empty for most pages. */
  readonly asideHtml: string;
  readonly headings: readonly Heading[];
  readonly hasDiagram: boolean;
  /** Its text for the search index. */
  readonly sections: readonly IndexedSection[];
  /** Every identifier that a link can point to. */
  readonly ids: ReadonlySet<string>;
}

/** Where a page's content is from, and what is told of it. */
export interface RenderPageDeps {
  readonly docs: DocsTree;
  /** Where other pages of the same text, or later exports, find what was made of this one; none where nothing can be found. */
  readonly cache?: PageCache | undefined;
  readonly links: LinkResolver;
  readonly slugStyle: SlugStyle;
  /** The same for the page as Markdown. */
  readonly markdownLinks: LinkResolver;
  readonly onWarning: PageReporter;
  /** Does what the links of a page have to wait for. */
  readonly beforeLinks?: (html: HtmlRoot) => Promise<void>;
}

/** A page before its links are resolved: nothing in it depends on other pages, or on where the page is. */
interface PreparedPage {
  /** Its evaluated Markdown. */
  readonly tree: Root;
  readonly html: HtmlRoot;
  readonly hasDiagram: boolean;
}

/** Renders the text of a page's file; whatever is wrong with it becomes a warning and a plainer page, never an error. */
export async function renderPage(
  page: PageSource,
  file: string,
  deps: RenderPageDeps,
): Promise<RenderedPage> {
  const { body: written } = splitFrontMatter(file);
  const { url = "" } = page.frontMatter;
  // The navigation leads elsewhere, and so does a page that says nothing else.
  const body = written.trim() === "" && /^https?:[^\s<>]+$/i.test(url) ? `[${url}](<${url}>)` : written;
  const { onWarning } = deps;
  const words = wordsFor(page.lang ?? "");
  const attempts = [
    () => preparePage(page, body, deps),
    async () => withTimeLimit(() => prepareTree(parseMarkdown(body), words, onWarning)),
  ];
  for (const prepare of attempts) {
    try {
      const prepared = await prepare();
      await deps.beforeLinks?.(prepared.html);
      return withTimeLimit(() => finishPage(page, prepared, deps));
    } catch (error) {
      onWarning(`it is shown more plainly than it was written: ${String(error)}`, "markup");
    }
  }
  // What defeats every parser is shown as its text.
  const text: Root = { type: "root", children: [{ type: "code", value: body.trim() }] };
  return withTimeLimit(() => finishPage(page, prepareTree(text, words, onWarning), deps));
}

/** Content whose imports count by where the page is. */
const importing = /^[ \t]*import\s|<Snippet\b/m;

/** A page of the same text is prepared once. */
async function preparePage(
  page: PageSource,
  body: string,
  { docs, cache, onWarning }: RenderPageDeps,
): Promise<PreparedPage> {
  const { route, lang, reference } = page;
  const prepare = (tree: DocsTree, warn: PageReporter) =>
    withHighlighter(route, cache, async (highlighter) => {
      const read = await readPage(route.source, body, tree, warn, reference);
      return prepareTree(read, wordsFor(lang ?? ""), warn, highlighter);
    });
  // What an operation shows is its own: no other page has the same.
  if (cache === undefined || reference !== undefined) return prepare(docs, onWarning);
  const path = route.source;
  const place = importing.test(body) ? path : path.slice(path.lastIndexOf("."));
  const key = await cache.keyOf(digestOfText(body), "prepared", place, lang ?? "");
  const make = async (tree: DocsTree) => {
    const found = collectWarnings();
    return { page: await prepare(tree, found.onWarning), warnings: found.warnings };
  };
  const { page: prepared, warnings } = await cache.remember(key, make, docs);
  for (const { message, kind, line } of warnings) onWarning(message, kind, line);
  return prepared;
}

/** Does work with a highlighter that knows the codes which the page had in an earlier export. */
async function withHighlighter<Result>(
  { source }: Route,
  cache: PageCache | undefined,
  work: (highlighter: CodeHighlighter) => Promise<Result>,
): Promise<Result> {
  if (cache?.isLasting !== true) return work(new CodeHighlighter());
  const key = await cache.keyOf(digestOfText(""), "codes", source);
  const highlighter = new CodeHighlighter(await cache.recall<HighlightedCodes>(key));
  const result = await work(highlighter);
  if (highlighter.changed !== undefined) await cache.keep(key, highlighter.changed);
  return result;
}

/** What can be done without the other pages. Each step that can take long is stopped after a while. */
function prepareTree(
  tree: Root,
  words: Words,
  onWarning: PageReporter,
  highlighter = new CodeHighlighter(),
): PreparedPage {
  return withTimeLimit(() => {
    const safe = sanitizePage(toHtmlTree(tree), onWarning);
    const html = expandComponents(safe, words, onWarning);
    polishTree(html, words);
    return { tree, html, hasDiagram: renderCodeBlocks(html, { words, highlighter }, onWarning) };
  });
}

/** What needs the other pages: links, and what is known of the page. */
function finishPage(
  page: PageSource,
  { tree, html, hasDiagram }: PreparedPage,
  deps: RenderPageDeps,
): RenderedPage {
  const { frontMatter } = page;
  const words = wordsFor(page.lang ?? "");
  const isTitle = titleTest(frontMatter, deps.slugStyle);
  const isOwn = isBare(frontMatter);
  const title = isOwn ? undefined : takeLeadingTitle(html, isTitle);
  const shown = isOwn ? findElement(html, "h1") : undefined;
  const { headings, ids } = outlinePage(html, deps.slugStyle, words, shown);
  resolveLinks(html, deps.links, words);
  const lead: HtmlRoot = { type: "root", children: inlineMarkdown(frontMatter.description ?? "") };
  resolveLinks(lead, deps.links, words);
  const sections = pageSections(html);
  const aside = takeAside(html);
  // A heading can be left without words: those of an expression, for instance.
  const hasTitle = title?.some((node) => textOf(node).trim() !== "");
  const heading = title !== undefined && hasTitle ? title : [{ type: "text" as const, value: page.title }];
  return {
    source: page,
    titleHtml: shown === undefined ? toMarkup(heading) : "",
    leadHtml: toMarkup(lead.children as ElementContent[]),
    contentHtml: toMarkup(html.children as ElementContent[]),
    asideHtml: toMarkup(aside),
    markdown: toMarkdown(tree, { ...frontMatter, title: page.title, words, isTitle }, deps.markdownLinks),
    ...{ headings, sections, ids, hasDiagram },
  };
}

/** Renders a line of plain Markdown of the configuration. */
export function renderMarkdown(text: string, links: LinkResolver): string {
  return withTimeLimit(() => {
    const tree = sanitizePage(toHtmlTree(parseMarkdown(text)));
    resolveLinks(tree, links, wordsFor(""));
    return toMarkup(tree.children as ElementContent[]);
  });
}

const stringifier = unified().use(rehypeStringify, { closeSelfClosing: false }).freeze();

/** Prints nodes as HTML. */
export function toMarkup(children: ElementContent[]): string {
  return stringifier.stringify({ type: "root", children });
}
