/** Words as search compares them: the same in a site's index, in its search box and in the assistant. */
import { stemmer } from "stemmer";

/** English words that say how a question is asked, not what it asks. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could d did do does doing don down during each few for from further had has have having he her here hers
  him his how i if in into is it its itself just let ll m may me mean means might more most must my myself no nor not now of off
  on once only or other our ours out over own please re s same shall she should so some such t than that the their
  theirs them then there these they this those through to too under until up ve very was we were what when where
  which while who whom why will with would you your yours`.split(/\s+/),
);

/** Letters that words consist of, either of scripts that put no space between words or of the others. */
const wordPieces =
  /(?<unspaced>(?:(?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}])[\p{L}\p{M}\p{N}])+)|(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}])[\p{L}\p{M}\p{N}_$])+/gu;
const hangul = /^\p{Script=Hangul}+$/u;

/** A stretch of letters in a text; `start` is its position there. */
export interface WordPiece {
  readonly text: string;
  readonly start: number;
  /** Whether its words stand without spaces between them. */
  readonly isUnspaced: boolean;
}

/** The stretches of letters in a text. */
export function* piecesOf(text: string): Generator<WordPiece, undefined> {
  for (const { 0: found, index, groups } of text.matchAll(wordPieces))
    yield { text: found, start: index, isUnspaced: groups?.["unspaced"] !== undefined };
}

/**
 * The words of a text, in order: lower case, without accents; `camelCase` and `snake_case` count as a whole and by their parts.
 * Chinese, Japanese, Thai and the like are cut into words by their dictionaries, where the system has them.
 */
export function wordsOf(text: string): string[] {
  return [...piecesOf(text.normalize("NFKC"))].flatMap(wordsOfPiece);
}

/**
 * The words that a document is found by: beside its own, every two neighbouring characters of scripts that systems cut into
 * words differently, depending on their dictionaries and on what stands around.
 */
export function indexedWords(text: string): string[] {
  return [...piecesOf(text.normalize("NFKC"))].flatMap((piece) => {
    const words = wordsOfPiece(piece);
    const pairs = pairsOf(piece.text);
    if (pairs.length === 0) return words;
    const known = new Set(words);
    return [...words, ...pairs.filter((pair) => !known.has(pair))];
  });
}

/** Every two neighbouring characters of a word in a script without spaces, or in Korean, where endings are written on. */
export function pairsOf(word: string): string[] {
  if (!/[\u0e00-\uffff]/.test(word)) return [];
  const isCut = [...piecesOf(word)].some(({ isUnspaced }) => isUnspaced) || hangul.test(word);
  if (!isCut) return [];
  const characters = [...word];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** The words of a stretch of letters. */
export function wordsOfPiece({ text, isUnspaced }: WordPiece): string[] {
  if (isUnspaced) return cutIntoWords(text);
  const parts = /[_$]|\p{Lu}./u.test(text)
    ? text.split(/[_$]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter((part) => part !== "")
    : [text];
  const words = parts.map(toPlainWord);
  return parts.length > 1 ? [toPlainWord(text.replace(/[_$]/g, "")), ...words] : words;
}

let segmenter: Intl.Segmenter | undefined;

function cutIntoWords(text: string): string[] {
  // Some browsers have none: then pairs of characters are what is compared.
  if (!("Segmenter" in Intl)) return [text];
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  const words: string[] = [];
  let isLastSingle = false;
  for (const { segment } of segmenter.segment(text)) {
    // Single characters in a row are a word that the dictionary does not have.
    const isSingle = /^\p{Script=Han}$/u.test(segment);
    if (isSingle && isLastSingle) words.push(words.pop() + segment);
    else words.push(segment);
    isLastSingle = isSingle;
  }
  return words;
}

/** Accents of Latin, Greek and Cyrillic letters, vowel signs of Hebrew and Arabic ones; elsewhere marks are letters. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

function toPlainWord(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word;
  return word.normalize("NFKD").replace(accents, "").toLowerCase().normalize("NFC");
}

/** Particles of Korean nouns, and endings of its most common verb. */
const particles =
  /(?<=\p{L})(?:으로|에서|에게|까지|부터|이나|하는|하기|하여|하면|합니다|입니다|을|를|이|가|은|는|의|에|로|와|과|도)$/u;

/** A word without its ending, as far as English and Korean are concerned. */
export function stemOf(word: string): string {
  if (/^[a-z]{3,}$/.test(word)) return stemmer(word);
  return hangul.test(word) ? word.replace(particles, "") : word;
}
