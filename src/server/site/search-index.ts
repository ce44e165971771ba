/** Writes the index that the search box loads: one for each language and version, in scripts of bounded size. */
import {
  type IndexedSection,
  type IndexedText,
  type IndexSummary,
  separators,
  titleKey,
  writeFraction,
  writePosting,
} from "./client/index-format.ts";
import { writeWordList } from "./client/word-list.ts";
import { indexedWords, pairsOf, stopWords, wordsOf } from "./client/words.ts";
import type { PageSource } from "./render-page.ts";
import { assetsFolder } from "./routes.ts";

/** A language and version of the site, which has an index of its own. */
export interface SearchPart {
  readonly language: string | undefined;
  readonly version: string | undefined;
  /** Whether it is for readers who have not chosen a version. */
  readonly isDefault: boolean;
}

/** A page as the index takes it; made where the page is rendered. */
export interface IndexedPage {
  readonly text: IndexedText;
  /** Each word of the page, followed by the digit of its weight. */
  readonly words: string;
}

const maxWordLength = 40;

/** Counts the words of a page. A word in the title or in a heading weighs more, one in a long text less. */
export function indexPage(text: IndexedText, endpoint = ""): IndexedPage {
  const [path, title, location, description, sections] = text;
  const weights = new Map<string, number>();
  // The usual lengths stand in for the site's averages, so that a page's words do not depend on other pages.
  const add = (field: string, weight: number, usualLength: number, isProse = false) => {
    const words = indexedWords(field);
    const share = weight / Math.min(4, 0.5 + (0.5 * words.length) / usualLength);
    for (const word of words) {
      if (word.length > maxWordLength || (isProse && stopWords.has(word))) continue;
      weights.set(word, (weights.get(word) ?? 0) + share);
    }
  };
  add(`${title} ${endpoint}`, 12, 4);
  add(sections.map(([, heading]) => heading).join("\n"), 5, 20);
  add(description, 2, 20, true);
  add(sections.map(([, , prose]) => prose).join("\n"), 1, 400, true);
  const words = [...weights].map(
    ([word, weight]) => word + writeFraction(Math.max(0.02, weight / (weight + 5))),
  );
  return {
    text: [path, title, location, description, cutSections(sections)],
    words: words.join(separators.words),
  };
}

/** So much of a page's text is there to be shown in results; all of it is searched. */
const maxShown = 40_000;

function cutSections(sections: readonly IndexedSection[]): IndexedSection[] {
  let left = maxShown;
  return sections.flatMap(([id, heading, prose]): IndexedSection[] => {
    if (left <= 0) return [];
    const shown = prose.slice(0, left);
    left -= heading.length + shown.length;
    return [[id, heading, shown]];
  });
}

/** A script is as long as a disk or a network gives at once; longer ones load what is not needed. */
const charactersOfWords = 60_000;
const bytesOfTexts = 30_000;

/** Writes the index of a language and version. Texts are written as they come; words are collected as numbers. */
export class SearchIndexWriter {
  readonly #part: number;
  readonly #write: (path: string, content: string) => Promise<void>;
  /** The pages that hold each word, as numbers that hold the weight too: there are millions. */
  readonly #postings = new Map<string, number[]>();
  #texts: string[] = [];
  #textBytes = 0;
  readonly #firstPages: number[] = [];
  #ranks = "";
  #titles = "";

  constructor(part: number, write: (path: string, content: string) => Promise<void>) {
    this.#part = part;
    this.#write = write;
  }

