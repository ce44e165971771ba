/** Answers without a model: quotes and cites the passages that answer, or reports that none does. */
import type { List, ListItem, RootContent, Table, TableRow } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import { shorten } from "../../base/text.ts";
import { printBlocks } from "../site/content/to-markdown.ts";
import { wordsFor } from "../site/interface-words.ts";
import type { AnswerPart } from "./answer-stream.ts";
import { readClosely } from "./close-reading.ts";
import type { Retrieval } from "./docs-index.ts";
import { boldLine, type PageTarget, type Passage, paragraphOf } from "./sections.ts";
import { contentTerms, type WeightedTerms, weightIn } from "./text-terms.ts";

/** How links to pages are made. */
export interface PageLinkBase {
  /** `pages`: pages of the published site; `files`: source files, as a code-hosting service shows them. */
  readonly kind: "pages" | "files";
  /** Base URL of the pages or files. Empty: links are paths from the root of the host that shows the answer. */
  readonly baseUrl: string;
}

/** URL of a passage, or of the target of a link in one. */
export function passageUrl({ page, section }: PageTarget, { kind, baseUrl }: PageLinkBase): string {
  const path = kind === "files" ? page.source : page.slug.replace(/(?:^|\/)index$/, "");
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const encoded = path.split("/").map(encode).join("/");
  const anchor = section.anchor === "" ? "" : `#${encode(section.anchor)}`;
  return `${baseUrl.replace(/\/+$/, "")}/${encoded}${anchor}`;
}

/** Name of a passage: the page's name and the section's heading. */
export function nameOf({ page, section }: Passage): string {
  const heading = section.headings.at(-1);
  const name = page.name ?? page.title;
  return heading === undefined || heading === page.title ? name : `${name} › ${heading}`;
}

/** Maximum characters of the quotation. A paragraph may be longer by this factor. */
const maxQuoteLength = 700;
const paragraphFactor = 4;
/** With less room, only the beginning of a list's or table's text is quoted. */
const minRoomForRows = 60;
/** A shorter section is quoted with its subsections. */
const minSectionLength = 300;
/** What a block or row counts besides its text, so that a quotation has no more than a few dozen. */
const blockLength = 20;
/** Limits of the sentence that is shown for each further passage. A shorter one adds nothing to the section's name. */
const minSentenceLength = 12;
const maxSentenceLength = 240;
/** Number of pages that are named if none is quoted. */
const maxNearestPages = 3;
/** Minimum coverage of a further passage, relative to the best passage. */
const furtherShare = 0.7;

/** The answer if no page seems to have one. It links to the nearest pages but does not cite them. */
export function refusal(retrieval: Retrieval, links: PageLinkBase): AnswerPart {
  const text = [wordsFor(retrieval.language).noAnswer, ...listNearest(retrieval, links)].join("\n\n");
  return { type: "text", text: `${text}\n`, isRefusal: true };
}

/** Names the best pages, introduced by a sentence; empty if there are none. */
function listNearest({ passages, terms, language }: Retrieval, links: PageLinkBase): string[] {
  const pages = passages.slice(0, maxNearestPages).map((passage) => describePassage(passage, terms, links));
  return pages.length === 0 ? [] : [wordsFor(language).mayHelp, pages.join("\n")];
}

/**
 * Quotes the best passage if it seems to answer the question, and adds a sentence from each passage with similar coverage. Otherwise it
 * names the best pages, without deciding between them.
 */
export async function* answerExtractively(
  retrieval: Retrieval,
  links: PageLinkBase,
): AsyncGenerator<AnswerPart> {
  const { terms, certainty, language } = retrieval;
  const [best, ...rest] = retrieval.passages.filter(({ section }) => section.blocks.length > 0);
  if (certainty === "none" || best === undefined) {
    yield refusal(retrieval, links);
    return;
  }
  if (certainty === "possible") {
    yield { type: "text", text: `${listNearest(retrieval, links).join("\n\n")}\n` };
    for (const passage of retrieval.passages.slice(0, maxNearestPages)) yield sourceOf(passage, links);
    return;
  }
  const children = chooseBlocks(best, terms).map((block) => withPageUrls(block, links)) as never;
  yield { type: "text", text: `**${markdownLink(best, links)}**\n\n` };
  yield { type: "text", text: `${print({ type: "blockquote", children })}\n\n` };
  yield sourceOf(best, links);
  const minCoverage = furtherShare * Math.min(1, readClosely(best, terms).coverage);
  const further = rest
    .filter(({ page }) => (page.language ?? best.page.language) === best.page.language)
    .filter((passage) => readClosely(passage, terms).coverage >= minCoverage);
  if (further.length > 0) yield { type: "text", text: `${wordsFor(language).seeAlso}\n\n` };
  for (const passage of further) {
    yield { type: "text", text: `${describePassage(passage, terms, links)}\n` };
    yield sourceOf(passage, links);
  }
}

