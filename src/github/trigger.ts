/** Whether a text that a person wrote calls the action: its first rendered word is the trigger phrase. */
import type { Nodes, PhrasingContent, Root } from "mdast";
import { toString as renderedText } from "mdast-util-to-string";
import { stripInvisibleCharacters } from "./invisible-characters.ts";
import { parseMarkdown, rangeOf } from "./markdown.ts";
import { keepVisibleText, type RemovalReceipt } from "./visible-text.ts";

/** Why a text that contains the phrase does not call the action. */
export type NearMiss =
  | "not-the-first-word"
  | "longer-word"
  | "quoted"
  | "code"
  | "link"
  | "other-case"
  | "not-rendered";

export type Trigger =
  | { readonly kind: "absent" }
  | { readonly kind: "near-miss"; readonly reason: NearMiss }
  | { readonly kind: "called"; readonly request: string; readonly removed: RemovalReceipt };

/**
 * Finds the trigger phrase as the first word of what GitHub renders of `body`.
 *
 * The phrase counts in a paragraph or heading, also in bold or italics; not in quotes, lists, tables, code, links,
 * struck-out text or HTML. It must stand in the source as it is and end at a space, at the end of the line or at closing
 * punctuation. `request` is the rest of the text, reduced to what GitHub renders.
 */
export function findTrigger(body: string, phrase: string): Trigger {
  const source = body.replace(/\r\n?/g, "\n");
  if (!source.toLowerCase().includes(phrase.toLowerCase())) return { kind: "absent" };
  const tree = parseMarkdown(source);
  if (!tree) return { kind: "near-miss", reason: "not-rendered" };
  const first = firstRendered(tree);
  const found = first ? readFirstWord({ source, first, phrase }) : "not-rendered";
  if (found !== "called") {
    return {
      kind: "near-miss",
      reason: found === "elsewhere" ? explainElsewhere({ source, tree, phrase }) : found,
    };
  }
  const { text, hiddenSegments, invisibleCharacters } = keepVisibleText(source);
  return {
    kind: "called",
    request: cutPhrase(text, phrase),
    removed: { hiddenSegments, invisibleCharacters },
  };
}

/** The first block that GitHub renders: comments and definitions are not. */
function firstRendered(tree: Root): Nodes | undefined {
  return tree.children.find(
    (node) =>
      node.type !== "definition" &&
      node.type !== "footnoteDefinition" &&
      !(node.type === "html" && /^\s*<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->\s*$/.test(node.value)),
  );
}

interface FirstBlock {
  readonly source: string;
  readonly first: Nodes;
  readonly phrase: string;
}

function readFirstWord({
  source,
  first,
  phrase,
}: FirstBlock): "called" | "elsewhere" | "longer-word" | "other-case" {
  if (first.type !== "paragraph" && first.type !== "heading") return "elsewhere";
  const leading = leadingText(first.children);
  if (!leading) return "elsewhere";
  const { start } = rangeOf(leading);
  // The workflow's `if:` looks for the phrase after the same characters (trigger-condition.ts).
  if (!/(?:^|[ \t\n*_])$/.test(source.slice(0, start))) return "elsewhere";
  const written = source.slice(start, start + phrase.length);
  if (written !== phrase) return written.toLowerCase() === phrase.toLowerCase() ? "other-case" : "elsewhere";
  const shown = stripInvisibleCharacters(renderedText(withBreaks(first), { includeHtml: false })).text;
  return /^(?:$|\s|[.,!?;:]+(?:$|\s))/.test(shown.slice(phrase.length)) ? "called" : "longer-word";
}

/** The text node that is rendered first, through bold and italics. */
function leadingText(children: readonly PhrasingContent[]): Nodes | undefined {
  const [first] = children;
  if (first?.type === "emphasis" || first?.type === "strong") return leadingText(first.children);
  return first?.type === "text" ? first : undefined;
}

/** The block with its line breaks and images as the gaps they are when rendered. */
function withBreaks(node: Nodes): Nodes {
  if (node.type === "break") return { type: "text", value: "\n" };
  if (node.type === "image" || node.type === "imageReference") return { type: "text", value: " " };
  if (!("children" in node)) return node;
  return { ...node, children: node.children.map(withBreaks) } as Nodes;
}

function explainElsewhere({
  source,
  tree,
  phrase,
}: {
  source: string;
  tree: Root;
  phrase: string;
}): NearMiss {
  if (!keepVisibleText(source).text.includes(phrase)) return "not-rendered";
  const first = firstRendered(tree);
  if (first?.type === "blockquote") return "quoted";
  if (first?.type === "code") return "code";
  if (first?.type === "paragraph" && first.children[0]?.type === "inlineCode") return "code";
  if (first?.type === "paragraph" && first.children[0]?.type === "link") return "link";
  return "not-the-first-word";
}

/** What follows the phrase, without the marks of bold or italics that enclosed nothing else. */
function cutPhrase(visible: string, phrase: string): string {
  const start = visible.indexOf(phrase);
  const before = visible.slice(0, start).trimStart();
  const after = visible.slice(start + phrase.length);
  const marks = /[*_]*$/.exec(before)?.[0] ?? "";
  const closing = [...marks].reverse().join("");
  if (marks && after.startsWith(closing))
    return after
      .slice(closing.length)
      .replace(/^[.,!?;:]+(?=\s|$)/, "")
      .trim();
  const opening = marks ? before : "";
  return (opening + after.replace(/^[.,!?;:]+(?=\s|$)/, "").trimStart()).trim();
}
