/** The ways in which a text can carry a secret past a search for it, and a reader who knows them all. */

const everyCharacter = (spell: (code: number, character: string, at: number) => string) => (text: string) =>
  [...text].map((character, at) => spell(character.charCodeAt(0), character, at)).join("");

const hex = (code: number, length = 2) => code.toString(16).padStart(length, "0");

/** Some of the characters one way, the others the other way; `seed` chooses. */
function mixed(text: string, seed: number, spell: (code: number, character: string) => string): string {
  return everyCharacter((code, character, at) =>
    (seed >> (at % 20)) & 1 ? spell(code, character) : character,
  )(text);
}

/** Each takes a text and a seed, and spells the text. */
export const spellings: Readonly<Record<string, (text: string, seed: number) => string>> = {
  plain: (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  "JSON escapes": everyCharacter((code) => `\\u${hex(code, 4)}`),
  "some JSON escapes": (text, seed) => mixed(text, seed, (code) => `\\u${hex(code, 4).toUpperCase()}`),
  "escaped backslashes": everyCharacter((code) => `\\\\u${hex(code, 4)}`),
  "braced escapes": everyCharacter((code) => `\\u{${hex(code)}}`),
  "byte escapes": everyCharacter((code) => `\\x${hex(code)}`),
  URL: everyCharacter((code) => `%${hex(code)}`),
  "some of a URL": (text, seed) => mixed(text, seed, (code) => `%${hex(code).toUpperCase()}`),
  "URL in a URL": everyCharacter((code) => `%25${hex(code)}`),
  "HTML decimal": everyCharacter((code) => `&#${code};`),
  "HTML hexadecimal": everyCharacter((code) => `&#x${hex(code)};`),
  "HTML with zeros": everyCharacter((code) => `&#0000000${code};`),
  "some of HTML": (text, seed) => mixed(text, seed, (code) => `&#X${hex(code)};`),
  "HTML names": (text) => text.replaceAll("_", "&lowbar;").replaceAll(".", "&period;"),
  "HTML in HTML": everyCharacter((code) => `&amp;#${code};`),
  "Base64 at 0": (text) => Buffer.from(text).toString("base64"),
  "Base64 at 1": (text) => Buffer.from(`:${text}:`).toString("base64"),
  "Base64 at 2": (text) => Buffer.from(`{"${text}"}`).toString("base64"),
  "Base64 for addresses": (text) => Buffer.from(`?${text}`).toString("base64url"),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
  "upper case": (text) => text.toUpperCase(),
  "lower case": (text) => text.toLowerCase(),
  Markdown: (text) => text.replace(/[_.-]/g, "\\$&"),
  parted: (text, seed) => text.match(new RegExp(`.{1,${1 + (seed % 7)}}`, "gs"))?.join("\u200c") ?? text,
  fullwidth: everyCharacter((code, character) =>
    code > 0x20 && code < 0x7f ? String.fromCharCode(code + 0xfee0) : character,
  ),
};

/** Those in which any text can be carried, also one that is spelled already. */
export const wrappings = [
  "JSON",
  "JSON escapes",
  "some JSON escapes",
  "URL",
  "some of a URL",
  "HTML decimal",
  "some of HTML",
];

/** What a text says to a reader who undoes one encoding after the other, of everything or of the words in it. */
export function readEverySpelling(text: string): string[] {
  const readings = new Set([text]);
  for (let round = 0; round < 3; round += 1) {
    for (const reading of [...readings])
      for (const read of readers) for (const each of read(reading)) readings.add(each);
    if (readings.size > 400) break;
  }
  return [...readings];
}

const readers: readonly ((text: string) => string[])[] = [
  (text) => [
    text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  ],
  (text) => [
    text.replace(
      /\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]+)\}|x([0-9a-f]{2}))/gi,
      (_, a?: string, b?: string, c?: string) => String.fromCharCode(Number.parseInt(a ?? b ?? c ?? "", 16)),
    ),
  ],
  (text) => [
    text.replace(
      /&#(?:x([0-9a-f]+)|(\d+));?|&(amp|lowbar|period);/gi,
      (_, digits?: string, decimal?: string, name = "") =>
        digits || decimal
          ? String.fromCharCode(digits ? Number.parseInt(digits, 16) : Number(decimal))
          : ({ amp: "&", lowbar: "_", period: "." }[name as string] ?? ""),
    ),
  ],
  (text) => [text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))],
  (text) => words(text, /[\w+/-]{16,}={0,2}/g).map((word) => Buffer.from(word, "base64").toString("latin1")),
  (text) => words(text, /(?:[0-9a-f]{2}){12,}/gi).map((word) => Buffer.from(word, "hex").toString("latin1")),
];

function words(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([word]) => word);
}

const shortestPart = 12;

/** Which parts of a secret a text shows, in any case and between any marks. */
export function partsIn(text: string, value: string): string[] {
  const bare = (each: string) => each.toLowerCase().replace(/[^a-z0-9]/g, "");
  const haystack = bare(text);
  const needle = bare(value);
  return Array.from({ length: needle.length - shortestPart + 1 }, (_, at) =>
    needle.slice(at, at + shortestPart),
  ).filter((part) => haystack.includes(part));
}
