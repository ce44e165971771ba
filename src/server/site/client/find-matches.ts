/** Searches the site's index, loads only the parts that a query needs, and describes what it finds. */
import {
  type IndexedText,
  type IndexSummary,
  readFraction,
  readPostings,
  separators,
} from "./index-format.ts";
import { indexedWords, pairsOf, piecesOf, stemOf, stopWords, wordsOf } from "./words.ts";

/** Loads the content of an index script by its name, and caches it. */
export type LoadPart = (name: string) => Promise<string>;

/** Part of an excerpt; `isFound` marks a match. */
interface TextPart {
  readonly text: string;
  readonly isFound: boolean;
}

/** A search result: a page and its best matching section. */
export interface SearchMatch {
  readonly path: string;
  readonly title: string;
  readonly location: string;
  readonly section: { readonly id: string; readonly heading: string } | undefined;
  readonly snippet: readonly TextPart[];
}

/** Maximum number of matches that are listed. */
export const maxMatches = 12;
/** Further words of a query are ignored. */
const maxTerms = 10;
/** Limit of word scripts that are loaded for a word with its variants. */
const maxScripts = 12;
/** Limit of words that complete an unfinished word. */
const maxCompletions = 400;

interface Term {
  readonly word: string;
  /** The last word may be unfinished. */
  readonly isLast: boolean;
}

/** The pages that contain a term, with their weights, and the matching words. The weight is 0 if the term is only in code. */
interface TermMatch {
  readonly weights: ReadonlyMap<number, number>;
  readonly words: readonly string[];
}

interface Candidate {
  readonly index: LanguageIndex;
  readonly page: number;
  /** Number of the query's terms that the page contains. */
  readonly termCount: number;
  readonly score: number;
  /** The matching words of each term. */
  readonly found: readonly (readonly string[])[];
}

/** Opens the index of a site. */
export function openSearchIndex(load: LoadPart) {
  let latest = 0;
  return {
    /** Finds the pages that contain most terms of the query. Returns `undefined` if a newer search started meanwhile. */
    async find(query: string, indexes: readonly number[]): Promise<SearchMatch[] | undefined> {
      latest += 1;
      const current = latest;
      const terms = readTerms(query);
      if (terms.length === 0) return [];
      const found = await Promise.all(
        indexes.map(async (number) => findCandidates(await openLanguage(number, load), terms)),
      );
      if (current !== latest) return undefined;
      const best = withMostTerms(found.flat().sort(compareCandidates)).slice(0, maxMatches);
      const matches = await Promise.all(
        best.map(async ({ index, page, found }) => describeMatch(await index.text(page), found)),
      );
      if (current !== latest) return undefined;
      const [text, key] = [query.trim().toLowerCase(), titleKey(query)];
      const rankOf = ({ title }: SearchMatch) =>
        Number(titleKey(title) === key) + Number(title.toLowerCase() === text);
      // A page that is called like the query comes first, and the one with exactly these words before it.
      return matches.sort((left, right) => rankOf(right) - rankOf(left));
    },
  };
}

/** The words of a text without stop words, unless it has no others. */
function significantWords(text: string): string[] {
  const words = wordsOf(text);
  // In a script without spaces, a single character is mostly part of a word that was segmented wrongly.
  const significant = words.filter((word) => !stopWords.has(word) && (word.length > 1 || word < "\u0e00"));
  return significant.length > 0 ? significant : words;
}

function readTerms(query: string): Term[] {
  const isFinished = /[^\p{L}\p{M}\p{N}]$/u.test(query);
  const lastPiece = isFinished ? [] : wordsOf([...piecesOf(query)].at(-1)?.text ?? "");
  const words = [...new Set(significantWords(query))].slice(0, maxTerms);
  // A name such as `camelCase` is a word, too, which precedes its parts.
  return words.map((word) => ({ word, isLast: word === lastPiece.at(-1) || word === lastPiece[0] }));
}

/** The stems of a text in any order. Without the parts of a name such as `camelCase`, as a query may contain it in lower case. */
function titleKey(text: string): string {
  const words = significantWords(text);
  const whole = words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
  return [...new Set(whole.map(stemOf))].sort().join(" ");
}

