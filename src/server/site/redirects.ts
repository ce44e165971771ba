/** Addresses that moved, as `docs.json` lists them: whole addresses, `:name` for one segment, `:name*` or `*` for the rest. */

/** One line of the configuration. */
export interface RedirectRule {
  readonly source: string;
  readonly destination: string;
}

/** Finds where an address has moved to. */
export interface Redirects {
  /** Whole addresses that moved, with their destinations, in the order of the configuration. */
  readonly exact: ReadonlyMap<string, string>;
  /** The destination of an address, which may have moved in turn; `undefined` where it has not moved. */
  find(address: string): string | undefined;
}

type Captures = ReadonlyMap<string, string>;

function strip(address: string): string {
  return address.replace(/^\/+|\/+$/g, "");
}

function wildcardName(segment: string): string | undefined {
  if (segment === "*") return "*";
  return /^:(\w+)\*$/.exec(segment)?.[1];
}

/** What the rule's wildcards stand for in an address. */
function match(rule: readonly string[], address: readonly string[]): Captures | undefined {
  const captures = new Map<string, string>();
  for (const [index, segment] of rule.entries()) {
    const rest = wildcardName(segment);
    if (rest !== undefined) return captures.set(rest, address.slice(index).join("/"));
    const actual = address[index];
    const name = /^:(\w+)$/.exec(segment)?.[1];
    if (actual === undefined || (name === undefined && actual !== segment)) return undefined;
    if (name !== undefined) captures.set(name, actual);
  }
  return rule.length === address.length ? captures : undefined;
}

function fill(destination: string, captures: Captures): string {
  if (/^[a-z]+:/i.test(destination)) return destination;
  const segments = strip(destination)
    .split("/")
    .map((segment) => {
      const name = wildcardName(segment) ?? /^:(\w+)$/.exec(segment)?.[1];
      return name === undefined ? segment : (captures.get(name) ?? "");
    });
  return segments.filter((segment) => segment !== "").join("/");
}

/** Reads the rules; the first that fits counts, and whole addresses come before patterns. */
export function createRedirects(rules: readonly RedirectRule[]): Redirects {
  const isPattern = ({ source }: RedirectRule) => /(?:^|\/)(?::\w+\*?|\*)(?:\/|$)/.test(source);
  const exact = new Map<string, string>();
  for (const rule of rules) {
    if (isPattern(rule) || exact.has(strip(rule.source))) continue;
    exact.set(strip(rule.source), fill(rule.destination, new Map()));
  }
  const patterns = rules.filter(isPattern).map(({ source, destination }) => ({
    segments: strip(source).split("/"),
    destination,
  }));

  function find(written: string): string | undefined {
    const address = strip(written);
    const whole = exact.get(address);
    if (whole !== undefined) return whole;
    const wanted = address.split("/");
    for (const { segments, destination } of patterns) {
      const captures = match(segments, wanted);
      if (captures !== undefined) return fill(destination, captures);
    }
    return undefined;
  }

  return { exact, find };
}
