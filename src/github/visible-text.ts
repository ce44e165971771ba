/**
 * Reduces a user's Markdown to the text that GitHub shows, so that no hidden text reaches a model: comments, hidden elements,
 * titles, unused definitions and other hidden ranges are removed.
 */
import { decodeNamedCharacterReference } from "decode-named-character-reference";
import type {
  Code,
  Definition,
  FootnoteDefinition,
  Html,
  Link,
  LinkReference,
  ListItem,
  Nodes,
  Parents,
  PhrasingContent,
  Root,
  Table,
} from "mdast";
import { toString as renderedText } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { type Processor, unified } from "unified";
import { SKIP, visit } from "unist-util-visit";
import { hasInvisible, stripInvisibleCharacters, type VisibleText } from "../base/invisible-characters.ts";
import { runWithTimeLimit } from "../base/markdown-cost.ts";
import { normalizeLineEndings } from "../base/text.ts";
import { type HiddenRange, HtmlScanner } from "./hidden-html.ts";

/** Removing a range can create new Markdown from the text around it, so removal is repeated; real texts need two rounds. */
const maxRounds = 20;

/**
 * Keeps the visible parts of a Markdown text unchanged, and counts what it removed. It is idempotent. A text that `readVisibleText`
 * cannot read is removed completely.
 */
export function keepVisibleText(markdown: string): VisibleText {
  return readVisibleText(markdown) ?? { ...stripInvisibleCharacters(markdown), text: "", hiddenSegments: 1 };
}

/**
 * Like `keepVisibleText`; `undefined` if the text is too deeply nested or too complex, takes too long to parse, or changes in every
 * round.
 */
export function readVisibleText(markdown: string): VisibleText | undefined {
  return runWithTimeLimit(markdown, reduceToVisible);
}

function reduceToVisible(markdown: string): VisibleText | undefined {
  let text = normalizeLineEndings(markdown);
  // The indentation of code at the start stays: without it, a tag in its first line could hide what follows.
  const margin = /^(?:\s*\n)?(?: {4}| {0,3}\t)/.test(text) ? /^\s*\n/ : /^\s+/;
  let hiddenSegments = 0;
  let invisibleCharacters = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const tree = parseMarkdown(text);
    if (!tree) return undefined;
    const hidden = findHidden(text, tree);
    hiddenSegments += hidden.filter(({ hidesText }) => hidesText).length;
    // Invisible characters are part of the Markdown that GitHub reads, so they are removed after everything that is hidden.
    const trimmed = text.replace(margin, "").trimEnd();
    const visible = hidden.length === 0 ? stripInvisibleCharacters(trimmed) : undefined;
    if (visible?.text === text) return { text, hiddenSegments, invisibleCharacters };
    // Trimming may change the meaning of the first line, so the result is parsed again.
    text = visible?.text ?? removeRanges(text, hidden);
    invisibleCharacters += visible?.invisibleCharacters ?? 0;
  }
  return undefined;
}

function removeRanges(text: string, ranges: readonly HiddenRange[]): string {
  const kept: string[] = [];
  let offset = 0;
  for (const { start, end, replacement } of ranges) {
    kept.push(text.slice(offset, start), replacement);
    offset = end;
  }
  return kept.join("") + text.slice(offset);
}

/** Finds the hidden ranges of `source`, in document order and without overlaps. */
function findHidden(source: string, tree: Root): HiddenRange[] {
  for (const align of [findUnreadTags, alignHtml]) {
    const aligned = align(source, tree);
    if (aligned.length > 0) return aligned;
  }
  const search = new HiddenSearch(source, tree);
  search.walkDocument(tree);
  const hidden: HiddenRange[] = [];
  for (const range of search.found.toSorted((a, b) => a.start - b.start)) {
    const last = hidden.at(-1);
    // An overlapping range is found again after the first one is removed.
    if (last !== undefined && range.start < last.end) continue;
    // Adjacent hidden ranges, such as the start and the rest of a comment, count as one.
    const continues = last?.end === range.start && last.hidesText && range.hidesText && !last.replacement;
    if (continues) hidden.pop();
    hidden.push(continues ? { ...range, start: last.start } : range);
  }
  return hidden;
}

