import { createPathMatcher } from "./path-pattern.ts";

export interface PathFilter {
  /** Patterns; a path counts if the last one that matches it is not negated with `!`. Empty: every path counts. */
  readonly paths: readonly string[];
  /** Patterns of paths that do not count; one negated with `!` makes an exception of what it matches. */
  readonly pathsIgnore: readonly string[];
}

/** The paths that count, as GitHub's own `paths` and `paths-ignore` filters would choose them. */
export function matchPaths(changed: readonly string[], { paths, pathsIgnore }: PathFilter): string[] {
  const chosen = paths.map(toRule);
  const ignored = pathsIgnore.map(toRule);
  // With nothing but exceptions, everything else counts.
  const countsByDefault = chosen.every(({ isNegated }) => isNegated);
  const counts = (path: string) => verdict(path, chosen) ?? countsByDefault;
  const isIgnored = (path: string) => verdict(path, ignored) ?? false;
  return changed.filter((path) => counts(path) && !isIgnored(path));
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
function verdict(path: string, rules: readonly Rule[]): boolean | undefined {
  const last = rules.findLast(({ matches }) => matches(path));
  return last && !last.isNegated;
}
