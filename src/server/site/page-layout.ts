/** The HTML document around a page's content: header, navigation, table of contents. */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { html, raw } from "hono/html";
import { clientAssets } from "./client-assets.ts";
import { plainText } from "./content/component.ts";
import { iconElement } from "./content/icons.ts";
import { isBare, readEndpoint } from "./content/page-source.ts";
import { hashOf } from "./content/polish-tree.ts";
import { findCounterpart } from "./counterparts.ts";
import { isRightToLeft, scriptWords, type Words, wordsFor } from "./interface-words.ts";
import type { MediaKind } from "./links.ts";
import {
  countPages,
  firstPage,
  type NavigationGroup,
  type NavigationLink,
  type NavigationNode,
  navigationFor,
  type PageLocation,
  type Switch,
} from "./navigation.ts";
import type { SitePlan } from "./plan-site.ts";
import { type PageSource, type RenderedPage, toMarkup } from "./render-page.ts";
import { assetsFolder, depthOf, linkAtDepth, markdownPath, relativeLink } from "./routes.ts";
import { chooseIndexes, type SearchPart } from "./search-index.ts";

/** Markup from a template: what is put into it is escaped, unless it is markup itself; `false` and `undefined` print nothing. */
type Html = ReturnType<typeof html>;

/** A page of the site, with what the parts of its document have in common. */
interface View {
  readonly site: Site;
  readonly source: PageSource;
  readonly frame: Frame;
  readonly words: Words;
  readonly location: PageLocation | undefined;
  /** The link to a path of the site. */
  linkTo(path: string): string;
  /** A link that holds at the site's root, as it is on the page. */
  fromRoot(href: string): string;
  /** The icon that the configuration gives an entry or a link: a drawing by its name, or a picture. */
  iconOf(entry: { readonly icon?: string | undefined }): Html | false;
}

/** A link in the frame of every page. */
export interface FrameLink {
  readonly label: string;
  readonly href: string;
  readonly icon?: string | undefined;
  /** Whether its icon alone is shown, if it has one. */
  readonly isIcon?: boolean;
}

/** What surrounds the pages of a language. Its links are as they are at the site's root. */
export interface Frame {
  /** Links in the header; the first one is a button. */
  readonly callToAction: FrameLink | undefined;
  readonly links: readonly FrameLink[];
  /** Links in the footer. */
  readonly columns: readonly { readonly title: string | undefined; readonly links: readonly FrameLink[] }[];
  readonly socials: readonly FrameLink[];
  /** Shown above every page: markup by the number of folders that a page is in, since links depend on it. */
  readonly banner: { readonly htmlByDepth: readonly string[]; readonly isDismissible: boolean } | undefined;
}

/** Addresses of a picture for light and one for dark colours, from the site's root. */
interface Pictures {
  readonly light: string;
  readonly dark: string;
}

/** What every page needs to know of the site around it. */
export interface Site extends Pick<SitePlan, "navigation" | "locations"> {
  /** The locations in reading order. */
  readonly order: readonly PageLocation[];
  /** The languages and versions that can be searched. */
  readonly searchParts: readonly SearchPart[];
  readonly title: string;
  /** Language of the pages that are not written by the documents' authors. */
  readonly lang: string | undefined;
  /** Shown beside the title. */
  readonly version: string | undefined;
  /** Addresses of the icons that are files of the documents, from the site's root, by what is written. */
  readonly iconPictures: ReadonlyMap<string, string>;
  /** Classes of the drawings that the style sheet has, by their names: drawn in each page, a navigation's icons are most of its bytes. */
  readonly iconClasses: ReadonlyMap<string, string>;
  readonly favicon: Pictures;
  readonly logo: Pictures | undefined;
  /** Where the name leads, from the site's root; to the front page without it. */
  readonly logoHref: string | undefined;
  readonly frame: Frame;
  /** Languages that have another frame, by their tags. */
  readonly languageFrames: ReadonlyMap<string, Frame>;
  /** What the documents say at addresses that have no page. */
  readonly notFound: { readonly title: string | undefined; readonly html: string | undefined };
  readonly theme: "light" | "dark" | undefined;
  /** Whether a reader may choose between light and dark. */
  readonly hasThemeToggle: boolean;
}

