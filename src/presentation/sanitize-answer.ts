/**
 * Sanitizes an assistant's answer for a public comment: the Markdown is parsed, reduced to what a comment needs and printed
 * again, so that the result does not depend on how another parser reads the original.
 */
import type {
  Definition,
  Html,
  InlineCode,
  Link,
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
import { stripInvisibleCharacters } from "../base/invisible-characters.ts";
import { runWithTimeLimit } from "../base/markdown-cost.ts";
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
    // GitHub renders text between two dollar signs as a formula.
    unsafe: [{ character: "$", inConstruct: "phrasing" }],
  })
  .freeze();

/** Characters that are read: longer than any model's answer. */
const maxLength = 100_000;

export type SanitizedAnswer = Readonly<ReturnType<typeof sanitizeAnswer>>;

/**
 * Makes an answer harmless: raw HTML is removed, images become their description, links outside the documentation become
 * text, mentions and references become code, fences are closed. The result has at most `limit` characters; `isShortened`: its end
 * was cut off to fit. The questions of the suggestions block are returned separately, each as one line of plain text.
 */
export function sanitizeAnswer(markdown: string, links: AllowedLinks, limit: number) {
  const asCode = (value: string): Root => ({
    type: "root",
    children: [{ type: "code", lang: "text", value }],
  });
  return (
    runWithTimeLimit(markdown.slice(0, maxLength), (source) =>
      deepIndentation.test(source)
        ? undefined
        : sanitizeWithin(markdown, (text) => parser.parse(text), links, limit),
    ) ?? sanitizeWithin(markdown, asCode, links, limit)
  );
}

function sanitizeWithin(markdown: string, parse: (text: string) => Root, links: AllowedLinks, limit: number) {
  for (let length = Math.min(markdown.length, maxLength); ; ) {
    const tree = parse(cutText(markdown, length));
    const suggestions = readSuggestions(tree.children.at(-1));
    if (suggestions.length > 0) tree.children.pop();
    const printed = cleanAnswer(tree, links).map(print);
    const shown = printed.filter((text) => text !== "").join("\n\n");
    if (shown.length <= limit) return { markdown: shown, isShortened: length < markdown.length, suggestions };
    length = Math.floor(length * Math.min(0.9, limit / shown.length));
  }
}

const maxSuggestions = 5;
const maxSuggestionLines = 20;
const maxSuggestionLength = 200;
/** The form `(question)[/path]`; any other line is the question itself. */
const suggestionLine = /^\((?<question>.+)\)\[[^[\]]*\]$/;

/** Words and punctuation that Markdown shows unchanged: a user who posts the question has seen everything that it contains. */
const plainQuestion =
  /^["'“‘«¿]?[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .,:;!?'"“”‘’«»()+%=、。？！（）「」–—…¿¡-]|(?<=\w)_(?=\w)|\/(?!\/))*$/u;
/** Invisible characters, and what GitHub links in plain words. */
const notPlain = /\p{Default_Ignorable_Code_Point}|www\.|\bGH-\d|(?<!\w)[0-9a-f]{7,40}(?!\w)/iu;

