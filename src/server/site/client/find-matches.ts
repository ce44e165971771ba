/** What the search index holds of each page, and how it is searched; shared by the renderer and the search box. */
import type MiniSearch from "minisearch";

/** A page as the search index stores it. */
export interface SearchEntry {
  readonly title: string;
  readonly path: string;
  /** Titles above the page in the navigation, such as `Guides / Deploy`. */
  readonly location: string;
  /** Version, language and product of the page, for preferring those of the reader; empty where there is one of each. */
  readonly part: string;
  readonly summary: string;
  /** Identifiers and texts of its headings. */
  readonly sections: readonly (readonly [id: string, text: string])[];
}

/** Fields that are searched, and fields that are kept for showing a match. */
export const indexOptions = {
  idField: "path",
  fields: ["title", "headings", "summary", "text"],
  storeFields: ["title", "location", "part", "summary", "sections"],
};

/** A page that a search found, and the section of it that fits best. */
export interface SearchMatch extends SearchEntry {
  readonly section: readonly [id: string, text: string] | undefined;
}

const maxMatches = 12;
/** What a page of another version or language counts, to a reader of this one. */
const weightElsewhere = 0.3;

/**
 * The best pages for what was typed so far, those of the reader's version and language first; without a page that has every
 * word, those that have some.
 */
export function findMatches(index: MiniSearch, query: string, part: string): readonly SearchMatch[] {
  const isElsewhere = (page: unknown) => part !== "" && page !== undefined && page !== "" && page !== part;
  const options = {
    boost: { title: 4, headings: 2, summary: 1.5 },
    // The last word may be unfinished; short words are not guessed at.
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>) =>
      isElsewhere(stored?.["part"]) ? weightElsewhere : 1,
  };
  const all = index.search(query, { ...options, combineWith: "AND" });
  const results = all.length > 0 ? all : index.search(query, { ...options, combineWith: "OR" });
  return results.slice(0, maxMatches).map((result) => {
    const entry = { ...(result as unknown as SearchEntry), path: result.id as string };
    const isInTitle = result.terms.every((term) => entry.title.toLowerCase().includes(term));
    return { ...entry, section: isInTitle ? undefined : bestSection(entry.sections, result.terms) };
  });
}

function bestSection(sections: SearchEntry["sections"], terms: readonly string[]): SearchMatch["section"] {
  const counted = sections.map((section) => {
    const words = section[1].toLowerCase();
    return { section, count: terms.filter((term) => words.includes(term)).length };
  });
  const [best] = counted.filter(({ count }) => count > 0).sort((left, right) => right.count - left.count);
  return best?.section;
}
