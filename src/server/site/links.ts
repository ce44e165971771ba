/** Where links and pictures lead: pages, files to copy, addresses that moved, addresses elsewhere, or nowhere. */
import { posix } from "node:path";
import type { DocsTree } from "./content/docs-tree.ts";
import { html } from "./content/html.ts";
import type { LinkResolver, LinkTarget } from "./content/resolve-links.ts";
import { PathClaims, type Route, type Routes, relativeLink, toPortablePath } from "./routes.ts";

/** A link that leads nowhere within the site. */
export interface BrokenLink {
  /** Source file of the page that has it. */
  readonly page: string;
  /** The link as it was written. */
  readonly href: string;
  readonly reason: "page-not-found" | "section-not-found" | "file-not-found" | "refused";
}

const mediaTypes = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|mp3|ogg|wav)$/i;
const documentTypes = /\.(?:pdf|zip|gz|tgz|tar|json|ya?ml|csv|tsv|txt)$/i;
const allowedSchemes = new Set(["http:", "https:", "mailto:", "tel:"]);
/** A picture that is a part of the address itself. */
export const inlineImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i;
/** Folders whose content sites serve from their root. */
const publicFolders = ["", "public/", "static/"];
/** Moves of moves are followed this far. */
const maxMoves = 5;
const maxRedirectPages = 5_000;

/** Where a link leads: a page, with the section that a redirect adds, or an address elsewhere. */
type Destination =
  | { readonly kind: "page"; readonly route: Route; readonly id: string }
  | { readonly kind: "external"; readonly href: string };

/** The links of one site: resolves those of every page, and records what they need and which lead nowhere. */
export class SiteLinks {
  /** Files to copy: source path to path in the site. */
  readonly assets = new Map<string, string>();
  readonly broken: BrokenLink[] = [];
  /** How many pictures from elsewhere became links, by page. */
  readonly remoteMedia = new Map<string, number>();
  readonly #docs: DocsTree;
  readonly #routes: Routes;
  readonly #redirects: Redirects;
  readonly #claims = new PathClaims();
  readonly #sectionLinks: { page: string; href: string; target: Route; id: string }[] = [];

  constructor(docs: DocsTree, routes: Routes, redirects: readonly RedirectRule[]) {
    this.#docs = docs;
    this.#routes = routes;
    this.#redirects = new Redirects(redirects);
    for (const { outPath } of routes.all) this.#claims.claim(outPath);
  }

  /** The resolver of one page's links. */
  resolverOf(page: Route): LinkResolver {
    return {
      resolveLink: (href) => this.#resolveLink(page, href),
      resolveMedia: (source) => this.#resolveMedia(page, source),
    };
  }

  /** The path in the site of a file that is copied from now on; the bundle's own manifest must not be replaced. */
  claimAsset(source: string): string {
    const path =
      this.assets.get(source) ??
      this.#claims.claimNext(source === "manifest.json" ? "manifest-1.json" : toPortablePath(source));
    this.assets.set(source, path);
    return path;
  }

  /** The links to sections that their pages do not have, by the identifiers that each rendered page has. */
  findBrokenSections(idsBySource: ReadonlyMap<string, ReadonlySet<string>>): BrokenLink[] {
    return this.#sectionLinks
      .filter(({ target, id }) => idsBySource.get(target.source)?.has(id) === false)
      .map(({ page, href }) => ({ page, href, reason: "section-not-found" }));
  }

