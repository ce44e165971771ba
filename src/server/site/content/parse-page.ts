import type { Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { createEagerParser } from "./expression-parser.ts";

/** A page's syntax tree, and which grammar it was read with. */
export interface ParsedPage {
  readonly tree: Root;
  readonly syntax: "mdx" | "markdown";
  /** Why a page that should be MDX was read as Markdown. */
  readonly problem?: string;
}

// Frozen processors can be shared: parsing keeps no state in them.
const mdxParser = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze();
const eagerMdxParser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMdx, { acorn: createEagerParser() })
  .freeze();
const markdownParser = unified().use(remarkParse).use(remarkGfm).freeze();

/** A line that starts with a capitalised tag, its closing tag or MDX's comment: `.md` files of MDX sites have them too. */
const componentTag = /^\s*(?:<\/?[A-Z][A-Za-z.]*[\s/>]|\{\/\*)/m;

function isMdx(path: string, body: string): boolean {
  return path.endsWith(".mdx") || componentTag.test(body);
}

function isUnravelled(node: PhrasingContent): boolean {
  if (node.type === "mdxJsxTextElement" || node.type === "mdxTextExpression") return true;
  return node.type === "text" && node.value.trim() === "";
}

/** `<Note>text</Note>` on one line is read as a paragraph with an inline element; it is meant as a block. */
function unravelParagraphs(tree: Root): void {
  visit(tree, "paragraph", (paragraph: Paragraph, index, parent) => {
    if (parent === undefined || index === undefined) return undefined;
    const hasElement = paragraph.children.some((child) => child.type === "mdxJsxTextElement");
    if (!hasElement || !paragraph.children.every(isUnravelled)) return undefined;
    const blocks = paragraph.children.flatMap(toBlock);
    parent.children.splice(index, 1, ...blocks);
    return [SKIP, index];
  });
}

function toBlock(node: PhrasingContent): RootContent[] {
  if (node.type === "mdxJsxTextElement") {
    const { name, attributes, children, data } = node;
    return [
      {
        type: "mdxJsxFlowElement",
        name,
        attributes,
        children: children as never,
        ...(data && { data: data as never }),
      },
    ];
  }
  return node.type === "text" ? [] : [node as RootContent];
}

/** One sentence of a parser's complaint, with its line. */
function explain(error: unknown): string {
  const { reason, line } = error as { reason?: unknown; line?: unknown };
  const text = typeof reason === "string" ? reason : String(error);
  return typeof line === "number" ? `${text} (line ${line})` : text;
}

/** Parses Markdown; raw HTML stays in the tree as nodes of type `html`. */
export function parseMarkdown(body: string): Root {
  return markdownParser.parse(body);
}

function parseMdx(body: string): Root {
  try {
    return eagerMdxParser.parse(body);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // Most such texts are no MDX; a few are, and only the slower parser can tell.
    return mdxParser.parse(body);
  }
}

/**
 * Parses a page as MDX where it is one, and as Markdown otherwise or where it cannot be parsed as MDX. Nothing in it is
 * run.
 *
 * @throws {RangeError} where a text is nested too deeply for any parser.
 */
export function parsePage(path: string, body: string): ParsedPage {
  if (!isMdx(path, body)) return { tree: parseMarkdown(body), syntax: "markdown" };
  try {
    const tree = parseMdx(body);
    unravelParagraphs(tree);
    return { tree, syntax: "mdx" };
  } catch (error) {
    const problem = `it is not MDX and was read as Markdown: ${explain(error)}`;
    return { tree: parseMarkdown(body), syntax: "markdown", problem };
  }
}
