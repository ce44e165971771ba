/** Renders the HTML document around a page's content: header, navigation, table of contents. */
import { hash } from "node:crypto";
import { h } from "hastscript";
import { html, raw } from "hono/html";
import { clientAssets } from "./client-assets.ts";
import { plainText } from "./content/component.ts";
import { iconElement } from "./content/icons.ts";
import { isBare } from "./content/page-source.ts";
import { hashOf } from "./content/polish-tree.ts";
import { isRightToLeft, scriptWords, type Words, wordsFor } from "./interface-words.ts";
import type { MediaKind } from "./links.ts";
import {
  countPages,
  findCounterpart,
  firstPage,
  landingPage,
  type NavigationGroup,
  type NavigationLink,
  type NavigationNode,
  navigationFor,
  type PageLocation,
  type Switch,
} from "./navigation.ts";
import { readOperationName } from "./openapi/api-document.ts";
import type { SitePlan } from "./plan-site.ts";
import { type PageSource, type RenderedPage, toMarkup } from "./render-page.ts";
import { assetsFolder, hasScheme, markdownPath, relativeLink } from "./routes.ts";
import { chooseIndexes, type SearchPart } from "./search-index.ts";

/** Markup from a template. Values are escaped unless they are markup themselves; `false` and `undefined` print nothing. */
type Html = ReturnType<typeof html>;

/** The parts of a rendered page that its document shows. */
type ShownPage = Omit<RenderedPage, "sections" | "code" | "ids" | "hasDiagram" | "markdown">;

/** The data that all parts of a page's document share. */
interface View {
  readonly site: SiteDescription;
  readonly source: PageSource;
  readonly frame: Frame;
  readonly words: Words;
  readonly location: PageLocation | undefined;
  /** The relative link to a path of the site. */
  linkTo(path: string): string;
  /** Converts a link relative to the site's root into one relative to the page. */
  fromRoot(href: string): string;
  /** Renders the configured icon of an entry or link: a drawing or a picture. */
  iconOf(entry: { readonly icon?: string | undefined }): Html | false;
}

/** A link in the header or footer. */
export interface FrameLink {
  readonly label: string;
  readonly href: string;
  readonly icon?: string | undefined;
  /** Whether only its icon is shown, if it has one. */
  readonly isIcon?: boolean;
  readonly isButton?: boolean;
}

/** Header, footer and banner of the pages in one language. Links are relative to the site's root. */
export interface Frame {
  readonly links: readonly FrameLink[];
  readonly columns: readonly { readonly title: string | undefined; readonly links: readonly FrameLink[] }[];
  readonly socials: readonly FrameLink[];
  /** Banner above every page. Its links begin with {@link rootPlaceholder}. */
  readonly banner: { readonly html: string; readonly isDismissible: boolean } | undefined;
}

/** In markup that pages share, stands for the relative link to the site's root. */
export const rootPlaceholder = "docs-site-root:/";

/** Paths of the pictures for light and dark colours, from the site's root. */
interface Pictures {
  readonly light: string;
  readonly dark: string;
}

/** The data of the site that every page needs. */
export interface SiteDescription extends Pick<SitePlan, "navigation" | "locations"> {
  /** All locations in reading order. */
  readonly order: readonly PageLocation[];
  /** Languages and versions with a search index. */
  readonly searchParts: readonly SearchPart[];
  readonly title: string;
  readonly lang: string | undefined;
  readonly version: string | undefined;
  /** Targets of the navigation's links from the site's root, by the link as written; `undefined` for a broken link. */
  readonly linkTargets: ReadonlyMap<string, string | undefined>;
  /** Paths of icons that are files, from the site's root, by the configured value. */
  readonly iconPictures: ReadonlyMap<string, string>;
  /** CSS classes of icons by name. Inline drawings would be most of the bytes of a page with a large navigation. */
  readonly iconClasses: ReadonlyMap<string, string>;
  readonly favicon: Pictures;
  readonly logo: Pictures | undefined;
  /** Target of the logo, from the site's root. Default: the front page. */
  readonly logoHref: string | undefined;
  readonly frame: Frame;
  /** Frames of languages with a configuration of their own, by language tag. */
  readonly languageFrames: ReadonlyMap<string, Frame>;
  /** Configured title and text of the "not found" page. */
  readonly notFound: { readonly title: string | undefined; readonly html: string | undefined };
  readonly theme: "light" | "dark" | undefined;
  /** Whether the user can switch between light and dark colours. */
  readonly hasThemeToggle: boolean;
}

/**
 * Allows only the site's own scripts and styles, and remote media only if the page shows them. `file:` is needed beside `'self'` because
 * browsers disagree on whether a page opened from disk has an origin.
 */
