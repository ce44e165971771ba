/** Resolves links and media to pages, files to copy, redirects and URLs of other sites. */
import { posix } from "node:path";
import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";
import { html } from "hono/html";
import { toString as textOf } from "mdast-util-to-string";
import { decodePercent } from "../../base/text.ts";
import type { DocsTree } from "./content/docs-tree.ts";
import { classNames, findElement, isElement, stringProperty, visitElements } from "./content/hast.ts";
import { inlineImage } from "./content/sanitize-svg.ts";
import { type Words, wordsFor } from "./interface-words.ts";
import type { FetchedPicture, RemoteMedia } from "./remote-files.ts";
import type { PageReporter, WarningReporter } from "./report.ts";
import {
  listPaths,
  PathClaims,
  type Route,
  Routes,
  relativeLink,
  toPortablePath,
  trimSlashes,
} from "./routes.ts";
import { type SiteConfig, siteAddress } from "./site-config.ts";

/** Resolves the links and media of a page; `undefined` for a broken link. */
export interface LinkResolver {
  resolveLink(href: string, line: number | undefined): string | undefined;
  /** @param kind the element that shows it; default: a picture */
  resolveMedia(source: string, line: number | undefined, kind?: MediaKind | "icon"): string | undefined;
  /** Whether pages load remote media. Otherwise, remote media become links. */
  readonly keepsRemote?: boolean;
}

/** Elements that can show remote content. */
export type MediaKind = "img" | "video" | "audio" | "iframe";

const externalRel = ["noopener", "noreferrer"];

function isExternal(address: string | undefined): boolean {
  return /^(?:https?|mailto|tel):/.test(address ?? "");
}

/** Whether a page shows media itself instead of a link to them. */
function isShown(url: string | undefined, { keepsRemote = false }: LinkResolver): url is string {
  return url !== undefined && (!isExternal(url) || (keepsRemote && url.startsWith("https:")));
}

/** The URLs of a page's remote pictures. */
export function remotePictures(tree: Root): Set<string> {
  const found = new Set<string>();
  visitElements(tree, (node) => {
    const written = stringProperty(node, node.tagName === "video" ? "poster" : "src")?.trim();
    const address = written !== undefined && hasScheme(written) ? externalAddress(written) : undefined;
    if (isElement(node, "img", "video") && address !== undefined) found.add(address);
  });
  return found;
}

/** Resolves all links and media of a page. */
export function resolveLinks(tree: Root, resolver: LinkResolver, words: Words): void {
  /** @param around line of the parent, for generated nodes without a position */
  function resolveNode(node: ElementContent, link: Element | undefined, around?: number): ElementContent {
    if (node.type !== "element") return node;
    const line = node.position?.start.line ?? around;
    // A URL as the text of a link was parsed as a nested link.
    const isAnchor = classNames(node).includes("heading-anchor");
    if (node.tagName === "a" && link !== undefined)
      Object.assign(node, withoutAddress(node), isAnchor && { children: [] });
    else if (node.tagName === "a") resolveLink(node, resolver, words, line);
    if (isElement(node, "img", "video", "audio", "iframe"))
      return resolveMedia(node, resolver, link, words, line);
    const innermost = link ?? (node.tagName === "a" ? node : undefined);
    node.children = node.children.map((child) => resolveNode(child, innermost, line));
    return node;
  }
  tree.children = tree.children.map((child) => resolveNode(child as ElementContent, undefined));
}

function resolveLink(node: Element, resolver: LinkResolver, words: Words, line: number | undefined): void {
  const written = stringProperty(node, "href");
  if (written === undefined || classNames(node).includes("heading-anchor")) return;
  const href = resolver.resolveLink(written, line);
  if (href === undefined) {
    // A broken link keeps its text.
    const { tagName, properties } = withoutAddress(node);
    const look = { className: ["broken-link"], title: words.notExported };
    Object.assign(node, { tagName, properties: { ...properties, ...look } });
  } else if (textOf(node).trim() === "" && !holdsPicture(node)) {
    // Without text and picture, for instance after an invalid drawing was removed, the link is useless.
    node.properties = withoutAddress(node).properties;
  } else {
    // Links to other sites get an arrow, unless they already end with one or contain only a picture.
    const isMarked = href.startsWith("http") && !/(?:^|[↗→])\s*$/.test(textOf(node));
    const className = isMarked ? [...classNames(node), "external"] : node.properties["className"];
    const marks = isExternal(href) && { rel: externalRel, className };
    const name = !hasName(node) && { ariaLabel: href };
    node.properties = { ...node.properties, href, ...name, ...marks };
  }
}

