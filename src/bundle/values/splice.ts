/** A change of a text: the bytes from `start` up to, not including, `end` become `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies changes that do not overlap; those at one place in their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start);
  let result = "";
  let position = 0;
  for (const splice of ordered) {
    result += text.slice(position, splice.start) + splice.text;
    position = splice.end;
  }
  return result + text.slice(position);
}

/** The line ending that a text uses. */
export function lineEndOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Where the line ends on which the byte before `offset` stands: its line break is behind the result. */
export function endOfLine(text: string, offset: number): number {
  const from = offset > 0 && text[offset - 1] === "\n" ? offset - 1 : offset;
  const newline = text.indexOf("\n", from);
  const end = newline === -1 ? text.length : newline;
  return text[end - 1] === "\r" ? end - 1 : end;
}

/** The column, from 0, of an offset. */
export function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}
