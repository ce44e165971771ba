/** How likely the documents answer a question at all. */
import { contentTerms } from "./analyze-text.ts";
import type { WeightedTerms } from "./bm25-index.ts";
import type { IndexedSection, IndexedSections } from "./indexed-sections.ts";

/** The best of these sections are looked at. */
const looksAt = 3;

/**
 * Weights of a logistic regression that tells descriptions of a corpus' own pages from those of other corpora; see
 * docs/assistant.md for how it was fitted and what it achieves.
 */
const weights = { bias: -6.12, score: 10.65, namedByQuestion: -2.52, nameCovered: 3.28, phrases: 3.38 };

/** The log-odds that a question is answered, from the question's terms and its best sections by number and score. */
export function judgeRelevance(
  { question, terms }: { readonly question: string; readonly terms: WeightedTerms },
  ranked: readonly (readonly [section: number, score: number])[],
  { sections, ofPage, index }: IndexedSections,
): number {
  // A term that is in no document counts as much as one that is in a single one, and is never matched.
  const most = index.idf("");
  const worth = (term: string) => Math.min(index.idf(term), most) * (terms.get(term) ?? 1);
  const total = [...terms.keys()].reduce((sum, term) => sum + worth(term), 0);
  const best = ranked.slice(0, looksAt).flatMap(([number]) => sections[number] ?? []);
  if (best.length === 0 || total === 0) return weights.bias;
  const asked = new Set(terms.keys());
  const sum = (found: Iterable<string>) => [...found].reduce((value, term) => value + worth(term), 0);
  const max = (measure: (section: IndexedSection) => number) => Math.max(...best.map(measure));
  const named = (section: IndexedSection) => asked.intersection(new Set(section.name));
  const phrases = phrasesOf(question);
  return (
    weights.bias +
    (weights.score * (ranked[0]?.[1] ?? 0)) / total +
    weights.namedByQuestion * max((section) => sum(named(section)) / total) +
    weights.nameCovered * max((section) => sum(named(section)) / (sum(new Set(section.name)) || 1)) +
    weights.phrases *
      max(({ page }) => {
        const ofThisPage = (ofPage.get(page) ?? []).flatMap((number) => sections[number] ?? []);
        return shareOfPhrases(phrases, ofThisPage, worth);
      })
  );
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
  worth: (term: string) => number,
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
const usualThreshold = -0.54;
const calibration = { fewest: 20, most: 150, refusedShare: 0.045, lowest: -2.2, highest: 0.8 };

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
