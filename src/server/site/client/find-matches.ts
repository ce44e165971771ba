/** Searches the site's index, of which it loads what a query needs. */
import { describeMatch, type SearchMatch } from "./describe-match.ts";
import {
  type IndexedText,
  type IndexSummary,
  readDigit,
  readPostings,
  separators,
  titleKey,
  titleKeyLength,
} from "./index-format.ts";
import { findSimilarWords, sharedStart } from "./word-list.ts";
import { pairsOf, stemOf, stopWords, wordsOf } from "./words.ts";

/** Loads what a script of the index holds, by its name; what was loaded before is there at once. */
export type LoadPart = (name: string) => Promise<string>;

const maxMatches = 12;
/** Longer queries are searched by their first words. */
const maxTerms = 10;
/** A word with its variants is looked for in so many scripts. */
const maxScripts = 12;
const maxScriptsOfLetter = 4;
/** A part of a word that is typed so far is completed by so many words. */
const maxCompletions = 400;

/** A word of the query, and what stands for it in one index. */
interface Term {
  readonly word: string;
  /** The last word may be unfinished. */
  readonly isLast: boolean;
}

/** The pages that hold a term, with their weights, and in which words. */
interface TermMatch {
  readonly weights: ReadonlyMap<number, number>;
  readonly words: readonly string[];
}

interface Candidate {
  readonly index: LanguageIndex;
  readonly page: number;
  /** How many of the query's words the page holds. */
  readonly held: number;
  readonly score: number;
  readonly found: readonly (readonly string[])[];
}

/** Opens the index of a site. */
export function openSearchIndex(load: LoadPart) {
  let newest = 0;
  return {
    /**
     * The best pages for what was typed so far: those that hold every word, or as many as possible. The other indexes are
     * searched when these have nothing. A search that a newer one has overtaken loads no texts and gives `undefined`.
     */
    async find(
      query: string,
      indexes: readonly number[],
      others: readonly number[],
    ): Promise<SearchMatch[] | undefined> {
      newest += 1;
      const own = newest;
      const terms = readTerms(query);
      for (const searched of terms.length > 0 ? [indexes, others] : []) {
        const languages = searched.map((number) => openLanguage(number, load));
        const found = await Promise.all(
          languages.map(async (language) => findCandidates(await language, terms)),
        );
        if (own !== newest) return undefined;
        const all = found.flat().sort((left, right) => right.held - left.held || right.score - left.score);
        const best = all.filter(({ held }) => held === all[0]?.held).slice(0, maxMatches);
        const matches = await Promise.all(best.map(describeCandidate));
        if (own !== newest) return undefined;
        if (matches.length > 0) return matches;
      }
      return [];
    },
  };
}

async function describeCandidate({ index, page, found }: Candidate): Promise<SearchMatch> {
  return describeMatch(await index.text(page), found);
}

/** The words that a query is searched by: without those that are everywhere, unless it has no others. */
function readTerms(query: string): Term[] {
  const words = wordsOf(query);
  // A single character of a script without spaces is what the dictionary made of a longer word.
  const isTelling = (word: string) => !stopWords.has(word) && (word.length > 1 || word < "\u0e00");
  const telling = words.filter(isTelling);
  const isFinished = /[^\p{L}\p{M}\p{N}]$/u.test(query);
  const kept = [...new Set(telling.length > 0 ? telling : words)].slice(0, maxTerms);
  const last = isFinished ? undefined : words.at(-1);
  return kept.map((word) => ({ word, isLast: word === last }));
}

type LanguageIndex = Awaited<ReturnType<typeof openLanguage>>;
type WordEntry = readonly [word: string, postings: string];

async function openLanguage(number: number, load: LoadPart) {
  const summary = JSON.parse(await load(`${number}`)) as IndexSummary;

  async function loadWords(script: number): Promise<WordEntry[]> {
    const written = await load(`${number}-w${script}`);
    return written.split(separators.words).map((entry): WordEntry => {
      const end = entry.indexOf(separators.postings);
      return [entry.slice(0, end), entry.slice(end + 1)];
    });
  }

  return {
    summary,
    /** The words that start with this, as far as there are not too many scripts of them. */
    async words(prefix: string): Promise<WordEntry[]> {
      const first = lastAtMost(summary.words, prefix);
      const end = first + (prefix.length > 1 ? maxScripts : maxScriptsOfLetter);
      const scripts: Promise<WordEntry[]>[] = [];
      for (let script = first; script < end; script += 1) {
        const start = summary.words[script];
        if (start === undefined || (start > prefix && !start.startsWith(prefix))) break;
        scripts.push(loadWords(script));
      }
      return (await Promise.all(scripts)).flat().filter(([word]) => word.startsWith(prefix));
    },
    /** The pages that hold this word. */
    async postings(word: string): Promise<string> {
      const entries = await loadWords(lastAtMost(summary.words, word));
      return entries.find(([written]) => written === word)?.[1] ?? "";
    },
    /** Every word that may be meant by one with typing errors. */
    wordList: () => load(`${number}-l`),
    async text(page: number): Promise<IndexedText> {
      const script = lastAtMost(summary.pages, page);
      const texts = JSON.parse(await load(`${number}-p${script}`)) as IndexedText[];
      return texts[page - (summary.pages[script] ?? 0)] ?? ["", "", "", "", []];
    },
  };
}

