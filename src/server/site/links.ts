/** Where links and pictures lead: pages, files to copy, addresses that moved, addresses elsewhere, or nowhere. */
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

/** Finds the address of what a page's link or picture names; `undefined` where it leads nowhere. */
export interface LinkResolver {
  resolveLink(href: string, line: number | undefined): string | undefined;
  /** @param kind what shows it; a picture unless said */
  resolveMedia(source: string, line: number | undefined, kind?: MediaKind | "icon"): string | undefined;
  /** Whether pages load what lies elsewhere; otherwise it becomes a link. */
  readonly keepsRemote?: boolean;
}

/** The elements that show a file or a page from elsewhere. */
export type MediaKind = "img" | "video" | "audio" | "iframe";

const externalRel = ["noopener", "noreferrer"];

function isExternal(address: string | undefined): boolean {
  return /^(?:https?|mailto|tel):/.test(address ?? "");
}

/** Whether a page shows what is at an address, and does not only lead there. */
function isShown(address: string | undefined, { keepsRemote = false }: LinkResolver): address is string {
  return address !== undefined && (!isExternal(address) || (keepsRemote && address.startsWith("https:")));
}

/** The addresses elsewhere of a page's pictures. */
export function remotePictures(tree: Root): Set<string> {
  const found = new Set<string>();
  visitElements(tree, (node) => {
    const written = stringProperty(node, node.tagName === "video" ? "poster" : "src")?.trim();
    const address = written !== undefined && hasScheme(written) ? externalAddress(written) : undefined;
    if (isElement(node, "img", "video") && address !== undefined) found.add(address);
  });
  return found;
}

/** Points every link and picture of a page at its place in the site, or says that there is none. */
export function resolveLinks(tree: Root, resolver: LinkResolver, words: Words): void {
  /** What was made for a page has no line of its own: it has that of what it was made from. */
  function resolveNode(node: ElementContent, link: Element | undefined, around?: number): ElementContent {
    if (node.type !== "element") return node;
    const line = node.position?.start.line ?? around;
    // An address that is written as the text of a link became a link itself.
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
    // A link that leads nowhere keeps its text.
    const { tagName, properties } = withoutAddress(node);
    const look = { className: ["broken-link"], title: words.notExported };
    Object.assign(node, { tagName, properties: { ...properties, ...look } });
  } else if (textOf(node).trim() === "" && !holdsPicture(node)) {
    // Around a drawing that was left out, for instance: there is nothing to press, and nothing to read out.
    node.properties = withoutAddress(node).properties;
  } else {
    // To another site: some links end with such an arrow of their own, and beside a picture alone it has no line to stand in.
    const isMarked = href.startsWith("http") && !/(?:^|[↗→])\s*$/.test(textOf(node));
    const className = isMarked ? [...classNames(node), "external"] : node.properties["className"];
    const marks = isExternal(href) && { rel: externalRel, className };
    const name = !hasName(node) && { ariaLabel: href };
    node.properties = { ...node.properties, href, ...name, ...marks };
  }
}

/** Whether assistive technology has something to say for a link: around a picture alone, it has not. */
function hasName(node: Element): boolean {
  if (node.properties["ariaLabel"] || node.properties["alt"] || textOf(node).trim() !== "") return true;
  return node.children.some((child) => child.type === "element" && hasName(child));
}

/** What is left of a link that leads nowhere. */
function withoutAddress({
  properties: { id, dataLayout },
}: Element): Pick<Element, "tagName" | "properties"> {
  return { tagName: "span", properties: { id, dataLayout } };
}

function holdsPicture(node: Element): boolean {
  return ["img", "svg", "video"].some((tagName) => findElement(node, tagName) !== undefined);
}

/** The picture that a video shows until it is started. */
function stillOf(video: Element, resolver: LinkResolver, line: number | undefined): string | undefined {
  const written = stringProperty(video, "poster");
  const still = written === undefined ? undefined : resolver.resolveMedia(written, line);
  return isShown(still, resolver) ? still : undefined;
}

/** A frame's page may run its own scripts, and can neither leave the frame nor learn which page it is in. */
const frameProperties = {
  sandbox: "allow-scripts allow-same-origin allow-popups allow-presentation",
  referrerPolicy: "no-referrer",
  loading: "lazy",
  allow: "fullscreen",
};