/**
 * A page runs the site's own scripts, and loads nothing from elsewhere but what it is meant to show. `file:` stands beside `'self'` because browsers
 * disagree on whether a page opened from disk has an origin.
 */
function contentSecurityPolicy(remote: ReadonlySet<MediaKind>, inlineScript: string | undefined): string {
  const hash = inlineScript && ` 'sha256-${createHash("sha256").update(inlineScript).digest("base64")}'`;
  const from = (...kinds: readonly MediaKind[]) => (kinds.some((kind) => remote.has(kind)) ? " https:" : "");
  return [
    "default-src 'none'",
    `script-src 'self' file:${hash ?? ""}`,
    "style-src 'self' file:",
    `img-src 'self' file: data:${from("img")}`,
    `media-src 'self' file:${from("video", "audio")}`,
    ...(remote.has("iframe") ? ["frame-src https:"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/**
 * Renders a whole page.
 *
 * @param remote What it loads from elsewhere.
 * @param inlineScript Runs before anything of the page is loaded.
 */
export function renderDocument(
  site: Site,
  page: Omit<RenderedPage, "sections" | "ids" | "hasDiagram" | "markdown">,
  remote: ReadonlySet<MediaKind> = new Set(),
  inlineScript?: string,
): string {
  const { frontMatter, title, route, lang = "en", translations } = page.source;
  const { outPath } = route;
  const words = wordsFor(lang);
  const location = site.locations.get(route.source);
  const linkTo = (path: string) => relativeLink(outPath, path);
  const depth = depthOf(outPath);
  const fromRoot = (href: string) => linkAtDepth(depth, href);
  const frame = site.languageFrames.get(lang) ?? site.frame;
  const iconOf: View["iconOf"] = ({ icon = "" }) => renderIcon(icon, site, fromRoot);
  const view = { site, source: page.source, frame, words, location, linkTo, fromRoot, iconOf };
  const { switches, nodes } = navigationFor(site.navigation, location, { lang, slug: route.slug });
  const tabs = switches.filter(({ as }) => as === "tab");
  const version = switches.find(({ as }) => as === "version")?.active?.title;
  const { searched, others } = chooseIndexes(site.searchParts, page.source);
  const asset = (name: string) => linkTo(`${assetsFolder}/${name}`);
  const { description, mode } = frontMatter;
  const names = [...new Set([title, site.title, version])].filter((name) => name !== undefined);
  const alternates = translations.map(
    (other) =>
      html`<link rel="alternate" hreflang="${other.lang ?? "x-default"}" href="${linkTo(other.outPath)}">\n`,
  );
  const data = JSON.stringify(Object.fromEntries(scriptWords.map((name) => [name, words[name]])));
  const document = html`<!doctype html>
<html lang="${lang}"${isRightToLeft(lang) && html` dir="rtl"`} data-root="${fromRoot("")}" data-indexes="${searched.join(" ")}"${others.length > 0 && html` data-other-indexes="${others.join(" ")}"`}${site.theme && html` data-theme="${site.theme}"`} data-words="${data}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(remote, inlineScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${names.join(" · ")}</title>
${description !== undefined && html`<meta name="description" content="${plainText(description)}">\n`}<meta name="color-scheme" content="light dark">
${inlineScript !== undefined && html`<script>${raw(inlineScript)}</script>\n`}${renderFavicon(site.favicon, fromRoot)}
${alternates}${route.source !== "" && html`<link rel="alternate" type="text/markdown" href="${linkTo(markdownPath(outPath))}">\n`}<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("theme.js")}"></script>
<script src="${asset("site.js")}" defer></script>
</head>
<body>
<a class="sr-only" href="#docs-content">${words.skipToContent}</a>
${renderBanner(frame, depth, words)}${renderHeader(view)}
${tabs.length > 0 && html`<nav class="tab-bar" aria-label="${words.sections}">${tabs.map((menu) => renderSections(menu, view))}</nav>`}
<div class="layout${mode === undefined ? "" : ` layout-${mode}`}">
<nav class="sidebar" id="docs-navigation" popover aria-label="${words.site}">${renderSidebar(switches, nodes, view)}${renderMenuLinks(view)}</nav>
${renderMain(page, view)}
${page.asideHtml === "" && mode === undefined && renderContents(page.headings, words)}
</div>
${mode !== "custom" && renderFooter(view)}</body>
</html>
`;
  return document.toString();
}

/** A page's text, with the links around it. */
function renderMain(
  page: Pick<RenderedPage, "titleHtml" | "leadHtml" | "contentHtml" | "asideHtml">,
  view: View,
): Html {
  const { frontMatter } = view.source;
  const hasFrame = !isBare(frontMatter);
  const lead = hasFrame && page.leadHtml !== "" && html`<p class="lead">${raw(page.leadHtml)}</p>`;
  return html`<main id="docs-content" tabindex="-1">
${hasFrame && renderBreadcrumbs(view)}<article>
${page.titleHtml !== "" && html`<h1${!hasFrame && html` class="sr-only"`}>${raw(page.titleHtml)}</h1>\n`}${renderEndpoint(frontMatter.endpoint)}${lead}
${raw(page.contentHtml)}
</article>
${page.asideHtml !== "" && html`<aside class="page-aside" aria-label="${view.words.example}">${raw(page.asideHtml)}</aside>`}
${hasFrame && renderPager(view)}
</main>`;
}

/** One of the site's own icons. */
function iconHtml(name: string): Html {
  const icon = iconElement(name);
  return raw(icon === undefined ? "" : toMarkup([icon]));
}

function renderIcon(
  icon: string,
  { iconPictures, iconClasses }: Site,
  fromRoot: View["fromRoot"],
): Html | false {
  const [picture, className] = [iconPictures.get(icon), iconClasses.get(icon)];
  if (picture !== undefined) return html`<img class="icon" src="${fromRoot(picture)}" alt="">`;
  return className !== undefined && html`<i class="icon ${className}" aria-hidden="true"></i>`;
}

function renderFavicon({ light, dark }: Pictures, fromRoot: View["fromRoot"]): Html {
  const other = html`\n<link rel="icon" href="${fromRoot(dark)}" media="(prefers-color-scheme: dark)">`;
  return html`<link rel="icon" href="${fromRoot(light)}">${dark !== light && other}`;
}

function renderBanner({ banner }: Frame, depth: number, words: Words): Html | false {
  if (banner === undefined) return false;
  const button = html`<button type="button" class="icon-button" aria-label="${words.close}">${iconHtml("x")}</button>`;
  return html`<aside class="banner"${banner.isDismissible && html` data-dismissible`}>${raw(banner.htmlByDepth[depth] ?? "")}${banner.isDismissible && button}</aside>\n`;
}

function frameLink(link: FrameLink, className: string, { fromRoot, iconOf }: View): Html {
  const icon = iconOf(link);
  const isIcon = link.isIcon === true && icon !== false && icon.toString() !== "";
  const name = isIcon && html` aria-label="${link.label}" title="${link.label}"`;
  const classes = className !== "" && html` class="${className}"`;
  return html`<a${classes} href="${fromRoot(link.href)}" rel="noopener noreferrer"${name}>${icon}${!isIcon && link.label}</a>`;
}

function renderHeader(view: View): Html {
  const { site, words, fromRoot } = view;
  const { title, version, logo } = site;
  const { links, callToAction } = view.frame;
  const tool = (link: FrameLink, className: string) => frameLink(link, className, view);
  const picture = (path: string, className: string) =>
    html`<img class="${className}" src="${fromRoot(path)}" alt="${title}" height="26">`;
  const name =
    logo === undefined
      ? html`<span class="site-title">${title}</span>`
      : html`${picture(logo.light, "only-light")}${picture(logo.dark, "only-dark")}`;
  const toggle = html`<button type="button" class="icon-button" data-theme-toggle aria-label="${words.darkColours}" aria-pressed="false">${iconHtml("moon")}${iconHtml("sun")}</button>`;
  return html`<header class="site-header">
<button type="button" class="icon-button menu-button" popovertarget="docs-navigation" aria-label="${words.navigation}">${iconHtml("menu")}</button>
<a class="site-name" href="${fromRoot(site.logoHref ?? "index.html")}">${name}</a>${version !== undefined && html`<span class="tag">${version}</span>`}
<div class="header-tools">${links.map((link) => tool(link, "header-link"))}${callToAction && tool(callToAction, "header-link call-to-action")}<button type="button" class="search-button" data-search>${iconHtml("search")}<span>${words.search}</span><kbd>/</kbd></button>
${site.hasThemeToggle && toggle}</div>
</header>`;
}

/** The header's links, where it has no room for them. */
function renderMenuLinks(view: View): Html | false {
  const { links, callToAction } = view.frame;
  const items = [...links, ...(callToAction ? [callToAction] : [])].map(
    (link) => html`<li>${frameLink({ ...link, isIcon: false }, "", view)}</li>`,
  );
  return items.length > 0 && html`<ul class="narrow-only">${items}</ul>`;
}

function renderFooter(view: View): Html | false {
  const { columns, socials } = view.frame;
  if (columns.length === 0 && socials.length === 0) return false;
  const list = (links: readonly FrameLink[]) =>
    html`<ul>${links.map((link) => html`<li>${frameLink(link, "footer-link", view)}</li>`)}</ul>`;
  const lists = columns.map(
    ({ title, links }) => html`<div>${title && html`<p class="toc-title">${title}</p>`}${list(links)}</div>`,
  );
  return html`<footer class="site-footer">${lists}${socials.length > 0 && html`<div class="socials">${list(socials)}</div>`}</footer>\n`;
}

/** Up to this many pages, all groups are open from the start. */
const maxOpenPages = 40;
/** Beyond this many pages, groups that the page is not in are a link: every page carries its navigation. */
const maxListedPages = 400;

/** Each entry that is only a link as it was last rendered: the pages of a folder that are in one language have the same. */
const linkItems = new WeakMap<NavigationNode, { folder: string; words: Words; item: Html }>();

/** Renders menus for the parts of the site to choose from, and the entries of the chosen ones. */
function renderSidebar(switches: readonly Switch[], nodes: readonly NavigationNode[], view: View): Html {
  const { location, words, linkTo, iconOf } = view;
  const pageCount = countPages(nodes, maxListedPages + 1);
  const chevron = iconOf({ icon: "chevron-right" });
  const folder = posix.dirname(view.source.route.outPath);

  function reuse(node: NavigationNode, render: () => Html): Html {
    const known = linkItems.get(node);
    if (known?.folder === folder && known.words === words) return known.item;
    const item = render();
    linkItems.set(node, { folder, words, item });
    return item;
  }

  function renderGroup(group: NavigationGroup, depth: number): Html {
    const { title, children } = group;
    const name = html`${iconOf(group)}${title}${renderTag(group)}${chevron}`;
    const holdsPage = location?.ancestors.includes(group) ?? false;
    const landing = firstPage(children);
    if (!holdsPage && pageCount > maxListedPages && landing !== undefined) {
      const { outPath: target } = landing.route;
      return reuse(group, () => html`<li><a class="nav-folded" href="${linkTo(target)}">${name}</a></li>`);
    }
    const isOpen = holdsPage || group.isOpen === true || (depth === 0 && pageCount <= maxOpenPages);
    return html`<li><details${isOpen && html` open`}><summary>${name}</summary>${renderList(children, depth + 1, title)}</details></li>`;
  }

  function renderList(list: readonly NavigationNode[], depth: number, groupTitle?: string): Html {
    // A group's own page would only repeat the group's title.
    const indexTitle = list.some(({ title }) => title === words.overview) ? undefined : groupTitle;
    const items = list.map((node) => {
      if (node.kind === "group") return node.as === undefined && renderGroup(node, depth);
      if (node.kind === "link") return html`<li>${renderLink(node, view)}</li>`;
      const isCurrent = location?.page.route === node.route;
      const renderItem = () => {
        const title = node.title === indexTitle ? words.overview : node.title;
        const method = node.method !== undefined && html`${renderMethod(node.method)} `;
        const label = node.deprecated ? html`<s>${title}</s>` : title;
        const current = isCurrent && html` aria-current="page"`;
        return html`<li><a href="${linkTo(node.route.outPath)}"${current}>${method}${iconOf(node)}${label}${renderTag(node)}</a></li>`;
      };
      return isCurrent ? renderItem() : reuse(node, renderItem);
    });
    return html`<ul>${items}</ul>`;
  }

  const menus = switches.map((menu) => {
    if (menu.as === "tab") return false;
    const chosen = menu.active && html` ${menu.active.title}${renderTag(menu.active)}`;
    const list = renderSections(menu, view);
    if (menu.as === "anchor") return html`<div class="switcher">${list}</div>`;
    const kind = menu.as === "menu" ? menu.active === undefined && words.sections : words[menu.as];
    const label = html`${kind && html`<span class="switcher-label">${kind}</span>`}${chosen}${chevron}`;
    return html`<details class="switcher"><summary>${label}</summary>${list}</details>`;
  });
  return html`${menus}${nodes.length > 0 && renderList(nodes, 0)}`;
}

function renderTag({ tag }: NavigationNode): Html | false {
  return tag !== undefined && html` <span class="tag">${tag}</span>`;
}

function renderLink(link: NavigationLink, { linkTo, iconOf }: View): Html {
  const { to, title, tag } = link;
  if (typeof to !== "string") return html`<a href="${linkTo(to.outPath)}">${iconOf(link)}${title}</a>`;
  const mark = tag === undefined ? iconOf({ icon: "external-link" }) : html` <span class="tag">${tag}</span>`;
  return html`<a href="${to}" rel="noopener noreferrer">${iconOf(link)}${title}${mark}</a>`;
}

/** Links to the parts of the site of which the page is in one; to the page's counterpart in another version or language. */
function renderSections({ as, sections, active }: Switch, view: View): Html {
  const { location, linkTo, iconOf } = view;
  const links = sections.map((section) => {
    if (section.kind === "link") return html`<li>${renderLink(section, view)}</li>`;
    const hasCounterparts = active !== undefined && section !== active && /^(?:version|language)$/.test(as);
    const landing = hasCounterparts
      ? findCounterpart(location, active, section)
      : firstPage(section.children);
    if (landing === undefined) return false;
    const translated =
      as === "language" && view.source.translations.find((other) => other.lang === section.lang);
    const target = translated ? translated.outPath : landing.route.outPath;
    const current = section === active && html` aria-current="true"`;
    const lang = section.lang !== undefined && html` lang="${section.lang}" hreflang="${section.lang}"`;
    return html`<li><a href="${linkTo(target)}"${lang}${current}>${iconOf(section)}${section.title}${renderTag(section)}</a></li>`;
  });
  return html`<ul>${links}</ul>`;
}

function renderBreadcrumbs({ location, words }: View): Html | false {
  const groups = (location?.ancestors ?? []).filter(({ as }) => as !== "language");
  const titles = new Set(groups.map(({ title }) => title));
  titles.delete(location?.page.title ?? "");
  if (titles.size === 0) return false;
  return html`<nav class="breadcrumbs" aria-label="${words.breadcrumb}"><ol>${[...titles].map((title) => html`<li>${title}</li>`)}</ol></nav>`;
}

function renderContents(headings: RenderedPage["headings"], words: Words): Html | false {
  const listed = headings.filter(({ depth, isUnlisted }) => depth <= 3 && isUnlisted !== true);
  if (listed.length < 2) return false;
  const items = listed.map(
    ({ id, text, depth }) => html`<li class="toc-${depth}"><a href="${hashOf(id)}">${text}</a></li>`,
  );
  return html`<nav class="toc" aria-label="${words.onThisPage}"><p class="toc-title">${words.onThisPage}</p><ul>${items}</ul></nav>`;
}

/** Links to the pages before and after this one, within the same part of the site. */
function renderPager({ site: { order }, location, linkTo, words }: View): Html | false {
  if (location === undefined) return false;
  const sectionsOf = ({ ancestors }: PageLocation) => ancestors.filter(({ as }) => as !== undefined);
  const own = sectionsOf(location);
  const link = (offset: number, rel: string, label: string) => {
    const to = order[location.position + offset];
    const other = to && sectionsOf(to);
    if (to === undefined || other?.length !== own.length || own.some((section, at) => section !== other[at]))
      return false;
    return html`<a class="pager-${rel}" rel="${rel}" href="${linkTo(to.page.route.outPath)}"><span class="pager-label">${label}</span><span class="pager-title">${to.page.title}</span></a>`;
  };
  const links = [link(-1, "prev", words.previous), link(1, "next", words.next)].filter(Boolean);
  return links.length > 0 && html`<nav class="pager" aria-label="${words.pager}">${links}</nav>`;
}

function renderMethod(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`;
}

function renderEndpoint(endpoint: string | undefined): Html | false {
  const { method, path } = readEndpoint(endpoint) ?? {};
  if (method === undefined) return false;
  return html`<p class="endpoint">${renderMethod(method)}<code>${path}</code></p>`;
}

/** The front page of documents that have none: the navigation's first level. */
export function renderHomePage(site: Site): string {
  const cards = site.navigation.map((node) => {
    const landing = firstPage([node]);
    if (landing === undefined) return false;
    return html`<div class="card card-link"><p class="card-title"><a href="${relativeLink("index.html", landing.route.outPath)}">${node.title}</a></p></div>`;
  });
  return renderOwnPage(site, "index", site.title, html`<div class="columns columns-2">${cards}</div>`);
}

/** The page that file servers show for an address that does not exist. */
export function renderNotFoundPage(site: Site): string {
  const words = wordsFor(site.lang ?? "");
  const { title = words.notFound, html: text } = site.notFound;
  const content = html`${text === undefined ? html`<p>${words.notFoundText}</p>` : raw(text)}
<p><a href="index.html">${words.frontPage}</a></p>`;
  return renderOwnPage(site, "404", title, content, clientAssets["not-found.js"]);
}

/** A page that no document is behind. */
function renderOwnPage(site: Site, slug: string, title: string, content: Html, script?: string): string {
  const route = { source: "", slug, outPath: `${slug}.html` };
  const titleHtml = toMarkup([{ type: "text", value: title }]);
  const place = { lang: site.lang, version: undefined, isDefaultVersion: true, translations: [] };
  const source = { route, frontMatter: {}, title, isIndexed: false, ...place };
  const contentHtml = content.toString();
  return renderDocument(
    site,
    { source, titleHtml, leadHtml: "", contentHtml, asideHtml: "", headings: [] },
    new Set(),
    script,
  );
}