/** Whether a link has an accessible name. */
function hasName(node: Element): boolean {
  if (node.properties["ariaLabel"] || node.properties["alt"] || textOf(node).trim() !== "") return true;
  return node.children.some((child) => child.type === "element" && hasName(child));
}

/** Turns a link into a `span`. */
function withoutAddress({
  properties: { id, dataLayout },
}: Element): Pick<Element, "tagName" | "properties"> {
  return { tagName: "span", properties: { id, dataLayout } };
}

function holdsPicture(node: Element): boolean {
  return ["img", "svg", "video"].some((tagName) => findElement(node, tagName) !== undefined);
}

/** The poster of a video. */
function posterOf(video: Element, resolver: LinkResolver, line: number | undefined): string | undefined {
  const source = stringProperty(video, "poster");
  const poster = source === undefined ? undefined : resolver.resolveMedia(source, line);
  return isShown(poster, resolver) ? poster : undefined;
}

/** A framed page may run its own scripts, but cannot navigate the top window or see the URL of the page. */
const frameProperties = {
  sandbox: "allow-scripts allow-same-origin allow-popups allow-presentation",
  referrerPolicy: "no-referrer",
  loading: "lazy",
  allow: "fullscreen",
};

/** Replaces media that a page does not show by a link to them. */
function renderMissingMedia(
  node: Element,
  src: string | undefined,
  link: Element | undefined,
  words: Words,
): Element {
  const kind = node.tagName as MediaKind;
  const written = stringProperty(node, "alt") || stringProperty(node, "title");
  // In a link with text, a picture without alternative text is decoration.
  if (link !== undefined && !written && kind === "img" && textOf(link).trim() !== "") return h("span");
  const label = written || words[kind];
  if (src === undefined || link !== undefined) return h("span.missing-media", [label]);
  const marks = isExternal(src) && { rel: externalRel };
  const className = ["missing-media", ...(marks ? ["external"] : [])];
  return h("a", { href: src, ...marks, className }, [label]);
}

/** Resolves media. Remote media become links unless the site keeps them. */
function resolveMedia(
  node: Element,
  resolver: LinkResolver,
  link: Element | undefined,
  words: Words,
  line: number | undefined,
): Element {
  const { properties } = node;
  const kind = node.tagName as MediaKind;
  // Of `<video><source></video>`, the first source is used.
  const source = node.children.find((child) => isElement(child, "source"));
  const written = properties["src"] ?? source?.properties["src"];
  const isIcon = classNames(node).includes("icon-image");
  const as = isIcon ? "icon" : kind;
  const src = typeof written === "string" ? resolver.resolveMedia(written, line, as) : undefined;
  if (!isShown(src, resolver) || (kind === "iframe" && !isExternal(src)))
    return isIcon ? h("span") : renderMissingMedia(node, src, link, words);
  if (kind === "img") return h("img", { ...properties, src, alt: properties["alt"] ?? "", loading: "lazy" });
  if (kind !== "iframe") return h(kind, { src, controls: true, poster: posterOf(node, resolver, line) });
  const { title = words.iframe, width, height } = properties;
  return h("iframe", { src, title, width, height, ...frameProperties });
}

/** Why a link is broken. */
const brokenReasons = {
  page: "there is no such page",
  section: "the page has no such section",
  file: "there is no such file",
  refused: "URLs of this type are not allowed",
} as const;

function describeBroken(href: string, reason: keyof typeof brokenReasons): string {
  return `the link ${href} leads nowhere: ${brokenReasons[reason]}`;
}

const mediaTypes = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|mp3|ogg|wav)$/i;
const documentTypes = /\.(?:pdf|zip|gz|tgz|tar|json|ya?ml|csv|tsv|txt)$/i;
const fileTypes = [mediaTypes, documentTypes];
const allowedSchemes = new Set(["http:", "https:", "mailto:", "tel:"]);
/** Folders whose content is served from the root of a site. */
const publicFolders = ["", "public/", "static/"];
/** Maximum length of a chain of redirects. */
const maxChainedRedirects = 5;
const maxRedirectPages = 5_000;
/** Limits of matching a path: its ancestor folders with patterns, and patterns per folder. */
const maxFolders = 50;
const maxPatterns = 500;
const maxShownLength = 300;
/** The usual base path of a site without a configured URL. */
const defaultFolder = "docs/";
/** A route at the root, to resolve paths from there. */
const rootRoute: Route = { source: "", slug: "", outPath: "" };

