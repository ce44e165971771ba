/** What is said of a code beside it: after the language of its fence, and in comments of the form `[!code …]`. */

/** A title is not longer, and reading one takes time in the square of the length. */
const maxMetaLength = 1_000;

/** The title in a meta text, in the conventions of several documentation systems: `title="x"`, `filename="x"`, or bare. */
export function readTitle(written: string): string | undefined {
  const meta = written.slice(0, maxMetaLength);
  const named = /(?:^|\s)(?:title|filename|file)=(?:\{\s*)?(["'`])(.*?)\1/.exec(meta)?.[2];
  if (named !== undefined) return named || undefined;
  const bare = meta
    .replace(/\{[^}]*\}/g, " ")
    .replace(/(?<!\S)[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
    .replace(
      /(?<!\S)\[?(?:lines|wrap|expandable|twoslash|showLineNumbers|copy|nocopy|switcher)\]?(?!\S)/g,
      " ",
    )
    // Words to mark; a path has such parts, too.
    .replace(/(?<!\S)\/[^/]+\/\d*(?!\S)/g, " ")
    .replace(/^\s*\[(.*)\]\s*$/, "$1")
    .replace(/^\s*(["'`])(.*)\1\s*$/, "$2")
    .replace(/\s+/g, " ");
  return bare.trim() || undefined;
}

/** The name of the icon in a meta text. */
export function readIcon(meta: string): string | undefined {
  return /(?:^|\s)icon=\{?["'`]?([\w./:-]+)/.exec(meta)?.[1];
}

/** A comment at the end of a line, or on a line of its own before those that it is about. */
const annotation =
  /[ \t]*(?:\/\/|#|--|;|%|\{?\/\*|<!--)[ \t]*\[!code ([\w+-]{1,20})(?::([^\]]*))?\][ \t]*(?:\*\/\}?|-->)?[ \t]*$/;
/** In a longer line there is none: the time to find it grows with the square of the length. */
const maxLineLength = 1_000;

/** The class of the lines that an annotation is about. */
const lineClasses: ReadonlyMap<string, string> = new Map([
  ["++", "line-added"],
  ["--", "line-removed"],
  ["error", "line-removed"],
  ["focus", "line-focused"],
  ["highlight", "line-highlighted"],
  ["hl", "line-highlighted"],
  ["warning", "line-highlighted"],
]);

/** A code without its annotations. */
interface AnnotatedText {
  readonly text: string;
  /** Classes of lines, by their numbers from 1. */
  readonly marks: ReadonlyMap<number, ReadonlySet<string>>;
  /** Words to mark. */
  readonly words: ReadonlySet<string>;
}

const maxMarks = 50_000;
const maxWords = 20;

/** Reads what a code's meta text and its comments say of its lines. */
export function readAnnotations(written: string, meta: string): AnnotatedText {
  const writtenLines = written.split("\n");
  const marks = new Map<number, Set<string>>();
  let marksLeft = maxMarks;
  const mark = (first: number, last: number, kind: string) => {
    const name = lineClasses.get(kind);
    if (name === undefined || first < 1) return;
    const end = Math.min(last, writtenLines.length, first + marksLeft - 1);
    for (let line = first; line <= end; line += 1) {
      marks.set(line, (marks.get(line) ?? new Set()).add(name));
      marksLeft -= 1;
    }
  };
  const highlighted = /(?:^|\s)(?:highlight=["'{[]*|\{)([\d\s,-]+)/.exec(meta)?.[1];
  const focused = /(?:^|\s)focus=["'{[]*([\d\s,-]+)/.exec(meta)?.[1];
  for (const [first, last] of readRanges(highlighted)) mark(first, last, "highlight");
  for (const [first, last] of readRanges(focused)) mark(first, last, "focus");

  const words = new Set<string>();
  const lines: string[] = [];
  for (const line of written.includes("[!code") ? writtenLines : []) {
    const [comment = "", kind = "", value = ""] = findAnnotation(line);
    const rest = comment === "" ? line : line.slice(0, -comment.length);
    const isAlone = comment !== "" && rest.trim() === "";
    if (!isAlone) lines.push(rest);
    const first = lines.length + Number(isAlone);
    mark(first, first + (Number(value) || 1) - 1, kind);
    if (kind === "word" && words.size < maxWords) words.add(value.replace(/:\d+$/, ""));
  }
  return { text: lines.length === 0 ? written : lines.join("\n"), marks, words };
}

function findAnnotation(line: string): readonly string[] {
  return line.length > maxLineLength ? [] : (annotation.exec(line) ?? []);
}

/** Ranges of lines as they are written: `1,3-5`. */
function readRanges(written = ""): readonly (readonly [first: number, last: number])[] {
  return written.split(",").map((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return [first, last] as const;
  });
}