  /**
   * Pages at the addresses that have moved, by their paths, so that old links work in a site without a server that redirects.
   * An address that a page has is not taken from it.
   */
  redirectPages(titleOf: (route: Route) => string): ReadonlyMap<string, string> {
    const pages = new Map<string, string>();
    for (const address of this.#redirects.exact.keys()) {
      const outPath = redirectPath(address);
      const target = this.#findMoved(address);
      if (outPath === undefined || target === undefined || !this.#claims.isFree(outPath)) continue;
      if (pages.size >= maxRedirectPages) break;
      const path = this.#claims.claim(outPath);
      if (target.kind === "external") pages.set(path, renderRedirectPage(target.href, target.href));
      else {
        const hash = target.id === "" ? "" : `#${encodeURIComponent(target.id)}`;
        const href = relativeLink(path, target.route.outPath) + hash;
        pages.set(path, renderRedirectPage(href, titleOf(target.route)));
      }
    }
    return pages;
  }

  #resolveLink(page: Route, href: string): LinkTarget {
    const external = externalTarget(href.trim());
    if (external?.kind === "broken") return this.#reportBroken(page, href, "refused");
    if (external !== undefined) return external;
    const [path, hash] = splitAddress(href.trim()).map(decodePath) as [string, string];
    const found: Destination | undefined =
      path === "" ? { kind: "page", route: page, id: "" } : this.#findPage(page, path);
    if (found?.kind === "external") return found;
    if (found !== undefined) return this.#toPage(page, found.route, hash || found.id, href);
    // Every site has a front page, also where the documents have none.
    if (path === "/") return { kind: "internal", href: relativeLink(page.outPath, "index.html") };
    const file = this.#findFile(page, path, [mediaTypes, documentTypes]);
    return file === undefined ? this.#reportBroken(page, href, "page-not-found") : this.#toAsset(page, file);
  }

  #resolveMedia(page: Route, source: string): LinkTarget {
    if (inlineImage.test(source)) return { kind: "internal", href: source };
    const external = externalTarget(source.trim());
    if (external?.kind === "broken") return this.#reportBroken(page, source, "refused");
    if (external !== undefined) {
      this.remoteMedia.set(page.source, (this.remoteMedia.get(page.source) ?? 0) + 1);
      return external;
    }
    const [path] = splitAddress(source.trim());
    const file = this.#findFile(page, decodePath(path), [mediaTypes]);
    return file === undefined
      ? this.#reportBroken(page, source, "file-not-found")
      : this.#toAsset(page, file);
  }

  #reportBroken(page: Route, href: string, reason: BrokenLink["reason"]): LinkTarget {
    this.broken.push({ page: page.source, href, reason });
    return { kind: "broken" };
  }

  #toPage(page: Route, target: Route, id: string, href: string): LinkTarget {
    if (id !== "" && id !== "top") this.#sectionLinks.push({ page: page.source, href, target, id });
    const path = target === page && id !== "" ? "" : relativeLink(page.outPath, target.outPath);
    return { kind: "internal", href: id === "" ? path : `${path}#${encodeURIComponent(id)}` };
  }

  #toAsset(page: Route, file: string): LinkTarget {
    return { kind: "internal", href: relativeLink(page.outPath, this.claimAsset(file)) };
  }

  #findPage(page: Route, path: string): Destination | undefined {
    const candidates = candidatePaths(page, path);
    for (const candidate of candidates) {
      const route = this.#routes.find(candidate);
      if (route !== undefined) return { kind: "page", route, id: "" };
    }
    for (const candidate of candidates) {
      const moved = this.#findMoved(candidate);
      if (moved !== undefined) return moved;
    }
    return undefined;
  }

  /** Where an address has moved to; a page that exists ends the search, also if the configuration moves it on. */
  #findMoved(address: string): Destination | undefined {
    let path = address;
    for (let moves = 0; moves < maxMoves; moves += 1) {
      const moved = this.#redirects.find(path);
      if (moved === undefined) return undefined;
      const external = externalTarget(moved);
      if (external !== undefined) return external.kind === "external" ? external : undefined;
      const [next, id] = splitAddress(moved);
      const route = this.#routes.find(next);
      if (route !== undefined) return { kind: "page", route, id };
      path = next;
    }
    return undefined;
  }

  #findFile(page: Route, path: string, types: readonly RegExp[]): string | undefined {
    if (!types.some((type) => type.test(path))) return undefined;
    return candidatePaths(page, path)
      .flatMap((candidate) => publicFolders.map((folder) => folder + candidate))
      .find((candidate) => this.#docs.files.has(candidate));
  }
}

/** Path and fragment of a relative address, without its query. */
function splitAddress(address: string): [path: string, fragment: string] {
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/s.exec(address) ?? [];
  return [path, fragment];
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // A lone percent sign is part of the name.
    if (error instanceof URIError) return path;
    throw error;
  }
}