/** What stands for media that a page does not show: a link where they are. */
function renderMissingMedia(
  node: Element,
  src: string | undefined,
  link: Element | undefined,
  words: Words,
): Element {
  const kind = node.tagName as MediaKind;
  const written = stringProperty(node, "alt") || stringProperty(node, "title");
  // Beside the words of a link, a picture without a name is decoration.
  if (link !== undefined && !written && kind === "img" && textOf(link).trim() !== "") return h("span");
  const label = written || words[kind];
  if (src === undefined || link !== undefined) return h("span.missing-media", [label]);
  const marks = isExternal(src) && { rel: externalRel };
  const className = ["missing-media", ...(marks ? ["external"] : [])];
  return h("a", { href: src, ...marks, className }, [label]);
}

/** A page fetches nothing unless asked to: what lies elsewhere becomes a link to it. */
function resolveMedia(
  node: Element,
  resolver: LinkResolver,
  link: Element | undefined,
  words: Words,
  line: number | undefined,
): Element {
  const { properties } = node;
  const kind = node.tagName as MediaKind;
  // `<video><source></video>` is shown as its first source.
  const source = node.children.find((child) => isElement(child, "source"));
  const written = properties["src"] ?? source?.properties["src"];
  const isIcon = classNames(node).includes("icon-image");
  const as = isIcon ? "icon" : kind;
  const src = typeof written === "string" ? resolver.resolveMedia(written, line, as) : undefined;
  if (!isShown(src, resolver) || (kind === "iframe" && !isExternal(src)))
    return isIcon ? h("span") : renderMissingMedia(node, src, link, words);
  if (kind === "img") return h("img", { ...properties, src, alt: properties["alt"] ?? "", loading: "lazy" });
  if (kind !== "iframe") return h(kind, { src, controls: true, poster: stillOf(node, resolver, line) });
  const { title = words.iframe, width, height } = properties;
  return h("iframe", { src, title, width, height, ...frameProperties });
}

/** Why a link leads nowhere within the site. */
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
/** Folders whose content sites serve from their root. */
const publicFolders = ["", "public/", "static/"];
/** Moves of moves are followed this far. */
const maxMoves = 5;
const maxRedirectPages = 5_000;
/** An address is looked for in the redirects of so many folders, and compared with so many patterns in each. */
const maxFolders = 50;
const maxPatterns = 500;
const maxShownAddress = 300;
/** Where a site is usually published that says no address. */
const usualFolder = "docs/";
/** Where paths from the root are looked for. */
const rootRoute: Route = { source: "", slug: "", outPath: "" };

/** Where a link leads: a page, with the section that a redirect adds, or an address elsewhere. */
type Destination = { readonly route: Route; readonly id: string } | string;

/** What links need besides the pages. */
export interface LinkConfig extends Pick<SiteConfig, "redirects" | "seo"> {
  /** The navigation's first page below each folder, by the folder's address. */
  readonly firstPages?: readonly (readonly [folder: string, Route])[];
}

/** What the links of one page need. */
export interface PageLinks {
  /** Links to sections, by the source file of the page that should have them. */
  readonly sections: {
    readonly page: string;
    readonly href: string;
    readonly line: number | undefined;
    readonly target: string;
    readonly id: string;
  }[];
  /** Source paths of the files to copy. */
  readonly assets: Set<string>;
  /** What it loads from elsewhere. */
  readonly remote: Set<MediaKind>;
}

/** What is told of the pages at addresses that moved. */
export interface RedirectReport {
  readonly found: PageLinks;
  /** The file that the redirects are in. */
  readonly source: string;
  readonly onLeftOut: PageReporter;
}

/** What a page without links needs. */
export function noLinks(): PageLinks {
  return { sections: [], assets: new Set(), remote: new Set() };
}

/** Reports the links to sections that their pages do not have, by the identifiers that each rendered page has. */
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

/** The links of one site: resolves those of every page. Every thread that renders pages has the same. */
export class SiteLinks {
  /** Where each file that may be linked to is copied to; which are is not known before the pages are rendered. */
  readonly #assetPaths: ReadonlyMap<string, string>;
  readonly #docs: DocsTree;
  readonly #routes: Routes;
  readonly #redirects: Redirects;
  /** Where the site is published, with a slash at the end. */
  readonly #address: string | undefined;
  /** The folder that it is published in, which addresses from the root may begin with. */
  readonly #folder: string;
  readonly #firstPages: ReadonlyMap<string, Route>;
  readonly #claims: PathClaims;
  readonly #remoteMedia: RemoteMedia;
  /** What became of the pictures that were fetched, by their addresses. */
  readonly pictures = new Map<string, FetchedPicture>();

