/** How likely the documents answer a question at all. */
import { contentTerms } from "./analyze-text.ts";
import type { WeightedTerms } from "./bm25-index.ts";
import type { DocsPage } from "./docs-section.ts";
import type { IndexedSection, IndexedSections } from "./indexed-sections.ts";

/** So many of the best sections and pages are looked at, and the one of this rank for comparison. */
const looksAt = 3;
const flatAt = 10;

/** What speaks for or against an answer, each as a number. */
interface Evidence {
  /** Score of the best section, as a share of what the question's terms are worth at most. */
  readonly score: number;
  /** Logarithm of the best page's score for what the terms are worth. */
  readonly pageScore: number;
  /** The best share of a page's name that the question holds. */
  readonly nameCovered: number;
  /** The best share of the question that a page's name holds. */
  readonly namedByQuestion: number;
  /** Logarithm of the number of terms. */
  readonly length: number;
  /** The best share of the question's pairs of neighbouring words that stand on a page. */
  readonly phrases: number;
  /** Score of the tenth page as a share of the first, by sections and by pages: where all are alike, none is meant. */
  readonly flatness: number;
  readonly pageFlatness: number;
  /** How many of the three best pages both rankings name. */
  readonly agreement: number;
}

/**
 * Weights of a logistic regression that tells descriptions of a corpus' own pages from those of other corpora; see
 * docs/assistant.md for what it achieves.
 */
const weights: Evidence = {
  score: 1.38,
  pageScore: 2.24,
  nameCovered: 5.39,
  namedByQuestion: -3.84,
  length: -2.93,
  phrases: 3.16,
  flatness: -5.4,
  pageFlatness: 3.71,
  agreement: -1.16,
};
const bias = -1.15;

/** A question with what was found for it. */
export interface JudgedQuestion {
  readonly question: string;
  readonly terms: WeightedTerms;
  /** Sections that hold a term, best first. */
  readonly sections: readonly RankedSection[];
  /** Pages that hold a term, best first, by the other ranking. */
  readonly pages: readonly RankedPage[];
}

/** The log-odds that a question is answered. */
export function judgeRelevance(judged: JudgedQuestion, indexed: IndexedSections): number {
  const { question, terms, sections, pages } = judged;
  // A term that is in no document counts as much as one that is in a single one, and is never matched.
  const most = indexed.index.idf("");
  const worth: Worth = (term) => Math.min(indexed.index.idf(term), most) * (terms.get(term) ?? 1);
  const total = sumOf(terms.keys(), worth);
  const best = sections.slice(0, looksAt).flatMap(([number]) => indexed.sections[number] ?? []);
  if (best.length === 0 || total === 0) return Number.NEGATIVE_INFINITY;
  const top = sections[0]?.[1] ?? 0;
  const topPage = pages[0]?.[1] ?? 0;
  const bySections = pagesOfSections(sections, indexed);
  const asked = new Set(terms.keys());
  const phrases = phrasesOf(question);
  const evidence: Evidence = {
    score: top / total,
    pageScore: Math.log(1 + topPage / total),
    nameCovered: Math.max(...best.map(({ name }) => shareOfName(new Set(name), asked, worth))),
    namedByQuestion: Math.max(
      ...best.map(({ name }) => sumOf(asked.intersection(new Set(name)), worth) / total),
    ),
    length: Math.log(1 + terms.size),
    phrases: Math.max(...best.map(({ page }) => shareOfPhrases(phrases, sectionsOf(page, indexed), worth))),
    flatness: (bySections[flatAt - 1]?.[1] ?? 0) / top,
    pageFlatness: topPage === 0 ? 1 : (pages[flatAt - 1]?.[1] ?? 0) / topPage,
    agreement: agreementOf(bySections, pages),
  };
  const keys = Object.keys(weights) as (keyof Evidence)[];
  return keys.reduce((sum, key) => sum + weights[key] * evidence[key], bias);
}

export type RankedSection = readonly [section: number, score: number];
export type RankedPage = readonly [page: DocsPage, score: number];
type Worth = (term: string) => number;

