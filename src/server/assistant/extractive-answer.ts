/** Answers without a model: quotes and cites the passages that answer, or reports that none does. */
import type { List, ListItem, RootContent, Table, TableRow } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { shorten } from "../../base/text.ts";
import type { AnswerPart } from "./answer-stream.ts";
import { readClosely } from "./close-reading.ts";
import type { Retrieval } from "./docs-index.ts";
import { type Passage, paragraphOf, wordsOf } from "./sections.ts";
import {
  contentTerms,
  coveredWeight,
  shareWithSynonyms,
  totalWeight,
  type WeightedTerms,
} from "./text-terms.ts";

/** How links to pages are made. */
export interface PageLinks {
  /** `pages`: pages of the published site; `files`: source files, as a code-hosting service shows them. */
  readonly kind: "pages" | "files";
  /** Base URL of the pages or files. Empty: links are paths from the root of the host that shows the answer. */
  readonly baseUrl: string;
}

/** URL of a passage, or of the target of a link in one. */
export function linkTo({ page, section }: LinkTarget, { kind, baseUrl }: PageLinks): string {
  const path = kind === "files" ? page.source : page.slug.replace(/(?:^|\/)index$/, "");
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const encoded = path.split("/").map(encode).join("/");
  const anchor = section.anchor === "" ? "" : `#${encode(section.anchor)}`;
  return `${baseUrl.replace(/\/+$/, "")}/${encoded}${anchor}`;
}

interface LinkTarget {
  readonly page: Pick<Passage["page"], "slug" | "source">;
  readonly section: Pick<Passage["section"], "anchor">;
}

/** Name of a passage: the page's name and the section's heading. */
export function nameOf({ page, section }: Passage): string {
  const heading = section.headings.at(-1);
  const name = page.name ?? page.title;
  return heading === undefined || heading === page.title ? name : `${name} › ${heading}`;
}

/** Maximum characters of the quotation. A single paragraph may be longer. */
const maxQuoteLength = 700;
const maxParagraphLength = 2800;
const maxBlocks = 30;
/** Limits of the sentence that is shown for each further passage. A shorter one adds nothing to the section's name. */
const minSentenceLength = 12;
const maxSentenceLength = 240;
/** Minimum coverage of a further passage, relative to the best passage. */
const furtherShare = 0.6;

const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", fences: true, listItemIndent: "one", rule: "-" })
  .freeze();

/** Phrases around quotations, in every language that `languageOfQuestion` recognizes. */
const phrases: Readonly<Record<string, readonly [refusal: string, nearest: string, further: string]>> = {
  en: ["The docs do not say.", "The nearest pages are:", "See also:"],
  de: ["Die Dokumentation sagt dazu nichts.", "Die nächsten Seiten sind:", "Siehe auch:"],
  es: ["La documentación no lo dice.", "Las páginas más cercanas son:", "Véase también:"],
  fr: ["La documentation ne le dit pas.", "Les pages les plus proches sont :", "Voir aussi :"],
  it: ["La documentazione non lo dice.", "Le pagine più vicine sono:", "Vedi anche:"],
  pt: ["A documentação não diz isso.", "As páginas mais próximas são:", "Veja também:"],
  ru: ["В документации об этом не сказано.", "Ближайшие страницы:", "См. также:"],
  ar: ["لا تذكر الوثائق ذلك.", "أقرب الصفحات:", "انظر أيضًا:"],
  ja: ["ドキュメントには記載がありません。", "最も近いページ:", "関連ページ:"],
  ko: ["문서에 나와 있지 않습니다.", "가장 가까운 페이지:", "함께 보기:"],
  zh: ["文档中没有说明。", "最相关的页面：", "另请参阅："],
};

function phrasesFor(language: string) {
  return phrases[language] ?? (phrases["en"] as (typeof phrases)[string]);
}

/** The answer if the documentation has none. It links to the nearest pages but does not cite them. */
export function refusal(
  { passages, language }: Pick<Retrieval, "passages" | "language">,
  links: PageLinks,
): AnswerPart {
  const [noAnswer, nearest] = phrasesFor(language);
  const pages = passages.slice(0, 2).map((passage) => `- ${markdownLink(passage, links)}`);
  const pointers = pages.length === 0 ? "" : `\n\n${nearest}\n\n${pages.join("\n")}`;
  return { type: "text", text: `${noAnswer}${pointers}\n`, isRefusal: true };
}

