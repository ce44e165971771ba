/** An estimate of what a Markdown text would cost to parse, so that no comment and no platform's answer can hold up a runner. */

/**
 * The parser's work grows with the square of the marks in one paragraph that may open or close emphasis and links. This
 * is about a second's worth; 65,536 characters of prose, links and tables stay far below.
 */
const maxPairs = 4500 ** 2;
/** It searches for the end of each unfinished comment or declaration through the whole paragraph. */
const maxSteps = 30_000_000;
/** Each line that underlines a heading moves everything before it. */
const maxUnderlines = 1000;

/** Each line may be a block of its own; texts of this many lines are lists of numbers. */
const maxLines = 8000;

/** Far deeper than people nest quotes and lists; deeper trees are made to exhaust the program that walks them. */
const deepLine = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}/m;

/** Whether a text is so deeply nested or so full of marks that no person wrote it to be read. */
export function isTooDense(source: string): boolean {
  if (deepLine.test(source)) return true;
  if (countMatches(source, /^[ \t>]*(?:=+|-+)[ \t]*$/gm) > maxUnderlines) return true;
  if (countMatches(source, /^[ \t>]*[^\s>]/gm) > maxLines) return true;
  let pairs = 0;
  let steps = 0;
  for (const paragraph of source.split(/\n[ \t>]*(?=\n)/)) {
    pairs += countMatches(paragraph, /([*_~[])\1*/g) ** 2 + countStrayClosings(paragraph) ** 2;
    steps += countMatches(paragraph, /<[!?]/g) * paragraph.length;
  }
  return pairs > maxPairs || steps > maxSteps;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Closing brackets that nothing opened: for each the parser goes back over the whole paragraph. */
function countStrayClosings(text: string): number {
  let open = 0;
  let stray = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") open += 1;
    else if (open > 0) open -= 1;
    else stray += 1;
  }
  return stray;
}
