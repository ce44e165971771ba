/** The redirects of a configuration: looked up for links, and written as pages that forward. */
import { html } from "hono/html";
import { decodePercent } from "../../base/text.ts";
import { wordsFor } from "./interface-words.ts";
import { hasScheme, toPortablePath, trimSlashes } from "./routes.ts";
import type { SiteConfig } from "./site-config.ts";

/** A link without a match is compared with all patterns. */
const maxPatterns = 200;

/** `:name` matches one path segment; `:name*` and `*` match the rest. */
const wildcards = /((?<=^|\/):\w+\*?(?=[/?#]|$)|\*(?=[/?#]|$))/g;

interface RedirectPattern {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly destination: string;
}

/** The redirects of a site. Exact paths take precedence over patterns; otherwise, the first matching rule is used. */
export class Redirects {
  /** Destinations of exact paths, in the order of the configuration. */
  readonly exact = new Map<string, string>();
  readonly patterns: readonly RedirectPattern[];

  constructor(rules: NonNullable<SiteConfig["redirects"]>) {
    const patterns: RedirectPattern[] = [];
    for (const { source, destination } of rules) {
      const path = trimSlashes(decodePercent(source));
      // Every second part is a wildcard. Only the last may match several segments, as two would backtrack.
      const parts = path.split(wildcards);
      const groups = parts.map((part, index) => {
        if (index % 2 === 0) return RegExp.escape(part);
        return part.endsWith("*") && index === parts.length - 2 ? "(.*)" : "([^/]*)";
      });
      const expression = new RegExp(`^${groups.join("")}/?$`, "s");
      const names = parts.filter((_, index) => index % 2 === 1).map(nameOf);
      if (names.length > 0) patterns.push({ expression, names, destination });
      else if (!this.exact.has(path)) this.exact.set(path, fillWildcards(destination, new Map()));
    }
    this.patterns = patterns.slice(0, maxPatterns);
  }

  /** The destination of a path; `undefined` without a matching rule. The destination may be redirected in turn. */
  find(path: string): string | undefined {
    const exact = this.exact.get(trimSlashes(path));
    if (exact !== undefined) return exact;
    const whole = `${trimSlashes(path)}/`;
    for (const { expression, names, destination } of this.patterns) {
      const [, ...texts] = expression.exec(whole) ?? [];
      if (texts.length > 0)
        return fillWildcards(destination, new Map(names.map((name, index) => [name, texts[index] ?? ""])));
    }
    return undefined;
  }
}

function nameOf(wildcard: string): string {
  return /\w+/.exec(wildcard)?.[0] ?? "*";
}

function fillWildcards(destination: string, values: ReadonlyMap<string, string>): string {
  const fill = (wildcard: string) => trimSlashes(values.get(nameOf(wildcard)) ?? "");
  const filled = destination.replace(wildcards, fill);
  return hasScheme(destination) ? filled : trimSlashes(filled.replace(/\/{2,}/g, "/"));
}

/** Output path of a redirect's page; `undefined` if its source is not the path of a page. */
export function redirectPath(path: string): string | undefined {
  if (path === "") return "index.html";
  const name = path.replace(/\.html?$/i, "");
  // Paths such as `/robots.txt` are files, and `..` would leave the site.
  const isPage = name.split("/").every((segment) => segment !== "" && !segment.startsWith("."));
  return isPage && !/\.[a-z0-9]{1,5}$/i.test(name) ? `${toPortablePath(name)}.html` : undefined;
}

/** A page that redirects by a meta refresh and contains a link as a fallback. */
export function renderRedirectPage(href: string, title: string, lang = "en"): string {
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${href}">
<title>${title}</title>
<link rel="canonical" href="${href}">
</head>
<body>
<main><h1>${wordsFor(lang).moved}</h1><p><a href="${href}">${title}</a></p></main>
</body>
</html>
`.toString();
}
