/** Resolves links and media to pages, files to copy, redirects and URLs of other sites. */
import { posix } from "node:path";
import type { Root } from "hast";
import { html } from "hono/html";
import { cachePerObject } from "../../base/cache-per-object.ts";
import { decodePercent } from "../../base/text.ts";
import type { DocsTree } from "./content/docs-tree.ts";
import { elementsIn, isElement, stringProperty } from "./content/hast.ts";
import { plainSlug } from "./content/heading-slugs.ts";
import { hashOf } from "./content/polish-tree.ts";
import { inlineImage } from "./content/sanitize-svg.ts";
import { wordsFor } from "./interface-words.ts";
import type { FetchedPicture, FetchPicture, RemoteMedia } from "./remote-files.ts";
import type { PageReporter, WarningReporter } from "./report.ts";
import {
  encodePath,
  hasScheme,
  listPaths,
  PathClaims,
  type Route,
  Routes,
  relativeLink,
  toPortablePath,
  trimSlashes,
} from "./routes.ts";
import { type SiteConfig, siteUrlOf } from "./site-config.ts";

/** Elements that can show remote content. */
export type MediaKind = "img" | "video" | "audio" | "iframe";

/** Resolves the links and media of a page; `undefined` for a broken link. */
export interface LinkResolver {
  resolveLink(href: string, line: number | undefined): string | undefined;
  /** @param kind the element that shows it; default: a picture */
  resolveMedia(source: string, line: number | undefined, kind?: MediaKind | "icon"): string | undefined;
  /** Whether pages load remote media. Otherwise, remote media become links. */
  readonly keepsRemote?: boolean;
}

const brokenReasons = {
  page: "there is no such page",
  section: "the page has no such section",
  file: "the site has no such file",
  unpublished: "the file is not part of the exported site",
  refused: "URLs of this type are not allowed",
} as const;

function describeBroken(href: string, reason: keyof typeof brokenReasons): string {
  return `the link ${href} is broken: ${brokenReasons[reason]}`;
}

const mediaTypes = {
  img: /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp)$/i,
  video: /\.(?:mp4|webm|mov)$/i,
  audio: /\.(?:mp3|ogg|wav)$/i,
} as const;
const documentTypes = /\.(?:pdf|zip|gz|tgz|tar|json|ya?ml|csv|tsv|txt)$/i;
const allowedSchemes = new Set(["http:", "https:", "mailto:", "tel:"]);
/** Folders whose content is served from the root of a site. */
const publicFolders = ["", "public/", "static/"];
const maxChainedRedirects = 5;
/** Each one may have a page, and a link without a match is compared with those that have a wildcard. */
const maxRedirects = 5_000;
const maxShownLength = 300;
/** The usual base path of a site without a configured URL. */
const defaultFolder = "docs";

/** A page, or one of its sections. */
type PageTarget = { readonly route: Route; readonly id: string };

/** The target of a link: a page, or the external URL that a redirect leads to. */
type Destination = PageTarget | string;

/** The pages and redirects that links of a site lead to. */
export interface LinkTargets extends Pick<SiteConfig, "redirects" | "seo"> {
  readonly routes: readonly Route[];
  /** The first page of the navigation in each folder, by the folder's path. */
  readonly firstPages: readonly (readonly [folder: string, Route])[];
}

/** The targets of a page's links and media. */
export interface PageLinks {
  /** Links to sections. `target` is the source of the page that should contain the section `id`. */
  readonly sections: {
    readonly page: string;
    readonly href: string;
    readonly line: number | undefined;
    readonly target: string;
    readonly id: string;
  }[];
  /** Source paths of the files to copy. */
  readonly assets: Set<string>;
  /** Types of remote media that the page loads. */
  readonly remote: Set<MediaKind>;
}

/** Link targets of a page without links. */
export function noLinks(): PageLinks {
  return { sections: [], assets: new Set(), remote: new Set() };
}

/**
 * Reports links to missing sections. Case and punctuation of an identifier do not count, because the pages' script finds the section.
 *
 * @param idsBySource identifiers of each rendered page
 */
export function reportBrokenSections(
  pages: readonly PageLinks[],
  idsBySource: ReadonlyMap<string, ReadonlySet<string>>,
  onWarning: WarningReporter,
): void {
  const plainIds = cachePerObject((ids: ReadonlySet<string>) => new Set([...ids].map(plainSlug)));
  for (const { page, href, line, target, id } of pages.flatMap(({ sections }) => sections)) {
    const ids = idsBySource.get(target);
    if (ids !== undefined && !ids.has(id) && !plainIds(ids).has(plainSlug(id)))
      onWarning(page, describeBroken(href, "section"), "link", line);
  }
}

