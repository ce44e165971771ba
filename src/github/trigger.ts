/** The trigger phrase: whether a text that a person wrote calls the action, and the workflow's `if:` for it. */
import type { Nodes, PhrasingContent, Root } from "mdast";
import { toString as renderedText } from "mdast-util-to-string";
import { readInTime } from "../base/markdown-cost.ts";
import { type RemovedContent, stripInvisibleCharacters } from "./invisible-characters.ts";
import { parseMarkdown, rangeOf } from "./markdown.ts";
import { readVisibleText } from "./visible-text.ts";

/** Why a text that contains the phrase does not call the action. */
export type NearMiss =
  | "not-the-first-word"
  | "longer-word"
  | "quoted"
  | "code"
  | "link"
  | "other-case"
  | "not-rendered"
  | "unreadable";

export type Trigger =
  | { readonly kind: "absent" }
  | { readonly kind: "near-miss"; readonly reason: NearMiss }
  | { readonly kind: "called"; readonly request: string; readonly removed: RemovedContent };

/**
 * Finds the trigger phrase as the first word of what GitHub renders of `body`.
 *
 * The phrase counts in a paragraph or heading, also in bold or italics; not in quotes, lists, tables, code, links,
 * struck-out text or HTML. It must stand in the source as it is and end at a space, at the end of the line or at closing
 * punctuation. `request` is the rest of the text, reduced to what GitHub renders.
 */
export function findTrigger(body: string, phrase: string): Trigger {
  if (!body.toLowerCase().includes(phrase.toLowerCase())) return { kind: "absent" };
  const trigger = readInTime(body.replace(/\r\n?/g, "\n"), (source) => parseTrigger(source, phrase));
  return trigger ?? { kind: "near-miss", reason: "unreadable" };
}

function parseTrigger(source: string, phrase: string): Trigger {
  const tree = parseMarkdown(source);
  const visible = readVisibleText(source);
  if (!tree || !visible) return { kind: "near-miss", reason: "unreadable" };
  const first = firstRendered(tree);
  const found = first ? readFirstWord(source, first, phrase) : "not-rendered";
  const { text, ...removed } = visible;
  const request = found === "called" ? readRequest(text, phrase) : undefined;
  if (request !== undefined) return { kind: "called", request, removed };
  const isElsewhere = found === "elsewhere" || found === "called";
  return { kind: "near-miss", reason: isElsewhere ? explainElsewhere(text, first, phrase) : found };
}

const onlyComments = /^(?:\s*<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->)+\s*$/;
/** Punctuation that ends a word; of Chinese and Japanese, which need no space behind it, too. */
const wordEnd = /^(?:$|\s|[.,!?;:]+(?:$|\s)|[，。：；！？、])/;
const leadingPunctuation = /^(?:[.,!?;:]+(?=\s|$)|[，。：；！？、]+)/;

/** The first block that GitHub renders: comments and definitions are not. */
function firstRendered(tree: Root): Nodes | undefined {
  return tree.children.find(
    (node) =>
      node.type !== "definition" &&
      node.type !== "footnoteDefinition" &&
      !(node.type === "html" && onlyComments.test(node.value)),
  );
}

function readFirstWord(
  source: string,
  first: Nodes,
  phrase: string,
): "called" | "elsewhere" | "longer-word" | "other-case" {
  if (first.type !== "paragraph" && first.type !== "heading") return "elsewhere";
  const leading = leadingText(first.children);
  if (!leading) return "elsewhere";
  const { start } = rangeOf(leading);
  // The workflow's `if:` searches for the phrase after the same characters (`triggerCondition`).
  if (!/(?:^|[ \t\n*_])$/.test(source.slice(0, start))) return "elsewhere";
  const written = source.slice(start, start + phrase.length);
  if (written !== phrase) return written.toLowerCase() === phrase.toLowerCase() ? "other-case" : "elsewhere";
  const shown = stripInvisibleCharacters(renderedText(withBreaks(first), { includeHtml: false })).text;
  return wordEnd.test(shown.slice(phrase.length)) ? "called" : "longer-word";
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

function explainElsewhere(visible: string, first: Nodes | undefined, phrase: string): NearMiss {
  if (!visible.includes(phrase)) return "not-rendered";
  if (first?.type === "blockquote") return "quoted";
  if (first?.type === "code") return "code";
  if (first?.type === "paragraph" && first.children[0]?.type === "inlineCode") return "code";
  if (first?.type === "paragraph" && first.children[0]?.type === "link") return "link";
  return "not-the-first-word";
}

/** What follows the phrase in the visible text, without the marks of bold or italics that enclosed nothing else. */
function readRequest(visible: string, phrase: string): string | undefined {
  const tree = parseMarkdown(visible);
  const first = tree && firstRendered(tree);
  const leading =
    first?.type === "paragraph" || first?.type === "heading" ? leadingText(first.children) : undefined;
  if (!first || !leading) return undefined;
  const { start } = rangeOf(leading);
  if (!visible.startsWith(phrase, start)) return undefined;
  const marks = /[*_]*$/.exec(visible.slice(rangeOf(first).start, start))?.[0] ?? "";
  const after = visible.slice(start + phrase.length);
  const closing = [...marks].reverse().join("");
  const enclosesMore = marks !== "" && !after.startsWith(closing);
  const kept = enclosesMore ? after : after.slice(closing.length);
  const rest = kept.replace(leadingPunctuation, "").trimStart();
  const definitions = visible.slice(0, rangeOf(first).start).trim();
  const request = ((enclosesMore ? marks : "") + rest).trim();
  return definitions === "" ? request : `${request}\n\n${definitions}`;
}

/** What may stand directly before the phrase: the same characters that `findTrigger` allows there, and a carriage return. */
const precedingCharacters = [" ", "\t", "\n", "\r", "*", "_"];

/**
 * The GitHub expression that is true where the text at `path` (such as `github.event.comment.body`) may call the action.
 *
 * It saves runners, it decides nothing: the action parses the text and checks the person.
 */
export function triggerCondition(path: string, phrase: string): string {
  const terms = precedingCharacters.map((mark) => `contains(${path}, ${expressionString(mark + phrase)})`);
  return [`startsWith(${path}, ${expressionString(phrase)})`, ...terms].join(" || ");
}

/** A string as a literal of GitHub's expression language, which knows no escapes but the doubled quote. */
function expressionString(text: string): string {
  const quoted = (literal: string) => `'${literal.replaceAll("'", "''")}'`;
  return /[\t\n\r]/.test(text) ? `fromJSON(${quoted(JSON.stringify(text))})` : quoted(text);
}
