/** The blocks of an answer, reduced to what a public comment may hold. */
import type { Definition, FootnoteDefinition, PhrasingContent, Root, RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { visit } from "unist-util-visit";
import { textOfHtml, textOfInlineHtml } from "./answer-html.ts";
import { type LinkPolicy, resolveLink } from "./link-policy.ts";
import { neutralize } from "./neutral-text.ts";

/** GitHub draws, runs or applies these; as plain code they are shown. */
const activeLanguages = /^(?:mermaid|math|geojson|topojson|stl|suggestion.*)$/i;
/** Emphasis inside emphasis; deeper, printing it takes as long as its depth cubed. */
const maxEmphasis = 8;
/** Character references can name what was dropped from the source; a joiner of emoji is part of what is seen. */
const invisible =
  /[[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Cc}]--[\t\n\u200D]]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|\u200D(?!\p{Extended_Pictographic})/gv;

/** The blocks that are left of a parsed answer: no HTML, no images, no mentions, links into the documentation only. */
export function cleanAnswer(tree: Root, links: LinkPolicy): RootContent[] {
  const addresses = readDefinitions(tree);
  const { numbers, definitions } = numberFootnotes(tree);

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
      case "footnoteDefinition":
        return footnote(node);
      case "html":
        return paragraphOf(textOfHtml(node));
      default:
        return [];
    }
  }

  function blocks(nodes: readonly RootContent[]): RootContent[] {
    return nodes.flatMap(block);
  }

  function footnote(node: FootnoteDefinition): RootContent[] {
    const number = definitions.get(node);
    const children = blocks(node.children) as typeof node.children;
    return number === undefined ? [] : nonEmpty({ ...node, identifier: number, label: number, children });
  }

  /** Texts are made harmless last, when what stood between them is gone: `@<b>mona</b>` is a mention by then. */
  function inlines(nodes: readonly PhrasingContent[], depth = 0): PhrasingContent[] {
    const joined = joinTexts(nodes.flatMap((node) => inline(node, depth)));
    return mergeCode(
      joined.flatMap((node) => (node.type === "text" ? neutralize(node.value, links) : [node])),
    );
  }

  function inline(node: PhrasingContent, depth: number): PhrasingContent[] {
    switch (node.type) {
      case "text":
        return [{ type: "text", value: node.value.replace(invisible, "") }];
      case "emphasis":
      case "strong":
      case "delete":
        if (depth >= maxEmphasis) return node.children.flatMap((child) => inline(child, depth));
        return nonEmpty({ ...node, children: inlines(node.children, depth + 1) });
      case "inlineCode":
        // A line's end is shown as a space, and would end a heading in the middle of the code.
        return [{ type: "inlineCode", value: node.value.replace(invisible, "").replace(/[\r\n]+/g, " ") }];
      case "break":
        return [node];
      case "link":
        return link(node.url, node.children, depth);
      case "linkReference":
        return link(addresses.get(node.identifier) ?? "", node.children, depth);
      case "image":
      case "imageReference":
        return [
          { type: "text", value: node.alt ? `[image: ${node.alt.replace(invisible, "")}]` : "[image]" },
        ];
      case "footnoteReference": {
        const number = numbers.get(node.identifier);
        return number === undefined ? [] : [{ ...node, identifier: number, label: number }];
      }
      case "html":
        return textOfInlineHtml(node);
      default:
        return [];
    }
  }

  function link(address: string, children: readonly PhrasingContent[], depth: number): PhrasingContent[] {
    const url = resolveLink(address, links);
    if (url !== undefined && children.length > 0) {
      // Links do not nest; what is code or emphasis in the label may stay.
      const inside = inlines(children, depth).flatMap((child) =>
        child.type === "link" ? child.children : [child],
      );
      return inside.length === 0 ? [] : [{ type: "link", url, title: null, children: inside }];
    }
    const label = children.flatMap((child) => inline(child, depth));
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

  return blocks(tree.children);
}

/** Texts side by side are one text, as whoever reads the Markdown sees it. */
function joinTexts(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const joined: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.type === "text" && last?.type === "text") {
      joined[joined.length - 1] = { type: "text", value: last.value + node.value };
    } else joined.push(node);
  }
  return joined;
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

/** Footnotes in the order of their first mention; what nobody refers to is no footnote. */
function numberFootnotes(tree: Root) {
  const numbers = new Map<string, string>();
  visit(tree, "footnoteReference", ({ identifier }) => {
    if (!numbers.has(identifier)) numbers.set(identifier, String(numbers.size + 1));
  });
  const definitions = new Map<FootnoteDefinition, string>();
  const taken = new Set<string>();
  visit(tree, "footnoteDefinition", (node) => {
    const number = numbers.get(node.identifier);
    if (number === undefined || taken.has(number)) return;
    taken.add(number);
    definitions.set(node, number);
  });
  return { numbers, definitions };
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
