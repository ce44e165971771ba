/** Reduces Markdown that people wrote to what GitHub shows of it, so that nothing hidden reaches a model. */
import { runWithTimeLimit } from "../base/markdown-cost.ts";
import { findHidden } from "./find-hidden.ts";
import type { HiddenRange } from "./hidden-html.ts";
import { stripInvisibleCharacters, type VisibleText } from "./invisible-characters.ts";
import { parseMarkdown } from "./markdown.ts";

/** Cutting can make new constructs of what stood on both sides; real texts settle in two rounds. */
const maxRounds = 20;
/** A round over a long text can take a second. */
const maxRoundsOfLongTexts = 4;
const longText = 16_384;

/**
 * Keeps the parts of a Markdown text that GitHub renders, unchanged, and counts what it cut.
 *
 * Applied to its own result it changes nothing. A text that cannot be read (`readVisibleText`) is dropped whole.
 */
export function keepVisibleText(markdown: string): VisibleText {
  return readVisibleText(markdown) ?? { ...stripInvisibleCharacters(markdown), text: "", hiddenSegments: 1 };
}

/**
 * Like `keepVisibleText`; `undefined` for a text that is nested or marked beyond reading, or built so that reading it takes
 * too long or cutting never settles.
 */
export function readVisibleText(markdown: string): VisibleText | undefined {
  return runWithTimeLimit(markdown, reduceToVisible);
}

function reduceToVisible(markdown: string): VisibleText | undefined {
  let { text, hiddenSegments, invisibleCharacters } = stripInvisibleCharacters(markdown);
  const rounds = text.length > longText ? maxRoundsOfLongTexts : maxRounds;
  for (let round = 0; round < rounds; round += 1) {
    const tree = parseMarkdown(text);
    if (!tree) return undefined;
    const hidden = findHidden(text, tree);
    if (hidden.length === 0 && text === text.trim()) return { text, hiddenSegments, invisibleCharacters };
    hiddenSegments += hidden.filter(({ hidesText }) => hidesText).length;
    // Without its indentation, the first line may be something else than before.
    const left = stripInvisibleCharacters(hidden.length === 0 ? text.trim() : cut(text, hidden));
    text = left.text;
    invisibleCharacters += left.invisibleCharacters;
  }
  return undefined;
}

function cut(text: string, ranges: readonly HiddenRange[]): string {
  const kept: string[] = [];
  let offset = 0;
  for (const { start, end, replacement } of ranges) {
    kept.push(text.slice(offset, start), replacement);
    offset = end;
  }
  return kept.join("") + text.slice(offset);
}