type LanguageIndex = Awaited<ReturnType<typeof openLanguage>>;
type WordEntry = readonly [word: string, postings: string];

async function openLanguage(number: number, load: LoadPart) {
  const summary = JSON.parse(await load(`${number}`)) as IndexSummary;

  async function loadWords(script: number): Promise<WordEntry[]> {
    const content = await load(`${number}-w${script}`);
    return content.split(separators.words).map((entry): WordEntry => {
      const end = entry.indexOf(separators.postings);
      return [entry.slice(0, end), entry.slice(end + 1)];
    });
  }

  return {
    summary,
    /** The words with this prefix, in a limited number of scripts. */
    async words(prefix: string): Promise<WordEntry[]> {
      const first = lastAtMost(summary.words, prefix);
      const scripts: Promise<WordEntry[]>[] = [];
      for (let script = first; script < first + maxScripts; script += 1) {
        const start = summary.words[script];
        if (start === undefined || (start > prefix && !start.startsWith(prefix))) break;
        scripts.push(loadWords(script));
      }
      return (await Promise.all(scripts)).flat().filter(([word]) => word.startsWith(prefix));
    },
    /** The encoded pages that contain this word. */
    async postings(word: string): Promise<string> {
      const entries = await loadWords(lastAtMost(summary.words, word));
      return entries.find(([other]) => other === word)?.[1] ?? "";
    },
    wordList: () => load(`${number}-l`),
    async text(page: number): Promise<IndexedText> {
      const script = lastAtMost(summary.pages, page);
      const texts = JSON.parse(await load(`${number}-p${script}`)) as IndexedText[];
      return texts[page - (summary.pages[script] ?? 0)] ?? ["", "", "", "", []];
    },
  };
}

/** Index of the last item of a sorted list that is not greater than the value, or else 0. */
function lastAtMost<Value>(sorted: readonly Value[], value: Value): number {
  const above = sorted.findIndex((item) => item > value);
  return Math.max(0, (above === -1 ? sorted.length : above) - 1);
}

/** Factor for the last page of the navigation; the first one has 1. */
const lastRankFactor = 0.85;

async function findCandidates(index: LanguageIndex, terms: readonly Term[]): Promise<Candidate[]> {
  const { pageCount, ranks } = index.summary;
  const matches = await Promise.all(terms.map((term) => matchTerm(index, term)));
  const found = matches.map(({ words }) => words);
  const byPage = new Map<number, Candidate>();
  for (const { weights } of matches) {
    const rarity = Math.log(1 + pageCount / (weights.size + 0.5));
    for (const [page, weight] of weights) {
      const { termCount, score } = byPage.get(page) ?? { termCount: 0, score: 0 };
      const rankFactor = 1 - (1 - lastRankFactor) * readFraction(ranks, page);
      byPage.set(page, {
        index,
        page,
        termCount: termCount + 1,
        score: score + rarity * (weight || weightOfCode) * rankFactor,
        found,
      });
    }
  }
  return withMostTerms([...byPage.values()].sort(compareCandidates)).slice(0, maxMatches);
}

/** Weight of a word that is only in a page's code. */
const weightOfCode = 0.01;

function compareCandidates(left: Candidate, right: Candidate): number {
  return right.termCount - left.termCount || right.score - left.score || left.page - right.page;
}

/** The pages with as many terms as the first one. */
function withMostTerms(sorted: readonly Candidate[]): readonly Candidate[] {
  return sorted.filter(({ termCount }) => termCount === sorted[0]?.termCount);
}

/** Matches variants of the term; if there are none, its pairs of characters or similar words. */
async function matchTerm(index: LanguageIndex, term: Term): Promise<TermMatch> {
  const variants = await findVariants(index, term);
  if (variants.length > 0) return mergeVariants(variants);
  const pairs = pairsOf(term.word);
  return pairs.length > 1 ? matchPairs(index, pairs) : mergeVariants(await findSimilar(index, term));
}

/** A word of the index that matches a term, and the factor for its weight. */
interface Variant {
  readonly word: string;
  readonly postings: string;
  readonly factor: number;
}

