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
  visit({ type: "root", children: blocks } satisfies Root, (node) => {
    if (node.type === "code") code.push(node.value);
    else if ("value" in node) prose.push(node.value);
    else if (node.type === "paragraph" || node.type === "tableCell" || node.type === "listItem")
      prose.push("\n");
    names.push(...namesIn(node));
  });
  return { text: prose.join(" ").trim(), code: code.join("\n"), names };
}

function namesIn(node: Nodes): string[] {
  if (node.type === "table")
    return node.children.slice(1).flatMap(({ children: [cell] }) => (cell ? textOf(cell) : []));
  const [first] = node.type === "paragraph" ? node.children : [];
  return first?.type === "inlineCode" ? [first.value] : [];
}

/**
 * Converts a node to plain Markdown. Raw HTML, images, definitions and links to unknown pages are removed. Components are replaced by
 * their content and the texts in their properties.
 */
function toPlain(node: RootContent, isInline: boolean): RootContent[] {
  switch (node.type) {
    case "mdxJsxTextElement":
      return plainChildren(node, true);
    case "mdxJsxFlowElement":
      return isInline ? plainChildren(node, true) : plainBlocks(node);
    case "html":
      return isInline ? [] : textNodes(textOfHtml(node.value));
    case "definition":
    case "yaml":
    case "thematicBreak":
    case "image":
    case "imageReference":
    case "footnoteReference":
      return [];
    case "linkReference":
    case "blockquote":
      // Answers quote sections, and nested quotations are hard to read.
      return plainChildren(node, isInline);
    case "link":
      if (node.data?.target === undefined && !/^https?:/i.test(node.url))
        return plainChildren(node, isInline);
      return [{ ...node, title: null, children: plainChildren(node, isInline) } as RootContent];
    case "text":
      return [{ ...node, value: node.value.replace(/[ \t\r\n]+/g, " ") }];
  }
  if (!("children" in node)) return [node];
  const containsText = ["paragraph", "heading", "tableCell"].includes(node.type);
  const children = plainChildren(node, isInline || containsText);
  const isMark = ["strong", "emphasis", "delete"].includes(node.type);
  const text = isMark ? textOf({ type: "root", children }) : "";
  if (containsText || isMark) trimEnds(children);
  if (isMark && children.length === 0) return [];
  // Markdown marks such as ** must not start or end with a space.
  const spaceIf = (hasSpace: boolean): RootContent[] => (hasSpace ? [{ type: "text", value: " " }] : []);
  return [
    ...spaceIf(text.startsWith(" ")),
    { ...node, children } as RootContent,
    ...spaceIf(text.endsWith(" ")),
  ];
}

/** Wraps inline nodes among blocks into paragraphs, and trims all paragraphs. */
function toBlocks(nodes: readonly RootContent[]): RootContent[] {
  const blocks = inParagraphs(nodes);
  for (const block of blocks) if (block.type === "paragraph") trimEnds(block.children);
  return blocks;
}

/** Removes spaces and line breaks from both ends. */
function trimEnds(children: RootContent[]): void {
  for (const [at, trim] of [
    [0, "trimStart"],
    [-1, "trimEnd"],
  ] as const) {
    for (
      let node = children.at(at);
      node?.type === "text" || node?.type === "break";
      node = children.at(at)
    ) {
      if (node.type === "text" && node.value.trim() !== "") {
        node.value = node.value[trim]();
        break;
      }
      children.splice(at, 1);
    }
  }
}

type Parent = Extract<Nodes, { children: unknown }>;
type Component = Extract<Nodes, { type: `mdxJsx${string}` }>;

function plainChildren({ children }: Parent, isInline: boolean): RootContent[] {
  return children.flatMap((child) => toPlain(child as RootContent, isInline));
}

/** The texts and the content of a block-level component. `<h2>` becomes a heading. */
function plainBlocks(component: Component): RootContent[] {
  const table = component.name === "table" ? toMarkdownTable(component) : undefined;
  if (table !== undefined) return toPlain(table, false);
  const props = component.data?.props ?? {};
  const depth = /^h([1-6])$/.exec(component.name ?? "")?.[1];
  if (depth === undefined) {
    const content = toBlocks(plainChildren(component, false));
    if (/^(?:Param|Response)Field$/.test(component.name ?? "")) return [fieldLine(props), ...content];
    // HTML and SVG elements have text in these properties only.
    const isElement = /^[a-z]/.test(component.name ?? "");
    const textProps = Object.entries(props).filter(([name]) =>
      isElement ? /^(?:alt|title)$/.test(name) : !nonTextProperty.test(name),
    );
    const paragraphs = textProps.flatMap(([, value]) => textNodes(textOfValue(value)));
    return [...paragraphs, ...content];
  }
  const data = typeof props["id"] === "string" ? { hProperties: { id: props["id"] } } : {};
  return [
    { type: "heading", depth: Number(depth), data, children: plainChildren(component, true) } as Heading,
  ];
}

/** A line with the name and the properties of a field: `limit` integer, required, default: 10. */
function fieldLine(props: Readonly<Record<string, unknown>>): Paragraph {
  const name = ["path", "query", "body", "header", "name"].map((key) => props[key]).find(Boolean);
  const details = [
    textOfValue(props["type"]),
    props["required"] ? "required" : "",
    props["default"] === undefined ? "" : `default: ${String(props["default"])}`,
  ].filter(Boolean);
  const text = details.length === 0 ? "" : ` ${details.join(", ")}`;
  return {
    type: "paragraph",
    children: [
      { type: "inlineCode", value: String(name ?? "") },
      { type: "text", value: text },
    ],
  };
}

/** Properties that are not shown as text. */
const nonTextProperty =
  /^(?:on[A-Z]|style$|class|icon|key$|ref$|id$|href$|src|url$|width|height|color|default|img|type$|target|rel$|(?:title)?size$|shape$|variant$|theme$|align$|lang)/i;

function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null
    ? Object.values(value).map(textOfValue).filter(Boolean).join("\n")
    : "";
}

function textOfHtml(html: string): string {
  return html.replace(/<!--[\s\S]*?(?:-->|$)/g, " ").replace(/<[^>]*>/g, " ");
}

function textNodes(text: string): RootContent[] {
  const value = text.trim();
  return value === "" ? [] : [paragraphOf(value)];
}

/** Creates a paragraph. */
export function paragraphOf(value: string): Paragraph {
  return { type: "paragraph", children: [{ type: "text", value }] };
}
