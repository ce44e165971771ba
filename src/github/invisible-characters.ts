/** Code points that render as nothing, which people use to hide text from other people but not from a model. */

/**
 * Format, private-use, unassigned and lone surrogate code points (among them zero-width, bidirectional and tag
 * characters), control characters other than tab and newline, and fillers that Unicode counts as letters, marks or symbols.
 */
const invisible =
  /\p{Cf}|\p{Co}|\p{Cn}|\p{Cs}|\u034F|[\u115F\u1160\u2800\u3164\uFFA0]|\u17B4|\u17B5|[\u180B-\u180F]|[\uFE00-\uFE0F]|\u{1D159}|[\u{E0100}-\u{E01EF}]|(?![\t\n])\p{Cc}/gu;

/** Emoji presentation selectors and joiners where an emoji needs them: there they are part of what is seen. */
const emojiSequence =
  /\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F\u20E3|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;

export interface VisibleCharacters {
  readonly text: string;
  /** How many invisible code points were dropped. */
  readonly dropped: number;
}

/** Drops every code point that GitHub renders as nothing, and makes all line ends `\n`. */
export function stripInvisibleCharacters(source: string): VisibleCharacters {
  const text = source.replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n");
  const kept = new Set<number>();
  for (const match of text.matchAll(emojiSequence)) {
    for (let offset = match.index; offset < match.index + match[0].length; offset += 1) kept.add(offset);
  }
  let dropped = 0;
  const visible = text.replace(invisible, (character, offset: number) => {
    if (kept.has(offset)) return character;
    dropped += 1;
    return "";
  });
  return { text: visible, dropped };
}