function sumOf(terms: Iterable<string>, worth: Worth): number {
  return [...terms].reduce((sum, term) => sum + worth(term), 0);
}

function shareOfName(name: ReadonlySet<string>, asked: ReadonlySet<string>, worth: Worth): number {
  return sumOf(asked.intersection(name), worth) / (sumOf(name, worth) || 1);
}

function sectionsOf(page: DocsPage, { sections, ofPage }: IndexedSections): IndexedSection[] {
  return (ofPage.get(page) ?? []).flatMap((number) => sections[number] ?? []);
}

/** The first pages by their best sections. */
function pagesOfSections(ranked: readonly RankedSection[], { sections }: IndexedSections): RankedPage[] {
  const best = new Map<DocsPage, number>();
  for (const [number, score] of ranked) {
    const page = sections[number]?.page;
    if (page !== undefined && !best.has(page)) best.set(page, score);
    if (best.size === flatAt) break;
  }
  return [...best];
}

function agreementOf(one: readonly RankedPage[], other: readonly RankedPage[]): number {
  const best = new Set(one.slice(0, looksAt).map(([page]) => page));
  return other.slice(0, looksAt).filter(([page]) => best.has(page)).length / looksAt;
}

type Phrase = readonly [first: string, second: string];

function phrasesOf(question: string): Phrase[] {
  const terms = contentTerms(question);
  return terms.slice(1).map((term, index): Phrase => [terms[index] ?? "", term]);
}

/** How much of the question's pairs of neighbouring words stands as such on a page; one word is no phrase, and says half. */
function shareOfPhrases(
  phrases: readonly Phrase[],
  sections: readonly IndexedSection[],
  worth: Worth,
): number {
  const worthOf = ([first, second]: Phrase) => worth(first) + worth(second);
  const total = phrases.reduce((sum, phrase) => sum + worthOf(phrase), 0);
  if (total === 0) return 0.5;
  const texts = sections.flatMap(({ name, headings, text }) => [name, headings, text]);
  const found = phrases.filter((phrase) => texts.some((terms) => holdsPhrase(terms, phrase)));
  return found.reduce((sum, phrase) => sum + worthOf(phrase), 0) / total;
}

function holdsPhrase(terms: readonly string[], [first, second]: Phrase): boolean {
  for (let at = terms.indexOf(first); at !== -1; at = terms.indexOf(first, at + 1)) {
    if (terms[at + 1] === second) return true;
  }
  return false;
}

const calibration = { fewest: 20, most: 150, refusedShare: 0.045, lowest: -2.4, highest: 0.6 };

/** Without enough to calibrate on: on a small site even a good match says little, and a chance one is rare. */
const usual = { small: { pages: 15, threshold: -2.4 }, large: { pages: 100, threshold: -0.3 } };

/**
 * The threshold below which the documents do not answer. Authors' descriptions of their own pages are questions that
 * are known to be answered: almost all of them must pass.
 */
export function calibrateThreshold(
  { descriptions, pages }: { readonly descriptions: readonly string[]; readonly pages: number },
  judge: (question: string) => number,
): number {
  if (descriptions.length < calibration.fewest) return usualThreshold(pages);
  const step = Math.max(1, descriptions.length / calibration.most);
  const count = Math.floor(descriptions.length / step);
  const sample = Array.from({ length: count }, (_, index) => descriptions[Math.floor(index * step)] ?? "");
  const judged = sample.map(judge).sort((left, right) => left - right);
  const threshold = judged[Math.floor(judged.length * calibration.refusedShare)] ?? usualThreshold(pages);
  return Math.min(calibration.highest, Math.max(calibration.lowest, threshold));
}

/** Between the small and the large site by the logarithm of the number of pages. */
function usualThreshold(pages: number): number {
  const { small, large } = usual;
  const place = Math.log(pages / small.pages) / Math.log(large.pages / small.pages);
  return small.threshold + Math.min(1, Math.max(0, place)) * (large.threshold - small.threshold);
}
