/**
 * Removes secrets from text. Every sink of a run (log, annotation, summary, comment, signed record, output, state) passes its
 * text through one {@link SecretRedactor}, after all other changes to the text.
 */

/** A part of a credential with this many letters and digits is redacted. Shorter parts are harmless and may occur by chance. */
const fragmentLength = 12;
/** Shorter values are not treated as secrets. */
const minSecretLength = 5;
/**
 * The signature of a JSON Web Token, such as GitHub's tokens (`ghs_<id>_<token>`). The parts before it are no secret without it, and other
 * tokens, such as those in presigned links and in examples, begin with the same header and have the same names of claims.
 */
const signatureOfToken = /eyJ[\w-]*\.[\w-]+\.([\w-]{40,})$/;
/** Maximum number of nested encodings, such as JSON in a URL in JSON. */
const maxNesting = 4;

/**
 * Finds secrets as plain text and in the encodings of JSON, URLs, HTML, Markdown, Base64 and hexadecimal digits, also nested and
 * mixed. The running time is linear in the length of the text, whatever its content.
 */
export class SecretRedactor {
  readonly #credentials = new Patterns();
  readonly #issued = new Patterns();

  /** Adds a credential of this run. From now on, it and every part of it with at least {@link fragmentLength} characters are redacted. */
  addCredential(secret: string): void {
    const signature = signatureOfToken.exec(secret)?.[1];
    if (signature !== undefined)
      for (const encoded of encodingsOf(secret)) this.#credentials.addWhole(encoded);
    for (const encoded of encodingsOf(signature ?? secret)) {
      const { characters } = fold(encoded, alphanumeric);
      if (characters.length < fragmentLength) this.#credentials.addWhole(encoded);
      else this.#credentials.addParts(characters);
    }
  }

  /**
   * Adds a secret from a response. Only exact and complete occurrences are redacted, so that a server cannot choose other parts of
   * this run's texts to hide.
   */
  addIssuedSecret(secret: string): void {
    for (const encoded of encodingsOf(secret)) this.#issued.addWhole(encoded);
  }