/** Quotes the best retrieved passage, and adds a sentence from each passage with similar coverage. */
export async function* answerExtractively(
  retrieval: Retrieval,
  links: PageLinks,
): AsyncGenerator<AnswerPart> {
  const { terms, isAnswered, language } = retrieval;
  const quotable = retrieval.passages.filter(({ section }) => section.blocks.length > 0);
  const [best, ...rest] = quotable;
  if (!isAnswered || best === undefined) {
    yield refusal(retrieval, links);
    return;
  }
  const blocks = chooseBlocks(best, terms).map((block) => withPageUrls(block, links));
  const quote = { type: "blockquote", children: blocks as never } as const;
  yield { type: "text", text: `**${markdownLink(best, links)}**\n\n` };
  yield { type: "text", text: `${print(quote)}\n\n` };
  yield { type: "source", url: linkTo(best, links), title: nameOf(best) };
  const minCoverage = furtherShare * readClosely(best, terms).coverage;
  const others = rest
    .filter(({ page }) => (page.language ?? best.page.language) === best.page.language)
    .filter((passage) => readClosely(passage, terms).coverage >= minCoverage);
  const further = [...findComplement(best, quote, retrieval), ...others];
  if (further.length > 0) yield { type: "text", text: `${phrasesFor(language)[2]}\n\n` };
  for (const passage of further) {
    const sentence = chooseSentence(passage, terms);
    const words = sentence === "" ? "" : `: ${print(paragraphOf(sentence))}`;
    yield { type: "text", text: `- ${markdownLink(passage, links)}${words}\n` };
    yield { type: "source", url: linkTo(passage, links), title: nameOf(passage) };
  }
}

/** Coverage that another section of the page needs: of the terms missing from the quotation, or of all terms in one statement. */
const complementShares = { missing: 0.2, all: 0.85 };

/** Finds the best other section of the page, if it adds to the quotation. */
function findComplement(best: Passage, quote: RootContent, { otherSections, terms }: Retrieval): Passage[] {
  const { text, code } = wordsOf([quote]);
  const quoted = new Set(contentTerms(`${nameOf(best)} ${text} ${code}`));
  const missing = uncoveredTerms(quoted, terms);
  const total = totalWeight(terms);
  const ranked = otherSections.flatMap((passage) => {
    const { statement } = readClosely(passage, missing.size > 0 ? missing : terms);
    const own = new Set([...statement.terms, ...contentTerms(passage.section.headings.join(" "))]);
    const isAddition =
      missing.size > 0 && coveredWeight(missing, presenceIn(own)) >= complementShares.missing * total;
    const isAlternative = coveredWeight(terms, presenceIn(statement.terms)) >= complementShares.all * total;
    return isAddition || isAlternative ? [{ passage, weight: coveredWeight(terms, presenceIn(own)) }] : [];
  });
  return ranked
    .sort((left, right) => right.weight - left.weight)
    .slice(0, 1)
    .map(({ passage }) => passage);
}

