/** Corrects typing errors in questions with the vocabulary of the documentation. */
import { findSimilarWords, writeWordList } from "../site/client/word-list.ts";
import { stopWords, wordsOf } from "../site/client/words.ts";
import { synonymsOf, toTerm } from "./text-terms.ts";

/** Lengths of words that are corrected. Shorter words match too many others; longer ones are rarely words. */
const correctedLengths = { min: 5, max: 30 };
/** Minimum length of a word with two typing errors. */
const minLengthForTwoTypos = 8;
/** Maximum number of corrections per question. Each compares with the whole vocabulary and blocks other requests. */
const maxCorrections = 10;

/** The vocabulary of the documentation. */
export class Spelling {
  readonly #counts = new Map<string, number>();
  #terms: ReadonlySet<string> | undefined;
  #list: string | undefined;

  /** Adds the words of a document. */
  learn(words: readonly string[]): void {
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** Replaces each unknown word of a question by the most similar known word, if there is one. */
  correct(question: string): string {
    let tries = 0;
    return question.replace(/[\p{L}\p{M}\p{N}_$]+/gu, (written) => {
      const [word = "", ...parts] = wordsOf(written);
      if (parts.length > 0 || this.#isKnown(word) || tries >= maxCorrections) return written;
      tries += 1;
      return stopWordsByLetters.get(lettersOf(word)) ?? this.#nearest(word) ?? written;
    });
  }

  #isKnown(word: string): boolean {
    this.#terms ??= new Set([...this.#counts.keys()].map(toTerm));
    return stopWords.has(word) || this.#terms.has(toTerm(word)) || synonymsOf(toTerm(word)).length > 0;
  }

  #nearest(word: string): string | undefined {
    if (word.length < correctedLengths.min || word.length > correctedLengths.max) return undefined;
    this.#list ??= writeWordList([...this.#counts].filter(([known]) => isCandidate(known)).sort(byWord));
    const maxTypos = word.length < minLengthForTwoTypos ? 1 : 2;
    const similar = findSimilarWords(this.#list, word, maxTypos, false)
      // The first letter is rarely wrong.
      .filter(
        (other) => other.word[0] === word[0] || (other.typos === 1 && word.length > minLengthForTwoTypos),
      )
      .sort((left, right) => left.typos - right.typos || right.frequency - left.frequency);
    return similar[0]?.word;
  }
}

/** Stop words are too short to be guessed, but swapped letters are recognized. */
const stopWordsByLetters = new Map([...stopWords].map((word) => [lettersOf(word), word]));

function lettersOf(word: string): string {
  return [...word].sort().join("");
}

function isCandidate(word: string): boolean {
  return word.length >= correctedLengths.min - 1 && word < "\u0e00" && /^\p{L}+$/u.test(word);
}

function byWord([left]: readonly [string, number], [right]: readonly [string, number]): number {
  return left < right ? -1 : Number(left > right);
}
