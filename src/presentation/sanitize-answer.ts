/**
 * An assistant's answer as Markdown that can be shown in a public comment: parsed, reduced to what a comment needs, and
 * printed again, so that nothing depends on how another parser would have read the original.
 */
import type {
  Definition,
  Html,
  InlineCode,
  Link,
  Nodes,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
  Text,
} from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import { isTooDense, runWithTimeLimit } from "../base/markdown-cost.ts";
import { cutText } from "../base/text.ts";
import { breakMarkers } from "./markdown.ts";

const parser = unified().use(remarkParse).use(remarkGfm).freeze();
const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: "-",
    fences: true,
    rule: "-",
    listItemIndent: "one",
    // GitHub sets as a formula what stands between two of them.
    unsafe: [{ character: "$", inConstruct: "phrasing" }],
  })
  .freeze();

/** Longer than any model's answer: the rest would only cost time. */
const maxLength = 100_000;

export interface SanitizedAnswer {
  readonly markdown: string;
  /** Whether blocks were left out at the end, to keep within the limit. */
  readonly isShortened: boolean;
  /** Questions that the answer's last block suggests; each is one line that Markdown shows as it is. */
  readonly suggestions: readonly string[];
}

/**
 * Makes an answer harmless: raw HTML goes, images become their description, links lead into the documentation or are
 * shown as text, mentions and references are code, fences are closed. Cut to fit `limit` characters. Suggested questions
 * are taken out.
 */
export function sanitizeAnswer(markdown: string, links: LinkPolicy, limit: number): SanitizedAnswer {
  const source = markdown.slice(0, maxLength);
  const sanitized =
    runWithTimeLimit(source, () =>
      isTooComplex(source) ? undefined : sanitizeTree(parser.parse(source), links, limit),
    ) ??
    sanitizeTree({ type: "root", children: [{ type: "code", lang: "text", value: source }] }, links, limit);
  return { ...sanitized, isShortened: sanitized.isShortened || markdown.length > maxLength };
}

function sanitizeTree(tree: Root, links: LinkPolicy, limit: number): SanitizedAnswer {
  const suggestions = readSuggestions(tree.children.at(-1));
  if (suggestions.length > 0) tree.children.pop();
  const blocks = cleanAnswer(tree, links);
  const pieces: string[] = [];
  let room = limit;
  for (const block of blocks) {
    const piece = print(block);
    if (piece.length > room) {
      const part = shortenBlock(block, room);
      const markdown = [...pieces, ...(part === undefined ? [] : [part])].join("\n\n");
      return { markdown, isShortened: true, suggestions };
    }
    if (piece === "") continue;
    pieces.push(piece);
    room -= piece.length + 2;
  }
  return { markdown: pieces.join("\n\n"), isShortened: false, suggestions };
}

const maxSuggestions = 5;
const maxSuggestionLines = 20;
const maxSuggestionLength = 200;
/** `(words)[/path]`, as assistants write them; other lines are the words themselves. */
const suggestionLine = /^\((?<words>.+)\)\[[^[\]]*\]$/;

