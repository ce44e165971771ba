/** Which source file becomes which page, under a path that every system can hold. */

import { posix } from "node:path";
import { exportReportPath } from "../../base/export-report.ts";
import { invisibleCharacter, problemOfSegment } from "../../bundle/entry-path.ts";

/** Folder of the site's own style sheet, scripts and search index. */
export const assetsFolder = "site-assets";

/** Lists of the site's pages, for programs; a documents folder that has one of its own keeps that. */
export const listPaths: readonly string[] = ["llms.txt", "llms-full.txt", "sitemap.xml"];

const ownPaths = ["404.html", exportReportPath, `${assetsFolder}/site.css`, ...listPaths];

/** A page of the site. */
export interface Route {
  /** Path of the source file from the documents folder. */
  readonly source: string;
  /** Address without extension: `guides/start`, or `index` for the front page. */
  readonly slug: string;
  /** Path of the page's file in the site: `guides/start.html`. */
  readonly outPath: string;
}

const pageExtension = /\.(?:mdx|md|markdown|html)$/i;

/** Whether a source file is a page by its name. */
export function isPagePath(path: string): boolean {
  return /\.(?:mdx|md|markdown)$/i.test(path) && !path.split("/").some((segment) => segment.startsWith("_"));
}

/** Takes ordering prefixes off every segment: `01-start/02-install` becomes `start/install`. */
export function stripOrderPrefixes(path: string): string {
  return path
    .split("/")
    .map((segment) => segment.replace(/^\d{1,3}[-_.]\s*(?=[^\d\s])/, ""))
    .join("/");
}

/** An address without the slashes around it. */
export function trimSlashes(address: string): string {
  return address.replace(/^\/+|(?<!\/)\/+$/g, "");
}

/** What the ways to write a page's address have in common: as it is, and without ordering prefixes. */
function lookupKeys(address: string): string[] {
  const path = trimSlashes(address).replace(pageExtension, "");
  const keyOf = (written: string) => written.toLowerCase().replace(/(?:^|\/)(?:index|readme)$/, "");
  return [keyOf(path), keyOf(stripOrderPrefixes(path))];
}

/**
 * Gives every page source its address; addresses are unique also where case does not count.
 *
 * @param isVerbatim whether names keep their ordering prefixes, as they do beside a configuration that names the pages
 * @returns in the order of the sources
 */
export function assignRoutes(sources: readonly string[], isVerbatim: boolean): Route[] {
  const claims = new PathClaims();
  const routes = new Map<string, Route>();
  // `index` pages come first, so that a README beside one does not take its address.
  const isReadme = (source: string) => Number(/readme\.\w+$/i.test(source));
  for (const source of sources.toSorted((left, right) => isReadme(left) - isReadme(right))) {
    const slug = chooseSlug(source, isVerbatim, claims);
    routes.set(source, { source, slug, outPath: `${slug}.html` });
  }
  return sources.flatMap((source) => routes.get(source) ?? []);
}

