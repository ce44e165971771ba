/** A page's text as retrieval and answers take it: cut at its headings, and MDX as the plain Markdown that a reader sees. */
import type { Heading, Nodes, Paragraph, Root, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { tableOf } from "../site/content/element-tables.ts";
import { inParagraphs } from "../site/content/evaluate-page.ts";
import { createSectionIds, type SlugStyle } from "../site/content/heading-slugs.ts";

declare module "mdast" {
  interface LinkData {
    /** The page of the site that it leads to. */
    target?: PageTarget;
  }
}

/** A place in a page. */
export interface PageTarget extends Pick<DocsPage, "slug" | "source"> {
  /** Identifier of a heading; empty for the whole page. */
  readonly anchor: string;
}

/** A page, cut into sections. */
export interface DocsPage {
  /** Address below the site's root, without extension: `guides/start`. */
  readonly slug: string;
  /** Path of its file below the documents folder. */
  readonly source: string;
  readonly title: string;
  /** Its title and its folder, where other pages have the same title. */
  readonly name?: string;
  readonly description: string | undefined;
  /** The version of the documentation it belongs to, as the navigation names it; `undefined`: all of them. */
  readonly version: string | undefined;
  /** Whether that is the version which is meant where none is named. */
  readonly isDefaultVersion: boolean;
  /** Its language, as the navigation or its front matter names it; `undefined`: not said. */
  readonly language: string | undefined;
  /** Whether it is made from an OpenAPI document. */
  readonly isReference?: boolean;
  readonly sections: readonly DocsSection[];
}

/** The text between one heading and the next. */
export interface DocsSection {
  /** Identifier of its heading; empty for what stands before the first. */
  readonly anchor: string;
  /** Its heading and those above it in the page, outermost first. */
  readonly headings: readonly string[];
  /** Its content without components and images; a link that leads to no known page is its text. */
  readonly blocks: readonly RootContent[];
  /** Its prose, for searching. */
  readonly text: string;
  /** Its code, for searching. */
  readonly code: string;
  /** What its tables, lists and parameters explain: first cells of rows, and names in code that a paragraph begins with. */
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
 * @param isTitle whether a first-level heading that the page starts with is its title, and starts no section
 */
export function readSections(
  page: Root,
  slugStyle: SlugStyle = "github",
  isTitle: (heading: string) => boolean = () => true,
): DocsSection[] {
  const createIds = createSectionIds(slugStyle);
  const open = [{ anchor: "", headings: [] as string[], blocks: [] as RootContent[] }];
  const above: { depth: number; text: string }[] = [];
  for (const [index, block] of inLines(plainChildren(page, false)).entries()) {
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

/** What a section's blocks hold, by the weight that it has in a search. */
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
 * A node's content without raw HTML, images, definitions and links that lead nowhere. Components are replaced by what they
 * contain and say in their properties.
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
      // A quotation in a quotation says no more.
      return plainChildren(node, isInline);
    case "link":
      if (node.data?.target === undefined && !/^https?:/i.test(node.url))
        return plainChildren(node, isInline);
      return [{ ...node, title: null, children: plainChildren(node, isInline) } as RootContent];
    case "text":
      return [{ ...node, value: node.value.replace(/[ \t\r\n]+/g, " ") }];
  }
  if (!("children" in node)) return [node];
  const holdsText = ["paragraph", "heading", "tableCell"].includes(node.type);
  const children = plainChildren(node, isInline || holdsText);
  const isMark = ["strong", "emphasis", "delete"].includes(node.type);
  const text = isMark ? textOf({ type: "root", children }) : "";
  if (holdsText || isMark) trimLine(children);
  if (isMark && children.length === 0) return [];
  // Markdown has no mark with a space inside.
  const space = (isThere: boolean): RootContent[] => (isThere ? [{ type: "text", value: " " }] : []);
  return [...space(text.startsWith(" ")), { ...node, children } as RootContent, ...space(text.endsWith(" "))];
}

/** Blocks, each trimmed, of what may stand beside blocks without being one. */
function inLines(nodes: readonly RootContent[]): RootContent[] {
  const blocks = inParagraphs(nodes);
  for (const block of blocks) if (block.type === "paragraph") trimLine(block.children);
  return blocks;
}

/** Takes the space off both ends of a line, and the breaks at its end. */
function trimLine(children: RootContent[]): void {
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

/** What a component that stands by itself says and contains; `<h2>` is a heading. */
function plainBlocks(component: Component): RootContent[] {
  const table = component.name === "table" ? tableOf(component) : undefined;
  if (table !== undefined) return toPlain(table, false);
  const props = component.data?.props ?? {};
  const depth = /^h([1-6])$/.exec(component.name ?? "")?.[1];
  if (depth === undefined) {
    const content = inLines(plainChildren(component, false));
    if (/^(?:Param|Response)Field$/.test(component.name ?? "")) return [fieldLine(props), ...content];
    // Of an element of HTML, only these are words; a drawing has its shapes in properties.
    const isElement = /^[a-z]/.test(component.name ?? "");
    const said = Object.entries(props).filter(([name]) =>
      isElement ? /^(?:alt|title)$/.test(name) : !silentProperty.test(name),
    );
    const paragraphs = said.flatMap(([, value]) => textNodes(textOfValue(value)));
    return [...paragraphs, ...content];
  }
  const data = typeof props["id"] === "string" ? { hProperties: { id: props["id"] } } : {};
  return [
    { type: "heading", depth: Number(depth), data, children: plainChildren(component, true) } as Heading,
  ];
}

/** A parameter's name and what is said of it in its properties: `limit` integer, required, default: 10. */
function fieldLine(props: Readonly<Record<string, unknown>>): Paragraph {
  const name = ["path", "query", "body", "header", "name"].map((key) => props[key]).find(Boolean);
  const facts = [
    textOfValue(props["type"]),
    props["required"] ? "required" : "",
    props["default"] === undefined ? "" : `default: ${String(props["default"])}`,
  ].filter(Boolean);
  const text = facts.length === 0 ? "" : ` ${facts.join(", ")}`;
  return {
    type: "paragraph",
    children: [
      { type: "inlineCode", value: String(name ?? "") },
      { type: "text", value: text },
    ],
  };
}

/** Properties that a reader does not see as text. */
const silentProperty =
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

/** A text as a block. */
export function paragraphOf(value: string): Paragraph {
  return { type: "paragraph", children: [{ type: "text", value }] };
}
