/** Cuts a page at its headings into sections of plain Markdown, without components. */
import type { Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import { phrasing } from "mdast-util-phrasing";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { classNames, visitElements } from "../site/content/hast.ts";
import type { SlugStyle } from "../site/content/heading-slugs.ts";
import type { TitleTest } from "../site/content/page-source.ts";
import { findTitle, outlinePage } from "../site/content/polish-tree.ts";
import { toContent } from "../site/content/to-html.ts";
import { toBlocks } from "../site/content/to-markdown.ts";
import { type Words, wordsFor } from "../site/interface-words.ts";
import type { LinkResolver } from "../site/links.ts";
import type { PageSource } from "../site/render-page.ts";

declare module "mdast" {
  interface LinkData {
    /** The page of the site that the link leads to. */
    target?: PageTarget;
  }
}

/** The target of a link to a page; its anchor is empty for the whole page. */
export interface PageTarget {
  readonly page: Pick<DocsPage, "slug" | "source">;
  readonly section: Pick<DocsSection, "anchor">;
}

/** A page, cut into sections. */
export interface DocsPage extends Pick<PageSource, "title" | "version" | "isDefaultVersion"> {
  /** Path in the site without extension: `guides/start`. */
  readonly slug: string;
  /** Path of its source file from the documentation folder. */
  readonly source: string;
  /** Title and folder, if other pages have the same title. */
  readonly name?: string;
  readonly description: string | undefined;
  /** Language tag from navigation or front matter, if known. */
  readonly language: string | undefined;
  /** Name of the site, if this is the first page of a language and version; empty if the site has none. */
  readonly siteName?: string | undefined;
  /** Whether it is generated from an OpenAPI document. */
  readonly isReference?: boolean;
  readonly sections: readonly DocsSection[];
}

/** The text between one heading and the next. */
export interface DocsSection {
  /** Identifier of its heading; empty for the text before the first heading. */
  readonly anchor: string;
  /** Its heading and the headings above it, outermost first. */
  readonly headings: readonly string[];
  /** Content without components and images. Links to unknown pages are reduced to their text. */
  readonly blocks: readonly RootContent[];
  /** Prose, for the index. */
  readonly text: string;
  /** Code, for the index. */
  readonly code: string;
  /** Names that the section explains: first cells of rows, and code at the start of a paragraph. */
  readonly names: readonly string[];
}

/** A section of a page. */
export interface Passage {
  readonly page: DocsPage;
  readonly section: DocsSection;
}

/** How a page is read; the defaults suit a page on its own. */
export interface ReadOptions {
  readonly slugStyle?: SlugStyle;
  /** The texts that components add, in the page's language. */
  readonly words?: Words;
  /** The title of the page starts no section. */
  readonly isTitle?: TitleTest;
  /** The page of the site that a link leads to. */
  readonly findTarget?: (href: string) => PageTarget | undefined;
}

/** Expands the components of an evaluated page and cuts it at its headings, which have the same anchors as on the site. */
export function readSections(
  page: Root,
  {
    slugStyle = "github",
    words = wordsFor(""),
    isTitle = (_, isLeading) => isLeading,
    findTarget = () => undefined,
  }: ReadOptions = {},
): DocsSection[] {
  const html = toContent(page, words, () => undefined);
  const title = findTitle(html, isTitle);
  outlinePage(html, slugStyle, words, title);
  html.children = html.children.filter((child) => child !== title);
  visitElements(html, (node, _index, parent) => {
    // What follows an accordion belongs to the text before it, but in a group each is a section.
    const isGrouped = parent.type === "element" && classNames(parent).includes("accordion-group");
    if (node.tagName === "details" && !isGrouped) delete node.properties["id"];
  });
  const isKnown = (href: string) => /^https?:/i.test(href) || findTarget(href) !== undefined;
  const links: LinkResolver = {
    resolveLink: (href) => (isKnown(href) ? href : undefined),
    resolveMedia: () => "",
  };
  const root: Root = { type: "root", children: toBlocks(html, links, words) };
  visit(root, (node, index, parent) => {
    const target = node.type === "link" ? findTarget(node.url) : undefined;
    if (target !== undefined) node.data = { target };
    if (index === undefined || !/^(?:footnote|thematicBreak)/.test(node.type)) return undefined;
    parent?.children.splice(index, 1);
    return index;
  });
  const open = [{ anchor: "", headings: [] as string[], blocks: [] as RootContent[] }];
  const above: { depth: number; text: string }[] = [];
  for (const block of root.children.flatMap(withoutQuotes)) {
    const id = block.data?.hProperties?.["id"];
    if (block.type !== "heading" || id === undefined) {
      // The titles of tabs and single accordions start no section.
      open.at(-1)?.blocks.push(block.type === "heading" ? boldLine(block.children) : block);
      continue;
    }
    const text = textOf(block).trim();
    while ((above.at(-1)?.depth ?? 0) >= block.depth) above.pop();
    above.push({ depth: block.depth, text });
    open.push({ anchor: String(id), headings: above.map((entry) => entry.text), blocks: [] });
  }
  return open
    .filter(({ anchor, blocks }) => anchor !== "" || blocks.length > 0)
    .map((section) => ({ ...section, ...indexedTextOf(section.blocks) }));
}

/** Answers quote sections, and nested quotations are hard to read. */
function withoutQuotes(block: RootContent): RootContent[] {
  return block.type === "blockquote" ? block.children.flatMap(withoutQuotes) : [block];
}

/** The text, code and explained names of blocks. */
export function indexedTextOf(blocks: RootContent[]): Pick<DocsSection, "text" | "code" | "names"> {
  const prose: string[] = [];
  const code: string[] = [];
  const names: string[] = [];
  visit({ type: "root", children: blocks } satisfies Root, (node, index, parent) => {
    if (!phrasing(node) || node.type === "break") prose.push("\n");
    if (node.type === "code") code.push(node.value);
    else if ("value" in node) prose.push(node.value);
    const [first] = node.type === "paragraph" || node.type === "tableRow" ? node.children : [];
    const isHeader = parent?.type === "table" && index === 0;
    if (first?.type === "inlineCode" || (first?.type === "tableCell" && !isHeader)) names.push(textOf(first));
  });
  return { text: prose.join("").trim(), code: code.join("\n"), names };
}

/** Creates a paragraph of bold text. */
export function boldLine(children: PhrasingContent[]): Paragraph {
  return { type: "paragraph", children: [{ type: "strong", children }] };
}

/** Creates a paragraph. */
export function paragraphOf(value: string): Paragraph {
  return { type: "paragraph", children: [{ type: "text", value }] };
}