  constructor(
    docs: DocsTree,
    routes: readonly Route[],
    config: LinkConfig,
    remoteMedia: RemoteMedia = "link",
  ) {
    this.#docs = docs;
    this.#address = siteAddress(config)?.replace(/\/*$/, "/");
    this.#folder = URL.parse(this.#address ?? "")?.pathname.slice(1) || usualFolder;
    this.#remoteMedia = remoteMedia;
    this.#routes = new Routes(routes);
    this.#redirects = new Redirects(config.redirects ?? []);
    this.#firstPages = new Map(config.firstPages);
    this.#claims = new PathClaims(routes);
    const placeOf = (path: string) =>
      listPaths.includes(path) ? path : this.#claims.claimNext(toPortablePath(path));
    const files = [...docs.files].filter((path) => kindOfPath(path) === "file");
    this.#assetPaths = new Map(files.map((path) => [path, placeOf(path)]));
  }

  /** The resolver of one page's links, which notes in `found` what they need, and reports those that lead nowhere. */
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
      // Every site has a front page, also where the documents have none.
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
          onMedia(line)(`the frame ${address.slice(0, maxShownAddress)} became a link`);
          return resolveLink(address, line);
        }
        const file = this.#findFile(page, decodePercent(splitAddress(address)[0]), [mediaTypes]);
        return file === undefined ? reportBroken(source, "file", line) : toAsset(file);
      },
    };
  }

  /** Whether an address of the published site is that of a file that the export has. */
  isOwnFile(address: string): boolean {
    const path = this.#ownPath(address);
    return path !== undefined && this.#findFile(rootRoute, path, fileTypes) !== undefined;
  }

  /** The path of an address of the published site. */
  #ownPath(address: string): string | undefined {
    const { length = 0 } = this.#address ?? "";
    if (length === 0 || length >= address.length || !address.startsWith(this.#address ?? ""))
      return undefined;
    return decodePercent(`/${splitAddress(address.slice(length))[0]}`);
  }

  /** What the export has is not looked for at the published site. */
  #localize(page: Route, address: string): string {
    const path = this.#ownPath(address);
    if (path === undefined || (this.#findPage(page, path) === undefined && !this.isOwnFile(address)))
      return address;
    return address.slice((this.#address ?? "").length - 1);
  }

  /** The address of media from elsewhere: where they are, or in the site if they were fetched. */
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
    const what = { img: "picture", iframe: "frame", video: "video", audio: "audio", icon: "icon" }[as];
    const end = as === "icon" ? "is left out" : "became a link";
    const why = fetched === undefined ? "" : `, as it was not fetched: ${fetched.problem}`;
    warn(`the ${what} ${address.slice(0, maxShownAddress)} from elsewhere ${end}${why}`);
    return address;
  }

  /** The path in the site of a picture or another file that can be linked to. */
  assetPath(source: string): string {
    const path = this.#assetPaths.get(source);
    if (path === undefined) throw new RangeError(`${source} is no file that is copied.`);
    return path;
  }

  /**
   * Pages at the addresses that have moved, by their paths, so that old links work in a site without a server that redirects.
   * An address that a page has is not taken from it.
   *
   * @param found gets the sections that they lead to, as links of the page `source`
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

  /** The page that a folder without a page of its own opens with. */
  #firstPage(address: string): Route | undefined {
    return this.#firstPages.get(trimSlashes(address));
  }

  /** Where an address has moved to; a page that exists ends the search, also if the configuration moves it on. */
  #findMoved(address: string): Destination | undefined {
    let path = address;
    for (let moves = 0; moves < maxMoves; moves += 1) {
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

/** A folder of files has no page for every address of a form. */
function reportPatterns([first, ...others]: readonly string[], onLeftOut: PageReporter): void {
  if (first === undefined) return;
  const one = `from ${shownAddress(trimSlashes(first))}`;
  const which =
    others.length === 0
      ? `the redirect ${one} applies`
      : `${others.length + 1} redirects such as that ${one} apply`;
  onLeftOut(`${which} only to links in the documents`, "configuration");
}

/** An address of a redirect as it is reported. */
function shownAddress(address: string): string {
  return (hasScheme(address) ? address : `/${address}`).slice(0, maxShownAddress);
}

/** What a path leads to, by its name. */
function kindOfPath(path: string): "file" | "page" {
  return fileTypes.some((type) => type.test(path)) ? "file" : "page";
}

/** Path and fragment of a relative address, without its query. */
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

/** An address elsewhere as it may be linked; `undefined` for schemes that are not allowed. */
function externalAddress(address: string): string | undefined {
  const url = URL.parse(address.replace(/^\/\//, "https://"));
  return url !== null && allowedSchemes.has(url.protocol) ? url.href : undefined;
}

/** What a link may mean, as paths from the documents' root, most likely first; the format takes any that starts with no dot from there. */
function candidatePaths({ source, slug }: Route, path: string, folder: string): readonly string[] {
  if (path.startsWith("/")) {
    const whole = posix.normalize(path).slice(1);
    return whole.startsWith(folder) ? [whole, whole.slice(folder.length)] : [whole];
  }
  const bases = [posix.dirname(source), source.replace(/\.\w+$/, ""), posix.dirname(slug)];
  if (!path.startsWith(".")) bases.push("");
  return bases.map((base) => posix.join("/", base, path).slice(1));
}

/** `:name` stands for one segment of an address, `:name*` or `*` for the rest. */
const wildcards = /((?<=^|\/):\w+\*?(?=[/?#]|$)|\*(?=[/?#]|$))/g;

/** A rule for every address of a form. */
interface RedirectPattern {
  /** Its place among the rules. */
  readonly order: number;
  readonly form: RegExp;
  /** Of its wildcards. */
  readonly names: readonly string[];
  readonly destination: string;
}

/** Addresses that moved: the first rule that fits counts, and whole addresses come before patterns. */
export class Redirects {
  /** Whole addresses that moved, with their destinations, in the order of the configuration. */
  readonly exact = new Map<string, string>();
  /** How many rules have no effect because there are too many. */
  leftOut = 0;
  /** Sources of the rules for many addresses. */
  readonly patterns: string[] = [];
  /** By the folder before their first wildcard: an address is compared with those of the folders that it is in. */
  readonly #patterns = new Map<string, RedirectPattern[]>();

  constructor(rules: NonNullable<SiteConfig["redirects"]>) {
    for (const [order, { source, destination }] of rules.entries()) {
      const address = trimSlashes(decodePercent(source));
      // Every second part is a wildcard; two for the rest would take long to match.
      const parts = address.split(wildcards);
      const groups = parts.map((part, at) => {
        if (at % 2 === 0) return RegExp.escape(part);
        return part.endsWith("*") && at === parts.length - 2 ? "(.*)" : "([^/]*)";
      });
      const names = parts.filter((_, at) => at % 2 === 1).map(nameOf);
      const [start = ""] = parts;
      const folder = start.slice(0, Math.max(0, start.lastIndexOf("/")));
      const pattern = { order, form: new RegExp(`^${groups.join("")}/?$`, "s"), names, destination };
      const siblings = this.#patterns.get(folder) ?? [];
      if (names.length > 0 && siblings.length >= maxPatterns) this.leftOut += 1;
      else if (names.length > 0) {
        this.patterns.push(source);
        this.#patterns.set(folder, siblings).get(folder)?.push(pattern);
      } else if (!this.exact.has(address)) this.exact.set(address, fillWildcards(destination, new Map()));
    }
  }

  /** The destination of an address, which may have moved in turn; `undefined` where it has not moved. */
  find(written: string): string | undefined {
    const address = trimSlashes(written);
    const whole = this.exact.get(address);
    if (whole !== undefined) return whole;
    const path = `${address}/`;
    const segments = path.split("/", maxFolders);
    const [pattern] = segments
      .flatMap((_, depth) => this.#patterns.get(segments.slice(0, depth).join("/")) ?? [])
      .filter(({ form }) => form.test(path))
      .sort((left, right) => left.order - right.order);
    const texts = pattern?.form.exec(path)?.slice(1) ?? [];
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

/** Path in the site of the page at an address that moved; `undefined` for addresses that are no page's. */
function redirectPath(address: string): string | undefined {
  if (address === "") return "index.html";
  const written = address.replace(/\.html?$/i, "");
  // `/robots.txt` and the like are files, not pages; `..` is outside the site.
  const isPage = written.split("/").every((segment) => segment !== "" && !segment.startsWith("."));
  return isPage && !/\.[a-z0-9]{1,5}$/i.test(written) ? `${toPortablePath(written)}.html` : undefined;
}

/** The page at an address that has moved: it leads on by itself, and by a link where a browser does not. */
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
