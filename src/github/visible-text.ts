/** Reduces Markdown that people wrote to what GitHub shows of it, so that nothing hidden reaches a model. */
import { findUnseen } from "./find-unseen.ts";
import { stripInvisibleCharacters } from "./invisible-characters.ts";
import { parseMarkdown } from "./markdown.ts";

/** What was taken out of a text; the receipt that a status comment shows. */
export interface RemovalReceipt {
  /** Comments, link titles, unused definitions, attributes, image descriptions and the like. */
  readonly hiddenSegments: number;
  readonly invisibleCharacters: number;
}

export interface VisibleText extends RemovalReceipt {
  /** Markdown that holds only what GitHub renders. */
  readonly text: string;
}

/** Cutting can make new constructs of what stood on both sides; real texts settle in two rounds. */
const maxRounds = 20;

/**
 * Keeps the parts of a Markdown text that GitHub renders, unchanged, and counts what it cut.
 *
 * Applied to its own result it changes nothing. A text built so that cutting never settles, or nested beyond reading, is dropped whole.
 */
export function keepVisibleText(markdown: string): VisibleText {
  const { text: source, dropped } = stripInvisibleCharacters(markdown);
  let text = source;
  let hiddenSegments = 0;
  for (let round = 0; round < maxRounds; round += 1) {
    const tree = parseMarkdown(text);
    if (!tree) break;
    const cuts = findUnseen(text, tree);
    if (cuts.length === 0) return { text: text.trim(), hiddenSegments, invisibleCharacters: dropped };
    hiddenSegments += cuts.filter((cut) => cut.hidesText).length;
    text = applyCuts(text, cuts);
  }
  return { text: "", hiddenSegments: hiddenSegments + 1, invisibleCharacters: dropped };
}

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

function applyCuts(source: string, cuts: readonly Cut[]): string {
  let result = "";
  let offset = 0;
  for (const { start, end, replacement } of cuts) {
    result += source.slice(offset, start) + replacement;
    offset = Math.max(offset, end);
  }
  return result + source.slice(offset);
}
