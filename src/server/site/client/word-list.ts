/** The list of an index's words, in which words similar to a misspelt one are found. */
import { readNumber, separators, writeNumber } from "./index-format.ts";

/** Encodes the list. @param words Sorted by code units, with the number of pages that contain each. */
export function writeWordList(words: readonly (readonly [word: string, pageCount: number])[]): string {
  let last = "";
  const entries = words.map(([word, pageCount]) => {
    const shared = commonPrefix(word, last).length;
    last = word;
    return writeNumber(shared) + writeNumber(Math.round(4 * Math.log2(pageCount))) + word.slice(shared);
  });
  return entries.join(separators.words);
}

export function commonPrefix(word: string, other: string): string {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length += 1;
  return word.slice(0, length);
}

export interface SimilarWord {
  readonly word: string;
  readonly typos: number;
  /** Grows with the number of pages that contain the word. */
  readonly frequency: number;
}

/**
 * Finds the words of the list whose Damerau–Levenshtein distance to `query` (wrong, missing, extra or swapped letters) is at
 * most `maxTypos`.
 *
 * @param isPrefix Whether `query` may be the start of a word.
 */
export function findSimilarWords(
  list: string,
  query: string,
  maxTypos: number,
  isPrefix: boolean,
): SimilarWord[] {
  const similar: SimilarWord[] = [];
  // The distance matrix: a row for each prefix of the word, a column for each prefix of the query. Words share the rows of
  // their common prefix.
  const rows = [Uint8Array.from({ length: query.length + 1 }, (_, column) => column)];
  let word = "";
  // Words that share this many letters with the previous word have too many typos, too.
  let rejectedLength = Number.POSITIVE_INFINITY;
  for (const entry of list.split(separators.words)) {
    const shared = readNumber(entry, 0);
    if (shared >= rejectedLength) continue;
    word = word.slice(0, shared) + entry.slice(2);
    rejectedLength = Number.POSITIVE_INFINITY;
    for (let length = shared + 1; length <= word.length; length += 1) {
      if (fillRow(rows, length, query, word, isPrefix) <= maxTypos) continue;
      rejectedLength = length;
      break;
    }
    const typos = rows[word.length]?.[query.length] ?? 0;
    if (rejectedLength > word.length && typos <= maxTypos)
      similar.push({ word, typos, frequency: readNumber(entry, 1) });
  }
  return similar;
}

/** Fills the row of the word's first `length` letters. @returns Its least distance, a lower bound for all longer prefixes. */
function fillRow(rows: Uint8Array[], length: number, query: string, word: string, isPrefix: boolean): number {
  rows[length] ??= new Uint8Array(query.length + 1);
  const [row, above, beforeThat] = [rows[length], rows[length - 1], rows[length - 2]] as [
    Uint8Array,
    Uint8Array,
    Uint8Array | undefined,
  ];
  const letter = word[length - 1];
  let least = length;
  row[0] = length;
  for (let column = 1; column <= query.length; column += 1) {
    const read = (from: Uint8Array, index: number) => from[index] ?? 0;
    const isSame = query[column - 1] === letter;
    let typos = Math.min(
      read(above, column - 1) + (isSame ? 0 : 1),
      read(row, column - 1) + 1,
      // Letters after a prefix are no typos.
      read(above, column) + (isPrefix && column === query.length ? 0 : 1),
    );
    const isSwapped = query[column - 1] === word[length - 2] && query[column - 2] === letter;
    if (beforeThat && isSwapped) typos = Math.min(typos, read(beforeThat, column - 2) + 1);
    row[column] = typos;
    least = Math.min(least, typos);
  }
  return least;
}
