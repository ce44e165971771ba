import type { Code, Definition, Link, LinkReference, Nodes, Root, Table, Text } from "mdast";
import { visit } from "unist-util-visit";
import { type HtmlState, scanHtml, shownText, type UnseenHtml } from "./html-scan.ts";
import { keepUrl } from "./keep-url.ts";
import { lookalikeEnd, lookalikeStart } from "./lookalike-comment.ts";
import { rangeOf } from "./markdown.ts";

/** A stretch of Markdown source that GitHub does not show as text. */
export type Unseen = UnseenHtml;

/** Finds, in document order and without overlaps, the stretches of `source` that GitHub does not show. */
export function findUnseen(source: string, tree: Root): Unseen[] {
  const search = new UnseenSearch(source, tree);
  search.walk(tree);
  return mergeAdjacent(search.found);
}

/** Pieces of one hidden stretch (a comment's start and its rest) count as one. */
function mergeAdjacent(found: readonly Unseen[]): Unseen[] {
  const merged: Unseen[] = [];
  for (const part of found) {
    const last = merged.at(-1);
    const continues = last?.end === part.start && last.hidesText && part.hidesText && !last.replacement;
    if (continues) merged.splice(-1, 1, { ...part, start: last.start });
    else merged.push(part);
  }
  return merged;
}

/**
 * One walk over a document. Raw HTML changes what is shown of everything after it (an open comment swallows the rest
 * of the page), so the walk carries the scanner's state from node to node.
 */
class UnseenSearch {
  readonly found: Unseen[] = [];
  readonly #source: string;
  readonly #definitions = new Map<string, Definition>();
  readonly #usedFootnotes = new Set<string>();
  #html: HtmlState = shownText;
  /** Whether text that reads like a comment once its entities are decoded has begun and not ended in this block. */
  #insideLookalike = false;

  constructor(source: string, tree: Root) {
    this.#source = source;
    visit(tree, (node) => {
      if (node.type === "footnoteReference") this.#usedFootnotes.add(node.identifier);
      if (node.type === "definition" && !this.#definitions.has(node.identifier)) {
        this.#definitions.set(node.identifier, node);
      }
    });
  }

  walk(node: Nodes): void {
    if (node.type === "html") this.#walkHtml(node);
    else if (this.#isSwallowed(node)) this.#cut({ node, hidesText: true });
    else this.#walkRendered(node);
  }

  #walkRendered(node: Nodes): void {
    switch (node.type) {
      case "text":
        this.#walkText(node);
        break;
      case "code":
        this.#walkCode(node);
        break;
      case "definition":
        this.#cut({ node, hidesText: Boolean(node.title) || !this.#isLinkedTo(node) });
        break;
      case "footnoteDefinition":
        if (this.#usedFootnotes.has(node.identifier)) this.#walkChildren(node.children);
        else this.#cut({ node, hidesText: true });
        break;
      case "image":
      case "imageReference":
        this.#cut({
          node,
          hidesText: Boolean(node.alt || ("title" in node && node.title)),
          replacement: "(image)",
        });
        break;
      case "link":
      case "linkReference":
        this.#walkLink(node);
        break;
      case "table":
        this.#walkTable(node);
        break;
      default:
        this.#walkContainer(node);
    }
  }

  #walkContainer(node: Nodes): void {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell")
      this.#insideLookalike = false;
    if ("children" in node) this.#walkChildren(node.children);
  }

  #walkChildren(children: readonly Nodes[]): void {
    for (const child of children) this.walk(child);
  }

  #isSwallowed(node: Nodes): boolean {
    const isLeaf = !("children" in node);
    if (isLeaf && this.#html.inside !== "text") return true;
    return isLeaf && this.#insideLookalike && node.type !== "text";
  }

  #isLinkedTo(definition: Definition): boolean {
    return new RegExp(`\\[${escapePattern(definition.label ?? definition.identifier)}\\](?!:)`, "i").test(
      this.#source,
    );
  }

  #cut({
    node,
    hidesText,
    replacement = "",
  }: {
    node: Nodes;
    hidesText: boolean;
    replacement?: string;
  }): void {
    this.found.push({ ...rangeOf(node), hidesText, replacement });
  }

  #walkHtml(node: Nodes): void {
    const { start, end } = rangeOf(node);
    const scanned = scanHtml(this.#source.slice(start, end), this.#html);
    this.#html = scanned.state;
    for (const part of scanned.unseen) {
      this.found.push({ ...part, start: start + part.start, end: start + part.end });
    }
  }

  /** Text that decodes to an HTML comment is shown here, but turns invisible wherever it is decoded once more. */
  #walkText(node: Text): void {
    const { start, end } = rangeOf(node);
    let offset = start;
    while (offset < end) {
      offset = this.#insideLookalike ? this.#cutLookalike(offset, end) : this.#findLookalike(offset, end);
    }
  }

  #findLookalike(start: number, end: number): number {
    const found = lookalikeStart.exec(this.#source.slice(start, end));
    this.#insideLookalike = found !== null;
    return found ? start + found.index : end;
  }

  #cutLookalike(start: number, end: number): number {
    const found = lookalikeEnd.exec(this.#source.slice(start, end));
    this.#insideLookalike = found === null;
    const cutEnd = found ? start + found.index + found[0].length : end;
    this.found.push({ start, end: cutEnd, hidesText: true, replacement: "" });
    return cutEnd;
  }

  /** Of the line after the fence GitHub shows nothing; its first word, the language, is worth keeping if it is one. */
  #walkCode(node: Code): void {
    if (!node.meta && (!node.lang || /^[\w+#.-]{1,30}$/.test(node.lang))) return;
    const { start } = rangeOf(node);
    const firstLine = /^.*/.exec(this.#source.slice(start))?.[0] ?? "";
    const fence = /^[`~]+/.exec(firstLine)?.[0] ?? "";
    const language = node.lang && /^[\w+#.-]{1,30}$/.test(node.lang) ? node.lang : "";
    const end = start + firstLine.length;
    this.found.push({ start: start + fence.length, end, hidesText: true, replacement: language });
  }

  #walkLink(node: Link | LinkReference): void {
    const { start, end } = rangeOf(node);
    const last = node.children.at(-1);
    if (this.#source[start] !== "[") return;
    if (!last) {
      this.#cut({ node, hidesText: true });
      return;
    }
    const target = node.type === "link" ? node : this.#definitions.get(node.identifier);
    const url = target ? keepUrl(target.url) : undefined;
    const tail = url === undefined ? "" : `](${url})`;
    const textEnd = rangeOf(last).end;
    const isPlain = this.#source.slice(textEnd, end) === tail;
    if (url === undefined) this.found.push({ start, end: start + 1, hidesText: false, replacement: "" });
    this.#walkChildren(node.children);
    const hidesText = node.type === "link" && (Boolean(node.title) || url === undefined);
    if (!isPlain) this.found.push({ start: textEnd, end, hidesText, replacement: tail });
  }

  /** Cells beyond the width of the header row are not rendered. */
  #walkTable(table: Table): void {
    const width = table.children[0]?.children.length ?? 0;
    for (const row of table.children) {
      this.#walkChildren(row.children.slice(0, width));
      for (const cell of row.children.slice(width)) this.#cut({ node: cell, hidesText: true });
    }
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
