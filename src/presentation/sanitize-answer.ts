/**
 * An assistant's answer as Markdown that can be shown in a public comment: parsed, reduced to what a comment needs, and
 * printed anew, so that nothing is left to how another parser would have read the original.
 */
import type { Definition, Html, PhrasingContent, Root, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";
import { neutralize } from "./neutral-text.ts";

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", fences: true, rule: "-", listItemIndent: "one" })
  .freeze();

/** GitHub draws, runs or applies these; as plain code they are shown. */
const activeLanguages = /^(?:mermaid|math|geojson|topojson|stl|suggestion.*)$/i;
/** Longer answers than any model writes would only cost time. */
const maxLength = 100_000;

export interface SanitizedAnswer {
  readonly markdown: string;
  /** Whether blocks were left out at the end, to keep within the limit. */
  readonly isShortened: boolean;
}

/**
 * Makes an answer harmless: raw HTML goes, images become their description, links lead into the documentation or are
 * shown as text, mentions and references are code, fences are closed. Cut at a block's end to fit `limit` characters.
 */
export function sanitizeAnswer(
  markdown: string,
  { links, limit }: { readonly links: LinkPolicy; readonly limit: number },
): SanitizedAnswer {
  const tree = parser.parse(markdown.slice(0, maxLength));
  const children = createCleaner(tree, links).blocks(tree.children);
  const pieces: string[] = [];
  let length = 0;
  for (const child of children) {
    const piece = printer.stringify({ type: "root", children: [child] }).trim();
    length += piece.length + 2;
    if (length > limit) return { markdown: pieces.join("\n\n"), isShortened: true };
    pieces.push(piece);
  }
  return { markdown: pieces.join("\n\n"), isShortened: markdown.length > maxLength };
}

/** The part of a growing answer that will not change any more: its finished blocks; of the first one, its finished words. */
export function finishedPart(markdown: string): string {
  const { children } = parser.parse(markdown);
  const beforeLast = children.at(-2)?.position?.end.offset;
  if (beforeLast !== undefined) return markdown.slice(0, beforeLast);
  return children[0]?.type === "paragraph" ? markdown.replace(/\s*\S*$/, "") : markdown;
}

interface Cleaner {
  blocks(nodes: readonly RootContent[]): RootContent[];
}

function createCleaner(tree: Root, links: LinkPolicy): Cleaner {
  const addresses = readDefinitions(tree);

  function block(node: RootContent): RootContent[] {
    switch (node.type) {
      case "paragraph":
        return nonEmpty({ ...node, children: inlines(node.children) });
      case "heading": {
        // Below the comment's own headings.
        const depth = Math.min(6, node.depth + 2) as typeof node.depth;
        return nonEmpty({ ...node, depth, children: inlines(node.children) });
      }
      case "blockquote":
      case "list":
      case "listItem":
      case "table":
      case "tableRow":
        // Each keeps its own kind of children: the same cases, one level down.
        return nonEmpty({ ...node, children: blocks(node.children) } as typeof node);
      case "tableCell":
        return [{ ...node, children: inlines(node.children) }];
      case "code":
        return [{ type: "code", value: node.value, lang: plainLanguage(node.lang), meta: null }];
      case "thematicBreak":
        return [node];
      case "html":
        return paragraphOf(textOfHtml(node));
      default:
        return [];
    }
  }

  function blocks(nodes: readonly RootContent[]): RootContent[] {
    return nodes.flatMap(block);
  }

  function inlines(nodes: readonly PhrasingContent[]): PhrasingContent[] {
    return mergeCode(nodes.flatMap(inline));
  }

  function inline(node: PhrasingContent): PhrasingContent[] {
    switch (node.type) {
      case "text":
        return neutralize(node.value, links);
      case "emphasis":
      case "strong":
      case "delete":
        return [{ ...node, children: inlines(node.children) }];
      case "inlineCode":
      case "break":
        return [node];
      case "link":
        return link(node.url, node.children);
      case "linkReference":
        return link(addresses.get(node.identifier) ?? "", node.children);
      case "image":
      case "imageReference":
        return neutralize(node.alt ? `[image: ${node.alt}]` : "[image]", links);
      case "html":
        return textOfInlineHtml(node);
      default:
        return [];
    }
  }

  function link(address: string, children: readonly PhrasingContent[]): PhrasingContent[] {
    const url = resolveLink(address, links);
    // Links do not nest; what is code or emphasis in the label may stay.
    const label = inlines(children).flatMap((child) => (child.type === "link" ? child.children : [child]));
    if (url !== undefined && label.length > 0) return [{ type: "link", url, title: null, children: label }];
    const text = textOf(children);
    const isItself = text === address || address === `mailto:${text}` || address === `http://${text}`;
    if (isItself || !/^https?:/i.test(address)) return label;
    return [
      ...label,
      { type: "text", value: " (" },
      { type: "inlineCode", value: address },
      { type: "text", value: ")" },
    ];
  }

  return { blocks };
}

/** Two code spans side by side would share their backticks. */
function mergeCode(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const merged: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (node.type === "inlineCode" && last?.type === "inlineCode") {
      merged[merged.length - 1] = { type: "inlineCode", value: last.value + node.value };
    } else merged.push(node);
  }
  return merged;
}

function readDefinitions(tree: Root): Map<string, string> {
  const addresses = new Map<string, string>();
  visit(tree, "definition", ({ identifier, url }: Definition) => {
    if (!addresses.has(identifier)) addresses.set(identifier, url);
  });
  return addresses;
}

function nonEmpty<Node extends { readonly children: readonly unknown[] }>(node: Node): Node[] {
  return node.children.length === 0 ? [] : [node];
}

function plainLanguage(lang: string | null | undefined): string | null {
  if (lang === null || lang === undefined) return null;
  return /^[\w+#.-]{1,30}$/.test(lang) && !activeLanguages.test(lang) ? lang : "text";
}

function paragraphOf(children: PhrasingContent[]): RootContent[] {
  return children.length === 0 ? [] : [{ type: "paragraph", children }];
}

/** The words between the tags of a block of HTML; a script's or style's are none. */
function textOfHtml({ value }: Html): PhrasingContent[] {
  const text = value
    .replace(/<!--[\s\S]*?(?:--!?>|$)/g, " ")
    .replace(/<(script|style|svg|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<[^>]*(?:>|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? [] : [{ type: "inlineCode", value: text }];
}

const htmlTag =
  /^<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em|embed|figure|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|math|meta|object|ol|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video|audio)\b/i;

/** `Array<string>` was meant as text; `<img …>` and comments were not. */
function textOfInlineHtml({ value }: Html): PhrasingContent[] {
  if (/^<[!?]/.test(value) || htmlTag.test(value)) return [];
  return [{ type: "inlineCode", value }];
}