function markdownLink(passage: Passage, links: PageLinks): string {
  return `[${nameOf(passage).replace(/[[\]\\`*_<>]/g, "\\$&")}](${linkTo(passage, links)})`;
}

function print(node: RootContent): string {
  return printer.stringify({ type: "root", children: [node] }).trimEnd();
}

/** Replaces the links of a block to pages of the site by their URLs. */
function withPageUrls<Node extends RootContent>(node: Node, links: PageLinks): Node {
  if (!("children" in node)) return node;
  const children = node.children.map((child) => withPageUrls(child, links));
  const target = node.type === "link" ? node.data?.target : undefined;
  const url = target && { url: linkTo({ page: target, section: target }, links) };
  return { ...node, ...url, children } as Node;
}

const presenceIn = (own: ReadonlySet<string>) => (term: string) => Number(own.has(term));

function weightOf(text: string, terms: WeightedTerms): number {
  return coveredWeight(terms, presenceIn(new Set(contentTerms(text))));
}

/** The terms that are not in a set, not even as synonyms. */
function uncoveredTerms(own: ReadonlySet<string>, terms: WeightedTerms): WeightedTerms {
  return new Map([...terms].filter(([term]) => shareWithSynonyms(term, presenceIn(own)) === 0));
}

/** Removes the terms of title and headings: they occur throughout a section, so they do not distinguish its blocks. */
function withoutHeadingTerms({ page, section }: Passage, terms: WeightedTerms): WeightedTerms {
  const headings = new Set(contentTerms(`${page.title} ${section.headings.join(" ")}`));
  return new Map([...terms].filter(([term]) => !headings.has(term)));
}

/** Whether a block introduces the next one: it ends with a colon or is entirely bold. */
function isLead(block: RootContent | undefined): boolean {
  if (block?.type !== "paragraph") return false;
  return /[:：]$/.test(textOf(block).trim()) || block.children.every(({ type }) => type === "strong");
}

/** A shorter section is quoted with its subsections. */
const minSectionLength = 300;

/** The blocks of a section. A short section includes its subsections. */
function blocksOf({ page, section }: Passage): RootContent[] {
  const own = section.blocks;
  const depth = section.headings.length;
  if (depth === 0 || textOf({ type: "root", children: [...own] }).length >= minSectionLength) return [...own];
  const after = page.sections.slice(page.sections.indexOf(section) + 1);
  const end = after.findIndex(({ headings }) => headings.length <= depth);
  const below = end === -1 ? after : after.slice(0, end);
  return [...own, ...below.flatMap(({ headings, blocks }) => [boldLine(headings.at(-1) ?? ""), ...blocks])];
}

function boldLine(value: string): RootContent {
  return { type: "paragraph", children: [{ type: "strong", children: [{ type: "text", value }] }] };
}

/** Maximum number of statements in a quotation. Each is chosen for the terms that the previous ones do not cover. */
const maxStatements = 4;
/** A statement up to this length is quoted even if the quotation becomes too long. */
const shortStatementLength = 250;

/** Chooses the blocks with the best statements, and adds neighbouring blocks while there is room. */
function chooseBlocks(passage: Passage, terms: WeightedTerms): RootContent[] {
  const ownTerms = withoutHeadingTerms(passage, terms);
  const first = readClosely(passage, ownTerms).statement;
  const blocks = blocksOf(passage).map((block) => cutBlock(block, ownTerms, first.nodes[0]));
  const chosen = new Set<number>();
  let [start, end] = [blocks.length, -1];
  let room = maxQuoteLength;
  const add = (index: number, minRoom = 0) => {
    const added = withRelatedBlocks(index, blocks).filter((block) => !chosen.has(block));
    const length = added.reduce((sum, block) => sum + textOf(blocks[block]).length, 0);
    if (added.length === 0 || length > Math.max(room, minRoom) || chosen.size >= maxBlocks) return false;
    for (const block of added) chosen.add(block);
    [start, end] = [Math.min(start, ...added), Math.max(end, ...added)];
    room -= length;
    return true;
  };
  add(first.block, Number.POSITIVE_INFINITY);
  let missing = uncoveredTerms(first.terms, ownTerms);
  for (let count = 1; count < maxStatements; count += 1) {
    const { statement } = readClosely(passage, missing);
    const stillMissing = uncoveredTerms(statement.terms, missing);
    if (stillMissing.size < missing.size) add(statement.block, shortStatementLength);
    missing = stillMissing;
  }
  // If the question consists of heading terms only, the section's first paragraph is relevant.
  if (ownTerms.size === 0) add(blocks.findIndex(isParagraph), shortStatementLength);
  while (add(end + 1));
  while (add(start - 1));
  return blocks.flatMap((block, index) => {
    if (!chosen.has(index)) return [];
    const isAfterGap = index > start && !chosen.has(index - 1);
    return isAfterGap ? [paragraphOf("…"), block] : [block];
  });
}

/** Maximum number of introductory blocks that are followed to the next block. */
const maxLeads = 3;

/** A block with the block that introduces it and the blocks that it introduces. Code is introduced by the text before it. */
function withRelatedBlocks(index: number, blocks: readonly RootContent[]): number[] {
  if (index < 0 || index >= blocks.length) return [];
  const isCode = blocks[index]?.type === "code";
  let before = index - 1;
  while (isCode && index - before <= maxBlocks && blocks[before]?.type === "code") before -= 1;
  const related = before >= 0 && (isCode || isLead(blocks[before])) ? [before, index] : [index];
  const end = Math.min(index + maxLeads, blocks.length - 1);
  for (let last = index; isLead(blocks[last]) && last < end; last += 1) related.push(last + 1);
  return related;
}

/** The sentence of a passage that covers most of the question. */
function chooseSentence(passage: Passage, terms: WeightedTerms): string {
  const { nodes } = readClosely(passage, withoutHeadingTerms(passage, terms)).statement;
  const prose = nodes.filter(({ type }) => type !== "code");
  const source = prose.length > 0 ? prose : passage.section.blocks.filter(isParagraph).slice(0, 1);
  const text = source
    .map((node) => (node.type === "tableRow" ? textOfRow(node, " · ") : textOf(node)))
    .join(". ");
  const sentences = text.split(/(?<=[.!?])\s+(?=\p{Lu})|(?<=[。！？])/u);
  const [first = "", ...others] = sentences.map((sentence) => sentence.replace(/\s+/g, " ").trim());
  const best = others.reduce(
    (chosen, other) => (weightOf(other, terms) > weightOf(chosen, terms) ? other : chosen),
    first,
  );
  return best.length < minSentenceLength ? "" : shorten(best.replace(/\s*[:：]$/, "…"), maxSentenceLength);
}

function isParagraph({ type }: RootContent): boolean {
  return type === "paragraph";
}

/** Tables with more rows are cut to the relevant rows. */
const smallTable = 5;
/** Minimum relevance of a quoted row, relative to the second-best row. */
const rowShare = 0.5;
/** With less room, only the beginning of a list's or table's text is quoted. */
const minRoomForRows = 60;

/**
 * Cuts a long block: tables and lists to their most relevant rows, other blocks to their beginning.
 *
 * @param answer the row, or the part of an item, that is always kept
 */
function cutBlock(
  block: RootContent,
  terms: WeightedTerms,
  answer: RootContent | undefined,
  maxLength = maxQuoteLength,
): RootContent {
  if (block.type === "code") return { ...block, value: cutLines(block.value, maxLength) };
  const isList = block.type === "table" || block.type === "list";
  if (!isList || maxLength < minRoomForRows)
    return cutText(block, isList ? minRoomForRows : maxParagraphLength);
  const isShort = textOf(block).length <= maxLength;
  if (isShort && (block.type === "list" || block.children.length <= smallTable)) return block;
  return cutRows(block, terms, answer, maxLength);
}

function cutRows(
  block: List | Table,
  terms: WeightedTerms,
  answer: RootContent | undefined,
  maxLength: number,
): RootContent {
  const rows: readonly (ListItem | TableRow)[] = block.children;
  const headerRows = block.type === "table" ? 1 : 0;
  const ranked = rows
    .slice(headerRows)
    .map((row, index) => {
      const parts: readonly RootContent[] = row.children;
      const children = parts.map((part) => cutBlock(part, terms, answer, maxLength / 2));
      const weight = weightOf(textOfRow(row, " "), terms) + weightOf(textOf(row.children[0] ?? row), terms);
      const cut = { ...row, children } as ListItem | TableRow;
      return {
        index,
        cut,
        weight: contains(row, answer) ? Number.POSITIVE_INFINITY : weight,
        length: textOf(cut).length,
      };
    })
    .sort((left, right) => right.weight - left.weight || left.index - right.index);
  // Only consecutive steps are quoted: after a gap, their numbers would be wrong.
  const isOrdered = block.type === "list" && block.ordered === true;
  const best = ranked[0]?.index ?? 0;
  if (isOrdered) ranked.sort((left, right) => Math.abs(left.index - best) - Math.abs(right.index - best));
  const minWeight = headerRows * rowShare * Math.min(...ranked.slice(0, 2).map(({ weight }) => weight));
  let room = maxLength;
  const kept = ranked.filter(({ length, weight }, rank) => {
    if (rank > 0 && (length > room || weight < minWeight)) {
      if (isOrdered) room = 0;
      return false;
    }
    room -= length;
    return true;
  });
  const children = kept.sort((left, right) => left.index - right.index).map(({ cut }) => cut);
  const ellipsis = kept.length < ranked.length ? [rowOf(block, "…")] : [];
  const start = isOrdered ? { start: (block.start ?? 1) + (kept[0]?.index ?? 0) } : {};
  const header = rows.slice(0, headerRows);
  return { ...block, ...start, children: [...header, ...children, ...ellipsis] } as RootContent;
}

/** Shortens a block to plain text if it is too long. */
function cutText(block: RootContent, maxLength: number): RootContent {
  const text = textOf(block);
  return text.length > maxLength ? paragraphOf(shorten(text.replace(/\s+/g, " "), maxLength)) : block;
}

/** Creates a table row or a list item. */
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

/** The text of a row with a separator between its cells. */
function textOfRow(row: ListItem | TableRow, separator: string): string {
  return row.children.map((child) => textOf(child)).join(separator);
}