function sourceOf(passage: Passage, links: PageLinkBase): AnswerPart {
  return { type: "source", url: passageUrl(passage, links), title: nameOf(passage) };
}

/** An item of a list: a link to a passage, and its best sentence. */
function describePassage(passage: Passage, terms: WeightedTerms, links: PageLinkBase): string {
  const sentence = chooseSentence(passage, terms);
  const words = sentence === "" ? "" : `: ${print(paragraphOf(sentence))}`;
  return `- ${markdownLink(passage, links)}${words}`;
}

function markdownLink(passage: Passage, links: PageLinkBase): string {
  return `[${nameOf(passage).replace(/[[\]\\`*_<>]/g, "\\$&")}](${passageUrl(passage, links)})`;
}

function print(node: RootContent): string {
  return printBlocks([node]).trimEnd();
}

/** Replaces the links of a block to pages of the site by their URLs. */
function withPageUrls<Node extends RootContent>(node: Node, links: PageLinkBase): Node {
  if (!("children" in node)) return node;
  const children = node.children.map((child) => withPageUrls(child, links));
  const target = node.type === "link" ? node.data?.target : undefined;
  const url = target && { url: passageUrl(target, links) };
  return { ...node, ...url, children } as Node;
}

/** Removes the terms of title and headings: they occur throughout a section, so they do not distinguish its blocks. */
function withoutHeadingTerms({ page, section }: Passage, terms: WeightedTerms): WeightedTerms {
  const headings = new Set(contentTerms(`${page.title} ${section.headings.join(" ")}`));
  return new Map([...terms].filter(([term]) => !headings.has(term)));
}

/** The blocks of a section. A short section includes its subsections, and a short introduction the sections after it. */
function blocksOf({ page, section }: Passage): RootContent[] {
  const own = section.blocks;
  if (textOf({ type: "root", children: [...own] }).length >= minSectionLength) return [...own];
  const after = page.sections.slice(page.sections.findIndex(({ anchor }) => anchor === section.anchor) + 1);
  const end = after.findIndex(({ headings }) => headings.length <= section.headings.length);
  const below = end === -1 ? after : after.slice(0, end);
  return [
    ...own,
    ...below.flatMap(({ headings, blocks }) => [
      boldLine([{ type: "text", value: headings.at(-1) ?? "" }]),
      ...blocks,
    ]),
  ];
}

/** Quotes the block with the best statement, what introduces it, and neighbouring blocks while there is room. */
function chooseBlocks(passage: Passage, terms: WeightedTerms): RootContent[] {
  const ownTerms = withoutHeadingTerms(passage, terms);
  const { block, nodes } = readClosely(passage, ownTerms).statement;
  // If the question consists of heading terms only, the section's first paragraph is relevant.
  const first = ownTerms.size > 0 ? block : Math.max(0, passage.section.blocks.findIndex(isParagraph));
  const cut = blocksOf(passage).map((other, index) =>
    cutBlock(other, index === first ? nodes[0] : undefined, maxQuoteLength),
  );
  return growAround(first, cut, maxQuoteLength);
}

/** Whether a block introduces the next one: the title of code, a bold line, or a sentence that ends with a colon. */
function introduces(block: RootContent | undefined, next: RootContent | undefined): boolean {
  if (block === undefined || next === undefined) return false;
  const isOpen = block.type === "paragraph" && /[:：]$/.test(textOf(block).trim());
  return next.type === "code" || isLabel(block) || isOpen;
}

/** Whether a block is the title of what follows, such as a file's name or an accordion's title: it is entirely bold. */
function isLabel(block: RootContent): boolean {
  return block.type === "paragraph" && block.children.every(({ type }) => type === "strong");
}

/**
 * The nodes around one of them that have room: first the node that introduces it, then those after it, then those before it. None at the
 * end introduces a node that is left out.
 */
function growAround<Node extends RootContent>(at: number, nodes: readonly Node[], maxLength: number): Node[] {
  let [start, end, room] = [at, at + 1, maxLength - textOf(nodes[at]).length];
  const take = (node: Node | undefined) => {
    const length = node === undefined ? Number.POSITIVE_INFINITY : textOf(node).length + blockLength;
    if (length > room) return false;
    room -= length;
    return true;
  };
  if (introduces(nodes[at - 1], nodes[at])) start -= 1;
  // What the node introduces is quoted even without room.
  if (introduces(nodes[at], nodes[end])) end += 1;
  while (take(nodes[end])) end += 1;
  while (end > at + 1 && introduces(nodes[end - 1], nodes[end])) end -= 1;
  while (take(nodes[start - 1])) start -= 1;
  return nodes.slice(start, end);
}

/** The sentence of a passage that covers most of the question. */
function chooseSentence(passage: Passage, terms: WeightedTerms): string {
  const { nodes } = readClosely(passage, withoutHeadingTerms(passage, terms)).statement;
  const prose = nodes.filter(({ type }) => type !== "code");
  const source = prose.length > 0 ? prose : passage.section.blocks.filter(isParagraph).slice(0, 1);
  const text = source
    .filter((node) => !isLabel(node))
    .map((node) =>
      node.type === "tableRow" ? node.children.map(lineOf).filter(Boolean).join(" · ") : lineOf(node),
    )
    .join(" ");
  const sentences = text.split(/(?<=[.!?])\s+(?=\p{Lu})|(?<=[。！？])/u);
  const [first = "", ...others] = sentences.map((sentence) => sentence.replace(/\s+/g, " ").trim());
  const weightOf = (sentence: string) => weightIn(new Set(contentTerms(sentence)), terms);
  const best = others.reduce((chosen, other) => (weightOf(other) > weightOf(chosen) ? other : chosen), first);
  return best.length < minSentenceLength ? "" : shorten(best.replace(/\s*[:：]$/, "…"), maxSentenceLength);
}

/** The text of a node, with a space for each line break. */
function lineOf(node: RootContent): string {
  if (node.type === "break") return " ";
  return "children" in node ? node.children.map(lineOf).join("") : textOf(node);
}

function isParagraph({ type }: RootContent): boolean {
  return type === "paragraph";
}

/**
 * Cuts a long block: tables and lists to the rows around the answer, other blocks to their beginning.
 *
 * @param answer the row, or the part of an item, that is kept
 */
function cutBlock(block: RootContent, answer: RootContent | undefined, maxLength: number): RootContent {
  if (block.type === "code") return { ...block, value: cutLines(block.value, maxLength) };
  if (maxLength < minRoomForRows || (block.type !== "table" && block.type !== "list"))
    return cutText(block, paragraphFactor * maxLength);
  return textOf(block).length <= maxLength ? block : cutRows(block, answer, maxLength);
}

function cutRows(block: List | Table, answer: RootContent | undefined, maxLength: number): RootContent {
  const headerRows = block.type === "table" ? 1 : 0;
  const all: readonly (ListItem | TableRow)[] = block.children;
  const rows = all.slice(headerRows).map((row) => {
    const parts: readonly RootContent[] = row.children;
    return { ...row, children: parts.map((part) => cutBlock(part, answer, maxLength / 2)) } as typeof row;
  });
  const at = all.slice(headerRows).findIndex((row) => contains(row, answer));
  if (rows.length === 0) return block;
  const kept = growAround(Math.max(0, at), rows, maxLength);
  // Numbers of steps stay the same.
  const number = (block.type === "list" ? (block.start ?? 1) : 0) + rows.indexOf(kept[0] as ListItem);
  const start = block.type === "list" && block.ordered ? { start: number } : {};
  const ellipsis = kept.length < rows.length ? [rowOf(block, "…")] : [];
  return { ...block, ...start, children: [...all.slice(0, headerRows), ...kept, ...ellipsis] } as RootContent;
}

/** Shortens a block to plain text if it is too long. */
function cutText(block: RootContent, maxLength: number): RootContent {
  const text = textOf(block);
  return text.length > maxLength ? paragraphOf(shorten(text.replace(/\s+/g, " "), maxLength)) : block;
}

function rowOf({ type }: RootContent, value: string): ListItem | TableRow {
  if (type === "list") return { type: "listItem", children: [paragraphOf(value)] };
  return { type: "tableRow", children: [{ type: "tableCell", children: [{ type: "text", value }] }] };
}

function contains(node: RootContent, part: RootContent | undefined): boolean {
  return node === part || ("children" in node && node.children.some((child) => contains(child, part)));
}

/** Cuts code after the last line that fits. */
function cutLines(code: string, maxLength: number): string {
  if (code.length <= maxLength) return code;
  return `${code.slice(0, Math.max(code.lastIndexOf("\n", maxLength), 0) || maxLength)}\n…`;
}
