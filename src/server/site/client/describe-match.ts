/** What a result of the search shows of its page: the section that fits best, and the part of its text that shows why. */
import type { IndexedText } from "./index-format.ts";
import { indexedWords, pairsOf, piecesOf, type WordPiece, wordsOfPiece } from "./words.ts";

/** Part of a text; `isFound` where it is what was searched for. */
export interface TextPart {
  readonly text: string;
  readonly isFound: boolean;
}

/** A page that a search found, and the section of it that fits best. */
export interface SearchMatch {
  readonly path: string;
  readonly title: string;
  readonly location: string;
  readonly section: { readonly id: string; readonly heading: string } | undefined;
  readonly snippet: readonly TextPart[];
}

/**
 * Chooses the section that holds most of what was searched for.
 *
 * @param found For each term of the query, the words that stand for it.
 */
export function describeMatch(
  [path, title, location, description, sections]: IndexedText,
  found: readonly (readonly string[])[],
): SearchMatch {
  const marker = new Marker(found);
  if (description !== "" && countTerms(marker.mark(title)) === found.length) {
    const snippet = cutSnippet(description, marker.mark(description));
    return { path, title, location, section: undefined, snippet };
  }
  let best = {
    count: 0,
    id: "",
    heading: "",
    text: description || (sections[0]?.[2] ?? ""),
    marks: [] as Mark[],
  };
  for (const [id, heading, text] of sections) {
    const [inHeading, marks] = [marker.mark(heading), marker.mark(text)];
    const count = countTerms([...inHeading, ...marks]) + countTerms(inHeading) / 2;
    if (count > best.count) best = { count, id, heading, text, marks };
  }
  const isInTitle = countTerms(marker.mark(title)) >= best.count;
  const section = best.id === "" || isInTitle ? undefined : { id: best.id, heading: best.heading };
  return { path, title, location, section, snippet: cutSnippet(best.text, best.marks) };
}

/** Where in a text a term was found. */
interface Mark {
  readonly start: number;
  readonly end: number;
  readonly term: number;
}

function countTerms(marks: readonly Mark[]): number {
  return new Set(marks.map(({ term }) => term)).size;
}

/** Finds the words that stand for terms, however a text writes them. */
class Marker {
  readonly #terms: ReadonlyMap<string, number>;
  /** Of each word as it is written. */
  readonly #known = new Map<string, number | undefined>();

  constructor(found: readonly (readonly string[])[]) {
    this.#terms = new Map(found.flatMap((words, term) => words.map((word) => [word, term] as const)));
  }

  mark(text: string): Mark[] {
    const marks: Mark[] = [];
    for (const piece of piecesOf(text)) {
      if (piece.isUnspaced) marks.push(...this.#markInside(piece));
      else {
        const term = this.#termOf(piece);
        if (term !== undefined)
          marks.push({ start: piece.start, end: piece.start + piece.text.length, term });
      }
    }
    return marks.sort((left, right) => left.start - right.start || right.end - left.end);
  }

  #termOf(piece: WordPiece): number | undefined {
    if (this.#known.has(piece.text)) return this.#known.get(piece.text);
    const words = [...wordsOfPiece(piece), ...pairsOf(piece.text)];
    const term = words.map((word) => this.#terms.get(word)).find((known) => known !== undefined);
    this.#known.set(piece.text, term);
    return term;
  }

  /** Words without spaces between them are marked wherever their characters stand. */
  *#markInside({ text, start }: WordPiece): Generator<Mark, undefined> {
    for (const word of new Set(indexedWords(text))) {
      const term = this.#terms.get(word);
      if (term === undefined) continue;
      for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length))
        yield { start: start + at, end: start + at + word.length, term };
    }
  }
}

const lengths = { snippet: 180, before: 50 };

/** The part of a text with most of the terms; it begins and ends between words. */
function cutSnippet(text: string, marks: readonly Mark[]): TextPart[] {
  const counts = marks.map(({ start }, first) =>
    countTerms(marks.slice(first, first + 20).filter(({ end }) => end <= start + lengths.snippet)),
  );
  const first = marks[counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))]?.start ?? 0;
  const start =
    first <= lengths.before
      ? 0
      : first - (/^\S*\s(.*)$/s.exec(text.slice(first - lengths.before, first))?.[1] ?? "").length;
  const rest = text.slice(start);
  const whole = rest.length <= lengths.snippet ? rest : rest.slice(0, lengths.snippet).replace(/\s\S*$/, "");
  const parts: TextPart[] = [{ text: start > 0 ? "… " : "", isFound: false }];
  let at = start;
  for (const mark of marks) {
    if (mark.start < at || mark.end > start + whole.length) continue;
    parts.push({ text: text.slice(at, mark.start), isFound: false });
    parts.push({ text: text.slice(mark.start, mark.end), isFound: true });
    at = mark.end;
  }
  parts.push({ text: text.slice(at, start + whole.length), isFound: false });
  if (whole.length < rest.length) parts.push({ text: " …", isFound: false });
  return parts.filter((part) => part.text !== "");
}
