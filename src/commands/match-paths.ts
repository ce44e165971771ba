import picomatch from "picomatch";

export interface PathFilter {
  /** Globs; a path counts if the last one that matches it is not negated with `!`. Empty: every path counts. */
  readonly paths: readonly string[];
  /** Globs of paths that do not count. */
  readonly pathsIgnore: readonly string[];
}

/** The paths that count, as GitHub's own `paths` filters would choose them. */
export function matchPaths(changed: readonly string[], { paths, pathsIgnore }: PathFilter): string[] {
  const rules = paths.map(toRule);
  // With nothing but exceptions, everything else counts.
  const countsByDefault = rules.every(({ isNegated }) => isNegated);
  const isIgnored = pathsIgnore.map((glob) => picomatch(glob, { dot: true }));
  return changed.filter((path) => {
    const last = rules.findLast(({ matches }) => matches(path));
    const counts = last ? !last.isNegated : countsByDefault;
    return counts && !isIgnored.some((matches) => matches(path));
  });
}

function toRule(glob: string) {
  const isNegated = glob.startsWith("!");
  return { isNegated, matches: picomatch(isNegated ? glob.slice(1) : glob, { dot: true }) };
}
