/**
 * The format of a site's search index. Each language and version has an index, which consists of scripts that are loaded when
 * a search needs them: a summary (`0`), the sorted words with the pages that contain them (`0-w3`), the pages' texts
 * (`0-p5`), and a list of all words to find typing errors (`0-l`).
 */

/** The summary of the index of one language and version. */
export interface IndexSummary {
  readonly pageCount: number;
  /** The first word of each script of words. */
  readonly words: readonly string[];
  /** The first page of each script of pages. */
  readonly pages: readonly number[];
  /** Each page's position in the navigation, from first to last, as `writeFraction` encodes it. */
  readonly ranks: string;
}

/** The text of a page. */
export type IndexedText = readonly [
  path: string,
  title: string,
  /** Titles above the page in the navigation, such as `Guides / Deploy`. */
  location: string,
  description: string,
  sections: readonly IndexedSection[],
];

/** Id and text of a heading, and the text below it. Both are empty for the text before the first heading. */
export type IndexedSection = readonly [id: string, heading: string, text: string];

/** Between a word and its postings, and between words. */
export const separators = { postings: ":", words: "," } as const;

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const values = new Uint8Array(128);
for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;

function valueAt(text: string, position: number): number {
  return values[text.charCodeAt(position)] ?? 0;
}

/** Encodes a number from 0 to 1 as one character. */
export function writeFraction(fraction: number): string {
  return digits.charAt(Math.round(Math.min(1, Math.max(0, fraction)) * 63));
}

/** Decodes the number from 0 to 1 at a position. */
export function readFraction(text: string, position: number): number {
  return valueAt(text, position) / 63;
}

/** Encodes a page that contains a word: its distance from the previous page in groups of five bits, then the word's weight. */
export function writePosting(distance: number, weight: string): string {
  let encoded = "";
  let rest = distance - 1;
  for (; rest > 31; rest = Math.floor(rest / 32)) encoded += digits.charAt(32 + (rest % 32));
  return encoded + digits.charAt(rest) + weight;
}

/** Decodes the pages that contain a word, with the word's weight in each. */
export function readPostings(postings: string): (readonly [page: number, weight: number])[] {
  const entries: [number, number][] = [];
  let page = -1;
  for (let index = 0; index < postings.length; index += 1) {
    let factor = 1;
    let value = valueAt(postings, index);
    for (page += 1; value > 31; factor *= 32) {
      page += (value - 32) * factor;
      index += 1;
      value = valueAt(postings, index);
    }
    page += value * factor;
    index += 1;
    entries.push([page, readFraction(postings, index)]);
  }
  return entries;
}
