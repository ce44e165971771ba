/**
 * GitHub's filter patterns for paths ("filter pattern cheat sheet" of the workflow syntax). No glob library supports them: `?` and
 * `+` are quantifiers of the character before them.
 */
import type { AgentInputs } from "./inputs.ts";

/**
 * Selects paths as GitHub's own `paths` and `paths-ignore` filters do. The last pattern that matches a path decides; one with `!` is an
 * exception. Without `paths`, every path counts.
 */
export function filterPaths(
  changed: readonly string[],
  { paths, pathsIgnore }: Pick<AgentInputs, "paths" | "pathsIgnore">,
): string[] {
  const chosen = paths.map(toRule);
  const ignored = pathsIgnore.map(toRule);
  // If all patterns are negated, every other path counts.
  const countsByDefault = chosen.every(({ isNegated }) => isNegated);
  const counts = (path: string) => applyRules(path, chosen) ?? countsByDefault;
  return changed.filter((path) => counts(path) && !applyRules(path, ignored));
}

interface Rule {
  readonly isNegated: boolean;
  readonly expression: RegExp;
}

function toRule(pattern: string): Rule {
  const isNegated = pattern.startsWith("!");
  return { isNegated, expression: toExpression(isNegated ? pattern.slice(1) : pattern) };
}

/** Whether the last matching pattern is not negated; `undefined` if none matches. */
function applyRules(path: string, rules: readonly Rule[]): boolean | undefined {
  const last = rules.findLast(({ expression }) => expression.test(path));
  return last && !last.isNegated;
}

/** Folders (`**` between slashes), or one piece with its quantifiers. */
const parts = /(?<=^|\/)\*\*+\/(?![?+])|(\*+|\\.|\[(?:\\.|[^\]\\])+\]|.)([?+]*)/gsu;

/**
 * The regular expression that a whole path must match.
 * - `*` matches any characters except `/`; `**` matches any characters. Between slashes, `**` and its slash may also match nothing.
 * - `x?` matches zero or one `x`, `x+` one or more; `x` is a character or a list.
 * - `[a-z_]` matches one of the listed characters.
 * - A backslash escapes the character after it.
 */
export function toExpression(pattern: string): RegExp {
  const source = pattern.replace(parts, (_, piece: string | undefined, quantifiers: string) => {
    if (piece === undefined) return "(?:.*/)?";
    if (piece.startsWith("*")) return piece === "*" ? "[^/]*" : ".*";
    const isAny = quantifiers.includes("?") && quantifiers.includes("+");
    return `${translatePiece(piece)}${isAny ? "*" : quantifiers.slice(0, 1)}`;
  });
  return new RegExp(`^${source}$`, "su");
}

/** A list, an escaped character or another character. */
function translatePiece(piece: string): string {
  if (!/^\[.+\]$/s.test(piece)) return piece.replace(/^\\(?=.)/su, "").replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  const entries = piece.slice(1, -1).match(/\\.|[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9]|./gsu) ?? [];
  const listed = entries.map((entry) => {
    if (/^\w-\w$/.test(entry)) return entry.charAt(0) <= entry.charAt(2) ? entry : "";
    return entry.replace(/^\\(?=.)/su, "").replace(/[\\\]^-]/, "\\$&");
  });
  return `[${listed.join("")}]`;
}
