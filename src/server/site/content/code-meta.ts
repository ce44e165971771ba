/** What stands after the language of a fenced code block. */
export interface CodeMeta {
  /** A file name or caption. */
  readonly title: string | undefined;
  /** Numbers of the lines to set apart, from 1. */
  readonly highlighted: ReadonlySet<number>;
  readonly hasLineNumbers: boolean;
}

const maxLine = 100_000;

function readRange(range: string): readonly number[] {
  const match = /^\s*(\d{1,6})(?:\s*-\s*(\d{1,6}))?\s*$/.exec(range);
  if (match === null) return [];
  const first = Number(match[1]);
  const last = Math.min(Number(match[2] ?? match[1]), maxLine);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function readTitle(meta: string): string | undefined {
  const named = /(?:^|\s)(?:title|filename|file)=(?:\{\s*)?(["'`])(.*?)\1/.exec(meta)?.[2];
  if (named !== undefined) return named || undefined;
  const bare = meta
    .replace(/\{[^}]*\}/g, " ")
    .replace(/\b[\w-]+=(?:"[^"]*"|'[^']*'|\S*)/g, " ")
    .replace(/\b(?:lines|wrap|expandable|twoslash|showLineNumbers|copy|nocopy|switcher)\b/g, " ")
    .replace(/\/[^/]+\//g, " ")
    .replace(/^\s*\[(.*)\]\s*$/, "$1")
    .replace(/\s+/g, " ")
    .trim();
  return bare === "" ? undefined : bare;
}

/** Reads the conventions of several documentation systems: `title="x"`, `filename="x"`, a bare title, `{1,3-5}`, `lines`. */
export function readCodeMeta(meta: string): CodeMeta {
  const ranges =
    /(?:^|\s)highlight=\{?["'{]?([\d\s,-]+)/.exec(meta)?.[1] ??
    /(?:^|\s)\{([\d\s,-]+)\}/.exec(meta)?.[1] ??
    "";
  return {
    title: readTitle(meta),
    highlighted: new Set(ranges.split(",").flatMap(readRange)),
    hasLineNumbers: /\b(?:lines|showLineNumbers)\b/.test(meta),
  };
}