/** The questions in the code block `suggestions` that may end an answer. */
function readSuggestions(last: RootContent | undefined): string[] {
  if (last?.type !== "code" || last.lang?.toLowerCase() !== "suggestions") return [];
  const lines = last.value.split("\n", maxSuggestionLines).map((line) => line.replace(/[\s`]+/g, " ").trim());
  const questions = lines.map((line) => suggestionLine.exec(line)?.groups?.["question"]?.trim() ?? line);
  const isShown = (line: string) =>
    line.length <= maxSuggestionLength && plainQuestion.test(line) && !notPlain.test(line);
  return [...new Set(questions)].filter(isShown).slice(0, maxSuggestions);
}

/** The part of a streaming answer that hardly changes any more: its finished paragraphs, or the finished words of the first one. */
export function finishedPart(answer: string): string {
  const text = answer.slice(0, maxLength);
  const paragraphs = text.lastIndexOf("\n\n");
  return text.slice(0, paragraphs > 0 ? paragraphs : Math.max(0, text.search(/\s\S*$/)));
}

/** Containers that are nested by indentation. Parsing takes seconds. */
const deepIndentation = /^(?: {60}|\t{15})[\t ]*(?:>|[-+*]|\d{1,9}[.)])/m;

function print(block: RootContent): string {
  return breakMarkers(printer.stringify({ type: "root", children: [block] })).trim();
}

/** GitHub renders these as diagrams, formulas, maps or suggested changes; as plain `text` they are shown as code. */
const activeLanguages = /^(?:mermaid|math|geojson|topojson|stl|suggestion.*)$/i;
/** Nested emphasis that is kept: printing it takes time cubic in its depth. */
const maxEmphasis = 8;
/** The blocks of a parsed answer without HTML, images and mentions, with links into the documentation only. */
function cleanAnswer(tree: Root, links: AllowedLinks): RootContent[] {
  const addresses = new Map<string, string>();
  visit(tree, "definition", ({ identifier, url }: Definition) => {
    if (!addresses.has(identifier)) addresses.set(identifier, url);
  });

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
        // `block` keeps the type of each child.
        return nonEmpty({ ...node, children: node.children.flatMap(block) } as typeof node);
      case "tableCell":
        return [{ ...node, children: inlines(node.children) }];
      case "code":
        return [{ type: "code", value: visible(node.value), lang: plainLanguage(node.lang), meta: null }];
      case "thematicBreak":
        return [node];
      case "footnoteDefinition":
        // In its place: GitHub hides footnotes that nothing references.
        return node.children.flatMap(block);
      case "html":
        return nonEmpty<Paragraph>({ type: "paragraph", children: textOfHtml(node) });
      default:
        return [];
    }
  }

  /** Text is neutralized after HTML between it is removed: only then `@<b>mona</b>` is a mention. */
  function inlines(nodes: readonly PhrasingContent[], depth = 0): PhrasingContent[] {
    const texts = mergeAdjacent(
      nodes.flatMap((node) => inline(node, depth)),
      "text",
    );
    const neutral = texts.flatMap((node) => (node.type === "text" ? neutralize(node.value, links) : [node]));
    // Adjacent code spans would share their backticks.
    return mergeAdjacent(neutral, "inlineCode");
  }

  function inline(node: PhrasingContent, depth: number): PhrasingContent[] {
    switch (node.type) {
      case "text":
        return [textNode(node.value)];
      case "emphasis":
      case "strong":
      case "delete":
        if (depth >= maxEmphasis) return node.children.flatMap((child) => inline(child, depth));
        // Nested deletions, printed, would start a code block with `~~~~`.
        return nonEmpty({
          ...node,
          children: inlines(node.children, node.type === "delete" ? maxEmphasis : depth + 1),
        });
      case "inlineCode":
        return [codeNode(node.value)];
      case "break":
        return [node];
      case "link":
        return link(node.url, node.children, depth);
      case "linkReference":
        return link(addresses.get(node.identifier) ?? "", node.children, depth);
      case "image":
      case "imageReference":
        return [textNode(node.alt ? `[image: ${node.alt}]` : "[image]")];
      case "footnoteReference":
        return [textNode(`[${node.identifier}]`)];
      case "html":
        return textOfInlineHtml(node);
      default:
        return [];
    }
  }

  function link(address: string, children: readonly PhrasingContent[], depth: number): PhrasingContent[] {
    const url = resolveLink(address, links);
    if (url !== undefined && children.length > 0) {
      // Links must not nest; code and emphasis in the label stay.
      const content = inlines(children, depth).flatMap((child) =>
        child.type === "link" ? child.children : [child],
      );
      return nonEmpty<Link>({ type: "link", url, title: null, children: content });
    }
    const label = children.flatMap((child) => inline(child, depth));
    const text = textOf(children);
    const isBareUrl = text === address || address === `mailto:${text}` || address === `http://${text}`;
    if (isBareUrl || !/^https?:/i.test(address)) return label;
    return [...label, textNode(" ("), codeNode(address), textNode(")")];
  }

  return tree.children.flatMap(block);
}

const visible = (text: string) => stripInvisibleCharacters(text).text;

function textNode(value: string): Text {
  return { type: "text", value: visible(value) };
}

function codeNode(value: string): InlineCode {
  // GitHub shows a line break as a space; printed, it would end a heading.
  return { type: "inlineCode", value: visible(value).replace(/\n+/g, " ") };
}

function nonEmpty<Node extends { readonly children: readonly unknown[] }>(node: Node): Node[] {
  return node.children.length === 0 ? [] : [node];
}

function mergeAdjacent(nodes: readonly PhrasingContent[], type: "text" | "inlineCode"): PhrasingContent[] {
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

/** The text between the tags of an HTML block, without scripts and other elements that show no text. */
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

/** Unknown tags such as in `Array<string>` are text; HTML tags and comments are dropped; `<br>` separates words. */
function textOfInlineHtml({ value }: Html): PhrasingContent[] {
  if (/^<br\b/i.test(value)) return [textNode(" ")];
  if (/^<[!?]/.test(value) || htmlTag.test(value)) return [];
  return [codeNode(value)];
}

/** What GitHub links or interprets, most specific first. */
const active = new RegExp(
  [
    // Tags and URLs.
    String.raw`<[a-z/!?][^<>\n]*>?|(?:https?|ftp)://[^\s<>${"`"}]+|(?<![\p{L}\p{N}])www\.[^\s<>${"`"}]*`,
    // Commits, with or without their repository.
    String.raw`[\w-]{1,40}/[\w.-]{1,100}@[0-9a-f]{7,40}\b`,
    String.raw`(?<![\w.+%/-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w%])`,
    // Mentions of users and teams.
    String.raw`(?<![\p{L}\p{N}])(?:@[a-z\d][\w-]*(?:/[\w.-]+)?)+`,
    // Mail addresses: GitHub looks for them after it removes escapes, so an escape does not help.
    String.raw`(?<![\w.+-])(?:(?:mailto|xmpp):)?[\w.+-]*(?:@[\w.-]*[\w-])+`,
    // Issues and pull requests.
    String.raw`(?:[\w.-]{1,40}/[\w.-]{1,100}|\b[\w-]{1,40})?#\d+\b|\bGH-\d+\b`,
  ].join("|"),
  "giu",
);

/** Punctuation after a URL is part of the sentence. */
const trailing = /[.,;:!?'"*_~)\]]+$/;

/** Splits a text into nodes: mentions, references and foreign URLs become code, URLs of the documentation links. */
function neutralize(text: string, links: AllowedLinks): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let end = 0;
  const addText = (until: number) => {
    const part = text.slice(end, until);
    if (part === text) nodes.push(textNode(part));
    // Next to code, a word starts or ends: what was inside a word before may be a mention now.
    else if (part !== "") nodes.push(...neutralize(part, links));
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

/** Which links of an answer stay links. */
export interface AllowedLinks {
  /** The base of relative links; without it, they become text. */
  readonly baseUrl: string | undefined;
  readonly allowed: readonly string[];
}

/** The absolute URL of a link in an answer; `undefined` if it is not allowed. */
export function resolveLink(address: string, { baseUrl, allowed }: AllowedLinks): string | undefined {
  // `/guides/x` is relative to the site, which may be in a folder of its host.
  const relative = address.trim().replace(/^\/(?![/\\])/, "./");
  const url = URL.parse(relative, baseUrl);
  if (url === null) return undefined;
  if (url.username !== "" || url.password !== "") return undefined;
  return allowed.some((prefix) => isBelow(url, prefix)) ? url.href : undefined;
}

function isBelow(url: URL, prefix: string): boolean {
  const root = URL.parse(prefix);
  if (root === null || url.protocol !== root.protocol || url.host !== root.host) return false;
  const folder = root.pathname.endsWith("/") ? root.pathname : `${root.pathname}/`;
  return `${url.pathname}/`.startsWith(folder);
}
