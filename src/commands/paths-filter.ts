/**
 * GitHub's filter patterns for paths ("filter pattern cheat sheet" of the workflow syntax). No glob library has them: here
 * `?` and `+` say how often the character before them occurs.
 */

export interface PathFilter {
  /** Patterns; a path counts if the last one that matches it is not negated with `!`. Empty: every path counts. */
  readonly paths: readonly string[];
  /** Patterns of paths that do not count; one negated with `!` makes an exception of what it matches. */
  readonly pathsIgnore: readonly string[];
}

/** The paths that count, as GitHub's own `paths` and `paths-ignore` filters would choose them. */
export function filterPaths(changed: readonly string[], { paths, pathsIgnore }: PathFilter): string[] {
  const chosen = paths.map(toRule);
  const ignored = pathsIgnore.map(toRule);
  // With nothing but exceptions, everything else counts.
  const countsByDefault = chosen.every(({ isNegated }) => isNegated);
  const counts = (path: string) => applyRules(path, chosen) ?? countsByDefault;
  return changed.filter((path) => counts(path) && !applyRules(path, ignored));
}

interface Rule {
  readonly isNegated: boolean;
  readonly matches: (path: string) => boolean;
}

function toRule(pattern: string): Rule {
  const isNegated = pattern.startsWith("!");
  return { isNegated, matches: createPathMatcher(isNegated ? pattern.slice(1) : pattern) };
}

/** What the last pattern says that matches; `undefined` where none does. */
function applyRules(path: string, rules: readonly Rule[]): boolean | undefined {
  const last = rules.findLast(({ matches }) => matches(path));
  return last && !last.isNegated;
}

/** One position of a pattern: which characters stand there, whether several do, and where a path goes on without any. */
interface Piece {
  readonly accepts: (character: string) => boolean;
  readonly isRepeatable: boolean;
  /** How many positions further a path may be without a character for this one. */
  readonly skips: readonly number[];
}

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
    let positions = withSkips([0], pieces);
    for (const character of path) {
      const next = [...positions].flatMap((position) => {
        const piece = pieces[position];
        if (!piece?.accepts(character)) return [];
        return piece.isRepeatable ? [position, position + 1] : [position + 1];
      });
      positions = withSkips(next, pieces);
    }
    return positions.has(pieces.length);
  };
}

/** The positions themselves, and those behind pieces that may be missing. */
function withSkips(from: readonly number[], pieces: readonly Piece[]): ReadonlySet<number> {
  const positions = new Set<number>();
  const pending = [...from];
  for (let position = pending.pop(); position !== undefined; position = pending.pop()) {
    if (positions.has(position)) continue;
    positions.add(position);
    for (const skip of pieces[position]?.skips ?? []) pending.push(position + skip);
  }
  return positions;
}

function readPattern(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  const tokens = pattern.match(/\*+|\\.|\[(?:\\.|[^\]\\])+\]|./gsu) ?? [];
  for (const [index, token] of tokens.entries()) {
    const last = pieces.at(-1);
    if (last && token === "?") pieces[pieces.length - 1] = { ...last, skips: [...last.skips, 1] };
    else if (last && token === "+") pieces[pieces.length - 1] = { ...last, isRepeatable: true };
    else pieces.push(...readToken(token, tokens[index - 1] ?? "/", tokens[index + 1]));
  }
  return pieces;
}

function readToken(token: string, before: string, after: string | undefined): Piece[] {
  if (token === "*") return [{ accepts: (character) => character !== "/", isRepeatable: true, skips: [1] }];
  if (token.startsWith("**")) {
    const any: Piece = { accepts: () => true, isRepeatable: true, skips: [1] };
    const isFolders = before === "/" && after === "/";
    // Past itself, the stars and their slash: no folder at all.
    return isFolders ? [{ accepts: () => false, isRepeatable: false, skips: [1, 3] }, any] : [any];
  }
  const literal = withoutEscape(token);
  const isList = token.length > 2 && token.startsWith("[");
  const accepts = isList ? readList(token.slice(1, -1)) : (character: string) => character === literal;
  return [{ accepts, isRepeatable: false, skips: [] }];
}

function readList(text: string): (character: string) => boolean {
  const entries = text.match(/\\.|[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|./gsu) ?? [];
  const isRange = (entry: string) => entry.length === 3;
  const listed = new Set(entries.filter((entry) => !isRange(entry)).map(withoutEscape));
  return (character) =>
    listed.has(character) ||
    entries.filter(isRange).some(([from = "", , to = ""]) => from <= character && character <= to);
}

function withoutEscape(token: string): string {
  return token.length > 1 && token.startsWith("\\") ? token.slice(1) : token;
}
