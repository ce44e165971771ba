/**
 * Makes a function that takes a key out of text. It finds the key also where its characters are spelled as JSON, addresses or
 * HTML may spell them (`\/`, `\u002f`, `%2F`, `&#47;`): what reads the text next would spell them out. The time it takes
 * grows with the length of the text, whatever the text is made of.
 */
export function createKeyRedactor(key: string): (text: string) => string {
  const characters = key.match(/\\+|[^\\]/g) ?? [];
  const spellings = characters.map((character, index) => {
    if (character.startsWith("\\")) return backslashes;
    if (characters[index - 1]?.startsWith("\\")) return spellingsOf(character, "");
    // A match begins with a whole run of backslashes: to begin anywhere in it would read the run again for each place.
    return spellingsOf(character, index === 0 ? "(?<!\\\\)\\\\*" : "\\\\*");
  });
  const pattern = new RegExp(spellings.join(""), "g");
  return (text) => text.replace(pattern, "***");
}

/** How a key's run of backslashes may be spelled; JSON doubles each of them. */
const backslashes = "(?:\\\\|u005[cC]|%5[cC]|&#(?:0*92|[xX]0*5[cC]);?)+";

/** A regular expression of all spellings of a character; `prefix` is what may stand before it in JSON. */
function spellingsOf(character: string, prefix: string): string {
  const code = character.charCodeAt(0);
  const hex = code
    .toString(16)
    .padStart(2, "0")
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const literal = character.replace(/[^A-Za-z0-9]/, "\\$&");
  return `(?:${prefix}(?:${literal}|u00${hex})|%${hex}|&#(?:0*${code}|[xX]0*${hex});?)`;
}
