/** How likely the documents answer a question at all. */
import { contentTerms } from "./analyze-text.ts";
import type { WeightedTerms } from "./bm25-index.ts";
import type { DocsPage } from "./docs-section.ts";
import type { IndexedSection, IndexedSections } from "./indexed-sections.ts";

/** The best of these sections are looked at. */
const looksAt = 3;

/** What speaks for or against an answer, each as a number. */
interface Evidence {
  /** Score of the best section, as a share of what the question's terms are worth at most. */
  readonly score: number;
  /** Logarithm of that score itself. */
  readonly magnitude: number;
  /** The best share of a page's name that the question holds. */
  readonly nameCovered: number;
  /** Logarithm of the number of terms. */
  readonly length: number;
  /** The best share of the question's pairs of neighbouring words that stand on a page. */
  readonly phrases: number;
  /** Score of the tenth page as a share of the first: where all are alike, none is meant. */
  readonly flatness: number;
}

/**
 * Weights of a logistic regression that tells descriptions of a corpus' own pages from those of other corpora; see
 * docs/assistant.md for what it achieves.
 */
const weights: Evidence = {
  score: 9.85,
  magnitude: -3.65,
  nameCovered: 3.5,
  length: 3.23,
  phrases: 4.06,
  flatness: -3.87,
};
const bias = -3.41;

/** The log-odds that a question is answered, from its terms and the sections that hold them, best first. */
export function judgeRelevance(
  { question, terms }: { readonly question: string; readonly terms: WeightedTerms },
  ranked: readonly RankedSection[],
  indexed: IndexedSections,
): number {
  // A term that is in no document counts as much as one that is in a single one, and is never matched.
  const most = indexed.index.idf("");
  const worth: Worth = (term) => Math.min(indexed.index.idf(term), most) * (terms.get(term) ?? 1);
  const total = sumOf(terms.keys(), worth);
  const best = ranked.slice(0, looksAt).flatMap(([number]) => indexed.sections[number] ?? []);
  if (best.length === 0 || total === 0) return Number.NEGATIVE_INFINITY;
  const top = ranked[0]?.[1] ?? 0;
  const asked = new Set(terms.keys());
  const phrases = phrasesOf(question);
  const evidence: Evidence = {
    score: top / total,
    magnitude: Math.log(1 + top),
    nameCovered: Math.max(...best.map(({ name }) => shareOfName(new Set(name), asked, worth))),
    length: Math.log(1 + terms.size),
    phrases: Math.max(...best.map(({ page }) => shareOfPhrases(phrases, sectionsOf(page, indexed), worth))),
    flatness: scoreOfPage(10, ranked, indexed) / top,
  };
  const keys = Object.keys(weights) as (keyof Evidence)[];
  return keys.reduce((sum, key) => sum + weights[key] * evidence[key], bias);
}

type RankedSection = readonly [section: number, score: number];
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

/** Score of the best section of the page of this rank; 0 where fewer pages hold a term. */
function scoreOfPage(rank: number, ranked: readonly RankedSection[], { sections }: IndexedSections): number {
  const seen = new Set<DocsPage>();
  for (const [number, score] of ranked) {
    const page = sections[number]?.page;
    if (page !== undefined) seen.add(page);
    if (seen.size === rank) return score;
  }
  return 0;
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

/** Below this, a question passes for unanswered where a site gives nothing to calibrate on. */
const usualThreshold = -0.8;
const calibration = { fewest: 20, most: 150, refusedShare: 0.045, lowest: -1.8, highest: 0.6 };

/**
 * The threshold below which the documents do not answer. Authors' descriptions of their own pages are questions that
 * are known to be answered: almost all of them must pass.
 */
export function calibrateThreshold(
  descriptions: readonly string[],
  judge: (question: string) => number,
): number {
  if (descriptions.length < calibration.fewest) return usualThreshold;
  const step = Math.max(1, descriptions.length / calibration.most);
  const count = Math.floor(descriptions.length / step);
  const sample = Array.from({ length: count }, (_, index) => descriptions[Math.floor(index * step)] ?? "");
  const judged = sample.map(judge).sort((left, right) => left - right);
  const threshold = judged[Math.floor(judged.length * calibration.refusedShare)] ?? usualThreshold;
  return Math.min(calibration.highest, Math.max(calibration.lowest, threshold));
}
