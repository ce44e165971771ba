/** Removes invisible code points, which can hide text from users but not from a model. */

/**
 * Format, private-use, unassigned and lone surrogate code points (including zero-width, bidirectional and tag characters),
 * control characters except tab and newline, and default-ignorable code points (such as variation selectors and fillers).
 */
const invisible =
  /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|[\u2800\u{16FE4}\u{1D159}]|(?![\t\n])\p{Cc}/gu;

/** Variation selectors and joiners inside emoji, where they are visible. */
const emojiSequence =
  /\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F\u20E3|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

const joiningScripts =
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar";
let joinedLetters: RegExp | undefined;

/** Matches joiners between letters of scripts that need them for correct spelling. Made on first use, because that takes a millisecond. */
function joinedLettersPattern(): RegExp {
  if (joinedLetters === undefined) {
    const letters = joiningScripts.replace(/\w+ ?/g, (script) => `\\p{Script=${script.trim()}}`);
    joinedLetters = new RegExp(`(?<=[${letters}])[\\u200C\\u200D](?=[${letters}])`, "gu");
  }
  return joinedLetters;
}

/** What was removed from a text, for the status comment. */
export interface RemovedContent {
  /** Comments, link titles, unused definitions, attributes, image descriptions and the like. */
  readonly hiddenSegments: number;
  readonly invisibleCharacters: number;
}

/** A text without what GitHub does not show. */
export interface VisibleText extends RemovedContent {
  readonly text: string;
}

/**
 * Removes invisible code points and normalizes line endings to `\n`. This is sufficient for texts that are not Markdown: titles,
 * paths and lines of a diff.
 */
export function stripInvisibleCharacters(source: string): VisibleText {
  const text = source.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n");
  // Fast path: compiling the patterns below takes long.
  if (/^[\t\n -~]*$/.test(text)) return { text, hiddenSegments: 0, invisibleCharacters: 0 };
  const kept = new Set<number>();
  for (const match of [...text.matchAll(emojiSequence), ...text.matchAll(joinedLettersPattern())]) {
    for (let offset = match.index; offset < match.index + match[0].length; offset += 1) kept.add(offset);
  }
  let invisibleCharacters = 0;
  const visible = text.replace(invisible, (character, offset: number) => {
    if (kept.has(offset)) return character;
    invisibleCharacters += 1;
    return "";
  });
  return { text: visible, hiddenSegments: 0, invisibleCharacters };
}

/** The visible text of a title or path on one line. */
export function toVisibleLine(text: string): string {
  return stripInvisibleCharacters(text).text.replace(/\s+/g, " ");
}

/** Whether a text contains an invisible code point, also as part of an emoji or word. */
export function hasInvisible(text: string): boolean {
  return text.search(invisible) >= 0;
}
