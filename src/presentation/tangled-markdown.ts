/** Markdown that no writer makes: parsing it would take minutes, or more stack than there is. */
import { isTooDense } from "../base/markdown-cost.ts";

/** Containers that open on one line: quotes in lists in quotes. */
const deepLine = /^[\t ]*(?:(?:>|[-+*]|\d{1,9}[.)])[\t ]*){12}/m;
/** Nested by indentation, line after line. */
const deepIndentation = /^(?: {60}|\t{15})[\t ]*(?:>|[-+*]|\d{1,9}[.)])/m;
const longWord = /\S{4000}/;
const delimiter = /[*_[~`<]/g;
/** Of one paragraph, list or table. */
const maxDelimiters = 2_500;

/** Whether a text is to be shown as it stands, because its structure is an attack or an accident. */
export function isTangled(markdown: string): boolean {
  if (deepLine.test(markdown) || deepIndentation.test(markdown) || longWord.test(markdown)) return true;
  if (isTooDense(markdown)) return true;
  return markdown.split(/\n[\t ]*\n/).some((piece) => (piece.match(delimiter)?.length ?? 0) > maxDelimiters);
}
