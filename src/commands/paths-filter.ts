/**
 * GitHub's filter patterns for paths ("filter pattern cheat sheet" of the workflow syntax). No glob library supports them: `?` and
 * `+` are quantifiers of the character before them.
 */
import type { AgentInputs } from "./inputs.ts";

/**
 * Selects files by path as GitHub's own `paths` and `paths-ignore` filters do. The last pattern that matches a path decides; one with `!`
 * is an exception. Without `paths`, every path counts.
 */
export function filterByPath<File extends { readonly path: string }>(
  files: readonly File[],
  { paths, pathsIgnore }: Pick<AgentInputs, "paths" | "pathsIgnore">,
): File[] {
  const [isChosen, isIgnored] = [createRules(paths), createRules(pathsIgnore)];
  // If all patterns are negated, every other path counts.
  const countsByDefault = paths.every(isNegated);
  return files.filter(({ path }) => (isChosen(path) ?? countsByDefault) && !isIgnored(path));
}

function isNegated(pattern: string): boolean {
  return pattern.startsWith("!");
}

/** Returns whether the last pattern that matches a path is not negated; `undefined` if none matches. */
function createRules(patterns: readonly string[]): (path: string) => boolean | undefined {
  const rules = patterns.map((pattern) => {
    return { counts: !isNegated(pattern), matches: createPathMatcher(pattern.replace(/^!/, "")) };
  });
  return (path) => rules.findLast(({ matches }) => matches(path))?.counts;
}

/** One position of a pattern: the characters that it accepts, and how often. */
interface Piece {
  readonly accepts: (character: string) => boolean;
  readonly isRepeatable: boolean;
  /** Numbers of positions that a path may skip from here without a character. */
  readonly skips: readonly number[];
}

/**
 * Returns a function that checks whether a whole path matches the pattern.
 * - `*` matches any characters except `/`; `**` matches any characters. Between slashes, `**` and its slash may also match nothing.
 * - `x?` matches zero or one `x`, `x+` one or more; `x` is a character or a list.
 * - `[a-z_]` matches one of the listed characters.
 * - A backslash escapes the character after it.
 *
 * The time is proportional to the product of both lengths, for every pattern.
 */
export function createPathMatcher(pattern: string): (path: string) => boolean {
  const pieces = readPattern(pattern);
  /** Adds the positions that can be reached without a character. */
  const withSkips = (positions: Set<number>) => {
    // The loop also visits the positions that it adds.
    for (const position of positions)
      for (const skip of pieces[position]?.skips ?? []) positions.add(position + skip);
    return positions;
  };
  return (path) => {
    let positions = withSkips(new Set([0]));
    for (const character of path) {
      const accepting = [...positions].filter((position) => pieces[position]?.accepts(character));
      const repeated = accepting.filter((position) => pieces[position]?.isRepeatable);
      positions = withSkips(new Set([...accepting.map((position) => position + 1), ...repeated]));
    }
    return positions.has(pieces.length);
  };
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
    // 3: skips itself, the stars and their slash, so that no folder matches too.
    return isFolders ? [{ ...any, isRepeatable: false, skips: [1, 3] }, any] : [any];
  }
  const literal = withoutEscape(token);
  const isList = token.startsWith("[") && token !== "[";
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