/** What may separate the parts of a tag, also over the lines of a quote. */
const gap = /[ \t]*(?:\n[ \t>]*)?/.source;
const attribute = /[a-z_:][\w.:-]*/.source;
const attributeValue = /[^\s"'=<>`]+|'(?:[^'\n]|\n(?!\s*\n))*'|"(?:[^"\n]|\n(?!\s*\n))*"/.source;
/** A start tag that no backslash escapes (CommonMark §6.6). */
const startTag = new RegExp(
  String.raw`<(?<!(?<!\\)(?:\\\\)*\\<)([a-z][a-z\d-]*)(?:(?=\s)${gap}${attribute}(?:${gap}=${gap}(?:${attributeValue}))?)*${gap}/?>`,
  "iy",
);

/** Finds tags that the parser reads as text, because an attribute without quotes contains a slash. Their names are kept. */
function findUnreadTags(source: string, tree: Root): HiddenRange[] {
  const found: HiddenRange[] = [];
  let offset = 0;
  visit(tree, "text", (node) => {
    const { start, end } = rangeOf(node);
    for (offset = Math.max(offset, start); offset < end; offset += 1) {
      startTag.lastIndex = offset;
      const [tag, name] = startTag.exec(source) ?? [];
      if (tag === undefined) continue;
      found.push({ start: offset, end: offset + tag.length, hidesText: true, replacement: `<${name}>` });
      offset += tag.length - 1;
    }
  });
  return found;
}

/** GitHub reads Markdown in it, as in an unknown element; later versions of CommonMark do not. */
const textArea = /^<textarea(?=[\s>]|$)/i;
/** A declaration or comment within a block, in later versions of CommonMark only. For GitHub, it is text, in which tags count. */
const laterInline = /^<!(?:[a-z]|[A-Z]+[^A-Z\s]|--(?:-?>|[\s\S]*--[\s\S]*-->|[\s\S]*--->))/;
const blockParents = /^(?:root|blockquote|listItem|footnoteDefinition)$/;

/**
 * What to change before HTML that the parser reads differently from GitHub:
 * - A text area or search becomes an unknown element.
 * - A declaration or comment that is text for GitHub is removed, except the start tags in it. As a block, only its `<` is replaced.
 * - HTML in the line below a quote or list that ends in a paragraph is a block outside for GitHub, and one line inside for the parser.
 *   A blank line makes both read the same.
 */
function alignHtml(source: string, tree: Root): HiddenRange[] {
  const found: HiddenRange[] = [];
  visit(tree, "html", (node, index, parent) => {
    const lineStart = source.lastIndexOf("\n", rangeOf(node).start) + 1;
    const before = index ? parent?.children[index - 1] : undefined;
    const later = findLaterHtml(node, blockParents.test(String(parent?.type)));
    const isBelow = before?.position?.end.line === (node.position?.start.line ?? 0) - 1;
    if (later) found.push(later);
    else if (isBelow && before.type === "paragraph" && parent?.type !== "root")
      found.push({ start: lineStart, end: lineStart, hidesText: false, replacement: "\n" });
  });
  return found;
}

/** HTML of later versions of CommonMark, and what replaces it or its start. */
function findLaterHtml(node: Html, isBlock: boolean): HiddenRange | undefined {
  const { start: lineStart, end } = rangeOf(node);
  const html = node.value.trimStart();
  const start = lineStart + node.value.length - html.length;
  if (textArea.test(html) || (isBlock && /^<\/?search(?=[\s/>]|$)/i.test(html)))
    return { start: start + "<text".length, end: start + "<text".length, hidesText: false, replacement: "-" };
  if (isBlock && /^<![a-z]/.test(html))
    return { start, end: start + 1, hidesText: false, replacement: "&lt;" };
  if (isBlock || !laterInline.test(html)) return undefined;
  return { start, end, hidesText: true, replacement: (html.match(/(?!^)<[a-z][^<>]*>/gi) ?? []).join("") };
}

/**
 * Walks a document once. Raw HTML affects everything after it (an unclosed comment hides the rest of the page), so the scanner keeps
 * its state between nodes.
 */
class HiddenSearch {
  readonly found: HiddenRange[] = [];
  readonly #source: string;
  /** The definition of each identifier, and the identifiers that links and images use. */
  readonly #definitions = new Map<string, Definition>();
  readonly #linked = new Set<string>();
  readonly #footnotes: ReadonlySet<FootnoteDefinition>;
  /** The offset of the last HTML end tag of each name. */
  readonly #lastClosing = new Map<string, number>();
  readonly #html = new HtmlScanner();
  #isInBlock = false;

  constructor(source: string, tree: Root) {
    this.#source = source;
    this.#footnotes = findShownFootnotes(tree);
    visit(tree, (node) => {
      if (node.type === "linkReference" || node.type === "imageReference") this.#linked.add(node.identifier);
      if (node.type === "definition" && !this.#definitions.has(node.identifier))
        this.#definitions.set(node.identifier, node);
      if (node.type !== "html") return;
      const { start, end } = rangeOf(node);
      for (const { index, 1: name = "" } of source.slice(start, end).matchAll(/<\/([a-z][^\s/>]*)/gi))
        this.#lastClosing.set(name.toLowerCase(), start + index);
    });
  }

  walkDocument(tree: Root): void {
    this.walk(tree);
    // GitHub shows footnotes at the end of the page, where an unclosed comment or element hides them.
    if (this.#html.isHiding) for (const footnote of this.#footnotes) this.#cut(footnote, true);
  }

  walk(node: Nodes): void {
    if (node.type === "html") this.#walkHtml(node);
    else if (!("children" in node) && this.#html.isHiding) this.#cut(node, true);
    else this.#walkRendered(node);
  }

  #walkRendered(node: Nodes): void {
    switch (node.type) {
      case "text":
        this.#decodeInvisible(node, "markdown");
        break;
      case "code":
        this.#walkCode(node);
        break;
      case "definition":
        this.#cut(node, this.#hidesText(node));
        break;
      case "footnoteReference":
        if (!shortLabel.test(node.identifier)) this.#cut(node, true);
        break;
      case "footnoteDefinition":
        if (this.#footnotes.has(node)) this.#walkAll(node.children);
        else this.#cut(node, true);
        break;
      case "image":
      case "imageReference":
        this.#cut(node, Boolean(node.alt || ("title" in node && node.title)), "(image)");
        break;
      case "link":
      case "linkReference":
        this.#walkLink(node);
        break;
      case "table":
        this.#walkTable(node);
        break;
      case "listItem":
        this.#walkListItem(node);
        break;
      case "paragraph":
        this.#renameFootnotes(node);
        this.#walkBlock(node.children);
        break;
      case "heading":
      case "tableCell":
        this.#walkBlock(node.children);
        break;
      default:
        if ("children" in node) this.#walkAll(node.children);
    }
  }

  #walkBlock(children: readonly PhrasingContent[]): void {
    this.#isInBlock = true;
    this.#walkAll(children);
    this.#isInBlock = false;
    this.#html.leaveBlock();
  }

  #walkAll(nodes: readonly Nodes[]): void {
    for (const node of nodes) this.walk(node);
  }

  /** Renames footnotes whose name only GitHub accepts, so that the parser reads their definitions too. */
  #renameFootnotes(paragraph: Nodes): void {
    const { start, end } = rangeOf(paragraph);
    for (const { index, 0: name } of this.#source.slice(start, end).matchAll(footnoteName)) {
      const nameAt = start + index;
      this.found.push({ start: nameAt, end: nameAt + name.length, hidesText: false, replacement: "-" });
    }
  }

  /** For GitHub, a definition can follow the box of a task; for the parser, only without the box. */
  #walkListItem({ checked, children }: ListItem): void {
    const [first] = children;
    const start = first ? rangeOf(first).start : 0;
    if (typeof checked === "boolean" && definitionStart.test(this.#source.slice(start))) {
      const box = this.#source.lastIndexOf("[", start - 1);
      this.found.push({ start: box, end: start, hidesText: false, replacement: "" });
    }
    this.#walkAll(children);
  }

  #walkHtml(node: Html): void {
    const { start, end } = rangeOf(node);
    const isClosedLater = (name: string) => Number(this.#lastClosing.get(name)) > start;
    const html = maskPrefixes(this.#source.slice(start, end), node.value);
    this.#addAt(start, this.#html.scan(html, isClosedLater, this.#isInBlock));
    if (!this.#isInBlock) this.#html.leaveBlock();
    this.#decodeInvisible(node, "html");
  }

  /** Decodes references to invisible code points; `stripInvisibleCharacters` then removes those that no emoji or word needs. */
  #decodeInvisible(node: Nodes, language: "markdown" | "html"): void {
    const { start, end } = rangeOf(node);
    this.#addAt(start, findInvisibleReferences(this.#source.slice(start, end), language));
  }

  /** GitHub hides the info string after a fence. Its first word is kept if it looks like a language. */
  #walkCode(node: Code): void {
    const { lang, meta } = node;
    const isLanguage = typeof lang === "string" && /^[\w+#.-]{1,20}$/.test(lang);
    if (!meta && (!lang || isLanguage)) return;
    const { start } = rangeOf(node);
    const [firstLine = "", fence = ""] = /^([`~]*)[^\n]*/.exec(this.#source.slice(start)) ?? [];
    const range = { start: start + fence.length, end: start + firstLine.length };
    this.found.push({ ...range, hidesText: true, replacement: isLanguage ? lang : "" });
  }

  /** Whether a definition may contain hidden text, and not only the URL of a link. */
  #hidesText(node: Definition): boolean {
    const isUsed = this.#linked.has(node.identifier) && this.#definitions.get(node.identifier) === node;
    return Boolean(node.title) || keepUrl(node.url) === undefined || !isUsed;
  }

  #walkLink(node: Link | LinkReference): void {
    const last = node.children.at(-1);
    const isAutolink = this.#source[rangeOf(node).start] !== "[";
    if (last === undefined) this.#cut(node, true);
    else if (isAutolink && !this.#html.isHiding) this.#decodeInvisible(node, "markdown");
    else if (showsNothing(node)) this.#cut(node, true, hasImage(node) ? "(image)" : "");
    else if (this.#html.isHiding) isAutolink ? this.#cut(node, true) : this.#walkHiddenLink(node, last);
    else this.#walkShownLink(node, last);
  }

  /** HTML tags in the text of a link may end the hidden element around it. */
  #walkHiddenLink(node: Link | LinkReference, last: PhrasingContent): void {
    const { start, end } = rangeOf(node);
    this.found.push({ start, end: start + 1, hidesText: true, replacement: "" });
    this.#walkAll(node.children);
    this.found.push({ start: rangeOf(last).end, end, hidesText: true, replacement: "" });
  }

  #walkShownLink(node: Link | LinkReference, last: PhrasingContent): void {
    const { start, end } = rangeOf(node);
    const target = node.type === "link" ? node : this.#definitions.get(node.identifier);
    const url = target ? keepUrl(target.url) : undefined;
    const tail = url === undefined ? "" : `](${url})`;
    const textEnd = rangeOf(last).end;
    if (url === undefined) this.found.push({ start, end: start + 1, hidesText: false, replacement: "" });
    this.#walkAll(node.children);
    if (this.#source.slice(textEnd, end) === tail) return;
    const hidesText =
      node.type === "link"
        ? Boolean(node.title) ||
          url === undefined ||
          stripInvisibleCharacters(node.url).invisibleCharacters > 0
        : node.referenceType === "full" && /\s/.test(node.label ?? "");
    this.found.push({ start: textEnd, end, hidesText, replacement: tail });
  }

  /** Cells beyond the width of the header row are not rendered. */
  #walkTable(table: Table): void {
    const width = table.children[0]?.children.length ?? 0;
    for (const row of table.children) {
      const { start, end } = rangeOf(row);
      // For GitHub, a lone `|` starts a paragraph.
      if (this.#source.slice(start, end) === "|")
        this.found.push({ start, end: start, hidesText: false, replacement: "\n" });
      this.#walkAll(row.children.slice(0, width));
      for (const cell of row.children.slice(width)) this.#cut(cell, true);
    }
  }

  #addAt(offset: number, ranges: readonly HiddenRange[]): void {
    for (const { start, end, ...range } of ranges)
      this.found.push({ ...range, start: offset + start, end: offset + end });
  }

  #cut(node: Nodes, hidesText: boolean, replacement = ""): void {
    this.found.push({ ...rangeOf(node), hidesText, replacement });
  }
}

/** The name in the definition of a footnote, unless it is renamed already. */
const footnoteName = /(?<=^[ \t>]*\[\^)(?!-\])[^\]\s]+(?=\]:)/gm;
/** The label of a link definition, of at most 1,000 characters. */
const definitionStart = /^\[(?:[^\\\]]|\\[\s\S]){0,1000}\]:/;

/** Replaces the markers of quotes and lists before the lines of an HTML node by spaces: to HTML, a `>` there would end a tag. */
function maskPrefixes(source: string, value: string): string {
  const lines = value.split("\n").map((line) => line.trimStart());
  return source
    .split("\n")
    .map((line, at) => (at === 0 ? line : (lines[at] ?? "").padStart(line.length)))
    .join("\n");
}

/** Whether a link has no visible text: only whitespace, invisible code points, or an image without a description. */
function showsNothing(link: Link | LinkReference): boolean {
  const label = renderedText(link, { includeHtml: false });
  return stripInvisibleCharacters(label).text.trim() === "";
}

function hasImage({ children }: Parents): boolean {
  return children.some(
    (node) =>
      node.type === "image" || node.type === "imageReference" || ("children" in node && hasImage(node)),
  );
}

const linkedSchemes = /^(?:https?:|mailto:)/i;

/** A link's escaped URL; `undefined` if GitHub does not link it or it may contain text. */
function keepUrl(url: string): string | undefined {
  if (url.length === 0 || url.length > 2000 || /\s/.test(url)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !linkedSchemes.test(url)) return undefined;
  return stripInvisibleCharacters(url).text.replace(
    /[()<>\\"'[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** GitHub shows a footnote's label as a number. This one is too short for hidden text. */
const shortLabel = /^[\w-]{1,16}$/;

/** The footnotes that the text references, directly or through other footnotes. */
function findShownFootnotes(tree: Root): ReadonlySet<FootnoteDefinition> {
  const definitions = new Map<string, FootnoteDefinition>();
  visit(tree, "footnoteDefinition", (node) => {
    if (shortLabel.test(node.identifier) && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
  });
  const shown = new Set<FootnoteDefinition>();
  const pending: Nodes[] = [tree];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const from = next;
    visit(from, (node) => {
      if (node.type === "footnoteDefinition" && node !== from) return SKIP;
      const definition = node.type === "footnoteReference" ? definitions.get(node.identifier) : undefined;
      if (definition !== undefined && !shown.has(definition)) {
        shown.add(definition);
        pending.push(definition);
      }
      return undefined;
    });
  }
  return shown;
}

/** Markdown: a backslash escapes the next character, and references end with a semicolon. */
const markdownReference = /\\[!-/:-@[-`{-~]|&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi;
/** HTML: browsers also accept many references without a semicolon. */
const htmlReference = /&(?:#x([\da-f]+);?|#(\d+);?|(shy(?=;?)|\w+(?=;));?)/gi;

/** Finds character references to invisible code points, with the characters that they represent. */
function findInvisibleReferences(source: string, language: "markdown" | "html"): HiddenRange[] {
  const pattern = language === "html" ? htmlReference : markdownReference;
  return [...source.matchAll(pattern)].flatMap(
    ({ 0: { length }, 1: hex, 2: decimal, 3: name = "", index }) => {
      const digits = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      const character =
        digits <= 0x10ffff ? String.fromCodePoint(digits) : decodeNamedCharacterReference(name) || "";
      // Every encoded line break is shown as a space.
      const replacement = /^[\r\u0085\u2028\u2029]$/.test(character) ? " " : character;
      if (!hasInvisible(character) && replacement === character) return [];
      return [{ start: index, end: index + length, hidesText: false, replacement }];
    },
  );
}

/** Far deeper than users nest quotes and lists; deeper trees are attacks on programs that walk them. */
const maxDepth = 100;

/** Parses Markdown the way GitHub does (CommonMark and GFM; HTML is kept as raw nodes); `undefined` if it is nested too deeply. */
export function parseMarkdown(source: string): Root | undefined {
  const tree = unified().use(remarkParse).use(remarkGfm).use(dropTransforms).parse(source);
  let level: Nodes[] = [tree];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return undefined;
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
  return tree;
}

/**
 * Removes the transforms of the GFM extension: they link URLs that the tokenizer missed, in nodes without positions. Such a URL
 * remains text.
 */
function dropTransforms(this: Processor): void {
  const data = this.data();
  const extensions = (data.fromMarkdownExtensions ?? []).flat();
  data.fromMarkdownExtensions = extensions.map(({ transforms: _, ...extension }) => extension);
}

/** The half-open range of a parsed node in the source text. */
export function rangeOf({ type, position }: Nodes): { readonly start: number; readonly end: number } {
  const start = position?.start.offset;
  const end = position?.end.offset;
  if (start === undefined || end === undefined)
    throw new TypeError(`A Markdown node of type ${type} has no position.`);
  return { start, end };
}
