/**
 * Takes secrets out of text. Every sink of a run (log, annotation, summary, comment, signed record, output, state) passes its
 * text through one {@link SecretRedactor}, after everything else that changes the text.
 */

/** Letters and digits in a row that give a credential away; fewer do not help to guess it, and texts may have them by chance. */
const fragmentLength = 12;
/** Shorter values are no secrets. */
const shortestSecret = 5;
/** How often what was spelled in an encoding may itself be encoded: JSON in an address in JSON. */
const maxNesting = 4;

/**
 * Finds secrets as they are, and as JSON, addresses, HTML, Markdown, Base64 or hexadecimal digits spell them, also nested and
 * mixed. The time it takes grows with the length of the text, whatever the text is made of.
 */
export class SecretRedactor {
  readonly #credentials = new Patterns();
  readonly #issued = new Patterns();

  /** A credential of this run: from now on it is taken out, and so is every longer part of it. */
  addCredential(secret: string): void {
    for (const spelling of spellingsOf(secret)) {
      const { characters } = fold(spelling, loosely);
      if (characters.length < fragmentLength) this.#credentials.addWhole(spelling);
      else this.#credentials.addParts(characters);
    }
  }

  /**
   * A secret that an answer brought. It is taken out only whole and exactly: the other side must not choose what else of
   * this run's texts is hidden.
   */
  addIssuedSecret(secret: string): void {
    for (const spelling of spellingsOf(secret)) this.#issued.addWhole(spelling);
  }