function contentSecurityPolicy(remote: ReadonlySet<MediaKind>, inlineScript: string | undefined): string {
  const inline = inlineScript && ` 'sha256-${hash("sha256", inlineScript, "base64")}'`;
  const sourceOf = (...kinds: readonly MediaKind[]) =>
    kinds.some((kind) => remote.has(kind)) ? " https:" : "";
  return [
    "default-src 'none'",
    `script-src 'self' file:${inline ?? ""}`,
    "style-src 'self' file:",
    `img-src 'self' file: data:${sourceOf("img")}`,
    `media-src 'self' file:${sourceOf("video", "audio")}`,
    ...(remote.has("iframe") ? ["frame-src https:"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/**
 * Renders a whole page.
 *
 * @param remote types of remote media that the page loads
 * @param inlineScript runs before the page loads anything
 */
export function renderDocument(
  site: SiteDescription,
  page: ShownPage,
  remote: ReadonlySet<MediaKind> = new Set(),
  inlineScript?: string,
): string {
  const { frontMatter, title, route, lang = "en" } = page.source;
  const { outPath } = route;
  const words = wordsFor(lang);
  const location = site.locations.get(route.source);
  const linkTo = (path: string) => relativeLink(outPath, path);
  const root = "../".repeat(outPath.split("/").length - 1);
  const fromRoot = (href: string) => (hasScheme(href) || href.startsWith("#") ? href : root + href);
  const frame = site.languageFrames.get(lang) ?? site.frame;
  const iconOf: View["iconOf"] = ({ icon = "" }) => {
    const [picture, className] = [site.iconPictures.get(icon), site.iconClasses.get(icon)];
    if (picture !== undefined) return html`<img class="icon" src="${fromRoot(picture)}" alt="">`;
    return className !== undefined && html`<i class="icon ${className}" aria-hidden="true"></i>`;
  };
  const view = { site, source: page.source, frame, words, location, linkTo, fromRoot, iconOf };
  const { switches, nodes } = navigationFor(site.navigation, location, lang);
  const tabLists = switches.filter(({ as }) => as === "tab").map((menu) => renderSections(menu, view));
  const named = frame.links.map((link) => ({ ...link, isIcon: false }));
  const menuLinks = named.length > 0 ? [renderLinks(named, "", view)] : [];
  // The header's links and tabs are in the menu on narrow screens.
  const inMenu = (lists: readonly Html[]) =>
    lists.length > 0 && html`<div class="narrow-only">${lists}</div>`;
  const version = switches.find(({ as }) => as === "version")?.active?.title;
  const searched = chooseIndexes(site.searchParts, page.source);
  const asset = (name: string) => linkTo(`${assetsFolder}/${name}`);
  const { description, mode } = frontMatter;
  const { light, dark } = site.favicon;
  const names = [...new Set([title, site.title, version])].filter((name) => name !== undefined);
  const { sections: languages = [], active } = switches.find(({ as }) => as === "language") ?? {};
  const alternates = languages.map((section) => {
    const translation = section.kind === "group" && section.lang && findCounterpart(route, section);
    // Otherwise, it is the translation of another page.
    const isMutual =
      translation && active && findCounterpart(translation.route, active)?.route.source === route.source;
    return (
      isMutual &&
      html`<link rel="alternate" hreflang="${section.lang}" href="${linkTo(translation.route.outPath)}">\n`
    );
  });
  const data = JSON.stringify(Object.fromEntries(scriptWords.map((name) => [name, words[name]])));
  const document = html`<!doctype html>
<html lang="${lang}"${isRightToLeft(lang) && html` dir="rtl"`} data-root="${fromRoot("")}" data-indexes="${searched.join(" ")}"${site.theme && html` data-theme="${site.theme}"`}${!site.hasThemeToggle && html` data-strict`} data-words="${data}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(remote, inlineScript)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${names.join(" · ")}</title>
${description !== undefined && html`<meta name="description" content="${plainText(description)}">\n`}<meta name="color-scheme" content="light dark">
${!page.source.isIndexed && html`<meta name="robots" content="noindex">\n`}${inlineScript !== undefined && html`<script>${raw(inlineScript)}</script>\n`}<link rel="icon" href="${fromRoot(light)}">${dark !== light && html`\n<link rel="icon" href="${fromRoot(dark)}" media="(prefers-color-scheme: dark)">`}
${alternates}${route.source !== "" && html`<link rel="alternate" type="text/markdown" href="${linkTo(markdownPath(outPath))}">\n`}<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("theme.js")}"></script>
<script src="${asset("site.js")}" defer></script>
</head>
<body>
<a class="sr-only" href="#docs-content">${words.skipToContent}</a>
${renderBanner(view)}${renderHeader(view)}
${tabLists.length > 0 && html`<nav class="tab-bar" aria-label="${words.sections}">${tabLists}</nav>`}
<div class="layout${mode === undefined ? "" : ` layout-${mode}`}">
<nav class="sidebar" id="docs-navigation" popover aria-label="${words.site}">${inMenu(tabLists)}${renderSidebar(switches, nodes, view)}${inMenu(menuLinks)}</nav>
${page.asideHtml === "" && mode === undefined && renderContents(page.headings, words)}
${renderMain(page, view)}
</div>
${mode !== "custom" && renderFooter(view)}</body>
</html>
`;
  return document.toString();
}

function renderMain(page: ShownPage, view: View): Html {
  const { frontMatter } = view.source;
  const hasFrame = !isBare(frontMatter);
  const { method, path } = readOperationName(frontMatter.endpoint) ?? {};
  const endpoint = method && html`<p class="endpoint">${renderMethod(method)}<code>${path}</code></p>`;
  const lead = hasFrame && page.leadHtml !== "" && html`<p class="lead">${raw(page.leadHtml)}</p>`;
  return html`<main id="docs-content" tabindex="-1">
${hasFrame && renderBreadcrumbs(view)}<article>
${page.titleHtml !== "" && raw(`${page.titleHtml}\n`)}${endpoint}${lead}
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

function renderBanner({ frame: { banner }, words, fromRoot }: View): Html | false {
  if (banner === undefined) return false;
  const content = raw(banner.html.replaceAll(rootPlaceholder, fromRoot("")));
  const button = html`<button type="button" class="icon-button" aria-label="${words.close}">${iconHtml("x")}</button>`;
  return html`<aside class="banner"${banner.isDismissible && html` data-dismissible`}>${content}${banner.isDismissible && button}</aside>\n`;
}

function frameLink(link: FrameLink, className: string, { fromRoot, iconOf }: View): Html {
  const icon = iconOf(link);
  const isIcon = link.isIcon === true && icon !== false;
  const name = isIcon && html` aria-label="${link.label}" title="${link.label}"`;
  const classes = className !== "" && html` class="${className}"`;
  return html`<a${classes} href="${fromRoot(link.href)}" rel="noopener noreferrer"${name}>${icon}${!isIcon && link.label}</a>`;
}

function renderLinks(links: readonly FrameLink[], className: string, view: View): Html {
  return html`<ul>${links.map((link) => html`<li>${frameLink(link, className, view)}</li>`)}</ul>`;
}

function renderHeader(view: View): Html {
  const { site, words, fromRoot } = view;
  const { title, version, logo } = site;
  const links = view.frame.links.map((link) =>
    frameLink(link, link.isButton ? "header-link call-to-action" : "header-link", view),
  );
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
<div class="header-tools">${links}<button type="button" class="search-button" data-search aria-label="${words.search}">${iconHtml("search")}<span>${words.search}</span><kbd>/</kbd></button>
${site.hasThemeToggle && toggle}</div>
</header>`;
}

function renderFooter(view: View): Html | false {
  const { columns, socials } = view.frame;
  if (columns.length === 0 && socials.length === 0) return false;
  const lists = columns.map(
    ({ title, links }) =>
      html`<div>${title && html`<p class="toc-title">${title}</p>`}${renderLinks(links, "footer-link", view)}</div>`,
  );
  return html`<footer class="site-footer">${lists}${socials.length > 0 && html`<div class="socials">${renderLinks(socials, "footer-link", view)}</div>`}</footer>\n`;
}

/** Up to this number of pages, all groups are initially expanded. */
const maxExpandedPages = 40;
/** Beyond this number of pages, groups without the current page are shown as a link, as every page contains the navigation. */
const maxListedPages = 400;

/** Renders the switches, and the entries of the active sections. */
function renderSidebar(switches: readonly Switch[], nodes: readonly NavigationNode[], view: View): Html {
  const { location, words, linkTo, iconOf } = view;
  const pageCount = countPages(nodes, maxListedPages + 1);
  const chevron = iconOf({ icon: "chevron-right" });

  function renderGroup(group: NavigationGroup, depth: number): Html {
    const { title, children } = group;
    const name = html`${iconOf(group)}${title}${renderTag(group)}${chevron}`;
    const containsPage = location?.ancestors.includes(group) ?? false;
    const landing = firstPage(children);
    if (!containsPage && pageCount > maxListedPages && landing !== undefined)
      return html`<li><a class="nav-folded" href="${linkTo(landing.route.outPath)}">${name}</a></li>`;
    const isOpen = containsPage || group.isOpen === true || (depth === 0 && pageCount <= maxExpandedPages);
    return html`<li><details${isOpen && html` open`}><summary>${name}</summary>${renderList(children, depth + 1)}</details></li>`;
  }

  function renderList(list: readonly NavigationNode[], depth: number): Html {
    const items = list.map((node) => {
      if (node.kind === "group") return node.as === undefined && renderGroup(node, depth);
      if (node.kind === "link") return renderLink(node, view);
      const method = node.method !== undefined && html`${renderMethod(node.method)} `;
      const label = node.deprecated ? html`<s>${node.title}</s>` : node.title;
      const current = location?.page.route === node.route && html` aria-current="page"`;
      return html`<li><a href="${linkTo(node.route.outPath)}"${current}>${method}${iconOf(node)}${label}${renderTag(node)}</a></li>`;
    });
    return html`<ul>${items}</ul>`;
  }

  const menus = switches.map((menu) => {
    if (menu.as === "tab") return false;
    const activeTitle =
      menu.active && html` ${iconOf(menu.active)}${menu.active.title}${renderTag(menu.active)}`;
    const list = renderSections(menu, view);
    if (menu.as === "anchor") return html`<div class="switcher">${list}</div>`;
    const name = menu.as === "menu" ? menu.active === undefined && words.sections : words[menu.as];
    const label = html`${name && html`<span class="switcher-label">${name}</span>`}${activeTitle}${chevron}`;
    return html`<details class="switcher"><summary>${label}</summary>${list}</details>`;
  });
  return html`${menus}${nodes.length > 0 && renderList(nodes, 0)}`;
}

function renderTag({ tag }: NavigationNode): Html | false {
  return tag !== undefined && html` <span class="tag">${tag}</span>`;
}

function renderLink(link: NavigationLink, { site, fromRoot, iconOf }: View): Html | false {
  const href = site.linkTargets.get(link.to);
  if (href === undefined) return false;
  const mark =
    link.tag === undefined && hasScheme(href) ? iconOf({ icon: "external-link" }) : renderTag(link);
  const rel = hasScheme(href) && html` rel="noopener noreferrer"`;
  return html`<li><a href="${fromRoot(href)}"${rel}>${iconOf(link)}${link.title}${mark}</a></li>`;
}

/** Renders links to the sections of a switch. For versions and languages, they lead to the counterpart of the page. */
function renderSections({ as, sections, active }: Switch, view: View): Html {
  const { location, linkTo, iconOf } = view;
  const links = sections.map((section) => {
    if (section.kind === "link") return renderLink(section, view);
    const counterpart =
      (as === "language" || as === "version") && findCounterpart(view.source.route, section);
    const target = (counterpart || landingPage(section, location))?.route;
    if (target === undefined) return false;
    const current = section === active && html` aria-current="true"`;
    const lang = section.lang !== undefined && html` lang="${section.lang}" hreflang="${section.lang}"`;
    return html`<li><a href="${linkTo(target.outPath)}"${lang}${current}>${iconOf(section)}${section.title}${renderTag(section)}</a></li>`;
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
  return html`<nav class="toc" aria-label="${words.onThisPage}"><details><summary class="toc-title">${words.onThisPage}</summary><ul>${items}</ul></details></nav>`;
}

/** Renders links to the previous and next page in the same section. */
function renderPager({ site: { order }, location, linkTo, words }: View): Html | false {
  if (location === undefined) return false;
  const sectionOf = ({ ancestors }: PageLocation) => ancestors.findLast(({ as }) => as !== undefined);
  const link = (offset: number, rel: string, label: string) => {
    const to = order[location.position + offset];
    if (to === undefined || sectionOf(to) !== sectionOf(location)) return false;
    return html`<a class="pager-${rel}" rel="${rel}" href="${linkTo(to.page.route.outPath)}"><span class="pager-label">${label}</span><span class="pager-title">${to.page.title}</span></a>`;
  };
  const links = [link(-1, "prev", words.previous), link(1, "next", words.next)].filter(Boolean);
  return links.length > 0 && html`<nav class="pager" aria-label="${words.pager}">${links}</nav>`;
}

function renderMethod(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`;
}

/** Renders the page that servers show for unknown paths. */
export function renderNotFoundPage(site: SiteDescription): string {
  const words = wordsFor(site.lang ?? "");
  const { title = words.notFound, html: text } = site.notFound;
  const content = html`${text === undefined ? html`<p>${words.notFoundText}</p>` : raw(text)}
<p><a href="index.html">${words.frontPage}</a></p>`;
  const source: PageSource = {
    route: { source: "", slug: "404", outPath: "404.html" },
    frontMatter: {},
    title,
    isIndexed: false,
    lang: site.lang,
    version: undefined,
    isDefaultVersion: true,
  };
  const titleHtml = toMarkup([h("h1", title)]);
  const page = { source, titleHtml, contentHtml: `${content}`, leadHtml: "", asideHtml: "", headings: [] };
  return renderDocument(site, page, new Set(), clientAssets["not-found.js"]);
}
