/** Typing errors in questions: a word that no document holds is taken for the nearest one that documents hold. */
import { findSimilarWords, writeWordList } from "../site/client/word-list.ts";
import { stopWords, wordsOf } from "../site/client/words.ts";
import { synonymsOf, toTerm } from "./text-terms.ts";

/** Shorter words are not guessed at, and few longer ones are words of a language. */
const lengthsForTypos = { least: 5, most: 30 };
/** From this length on a word may have two typing errors. */
const fewestForTwoTypos = 8;
/** So many words of a question are looked for: each is compared with all words of the documents, and other requests wait. */
const maxCorrections = 10;

/** The words that documents are written in: the nearest of them stands for one that no document holds. */
export class Spelling {
  readonly #counts = new Map<string, number>();
  #terms: ReadonlySet<string> | undefined;
  #list: string | undefined;

  /** Counts words of documents. */
  learn(words: readonly string[]): void {
    for (const word of words) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** A question with each word that no document holds as the nearest one that documents hold, if any is near. */
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
    if (word.length < lengthsForTypos.least || word.length > lengthsForTypos.most) return undefined;
    this.#list ??= writeWordList([...this.#counts].filter(([known]) => isSpelt(known)).sort(byWord));
    const maxTypos = word.length < fewestForTwoTypos ? 1 : 2;
    const similar = findSimilarWords(this.#list, word, maxTypos, false)
      // The first letter is rarely the wrong one.
      .filter(
        ({ written, typos }) => written[0] === word[0] || (typos === 1 && word.length > fewestForTwoTypos),
      )
      .sort((left, right) => left.typos - right.typos || right.frequency - left.frequency);
    return similar[0]?.written;
  }
}

/** Short words have their letters swapped, if anything. */
const stopWordsByLetters = new Map([...stopWords].map((word) => [lettersOf(word), word]));

function lettersOf(word: string): string {
  return [...word].sort().join("");
}

function isSpelt(word: string): boolean {
  return word.length >= lengthsForTypos.least - 1 && word < "\u0e00" && /^\p{L}+$/u.test(word);
}

function byWord([left]: readonly [string, number], [right]: readonly [string, number]): number {
  return left < right ? -1 : Number(left > right);
}