  /** Replaces each secret with `***`; with `credentialsOnly`, secrets from responses are not replaced. */
  readonly redact = (text: string, { credentialsOnly = false } = {}): string => {
    const patterns = credentialsOnly ? [this.#credentials] : [this.#credentials, this.#issued];
    const ranges: Range[] = [];
    const collect = (layer: Layer) => {
      for (const each of patterns) each.collect(layer, ranges);
    };
    const plain: Layer = { text, starts: undefined, ends: undefined };
    collect(plain);
    // Every escape begins with one of these.
    for (const escapes of /[%&\\]/.test(text) ? escapePatterns : []) {
      let layer = decode(plain, escapes);
      for (let depth = 1; layer && depth <= maxNesting; depth += 1) {
        collect(layer);
        layer = decode(layer, escapes);
      }
    }
    return replaceRanges(text, ranges);
  };
}

/** A replacer for `JSON.stringify` that redacts every string of a value. */
export function redactTexts(redact: (text: string) => string) {
  return (_name: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
}

/**
 * Whether a value looks like a random token: at least 16 characters with letters and digits. Values of a response that do not are not
 * redacted, or a server could hide words of the log.
 */
export function looksRandom(value: string): boolean {
  const isToken = /^(?=.*[0-9])(?=.*[a-z])[\w.~+/=%-]{16,4096}$/i.test(value);
  return isToken && new Set(value).size >= 8;
}

/** The original text, or a decoded form of it with the position of each character in the original text. */
interface Layer {
  readonly text: string;
  /** Start and end of each character in the original text; `undefined` for the original text itself. */
  readonly starts: Uint32Array | undefined;
  readonly ends: Uint32Array | undefined;
}

interface Range {
  readonly start: number;
  end: number;
}

/** Maps each ASCII code to the code that is compared; 0 means that the character is ignored. */
type Folding = Uint8Array;

/** Printable ASCII without backslashes, which JSON and Markdown add. */
const printable: Folding = Uint8Array.from({ length: 128 }, (_, code) =>
  code > 0x20 && code < 0x7f && code !== 0x5c ? code : 0,
);

/** Letters and digits in lower case: URLs may change the case, and Markdown may put punctuation between them. */
const alphanumeric: Folding = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

class Patterns {
  /** Complete secrets, compared by {@link printable}. */
  readonly #wholes = new Set<string>();
  /** Parts of {@link fragmentLength} characters, compared by {@link alphanumeric}. */
  readonly #parts = new Set<string>();
  /** For each {@link addToEndKey} of a part: 1. Few other texts have it, which saves most searches of the slow set. */
  readonly #ends = new Uint8Array(maxEndKey + 1);

  addWhole(secret: string): void {
    const { characters } = fold(secret, printable);
    if (characters.length >= minSecretLength) this.#wholes.add(characters);
  }

  addParts(characters: string): void {
    for (let end = 1, key = 0; end <= characters.length; end += 1) {
      key = addToEndKey(key, characters.charCodeAt(end - 1));
      if (end < fragmentLength) continue;
      this.#parts.add(characters.slice(end - fragmentLength, end));
      this.#ends[key] = 1;
    }
  }

  collect(layer: Layer, ranges: Range[]): void {
    if (this.#wholes.size > 0) {
      const { characters, positions } = fold(layer.text, printable);
      for (const whole of this.#wholes)
        for (let at = characters.indexOf(whole); at >= 0; at = characters.indexOf(whole, at + 1))
          addRange(ranges, layer, positions[at], positions[at + whole.length - 1]);
    }
    if (this.#parts.size === 0) return;
    const { characters, positions } = fold(layer.text, alphanumeric);
    for (let end = 1, key = 0; end <= characters.length; end += 1) {
      key = addToEndKey(key, characters.charCodeAt(end - 1));
      if (this.#ends[key] !== 1 || end < fragmentLength) continue;
      const start = end - fragmentLength;
      if (this.#parts.has(characters.slice(start, end)))
        addRange(ranges, layer, positions[start], positions[end - 1]);
    }
  }
}

const maxEndKey = 2 ** 15 - 1;
/** The number of a text's last three characters, from that of the characters before the last one. */
const addToEndKey = (key: number, code: number) => ((key << 5) ^ code) & maxEndKey;

/** Adds the range from one character of the layer to another. Overlapping ranges, such as the parts of one secret, are merged. */
function addRange(ranges: Range[], { starts, ends }: Layer, first = 0, lastCharacter = 0): void {
  const [start, end] = [starts?.[first] ?? first, ends?.[lastCharacter] ?? lastCharacter + 1];
  const last = ranges.at(-1);
  if (last && last.start <= start && start <= last.end) last.end = Math.max(last.end, end);
  else ranges.push({ start, end });
}

/** A secret as plain text, as hexadecimal digits, and as Base64 at each of the three possible offsets in other data. */
function encodingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // Only the characters that do not share bits with neighbouring bytes.
    const whole = encoded.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
    return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
  });
  const digits = bytes.toString("hex");
  return [secret, digits, digits.toUpperCase(), ...inBase64];
}

/** The compared characters of a text and their positions. All characters outside ASCII are ignored, including invisible ones. */
function fold(text: string, folding: Folding) {
  const codes = Buffer.allocUnsafe(text.length);
  const positions = new Uint32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Fullwidth forms count as the ASCII characters that they resemble.
    const folded = folding[code > 0xff00 && code < 0xff5f ? code - 0xfee0 : code] ?? 0;
    if (folded === 0) continue;
    codes[length] = folded;
    positions[length] = at;
    length += 1;
  }
  return { characters: codes.toString("latin1", 0, length), positions };
}

/** Matches `%2f`, `\u002f`, `\u{2f}`, `\x2f`, `&#47;`, `&#x2f;` and `&sol;`. */
const createEscapePattern = (backslash: string, endOfEntity: string) =>
  new RegExp(
    String.raw`%([0-9a-f]{2})|${backslash}(?:u([0-9a-f]{4})|u\{([0-9a-f]+)\}|x([0-9a-f]{2}))|&#(?:(\d+)|x([0-9a-f]+))${endOfEntity}|&([a-z]{2,20});`,
    "gi",
  );

/** A run of backslashes, as JSON in JSON has them. It is matched only from its start, which keeps the running time linear. */
const backslashes = String.raw`(?<!\\)\\+`;

/**
 * Readings of a text that is ambiguous; all are tried. HTML allows a numeric entity without a semicolon, and the text that follows it
 * may be an escape of a further digit. Of two adjacent backslashes, the first may belong to what stands before it.
 */
const escapePatterns = [
  createEscapePattern(backslashes, ";?"),
  createEscapePattern(backslashes, String.raw`(?:;|(?![0-9a-f%&\\]))`),
  createEscapePattern(String.raw`\\`, ";?"),
];

/** HTML's named entities of ASCII characters. */
const entities = new Map(
  "excl:! quot:\" num:# dollar:$ percnt:% amp:& apos:' lpar:( rpar:) ast:* midast:* plus:+ comma:, period:. sol:/ colon:: semi:; lt:< equals:= gt:> quest:? commat:@ lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:] hat:^ lowbar:_ underbar:_ grave:` diacriticalgrave:` lcub:{ lbrace:{ verbar:| vert:| verticalline:| rcub:} rbrace:}"
    .split(" ")
    .map((pair) => [pair.slice(0, -2), pair.charCodeAt(pair.length - 1)]),
);

/** Decodes the escapes in a text; `undefined` if it has none. */
function decode({ text, starts, ends }: Layer, escapes: RegExp): Layer | undefined {
  const escaped = [...text.matchAll(escapes)].flatMap((match) => {
    const code = codeOfEscape(match);
    return code === undefined ? [] : [{ code, start: match.index, end: match.index + match[0].length }];
  });
  if (escaped.length === 0) return undefined;
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
  for (const { code, start, end } of escaped) {
    for (; at < start; at += 1) add(text.charCodeAt(at), at, at);
    add(code, start, end - 1);
    at = end;
  }
  for (; at < text.length; at += 1) add(text.charCodeAt(at), at, at);
  const decoded = Buffer.from(codes.buffer, 0, 2 * length).toString("utf16le");
  return { text: decoded, starts: newStarts, ends: newEnds };
}

function codeOfEscape([, percent, unicode, braced, byte, decimal, hex, name]: RegExpExecArray):
  | number
  | undefined {
  if (name !== undefined) return entities.get(name.toLowerCase());
  if (decimal !== undefined) return Math.min(Number(decimal), 0xffff);
  return Math.min(Number.parseInt(percent ?? unicode ?? braced ?? byte ?? hex ?? "", 16), 0xffff);
}

function replaceRanges(text: string, ranges: Range[]): string {
  if (ranges.length === 0) return text;
  let redacted = "";
  let at = 0;
  for (const { start, end } of ranges.sort((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    if (start >= at && (start > at || at === 0)) {
      redacted += `${text.slice(at, Math.max(at, startOfEscape(text, start)))}***`;
    }
    at = end;
  }
  return redacted + text.slice(at);
}

/** The start of an escape that contains the position, or the position itself: half an escape would make the surrounding JSON invalid. */
function startOfEscape(text: string, position: number): number {
  const half = /\\u[0-9a-f]{0,3}$/i.exec(text.slice(Math.max(0, position - 5), position));
  let start = position - (half?.[0].length ?? 0);
  while (text[start - 1] === "\\") start -= 1;
  return start;
}