/** The word itself, words with the same stem, and completions of an unfinished word. */
async function findVariants(index: LanguageIndex, { word, isLast }: Term): Promise<Variant[]> {
  const stem = stemOf(word);
  const entries = await index.words(isLast && word.length <= stem.length ? word : commonPrefix(stem, word));
  return entries.flatMap(([other, postings]): Variant[] => {
    if (other === word) return [{ word: other, postings, factor: 1 }];
    if (stemOf(other) === stem) return [{ word: other, postings, factor: 0.9 }];
    if (!isLast || !other.startsWith(word)) return [];
    return [{ word: other, postings, factor: 0.3 + (0.5 * word.length) / other.length }];
  });
}

function mergeVariants(variants: readonly Variant[]): TermMatch {
  const best = variants.toSorted((left, right) => right.factor - left.factor).slice(0, maxCompletions);
  const weights = new Map<number, number>();
  for (const { postings, factor } of best) {
    for (const [page, weight] of readPostings(postings))
      weights.set(page, Math.max(weights.get(page) ?? 0, factor * weight));
  }
  return { weights, words: best.map(({ word }) => word) };
}

/** The pages that contain all pairs of characters; most of them contain the word. */
async function matchPairs(index: LanguageIndex, pairs: readonly string[]): Promise<TermMatch> {
  const matches = await Promise.all(
    pairs.map(async (pair) => {
      const postings = await index.postings(pair);
      return mergeVariants([{ word: pair, postings, factor: 0.7 }]).weights;
    }),
  );
  const [first = new Map<number, number>(), ...others] = matches;
  const inAll = [...first].filter(([page]) => others.every((other) => other.has(page)));
  return { weights: new Map(inAll), words: pairs };
}

/** The number of typos that a word may have. Short words have too many similar ones; the index contains no longer words. */
export function maxTyposOf({ length }: string): number {
  if (length < 4 || length > 42) return 0;
  return length < 8 ? 1 : 2;
}

const maxSimilar = 6;

/** The words with the fewest typos, and words with the same stem. */
async function findSimilar(index: LanguageIndex, { word, isLast }: Term): Promise<Variant[]> {
  const maxTypos = maxTyposOf(word);
  if (maxTypos === 0) return [];
  const words = (await index.wordList()).split(separators.words);
  const similar = findSimilarWords(words, word, maxTypos, isLast);
  // The first letter is rarely wrong.
  const sameFirst = (other: { readonly word: string }) => Number(other.word[0] === word[0]);
  similar.sort((left, right) => left.typos - right.typos || sameFirst(right) - sameFirst(left));
  const best = similar.filter(({ typos }) => typos === similar[0]?.typos).slice(0, maxSimilar);
  const variants = await Promise.all(
    best.map(async (other) => {
      const factor = 0.4 + 0.1 * sameFirst(other);
      const found = await findVariants(index, { word: other.word, isLast: false });
      return found.map((variant) => ({ ...variant, factor: factor * variant.factor }));
    }),
  );
  return variants.flat();
}

function commonPrefix(word: string, other: string): string {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length += 1;
  return word.slice(0, length);
}

/** Finds the words with at most `maxTypos` typing errors. @param isPrefix whether `query` may be the start of a word */
export function findSimilarWords(
  words: readonly string[],
  query: string,
  maxTypos: number,
  isPrefix: boolean,
) {
  const similar: { readonly word: string; readonly typos: number }[] = [];
  for (const word of words) {
    const surplus = word.length - query.length;
    if (surplus < -maxTypos || (surplus > maxTypos && !isPrefix)) continue;
    const typos = countTypos(query, word, isPrefix);
    if (Math.floor(typos) <= maxTypos) similar.push({ word, typos });
  }
  return similar;
}