function externalTarget(href: string): Exclude<LinkTarget, { kind: "internal" }> | undefined {
  const address = href.startsWith("//") ? `https:${href}` : href;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) return undefined;
  const url = URL.parse(address);
  if (url === null || !allowedSchemes.has(url.protocol)) return { kind: "broken" };
  return { kind: "external", href: url.href };
}

/** What a link may mean, as paths from the documents' root, most likely first. */
function candidatePaths({ source, slug }: Route, path: string): readonly string[] {
  if (path.startsWith("/")) return [posix.normalize(path).slice(1)];
  const bases = [posix.dirname(source), source.replace(/\.\w+$/, ""), posix.dirname(slug)];
  return bases.map((base) => posix.join("/", base, path).slice(1));
}

/** One line of the configuration. */
interface RedirectRule {
  readonly source: string;
  readonly destination: string;
}

function trimSlashes(address: string): string {
  return address.replace(/^\/+|\/+$/g, "");
}

/** The name of a wildcard: `:name` stands for one segment, `:name*` or `*` for the rest. */
function wildcardOf(segment: string): { readonly name: string; readonly isRest: boolean } | undefined {
  const match = /^(?::(\w+))?(\*)?$/.exec(segment);
  if (segment === "" || match === null) return undefined;
  return { name: match[1] ?? "*", isRest: match[2] !== undefined };
}

/** Addresses that moved: the first rule that fits counts, and whole addresses come before patterns. */
export class Redirects {
  /** Whole addresses that moved, with their destinations, in the order of the configuration. */
  readonly exact = new Map<string, string>();
  readonly #patterns: { readonly segments: readonly string[]; readonly destination: string }[] = [];

  constructor(rules: readonly RedirectRule[]) {
    for (const { source, destination } of rules) {
      const address = trimSlashes(source);
      const segments = address.split("/");
      if (segments.some(wildcardOf)) this.#patterns.push({ segments, destination });
      else if (!this.exact.has(address)) this.exact.set(address, fillWildcards(destination, new Map()));
    }
  }

  /** The destination of an address, which may have moved in turn; `undefined` where it has not moved. */
  find(written: string): string | undefined {
    const address = trimSlashes(written);
    const whole = this.exact.get(address);
    if (whole !== undefined) return whole;
    for (const { segments, destination } of this.#patterns) {
      const captures = matchSegments(segments, address.split("/"));
      if (captures !== undefined) return fillWildcards(destination, captures);
    }
    return undefined;
  }
}

/** What the wildcards of a rule stand for in an address; `undefined` where the rule does not fit. */
function matchSegments(rule: readonly string[], address: readonly string[]): Map<string, string> | undefined {
  const captures = new Map<string, string>();
  for (const [index, segment] of rule.entries()) {
    const wildcard = wildcardOf(segment);
    if (wildcard?.isRest) return captures.set(wildcard.name, address.slice(index).join("/"));
    const actual = address[index];
    if (actual === undefined || (wildcard === undefined && actual !== segment)) return undefined;
    if (wildcard !== undefined) captures.set(wildcard.name, actual);
  }
  return rule.length === address.length ? captures : undefined;
}

function fillWildcards(destination: string, captures: ReadonlyMap<string, string>): string {
  if (/^[a-z]+:/i.test(destination)) return destination;
  return trimSlashes(destination)
    .split("/")
    .map((segment) => {
      const wildcard = wildcardOf(segment);
      return wildcard === undefined ? segment : (captures.get(wildcard.name) ?? "");
    })
    .filter((segment) => segment !== "")
    .join("/");
}

/** Path in the site of the page at an address that moved; `undefined` for addresses that are no page's. */
function redirectPath(address: string): string | undefined {
  if (address === "") return "index.html";
  const written = address.replace(/\.html?$/i, "");
  // `/robots.txt` and the like are files, not pages; `..` is outside the site.
  const isPage = written.split("/").every((segment) => segment !== "" && !segment.startsWith("."));
  return isPage && !/\.[a-z0-9]{1,5}$/i.test(written) ? `${toPortablePath(written)}.html` : undefined;
}

/** The page at an address that has moved: it leads on by itself, and by a link where a browser does not. */
function renderRedirectPage(href: string, title: string): string {
  return html`<!doctype html>
<html lang="en">
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
<main><h1>This page has moved</h1><p><a href="${href}">${title}</a></p></main>
</body>
</html>
`.markup;
}
