/** Which source file becomes which page, and where a link in the documents leads. */
import { posix } from "node:path";
import { createPathClaims, type PathClaims, toPortablePath } from "./portable-path.ts";

/** Folder of the site's own style sheet, scripts and search index. */
export const assetsFolder = "site-assets";

/** Paths that the site has of its own. */
export const ownPaths: readonly string[] = ["404.html", `${assetsFolder}/site.css`];

/** A page of the site. */
export interface Route {
  /** Path of the source file from the documents folder. */
  readonly source: string;
  /** Address without extension: `guides/start`, or `index` for the front page. */
  readonly slug: string;
  /** Path of the page's file in the site: `guides/start.html`. */
  readonly outPath: string;
}

/** Finds pages by what documents write in links and navigation. */
export interface Routes {
  readonly all: readonly Route[];
  bySource(source: string): Route | undefined;
  /** Looks an address up that is given from the documents' root, with or without extension, base or numeric prefixes. */
  find(address: string): Route | undefined;
}

const pageExtension = /\.(?:mdx|md|markdown|html)$/i;
const indexName = /(?:^|\/)(?:index|readme)$/i;
/** Folders that sites are often served under, while the documents themselves are not in such a folder. */
const assumedBases = ["docs"];

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

function lookupKey(address: string): string {
  const path = stripOrderPrefixes(address.replace(/^\/+|\/+$/g, "").replace(pageExtension, "")).toLowerCase();
  return path.replace(indexName, "");
}

function preferredSlug(source: string): string {
  const stripped = toPortablePath(stripOrderPrefixes(source.replace(pageExtension, "")));
  return stripped.replace(/(^|\/)readme$/i, "$1index");
}

function chooseSlug(source: string, claims: PathClaims): string {
  const original = toPortablePath(source.replace(pageExtension, ""));
  let slug = preferredSlug(source);
  if (!claims.isFree(`${slug}.html`)) slug = original;
  for (let count = 2; !claims.isFree(`${slug}.html`); count += 1) slug = `${original}-${count}`;
  return claims.claim(`${slug}.html`).slice(0, -".html".length);
}

/** `index` pages come first, so that a README beside one does not take its place. */
function byPrecedence(left: string, right: string): number {
  return Number(/readme\.\w+$/i.test(left)) - Number(/readme\.\w+$/i.test(right));
}

/** Gives every page source its address; addresses are unique also where case does not count. */
export function createRoutes(sources: readonly string[]): Routes {
  const claims = createPathClaims();
  for (const path of ownPaths) claims.claim(path);
  const bySource = new Map<string, Route>();
  const byKey = new Map<string, Route>();
  for (const source of sources.toSorted(byPrecedence)) {
    const slug = chooseSlug(source, claims);
    const route = { source, slug, outPath: `${slug}.html` };
    bySource.set(source, route);
    for (const key of [lookupKey(slug), lookupKey(source)]) if (!byKey.has(key)) byKey.set(key, route);
  }
  return {
    all: sources.flatMap((source) => bySource.get(source) ?? []),
    bySource: (source) => bySource.get(source),
    find: (address) => findByKey(lookupKey(address), byKey),
  };
}

function findByKey(key: string, byKey: ReadonlyMap<string, Route>): Route | undefined {
  const exact = byKey.get(key);
  if (exact !== undefined) return exact;
  const base = assumedBases.find((name) => key === name || key.startsWith(`${name}/`));
  return base === undefined ? undefined : byKey.get(key.slice(base.length + 1));
}

/** The link from one file of the site to another, relative and percent-encoded. */
export function relativeLink(fromOutPath: string, toOutPath: string): string {
  const path = posix.relative(posix.dirname(fromOutPath), toOutPath);
  return path.split("/").map(encodeURIComponent).join("/");
}

/** The way from a file of the site to the site's root: empty, or ending in a slash. */
export function rootPrefix(outPath: string): string {
  return "../".repeat(outPath.split("/").length - 1);
}
