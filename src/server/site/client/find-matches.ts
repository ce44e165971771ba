import type MiniSearch from "minisearch";

/** A page that a search found, and the section of it that fits best. */
export interface SearchMatch {
  readonly title: string;
  readonly path: string;
  readonly place: string;
  readonly summary: string;
  readonly section: { readonly id: string; readonly text: string } | undefined;
}

const maxMatches = 12;

/** Someone who types has not finished the last word; short words are not guessed at. */
const searchOptions = {
  boost: { title: 4, headings: 2, summary: 1.5 },
  prefix: true,
  fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
  combineWith: "AND",
} as const;

function bestSection(
  sections: readonly (readonly [string, string])[],
  terms: readonly string[],
): SearchMatch["section"] {
  let best: SearchMatch["section"];
  let bestCount = 0;
  for (const [id, text] of sections) {
    const words = text.toLowerCase();
    const count = terms.filter((term) => words.includes(term)).length;
    if (count > bestCount) [best, bestCount] = [{ id, text }, count];
  }
  return best;
}

/** What a page of another version or language counts, to a reader of this one. */
const weightElsewhere = 0.3;

/**
 * The best pages for what was typed so far, those of the reader's version and language first; without a page that has every
 * word, those that have some.
 */
export function findMatches(
  index: MiniSearch,
  { query, part }: { readonly query: string; readonly part: string },
): readonly SearchMatch[] {
  const options = {
    ...searchOptions,
    boostDocument: (_id: unknown, _term: string, stored?: Readonly<Record<string, unknown>>) =>
      part === "" || stored?.["part"] === "" || stored?.["part"] === part ? 1 : weightElsewhere,
  };
  const all = index.search(query, options);
  const results = all.length > 0 ? all : index.search(query, { ...options, combineWith: "OR" });
  return results.slice(0, maxMatches).map((result) => {
    const fields = result as unknown as Omit<SearchMatch, "section"> & {
      readonly sections: readonly (readonly [string, string])[];
    };
    const isInTitle = result.terms.every((term) => fields.title.toLowerCase().includes(term));
    const section = isInTitle ? undefined : bestSection(fields.sections, result.terms);
    return { title: fields.title, path: fields.path, place: fields.place, summary: fields.summary, section };
  });
}