/** The target of a link: a page, with the section that a redirect adds, or an external URL. */
type Destination = { readonly route: Route; readonly id: string } | string;

/** Configuration for resolving links. */
export interface LinkConfig extends Pick<SiteConfig, "redirects" | "seo"> {
  /** The first page of the navigation in each folder, by the folder's path. */
  readonly firstPages?: readonly (readonly [folder: string, Route])[];
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

/** How redirect pages are reported. */
export interface RedirectReport {
  readonly found: PageLinks;
  /** The configuration file. */
  readonly source: string;
  readonly onLeftOut: PageReporter;
}

/** Link targets of a page without links. */
export function noLinks(): PageLinks {
  return { sections: [], assets: new Set(), remote: new Set() };
}

/** Reports links to missing sections. @param idsBySource identifiers of each rendered page */
export function reportBrokenSections(
  pages: readonly PageLinks[],
  idsBySource: ReadonlyMap<string, ReadonlySet<string>>,
  onWarning: WarningReporter,
): void {
  for (const { page, href, line, target, id } of pages.flatMap(({ sections }) => sections)) {
    const ids = idsBySource.get(target);
    if (ids === undefined || ids.has(id)) continue;
    const similar = [...ids].find((other) => other.toLowerCase() === id.toLowerCase());
    const hint = similar === undefined ? "" : `; it has #${similar}`;
    onWarning(page, describeBroken(href, "section") + hint, "link", line);
  }
}

/** Resolves the links of all pages of a site. Every rendering thread has the same state. */
export class SiteLinks {
  /** Output paths of all files that pages may link to. */
  readonly #assetPaths: ReadonlyMap<string, string>;
  readonly #docs: DocsTree;
  readonly #routes: Routes;
  readonly #redirects: Redirects;
  /** URL of the published site, with a trailing slash. */
  readonly #address: string | undefined;
  /** Base path of the published site, which links may include. */
  readonly #folder: string;
  readonly #firstPages: ReadonlyMap<string, Route>;
  readonly #claims: PathClaims;
  readonly #remoteMedia: RemoteMedia;
  /** Results of fetching remote pictures, by URL. */
  readonly pictures = new Map<string, FetchedPicture>();

  constructor(
    docs: DocsTree,
    routes: readonly Route[],
    config: LinkConfig,
    remoteMedia: RemoteMedia = "link",
  ) {
    this.#docs = docs;
    this.#address = siteAddress(config)?.replace(/\/*$/, "/");
    this.#folder = URL.parse(this.#address ?? "")?.pathname.slice(1) || defaultFolder;
    this.#remoteMedia = remoteMedia;
    this.#routes = new Routes(routes);
    this.#redirects = new Redirects(config.redirects ?? []);
    this.#firstPages = new Map(config.firstPages);
    this.#claims = new PathClaims(routes);
    const outPathOf = (path: string) =>
      listPaths.includes(path) ? path : this.#claims.claimNext(toPortablePath(path));
    const files = [...docs.files].filter((path) => kindOfPath(path) === "file");
    this.#assetPaths = new Map(files.map((path) => [path, outPathOf(path)]));
  }