/** Resolves the links of all pages of a site. Every rendering thread has the same state. */
export class SiteLinks {
  readonly #routes: Routes;
  readonly #redirects: Redirects;
  readonly #firstPages: ReadonlyMap<string, Route>;
  /** Base path of the published site, which links may include. */
  readonly #folder: string;
  readonly #claims: PathClaims;
  /** All files of the documents, also those that are not exported. */
  readonly #files: DocsTree["files"];
  /** Output paths of all files that pages may link to, the written lists of pages included. */
  readonly #assetPaths: ReadonlyMap<string, string>;
  readonly #remoteMedia: RemoteMedia;
  /** Results of fetching remote pictures, by URL. */
  readonly #pictures = new Map<string, FetchedPicture>();

  constructor(docs: DocsTree, targets: LinkTargets, remoteMedia: RemoteMedia = "link") {
    const { routes, redirects = [], firstPages } = targets;
    this.#routes = new Routes(routes);
    this.#redirects = new Redirects(redirects);
    this.#firstPages = new Map(firstPages);
    const siteUrl = siteUrlOf(targets);
    const basePath = trimSlashes(URL.parse(siteUrl ?? "")?.pathname ?? "");
    this.#folder = `${basePath || defaultFolder}/`;
    this.#remoteMedia = remoteMedia;
    const claims = new PathClaims(routes);
    this.#claims = claims;
    const outPathOf = (path: string) =>
      listPaths.includes(path) ? path : claims.claimNext(toPortablePath(path.replace(/\.(?=gitbook\/)/, "")));
    this.#files = docs.files;
    const files = [...docs.files].filter((path) => kindOfPath(path) === "file");
    const hasSitemap = siteUrl !== undefined || docs.files.has("sitemap.xml");
    const lists = listPaths.filter((path) => path !== "sitemap.xml" || hasSitemap);
    this.#assetPaths = new Map([...files, ...lists].map((path) => [path, outPathOf(path)]));
  }

