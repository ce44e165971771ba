/** An answer in the documents' own words: the passages that answer, quoted and cited, or that there is none. */
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
import { contentTerms, shareIn, sumOf, type WeightedTerms, worthIn } from "./text-terms.ts";

/** Where readers find the documents. */
export interface PageLinks {
  /** `pages`: the published site; `files`: the documents' own files, as a code-hosting service shows them. */
  readonly kind: "pages" | "files";
  /** Address that the pages' or files' paths are appended to; empty: paths from the root of wherever the answer is shown. */
  readonly baseUrl: string;
}

/** Address of a passage, or of what a link in one leads to. */
export function linkTo({ page, section }: LinkedPassage, { kind, baseUrl }: PageLinks): string {
  const path = kind === "files" ? page.source : page.slug.replace(/(?:^|\/)index$/, "");
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const encoded = path.split("/").map(encode).join("/");
  const anchor = section.anchor === "" ? "" : `#${encode(section.anchor)}`;
  return `${baseUrl.replace(/\/+$/, "")}/${encoded}${anchor}`;
}

interface LinkedPassage {
  readonly page: Pick<Passage["page"], "slug" | "source">;
  readonly section: Pick<Passage["section"], "anchor">;
}

/** Name of a passage: the page's and the section's heading. */
export function nameOf({ page, section }: Passage): string {
  const heading = section.headings.at(-1);
  const name = page.name ?? page.title;
  return heading === undefined || heading === page.title ? name : `${name} › ${heading}`;
}

/** Characters quoted of the best passage, and of the sentence of each further one. */
const quoteLength = 700;
/** So much of one paragraph is quoted at most, and so many blocks. */
const longestParagraph = 2800;
const maxBlocks = 30;
const sentenceLength = 240;
/** What is shorter says nothing beside the name of its section. */
const shortestSentence = 12;
/** A further passage must hold this share of what the first one holds of the question. */
const furtherShare = 0.6;

const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", fences: true, listItemIndent: "one", rule: "-" })
  .freeze();

/** What is said around quotations, in the languages that a question is recognized in: no answer, the nearest pages, more pages. */
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

/** What is answered where the documents do not answer; the nearest pages are named, not cited. */
export function refusal(
  { passages, language }: Pick<Retrieval, "passages" | "language">,
  links: PageLinks,
): AnswerPart {
  const [says, nearest] = phrasesFor(language);
  const pages = passages.slice(0, 2).map((passage) => `- ${markdownLink(passage, links)}`);
  const pointers = pages.length === 0 ? "" : `\n\n${nearest}\n\n${pages.join("\n")}`;
  return { type: "text", text: `${says}${pointers}\n`, isRefusal: true };
}

/** Answers from the retrieved passages alone: quotes the best one, and gives a sentence of those that say nearly as much. */
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
  const blocks = chooseBlocks(best, terms).map((block) => withAddresses(block, links));
  const quote = { type: "blockquote", children: blocks as never } as const;
  yield { type: "text", text: `**${markdownLink(best, links)}**\n\n` };
  yield { type: "text", text: `${print(quote)}\n\n` };
  yield { type: "source", url: linkTo(best, links), title: nameOf(best) };
  const enough = furtherShare * readClosely(best, terms).worth;
  const others = rest
    .filter(({ page }) => (page.language ?? best.page.language) === best.page.language)
    .filter((passage) => readClosely(passage, terms).worth >= enough);
  const further = [...findComplement(best, quote, retrieval), ...others];
  if (further.length > 0) yield { type: "text", text: `${phrasesFor(language)[2]}\n\n` };
  for (const passage of further) {
    const sentence = chooseSentence(passage, terms);
    const words = sentence === "" ? "" : `: ${print(paragraphOf(sentence))}`;
    yield { type: "text", text: `- ${markdownLink(passage, links)}${words}\n` };
    yield { type: "source", url: linkTo(passage, links), title: nameOf(passage) };
  }
}

/** What another section of the page must hold of the question: this of what a quotation leaves open, or nearly all in one place. */
const complementShares = { open: 0.2, all: 0.85 };

/** Another section of the same page that says most of what was asked, if it adds to a quotation. */
function findComplement(best: Passage, quote: RootContent, { besides, terms }: Retrieval): Passage[] {
  const { text, code } = wordsOf([quote]);
  const said = new Set(contentTerms(`${nameOf(best)} ${text} ${code}`));
  const open = unsaidIn(said, terms);
  const total = sumOf(terms);
  const ranked = besides.flatMap((passage) => {
    const { statement } = readClosely(passage, open.size > 0 ? open : terms);
    const own = new Set([...statement.terms, ...contentTerms(passage.section.headings.join(" "))]);
    const adds = worthIn(open, within(own)) >= complementShares.open * total && open.size > 0;
    const isAnother = worthIn(terms, within(statement.terms)) >= complementShares.all * total;
    return adds || isAnother ? [{ passage, worth: worthIn(terms, within(own)) }] : [];
  });
  return ranked
    .sort((left, right) => right.worth - left.worth)
    .slice(0, 1)
    .map(({ passage }) => passage);
}

