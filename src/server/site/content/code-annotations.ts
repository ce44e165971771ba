/** Reads what a fence states after its language (the meta text), and comments of the form `[!code …]`. */

/** Reading a title takes time quadratic in the length of the meta text. */
const maxMetaLength = 1_000;

/** Reads the title from a meta text, in the forms of several documentation systems: `title="x"`, `filename="x"`, or bare. */
export function readTitle(wholeMeta: string): string | undefined {
  const meta = wholeMeta.slice(0, maxMetaLength);
  const named = /(?:^|\s)(?:title|filename|file)=(?:\{\s*)?(["'`])(.*?)\1/.exec(meta)?.[2];
  if (named !== undefined) return named || undefined;
  const bare = meta
    .replace(/\{[^}]*\}/g, " ")
    .replace(/(?<!\S)[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
    .replace(
      /(?<!\S)\[?(?:lines|wrap|expandable|twoslash|showLineNumbers|copy|nocopy|switcher)\]?(?!\S)/g,
      " ",
    )
    // Removes `/word/`, which marks a word, but not a path.
    .replace(/(?<!\S)\/[^/]+\/\d*(?!\S)/g, " ")
    .replace(/^\s*\[(.*)\]\s*$/, "$1")
    .replace(/^\s*(["'`])(.*)\1\s*$/, "$2")
    .replace(/\s+/g, " ");
  return bare.trim() || undefined;
}

/** Reads the name of the icon from a meta text. */
export function readIcon(meta: string): string | undefined {
  return /(?:^|\s)icon=\{?["'`]?([\w./:-]+)/.exec(meta)?.[1];
}

/** A comment at the end of the line that it annotates, or on its own line before the annotated lines. */
const annotation =
  /[ \t]*(?:\/\/|#|--|;|%|\{?\/\*|<!--)[ \t]*\[!code ([\w+-]{1,20})(?::([^\]]*))?\][ \t]*(?:\*\/\}?|-->)?[ \t]*$/;
/** Longer lines are not searched for annotations: matching takes time quadratic in the length. */
const maxLineLength = 1_000;

/** CSS classes of annotated lines. */
const classesByType: ReadonlyMap<string, string> = new Map([
  ["++", "line-added"],
  ["--", "line-removed"],
  ["error", "line-removed"],
  ["focus", "line-focused"],
  ["highlight", "line-highlighted"],
  ["hl", "line-highlighted"],
  ["warning", "line-highlighted"],
]);

interface AnnotatedCode {
  readonly text: string;
  /** CSS classes by line number, from 1. */
  readonly lineClasses: ReadonlyMap<number, ReadonlySet<string>>;
}

/** Limit for one code block. */
const maxAnnotatedLines = 50_000;

/** Reads the annotations in a code block's meta text and comments. */
export function readAnnotations(code: string, meta: string): AnnotatedCode {
  const codeLines = code.split("\n");
  const lineClasses = new Map<number, Set<string>>();
  let remaining = maxAnnotatedLines;
  const annotate = (first: number, last: number, type: string) => {
    const className = classesByType.get(type);
    if (className === undefined || first < 1) return;
    const end = Math.min(last, codeLines.length, first + remaining - 1);
    for (let line = first; line <= end; line += 1) {
      lineClasses.set(line, (lineClasses.get(line) ?? new Set()).add(className));
      remaining -= 1;
    }
  };
  const highlighted = /(?:^|\s)(?:(?:highlight|hl_lines)=["'{[]*|\{)([\d\s,-]+)/.exec(meta)?.[1];
  const focused = /(?:^|\s)focus=["'{[]*([\d\s,-]+)/.exec(meta)?.[1];
  for (const [first, last] of readRanges(highlighted)) annotate(first, last, "highlight");
  for (const [first, last] of readRanges(focused)) annotate(first, last, "focus");

  const lines: string[] = [];
  for (const line of code.includes("[!code") ? codeLines : []) {
    const [comment = "", type = "", value = ""] = findAnnotation(line);
    const rest = comment === "" ? line : line.slice(0, -comment.length);
    const isWholeLine = comment !== "" && rest.trim() === "";
    if (!isWholeLine) lines.push(rest);
    const first = lines.length + Number(isWholeLine);
    annotate(first, first + (Number(value) || 1) - 1, type);
  }
  return { text: lines.length === 0 ? code : lines.join("\n"), lineClasses };
}

function findAnnotation(line: string): readonly string[] {
  return line.length > maxLineLength ? [] : (annotation.exec(line) ?? []);
}

function readRanges(list = ""): readonly (readonly [first: number, last: number])[] {
  return list.split(/,|(?<=\d)\s+(?=\d)/).map((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return [first, last] as const;
  });
}
