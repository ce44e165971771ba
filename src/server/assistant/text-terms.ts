/** Terms as retrieval compares them: words without their endings, and without those that say nothing. */
import { indexedWords, stemOf, stopWords, wordsOf } from "../site/client/words.ts";

/** The terms that tell a question apart, in order. */
export function contentTerms(text: string): string[] {
  return toTerms(wordsOf(text));
}

/** The terms that a document is found by; also the pairs of characters that a question may be cut into differently. */
export function documentTerms(text: string): string[] {
  return toTerms(indexedWords(text));
}

/** Terms of the words met before: a text repeats its words, and taking off endings is most of the work. */
const knownTerms = new Map<string, string>();
const maxKnownTerms = 50_000;

function toTerms(words: readonly string[]): string[] {
  return words.map(toTerm).filter((term) => !stopWords.has(term));
}

function toTerm(word: string): string {
  const known = knownTerms.get(word);
  if (known !== undefined) return known;
  // Stop words are compared as they are written.
  const term = stopWords.has(word) ? word : stemOf(word);
  if (knownTerms.size >= maxKnownTerms) knownTerms.clear();
  knownTerms.set(word, term);
  return term;
}