/** Position of the last of these, which are sorted, that is not above the value; the first where all are. */
function lastAtMost<Value>(sorted: readonly Value[], value: Value): number {
  const above = sorted.findIndex((item) => item > value);
  return Math.max(0, (above === -1 ? sorted.length : above) - 1);
}

/** How much a page of the end of the navigation counts, beside one of its beginning. */
const lastRank = 0.85;

/** How much more a page counts that is called like the query. */
const sameTitleBoost = 1.5;

async function findCandidates(index: LanguageIndex, terms: readonly Term[]): Promise<Candidate[]> {
  const { pageCount, ranks, titles } = index.summary;
  const matches = await Promise.all(terms.map((term) => matchTerm(index, term)));
  const scores = new Float32Array(pageCount);
  const counts = new Uint8Array(pageCount);
  for (const { weights } of matches) {
    const rarity = Math.log(1 + pageCount / (weights.size + 0.5));
    for (const [page, weight] of weights) {
      scores[page] = (scores[page] ?? 0) + rarity * weight;
      counts[page] = (counts[page] ?? 0) + 1;
    }
  }
  const found = matches.map(({ words }) => words);
  const most = counts.reduce((left, right) => Math.max(left, right), 0);
  const candidates: Candidate[] = [];
  const key = titleKey(terms.map(({ word }) => word));
  for (const [page, held] of counts.entries()) {
    if (held === 0 || held < most) continue;
    const boost = titles.startsWith(key, titleKeyLength * page) ? sameTitleBoost : 1;
    const score = (scores[page] ?? 0) * boost * (1 - (1 - lastRank) * readDigit(ranks, page));
    candidates.push({ index, page, held, score, found });
  }
  return candidates.sort((left, right) => right.score - left.score).slice(0, maxMatches);
}

/** The word itself, words of the same stem, and completions of an unfinished one; else what it may be misspelt for. */
async function matchTerm(index: LanguageIndex, term: Term): Promise<TermMatch> {
  const variants = await findVariants(index, term);
  if (variants.length > 0) return takeTogether(variants);
  const pairs = pairsOf(term.word);
  if (pairs.length > 1) return matchPairs(index, pairs);
  return takeTogether(await findSimilar(index, term));
}

async function findVariants(index: LanguageIndex, { word, isLast }: Term): Promise<Variant[]> {
  const stem = stemOf(word);
  const entries = await index.words(isLast && word.length <= stem.length ? word : sharedStart(stem, word));
  return entries.flatMap(([written, postings]): Variant[] => {
    if (written === word) return [{ written, postings, share: 1 }];
    if (stemOf(written) === stem) return [{ written, postings, share: 0.9 }];
    const isCompletion = isLast && written.startsWith(word);
    return isCompletion ? [{ written, postings, share: 0.3 + (0.5 * word.length) / written.length }] : [];
  });
}

/** A word of the index that stands for a term, and how much of its weight counts. */
interface Variant {
  readonly written: string;
  readonly postings: string;
  readonly share: number;
}

function takeTogether(variants: readonly Variant[]): TermMatch {
  const best = variants.toSorted((left, right) => right.share - left.share).slice(0, maxCompletions);
  const weights = new Map<number, number>();
  for (const { postings, share } of best) {
    for (const [page, weight] of readPostings(postings))
      weights.set(page, Math.max(weights.get(page) ?? 0, share * weight));
  }
  return { weights, words: best.map(({ written }) => written) };
}

/** The pages that hold every pair of characters: most of them hold the word. */
async function matchPairs(index: LanguageIndex, pairs: readonly string[]): Promise<TermMatch> {
  const matches = await Promise.all(
    pairs.map(async (pair) => {
      const postings = await index.postings(pair);
      return takeTogether([{ written: pair, postings, share: 0.7 }]).weights;
    }),
  );
  const [first = new Map<number, number>(), ...others] = matches;
  const inAll = [...first].filter(([page]) => others.every((other) => other.has(page)));
  return { weights: new Map(inAll), words: pairs };
}

/** Shorter words are not guessed at, and longer ones are not in the index. */
const lengthsForTypos = { least: 4, most: 42 };
/** From this length on a word may have two typing errors. */
const fewestForTwoTypos = 8;
const maxSimilar = 6;

/** The words with the fewest differences, and those of the same stem. */
async function findSimilar(index: LanguageIndex, { word, isLast }: Term): Promise<Variant[]> {
  if (word.length < lengthsForTypos.least || word.length > lengthsForTypos.most) return [];
  const maxTypos = word.length < fewestForTwoTypos ? 1 : 2;
  const similar = findSimilarWords(await index.wordList(), word, maxTypos, isLast);
  // The first letter is rarely the wrong one.
  const hasFirst = ({ written }: { written: string }) => Number(written[0] === word[0]);
  similar.sort(
    (left, right) =>
      left.typos - right.typos || hasFirst(right) - hasFirst(left) || right.frequency - left.frequency,
  );
  const best = similar.filter(({ typos }) => typos === similar[0]?.typos).slice(0, maxSimilar);
  const variants = await Promise.all(
    best.map(async (one) => {
      const found = await findVariants(index, { word: one.written, isLast: false });
      return found.map((variant) => ({ ...variant, share: (0.4 + 0.1 * hasFirst(one)) * variant.share }));
    }),
  );
  return variants.flat();
}
