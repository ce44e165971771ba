/** The words of an index in one list, in which those are found that a word with typing errors may be meant for. */
import { readNumber, separators, writeNumber } from "./index-format.ts";

/** Writes the list. @param words In the order of their characters, with the number of pages that hold each. */
export function writeWordList(words: readonly (readonly [word: string, pageCount: number])[]): string {
  let last = "";
  const entries = words.map(([word, pageCount]) => {
    const shared = sharedStart(word, last).length;
    last = word;
    return writeNumber(shared) + writeNumber(Math.round(4 * Math.log2(pageCount))) + word.slice(shared);
  });
  return entries.join(separators.words);
}

/** What two words begin with. */
export function sharedStart(word: string, other: string): string {
  let length = 0;
  while (length < word.length && word[length] === other[length]) length += 1;
  return word.slice(0, length);
}

export interface SimilarWord {
  readonly written: string;
  readonly typos: number;
  /** Grows with the number of pages that hold the word. */
  readonly frequency: number;
}

/**
 * Words of the list that become this one by so many letters that are wrong, missing, too many or swapped.
 *
 * @param isStart Whether the word is compared with the beginnings of those of the list.
 */
export function findSimilarWords(
  list: string,
  word: string,
  maxTypos: number,
  isStart: boolean,
): SimilarWord[] {
  const similar: SimilarWord[] = [];
  // A row for each beginning of the list's word: its distance to each beginning of the word. Neighbours share rows.
  const rows = [Uint8Array.from({ length: word.length + 1 }, (_, column) => column)];
  let written = "";
  let hopeless = Number.POSITIVE_INFINITY;
  for (const entry of list.split(separators.words)) {
    const shared = readNumber(entry, 0);
    if (shared >= hopeless) continue;
    written = written.slice(0, shared) + entry.slice(2);
    hopeless = Number.POSITIVE_INFINITY;
    for (let length = shared + 1; length <= written.length; length += 1) {
      if (fillRow(rows, length, word, written, isStart) <= maxTypos) continue;
      hopeless = length;
      break;
    }
    const typos = rows[written.length]?.[word.length] ?? 0;
    if (hopeless > written.length && typos <= maxTypos)
      similar.push({ written, typos, frequency: readNumber(entry, 1) });
  }
  return similar;
}

/** Fills the row of the first `length` letters; returns the least of its distances, below which no longer word comes. */
function fillRow(
  rows: Uint8Array[],
  length: number,
  word: string,
  written: string,
  isStart: boolean,
): number {
  rows[length] ??= new Uint8Array(word.length + 1);
  const [row, above, beforeThat] = [rows[length], rows[length - 1], rows[length - 2]] as [
    Uint8Array,
    Uint8Array,
    Uint8Array | undefined,
  ];
  const letter = written[length - 1];
  let least = length;
  row[0] = length;
  for (let column = 1; column <= word.length; column += 1) {
    const read = (from: Uint8Array, at: number) => from[at] ?? 0;
    const isSame = word[column - 1] === letter;
    let typos = Math.min(
      read(above, column - 1) + (isSame ? 0 : 1),
      read(row, column - 1) + 1,
      // What stands behind a beginning is no error.
      read(above, column) + (isStart && column === word.length ? 0 : 1),
    );
    const isSwapped = word[column - 1] === written[length - 2] && word[column - 2] === letter;
    if (beforeThat && isSwapped) typos = Math.min(typos, read(beforeThat, column - 2) + 1);
    row[column] = typos;
    least = Math.min(least, typos);
  }
  return least;
}