  /** The text with `***` for each secret; with `credentialsOnly`, what answers brought stays. */
  readonly redact = (text: string, { credentialsOnly = false } = {}): string => {
    const patterns = credentialsOnly ? [this.#credentials] : [this.#credentials, this.#issued];
    const ranges: Range[] = [];
    const collect = (layer: Layer) => {
      for (const each of patterns) each.collect(layer, ranges);
    };
    const plain: Layer = { text, starts: undefined, ends: undefined };
    collect(plain);
    for (const escapes of readings) {
      let layer = decode(plain, escapes);
      for (let depth = 1; layer && depth <= maxNesting; depth += 1) {
        collect(layer);
        layer = decode(layer, escapes);
      }
    }
    return cut(text, ranges);
  };
}

/** For `JSON.stringify`: takes secrets out of every text of a value, and leaves its structure. */
export function redactTexts(redact: (text: string) => string) {
  return (_name: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
}

/**
 * Whether a value that an answer calls a secret looks like one: random letters and digits, 16 at least. Anything else is not
 * hidden, or the other side could hide words of the log.
 */
export function looksRandom(value: string): boolean {
  const isToken = /^(?=.*[0-9])(?=.*[a-z])[\w.~+/=%-]{16,4096}$/i.test(value);
  return isToken && new Set(value).size >= 8;
}

/** A text, or what it spells, with the place of each character in the first text. */
interface Layer {
  readonly text: string;
  /** Where each character begins and ends; `undefined` where it is its own place. */
  readonly starts: Uint32Array | undefined;
  readonly ends: Uint32Array | undefined;
}

interface Range {
  readonly start: number;
  end: number;
}

/** What is compared of a character, by its code; 0 where it does not count. */
type Folding = Uint8Array;

/** Printable ASCII as it is, but for backslashes, which JSON and Markdown add. */
const exactly: Folding = Uint8Array.from({ length: 128 }, (_, code) =>
  code > 0x20 && code < 0x7f && code !== 0x5c ? code : 0,
);

/** Letters and digits, upper and lower case alike: addresses change the case, Markdown puts marks between them. */
const loosely: Folding = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** What is searched for. */
class Patterns {
  /** Texts that count as a whole, exactly. */
  readonly #wholes = new Set<string>();
  /** Letters and digits of {@link fragmentLength}, loosely compared. */
  readonly #parts = new Set<string>();

  addWhole(secret: string): void {
    const { characters } = fold(secret, exactly);
    if (characters.length >= shortestSecret) this.#wholes.add(characters);
  }

  addParts(characters: string): void {
    for (let at = 0; at + fragmentLength <= characters.length; at += 1)
      this.#parts.add(characters.slice(at, at + fragmentLength));
  }

  /** Adds the place of each pattern in the layer. */
  collect(layer: Layer, ranges: Range[]): void {
    if (this.#wholes.size > 0) {
      const { characters, places } = fold(layer.text, exactly);
      for (const whole of this.#wholes)
        for (let at = characters.indexOf(whole); at >= 0; at = characters.indexOf(whole, at + 1))
          addRange(ranges, layer, places[at], places[at + whole.length - 1]);
    }
    if (this.#parts.size === 0) return;
    const { characters, places } = fold(layer.text, loosely);
    for (let at = 0; at + fragmentLength <= characters.length; at += 1)
      if (this.#parts.has(characters.slice(at, at + fragmentLength)))
        addRange(ranges, layer, places[at], places[at + fragmentLength - 1]);
  }
}

/** Adds what stands from one character of the layer to another. Parts of one secret overlap: they become one range. */
function addRange(ranges: Range[], { starts, ends }: Layer, first = 0, lastCharacter = 0): void {
  const [start, end] = [starts?.[first] ?? first, ends?.[lastCharacter] ?? lastCharacter + 1];
  const last = ranges.at(-1);
  if (last && last.start <= start && start <= last.end) last.end = Math.max(last.end, end);
  else ranges.push({ start, end });
}

/** A secret, its hexadecimal digits, and what Base64 makes of it behind 0, 1 and 2 other bytes. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // Only the characters that no neighbour has a bit in.
    const whole = encoded.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
    return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const digits = bytes.toString("hex");
  return [secret, digits, digits.toUpperCase(), ...inBase64];
}

/** The characters of a text that count, and their places. Nothing but ASCII counts: invisible characters part nothing. */
function fold(text: string, folding: Folding) {
  const codes = Buffer.allocUnsafe(text.length);
  const places = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Fullwidth forms read like the characters they are made from.
    const folded = folding[code > 0xff00 && code < 0xff5f ? code - 0xfee0 : code] ?? 0;
    if (folded === 0) continue;
    codes[length] = folded;
    places[length] = at;
    length += 1;
  }
  return { characters: codes.toString("latin1", 0, length), places };
}

/** `%2f`, `\u002f`, `\u{2f}`, `\x2f`, `&#47;`, `&#x2f;`, `&sol;`. No part of a text is read twice: a run of backslashes only from its start. */
const readEscapes = (endOfEntity: string) =>
  new RegExp(
    String.raw`%([0-9a-f]{2})|(?<!\\)\\+(?:u([0-9a-f]{4})|u\{([0-9a-f]+)\}|x([0-9a-f]{2}))|&#(?:(\d+)|x([0-9a-f]+))${endOfEntity}|&([a-z]{2,20});`,
    "gi",
  );

/** HTML may leave out the semicolon of a number; but what follows may also be an escape that spells another digit. */
const readings = [readEscapes(";?"), readEscapes(String.raw`(?:;|(?![0-9a-f%&\\]))`)];

/** HTML's names of ASCII characters. */
const entities = new Map(
  "excl:! quot:\" num:# dollar:$ percnt:% amp:& apos:' lpar:( rpar:) ast:* midast:* plus:+ comma:, period:. sol:/ colon:: semi:; lt:< equals:= gt:> quest:? commat:@ lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:] hat:^ lowbar:_ underbar:_ grave:` diacriticalgrave:` lcub:{ lbrace:{ verbar:| vert:| verticalline:| rcub:} rbrace:}"
    .split(" ")
    .map((pair) => [pair.slice(0, -2), pair.charCodeAt(pair.length - 1)]),
);

/** What a text spells; `undefined` where nothing in it is escaped. */
function decode({ text, starts, ends }: Layer, escapes: RegExp): Layer | undefined {
  const codes = new Uint16Array(text.length);
  const newStarts = new Uint32Array(text.length);
  const newEnds = new Uint32Array(text.length);
  let length = 0;
  let at = 0;
  const add = (code: number, first: number, last: number) => {
    codes[length] = code;
    newStarts[length] = starts?.[first] ?? first;
    newEnds[length] = ends?.[last] ?? last + 1;
    length += 1;
  };
  for (const match of text.matchAll(escapes)) {
    const code = codeOfEscape(match);
    if (code === undefined) continue;
    for (; at < match.index; at += 1) add(text.charCodeAt(at), at, at);
    at += match[0].length;
    add(code, match.index, at - 1);
  }
  if (at === 0) return undefined;
  for (; at < text.length; at += 1) add(text.charCodeAt(at), at, at);
  const spelled = Buffer.from(codes.buffer, 0, 2 * length).toString("utf16le");
  return { text: spelled, starts: newStarts, ends: newEnds };
}

function codeOfEscape([, percent, unicode, braced, byte, decimal, hex, name]: RegExpExecArray):
  | number
  | undefined {
  if (name !== undefined) return entities.get(name.toLowerCase());
  if (decimal !== undefined) return Math.min(Number(decimal), 0xffff);
  return Math.min(Number.parseInt(percent ?? unicode ?? braced ?? byte ?? hex ?? "", 16), 0xffff);
}

function cut(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  let shown = "";
  let at = 0;
  for (const { start, end } of ranges.sort((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    if (start >= at && (start > at || at === 0)) {
      shown += `${text.slice(at, Math.max(at, startOfEscape(text, start)))}***`;
    }
    at = end;
  }
  return shown + text.slice(at);
}

/** Where an escape begins that reaches to here: a half of one would spoil the JSON around it. */
function startOfEscape(text: string, place: number): number {
  const half = /\\u[0-9a-f]{0,3}$/i.exec(text.slice(Math.max(0, place - 5), place));
  let start = place - (half?.[0].length ?? 0);
  while (text[start - 1] === "\\") start -= 1;
  return start;
}
