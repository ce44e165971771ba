/** Assigns paths to pages and files that are valid on all file systems. */

import { posix } from "node:path";
import { exportReportPath } from "../../base/export-report.ts";
import { invisibleCharacter, problemOfSegment } from "../../bundle/entry-path.ts";

/** Folder of the style sheet, scripts and search index. */
export const assetsFolder = "site-assets";

/** Lists of pages for programs. Lists that the documents provide are kept. */
export const listPaths: readonly string[] = ["llms.txt", "llms-full.txt", "sitemap.xml"];

const reservedPaths = ["404.html", exportReportPath, `${assetsFolder}/site.css`, ...listPaths];

/** A page of the site. */
export interface Route {
  /** Path of the source file from the documents folder. */
  readonly source: string;
  /** Output path without extension: `guides/start`, or `index` for the front page. */
  readonly slug: string;
  /** Output path: `guides/start.html`. */
  readonly outPath: string;
}

const pageExtension = /\.(?:mdx|md|markdown|html)$/i;

/** Whether a source file is a page, by its name. */
export function isPagePath(path: string): boolean {
  return /\.(?:mdx|md|markdown)$/i.test(path) && !path.split("/").some((segment) => segment.startsWith("_"));
}

/** Removes number prefixes from all segments: `01-start/02-install` becomes `start/install`. */
export function stripOrderPrefixes(path: string): string {
  return path
    .split("/")
    .map((segment) => segment.replace(/^\d{1,3}[-_.]\s*(?=[^\d\s])/, ""))
    .join("/");
}

/** Removes leading and trailing slashes. */
export function trimSlashes(address: string): string {
  return address.replace(/^\/+|(?<!\/)\/+$/g, "");
}

/** Normalized forms of a page's path: with and without number prefixes. */
function lookupKeys(address: string): string[] {
  const path = trimSlashes(address).replace(pageExtension, "");
  const keyOf = (written: string) => written.toLowerCase().replace(/(?:^|\/)(?:index|readme)$/, "");
  return [keyOf(path), keyOf(stripOrderPrefixes(path))];
}

/**
 * Assigns output paths to page sources. They are unique even on case-insensitive file systems.
 *
 * @param isVerbatim whether number prefixes are kept, as with a configuration that names the pages
 * @returns the routes in the order of the sources
 */
export function assignRoutes(sources: readonly string[], isVerbatim: boolean): Route[] {
  const claims = new PathClaims();
  const routes = new Map<string, Route>();
  // READMEs come last, so that an `index` page beside one gets the path `index`.
  const isReadme = (source: string) => Number(/readme\.\w+$/i.test(source));
  for (const source of sources.toSorted((left, right) => isReadme(left) - isReadme(right))) {
    const slug = chooseSlug(source, isVerbatim, claims);
    routes.set(source, { source, slug, outPath: `${slug}.html` });
  }
  return sources.flatMap((source) => routes.get(source) ?? []);
}

