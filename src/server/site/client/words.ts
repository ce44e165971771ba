/** Splits texts into words and normalizes them, for the search index, the search dialog and the assistant. */
import { stemmer } from "stemmer";

/** English function words, which do not tell pages apart. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could d did do does doing don down during each few for from further had has have having he her here hers
  him his how i if in into is it its itself just let ll m may me mean means might more most must my myself no nor not now of off
  on once only or other our ours out over own please re s same shall she should so some such t than that the their
  theirs them then there these they this those through to too under until up ve very was we were what when where
  which while who whom why will with would you your yours`.split(/\s+/),
);

/** Consecutive letters of scripts without spaces between words, or of other scripts. */
const wordPieces =
  /(?<unspaced>(?:(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}])[\p{L}\p{M}\p{N}])+)|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}])[\p{L}\p{M}\p{N}_$]|(?<=\p{N})\.(?=\p{N}))+/gu;
const hangul = /^\p{Script=Hangul}+$/u;

/** Consecutive letters in a text. */
export interface WordPiece {
  readonly text: string;
  readonly start: number;
  /** Whether the script has no spaces between words, so that a piece may contain several words. */
  readonly isUnspaced: boolean;
}

/** Splits a text at everything that is not a letter. */
export function* piecesOf(text: string): Generator<WordPiece, undefined> {
  for (const { 0: found, index, groups } of text.matchAll(wordPieces))
    yield { text: found, start: index, isUnspaced: groups?.["unspaced"] !== undefined };
}

/**
 * The words of a text, in lower case and without accents. `camelCase`, `snake_case` and `v2.3` give the whole name and its parts.
 * Scripts without spaces, such as Chinese, Japanese and Thai, are segmented by the system's dictionaries, if available.
 */
export function wordsOf(text: string): string[] {
  return [...piecesOf(text.normalize("NFKC"))].flatMap(wordsOfPiece);
}

/**
 * The words that are indexed for a text: its words, and all pairs of adjacent characters in scripts without spaces. The pairs
 * match a query even if its words are segmented differently, as another system's dictionary or another context may do.
 */
export function indexedWords(text: string): string[] {
  return [...piecesOf(text.normalize("NFKC"))].flatMap((piece) => {
    const words = wordsOfPiece(piece);
    const pairs = pairsOf(piece.text);
    if (pairs.length === 0) return words;
    const existing = new Set(words);
    return [...words, ...pairs.filter((pair) => !existing.has(pair))];
  });
}

/** All pairs of adjacent characters of a word in a script without spaces, or in Korean, where endings are attached to words. */
export function pairsOf(word: string): string[] {
  if (!/[\u0e00-\uffff]/.test(word)) return [];
  const isPaired = [...piecesOf(word)].some(({ isUnspaced }) => isUnspaced) || hangul.test(word);
  if (!isPaired) return [];
  const characters = [...word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function wordsOfPiece({ text, isUnspaced }: WordPiece): string[] {
  if (isUnspaced) return segment(text);
  const parts = /[_$.]|\p{Lu}./u.test(text)
    ? text.split(/[_$.]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter((part) => part !== "")
    : [text];
  const words = parts.map(toPlainWord);
  return parts.length > 1 ? [toPlainWord(text.replace(/[_$]/g, "")), ...words] : words;
}

let segmenter: Intl.Segmenter | undefined;

function segment(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const words: string[] = [];
  let isLastSingle = false;
  for (const { segment: word } of segmenter.segment(text)) {
    // Consecutive single characters are a word that is not in the dictionary.
    const isSingle = /^\p{Script=Han}$/u.test(word);
    if (isSingle && isLastSingle) words.push(words.pop() + word);
    else words.push(word);
    isLastSingle = isSingle;
  }
  return words;
}

/** Accents of Latin, Greek and Cyrillic, and vowel signs of Hebrew and Arabic. In other scripts, marks belong to the letter. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

function toPlainWord(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word;
  return word.normalize("NFKD").replace(accents, "").toLowerCase().normalize("NFC");
}

/** Korean noun particles, and endings of the most common verbs. */
const particles =
  /(?<=\p{L})(?:으로|에서|에게|까지|부터|이나|하는|하기|하여|하면|합니다|입니다|을|를|이|가|은|는|의|에|로|와|과|도)$/u;

/** The stem of an English or Korean word; other words stay the same. */
export function stemOf(word: string): string {
  if (/^[a-z]{3,}$/.test(word)) return stemmer(word);
  return hangul.test(word) ? word.replace(particles, "") : word;
}
