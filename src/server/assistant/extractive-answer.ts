/** An answer in the documents' own words: the passages that answer, quoted and cited, or that there is none. */
import type { RootContent } from "mdast";
import { toString as textOf } from "mdast-util-to-string";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import type { AnswerPart } from "./answer-part.ts";
import { linkTo, nameOf, type PageLinks } from "./page-links.ts";
import { contentTerms } from "./retrieval/analyze-text.ts";
import type { WeightedTerms } from "./retrieval/bm25-index.ts";
import type { Passage, Retrieval } from "./retrieval/docs-index.ts";

/** Passages quoted at most, and characters of the first and of each further one. */
const mostPassages = 3;
const firstLength = 1200;
const furtherLength = 500;
/** A further passage must hold this share of what the first one holds of the question. */
const furtherShare = 0.6;

const printer = unified()
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", fences: true, listItemIndent: "one", rule: "-" })
  .freeze();

/** What is answered where the documents do not answer; the nearest pages are named, not cited. */
export function refusal({ passages }: Pick<Retrieval, "passages">, links: PageLinks): string {
  const nearest = passages
    .slice(0, 2)
    .map((passage) => `- [${escapeLabel(nameOf(passage))}](${linkTo(passage, links)})`);
  const pointers = nearest.length === 0 ? "" : `\n\nThe nearest pages are:\n\n${nearest.join("\n")}`;
  return `The docs do not say.${pointers}\n`;
}

/** Answers from the retrieved passages alone. */
export function* answerExtractively(retrieval: Retrieval, links: PageLinks): Generator<AnswerPart> {
  const chosen = retrieval.isAnswered ? choosePassages(retrieval) : [];
  if (chosen.length === 0) {
    yield { type: "text", text: refusal(retrieval, links) };
    return;
  }
  for (const [index, { passage, blocks }] of chosen.entries()) {
    const url = linkTo(passage, links);
    const title = nameOf(passage);
    const introduction = index === 0 ? "The docs say in" : "See also";
    yield { type: "text", text: `${introduction} [${escapeLabel(title)}](${url}):\n\n` };
    yield { type: "text", text: `${quote(blocks)}\n\n` };
    yield { type: "source", url, title };
  }
}

interface Quotation {
  readonly passage: Passage;
  readonly blocks: readonly RootContent[];
}

function choosePassages({ passages, terms }: Retrieval): Quotation[] {
  const quotable = passages.filter(({ section }) => section.blocks.length > 0);
  const [best] = quotable;
  if (best === undefined) return [];
  const enough = furtherShare * worthOfPassage(best, terms);
  const further = quotable.slice(1).filter((passage) => worthOfPassage(passage, terms) >= enough);
  return [best, ...further].slice(0, mostPassages).map((passage, index) => ({
    passage,
    blocks: chooseBlocks(passage.section.blocks, {
      terms,
      maxLength: index === 0 ? firstLength : furtherLength,
    }),
  }));
}

function worthOfPassage({ page, section }: Passage, terms: WeightedTerms): number {
  return worthOf(`${page.title} ${section.headings.join(" ")} ${section.text} ${section.code}`, terms);
}

function worthOf(text: string, terms: WeightedTerms): number {
  return [...new Set(contentTerms(text))].reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
}

/** The block that says most of what was asked, with those around it as far as there is room. */
function chooseBlocks(
  blocks: readonly RootContent[],
  { terms, maxLength }: { readonly terms: WeightedTerms; readonly maxLength: number },
): readonly RootContent[] {
  const lengths = blocks.map((block) => textOf(block).length);
  const worths = blocks.map((block) => worthOf(textOf(block), terms));
  let first = Math.max(0, worths.indexOf(Math.max(...worths)));
  // Code without the sentence that introduces it says little.
  if (blocks[first]?.type === "code" && first > 0) first -= 1;
  let last = first;
  let length = lengths[first] ?? 0;
  const fits = (index: number) => length + (lengths[index] ?? 0) <= maxLength;
  for (; last + 1 < blocks.length && (last === first || fits(last + 1)) && fits(last + 1); last += 1) {
    length += lengths[last + 1] ?? 0;
  }
  for (; first > 0 && fits(first - 1); first -= 1) length += lengths[first - 1] ?? 0;
  return blocks.slice(first, last + 1);
}

function quote(blocks: readonly RootContent[]): string {
  const markdown = printer.stringify({
    type: "root",
    children: [{ type: "blockquote", children: blocks as never }],
  });
  return markdown.trimEnd();
}

function escapeLabel(text: string): string {
  return text.replace(/[[\]\\`*_<>]/g, "\\$&");
}
