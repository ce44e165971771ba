/** An answer in the documents' own words: the passages that answer, quoted and cited, or that there is none. */
import type { ListItem, RootContent, TableRow } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import type { AnswerPart } from "./answer-stream.ts";
import { readClosely } from "./close-reading.ts";
import type { Retrieval } from "./docs-index.ts";
import type { Passage } from "./sections.ts";
import { contentTerms, type WeightedTerms } from "./text-terms.ts";

/** Where readers find the documents. */
export interface PageLinks {
  /** `pages`: the published site; `files`: the documents' own files, as a code-hosting service shows them. */
  readonly kind: "pages" | "files";
  /** Address that the pages' or files' paths are appended to; empty: paths from the root of wherever the answer is shown. */
  readonly baseUrl: string;
}

/** Address of a passage. */
export function linkTo({ page, section }: Passage, { kind, baseUrl }: PageLinks): string {
  const path = kind === "files" ? page.source : page.slug.replace(/(?:^|\/)index$/, "");
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const anchor = section.anchor === "" ? "" : `#${encodeURIComponent(section.anchor)}`;
  return `${baseUrl.replace(/\/+$/, "")}/${encoded}${anchor}`;
}

/** Name of a passage: the page's title and the section's heading. */
export function nameOf({ page, section }: Passage): string {
  const heading = section.headings.at(-1);
  return heading === undefined || heading === page.title ? page.title : `${page.title} › ${heading}`;
}

/** Characters quoted of the first passage and of each further one. */
const firstLength = 1200;
const furtherLength = 500;
/** A further passage must hold this share of what the first one holds of the question. */
const furtherShare = 0.6;

const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", fences: true, listItemIndent: "one", rule: "-" })
  .freeze();

/** What is answered where the documents do not answer; the nearest pages are named, not cited. */
export function refusal({ passages }: Pick<Retrieval, "passages">, links: PageLinks): AnswerPart {
  const nearest = passages.slice(0, 2).map((passage) => `- ${markdownLink(passage, links)}`);
  const pointers = nearest.length === 0 ? "" : `\n\nThe nearest pages are:\n\n${nearest.join("\n")}`;
  return { type: "text", text: `The docs do not say.${pointers}\n`, isRefusal: true };
}

/** Answers from the retrieved passages alone: the best one, and those that say nearly as much of what was asked. */
export async function* answerExtractively(
  retrieval: Retrieval,
  links: PageLinks,
): AsyncGenerator<AnswerPart> {
  const { terms, isAnswered } = retrieval;
  const quotable = retrieval.passages.filter(({ section }) => section.blocks.length > 0);
  const [best] = quotable;
  if (!isAnswered || best === undefined) {
    yield refusal(retrieval, links);
    return;
  }
  const enough = furtherShare * readClosely(best, terms).worth;
  const further = quotable.slice(1).filter((passage) => readClosely(passage, terms).worth >= enough);
  for (const passage of [best, ...further]) {
    const introduction = passage === best ? "The docs say in" : "See also";
    const maxLength = passage === best ? firstLength : furtherLength;
    const blocks = chooseBlocks(passage, terms, maxLength);
    const quote = { type: "blockquote", children: blocks as never } as const;
    const quoted = printer.stringify({ type: "root", children: [quote] }).trimEnd();
    yield { type: "text", text: `${introduction} ${markdownLink(passage, links)}:\n\n` };
    yield { type: "text", text: `${quoted}\n\n` };
    yield { type: "source", url: linkTo(passage, links), title: nameOf(passage) };
  }
}

function markdownLink(passage: Passage, links: PageLinks): string {
  return `[${nameOf(passage).replace(/[[\]\\`*_<>]/g, "\\$&")}](${linkTo(passage, links)})`;
}

function worthOf(text: string, terms: WeightedTerms): number {
  return [...new Set(contentTerms(text))].reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
}

/** The block that says most of what was asked, with those around it as far as there is room. */
function chooseBlocks({ page, section }: Passage, terms: WeightedTerms, maxLength: number): RootContent[] {
  // The words of the headings are all over the section: what else was asked tells its blocks apart.
  const above = new Set(contentTerms(`${page.title} ${section.headings.join(" ")}`));
  const rest = new Map([...terms].filter(([term]) => !above.has(term)));
  const blocks = section.blocks.map((block) => cutBlock(block, rest, maxLength));
  const lengths = blocks.map((block) => textOf(block).length);
  let first = readClosely({ page, section }, rest).block;
  // Code without the sentence that introduces it says little.
  if (blocks[first]?.type === "code" && first > 0) first -= 1;
  let last = first;
  let length = lengths[first] ?? 0;
  const fits = (index: number) => length + (lengths[index] ?? 0) <= maxLength;
  for (; last + 1 < blocks.length && fits(last + 1); last += 1) length += lengths[last + 1] ?? 0;
  for (; first > 0 && fits(first - 1); first -= 1) length += lengths[first - 1] ?? 0;
  return blocks.slice(first, last + 1);
}

/** Of a table or list that is too long, the head and the rows that say most of what was asked, in their order. */
function cutBlock(block: RootContent, terms: WeightedTerms, maxLength: number): RootContent {
  if ((block.type !== "table" && block.type !== "list") || textOf(block).length <= maxLength) return block;
  const rows: readonly (ListItem | TableRow)[] = block.children;
  const head = block.type === "table" ? 1 : 0;
  const ranked = rows
    .slice(head)
    .map((row, at) => ({
      at: at + head,
      worth: worthOf(textOfRow(row), terms) + worthOf(textOf(row.children[0] ?? row), terms),
      length: textOf(row).length,
    }))
    .sort((left, right) => right.worth - left.worth || left.at - right.at);
  const kept = new Set<number>();
  let length = 0;
  for (const row of ranked) {
    length += row.length;
    if (kept.size > 0 && length > maxLength) break;
    kept.add(row.at);
  }
  const children = rows
    .filter((_, at) => at < head || kept.has(at))
    .map((row) => {
      const parts: readonly RootContent[] = row.children;
      return { ...row, children: parts.map((part) => cutBlock(part, terms, maxLength)) };
    });
  return { ...block, children } as RootContent;
}

/** The cells of a row apart. */
function textOfRow(row: ListItem | TableRow): string {
  return row.children.map((child) => textOf(child)).join(" ");
}