  /** @param rank How early in the navigation the page stands: 0 for its beginning, 1 for its end. */
  async add({ text, words }: IndexedPage, rank: number): Promise<void> {
    const page = this.#ranks.length;
    this.#ranks += writeFraction(rank);
    const named = wordsOf(text[1]);
    const telling = named.filter((word) => !stopWords.has(word));
    this.#titles += titleKey(telling.length > 0 ? telling : named);
    for (const entry of words === "" ? [] : words.split(separators.words)) {
      const posting = page * 128 + entry.charCodeAt(entry.length - 1);
      const word = entry.slice(0, -1);
      const known = this.#postings.get(word);
      if (known === undefined) this.#postings.set(word, [posting]);
      else known.push(posting);
    }
    const written = JSON.stringify(text);
    if (this.#texts.push(written) === 1) this.#firstPages.push(page);
    this.#textBytes += Buffer.byteLength(written);
    if (this.#textBytes >= bytesOfTexts) await this.#putTexts();
  }

  async #putTexts(): Promise<void> {
    await this.#put(`-p${this.#firstPages.length - 1}`, `[${this.#texts}]`);
    [this.#texts, this.#textBytes] = [[], 0];
  }

  /** Writes what is left. */
  async end(): Promise<void> {
    if (this.#texts.length > 0) await this.#putTexts();
    const firstWords: string[] = [];
    let entries: string[] = [];
    let length = 0;
    const put = async () => {
      await this.#put(`-w${firstWords.length - 1}`, entries.join(separators.words));
      [entries, length] = [[], 0];
    };
    const words = [...this.#postings].sort(([left], [right]) => (left < right ? -1 : 1));
    for (const [word, postings] of words) {
      const entry = word + separators.postings + printPostings(postings);
      if (entries.push(entry) === 1) firstWords.push(word);
      length += entry.length;
      if (length >= charactersOfWords) await put();
    }
    if (entries.length > 0) await put();
    await this.#put("-l", listWords(words.map(([word, { length }]) => [word, length])));
    const pageCount = this.#ranks.length;
    const summary: IndexSummary = {
      pageCount,
      words: firstWords,
      pages: this.#firstPages,
      ranks: this.#ranks,
      titles: this.#titles,
    };
    await this.#put("", JSON.stringify(summary));
  }

  /** Scripts, since pages opened from disk cannot fetch; browsers parse a string several times faster than the same data. */
  #put(suffix: string, content: string): Promise<void> {
    const name = `${this.#part}${suffix}`;
    const script = `docsSearchLoaded(${JSON.stringify(name)},${JSON.stringify(content)});\n`;
    return this.#write(`${assetsFolder}/search/${name}.js`, script);
  }
}

/** The list for typing errors is loaded whole: of a very large site it leaves out what few pages hold. */
const maxWordList = 600_000;

function listWords(words: readonly (readonly [word: string, pageCount: number])[]): string {
  const telling = words.filter(
    ([word]) => word.length > 2 && /\p{L}/u.test(word) && pairsOf(word).length === 0,
  );
  for (let fewest = 1; ; fewest *= 2) {
    const list = writeWordList(telling.filter(([, pageCount]) => pageCount >= fewest));
    if (list.length <= maxWordList) return list;
  }
}

function printPostings(postings: readonly number[]): string {
  let last = -1;
  let written = "";
  for (const posting of postings) {
    const page = posting >> 7;
    written += writePosting(page - last, String.fromCharCode(posting & 127));
    last = page;
  }
  return written;
}

/**
 * Gives every language and version an index.
 *
 * @param pages In the order of the navigation.
 * @returns with the place of each page, by its source: its index, and how early in the navigation it is, from 0 to 1.
 */
export function planSearch(pages: readonly PageSource[]) {
  const groups = [...Map.groupBy(pages, ({ lang, version }) => `${lang} ${version}`).values()];
  const places = groups.flatMap((group, part) =>
    group.map(({ route }, position) => [route.source, { part, rank: position / group.length }] as const),
  );
  const parts = groups.map(([first]): SearchPart => {
    const { lang: language, version, isDefaultVersion } = first as PageSource;
    return { language, version, isDefault: version === undefined || isDefaultVersion };
  });
  return { parts, places: new Map(places) };
}

/** Other indexes are searched up to this number, when those of a reader's language and version have nothing. */
const maxOthers = 6;

/** The indexes for a reader of a page: those of its language and version, with what is common to all; then the others. */
export function chooseIndexes(
  parts: readonly SearchPart[],
  { lang, version }: Pick<PageSource, "lang" | "version">,
) {
  const language = lang ?? parts[0]?.language;
  const select = (isMeant: (part: SearchPart) => boolean) =>
    [...parts.entries()].flatMap(([number, part]) => {
      return (part.language === undefined || part.language === language) && isMeant(part) ? [number] : [];
    });
  // A page without a version is read by those who have not chosen one.
  const own = select((part) => part.version === undefined || part.version === version);
  const searched = version === undefined || own.length === 0 ? select(({ isDefault }) => isDefault) : own;
  const others = [...parts.keys()].filter((number) => !searched.includes(number));
  return { searched, others: others.slice(0, maxOthers) };
}
