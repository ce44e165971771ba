/** Code points that render as nothing, which people use to hide text from other people but not from a model. */

/**
 * Format, private-use, unassigned and lone surrogate code points (among them zero-width, bidirectional and tag
 * characters), control characters other than tab and newline, and what else Unicode lets renderers ignore: variation
 * selectors, and fillers that it counts as letters, marks or symbols.
 */
const invisible =
  /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|[\u2800\u{16FE4}\u{1D159}]|(?![\t\n])\p{Cc}/gu;

/** Emoji presentation selectors and joiners where an emoji needs them: there they are part of what is seen. */
const emojiSequence =
  /\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F\u20E3|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

const joiningScripts =
  "Arabic Syriac Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar"
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("");
/** Joiners that change the shape of the letters on both sides: Persian and Indian words are misspelt without them. */
const joinedLetters = new RegExp(`(?<=[${joiningScripts}])[\\u200C\\u200D](?=[${joiningScripts}])`, "gu");

/** What was taken out of a text, as a status comment says it. */
export interface RemovedContent {
  /** Comments, link titles, unused definitions, attributes, image descriptions and the like. */
  readonly hiddenSegments: number;
  readonly invisibleCharacters: number;
}

/** A text that holds only what GitHub renders. */
export interface VisibleText extends RemovedContent {
  readonly text: string;
}

/**
 * Drops every code point that GitHub renders as nothing, and makes all line ends `\n`. Of a text that is no Markdown (a
 * title, a path, lines of a diff) GitHub shows all the rest.
 */
export function stripInvisibleCharacters(source: string): VisibleText {
  const text = source.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n");
  // Compiling the patterns below takes longer than everything else that is done for a short text.
  if (/^[\t\n -~]*$/.test(text)) return { text, hiddenSegments: 0, invisibleCharacters: 0 };
  const kept = new Set<number>();
  for (const match of [...text.matchAll(emojiSequence), ...text.matchAll(joinedLetters)]) {
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

/** A title or path, which is no Markdown: GitHub shows it as it is. */
export function toVisibleLine(text: string): string {
  return stripInvisibleCharacters(text).text.replace(/\s+/g, " ");
}

/** Whether a text holds a code point that GitHub renders as nothing, wherever it may stand. */
export function hasInvisible(text: string): boolean {
  return text.search(invisible) >= 0;
}
