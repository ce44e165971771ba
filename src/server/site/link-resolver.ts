/** Decides where the links and pictures of a page lead, and records assets to copy and links that lead nowhere. */
import { posix } from "node:path";
import type { DocsTree } from "./content/docs-tree.ts";
import type { LinkResolver, LinkTarget } from "./content/links.ts";
import { type PathClaims, toPortablePath } from "./portable-path.ts";
import type { Redirects } from "./redirects.ts";
import { type Route, type Routes, relativeLink } from "./routes.ts";

/** A link that leads nowhere within the site. */
export interface BrokenLink {
  /** Source file of the page that has it. */
  readonly page: string;
  /** The link as it was written. */
  readonly href: string;
  readonly reason: "page-not-found" | "section-not-found" | "file-not-found" | "refused";
}

/** What all pages' resolvers share. */
export interface LinkIndex {
  readonly docs: DocsTree;
  readonly routes: Routes;
  readonly redirects: Redirects;
  /** Files to copy: source path to path in the site. */
  readonly assets: Map<string, string>;
  /** Every path that the site has so far. */
  readonly claims: PathClaims;
  readonly broken: BrokenLink[];
  /** Links to sections, checked when every page is rendered. */
  readonly sectionLinks: { page: string; href: string; target: Route; id: string }[];
  onRemoteMedia(page: string): void;
}

const copiedTypes =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|mp3|ogg|wav|pdf|zip|gz|tgz|tar|json|ya?ml|csv|tsv|txt)$/i;
const mediaTypes = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|mp3|ogg|wav)$/i;
const allowedSchemes = new Set(["http:", "https:", "mailto:", "tel:"]);
const inlineImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i;
/** Folders whose content sites serve from their root. */
const publicFolders = ["", "public/", "static/"];

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // A lone percent sign is part of the name.
    if (error instanceof URIError) return path;
    throw error;
  }
}

function externalTarget(href: string): LinkTarget | undefined {
  const address = href.startsWith("//") ? `https:${href}` : href;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) return undefined;
  const url = URL.parse(address);
  if (url === null || !allowedSchemes.has(url.protocol)) return { kind: "broken" };
  return { kind: "external", href: url.href };
}

/** Places from the documents' root that a link may mean, most likely first. */
function candidatePaths(route: Route, path: string): readonly string[] {
  if (path.startsWith("/")) return [posix.normalize(path).slice(1)];
  const bases = [posix.dirname(route.source), route.source.replace(/\.\w+$/, ""), posix.dirname(route.slug)];
  return bases.map((base) => posix.join("/", base, path).slice(1));
}

/** The path in the site of a file that is copied from now on; a site's own manifest must not be replaced. */
export function claimAsset(source: string, { assets, claims }: Pick<LinkIndex, "assets" | "claims">): string {
  const known = assets.get(source);
  if (known !== undefined) return known;
  const path = claims.claimNext(source === "manifest.json" ? "manifest-1.json" : toPortablePath(source));
  assets.set(source, path);
  return path;
}

/** Where a link leads: a page with the section that a redirection adds, or an address elsewhere. */
type FoundPage =
  | { readonly kind: "page"; readonly route: Route; readonly id?: string }
  | { readonly kind: "external"; readonly href: string };

function lookUp(address: string, { routes }: Pick<LinkIndex, "routes">): Route | undefined {
  return routes.bySource(address) ?? routes.find(address);
}

/** Moves of moves are followed this far. */
const maxMoves = 5;

/** Where an address has moved to; a page that exists ends the search, also if the configuration moves it on. */
export function findMoved(
  address: string,
  index: Pick<LinkIndex, "redirects" | "routes">,
): FoundPage | undefined {
  let path = address;
  for (let moves = 0; moves < maxMoves; moves += 1) {
    const moved = index.redirects.find(path);
    if (moved === undefined) return undefined;
    const external = externalTarget(moved);
    if (external !== undefined) return external.kind === "external" ? external : undefined;
    const [, next = "", id = ""] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/s.exec(moved) ?? [];
    const route = lookUp(next, index);
    if (route !== undefined) return { kind: "page", route, id };
    path = next;
  }
  return undefined;
}

function findPage(path: string, route: Route, index: LinkIndex): FoundPage | undefined {
  const candidates = candidatePaths(route, path);
  for (const candidate of candidates) {
    const found = lookUp(candidate, index);
    if (found !== undefined) return { kind: "page", route: found };
  }
  for (const candidate of candidates) {
    const found = findMoved(candidate, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findFile(path: string, types: RegExp, route: Route, { docs }: LinkIndex): string | undefined {
  const paths = candidatePaths(route, path).flatMap((candidate) =>
    publicFolders.map((folder) => folder + candidate),
  );
  return paths.find((candidate) => types.test(candidate) && docs.files.has(candidate));
}

/** Creates the resolver of one page's links. */
export function createLinkResolver(route: Route, index: LinkIndex): LinkResolver {
  function reportBroken(href: string, reason: BrokenLink["reason"]): LinkTarget {
    index.broken.push({ page: route.source, href, reason });
    return { kind: "broken" };
  }

  function toAsset(source: string): LinkTarget {
    return { kind: "internal", href: relativeLink(route.outPath, claimAsset(source, index)) };
  }

  function toPage(target: Route, id: string, href: string): LinkTarget {
    if (id !== "" && id !== "top") index.sectionLinks.push({ page: route.source, href, target, id });
    const path = target === route && id !== "" ? "" : relativeLink(route.outPath, target.outPath);
    return { kind: "internal", href: id === "" ? path : `${path}#${encodeURIComponent(id)}` };
  }

  function toPlace(path: string, id: string, href: string): LinkTarget {
    const page: FoundPage | undefined = path === "" ? { kind: "page", route } : findPage(path, route, index);
    if (page?.kind === "external") return page;
    if (page !== undefined) return toPage(page.route, id || (page.id ?? ""), href);
    // Every site has a front page, also where the documents have none.
    if (path === "/") return { kind: "internal", href: relativeLink(route.outPath, "index.html") };
    const file = findFile(path, copiedTypes, route, index);
    return file === undefined ? reportBroken(href, "page-not-found") : toAsset(file);
  }

  function resolveLink(href: string): LinkTarget {
    const external = externalTarget(href.trim());
    if (external?.kind === "broken") return reportBroken(href, "refused");
    if (external !== undefined) return external;
    const [, path = "", hash = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(href.trim()) ?? [];
    return toPlace(decodePath(path), decodePath(hash.slice(1)), href);
  }

  function resolveMedia(source: string): LinkTarget {
    if (inlineImage.test(source)) return { kind: "internal", href: source };
    const external = externalTarget(source.trim());
    if (external?.kind === "broken") return reportBroken(source, "refused");
    if (external !== undefined) {
      index.onRemoteMedia(route.source);
      return external;
    }
    const path = decodePath(source.trim().replace(/[?#].*$/s, ""));
    const file = findFile(path, mediaTypes, route, index);
    return file === undefined ? reportBroken(source, "file-not-found") : toAsset(file);
  }

  return { resolveLink, resolveMedia };
}

/** The links to sections that their pages do not have. */
export function findBrokenSections(
  index: Pick<LinkIndex, "sectionLinks">,
  idsBySource: ReadonlyMap<string, ReadonlySet<string>>,
): BrokenLink[] {
  return index.sectionLinks
    .filter(({ target, id }) => idsBySource.get(target.source)?.has(id) === false)
    .map(({ page, href }) => ({ page, href, reason: "section-not-found" }));
}
