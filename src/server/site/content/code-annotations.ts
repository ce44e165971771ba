/** What is said of a code beside it: after the language of its fence, and in comments of the form `[!code …]`. */

/** The title in a meta text, in the conventions of several documentation systems: `title="x"`, `filename="x"`, or bare. */
export function readTitle(meta: string): string | undefined {
  const named = /(?:^|\s)(?:title|filename|file)=(?:\{\s*)?(["'`])(.*?)\1/.exec(meta)?.[2];
  if (named !== undefined) return named || undefined;
  const bare = meta
    .replace(/\{[^}]*\}/g, " ")
    .replace(/\b[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
    .replace(/\b(?:lines|wrap|expandable|twoslash|showLineNumbers|copy|nocopy|switcher)\b/g, " ")
    .replace(/\/[^/]+\//g, " ")
    .replace(/^\s*\[(.*)\]\s*$/, "$1")
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

/** The class of the lines that an annotation is about. */
const lineClasses: Readonly<Record<string, string>> = {
  "++": "line-added",
  "--": "line-removed",
  error: "line-removed",
  focus: "line-focused",
  highlight: "line-highlighted",
  hl: "line-highlighted",
  warning: "line-highlighted",
};

/** A code without its annotations. */
interface AnnotatedText {
  readonly text: string;
  /** Classes of lines, by their numbers from 1. */
  readonly marks: ReadonlyMap<number, ReadonlySet<string>>;
  /** Words to mark. */
  readonly words: readonly string[];
}

const maxMarkedLines = 10_000;

/** Reads what a code's meta text and its comments say of its lines. */
export function readAnnotations(written: string, meta: string): AnnotatedText {
  const marks = new Map<number, Set<string>>();
  const mark = (first: number, last: number, name: string | undefined) => {
    if (name === undefined || first < 1) return;
    for (let line = first; line <= Math.min(last, first + maxMarkedLines); line += 1)
      marks.set(line, (marks.get(line) ?? new Set()).add(name));
  };
  const highlighted = /(?:^|\s)(?:highlight=\{?["'{[]?|\{)([\d\s,-]+)/.exec(meta)?.[1];
  const focused = /(?:^|\s)focus=\{?["'{[]?([\d\s,-]+)/.exec(meta)?.[1];
  for (const [first, last] of readRanges(highlighted)) mark(first, last, lineClasses["highlight"]);
  for (const [first, last] of readRanges(focused)) mark(first, last, lineClasses["focus"]);

  const words: string[] = [];
  const lines: string[] = [];
  for (const line of written.includes("[!code") ? written.split("\n") : []) {
    const [comment = "", kind = "", value = ""] = annotation.exec(line) ?? [];
    const rest = comment === "" ? line : line.slice(0, -comment.length);
    const isAlone = comment !== "" && rest.trim() === "";
    if (!isAlone) lines.push(rest);
    const first = lines.length + Number(isAlone);
    mark(first, first + (Number(value) || 1) - 1, lineClasses[kind]);
    if (kind === "word") words.push(value.replace(/:\d+$/, ""));
  }
  return { text: lines.length === 0 ? written : lines.join("\n"), marks, words };
}

/** Ranges of lines as they are written: `1,3-5`. */
function readRanges(written = ""): readonly (readonly [first: number, last: number])[] {
  return written.split(",").map((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return [first, last] as const;
  });
}