function markdownLink(passage: Passage, links: PageLinks): string {
  return `[${nameOf(passage).replace(/[[\]\\`*_<>]/g, "\\$&")}](${linkTo(passage, links)})`;
}

function print(node: RootContent): string {
  return printer.stringify({ type: "root", children: [node] }).trimEnd();
}

/** A block whose links lead to where readers find the pages. */
function withAddresses<Node extends RootContent>(node: Node, links: PageLinks): Node {
  if (!("children" in node)) return node;
  const children = node.children.map((child) => withAddresses(child, links));
  const target = node.type === "link" ? node.data?.target : undefined;
  const url = target && { url: linkTo({ page: target, section: target }, links) };
  return { ...node, ...url, children } as Node;
}

const within = (own: ReadonlySet<string>) => (term: string) => Number(own.has(term));

function worthOf(text: string, terms: WeightedTerms): number {
  return worthIn(terms, within(new Set(contentTerms(text))));
}

/** The terms of which a text says nothing, also in other words. */
function unsaidIn(own: ReadonlySet<string>, terms: WeightedTerms): WeightedTerms {
  return new Map([...terms].filter(([term]) => shareIn(term, within(own)) === 0));
}

/** What was asked besides the words of the headings, which are all over the section: it tells its blocks apart. */
function besidesHeadings({ page, section }: Passage, terms: WeightedTerms): WeightedTerms {
  const above = new Set(contentTerms(`${page.title} ${section.headings.join(" ")}`));
  return new Map([...terms].filter(([term]) => !above.has(term)));
}

/** A block that leads to the next one: it ends with a colon, or all of it is bold. */
function isLead(block: RootContent | undefined): boolean {
  if (block?.type !== "paragraph") return false;
  return /[:：]$/.test(textOf(block).trim()) || block.children.every(({ type }) => type === "strong");
}

/** A shorter section is quoted with what is below its headings. */
const shortSection = 300;

/** The blocks of a section, and of those below it where its own say little. */
function blocksOf({ page, section }: Passage): RootContent[] {
  const own = section.blocks;
  const depth = section.headings.length;
  if (depth === 0 || textOf({ type: "root", children: [...own] }).length >= shortSection) return [...own];
  const after = page.sections.slice(page.sections.indexOf(section) + 1);
  const end = after.findIndex(({ headings }) => headings.length <= depth);
  const below = end === -1 ? after : after.slice(0, end);
  return [...own, ...below.flatMap(({ headings, blocks }) => [boldLine(headings.at(-1) ?? ""), ...blocks])];
}

function boldLine(value: string): RootContent {
  return { type: "paragraph", children: [{ type: "strong", children: [{ type: "text", value }] }] };
}

/** So many statements of a passage are looked for, each for what those before it leave open. */
const maxStatements = 4;
/** One of these characters is taken where there is no room. */
const shortStatement = 250;

/** The blocks that say what was asked, and those around them as far as there is room; in their order. */
function chooseBlocks(passage: Passage, terms: WeightedTerms): RootContent[] {
  const rest = besidesHeadings(passage, terms);
  const first = readClosely(passage, rest).statement;
  const blocks = blocksOf(passage).map((block) => cutBlock(block, rest, first.nodes[0]));
  const chosen = new Set<number>();
  let [start, end] = [blocks.length, -1];
  let room = quoteLength;
  const take = (at: number, least = 0) => {
    const added = blocksWith(at, blocks).filter((one) => !chosen.has(one));
    const length = added.reduce((sum, one) => sum + textOf(blocks[one]).length, 0);
    if (added.length === 0 || length > Math.max(room, least) || chosen.size >= maxBlocks) return false;
    for (const one of added) chosen.add(one);
    [start, end] = [Math.min(start, ...added), Math.max(end, ...added)];
    room -= length;
    return true;
  };
  for (let [open, tries] = [rest, 0]; tries < maxStatements; tries += 1) {
    const statement = tries === 0 ? first : readClosely(passage, open).statement;
    const left = unsaidIn(statement.terms, open);
    if (tries === 0) take(statement.block, Number.POSITIVE_INFINITY);
    else if (left.size < open.size) take(statement.block, shortStatement);
    open = left;
  }
  // Asked by its heading alone, a section is for what its first sentences say, below a list of parameters too.
  if (rest.size === 0) take(blocks.findIndex(isParagraph), shortStatement);
  while (take(end + 1));
  while (take(start - 1));
  return blocks.flatMap((block, at) => {
    if (!chosen.has(at)) return [];
    // What was left out between two of them is marked.
    const isAfterGap = at > start && !chosen.has(at - 1);
    return isAfterGap ? [paragraphOf("…"), block] : [block];
  });
}

/** So many blocks lead one to the next. */
const maxLeads = 3;

/** A block with those that it says little without: what leads to it, and what it leads to. */
function blocksWith(at: number, blocks: readonly RootContent[]): number[] {
  if (at < 0 || at >= blocks.length) return [];
  const isCode = blocks[at]?.type === "code";
  let before = at - 1;
  while (isCode && at - before <= maxBlocks && blocks[before]?.type === "code") before -= 1;
  const taken = before >= 0 && (isCode || isLead(blocks[before])) ? [before, at] : [at];
  const end = Math.min(at + maxLeads, blocks.length - 1);
  for (let last = at; isLead(blocks[last]) && last < end; last += 1) taken.push(last + 1);
  return taken;
}

/** The sentence of a passage that says most of what was asked. */
function chooseSentence(passage: Passage, terms: WeightedTerms): string {
  const { nodes } = readClosely(passage, besidesHeadings(passage, terms)).statement;
  const said = nodes.filter(({ type }) => type !== "code");
  const written = said.length > 0 ? said : passage.section.blocks.filter(isParagraph).slice(0, 1);
  const text = written
    .map((node) => (node.type === "tableRow" ? textOfRow(node, " · ") : textOf(node)))
    .join(". ");
  const sentences = text.split(/(?<=[.!?])\s+(?=\p{Lu})|(?<=[。！？])/u);
  const [first = "", ...others] = sentences.map((sentence) => sentence.replace(/\s+/g, " ").trim());
  const best = others.reduce(
    (chosen, other) => (worthOf(other, terms) > worthOf(chosen, terms) ? other : chosen),
    first,
  );
  return best.length < shortestSentence ? "" : shorten(best.replace(/\s*[:：]$/, "…"), sentenceLength);
}

function isParagraph({ type }: RootContent): boolean {
  return type === "paragraph";
}

/** Of a table of more rows, only those are quoted that say what was asked, if any do. */
const smallTable = 5;
/** A row is one of them that says this share of what the best one says. */
const rowShare = 0.5;
/** What has less room is quoted without what is within it. */
const leastRoom = 60;

/**
 * Of a long table or list, the head and the rows that say most of what was asked, in their order; of long code the beginning.
 *
 * @param answer The row, or a part of the item, that is always one of them.
 */
function cutBlock(
  block: RootContent,
  terms: WeightedTerms,
  answer: RootContent | undefined,
  maxLength = quoteLength,
): RootContent {
  if (block.type === "code") return { ...block, value: cutLines(block.value, maxLength) };
  const isList = block.type === "table" || block.type === "list";
  if (!isList || maxLength < leastRoom) return cutText(block, isList ? leastRoom : longestParagraph);
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
  const head = block.type === "table" ? 1 : 0;
  const ranked = rows
    .slice(head)
    .map((row, at) => {
      const parts: readonly RootContent[] = row.children;
      const children = parts.map((part) => cutBlock(part, terms, answer, maxLength / 2));
      const worth = worthOf(textOfRow(row, " "), terms) + worthOf(textOf(row.children[0] ?? row), terms);
      const cut = { ...row, children } as ListItem | TableRow;
      return {
        at,
        cut,
        worth: isWithin(row, answer) ? Number.POSITIVE_INFINITY : worth,
        length: textOf(cut).length,
      };
    })
    .sort((left, right) => right.worth - left.worth || left.at - right.at);
  // Steps are quoted as far as they follow each other: with a gap, their numbers would be wrong.
  const isOrdered = block.type === "list" && block.ordered === true;
  const nearest = ranked[0]?.at ?? 0;
  if (isOrdered) ranked.sort((left, right) => Math.abs(left.at - nearest) - Math.abs(right.at - nearest));
  const enough = head * rowShare * Math.min(...ranked.slice(0, 2).map(({ worth }) => worth));
  let room = maxLength;
  const kept = ranked.filter(({ length, worth }, rank) => {
    if (rank > 0 && (length > room || worth < enough)) {
      if (isOrdered) room = 0;
      return false;
    }
    room -= length;
    return true;
  });
  const children = kept.sort((left, right) => left.at - right.at).map(({ cut }) => cut);
  const rest = kept.length < ranked.length ? [rowOf(block, "…")] : [];
  const start = isOrdered ? { start: (block.start ?? 1) + (kept[0]?.at ?? 0) } : {};
  return { ...block, ...start, children: [...rows.slice(0, head), ...children, ...rest] } as RootContent;
}

/** A block as it is, or the beginning of its text where that is longer. */
function cutText(block: RootContent, maxLength: number): RootContent {
  const text = textOf(block);
  return text.length > maxLength ? paragraphOf(shorten(text.replace(/\s+/g, " "), maxLength)) : block;
}

/** A row of a table or an item of a list. */
function rowOf({ type }: RootContent, value: string): ListItem | TableRow {
  if (type === "list") return { type: "listItem", children: [paragraphOf(value)] };
  return { type: "tableRow", children: [{ type: "tableCell", children: [{ type: "text", value }] }] };
}

function isWithin(node: RootContent, part: RootContent | undefined): boolean {
  return node === part || ("children" in node && node.children.some((child) => isWithin(child, part)));
}

/** As many whole lines of code as there is room for. */
function cutLines(code: string, maxLength: number): string {
  if (code.length <= maxLength) return code;
  return `${code.slice(0, Math.max(code.lastIndexOf("\n", maxLength), 0) || maxLength)}\n…`;
}

/** The cells of a row apart. */
function textOfRow(row: ListItem | TableRow, between: string): string {
  return row.children.map((child) => textOf(child)).join(between);
}