/** The number of wrong, missing, extra or swapped letters (Damerau–Levenshtein distance). All letters after a prefix count as a half. */
function countTypos(query: string, word: string, isPrefix: boolean): number {
  const columns = query.length;
  let above: number[] = [];
  let row = Array.from({ length: columns + 1 }, (_, column) => column);
  let least = isPrefix ? columns : Number.POSITIVE_INFINITY;
  for (let length = 1; length <= word.length; length += 1) {
    const [beforeThat, last] = [above, row];
    [above, row] = [last, [length]];
    for (let column = 1; column <= columns; column += 1) {
      const at = (from: readonly number[], index: number) => from[index] ?? Number.POSITIVE_INFINITY;
      const isSame = query[column - 1] === word[length - 1];
      const isSwapped = query[column - 1] === word[length - 2] && query[column - 2] === word[length - 1];
      row[column] = Math.min(
        at(last, column - 1) + (isSame ? 0 : 1),
        at(row, column - 1) + 1,
        at(last, column) + 1,
        isSwapped ? at(beforeThat, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (isPrefix) least = Math.min(least, row[columns] ?? least);
  }
  return Math.min(least + 0.5, row[columns] ?? least);
}

/**
 * Describes the section of a page that contains most terms.
 *
 * @param found For each term of the query, the matching words of the index.
 */
function describeMatch(
  [path, title, location, description, sections]: IndexedText,
  found: readonly (readonly string[])[],
): SearchMatch {
  const terms = new Map(found.flatMap((words, term) => words.map((word) => [word, term] as const)));
  if (description !== "" && countTerms(markText(title, terms)) === found.length) {
    const snippet = cutSnippet(description, markText(description, terms));
    return { path, title, location, section: undefined, snippet };
  }
  const introduction = description || (sections[0]?.[2] ?? "");
  let best = { count: 0, id: "", heading: "", text: introduction, marks: [] as Mark[] };
  for (const [id, heading, text] of sections) {
    const [inHeading, marks] = [markText(heading, terms), markText(text, terms)];
    const count = countTerms([...inHeading, ...marks]) + countTerms(inHeading) / 2;
    if (count > best.count) best = { count, id, heading, text, marks };
  }
  const isInTitle = countTerms(markText(title, terms)) >= best.count;
  const section = best.id === "" || isInTitle ? undefined : { id: best.id, heading: best.heading };
  // A section may have only code.
  return { path, title, location, section, snippet: cutSnippet(best.text || introduction, best.marks) };
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

function countTerms(marks: readonly Mark[]): number {
  return new Set(marks.map(({ term }) => term)).size;
}

/** Finds the matches in a text. @param terms the number of the term by matching word */
function markText(text: string, terms: ReadonlyMap<string, number>): Mark[] {
  const marks: Mark[] = [];
  for (const piece of piecesOf(text)) {
    for (const word of new Set(indexedWords(piece.text))) {
      const term = terms.get(word);
      if (term === undefined) continue;
      // Without spaces between words, only the word is marked, wherever it occurs in the piece.
      const found = piece.isUnspaced ? word : piece.text;
      for (let at = piece.text.indexOf(found); at !== -1; at = piece.text.indexOf(found, at + found.length))
        marks.push({ start: piece.start + at, end: piece.start + at + found.length, term });
    }
  }
  return marks.sort((left, right) => left.start - right.start || right.end - left.end);
}

/** Length of an excerpt, and of its text before the first match, in characters. */
const lengths = { snippet: 180, before: 50 };

/** Cuts the excerpt with most terms, at word boundaries. */
function cutSnippet(text: string, marks: readonly Mark[]): TextPart[] {
  const after = lengths.snippet - lengths.before;
  const counts = marks.map(({ start }, first) =>
    countTerms(marks.slice(first, first + 20).filter(({ end }) => end <= start + after)),
  );
  const first = marks[counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))]?.start ?? 0;
  const start =
    first <= lengths.before
      ? 0
      : first - (/^\S*\s(.*)$/s.exec(text.slice(first - lengths.before, first))?.[1] ?? "").length;
  const rest = text.slice(start);
  const snippet =
    rest.length <= lengths.snippet ? rest : rest.slice(0, lengths.snippet).replace(/\s\S*$/, "");
  const parts: TextPart[] = [{ text: start > 0 ? "… " : "", isFound: false }];
  let position = start;
  for (const mark of marks) {
    if (mark.start < position || mark.end > start + snippet.length) continue;
    parts.push({ text: text.slice(position, mark.start), isFound: false });
    parts.push({ text: text.slice(mark.start, mark.end), isFound: true });
    position = mark.end;
  }
  parts.push({ text: text.slice(position, start + snippet.length), isFound: false });
  if (snippet.length < rest.length) parts.push({ text: " …", isFound: false });
  return parts.filter((part) => part.text !== "");
}
