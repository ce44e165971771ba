/** Writes the search index of the site: one per language and version, in scripts of limited size. */
import {
  type IndexedSection,
  type IndexedText,
  type IndexSummary,
  separators,
  writeFraction,
  writePosting,
} from "./client/index-format.ts";
import { indexedWords, pairsOf, stopWords } from "./client/words.ts";
import type { PageSource } from "./render-page.ts";
import { assetsFolder } from "./routes.ts";

/** A language and version with an index of its own. */
export interface SearchPart {
  readonly language: string | undefined;
  readonly version: string | undefined;
  /** Whether it belongs to the default version. */
  readonly isDefault: boolean;
}

/** The index entry of a page. It is created in the rendering thread. */
export interface IndexedPage {
  readonly text: IndexedText;
  /** The words of the page, each followed by its weight as a digit. */
  readonly words: string;
}

const maxWordLength = 40;

/** Words in code that are worth an entry: no numbers, hashes and single letters. */
const codeWord = /\p{L}{3}/u;

/**
 * Weighs the words of a page and of what the search finds it by but does not show. Words in title and headings weigh more, words in a
 * long text less. Words that are only in code weigh nothing, so that they rank a page below all that have the word in their text.
 */
export function indexPage(
  text: IndexedText,
  { endpoint = "", keywords = "", code = "" }: Partial<Record<"endpoint" | "keywords" | "code", string>> = {},
): IndexedPage {
  const [path, title, location, description, sections] = text;
  const weights = new Map<string, number>();
  // Fixed typical lengths instead of the site's averages, so that the entry does not depend on other pages.
  const add = (field: string, weight: number, typicalLength: number, isProse = false) => {
    const words = indexedWords(field);
    const share = weight / Math.min(4, 0.5 + (0.5 * words.length) / typicalLength);
    for (const word of words) {
      if (word.length > maxWordLength || (isProse && stopWords.has(word))) continue;
      weights.set(word, (weights.get(word) ?? 0) + share);
    }
  };
  add(`${title} ${endpoint}`, 12, 4);
  add(sections.map(([, heading]) => heading).join("\n"), 5, 20);
  // The file's name may join words that the title has apart, such as `vscode`.
  const name = path.replace(/(?:\/?index)?\.html$/, "").replace(/^.*\//, "");
  add(`${description}\n${keywords}\n${name}`, 2, 20, true);
  add(sections.map(([, , prose]) => prose).join("\n"), 1, 400, true);
  const words = [...weights].map(
    ([word, weight]) => word + writeFraction(Math.max(0.02, weight / (weight + 5))),
  );
  for (const word of new Set(indexedWords(code)))
    if (codeWord.test(word) && word.length <= maxWordLength && !stopWords.has(word) && !weights.has(word))
      words.push(word + writeFraction(0));
  return {
    text: [path, title, location, description, cutSections(sections)],
    words: words.join(separators.words),
  };
}

/** Maximum length of a page's text for excerpts in results. The index covers the whole text. */
const maxExcerptSource = 40_000;

function cutSections(sections: readonly IndexedSection[]): IndexedSection[] {
  let left = maxExcerptSource;
  return sections.flatMap(([id, heading, prose]): IndexedSection[] => {
    if (left <= 0) return [];
    const shown = prose.slice(0, left);
    left -= heading.length + shown.length;
    return [[id, heading, shown]];
  });
}

/** Approximate sizes of the scripts. Larger ones would load more than needed. */
const charactersOfWords = 60_000;
const bytesOfTexts = 30_000;

/** A file of the index, as path and content. */
type IndexFile = readonly [path: string, content: string];

/** Builds the index of one language and version. Texts are printed while pages are added, words at the end. */
export class SearchIndex {
  readonly #part: number;
  /** The pages with each word. Page and weight are packed into one number, as there may be millions. */
  readonly #postings = new Map<string, number[]>();
  #texts: string[] = [];
  #textBytes = 0;
  readonly #firstPages: number[] = [];
  #ranks = "";

  constructor(part: number) {
    this.#part = part;
  }

  /** Adds a page. @param rank relative position in the navigation, from 0 (first) to 1 (last) */
  *add({ text, words }: IndexedPage, rank: number): Generator<IndexFile> {
    const page = this.#ranks.length;
    this.#ranks += writeFraction(rank);
    for (const entry of words === "" ? [] : words.split(separators.words)) {
      const posting = page * 128 + entry.charCodeAt(entry.length - 1);
      const word = entry.slice(0, -1);
      const postings = this.#postings.get(word);
      if (postings === undefined) this.#postings.set(word, [posting]);
      else postings.push(posting);
    }
    const json = JSON.stringify(text);
    if (this.#texts.push(json) === 1) this.#firstPages.push(page);
    this.#textBytes += Buffer.byteLength(json);
    if (this.#textBytes >= bytesOfTexts) yield this.#printTexts();
  }

  #printTexts(): IndexFile {
    const file = this.#printScript(`-p${this.#firstPages.length - 1}`, `[${this.#texts}]`);
    [this.#texts, this.#textBytes] = [[], 0];
    return file;
  }

  /** Prints the remaining texts, the words and the summary. */
  *end(): Generator<IndexFile> {
    if (this.#texts.length > 0) yield this.#printTexts();
    const words = [...this.#postings].sort(([left], [right]) => (left < right ? -1 : 1));
    const firstWords: string[] = [];
    let entries: string[] = [];
    let length = 0;
    for (const [number, [word, postings]] of words.entries()) {
      const entry = word + separators.postings + printPostings(postings);
      if (entries.push(entry) === 1) firstWords.push(word);
      length += entry.length;
      if (length < charactersOfWords && number < words.length - 1) continue;
      yield this.#printScript(`-w${firstWords.length - 1}`, entries.join(separators.words));
      [entries, length] = [[], 0];
    }
    const isText = (posting: number) => (posting & 127) !== writeFraction(0).charCodeAt(0);
    const inTexts = words.map(([word, postings]) => [word, postings.filter(isText).length] as const);
    yield this.#printScript("-l", listWords(inTexts));
    const summary: IndexSummary = {
      pageCount: this.#ranks.length,
      words: firstWords,
      pages: this.#firstPages,
      ranks: this.#ranks,
    };
    yield this.#printScript("", JSON.stringify(summary));
  }

  /** Prints a script, as pages opened from disk cannot fetch. A string is parsed several times faster than the equivalent literal. */
  #printScript(suffix: string, content: string): IndexFile {
    const name = `${this.#part}${suffix}`;
    const script = `docsSearchLoaded(${JSON.stringify(name)},${JSON.stringify(content)});\n`;
    return [`${assetsFolder}/search/${name}.js`, script];
  }
}

/**
 * Maximum length of the list for typing errors, which is loaded as a whole. It has no words that are only in code; a longer one omits words
 * of few pages.
 */
const maxWordListLength = 1_000_000;

function listWords(words: readonly (readonly [word: string, pageCount: number])[]): string {
  const candidates = words.filter(
    ([word]) => word.length > 2 && /\p{L}/u.test(word) && pairsOf(word).length === 0,
  );
  for (let minPages = 1; ; minPages *= 2) {
    const frequent = candidates.filter(([, pageCount]) => pageCount >= minPages);
    const list = frequent.map(([word]) => word).join(separators.words);
    if (list.length <= maxWordListLength) return list;
  }
}

function printPostings(postings: readonly number[]): string {
  let last = -1;
  let list = "";
  for (const posting of postings) {
    const page = posting >> 7;
    list += writePosting(page - last, String.fromCharCode(posting & 127));
    last = page;
  }
  return list;
}

/** Creates an index per language and version. @param pages the indexed pages in navigation order */
export function createSearchIndexes(pages: readonly PageSource[]) {
  const groups = [...Map.groupBy(pages, (page) => `${page.searchLanguage} ${page.version}`).values()];
  const parts = groups.map(([first]): SearchPart => {
    const { searchLanguage: language, version, isDefaultVersion } = first as PageSource;
    return { language, version, isDefault: isDefaultVersion };
  });
  const indexes = groups.map((_, part) => new SearchIndex(part));
  /** By source: the index of a page, and the page's position in it, from 0 to 1. */
  const positions = new Map(
    groups.flatMap((group, part) =>
      group.map(({ route }, position) => [route.source, { part, rank: position / group.length }] as const),
    ),
  );
  return {
    parts,
    /** Adds a page, unless it has no entry. */
    *add(source: string, entry: IndexedPage | undefined): Generator<IndexFile> {
      const { part = 0, rank = 0 } = positions.get(source) ?? {};
      if (entry !== undefined) yield* indexes[part]?.add(entry, rank) ?? [];
    },
    *end(): Generator<IndexFile> {
      for (const index of indexes) yield* index.end();
    },
  };
}

/** Chooses the indexes to search from a page: those of its language and version, and those for all versions; without any, all of them. */
export function chooseIndexes(
  parts: readonly SearchPart[],
  { lang, version }: Pick<PageSource, "lang" | "version">,
): readonly number[] {
  const language = lang ?? parts[0]?.language;
  const select = (isIncluded: (part: SearchPart) => boolean) =>
    [...parts.entries()].flatMap(([number, part]) => {
      return (part.language === undefined || part.language === language) && isIncluded(part) ? [number] : [];
    });
  // From a page without a version, the default version is searched.
  const own = select((part) => part.version === undefined || part.version === version);
  const chosen = version === undefined || own.length === 0 ? select(({ isDefault }) => isDefault) : own;
  return chosen.length === 0 ? [...parts.keys()] : chosen;
}