  /** Creates the resolver of one page. It collects targets in `found` and reports broken links. */
  resolverOf(page: Route, found: PageLinks, onWarning: PageReporter): LinkResolver {
    const reportBroken = (href: string, reason: keyof typeof brokenReasons, line?: number): undefined =>
      onWarning(describeBroken(href, reason), "link", line) as undefined;
    const onMedia = (line: number | undefined) => (message: string) => onWarning(message, "media", line);
    const toAsset = (file: string) => {
      found.assets.add(file);
      return relativeLink(page.outPath, this.assetPath(file));
    };
    const toPage = (target: Route, id: string, href: string, line: number | undefined) => {
      if (id !== "" && id !== "top")
        found.sections.push({ page: page.source, href, line, target: target.source, id });
      const isOwn = target.source === page.source && id !== "";
      return (isOwn ? "" : relativeLink(page.outPath, target.outPath)) + hashOf(id);
    };
    const resolveLink: LinkResolver["resolveLink"] = (href, line) => {
      const address = this.#localize(page, href.trim());
      if (hasScheme(address)) return externalAddress(address) ?? reportBroken(href, "refused", line);
      const [path, hash] = splitAddress(address).map(decodePercent) as [string, string];
      const target: Destination | undefined =
        path === "" ? { route: page, id: "" } : this.#findPage(page, path);
      if (target !== undefined)
        return typeof target === "string" ? target : toPage(target.route, hash || target.id, href, line);
      // Every export has a front page, even if the documentation has none.
      if (path === "/") return relativeLink(page.outPath, "index.html");
      const file = this.#findFile(page, path, fileTypes);
      return file === undefined ? reportBroken(href, kindOfPath(path), line) : toAsset(file);
    };
    return {
      keepsRemote: this.#remoteMedia === "keep",
      resolveLink,
      resolveMedia: (source, line, kind = "img") => {
        if (inlineImage.test(source)) return source;
        const address = this.#localize(page, source.trim());
        const external = hasScheme(address) ? externalAddress(address) : undefined;
        if (external !== undefined) return this.#resolveRemote(external, kind, page, found, onMedia(line));
        if (hasScheme(address)) return reportBroken(source, "refused", line);
        if (kind === "iframe") {
          onMedia(line)(`the frame ${address.slice(0, maxShownLength)} became a link`);
          return resolveLink(address, line);
        }
        const file = this.#findFile(page, decodePercent(splitAddress(address)[0]), [mediaTypes]);
        return file === undefined ? reportBroken(source, "file", line) : toAsset(file);
      },
    };
  }

  /** Whether a URL of the published site leads to a file of the export. */
  isOwnFile(address: string): boolean {
    const path = this.#ownPath(address);
    return path !== undefined && this.#findFile(rootRoute, path, fileTypes) !== undefined;
  }

