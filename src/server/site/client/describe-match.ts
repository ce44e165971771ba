/** Describes a search result: the page's best matching section, and an excerpt with the matches marked. */
import type { IndexedText } from "./index-format.ts";
import { indexedWords, piecesOf } from "./words.ts";

/** Part of an excerpt; `isFound` marks a match. */
export interface TextPart {
  readonly text: string;
  readonly isFound: boolean;
}

/** A search result: a page and its best matching section. */
export interface SearchMatch {
  readonly path: string;
  readonly title: string;
  readonly location: string;
  readonly section: { readonly id: string; readonly heading: string } | undefined;
  readonly snippet: readonly TextPart[];
}

/**
 * Describes the section of a page that contains most terms.
 *
 * @param found For each term of the query, the matching words of the index.
 */
export function describeMatch(
  [path, title, location, description, sections]: IndexedText,
  found: readonly (readonly string[])[],
): SearchMatch {
  const terms = new Map(found.flatMap((words, term) => words.map((word) => [word, term] as const)));
  if (description !== "" && countTerms(markText(title, terms)) === found.length) {
    const snippet = cutSnippet(description, markText(description, terms));
    return { path, title, location, section: undefined, snippet };
  }
  const introduction = description || (sections[0]?.[2] ?? "");
  let best = { count: 0, id: "", heading: "", text: introduction, marks: [] as Mark[] };
  for (const [id, heading, text] of sections) {
    const [inHeading, marks] = [markText(heading, terms), markText(text, terms)];
    const count = countTerms([...inHeading, ...marks]) + countTerms(inHeading) / 2;
    if (count > best.count) best = { count, id, heading, text, marks };
  }
  const isInTitle = countTerms(markText(title, terms)) >= best.count;
  const section = best.id === "" || isInTitle ? undefined : { id: best.id, heading: best.heading };
  // A section may have only code.
  return { path, title, location, section, snippet: cutSnippet(best.text || introduction, best.marks) };
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

function countTerms(marks: readonly Mark[]): number {
  return new Set(marks.map(({ term }) => term)).size;
}

/** Finds the matches in a text. @param terms the number of the term by matching word */
function markText(text: string, terms: ReadonlyMap<string, number>): Mark[] {
  const marks: Mark[] = [];
  for (const piece of piecesOf(text)) {
    for (const word of new Set(indexedWords(piece.text))) {
      const term = terms.get(word);
      if (term === undefined) continue;
      // Without spaces between words, only the word is marked, wherever it occurs in the piece.
      const found = piece.isUnspaced ? word : piece.text;
      for (let at = piece.text.indexOf(found); at !== -1; at = piece.text.indexOf(found, at + found.length))
        marks.push({ start: piece.start + at, end: piece.start + at + found.length, term });
    }
  }
  return marks.sort((left, right) => left.start - right.start || right.end - left.end);
}

/** Length of an excerpt, and of its text before the first match, in characters. */
const lengths = { snippet: 180, before: 50 };

/** Cuts the excerpt with most terms, at word boundaries. */
function cutSnippet(text: string, marks: readonly Mark[]): TextPart[] {
  const after = lengths.snippet - lengths.before;
  const counts = marks.map(({ start }, first) =>
    countTerms(marks.slice(first, first + 20).filter(({ end }) => end <= start + after)),
  );
  const first = marks[counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))]?.start ?? 0;
  const start =
    first <= lengths.before
      ? 0
      : first - (/^\S*\s(.*)$/s.exec(text.slice(first - lengths.before, first))?.[1] ?? "").length;
  const rest = text.slice(start);
  const snippet =
    rest.length <= lengths.snippet ? rest : rest.slice(0, lengths.snippet).replace(/\s\S*$/, "");
  const parts: TextPart[] = [{ text: start > 0 ? "… " : "", isFound: false }];
  let position = start;
  for (const mark of marks) {
    if (mark.start < position || mark.end > start + snippet.length) continue;
    parts.push({ text: text.slice(position, mark.start), isFound: false });
    parts.push({ text: text.slice(mark.start, mark.end), isFound: true });
    position = mark.end;
  }
  parts.push({ text: text.slice(position, start + snippet.length), isFound: false });
  if (snippet.length < rest.length) parts.push({ text: " …", isFound: false });
  return parts.filter((part) => part.text !== "");
}
