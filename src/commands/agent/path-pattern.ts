/**
 * GitHub's filter patterns for paths ("filter pattern cheat sheet" of the workflow syntax). No glob library has them: here
 * `?` and `+` say how often the character before them occurs.
 */

/** One place of a pattern: which characters stand there, whether several do, and where a path goes on without any. */
interface Piece {
  readonly accepts: (character: string) => boolean;
  readonly isRepeatable: boolean;
  /** How many places further a path may be without a character for this one. */
  readonly skips: readonly number[];
}

const once = { isRepeatable: false, skips: [] };
const anyNumber = { isRepeatable: true, skips: [1] };

/**
 * Whether a whole path matches a pattern.
 * - `*` stands for any characters but `/`, `**` for any; between slashes, `**` with its slash also for nothing.
 * - `x?` stands for one `x` or none, `x+` for one or more; `x` is a character or a list.
 * - `[a-z_]` stands for one of the characters listed.
 * - A backslash takes the meaning from the character after it.
 *
 * Takes time in proportion to the lengths of both, whatever the pattern.
 */
export function createPathMatcher(pattern: string): (path: string) => boolean {
  const pieces = readPattern(pattern);
  return (path) => {
    let places = reachable([0], pieces);
    for (const character of path) places = reachable(advance({ places, character }, pieces), pieces);
    return places.has(pieces.length);
  };
}

/** Where a path can be after one more character. */
function advance(
  { places, character }: { places: ReadonlySet<number>; character: string },
  pieces: readonly Piece[],
): number[] {
  return [...places].flatMap((place) => {
    const piece = pieces[place];
    if (!piece?.accepts(character)) return [];
    return piece.isRepeatable ? [place, place + 1] : [place + 1];
  });
}

/** The places themselves, and those behind pieces that may be missing. */
function reachable(from: Iterable<number>, pieces: readonly Piece[]): ReadonlySet<number> {
  const places = new Set<number>();
  const pending = [...from];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (places.has(place)) continue;
    places.add(place);
    for (const skip of pieces[place]?.skips ?? []) pending.push(place + skip);
  }
  return places;
}

function readPattern(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  const tokens = pattern.match(/\*+|\\.|\[(?:\\.|[^\]\\])+\]|./gsu) ?? [];
  for (const [index, token] of tokens.entries()) {
    const last = pieces.at(-1);
    if (last && (token === "?" || token === "+")) pieces[pieces.length - 1] = repeat(last, token);
    else pieces.push(...readToken(token, { before: tokens[index - 1], after: tokens[index + 1] }));
  }
  return pieces;
}

function repeat(piece: Piece, sign: "?" | "+"): Piece {
  return sign === "?" ? { ...piece, skips: [...piece.skips, 1] } : { ...piece, isRepeatable: true };
}

function readToken(
  token: string,
  { before = "/", after }: { before: string | undefined; after: string | undefined },
): Piece[] {
  if (token === "*") return [{ ...anyNumber, accepts: (character) => character !== "/" }];
  if (token.startsWith("**")) {
    const any: Piece = { ...anyNumber, accepts: () => true };
    const isFolders = before === "/" && after === "/";
    // Past itself, the stars and their slash: no folder at all.
    return isFolders ? [{ accepts: () => false, isRepeatable: false, skips: [1, 3] }, any] : [any];
  }
  if (token.length > 2 && token.startsWith("[")) return [{ ...once, accepts: readList(token.slice(1, -1)) }];
  const literal = withoutEscape(token);
  return [{ ...once, accepts: (character) => character === literal }];
}

const range = /^(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9])$/;

function readList(text: string): (character: string) => boolean {
  const entries = text.match(/\\.|[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|./gsu) ?? [];
  const ranges = entries.filter((entry) => range.test(entry));
  const listed = new Set(entries.filter((entry) => !range.test(entry)).map(withoutEscape));
  return (character) =>
    listed.has(character) || ranges.some(([from = "", , to = ""]) => from <= character && character <= to);
}

function withoutEscape(token: string): string {
  return token.length > 1 && token.startsWith("\\") ? token.slice(1) : token;
}
