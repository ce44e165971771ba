/** Cuts a page at its headings into sections of plain Markdown, without components. */
import type { Heading, Nodes, Paragraph, Root, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { toMarkdownTable } from "../site/content/element-tables.ts";
import { inParagraphs } from "../site/content/evaluate-page.ts";
import { createSectionIds, type SlugStyle } from "../site/content/heading-slugs.ts";

declare module "mdast" {
  interface LinkData {
    /** The page of the site that the link leads to. */
    target?: PageTarget;
  }
}

/** The target of a link to a page. */
export interface PageTarget extends Pick<DocsPage, "slug" | "source"> {
  /** Identifier of a heading; empty for the whole page. */
  readonly anchor: string;
}

/** A page, cut into sections. */
export interface DocsPage {
  /** Path in the site without extension: `guides/start`. */
  readonly slug: string;
  /** Path of its source file from the documentation folder. */
  readonly source: string;
  readonly title: string;
  /** Title and folder, if other pages have the same title. */
  readonly name?: string;
  readonly description: string | undefined;
  /** Version of the documentation, as the navigation names it; `undefined`: the page belongs to all versions. */
  readonly version: string | undefined;
  /** Whether it belongs to the version that is used by default. */
  readonly isDefaultVersion: boolean;
  /** Language tag from navigation or front matter, if known. */
  readonly language: string | undefined;
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

/**
 * Cuts an evaluated page at its headings.
 *
 * @param isTitle whether a first-level heading at the start of the page is its title, which starts no section
 */
export function readSections(
  page: Root,
  slugStyle: SlugStyle = "github",
  isTitle: (heading: string) => boolean = () => true,
): DocsSection[] {
  const createIds = createSectionIds(slugStyle);
  const open = [{ anchor: "", headings: [] as string[], blocks: [] as RootContent[] }];
  const above: { depth: number; text: string }[] = [];
  for (const [index, block] of toBlocks(plainChildren(page, false)).entries()) {
    if (block.type !== "heading") {
      open.at(-1)?.blocks.push(block);
      continue;
    }
    const text = textOf(block).trim();
    if (index > 0 || block.depth > 1 || !isTitle(text)) {
      while ((above.at(-1)?.depth ?? 0) >= block.depth) above.pop();
      above.push({ depth: block.depth, text });
      const anchor = String(block.data?.hProperties?.["id"] ?? createIds(text).id);
      open.push({ anchor, headings: above.map((entry) => entry.text), blocks: [] });
    }
  }
  return open
    .filter(({ anchor, blocks }) => anchor !== "" || blocks.length > 0)
    .map((section) => ({ ...section, ...wordsOf(section.blocks) }));
}

/** The text, code and explained names of blocks. */
export function wordsOf(blocks: RootContent[]): Pick<DocsSection, "text" | "code" | "names"> {
  const prose: string[] = [];
  const code: string[] = [];
  const names: string[] = [];
  visit({ type: "root", children: blocks } satisfies Root, (node, index, parent) => {
    if (node.type === "code") code.push(node.value);
    else if ("value" in node) prose.push(node.value);
    else if (node.type === "paragraph" || node.type === "tableCell" || node.type === "listItem")
      prose.push("\n");
    const [first] = node.type === "paragraph" || node.type === "tableRow" ? node.children : [];
    const isHeader = parent?.type === "table" && index === 0;
    if (first?.type === "inlineCode" || (first?.type === "tableCell" && !isHeader)) names.push(textOf(first));
  });
  return { text: prose.join(" ").trim(), code: code.join("\n"), names };
}

const omittedTypes = new Set(
  "definition yaml thematicBreak image imageReference footnoteReference".split(" "),
);
/** Nodes that are replaced by their content. Answers quote sections, and nested quotations are hard to read. */
const transparentTypes = new Set("mdxJsxTextElement mdxJsxFlowElement linkReference blockquote".split(" "));
/** Nodes whose text does not start or end with a space. */
const trimmedTypes = new Set("paragraph heading tableCell strong emphasis delete".split(" "));

/**
 * Converts a node to plain Markdown. Raw HTML, images, definitions and links to unknown pages are removed. Components are replaced by
 * their content and the texts in their properties.
 */
function toPlain(node: RootContent, isInline: boolean): RootContent[] {
  if (omittedTypes.has(node.type)) return [];
  if (node.type === "html") return isInline ? [] : textNodes(textOfHtml(node.value));
  if (node.type === "mdxJsxFlowElement" && !isInline) return plainBlocks(node);
  if (node.type === "text") return [{ ...node, value: node.value.replace(/\s+/g, " ") }];
  if (!("children" in node)) return [node];
  const isTrimmed = trimmedTypes.has(node.type);
  const plain = plainChildren(node, isInline || isTrimmed);
  const children = isTrimmed ? trimEnds(plain) : plain;
  const isUnknownLink = node.type === "link" && !node.data?.target && !/^https?:/i.test(node.url);
  if (isUnknownLink || transparentTypes.has(node.type)) return children;
  return children.length === 0 && node.type !== "tableCell" ? [] : [{ ...node, children } as RootContent];
}

/** Wraps inline nodes among blocks into paragraphs. */
function toBlocks(nodes: readonly RootContent[]): RootContent[] {
  return inParagraphs(nodes).map((block) =>
    block.type === "paragraph" ? { ...block, children: trimEnds(block.children) as never } : block,
  );
}

function trimEnds(nodes: readonly RootContent[]): RootContent[] {
  return nodes.flatMap((node, index): RootContent[] => {
    if (node.type !== "text") return [node];
    const start = index === 0 ? node.value.trimStart() : node.value;
    const value = index === nodes.length - 1 ? start.trimEnd() : start;
    return value === "" ? [] : [{ ...node, value }];
  });
}

type Parent = Extract<Nodes, { children: unknown }>;
type Component = Extract<Nodes, { type: `mdxJsx${string}` }>;

function plainChildren({ children }: Parent, isInline: boolean): RootContent[] {
  return children.flatMap((child) => toPlain(child, isInline));
}

/** The texts and the content of a block-level component. `<h2>` becomes a heading. */
function plainBlocks(component: Component): RootContent[] {
  const name = component.name ?? "";
  const table = name === "table" ? toMarkdownTable(component) : undefined;
  if (table !== undefined) return toPlain(table, false);
  const props = component.data?.props ?? {};
  const depth = /^h([1-6])$/.exec(name)?.[1];
  if (depth !== undefined) {
    const data = typeof props["id"] === "string" ? { hProperties: { id: props["id"] } } : {};
    const children = plainChildren(component, true);
    return [{ type: "heading", depth: Number(depth), data, children } as Heading];
  }
  const content = toBlocks(plainChildren(component, false));
  if (/^(?:Param|Response)Field$/.test(name)) return [fieldLine(props), ...content];
  const texts = Object.entries(props).filter(([key]) => textProperty.test(key));
  return [...texts.flatMap(([, value]) => textNodes(textOfValue(value))), ...content];
}

/** Properties that are shown as text. */
const textProperty =
  /^(?:title|label|summary|description|caption|name|alt|tip|headline|text|content|data|properties|rows|items)$/;

/** A line with the name and the properties of a field: `limit` integer, required, default: 10. */
function fieldLine(props: Readonly<Record<string, unknown>>): Paragraph {
  const name = ["path", "query", "body", "header", "name"].map((key) => props[key]).find(Boolean);
  const details = [
    textOfValue(props["type"]),
    props["required"] ? "required" : "",
    props["default"] === undefined ? "" : `default: ${String(props["default"])}`,
  ].filter(Boolean);
  const { children } = paragraphOf(details.length === 0 ? "" : ` ${details.join(", ")}`);
  return { type: "paragraph", children: [{ type: "inlineCode", value: String(name ?? "") }, ...children] };
}

function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null
    ? Object.values(value).map(textOfValue).filter(Boolean).join("\n")
    : "";
}

function textOfHtml(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, " ").replace(/<[^<>]*>/g, " ");
}

function textNodes(text: string): RootContent[] {
  const value = text.trim();
  return value === "" ? [] : [paragraphOf(value)];
}

/** Creates a paragraph. */
export function paragraphOf(value: string): Paragraph {
  return { type: "paragraph", children: [{ type: "text", value }] };
}