  /** The path of a URL of the published site; `undefined` for other URLs. */
  #ownPath(address: string): string | undefined {
    const { length = 0 } = this.#address ?? "";
    if (length === 0 || length >= address.length || !address.startsWith(this.#address ?? ""))
      return undefined;
    return decodePercent(`/${splitAddress(address.slice(length))[0]}`);
  }

  /** Turns URLs of the published site into paths if the export has the page or file. */
  #localize(page: Route, address: string): string {
    const path = this.#ownPath(address);
    if (path === undefined || (this.#findPage(page, path) === undefined && !this.isOwnFile(address)))
      return address;
    return address.slice((this.#address ?? "").length - 1);
  }

  /** The URL of remote media, or the path of a fetched picture. */
  #resolveRemote(
    address: string,
    as: MediaKind | "icon",
    page: Route,
    found: PageLinks,
    warn: (message: string) => void,
  ): string {
    const kind = as === "icon" ? "img" : as;
    if (this.#remoteMedia === "keep" && address.startsWith("https:")) {
      found.remote.add(kind);
      return address;
    }
    const fetched = kind === "img" ? this.pictures.get(address) : undefined;
    if (fetched !== undefined && "path" in fetched) return relativeLink(page.outPath, fetched.path);
    const type = { img: "picture", iframe: "frame", video: "video", audio: "audio", icon: "icon" }[as];
    const result = as === "icon" ? "was left out" : "became a link";
    const reason = fetched === undefined ? "" : `, because it was not fetched: ${fetched.problem}`;
    warn(`the remote ${type} ${address.slice(0, maxShownLength)} ${result}${reason}`);
    return address;
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
   * @param found collects the sections that redirects lead to, as links of `source`
   */
  redirectPages(
    lang: string | undefined,
    titleOf: (route: Route) => string,
    { found, source, onLeftOut }: RedirectReport,
  ): ReadonlyMap<string, string> {
    const pages = new Map<string, string>();
    const { exact, leftOut, patterns } = this.#redirects;
    const ignored = leftOut + Math.max(0, exact.size - maxRedirectPages);
    if (ignored > 0) onLeftOut(`${ignored} redirects were left out: there are too many`, "configuration");
    reportPatterns(patterns, onLeftOut);
    for (const [address, destination] of [...exact].slice(0, maxRedirectPages)) {
      const outPath = redirectPath(address);
      const target = this.#findMoved(address);
      if (outPath === undefined || !this.#claims.isFree(outPath)) continue;
      if (target === undefined) {
        const moved = `from ${shownAddress(address)} to ${shownAddress(destination)}`;
        onLeftOut(`the redirect ${moved} was left out: ${brokenReasons.page}`, "link");
        continue;
      }
      const path = this.#claims.claim(outPath);
      if (typeof target === "string") pages.set(path, renderRedirectPage(target, target, lang));
      else {
        const href = relativeLink(path, target.route.outPath) + hashOf(target.id);
        const section = { page: source, href: `/${target.route.slug}#${target.id}`, line: undefined };
        if (target.id !== "") found.sections.push({ ...section, target: target.route.source, id: target.id });
        pages.set(path, renderRedirectPage(href, titleOf(target.route), lang));
      }
    }
    return pages;
  }

  #findPage(page: Route, path: string): Destination | undefined {
    const candidates = candidatePaths(page, path, this.#folder);
    const [existing] = candidates.flatMap((candidate) => this.#routes.find(candidate) ?? []);
    if (existing !== undefined) return { route: existing, id: "" };
    const [moved] = candidates.flatMap((candidate) => this.#findMoved(candidate) ?? []);
    const [first] = candidates.flatMap((candidate) => this.#firstPage(candidate) ?? []);
    return moved ?? (first && { route: first, id: "" });
  }

  /** The first page of a folder, for links to the folder. */
  #firstPage(address: string): Route | undefined {
    return this.#firstPages.get(trimSlashes(address));
  }

  /** Follows redirects from a path. An existing page ends the chain, even if it is itself redirected. */
  #findMoved(address: string): Destination | undefined {
    let path = address;
    for (let count = 0; count < maxChainedRedirects; count += 1) {
      const moved = this.#redirects.find(path);
      if (moved === undefined) return undefined;
      if (hasScheme(moved)) return externalAddress(moved);
      const [next, id] = splitAddress(moved).map(decodePercent) as [string, string];
      const route =
        this.#routes.find(next) ?? (this.#redirects.find(next) ? undefined : this.#firstPage(next));
      if (route !== undefined) return { route, id };
      path = next;
    }
    return undefined;
  }

  #findFile(page: Route, path: string, types: readonly RegExp[]): string | undefined {
    if (!types.some((type) => type.test(path))) return undefined;
    return candidatePaths(page, path, this.#folder)
      .flatMap((candidate) => publicFolders.map((folder) => folder + candidate))
      .find((candidate) => this.#docs.files.has(candidate));
  }
}

/** Reports redirects with wildcards: static files cannot implement them. */
function reportPatterns([first, ...others]: readonly string[], onLeftOut: PageReporter): void {
  if (first === undefined) return;
  const one = `from ${shownAddress(trimSlashes(first))}`;
  const which =
    others.length === 0
      ? `the redirect ${one} applies`
      : `${others.length + 1} redirects such as that ${one} apply`;
  onLeftOut(`${which} only to links in the documents`, "configuration");
}

/** Formats the source or destination of a redirect for a warning. */
function shownAddress(address: string): string {
  return (hasScheme(address) ? address : `/${address}`).slice(0, maxShownLength);
}

/** Whether a path leads to a file or a page, by its extension. */
function kindOfPath(path: string): "file" | "page" {
  return fileTypes.some((type) => type.test(path)) ? "file" : "page";
}

/** Splits a relative URL into path and fragment, without the query. */
function splitAddress(address: string): [path: string, fragment: string] {
  const [, path = "", fragment = ""] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/s.exec(address) ?? [];
  return [path, fragment];
}

function hashOf(id: string): string {
  return id === "" ? "" : `#${encodeURIComponent(id)}`;
}

function hasScheme(address: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address);
}

/** Normalizes an external URL; `undefined` for a scheme that is not allowed. */
function externalAddress(address: string): string | undefined {
  const url = URL.parse(address.replace(/^\/\//, "https://"));
  return url !== null && allowedSchemes.has(url.protocol) ? url.href : undefined;
}

/** Possible targets of a link as paths from the root, most likely first. In the format, links without a leading dot may start at the root. */
function candidatePaths({ source, slug }: Route, path: string, folder: string): readonly string[] {
  if (path.startsWith("/")) {
    const whole = posix.normalize(path).slice(1);
    return whole.startsWith(folder) ? [whole, whole.slice(folder.length)] : [whole];
  }
  const bases = [posix.dirname(source), source.replace(/\.\w+$/, ""), posix.dirname(slug)];
  if (!path.startsWith(".")) bases.push("");
  return bases.map((base) => posix.join("/", base, path).slice(1));
}

/** `:name` matches one path segment; `:name*` and `*` match the rest. */
const wildcards = /((?<=^|\/):\w+\*?(?=[/?#]|$)|\*(?=[/?#]|$))/g;

/** A redirect with wildcards. */
interface RedirectPattern {
  /** Position among the rules. */
  readonly order: number;
  readonly expression: RegExp;
  /** Names of its wildcards. */
  readonly names: readonly string[];
  readonly destination: string;
}

/** The redirects of a site. Exact paths take precedence over patterns; otherwise, the first matching rule is used. */
export class Redirects {
  /** Destinations of exact paths, in the order of the configuration. */
  readonly exact = new Map<string, string>();
  /** Number of rules beyond the limit, which have no effect. */
  leftOut = 0;
  /** Sources of the rules with wildcards. */
  readonly patterns: string[] = [];
  /** Patterns by the folder before their first wildcard. A path is compared with those of its ancestor folders only. */
  readonly #patterns = new Map<string, RedirectPattern[]>();

  constructor(rules: NonNullable<SiteConfig["redirects"]>) {
    for (const [order, { source, destination }] of rules.entries()) {
      const address = trimSlashes(decodePercent(source));
      // Every second part is a wildcard. Only the last may match several segments, as two would backtrack.
      const parts = address.split(wildcards);
      const groups = parts.map((part, at) => {
        if (at % 2 === 0) return RegExp.escape(part);
        return part.endsWith("*") && at === parts.length - 2 ? "(.*)" : "([^/]*)";
      });
      const names = parts.filter((_, at) => at % 2 === 1).map(nameOf);
      const [start = ""] = parts;
      const folder = start.slice(0, Math.max(0, start.lastIndexOf("/")));
      const pattern = { order, expression: new RegExp(`^${groups.join("")}/?$`, "s"), names, destination };
      const siblings = this.#patterns.get(folder) ?? [];
      if (names.length > 0 && siblings.length >= maxPatterns) this.leftOut += 1;
      else if (names.length > 0) {
        this.patterns.push(source);
        this.#patterns.set(folder, siblings).get(folder)?.push(pattern);
      } else if (!this.exact.has(address)) this.exact.set(address, fillWildcards(destination, new Map()));
    }
  }

  /** The destination of a path; `undefined` without a matching rule. The destination may be redirected in turn. */
  find(written: string): string | undefined {
    const address = trimSlashes(written);
    const whole = this.exact.get(address);
    if (whole !== undefined) return whole;
    const path = `${address}/`;
    const segments = path.split("/", maxFolders);
    const [pattern] = segments
      .flatMap((_, depth) => this.#patterns.get(segments.slice(0, depth).join("/")) ?? [])
      .filter(({ expression }) => expression.test(path))
      .sort((left, right) => left.order - right.order);
    const texts = pattern?.expression.exec(path)?.slice(1) ?? [];
    const values = new Map(texts.map((text, at) => [pattern?.names[at], trimSlashes(text)]));
    return pattern && fillWildcards(pattern.destination, values);
  }
}

function nameOf(wildcard: string): string {
  return /\w+/.exec(wildcard)?.[0] ?? "*";
}

function fillWildcards(destination: string, values: ReadonlyMap<string | undefined, string>): string {
  const filled = destination.replace(wildcards, (wildcard) => values.get(nameOf(wildcard)) ?? "");
  return hasScheme(destination) ? filled : trimSlashes(filled.replace(/\/{2,}/g, "/"));
}

/** Output path of a redirect's page; `undefined` if its source is not the path of a page. */
function redirectPath(address: string): string | undefined {
  if (address === "") return "index.html";
  const written = address.replace(/\.html?$/i, "");
  // Paths such as `/robots.txt` are files, and `..` would leave the site.
  const isPage = written.split("/").every((segment) => segment !== "" && !segment.startsWith("."));
  return isPage && !/\.[a-z0-9]{1,5}$/i.test(written) ? `${toPortablePath(written)}.html` : undefined;
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