  /** Creates the resolver of one page. It collects targets in `found` and reports broken links. */
  resolverOf(page: Route, found: PageLinks, onWarning: PageReporter): LinkResolver {
    const reportBroken = (href: string, reason: keyof typeof brokenReasons, line?: number): undefined =>
      onWarning(describeBroken(href, reason), "link", line) as undefined;
    const toAsset = (file: string) => {
      found.assets.add(file);
      return relativeLink(page.outPath, this.assetPath(file));
    };
    const toPage = ({ route, id }: PageTarget, href: string, line: number | undefined) => {
      if (id !== "" && id !== "top")
        found.sections.push({ page: page.source, href, line, target: route.source, id });
      const isOwn = route.source === page.source && id !== "";
      return (isOwn ? "" : relativeLink(page.outPath, route.outPath)) + hashOf(id);
    };
    const resolveLink: LinkResolver["resolveLink"] = (href, line) => {
      const target = this.findTarget(page, href);
      if (target !== undefined) return typeof target === "string" ? target : toPage(target, href, line);
      const url = href.trim();
      if (hasScheme(url)) return externalUrl(url) ?? reportBroken(href, "refused", line);
      const [path] = splitUrl(url);
      const file = this.#findFile(page, path);
      if (file !== undefined) return toAsset(file);
      const isUnpublished = this.#candidatePaths(page, path).some((candidate) => this.#files.has(candidate));
      return reportBroken(href, isUnpublished ? "unpublished" : kindOfPath(path), line);
    };
    /** The URL of remote media, or the path of a fetched picture. */
    const toRemote = (url: string, kind: MediaKind | "icon", warn: (message: string) => void) => {
      const element = kind === "icon" ? "img" : kind;
      if (this.#remoteMedia === "keep" && url.startsWith("https:")) {
        found.remote.add(element);
        return url;
      }
      const fetched = element === "img" ? this.#pictures.get(url) : undefined;
      if (fetched !== undefined && "path" in fetched) return relativeLink(page.outPath, fetched.path);
      const type = { img: "picture", iframe: "frame", video: "video", audio: "audio", icon: "icon" }[kind];
      const result = kind === "icon" ? "was left out" : "became a link";
      const reason = fetched === undefined ? "" : `, because it was not fetched: ${fetched.problem}`;
      warn(`the remote ${type} ${url.slice(0, maxShownLength)} ${result}${reason}`);
      return url;
    };
    const resolveMedia: LinkResolver["resolveMedia"] = (source, line, kind = "img") => {
      if (inlineImage.test(source)) return source;
      const warn = (message: string) => onWarning(message, "media", line);
      const url = source.trim();
      if (hasScheme(url)) {
        const external = externalUrl(url);
        if (external === undefined) return reportBroken(source, "refused", line);
        return toRemote(external, kind, warn);
      }
      if (kind === "iframe") {
        warn(`the frame ${url.slice(0, maxShownLength)} became a link`);
        return resolveLink(url, line);
      }
      const [path] = splitUrl(url);
      const file = mediaKindOf(path) ? this.#findFile(page, path) : undefined;
      return file === undefined ? reportBroken(source, "file", line) : toAsset(file);
    };
    return { keepsRemote: this.#remoteMedia === "keep", resolveLink, resolveMedia };
  }

  /** The target of a link to a page; `undefined` for other sites, files and broken links. */
  findTarget(page: Route, href: string): Destination | undefined {
    if (hasScheme(href.trim())) return undefined;
    const [path, hash] = splitUrl(href.trim());
    const target = path === "" ? { route: page, id: "" } : this.#findPage(this.#candidatePaths(page, path));
    return typeof target === "object" ? { ...target, id: hash || target.id } : target;
  }

  /** Fetches the remote pictures of a page, so that links to them can be resolved. */
  async fetchPictures(tree: Root, fetchPicture: FetchPicture): Promise<void> {
    const pictures = elementsIn(tree).filter((node) => isElement(node, "img", "video"));
    const urls = pictures.flatMap((node) => {
      const source = stringProperty(node, node.tagName === "video" ? "poster" : "src")?.trim() ?? "";
      const url = hasScheme(source) ? externalUrl(source) : undefined;
      return url === undefined || this.#pictures.has(url) ? [] : [url];
    });
    await Promise.all(
      [...new Set(urls)].map(async (url) => this.#pictures.set(url, await fetchPicture(url))),
    );
  }

  /** Output path of a file that pages may link to. */
  assetPath(source: string): string {
    const path = this.#assetPaths.get(source);
    if (path === undefined) throw new RangeError(`${source} is not a file of the documents.`);
    return path;
  }

  /**
   * Creates a page for each redirect, by output path, so that old links work without a server. Existing pages take precedence.
   *
   * @param configFile the configuration file
   * @param found collects the sections that redirects lead to, as links of the configuration file
   */
  redirectPages(
    lang: string | undefined,
    titleOf: (route: Route) => string,
    configFile: string,
    found: PageLinks,
    onWarning: PageReporter,
  ): ReadonlyMap<string, string> {
    const pages = new Map<string, string>();
    for (const warning of this.#redirects.warnings) onWarning(warning, "configuration");
    for (const [source, destination] of this.#redirects.exact) {
      const outPath = redirectPath(source);
      if (outPath === undefined || !this.#claims.isFree(outPath)) continue;
      const target = this.#followRedirect(source);
      const to = hasScheme(destination) ? destination : `/${destination}`;
      const shown = `from /${source} to ${to}`.slice(0, maxShownLength);
      if (target === undefined) {
        onWarning(`the redirect ${shown} was left out: ${brokenReasons.page}`, "link");
        continue;
      }
      const page = { source: configFile, slug: "", outPath: this.#claims.claim(outPath) };
      const { resolveLink } = this.resolverOf(page, found, onWarning);
      const isPage = typeof target !== "string";
      const link = isPage ? `/${encodePath(target.route.slug)}${hashOf(target.id)}` : target;
      const title = isPage ? titleOf(target.route) : target;
      pages.set(page.outPath, renderRedirectPage(resolveLink(link, undefined) ?? link, title, lang));
    }
    return pages;
  }

  /** The page at one of several paths: its own, the one that a redirect leads to, or the first page of a folder. */
  #findPage(paths: readonly string[], hops = 0): Destination | undefined {
    const [route] = paths.flatMap((path) => this.#routes.find(path) ?? []);
    if (route !== undefined) return { route, id: "" };
    const [moved] = paths.flatMap((path) => this.#followRedirect(path, hops) ?? []);
    const [first] = paths.flatMap((path) => this.#firstPages.get(trimSlashes(path)) ?? []);
    return moved ?? (first && { route: first, id: "" });
  }

  #followRedirect(source: string, hops = 0): Destination | undefined {
    const destination = hops < maxChainedRedirects ? this.#redirects.find(source) : undefined;
    if (destination === undefined || hasScheme(destination)) return destination && externalUrl(destination);
    const [path, id] = splitUrl(destination);
    const target = this.#findPage(this.#pathsFromRoot(path), hops + 1);
    return typeof target === "object" ? { ...target, id: target.id || id } : target;
  }

  #findFile(page: Route, path: string): string | undefined {
    return this.#candidatePaths(page, path)
      .flatMap((candidate) => publicFolders.map((folder) => folder + candidate))
      .find((candidate) => this.#assetPaths.has(candidate));
  }

  /** Possible targets of a link as paths from the root, most likely first. In the format, links without a leading dot may start at the root. */
  #candidatePaths({ source, slug }: Route, path: string): readonly string[] {
    if (path.startsWith("/")) return this.#pathsFromRoot(posix.normalize(path).slice(1));
    const bases = [posix.dirname(source), source.replace(/\.\w+$/, ""), posix.dirname(slug)];
    if (!path.startsWith(".")) bases.push("");
    return bases.map((base) => posix.join("/", base, path).slice(1));
  }

  /** A path from the root, and without the folder that the site is published in. */
  #pathsFromRoot(path: string): readonly string[] {
    return path.startsWith(this.#folder) ? [path, path.slice(this.#folder.length)] : [path];
  }
}

/** The element that shows a file, by its extension; `undefined` for a file that is no picture, video or sound. */
export function mediaKindOf(path: string): keyof typeof mediaTypes | undefined {
  return (["img", "video", "audio"] as const).find((kind) => mediaTypes[kind].test(path));
}

/** Whether a path leads to a file or a page, by its extension. */
function kindOfPath(path: string): "file" | "page" {
  return mediaKindOf(path) || documentTypes.test(path) ? "file" : "page";
}

/** Splits a relative URL into decoded path and fragment, without the query. */
function splitUrl(url: string): [path: string, fragment: string] {
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/s.exec(url) ?? [];
  return [decodePercent(path), decodePercent(fragment)];
}

/** Normalizes an external URL; `undefined` for a scheme that is not allowed. */
function externalUrl(href: string): string | undefined {
  const url = URL.parse(href.replace(/^\/\//, "https://"));
  return url !== null && allowedSchemes.has(url.protocol) ? url.href : undefined;
}

/** At the end of a redirect's source, `:name` stands for one segment of the path, `:name*` and `*` for the rest of it. */
const wildcardAtEnd = /(?:(?<=^|\/):\w+\*?|\*)$/;

interface PrefixRedirect {
  readonly prefix: string;
  /** As written; in the destination, it is replaced by the rest of the path. */
  readonly wildcard: string;
  readonly destination: string;
}

const anyWildcard = /(?:^|\/):\w|\*/;

/** The redirects of a site. Exact paths take precedence over prefixes; otherwise, the first matching rule is used. */
export class Redirects {
  /** Destinations of exact paths, in the order of the configuration. */
  readonly exact = new Map<string, string>();
  /** Warnings about rules that have less effect than a reader of the configuration expects. */
  readonly warnings: string[] = [];
  readonly #prefixes: PrefixRedirect[] = [];

  constructor(rules: NonNullable<SiteConfig["redirects"]>) {
    if (rules.length > maxRedirects)
      this.warnings.push(`only ${maxRedirects} of ${rules.length} redirects are read`);
    for (const { source, destination } of rules.slice(0, maxRedirects)) {
      const path = trimSlashes(decodePercent(source));
      const [wildcard = ""] = wildcardAtEnd.exec(path) ?? [];
      const prefix = path.slice(0, path.length - wildcard.length);
      const shown = source.slice(0, maxShownLength);
      if (anyWildcard.test(prefix))
        this.warnings.push(`the redirect from ${shown} was left out: a wildcard is read at its end only`);
      else if (wildcard !== "") this.#prefixes.push({ prefix, wildcard, destination });
      else if (!this.exact.has(path)) this.exact.set(path, toPath(destination));
    }
    const { length } = this.#prefixes;
    if (length > 0) this.warnings.push(`redirects with wildcards (${length}) apply only to links`);
  }

  /** The destination of a path; `undefined` without a matching rule. The destination may be redirected in turn. */
  find(path: string): string | undefined {
    const exact = this.exact.get(trimSlashes(path));
    if (exact !== undefined) return exact;
    const whole = `${trimSlashes(path)}/`;
    for (const { prefix, wildcard, destination } of this.#prefixes) {
      const rest = trimSlashes(whole.slice(prefix.length));
      if (whole.startsWith(prefix) && (wildcard.endsWith("*") || !rest.includes("/")))
        return toPath(destination.replace(wildcard, () => rest));
    }
    return undefined;
  }
}

/** A destination as a path from the root; a URL as it is. */
function toPath(destination: string): string {
  return hasScheme(destination) ? destination : trimSlashes(destination.replace(/\/{2,}/g, "/"));
}

/** Output path of a redirect's page; `undefined` if its source is not the path of a page. */
function redirectPath(path: string): string | undefined {
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
