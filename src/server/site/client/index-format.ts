/**
 * The search index of a site. It consists of scripts that are loaded when a search needs them: for each language and version
 * one that says what there is (`0`), the words with the pages that hold them, in alphabetical order (`0-w3`), the pages'
 * texts (`0-p5`), and the list of the words alone, for typing errors (`0-l`).
 */

import { stemOf } from "./words.ts";

/** What there is of one language and version. */
export interface IndexSummary {
  readonly pageCount: number;
  /** The first word of each script of words. */
  readonly words: readonly string[];
  /** The first page of each script of pages. */
  readonly pages: readonly number[];
  /** How early in the navigation each page stands: a digit of `digits` each. */
  readonly ranks: string;
  /** The key of each page's title, as `titleKey` makes it. */
  readonly titles: string;
}

/** A page as it is shown. */
export type IndexedText = readonly [
  path: string,
  title: string,
  /** Titles above the page in the navigation, such as `Guides / Deploy`. */
  location: string,
  description: string,
  sections: readonly IndexedSection[],
];

/** Identifier and text of a heading, both empty for what stands before the first, and the text below it. */
export type IndexedSection = readonly [id: string, heading: string, text: string];

/** Between a word and its postings, and between words. */
export const separators = { postings: ":", words: "," } as const;

const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
const values = new Uint8Array(128);
for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;

/** A whole number as a digit; more than 63 becomes 63. */
export function writeNumber(value: number): string {
  return digits.charAt(Math.min(63, value));
}

/** The whole number that a digit stands for. */
export function readNumber(written: string, position: number): number {
  return values[written.charCodeAt(position)] ?? 0;
}

export const titleKeyLength = 2;

/** Tells titles apart by their words, in any order: two with the same key are hardly ever different. */
export function titleKey(words: readonly string[]): string {
  let sum = 0;
  // Parts of a name such as `camelCase` are written in lower case as well, or not at all.
  const whole = words.filter((word) => !words.some((other) => other !== word && other.includes(word)));
  for (const stem of new Set(whole.map(stemOf))) {
    let hash = 7;
    for (const character of stem) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 4093;
    sum += hash;
  }
  return writeNumber((sum >> 6) % 64) + writeNumber(sum % 64);
}

/** A number from 0 to 1 as a digit. */
export function writeDigit(share: number): string {
  return writeNumber(Math.round(Math.max(0, share) * 63));
}

/** The number from 0 to 1 that a digit stands for. */
export function readDigit(written: string, position: number): number {
  return readNumber(written, position) / 63;
}

/** A page that holds a word, as written behind the one before: the distance in groups of five bits, then the weight's digit. */
export function writePosting(distance: number, weight: string): string {
  let written = "";
  let left = distance - 1;
  for (; left > 31; left = Math.floor(left / 32)) written += digits.charAt(32 + (left % 32));
  return written + digits.charAt(left) + weight;
}

/** The pages that hold a word, with its weight in each. */
export function readPostings(postings: string): (readonly [page: number, weight: number])[] {
  const found: [number, number][] = [];
  let page = -1;
  for (let at = 0; at < postings.length; at += 1) {
    let unit = 1;
    let value = readNumber(postings, at);
    for (page += 1; value > 31; unit *= 32) {
      page += (value - 32) * unit;
      at += 1;
      value = readNumber(postings, at);
    }
    page += value * unit;
    at += 1;
    found.push([page, readDigit(postings, at)]);
  }
  return found;
}