function chooseSlug(source: string, isVerbatim: boolean, claims: PathClaims): string {
  const original = source.replace(pageExtension, "");
  // A folder in parentheses groups pages, and is no part of their addresses.
  const name = isVerbatim ? original : stripOrderPrefixes(original).replace(/(?<=^|\/)\([^/]+\)\//g, "");
  const plain = toPortablePath(name).replace(/(^|\/)readme$/i, "$1index");
  const slug = claims.isFree(`${plain}.html`) ? plain : toPortablePath(original);
  return claims.claimNext(`${slug}.html`).slice(0, -".html".length);
}

/** The pages' addresses, found by what documents write in links and navigation. */
export class Routes {
  readonly all: readonly Route[];
  readonly #bySource: ReadonlyMap<string, Route>;
  readonly #byKey = new Map<string, Route>();

  constructor(all: readonly Route[]) {
    this.all = all;
    this.#bySource = new Map(all.map((route) => [route.source, route]));
    // An address as it is goes before one that only loses its prefixes.
    for (const form of [0, 1])
      for (const route of all)
        for (const address of [route.slug, route.source]) {
          const key = lookupKeys(address)[form] ?? "";
          if (!this.#byKey.has(key)) this.#byKey.set(key, route);
        }
  }

  /** Finds a page by its source file, or by its address from the documents' root however it is written. */
  find(address: string): Route | undefined {
    const source = this.#bySource.get(address);
    if (source !== undefined) return source;
    const keys = lookupKeys(address);
    // Sites are often served under `docs/`, while the documents themselves are not in such a folder.
    const withoutBase = keys.map((key) => key.replace(/^docs(?:\/|$)/, ""));
    const found = [...keys, ...withoutBase].flatMap((key) => this.#byKey.get(key) ?? []);
    return found[0];
  }
}

/** Path of a page's Markdown: beside its HTML. */
export function markdownPath(outPath: string): string {
  return outPath.replace(/\.html$/, ".md");
}

/** The link from one file of the site to another, relative and percent-encoded. */
export function relativeLink(fromOutPath: string, toOutPath: string): string {
  return encodePath(posix.relative(posix.dirname(fromOutPath), toOutPath));
}

/** A link that holds at the site's root, as it is in a folder of this depth. */
export function linkAtDepth(depth: number, href: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:|#)/i.test(href) ? href : "../".repeat(depth) + href;
}

/** How many folders a file of the site is in. */
export function depthOf(outPath: string): number {
  return outPath.split("/").length - 1;
}

/** A path as a part of an address. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

const reservedCharacters = /[?#%\\:;*"<>|\p{Cc}]/gu;
const invisibleCharacters = new RegExp(invisibleCharacter, "gu");
/** File systems take 255; an extension and a number need some of them. */
const maxSegmentBytes = 220;

/** Replaces what a URL or some file system would give a meaning of its own, or refuse: Windows and macOS unpack it too. */
export function toPortablePath(path: string): string {
  return path.split("/").map(toPortableSegment).join("/");
}

function toPortableSegment(segment: string): string {
  const visible = segment.normalize("NFC").replace(reservedCharacters, "-").replace(invisibleCharacters, "");
  // Letters that an invisible one kept apart may now be one.
  const plain = cutSegment(visible.normalize("NFC")).replace(/[. ]+$/, (end) => "-".repeat(end.length));
  const isUsable = problemOfSegment(plain) === undefined && (plain !== "" || segment === "");
  return isUsable ? plain : `_${plain}`;
}

function cutSegment(segment: string): string {
  // No character takes less than a byte: what is longer needs no counting.
  const characters = [...segment.slice(0, maxSegmentBytes)];
  while (Buffer.byteLength(characters.join("")) > maxSegmentBytes) characters.pop();
  return characters.join("").replace(/[\uD800-\uDBFF]$/, "");
}

/** Names that some system takes for one and the same have one identity. */
function identityOf(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** The paths of one site, with those that it has of its own; no two are the same on any system. */
export class PathClaims {
  readonly #taken = new Set<string>();
  /** The number at which the search for a free path goes on, by identity. */
  readonly #counts = new Map<string, number>();
  /** Spelling of each folder, by identity. */
  readonly #folders = new Map<string, string>();

  constructor(pages: readonly Route[] = []) {
    for (const path of [...ownPaths, ...pages.map(({ outPath }) => outPath)]) this.claim(path);
  }

  isFree(path: string): boolean {
    return !this.#taken.has(identityOf(path));
  }

  /** Takes a path that is free; its folders are spelled as they were at their first claim. */
  claim(path: string): string {
    this.#taken.add(identityOf(path));
    const segments = path.split("/");
    const name = segments.pop() ?? "";
    let folder = "";
    for (const segment of segments) {
      const written = `${folder}${segment}/`;
      folder = this.#folders.get(identityOf(written)) ?? written;
      this.#folders.set(identityOf(written), folder);
    }
    return folder + name;
  }

  /** Takes the path, or the first free one that is numbered before its extension. */
  claimNext(path: string): string {
    const [, base = path, extension = ""] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? [];
    let free = path;
    let count = this.#counts.get(identityOf(path)) ?? 2;
    for (; !this.isFree(free); count += 1) free = `${base}-${count}${extension}`;
    this.#counts.set(identityOf(path), count);
    return this.claim(free);
  }
}
