/** Finds the trigger phrase in a text that a user wrote. */
import type { Nodes, PhrasingContent } from "mdast";
import { toString as renderedText } from "mdast-util-to-string";
import { type RemovedContent, stripInvisibleCharacters } from "../base/invisible-characters.ts";
import { runWithTimeLimit } from "../base/markdown-cost.ts";
import { normalizeLineEndings } from "../base/text.ts";
import { isMisspelt } from "./may-trigger.ts";
import { parseMarkdown, rangeOf, readVisibleText } from "./visible-text.ts";

/** Why a text that contains the phrase, or a misspelt one, does not trigger the action. */
export type NearMiss = "not-the-first-word" | "misspelt" | "unreadable";

export type Trigger =
  | { readonly kind: "absent" }
  | {
      readonly kind: "near-miss";
      readonly reason: NearMiss;
      readonly phrase: string;
      /** Whether its author probably wanted to trigger the action, and did not only mention the phrase. */
      readonly isAttempt: boolean;
    }
  | { readonly kind: "called"; readonly request: string; readonly removed: RemovedContent };

/**
 * Checks whether the first rendered word of a text is one of the trigger phrases.
 *
 * The phrase is case-insensitive. It may be in a paragraph or heading, bold or italic; not in quotes, lists, tables, code, links,
 * strikethrough or HTML. The source must contain it literally, followed by a space, a line break or closing punctuation. `request`
 * is the visible rest of the text.
 */
export function findTrigger(body: string, phrases: readonly string[]): Trigger {
  const text = body.toLowerCase();
  const contained = phrases.filter((phrase) => text.includes(phrase.toLowerCase()));
  const [first] = contained;
  const trigger =
    first === undefined
      ? ({ kind: "absent" } as const)
      : runWithTimeLimit(normalizeLineEndings(body), (source) => parseTrigger(source, contained));
  if (trigger?.kind === "called") return trigger;
  const misspelt = phrases.find((phrase) => isMisspelt(body, phrase));
  if (misspelt !== undefined) return nearMiss("misspelt", misspelt, true);
  return trigger ?? unreadable(body, first ?? "");
}

function nearMiss(reason: NearMiss, phrase: string, isAttempt: boolean): Trigger {
  return { kind: "near-miss", reason, phrase, isAttempt };
}

function unreadable(body: string, phrase: string): Trigger {
  return nearMiss("unreadable", phrase, startsWithPhrase(body.trimStart(), phrase));
}

function parseTrigger(source: string, phrases: readonly string[]): Trigger {
  const tree = parseMarkdown(source);
  const visible = readVisibleText(source);
  if (!tree || !visible) return unreadable(source, phrases[0] ?? "");
  const { text, ...removed } = visible;
  const first = tree.children.find(isRendered);
  for (const phrase of phrases) {
    const request = first && isFirstWord(source, first, phrase) ? textAfterPhrase(text, phrase) : undefined;
    if (request !== undefined) return { kind: "called", request, removed };
  }
  const attempted = phrases.find((phrase) => startsLine(text, phrase));
  return nearMiss("not-the-first-word", attempted ?? phrases[0] ?? "", attempted !== undefined);
}

const onlyComments = /^(?:\s*<!--(?!-?>)(?:(?!--!?>)[\s\S])*-->)+\s*$/;
/** The end of a word. Chinese and Japanese punctuation needs no space after it. */
const wordEnd = /^(?:$|\s|[.,!?;:]+(?:$|\s)|[，。：；！？、])/;
/** Punctuation after the phrase, or the backslash of a hard line break. */
const leadingPunctuation = /^(?:[.,!?;:]+(?=\s|$)|[，。：；！？、]+|\\(?=\n))/;

/** Whether GitHub renders a block; comments and definitions are not rendered. */
function isRendered(node: Nodes): boolean {
  const isDefinition = node.type === "definition" || node.type === "footnoteDefinition";
  return !isDefinition && !(node.type === "html" && onlyComments.test(node.value));
}

function startsWithPhrase(text: string, phrase: string): boolean {
  return text.slice(0, phrase.length).toLowerCase() === phrase.toLowerCase();
}

function isFirstWord(source: string, first: Nodes, phrase: string): boolean {
  if (first.type !== "paragraph" && first.type !== "heading") return false;
  const leading = leadingText(first.children);
  if (!leading) return false;
  const { start } = rangeOf(leading);
  // The `if:` condition of the example workflows accepts the same characters before the phrase.
  const isSeparate = /(?:^|[ \t\n*_])$/.test(source.slice(0, start));
  const isPhrase = startsWithPhrase(source.slice(start), phrase);
  const shown = stripInvisibleCharacters(renderedText(withWhitespace(first), { includeHtml: false })).text;
  return isSeparate && isPhrase && wordEnd.test(shown.slice(phrase.length));
}

/** The first rendered text node, also inside bold or italics. */
function leadingText(children: readonly PhrasingContent[]): Nodes | undefined {
  const [first] = children;
  if (first?.type === "emphasis" || first?.type === "strong") return leadingText(first.children);
  return first?.type === "text" ? first : undefined;
}

/** Replaces line breaks and images by the whitespace that they are in the rendered text. */
function withWhitespace(node: Nodes): Nodes {
  if (node.type === "break") return { type: "text", value: "\n" };
  if (node.type === "image" || node.type === "imageReference") return { type: "text", value: " " };
  if (!("children" in node)) return node;
  return { ...node, children: node.children.map(withWhitespace) } as Nodes;
}

/** Whether a visible line starts with the phrase; the first line also in code, a link or another format. */
function startsLine(visible: string, phrase: string): boolean {
  const lines = visible.replace(/^[\s*_~`#[\\]+/, "").split("\n");
  const end = (line: string) => line.slice(phrase.length).replace(/^[`~\]].*/s, "");
  return lines.some((line) => startsWithPhrase(line, phrase) && wordEnd.test(end(line)));
}

/** The visible text after the phrase, without the bold or italic delimiters that enclosed only the phrase. */
function textAfterPhrase(visible: string, phrase: string): string | undefined {
  const tree = parseMarkdown(visible);
  const first = tree?.children.find(isRendered);
  const leading =
    first?.type === "paragraph" || first?.type === "heading" ? leadingText(first.children) : undefined;
  if (!first || !leading) return undefined;
  const { start } = rangeOf(leading);
  if (!startsWithPhrase(visible.slice(start), phrase)) return undefined;
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