function chooseSlug(source: string, isVerbatim: boolean, claims: PathClaims): string {
  const original = source.replace(pageExtension, "");
  // A folder in parentheses only groups pages.
  const name = isVerbatim ? original : stripOrderPrefixes(original).replace(/(?<=^|\/)\([^/]+\)\//g, "");
  const plain = toPortablePath(name).replace(/(^|\/)readme$/i, "$1index");
  const slug = claims.isFree(`${plain}.html`) ? plain : toPortablePath(original);
  return claims.claimNext(`${slug}.html`).slice(0, -".html".length);
}

/** Finds pages by the paths that links and navigation use. */
export class Routes {
  readonly all: readonly Route[];
  readonly #bySource: ReadonlyMap<string, Route>;
  readonly #byKey = new Map<string, Route>();

  constructor(all: readonly Route[]) {
    this.all = all;
    this.#bySource = new Map(all.map((route) => [route.source, route]));
    // Paths with their prefixes take precedence over paths without.
    for (const form of [0, 1])
      for (const route of all)
        for (const address of [route.slug, route.source]) {
          const key = lookupKeys(address)[form] ?? "";
          if (!this.#byKey.has(key)) this.#byKey.set(key, route);
        }
  }

  /** Finds a page by its source file or by a path from the root, in any form. */
  find(address: string): Route | undefined {
    const source = this.#bySource.get(address);
    if (source !== undefined) return source;
    const keys = lookupKeys(address);
    // Sites are often served below `docs/`, without such a folder in the documents.
    const withoutBase = keys.map((key) => key.replace(/^docs(?:\/|$)/, ""));
    const found = [...keys, ...withoutBase].flatMap((key) => this.#byKey.get(key) ?? []);
    return found[0];
  }
}

/** Output path of a page's Markdown file. */
export function markdownPath(outPath: string): string {
  return outPath.replace(/\.html$/, ".md");
}

/** The relative, percent-encoded link from one file of the site to another. */
export function relativeLink(fromOutPath: string, toOutPath: string): string {
  return encodePath(posix.relative(posix.dirname(fromOutPath), toOutPath));
}

/** Converts a link relative to the root into one for a file at a folder depth. */
export function linkAtDepth(depth: number, href: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:|#)/i.test(href) ? href : "../".repeat(depth) + href;
}

/** The folder depth of a file. */
export function depthOf(outPath: string): number {
  return outPath.split("/").length - 1;
}

/** Percent-encodes the segments of a path. */
export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

const reservedCharacters = /[?#%\\:;*"<>|\p{Cc}]/gu;
const invisibleCharacters = new RegExp(invisibleCharacter, "gu");
/** File systems allow 255 bytes. Extension and number suffix need some of them. */
const maxSegmentBytes = 220;

/** Replaces characters that are special in URLs or invalid on a file system, as bundles are unpacked on all systems. */
export function toPortablePath(path: string): string {
  return path.split("/").map(toPortableSegment).join("/");
}

function toPortableSegment(segment: string): string {
  const visible = segment.normalize("NFC").replace(reservedCharacters, "-").replace(invisibleCharacters, "");
  // Removing invisible characters may leave letters that combine.
  const plain = cutSegment(visible.normalize("NFC")).replace(/[. ]+$/, (end) => "-".repeat(end.length));
  const isUsable = problemOfSegment(plain) === undefined && (plain !== "" || segment === "");
  return isUsable ? plain : `_${plain}`;
}

function cutSegment(segment: string): string {
  // Every character takes at least one byte.
  const characters = [...segment.slice(0, maxSegmentBytes)];
  while (Buffer.byteLength(characters.join("")) > maxSegmentBytes) characters.pop();
  return characters.join("").replace(/[\uD800-\uDBFF]$/, "");
}

/** Paths with the same identity are the same file on some system. */
function identityOf(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** The claimed paths of a site, including reserved ones. They are distinct on all systems. */
export class PathClaims {
  readonly #claimed = new Set<string>();
  /** The next number suffix to try, by identity. */
  readonly #counts = new Map<string, number>();
  /** Spelling of each folder, by identity. */
  readonly #folders = new Map<string, string>();

  constructor(pages: readonly Route[] = []) {
    for (const path of [...reservedPaths, ...pages.map(({ outPath }) => outPath)]) this.claim(path);
  }

  isFree(path: string): boolean {
    return !this.#claimed.has(identityOf(path));
  }

  /** Claims a free path. Its folders keep the spelling of their first claim. */
  claim(path: string): string {
    this.#claimed.add(identityOf(path));
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

  /** Claims a path, or the first free one with a number before the extension. */
  claimNext(path: string): string {
    const [, base = path, extension = ""] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? [];
    let free = path;
    let count = this.#counts.get(identityOf(path)) ?? 2;
    for (; !this.isFree(free); count += 1) free = `${base}-${count}${extension}`;
    this.#counts.set(identityOf(path), count);
    return this.claim(free);
  }
}
