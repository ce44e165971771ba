/** Assigns paths to pages and files that are valid on all file systems. */
import { posix } from "node:path";
import { exportReportPath } from "../../base/export-report.ts";
import { invisibleCharacter, problemOfSegment } from "../../bundle/entry-path.ts";

/** Folder of the style sheet, scripts and search index. */
export const assetsFolder = "site-assets";

/** Lists of pages for programs. Those that the documents provide take precedence. */
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

/** Whether a source file is a page, by its name. Names that begin with `_` or a dot are those of parts, except Hugo's `_index`. */
export function isPagePath(path: string): boolean {
  return /\.(?:mdx|md|markdown)$/i.test(path) && !/(?:^|\/)(?:_(?!index\.\w+$)|\.)/i.test(path);
}

/** Removes number prefixes from all segments: `01-start/02-install` becomes `start/install`. */
export function stripOrderPrefixes(path: string): string {
  return path
    .split("/")
    .map((segment) => segment.replace(/^\d{1,3}[-_.]\s*(?=[^\d\s])/, ""))
    .join("/");
}

/** Removes leading and trailing slashes. */
export function trimSlashes(path: string): string {
  return path.replace(/^\/+|(?<!\/)\/+$/g, "");
}

/** Normalized forms of a page's path: with and without number prefixes. */
function lookupKeys(path: string): [plain: string, withoutPrefixes: string] {
  const name = trimSlashes(path).replace(pageExtension, "");
  const keyOf = (page: string) => page.toLowerCase().replace(/(?:^|\/)(?:_?index|readme)$/, "");
  return [keyOf(name), keyOf(stripOrderPrefixes(name))];
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
  for (const source of sources.toSorted((left, right) => rankOf(left) - rankOf(right))) {
    const [plain = "", original = ""] = namesOf(source, isVerbatim).map(toPortablePath);
    const name = claims.isFree(`${plain}.html`) ? plain : original;
    const slug = claims.claimNext(`${name}.html`).slice(0, -".html".length);
    routes.set(source, { source, slug, outPath: `${slug}.html` });
  }
  return sources.flatMap((source) => routes.get(source) ?? []);
}

/** A rank that puts `README` and `_index` after an `index` page beside them, which is the page of the folder. */
const rankOf = (source: string) => Number(/(?:readme|_index)\.\w+$/i.test(source));

/** The path of a page without its extension: as a reader expects it, and as it is written. */
function namesOf(source: string, isVerbatim: boolean): [name: string, original: string] {
  const original = source.replace(pageExtension, "");
  if (isVerbatim) return [original, original];
  return [stripOrderPrefixes(original).replace(/(^|\/)(?:readme|_index)$/i, "$1index"), original];
}

/** Whether a page got another path than its file's, because that is in use, or invalid in a URL or on a file system. */
export function isRenamed({ source, slug }: Route, isVerbatim: boolean): boolean {
  return !namesOf(source, isVerbatim).some((name) => identityOf(name) === identityOf(slug));
}

/** Finds pages by the paths that links and navigation use. */
export class Routes {
  readonly all: readonly Route[];
  readonly #byPath: ReadonlyMap<string, Route>;

  constructor(all: readonly Route[]) {
    this.all = all;
    const routes = all.toReversed().toSorted((left, right) => rankOf(right.source) - rankOf(left.source));
    const entries = routes.flatMap((route) =>
      [route.source, route.slug].map((path) => [[...lookupKeys(path), path], route] as const),
    );
    // The last takes precedence: the first route, an exact path over other forms, and one with its prefixes over one without.
    this.#byPath = new Map(
      [1, 0, 2].flatMap((form) => entries.map(([forms, route]) => [forms[form] ?? "", route] as const)),
    );
  }

  /** Finds a page by its source file or by a path from the root, in any form. */
  find(path: string): Route | undefined {
    const keys = lookupKeys(path);
    // Sites are often served below `docs/`, without such a folder in the documents.
    const candidates = [trimSlashes(path), ...keys, ...keys.map((key) => key.replace(/^docs(?:\/|$)/, ""))];
    return candidates.flatMap((form) => this.#byPath.get(form) ?? [])[0];
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

/** Whether a URL is absolute, or starts with `//`. */
export function hasScheme(url: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url);
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
  return path.toWellFormed().split("/").map(toPortableSegment).join("/");
}

function toPortableSegment(segment: string): string {
  const visible = segment.normalize("NFC").replace(reservedCharacters, "-").replace(invisibleCharacters, "");
  // Removing invisible characters may leave letters that combine.
  const normal = visible.normalize("NFC");
  const cut = normal.slice(0, encoder.encodeInto(normal, segmentBytes).read);
  const plain = cut.replace(/[. ]+$/, (end) => "-".repeat(end.length));
  const isUsable = problemOfSegment(plain) === undefined && (plain !== "" || segment === "");
  return isUsable ? plain : `_${plain}`;
}

const encoder = new TextEncoder();
const segmentBytes = new Uint8Array(maxSegmentBytes);

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
      const path = `${folder}${segment}/`;
      folder = this.#folders.get(identityOf(path)) ?? path;
      this.#folders.set(identityOf(path), folder);
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