/** Words and the punctuation of sentences, beginning with a word: no mark that GitHub might read, nothing that is not seen. */
const plainWords =
  /^["'“‘«¿]?(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}](?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N} _.,:;!?'"“”‘’«»()[\]{}/+%=@#、。？！（）「」–—…¿¡-])*$/u;

/** The questions in a block of suggestions, which an assistant may end its answer with. */
function readSuggestions(last: RootContent | undefined): string[] {
  if (last?.type !== "code" || last.lang?.toLowerCase() !== "suggestions") return [];
  const lines = last.value.split("\n", maxSuggestionLines).map((line) => line.replace(/[\s`]+/g, " ").trim());
  const words = lines.map((line) => suggestionLine.exec(line)?.groups?.["words"]?.trim() ?? line);
  return [...new Set(words)].filter(isPlainQuestion).slice(0, maxSuggestions);
}

/**
 * Whether Markdown shows a line as it is, and nothing in it has an effect: a person who posts it as a comment has read all
 * that it says, and mentions, links and references nothing.
 */
function isPlainQuestion(line: string): boolean {
  if (line.length > maxSuggestionLength || !plainWords.test(line)) return false;
  const [paragraph, ...others] = parser.parse(line).children;
  if (paragraph?.type !== "paragraph" || others.length > 0) return false;
  const [text, ...more] = neutralize(line.replace(invisible, ""), { baseUrl: undefined, allowed: [] });
  const isText = text?.type === "text" && text.value === line && more.length === 0;
  return isText && paragraph.children.length === 1 && paragraph.children[0]?.type === "text";
}

/** The part of a growing answer that will not change any more: its finished blocks; of the first one, its finished words. */
export function finishedPart(answer: string): string {
  return runWithTimeLimit(answer.slice(0, maxLength), findFinishedPart) ?? "";
}

function findFinishedPart(markdown: string): string {
  if (isTooComplex(markdown)) return "";
  const { children } = parser.parse(markdown);
  const beforeLast = children.at(-2)?.position?.end.offset;
  if (beforeLast !== undefined) return markdown.slice(0, beforeLast);
  return children[0]?.type === "paragraph" ? markdown.replace(/\s*\S*$/, "") : markdown;
}

/** Containers that open on one line: quotes in lists in quotes. */
const deepLine = /^[\t ]*(?:(?:>|[-+*]|\d{1,9}[.)])[\t ]*){12}/m;
/** Nested by indentation, line after line. */
const deepIndentation = /^(?: {60}|\t{15})[\t ]*(?:>|[-+*]|\d{1,9}[.)])/m;
const longWord = /\S{4000}/;
const delimiter = /[*_[~`<]/g;
/** Of one paragraph, list or table. */
const maxDelimiters = 2_500;

/** Markdown that no author writes: to parse it would take minutes, or more stack than there is. It is shown as code. */
function isTooComplex(markdown: string): boolean {
  if (deepLine.test(markdown) || deepIndentation.test(markdown) || longWord.test(markdown)) return true;
  if (isTooDense(markdown)) return true;
  return markdown.split(/\n[\t ]*\n/).some((piece) => (piece.match(delimiter)?.length ?? 0) > maxDelimiters);
}

function print(block: RootContent): string {
  return breakMarkers(printer.stringify({ type: "root", children: [block] })).trim();
}

/** The first part of a block that prints within `room` characters; `undefined` where nothing worth showing does. */
function shortenBlock(block: RootContent, room: number): string | undefined {
  if (room < 200) return undefined;
  let share = Math.min(1, room / print(block).length);
  for (let tries = 0; tries < 8; tries += 1) {
    const part = firstPart(block, share);
    const piece = part === undefined ? "" : print(part);
    if (piece === "") return undefined;
    if (piece.length <= room) return piece;
    share *= 0.85;
  }
  return undefined;
}

/** A node with about this share of its content; `undefined` where none is left. */
function firstPart<Node extends Nodes>(node: Node, share: number): Node | undefined {
  if ("value" in node) {
    const value = cutText(node.value, Math.floor(node.value.length * share));
    return value === "" ? undefined : { ...node, value };
  }
  if (!("children" in node)) return share > 0 ? node : undefined;
  const count = node.children.length * share;
  const whole = Math.floor(count);
  const next = node.children[whole];
  const part = next === undefined ? undefined : firstPart(next, count - whole);
  const children = [...node.children.slice(0, whole), ...(part === undefined ? [] : [part])];
  return children.length === 0 ? undefined : ({ ...node, children } as Node);
}

/** GitHub draws, runs or applies these; as plain code they are shown. */
const activeLanguages = /^(?:mermaid|math|geojson|topojson|stl|suggestion.*)$/i;
/** Emphasis inside emphasis; deeper, printing it takes as long as its depth cubed. */
const maxEmphasis = 8;
/** Character references can name what was dropped from the source; a joiner of emoji is part of what is seen. */
const invisible =
  /[[\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Cc}]--[\t\n\u200D]]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D|\u200D(?!\p{Extended_Pictographic})/gv;

/** The blocks that are left of a parsed answer: no HTML, no images, no mentions, links into the documentation only. */
function cleanAnswer(tree: Root, links: LinkPolicy): RootContent[] {
  const addresses = new Map<string, string>();
  visit(tree, "definition", ({ identifier, url }: Definition) => {
    if (!addresses.has(identifier)) addresses.set(identifier, url);
  });
  const mentioned = new Set<string>();
  visit(tree, "footnoteReference", ({ identifier }) => void mentioned.add(identifier));
  const footnotes = new Map<string, string>();
  /** The number of a footnote: its label might be read as something else. */
  const numberOf = (identifier: string) => {
    const number = footnotes.get(identifier) ?? String(footnotes.size + 1);
    footnotes.set(identifier, number);
    return number;
  };

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
        return nonEmpty({ ...node, children: node.children.flatMap(block) } as typeof node);
      case "tableCell":
        return [{ ...node, children: inlines(node.children) }];
      case "code":
        return [{ type: "code", value: node.value, lang: plainLanguage(node.lang), meta: null }];
      case "thematicBreak":
        return [node];
      case "footnoteDefinition": {
        // GitHub shows neither a footnote without a mention nor a second one: nothing hidden gets into a comment.
        if (!mentioned.delete(node.identifier)) return [];
        const number = numberOf(node.identifier);
        const children = node.children.flatMap(block) as typeof node.children;
        return nonEmpty({ ...node, identifier: number, label: number, children });
      }
      case "html":
        return nonEmpty<Paragraph>({ type: "paragraph", children: textOfHtml(node) });
      default:
        return [];
    }
  }

  /** Texts are made harmless last, when what stood between them is gone: `@<b>mona</b>` is a mention by then. */
  function inlines(nodes: readonly PhrasingContent[], depth = 0): PhrasingContent[] {
    const texts = mergeNeighbours(
      nodes.flatMap((node) => inline(node, depth)),
      "text",
    );
    const neutral = texts.flatMap((node) => (node.type === "text" ? neutralize(node.value, links) : [node]));
    // Two code spans side by side would share their backticks.
    return mergeNeighbours(neutral, "inlineCode");
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
        return [codeNode(node.value.replace(invisible, "").replace(/[\r\n]+/g, " "))];
      case "break":
        return [node];
      case "link":
        return link(node.url, node.children, depth);
      case "linkReference":
        return link(addresses.get(node.identifier) ?? "", node.children, depth);
      case "image":
      case "imageReference":
        return [textNode(node.alt ? `[image: ${node.alt.replace(invisible, "")}]` : "[image]")];
      case "footnoteReference": {
        const number = numberOf(node.identifier);
        return [{ ...node, identifier: number, label: number }];
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
      return nonEmpty<Link>({ type: "link", url, title: null, children: inside });
    }
    const label = children.flatMap((child) => inline(child, depth));
    const text = textOf(children);
    const isItself = text === address || address === `mailto:${text}` || address === `http://${text}`;
    if (isItself || !/^https?:/i.test(address)) return label;
    return [...label, textNode(" ("), codeNode(address), textNode(")")];
  }

  return tree.children.flatMap(block);
}

function textNode(value: string): Text {
  return { type: "text", value };
}

function codeNode(value: string): InlineCode {
  return { type: "inlineCode", value };
}

function nonEmpty<Node extends { readonly children: readonly unknown[] }>(node: Node): Node[] {
  return node.children.length === 0 ? [] : [node];
}

/** Nodes of a type that stand side by side become one, as a reader of the Markdown sees them. */
function mergeNeighbours(nodes: readonly PhrasingContent[], type: "text" | "inlineCode"): PhrasingContent[] {
  const merged: PhrasingContent[] = [];
  for (const node of nodes) {
    const last = merged.at(-1);
    if (node.type === type && last?.type === type) {
      merged[merged.length - 1] = { type, value: last.value + node.value };
    } else merged.push(node);
  }
  return merged;
}

function plainLanguage(lang: string | null | undefined): string | null {
  if (lang === null || lang === undefined) return null;
  return /^[\w+#.-]{1,30}$/.test(lang) && !activeLanguages.test(lang) ? lang : "text";
}

/** The words between the tags of a block of HTML; a script's or style's are none. */
function textOfHtml({ value }: Html): PhrasingContent[] {
  const text = value
    .replace(/<!--[\s\S]*?(?:--!?>|$)/g, " ")
    .replace(/<(script|style|svg|iframe|object)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<[^>]*(?:>|$)/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? [] : [codeNode(text)];
}

const htmlTag =
  /^<\/?(?:a|abbr|b|big|blockquote|body|br|button|center|code|dd|del|details|div|dl|dt|em|embed|figure|font|form|frame|h[1-6]|head|hr|html|i|iframe|img|input|ins|kbd|li|link|math|meta|object|ol|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video|audio)\b/i;

/** `Array<string>` was meant as text; `<img …>` and comments were not, and `<br>` separates words. */
function textOfInlineHtml({ value }: Html): PhrasingContent[] {
  if (/^<br\b/i.test(value)) return [textNode(" ")];
  if (/^<[!?]/.test(value) || htmlTag.test(value)) return [];
  return [codeNode(value)];
}

/** What GitHub turns into something else, most specific first. */
const active = new RegExp(
  [
    // What resembles a tag, and addresses.
    String.raw`<[a-z/!?][^<>\n]*>?|(?:https?|ftp)://[^\s<>${"`"}]+|(?<![\p{L}\p{N}])www\.[^\s<>${"`"}]*`,
    // Commits: of a repository, or as digits and letters that may be one.
    String.raw`[\w-]{1,40}/[\w.-]{1,100}@[0-9a-f]{7,40}\b`,
    String.raw`(?<![\w.+%/-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w%])`,
    // Mentions of people and teams.
    String.raw`(?<![\p{L}\p{N}])(?:@[a-z\d][\w-]*(?:/[\w.-]+)?)+`,
    // Mail addresses: GitHub searches for them when escapes are gone already, so that none helps.
    String.raw`(?<![\w.+-])(?:(?:mailto|xmpp):)?[\w.+-]*(?:@[\w.-]*[\w-])+`,
    // Issues and pull requests.
    String.raw`(?:[\w.-]{1,40}/[\w.-]{1,100}|\b[\w-]{1,40})?#\d+\b|\bGH-\d+\b`,
  ].join("|"),
  "giu",
);

/** Trailing punctuation belongs to the sentence, not to the address. */
const trailing = /[.,;:!?'"*_~)\]]+$/;

/** A text as nodes: mentions, references and other addresses as code, addresses of the documentation as links. */
function neutralize(text: string, links: LinkPolicy): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let end = 0;
  const addText = (until: number) => {
    const piece = text.slice(end, until);
    if (piece === text) nodes.push(textNode(piece));
    // Beside code, words begin and end again: what was part of a word before may be a mention now.
    else if (piece !== "") nodes.push(...neutralize(piece, links));
  };
  for (const match of text.matchAll(active)) {
    const token = /^(?:\w+:\/\/|www\.)/i.test(match[0]) ? match[0].replace(trailing, "") : match[0];
    addText(match.index);
    const url = /^https?:\/\//i.test(token) ? resolveLink(token, links) : undefined;
    nodes.push(url === undefined ? codeNode(token) : { type: "link", url, children: [textNode(token)] });
    end = match.index + token.length;
  }
  addText(text.length);
  return nodes;
}

/** Which links of an answer are shown as links. */
export interface LinkPolicy {
  /** What relative addresses are relative to; without it, they are no links. */
  readonly baseUrl: string | undefined;
  /** Addresses below which links may lead: the documentation's. */
  readonly allowed: readonly string[];
}

/** The absolute address that a link of an answer leads to; `undefined` where it must not be a link. */
export function resolveLink(address: string, { baseUrl, allowed }: LinkPolicy): string | undefined {
  // `/guides/x` is a path of the site, wherever below its host the site is.
  const relative = address.trim().replace(/^\/(?![/\\])/, "./");
  const url = URL.parse(relative, baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return allowed.some((prefix) => isBelow(url, prefix)) ? url.href : undefined;
}

function isBelow(url: URL, prefix: string): boolean {
  const root = URL.parse(prefix);
  if (root === null || url.origin !== root.origin) return false;
  const folder = root.pathname.endsWith("/") ? root.pathname : `${root.pathname}/`;
  return `${url.pathname}/`.startsWith(folder);
}
