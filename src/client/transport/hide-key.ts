/**
 * Makes a function that takes a key out of text. It finds the key also where its characters are spelled as JSON, addresses or
 * HTML may spell them (`\/`, `\u002f`, `%2F`, `&#47;`): what reads the text next would spell them out.
 */
export function createKeyHider(key: string): (text: string) => string {
  const pattern = new RegExp([...key].map(spellings).join(""), "g");
  return (text) => text.replace(pattern, "***");
}

function spellings(character: string): string {
  const code = character.charCodeAt(0);
  const hex = [...code.toString(16).padStart(2, "0")].map(eitherCase).join("");
  return `(?:\\\\*(?:${literal(character)}|u00${hex})|%${hex}|&#(?:0*${code}|[xX]0*${hex});?)`;
}

function literal(character: string): string {
  return character.replace(/[^A-Za-z0-9]/, "\\$&");
}

function eitherCase(digit: string): string {
  return /[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit;
}
