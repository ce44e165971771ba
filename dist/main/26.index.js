export const id = 26;
export const ids = [26];
export const modules = {

/***/ 79026:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  renderSite: () => (/* binding */ renderSite)
});

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(51455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(76760);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(58500);
// EXTERNAL MODULE: ./.build/lib/local-platform/site/content/front-matter.js
var front_matter = __webpack_require__(91783);
// EXTERNAL MODULE: ./.build/lib/local-platform/site/portable-path.js
var portable_path = __webpack_require__(84101);
// EXTERNAL MODULE: ./.build/lib/local-platform/site/routes.js
var routes = __webpack_require__(14456);
;// CONCATENATED MODULE: ./.build/lib/local-platform/site/link-resolver.js
/** Decides where the links and pictures of a page lead, and records assets to copy and links that lead nowhere. */



const copiedTypes = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|mp3|ogg|wav|pdf|zip|gz|tgz|tar|json|ya?ml|csv|tsv|txt)$/i;
const mediaTypes = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|mov|mp3|ogg|wav)$/i;
const allowedSchemes = new Set(["http:", "https:", "mailto:", "tel:"]);
const inlineImage = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+$/i;
/** Folders whose content sites serve from their root. */
const publicFolders = ["", "public/", "static/"];
function decodePath(path) {
    try {
        return decodeURIComponent(path);
    }
    catch (error) {
        // A lone percent sign is part of the name.
        if (error instanceof URIError)
            return path;
        throw error;
    }
}
function externalTarget(href) {
    const address = href.startsWith("//") ? `https:${href}` : href;
    if (!/^[a-z][a-z0-9+.-]*:/i.test(address))
        return undefined;
    const url = URL.parse(address);
    if (url === null || !allowedSchemes.has(url.protocol))
        return { kind: "broken" };
    return { kind: "external", href: url.href };
}
/** Places from the documents' root that a link may mean, most likely first. */
function candidatePaths(route, path) {
    if (path.startsWith("/"))
        return [external_node_path_.posix.normalize(path).slice(1)];
    const bases = [external_node_path_.posix.dirname(route.source), route.source.replace(/\.\w+$/, ""), external_node_path_.posix.dirname(route.slug)];
    return bases.map((base) => external_node_path_.posix.join("/", base, path).slice(1));
}
/** The path in the site of a file that is copied from now on; a site's own manifest must not be replaced. */
function claimAsset(source, { assets, claims }) {
    const known = assets.get(source);
    if (known !== undefined)
        return known;
    const path = claims.claimNext(source === "manifest.json" ? "manifest-1.json" : (0,portable_path/* toPortablePath */.w)(source));
    assets.set(source, path);
    return path;
}
function lookUp(address, { routes }) {
    return routes.bySource(address) ?? routes.find(address);
}
/** Moves of moves are followed this far. */
const maxMoves = 5;
/** Where an address has moved to; a page that exists ends the search, also if the configuration moves it on. */
function findMoved(address, index) {
    let path = address;
    for (let moves = 0; moves < maxMoves; moves += 1) {
        const moved = index.redirects.find(path);
        if (moved === undefined)
            return undefined;
        const external = externalTarget(moved);
        if (external !== undefined)
            return external.kind === "external" ? external : undefined;
        const [, next = "", id = ""] = /^([^?#]*)(?:\?[^#]*)?#?(.*)$/s.exec(moved) ?? [];
        const route = lookUp(next, index);
        if (route !== undefined)
            return { kind: "page", route, id };
        path = next;
    }
    return undefined;
}
function findPage(path, route, index) {
    const candidates = candidatePaths(route, path);
    for (const candidate of candidates) {
        const found = lookUp(candidate, index);
        if (found !== undefined)
            return { kind: "page", route: found };
    }
    for (const candidate of candidates) {
        const found = findMoved(candidate, index);
        if (found !== undefined)
            return found;
    }
    return undefined;
}
function findFile(path, types, route, { docs }) {
    const paths = candidatePaths(route, path).flatMap((candidate) => publicFolders.map((folder) => folder + candidate));
    return paths.find((candidate) => types.test(candidate) && docs.files.has(candidate));
}
/** Creates the resolver of one page's links. */
function createLinkResolver(route, index) {
    function reportBroken(href, reason) {
        index.broken.push({ page: route.source, href, reason });
        return { kind: "broken" };
    }
    function toAsset(source) {
        return { kind: "internal", href: (0,routes/* relativeLink */.Nk)(route.outPath, claimAsset(source, index)) };
    }
    function toPage(target, id, href) {
        if (id !== "" && id !== "top")
            index.sectionLinks.push({ page: route.source, href, target, id });
        const path = target === route && id !== "" ? "" : (0,routes/* relativeLink */.Nk)(route.outPath, target.outPath);
        return { kind: "internal", href: id === "" ? path : `${path}#${encodeURIComponent(id)}` };
    }
    function toPlace(path, id, href) {
        const page = path === "" ? { kind: "page", route } : findPage(path, route, index);
        if (page?.kind === "external")
            return page;
        if (page !== undefined)
            return toPage(page.route, id || (page.id ?? ""), href);
        // Every site has a front page, also where the documents have none.
        if (path === "/")
            return { kind: "internal", href: (0,routes/* relativeLink */.Nk)(route.outPath, "index.html") };
        const file = findFile(path, copiedTypes, route, index);
        return file === undefined ? reportBroken(href, "page-not-found") : toAsset(file);
    }
    function resolveLink(href) {
        const external = externalTarget(href.trim());
        if (external?.kind === "broken")
            return reportBroken(href, "refused");
        if (external !== undefined)
            return external;
        const [, path = "", hash = ""] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(href.trim()) ?? [];
        return toPlace(decodePath(path), decodePath(hash.slice(1)), href);
    }
    function resolveMedia(source) {
        if (inlineImage.test(source))
            return { kind: "internal", href: source };
        const external = externalTarget(source.trim());
        if (external?.kind === "broken")
            return reportBroken(source, "refused");
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
function findBrokenSections(index, idsBySource) {
    return index.sectionLinks
        .filter(({ target, id }) => idsBySource.get(target.source)?.has(id) === false)
        .map(({ page, href }) => ({ page, href, reason: "section-not-found" }));
}

// EXTERNAL MODULE: ./.build/lib/local-platform/site/navigation.js
var navigation = __webpack_require__(92092);
;// CONCATENATED MODULE: ./.build/lib/local-platform/site/redirects.js
/** Addresses that moved, as `docs.json` lists them: whole addresses, `:name` for one segment, `:name*` or `*` for the rest. */
function strip(address) {
    return address.replace(/^\/+|\/+$/g, "");
}
function wildcardName(segment) {
    if (segment === "*")
        return "*";
    return /^:(\w+)\*$/.exec(segment)?.[1];
}
/** What the rule's wildcards stand for in an address. */
function match(rule, address) {
    const captures = new Map();
    for (const [index, segment] of rule.entries()) {
        const rest = wildcardName(segment);
        if (rest !== undefined)
            return captures.set(rest, address.slice(index).join("/"));
        const actual = address[index];
        const name = /^:(\w+)$/.exec(segment)?.[1];
        if (actual === undefined || (name === undefined && actual !== segment))
            return undefined;
        if (name !== undefined)
            captures.set(name, actual);
    }
    return rule.length === address.length ? captures : undefined;
}
function fill(destination, captures) {
    if (/^[a-z]+:/i.test(destination))
        return destination;
    const segments = strip(destination)
        .split("/")
        .map((segment) => {
        const name = wildcardName(segment) ?? /^:(\w+)$/.exec(segment)?.[1];
        return name === undefined ? segment : (captures.get(name) ?? "");
    });
    return segments.filter((segment) => segment !== "").join("/");
}
/** Reads the rules; the first that fits counts, and whole addresses come before patterns. */
function createRedirects(rules) {
    const isPattern = ({ source }) => /(?:^|\/)(?::\w+\*?|\*)(?:\/|$)/.test(source);
    const exact = new Map();
    for (const rule of rules) {
        if (isPattern(rule) || exact.has(strip(rule.source)))
            continue;
        exact.set(strip(rule.source), fill(rule.destination, new Map()));
    }
    const patterns = rules.filter(isPattern).map(({ source, destination }) => ({
        segments: strip(source).split("/"),
        destination,
    }));
    function find(written) {
        const address = strip(written);
        const whole = exact.get(address);
        if (whole !== undefined)
            return whole;
        const wanted = address.split("/");
        for (const { segments, destination } of patterns) {
            const captures = match(segments, wanted);
            if (captures !== undefined)
                return fill(destination, captures);
        }
        return undefined;
    }
    return { exact, find };
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/describe-site.js





function assetOf(path, links) {
    const source = path?.replace(/^\/+/, "");
    if (source === undefined || !/\.(?:svg|png|jpe?g|webp|gif|ico)$/i.test(source))
        return undefined;
    if (!links.docs.files.has(source))
        return undefined;
    return claimAsset(source, links);
}
/** The pages' paths, and those that the site has of its own. */
function claimPages({ pages }) {
    const claims = (0,portable_path/* createPathClaims */.P)();
    for (const path of [...routes/* ownPaths */.Vw, ...pages.map(({ route }) => route.outPath)])
        claims.claim(path);
    return claims;
}
function logoOf({ config }, links) {
    const { logo } = config;
    const light = assetOf(typeof logo === "string" ? logo : logo?.light, links);
    if (light === undefined)
        return undefined;
    const dark = typeof logo === "object" ? assetOf(logo.dark, links) : undefined;
    return { light, dark: dark ?? light };
}
function externalLinks({ config }) {
    return (config.navbar?.links ?? []).flatMap(({ label, name, href, url }) => {
        const text = label ?? name;
        const address = href ?? url;
        const isShown = text !== undefined && address !== undefined && /^(?:https?:|mailto:)/i.test(address);
        return isShown ? [{ label: text, href: address }] : [];
    });
}
/** Draws what every page shares from a plan: the site's name, icon and navigation, and the index of its links. */
function describeSite(plan, { title, domain, version }, { onRemoteMedia }) {
    const links = {
        docs: plan.docs,
        routes: plan.routes,
        redirects: createRedirects(plan.config.redirects ?? []),
        assets: new Map(),
        claims: claimPages(plan),
        broken: [],
        sectionLinks: [],
        onRemoteMedia,
    };
    const places = (0,navigation/* pagesInOrder */.Mn)(plan.navigation);
    const site = {
        title: title ?? plan.config.name ?? domain ?? "Documentation",
        version,
        navigation: plan.navigation,
        places,
        placesBySource: new Map(places.map((place) => [place.page.route.source, place])),
        favicon: assetOf(plan.config.favicon, links) ?? `${routes/* assetsFolder */.wL}/favicon.svg`,
        logo: logoOf(plan, links),
        home: "index.html",
        links: externalLinks(plan),
    };
    return { site, links };
}

// EXTERNAL MODULE: ./.build/lib/local-platform/site/docs-tree.js
var docs_tree = __webpack_require__(18594);
// EXTERNAL MODULE: ./.build/lib/local-platform/site/html.js
var html = __webpack_require__(46243);
// EXTERNAL MODULE: ./.build/lib/local-platform/site/icons.js
var icons = __webpack_require__(42182);
;// CONCATENATED MODULE: ./.build/lib/local-platform/site/page/site.js

/** The link from a position to a file of the site. */
function linkFrom({ outPath }, target) {
    return (0,routes/* relativeLink */.Nk)(outPath, target);
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/page/sidebar.js
/** The navigation beside a page: the parts of the site to choose from, and the entries of the chosen one. */




/** Up to this many entries, all groups are open from the start. */
const maxOpenEntries = 40;
/** Beyond this many entries, groups the page is not in are a link: every page carries its navigation. */
const maxListedEntries = 400;
/** Follows the parts of the site that a page is in; a page outside the navigation is taken to be in the first of each. */
function modelSidebar(site, { place }) {
    const switches = [];
    const nodes = [];
    const ancestors = place?.ancestors ?? [];
    let level = site.navigation;
    for (;;) {
        const sections = level.filter((node) => node.kind === "section");
        nodes.push(...level.filter((node) => node.kind !== "section"));
        const active = sections.find((section) => ancestors.includes(section)) ?? sections[0];
        if (active === undefined)
            return { switches, nodes };
        switches.push({ as: active.as, sections, active });
        level = active.children;
    }
}
/**
 * Which version, language and product of the site a page is in, as one word for comparing; empty where there is nothing to
 * choose.
 */
function partOf(site, position) {
    const { switches } = modelSidebar(site, position);
    return switches
        .filter(({ as, sections }) => as !== "tab" && sections.length > 1)
        .map(({ as, active }) => `${as} ${active.title}`)
        .join(" / ");
}
function renderPageEntry(node, indexTitle, { position }) {
    const isCurrent = position.place?.page.route === node.route;
    const title = node.title === indexTitle ? "Overview" : node.title;
    const tag = node.tag === undefined ? false : (0,html/* html */.q) ` <span class="tag">${node.tag}</span>`;
    const href = linkFrom(position, node.route.outPath);
    return (0,html/* html */.q) `<li><a href="${href}"${isCurrent && (0,html/* html */.q) ` aria-current="page"`}>${title}${tag}</a></li>`;
}
function renderGroup(node, depth, rendering) {
    const { position, entryCount } = rendering;
    const holdsPage = position.place?.ancestors.includes(node) ?? false;
    const landing = (0,navigation/* firstPage */.SV)(node.children);
    if (!holdsPage && entryCount > maxListedEntries && landing !== undefined) {
        return (0,html/* html */.q) `<li><a class="nav-folded" href="${linkFrom(position, landing.route.outPath)}">${node.title}${(0,icons/* iconHtml */.vF)("chevron")}</a></li>`;
    }
    const isOpen = holdsPage || (depth === 0 && entryCount <= maxOpenEntries);
    return (0,html/* html */.q) `<li><details${isOpen && (0,html/* html */.q) ` open`}><summary>${node.title}${(0,icons/* iconHtml */.vF)("chevron")}</summary>${renderList(node.children, { depth: depth + 1, ...indexTitleOf(node) }, rendering)}</details></li>`;
}
function indexTitleOf({ title, children }) {
    return children.some((child) => child.title === "Overview") ? {} : { indexTitle: title };
}
function renderNode(node, { depth, indexTitle }, rendering) {
    if (node.kind === "page")
        return renderPageEntry(node, indexTitle, rendering);
    if (node.kind === "link") {
        return (0,html/* html */.q) `<li><a href="${node.href}" rel="noopener noreferrer">${node.title}${(0,icons/* iconHtml */.vF)("external")}</a></li>`;
    }
    return node.kind === "group" ? renderGroup(node, depth, rendering) : (0,html/* html */.q) ``;
}
function renderList(nodes, place, rendering) {
    return (0,html/* html */.q) `<ul>${nodes.map((node) => renderNode(node, place, rendering))}</ul>`;
}
const switchLabels = {
    tab: "Sections",
    version: "Version",
    language: "Language",
    product: "Product",
};
function sectionLink(section, active, position) {
    const landing = (0,navigation/* firstPage */.SV)(section.children);
    if (landing === undefined)
        return (0,html/* html */.q) ``;
    const isActive = section === active;
    return (0,html/* html */.q) `<li><a href="${linkFrom(position, landing.route.outPath)}"${isActive && (0,html/* html */.q) ` aria-current="true"`}>${section.title}</a></li>`;
}
function renderSwitcher({ as, sections, active }, position) {
    const links = sections.map((section) => sectionLink(section, active, position));
    return (0,html/* html */.q) `<details class="switcher"><summary><span class="switcher-label">${switchLabels[as]}</span> ${active.title}${(0,icons/* iconHtml */.vF)("chevron")}</summary><ul>${links}</ul></details>`;
}
/** The row of tabs under the header; nothing where the site has none. */
function renderTabBar({ switches }, position) {
    const tabs = switches.find(({ as }) => as === "tab");
    if (tabs === undefined || tabs.sections.length < 2)
        return false;
    const links = tabs.sections.map((section) => sectionLink(section, tabs.active, position));
    return (0,html/* html */.q) `<nav class="tab-bar" aria-label="Sections"><ul>${links}</ul></nav>`;
}
/** The navigation's entries, with menus for versions, languages and products above them. */
function renderSidebar({ switches, nodes }, position) {
    const menus = switches.filter(({ as, sections }) => as !== "tab" && sections.length > 1);
    const rendering = { position, entryCount: (0,navigation/* pagesInOrder */.Mn)(nodes).length };
    return (0,html/* html */.q) `${menus.map((menu) => renderSwitcher(menu, position))}${renderList(nodes, { depth: 0 }, rendering)}`;
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/page/document.js





/**
 * A page runs the site's own scripts, and loads nothing from elsewhere. `file:` stands beside `'self'` because browsers
 * disagree on whether a page opened from disk has an origin.
 */
const contentSecurityPolicy = [
    "default-src 'none'",
    "script-src 'self' file:",
    "style-src 'self' file:",
    "img-src 'self' file: data:",
    "media-src 'self' file:",
    "base-uri 'none'",
    "form-action 'none'",
].join("; ");
function renderHead(site, content) {
    const asset = (name) => linkFrom(content, `${routes/* assetsFolder */.wL}/${name}`);
    const title = content.title === site.title ? site.title : `${content.title} · ${site.title}`;
    return (0,html/* html */.q) `<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${content.description !== undefined && (0,html/* html */.q) `<meta name="description" content="${content.description.replaceAll("`", "")}">\n`}<meta name="color-scheme" content="light dark">
<link rel="icon" href="${linkFrom(content, site.favicon)}">
<link rel="stylesheet" href="${asset("site.css")}">
<script src="${asset("theme.js")}"></script>
<script src="${asset("site.js")}" defer></script>
</head>`;
}
function renderLogo(site, content) {
    if (site.logo === undefined)
        return (0,html/* html */.q) `<span class="site-title">${site.title}</span>`;
    const { light, dark } = site.logo;
    const picture = (path, className) => (0,html/* html */.q) `<img class="${className}" src="${linkFrom(content, path)}" alt="${site.title}" height="26">`;
    return (0,html/* html */.q) `${picture(light, "only-light")}${picture(dark, "only-dark")}`;
}
function renderHeader(site, content) {
    const version = site.version !== undefined && (0,html/* html */.q) `<span class="site-version">${site.version}</span>`;
    const links = site.links.map(({ label, href }) => (0,html/* html */.q) `<a class="header-link" href="${href}" rel="noopener noreferrer">${label}</a>`);
    return (0,html/* html */.q) `<header class="site-header">
<button type="button" class="icon-button menu-button" data-menu aria-expanded="false" aria-controls="docs-navigation" aria-label="Navigation">${(0,icons/* iconHtml */.vF)("menu")}</button>
<a class="site-name" href="${linkFrom(content, site.home)}">${renderLogo(site, content)}</a>${version}
<div class="header-tools">${links}<button type="button" class="search-button" data-search>${(0,icons/* iconHtml */.vF)("search")}<span>Search</span><kbd>/</kbd></button>
<button type="button" class="icon-button" data-theme-toggle aria-label="Dark colours" aria-pressed="false">${(0,icons/* iconHtml */.vF)("moon")}${(0,icons/* iconHtml */.vF)("sun")}</button></div>
</header>`;
}
function renderBreadcrumbs({ place }) {
    const groups = (place?.ancestors ?? []).filter((node) => node.title !== place?.page.title && !(node.kind === "section" && node.as === "language"));
    if (groups.length === 0)
        return false;
    return (0,html/* html */.q) `<nav class="breadcrumbs" aria-label="Breadcrumb"><ol>${groups.map(({ title }) => (0,html/* html */.q) `<li>${title}</li>`)}</ol></nav>`;
}
function renderContents(headings) {
    const listed = headings.filter(({ depth }) => depth <= 3);
    if (listed.length < 2)
        return false;
    const items = listed.map(({ id, text, depth }) => (0,html/* html */.q) `<li class="toc-${depth}"><a href="#${id}">${text}</a></li>`);
    return (0,html/* html */.q) `<nav class="toc" aria-label="On this page"><p class="toc-title">On this page</p><ul>${items}</ul></nav>`;
}
/** Pages before and after this one, within the same part of the site. */
function neighboursOf(site, place) {
    if (place === undefined)
        return [];
    const sectionsOf = ({ ancestors }) => ancestors.filter(({ kind }) => kind === "section");
    const own = sectionsOf(place);
    const index = site.places.indexOf(place);
    return [site.places[index - 1], site.places[index + 1]].map((neighbour) => {
        if (neighbour === undefined)
            return undefined;
        const theirs = sectionsOf(neighbour);
        return theirs.length === own.length && theirs.every((section, at) => section === own[at])
            ? neighbour.page
            : undefined;
    });
}
function renderPager(site, content) {
    const [previous, next] = neighboursOf(site, content.place);
    if (previous === undefined && next === undefined)
        return false;
    const link = (page, rel, label) => page !== undefined &&
        (0,html/* html */.q) `<a class="pager-${rel}" rel="${rel}" href="${linkFrom(content, page.route.outPath)}"><span class="pager-label">${label}</span><span class="pager-title">${page.title}</span></a>`;
    return (0,html/* html */.q) `<nav class="pager" aria-label="Previous and next page">${link(previous, "prev", "Previous")}${link(next, "next", "Next")}</nav>`;
}
function renderEndpoint(endpoint) {
    const match = /\b(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s+(\S+)\s*$/i.exec(endpoint ?? "");
    if (match === null)
        return false;
    const method = (match[1] ?? "").toUpperCase();
    return (0,html/* html */.q) `<p class="endpoint"><span class="method method-${method.toLowerCase()}">${method}</span><code>${match[2]}</code></p>`;
}
/** A description is plain text but for `code` between back-ticks. */
function withCode(description) {
    return description
        .split(/(`[^`]+`)/)
        .map((part, index) => (index % 2 === 1 ? (0,html/* html */.q) `<code>${part.slice(1, -1)}</code>` : (0,html/* html */.q) `${part}`));
}
/** Renders a whole page. */
function renderDocument(site, content) {
    const sidebar = modelSidebar(site, content);
    const tabBar = renderTabBar(sidebar, content);
    const part = partOf(site, content);
    const lead = content.description !== undefined && (0,html/* html */.q) `<p class="lead">${withCode(content.description)}</p>`;
    const contents = renderContents(content.headings);
    return (0,html/* html */.q) `<!doctype html>
<html lang="${content.lang}" data-root="${(0,routes/* rootPrefix */.RO)(content.outPath)}"${part !== "" && (0,html/* html */.q) ` data-part="${part}"`}>
${renderHead(site, content)}
<body${tabBar && (0,html/* html */.q) ` class="has-tab-bar"`}>
<a class="skip-link" href="#docs-content">Skip to content</a>
${renderHeader(site, content)}
${tabBar}
<div class="layout">
<nav class="sidebar" id="docs-navigation" aria-label="Site">${renderSidebar(sidebar, content)}</nav>
<main id="docs-content" tabindex="-1">
${renderBreadcrumbs(content)}<article>
<h1>${content.titleHtml}</h1>
${renderEndpoint(content.endpoint)}${lead}
${content.contentHtml}
</article>
${renderPager(site, content)}
</main>
${contents}
</div>
</body>
</html>
`.markup;
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/page/extra-pages.js




function entryCard(node, position) {
    const landing = node.kind === "page" ? node : node.kind === "link" ? undefined : (0,navigation/* firstPage */.SV)(node.children);
    if (landing === undefined)
        return false;
    const href = linkFrom(position, landing.route.outPath);
    return (0,html/* html */.q) `<div class="card card-link"><p class="card-title"><a href="${href}">${node.title}</a></p></div>`;
}
/** The front page of documents that have none: the navigation's first level. */
function renderHomePage(site) {
    const position = { outPath: "index.html", place: undefined };
    return renderDocument(site, {
        ...position,
        title: site.title,
        titleHtml: (0,html/* html */.q) `${site.title}`,
        description: undefined,
        endpoint: undefined,
        lang: "en",
        contentHtml: (0,html/* html */.q) `<div class="columns columns-2">${site.navigation.map((node) => entryCard(node, position))}</div>`,
        headings: [],
    });
}
/** The page that file servers show for an address that does not exist. */
function renderNotFoundPage(site) {
    const position = { outPath: "404.html", place: undefined };
    return renderDocument(site, {
        ...position,
        title: "Page not found",
        titleHtml: (0,html/* html */.q) `Page not found`,
        description: undefined,
        endpoint: undefined,
        lang: "en",
        contentHtml: (0,html/* html */.q) `<p>There is no page at this address. Search the site, or start from <a href="${linkFrom(position, site.home)}">the front page</a>.</p>`,
        headings: [],
    });
}

// EXTERNAL MODULE: ./.build/lib/local-platform/site/plan-site.js + 6 modules
var plan_site = __webpack_require__(91649);
;// CONCATENATED MODULE: ./.build/lib/local-platform/site/page/redirect-page.js

/** The page at an address that has moved: it leads on by itself, and by a link where a browser does not. */
function renderRedirectPage({ href, title, }) {
    return (0,html/* html */.q) `<!doctype html>
<html lang="en">
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
<main><h1>This page has moved</h1><p><a href="${href}">${title}</a></p></main>
</body>
</html>
`.markup;
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/redirect-pages.js
/** Pages at the addresses that have moved, so that old links work in a site without a server that redirects. */




const maxRedirectPages = 5_000;
/** Path in the site for an address; `undefined` for those that are no page's. */
function outPathOf(address) {
    if (address === "")
        return "index.html";
    const written = address.replace(/\.html?$/i, "");
    // `/robots.txt` and the like are files, not pages; `..` is no place of the site.
    const isPage = written.split("/").every((segment) => segment !== "" && !/^\./.test(segment));
    if (!isPage || /\.[a-z0-9]{1,5}$/i.test(written))
        return undefined;
    return `${(0,portable_path/* toPortablePath */.w)(written)}.html`;
}
/** The files to write: path in the site, and content. Addresses that a page has are not taken from it. */
function renderRedirectPages({ pages }, links) {
    const titles = new Map(pages.map(({ route, title }) => [route.source, title]));
    const files = new Map();
    for (const address of links.redirects.exact.keys()) {
        const outPath = outPathOf(address);
        const target = findMoved(address, links);
        if (outPath === undefined || target === undefined || !links.claims.isFree(outPath))
            continue;
        if (files.size >= maxRedirectPages)
            break;
        const path = links.claims.claim(outPath);
        files.set(path, renderTarget(path, target, titles));
    }
    return files;
}
function renderTarget(outPath, target, titles) {
    if (target.kind === "external")
        return renderRedirectPage({ href: target.href, title: target.href });
    const hash = target.id ? `#${encodeURIComponent(target.id)}` : "";
    return renderRedirectPage({
        href: `${(0,routes/* relativeLink */.Nk)(outPath, target.route.outPath)}${hash}`,
        title: titles.get(target.route.source) ?? target.route.slug,
    });
}

// EXTERNAL MODULE: ./.build/lib/local-platform/site/render-page.js + 24 modules
var render_page = __webpack_require__(23805);
// EXTERNAL MODULE: ./node_modules/minisearch/dist/es/index.js
var es = __webpack_require__(72150);
;// CONCATENATED MODULE: ./.build/lib/local-platform/site/search-index.js

/** Fields that are searched; the client must name the same ones. */
const searchOptions = {
    fields: ["title", "headings", "summary", "text"],
    storeFields: ["title", "path", "place", "part", "summary", "sections"],
};
const maxSections = 40;
function summarize({ source, text }) {
    const summary = source.frontMatter.description ?? text;
    return summary.length <= 160 ? summary : `${summary.slice(0, 160).replace(/\s+\S*$/, "")} …`;
}
/** Creates the search index of one site. */
function createSearchIndex() {
    const index = new es/* default */.A(searchOptions);
    let count = 0;
    function add(page, { place, part }) {
        index.add({
            id: count,
            title: page.source.title,
            path: page.source.route.outPath,
            place,
            part,
            summary: summarize(page),
            sections: page.headings.slice(0, maxSections).map(({ id, text }) => [id, text]),
            headings: page.headings.map(({ text }) => text).join("\n"),
            text: page.text,
        });
        count += 1;
    }
    // Parsing a string is several times faster for a browser than reading the same data as a script.
    const toScript = () => `self.docsSearchIndex=JSON.parse(${JSON.stringify(JSON.stringify(index))});\n`;
    return { add, toScript };
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/accent-styles.js
/** WCAG 2.1 AA asks for 4.5; the accent is also read on a background that it tints itself. */
const minContrast = 5.7;
const lightBackground = [255, 255, 255];
const darkBackground = [30, 33, 40];
function parseHex(hex) {
    const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit).join("") : hex.slice(1);
    const value = Number.parseInt(digits, 16);
    return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}
function luminance(color) {
    const [red = 0, green = 0, blue = 0] = color.map((channel) => {
        const share = channel / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(left, right) {
    const [dark = 0, light = 0] = [luminance(left), luminance(right)].toSorted((first, second) => first - second);
    return (light + 0.05) / (dark + 0.05);
}
function mix(color, target, share) {
    const blend = (index) => Math.round(color[index] + (target[index] - color[index]) * share);
    return [blend(0), blend(1), blend(2)];
}
/** The colour nearest to the wanted one that can be read on a background. */
function readableOn(color, background) {
    const target = luminance(background) > 0.5 ? [0, 0, 0] : [255, 255, 255];
    for (let share = 0; share < 1; share += 0.05) {
        const candidate = mix(color, target, share);
        if (contrast(candidate, background) >= minContrast)
            return candidate;
    }
    return target;
}
function toCss([red, green, blue]) {
    return `rgb(${red} ${green} ${blue})`;
}
/** Style rules for the configured accent; empty where none is configured. */
function accentStyles(colors) {
    if (colors?.primary === undefined)
        return "";
    const light = toCss(readableOn(parseHex(colors.primary), lightBackground));
    const dark = toCss(readableOn(parseHex(colors.light ?? colors.primary), darkBackground));
    return `:root{--accent:${light}}:root[data-theme=dark]{--accent:${dark}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){--accent:${dark}}}\n`;
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/client-assets.js
/** Generated from `client/` by `npm run generate`; do not edit. */
/** Style sheet of every page. */
const siteStyles = `:root{--accent: #2b55cc;--background: #fff;--surface: #f6f7f9;--raised: #fff;--text: #1c2330;--muted: #566072;--line: #e2e5ea;--line-strong: #c6ccd6;--code-background: #f6f7f9;--mark: #fff3bf;--note: #2b55cc;--info: #0e6f82;--tip: #1c7442;--warning: #8f5a00;--danger: #b3282d;--shadow: 0 1px 2px rgb(20 30 50 / 6%), 0 8px 28px rgb(20 30 50 / 10%);--tk-comment: #566070;--tk-keyword: #a4268c;--tk-operator: #4c5668;--tk-string: #1a6b3c;--tk-constant: #9a4a00;--tk-function: #2950b8;--tk-type: #0b6b7d;--tk-tag: #a3293d;--tk-property: #6a3fb0;--header-height: 3.5rem;--sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;--mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;color-scheme:light}:root[data-theme=dark]{--accent: #8fb0ff;--background: #14171d;--surface: #1b1f27;--raised: #1e2229;--text: #e4e8ef;--muted: #a3adbd;--line: #2b313c;--line-strong: #434c5b;--code-background: #1a1e26;--mark: #4a4116;--note: #8fb0ff;--info: #6ecbdc;--tip: #77d39b;--warning: #e9b65c;--danger: #ff9a97;--shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 8px 28px rgb(0 0 0 / 45%);--tk-comment: #a0abbb;--tk-keyword: #f091d7;--tk-operator: #b1bac9;--tk-string: #8bd7a6;--tk-constant: #f0b275;--tk-function: #9bb8ff;--tk-type: #72d3e3;--tk-tag: #ff9dab;--tk-property: #c9aeff;color-scheme:dark}@media(prefers-color-scheme:dark){:root:not([data-theme=light]){--accent: #8fb0ff;--background: #14171d;--surface: #1b1f27;--raised: #1e2229;--text: #e4e8ef;--muted: #a3adbd;--line: #2b313c;--line-strong: #434c5b;--code-background: #1a1e26;--mark: #4a4116;--note: #8fb0ff;--info: #6ecbdc;--tip: #77d39b;--warning: #e9b65c;--danger: #ff9a97;--shadow: 0 1px 2px rgb(0 0 0 / 30%), 0 8px 28px rgb(0 0 0 / 45%);--tk-comment: #a0abbb;--tk-keyword: #f091d7;--tk-operator: #b1bac9;--tk-string: #8bd7a6;--tk-constant: #f0b275;--tk-function: #9bb8ff;--tk-type: #72d3e3;--tk-tag: #ff9dab;--tk-property: #c9aeff;color-scheme:dark}}*,*:before,*:after{box-sizing:border-box}html{font-size:100%;scroll-padding-top:calc(var(--header-height) + 1.5rem);-webkit-text-size-adjust:100%;text-size-adjust:100%}body{margin:0;background:var(--background);color:var(--text);font:1rem / 1.65 var(--sans);text-rendering:optimizeLegibility}a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}a:hover{text-decoration-thickness:2px}:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}main:focus{outline:none}button{color:inherit;font:inherit;cursor:pointer}.icon{width:1.15em;height:1.15em;flex:none;fill:none;stroke:currentcolor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round;vertical-align:-.2em}.off-screen,.sr-only{position:absolute;width:1px;height:1px;margin:-1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}.skip-link{position:fixed;top:.5rem;left:.5rem;z-index:40;padding:.5rem 1rem;border-radius:8px;background:var(--accent);color:var(--background);transform:translateY(-200%)}.skip-link:focus{transform:none}.site-header{position:sticky;top:0;z-index:20;display:flex;align-items:center;gap:.75rem;height:var(--header-height);padding:0 1.5rem;border-bottom:1px solid var(--line);background:var(--background)}.site-name{display:flex;align-items:center;min-width:0;color:var(--text);font-weight:650;letter-spacing:-.01em;text-decoration:none}.site-name img{width:auto;max-width:min(14rem,100%);height:1.65rem;object-fit:contain;object-position:left;border-radius:0}.site-title{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.site-version,.tag{padding:.05rem .5rem;border:1px solid var(--line);border-radius:999px;background:var(--surface);color:var(--muted);font-size:.75rem;font-weight:500;line-height:1.5;white-space:nowrap}.header-tools{display:flex;align-items:center;gap:.5rem;margin-left:auto}.header-link{padding:0 .5rem;color:var(--muted);font-size:.9rem;text-decoration:none;white-space:nowrap}.header-link:hover{color:var(--text)}.icon-button{display:inline-grid;width:2.4rem;height:2.4rem;place-items:center;border:0;border-radius:8px;background:none;color:var(--muted)}.icon-button:hover{background:var(--surface);color:var(--text)}.menu-button{display:none;margin-left:-.6rem}.search-button{display:flex;align-items:center;gap:.6rem;min-width:13rem;height:2.4rem;padding:0 .6rem 0 .75rem;border:1px solid var(--line);border-radius:9px;background:var(--surface);color:var(--muted);font-size:.9rem}.search-button:hover{border-color:var(--line-strong);color:var(--text)}.search-button kbd{margin-left:auto}html:not(.has-scripts) :is(.search-button,[data-theme-toggle]){display:none}[aria-pressed=false]>.icon:last-child,[aria-pressed=true]>.icon:first-child{display:none}.tab-bar{border-bottom:1px solid var(--line)}.tab-bar ul{display:flex;gap:1.5rem;margin:0;padding:0 1.5rem;overflow-x:auto;list-style:none}.tab-bar a{display:block;padding:.6rem 0;border-bottom:2px solid transparent;color:var(--muted);font-size:.9rem;text-decoration:none;white-space:nowrap}.tab-bar a:hover{color:var(--text)}.tab-bar a[aria-current]{border-color:var(--accent);color:var(--text);font-weight:600}.layout{display:grid;grid-template-columns:17rem minmax(0,1fr) 14rem;gap:0 3rem;max-width:92rem;margin:0 auto;padding:0 1.5rem}.sidebar,.toc{position:sticky;top:var(--header-height);align-self:start;max-height:calc(100vh - var(--header-height));overflow-y:auto;overscroll-behavior:contain;scrollbar-width:thin;font-size:.9rem;line-height:1.45}.sidebar{margin-left:-.65rem;padding:1.75rem .65rem 3rem 0}main{min-width:0;padding:2.25rem 0 4rem}article,.breadcrumbs,.pager{max-width:46rem;margin-inline:auto}.sidebar ul{margin:0;padding:0;list-style:none}.sidebar ul ul{margin:.1rem 0 .35rem .65rem;padding-left:.5rem;border-left:1px solid var(--line)}.sidebar a,.sidebar summary{display:flex;align-items:center;gap:.5rem;padding:.32rem .65rem;border-radius:7px;color:var(--muted);text-decoration:none;overflow-wrap:anywhere}.sidebar summary{color:var(--text);font-weight:600;list-style:none;cursor:pointer}.sidebar summary::-webkit-details-marker{display:none}.sidebar :is(summary,.nav-folded)>.icon{width:.85rem;height:.85rem;margin-left:auto;color:var(--muted);transition:transform .12s}.sidebar details[open]>summary>.icon{transform:rotate(90deg)}.sidebar :is(a,summary):hover{background:var(--surface);color:var(--text)}.sidebar a[aria-current=page]{background:color-mix(in srgb,var(--accent) 11%,transparent);color:var(--accent);font-weight:600}.sidebar .nav-folded{color:var(--text);font-weight:600}.switcher{margin-bottom:.75rem;border:1px solid var(--line);border-radius:9px}.switcher-label{flex:none;color:var(--muted);font-weight:400}.sidebar .switcher ul{margin:0;padding:.25rem;border:0;border-top:1px solid var(--line)}.breadcrumbs ol{display:flex;flex-wrap:wrap;margin:0 0 .6rem;padding:0;color:var(--muted);font-size:.85rem;list-style:none}.breadcrumbs li+li:before{content:"/";margin:0 .5rem;color:var(--line-strong)}.toc{padding:2.6rem 0 2rem}.toc-title{margin:0 0 .6rem;font-weight:600}.toc ul{margin:0;padding:0;border-left:1px solid var(--line);list-style:none}.toc a{display:block;margin-left:-1px;padding:.22rem 0 .22rem .9rem;border-left:2px solid transparent;color:var(--muted);text-decoration:none;overflow-wrap:anywhere}.toc-3 a{padding-left:1.8rem}.toc a:hover{color:var(--text)}.toc a[aria-current]{border-color:var(--accent);color:var(--accent)}.pager{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem;margin-top:4rem}.pager a{display:block;padding:.8rem 1rem;border:1px solid var(--line);border-radius:10px;text-decoration:none}.pager a:hover{border-color:var(--accent)}.pager-next{grid-column:2;text-align:right}.pager-label{display:block;color:var(--muted);font-size:.8rem}.pager-title{overflow-wrap:anywhere;font-weight:600}article{overflow-wrap:break-word}h1,h2,h3,h4,h5,h6{margin:2.2em 0 .7em;font-weight:650;letter-spacing:-.012em;line-height:1.3;text-wrap:balance}h1{margin:0 0 .5rem;font-size:clamp(1.8rem,1.5rem + 1.2vw,2.25rem);font-weight:700;letter-spacing:-.022em;line-height:1.2}h2{padding-top:.2em;font-size:1.45rem}h3{font-size:1.17rem}h4,h5,h6{font-size:1rem}:is(h2,h3,h4,h5,h6)+:is(h3,h4,h5,h6){margin-top:1em}.lead{margin:0 0 2rem;color:var(--muted);font-size:1.15rem;line-height:1.55;text-wrap:pretty}p,ul,ol,dl,.paragraph,blockquote{margin:0 0 1.1rem}article :is(ul,ol){padding-left:1.5rem}li{margin:.3rem 0}li>:is(ul,ol){margin-bottom:.3rem}li::marker{color:var(--muted)}article a{text-decoration-color:color-mix(in srgb,currentcolor 40%,transparent)}article a:hover{text-decoration-color:currentcolor}.heading-anchor{margin-left:.45em;color:var(--muted);font-weight:400;text-decoration:none;opacity:0}:is(h2,h3,h4,h5,h6):hover>.heading-anchor,.heading-anchor:focus-visible{opacity:1}.external:after{content:"↗" / "";margin-left:.15em;font-size:.8em}.broken-link{text-decoration:underline dotted var(--line-strong);text-underline-offset:.2em}hr{margin:2.5rem 0;border:0;border-top:1px solid var(--line)}blockquote{padding:.1rem 0 .1rem 1.1rem;border-left:3px solid var(--line-strong);color:var(--muted)}mark{border-radius:3px;background:var(--mark);color:inherit}kbd{padding:.1em .4em;border:1px solid var(--line-strong);border-bottom-width:2px;border-radius:5px;background:var(--background);color:var(--muted);font:.8em var(--mono)}abbr[title]{text-underline-offset:.2em;cursor:help}img,video{max-width:100%;height:auto;border-radius:8px}audio{max-width:100%}.missing-media{display:inline-block;padding:.1rem .5rem;border:1px dashed var(--line-strong);border-radius:6px;color:var(--muted);font-size:.9em}.frame{margin:1.75rem 0;padding:.75rem;border:1px solid var(--line);border-radius:12px;background:var(--surface);text-align:center}.frame>:is(p,.paragraph):last-child{margin:0}figcaption{margin-top:.6rem;color:var(--muted);font-size:.875rem}.footnotes{margin-top:3rem;padding-top:1.25rem;border-top:1px solid var(--line);color:var(--muted);font-size:.9rem}sup{line-height:0}.task-list-item{list-style:none}.task-box{display:inline-block;width:1em;height:1em;margin:0 .55em 0 -1.45em;border:1.5px solid var(--line-strong);border-radius:4px;vertical-align:-.12em}.task-done{position:relative;border-color:var(--accent);background:var(--accent)}.task-done:after{content:"";position:absolute;inset:0 .24em .18em;border:solid var(--background);border-width:0 2px 2px 0;transform:rotate(40deg) scaleY(.95)}.table-scroll{margin:1.5rem 0;overflow-x:auto}table{width:100%;border-collapse:collapse;font-size:.925rem;line-height:1.5}th,td{padding:.55rem .9rem .55rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:normal}th{border-color:var(--line-strong);font-weight:600}:is(th,td)[align=right]{text-align:right}:is(th,td)[align=center]{text-align:center}.mark-icon{color:var(--tip)}code,pre{font-family:var(--mono);font-variant-ligatures:none}code{font-size:.875em}pre>code{font-size:1em}:not(pre)>code{padding:.12em .35em;border-radius:5px;background:color-mix(in srgb,var(--muted) 13%,transparent);overflow-wrap:anywhere}td:first-child>code{overflow-wrap:normal}h1>code{padding:0;background:none}:is(h1,h2,h3,h4,h5,h6,a)>code{color:inherit}.code-block{position:relative;margin:1.4rem 0;border:1px solid var(--line);border-radius:10px;background:var(--code-background)}.code-title{margin:0;padding:.5rem 3rem .5rem 1rem;border-bottom:1px solid var(--line);color:var(--muted);font-size:.82rem;font-weight:500}pre{margin:0;padding:.95rem 1rem;overflow-x:auto;border-radius:10px;font-size:.86rem;line-height:1.6;tab-size:2}pre:focus-visible{outline-offset:-2px}.line-highlighted{display:inline-block;min-width:calc(100% + 2rem);margin:0 -1rem;padding:0 1rem;background:color-mix(in srgb,var(--accent) 13%,transparent);box-shadow:inset 3px 0 var(--accent)}.code-numbered code{counter-reset:line}.code-numbered .line:before{counter-increment:line;content:counter(line);display:inline-block;width:1.6rem;margin-right:1rem;color:var(--muted);text-align:right}.copy-button{position:absolute;top:.4rem;right:.4rem;display:grid;width:2rem;height:2rem;place-items:center;border:1px solid transparent;border-radius:7px;background:var(--code-background);color:var(--muted);opacity:0}.code-block:hover>.copy-button,.copy-button:focus-visible,.copy-button.copied{opacity:1}@media(hover:none){.copy-button{opacity:1}}.copy-button:hover{border-color:var(--line-strong);color:var(--text)}.copy-button.copied{color:var(--tip)}.code-title~.copy-button{top:.12rem}.tk-comment{color:var(--tk-comment);font-style:italic}.tk-keyword{color:var(--tk-keyword)}.tk-operator{color:var(--tk-operator)}.tk-string{color:var(--tk-string)}.tk-constant{color:var(--tk-constant)}.tk-function{color:var(--tk-function)}.tk-type{color:var(--tk-type)}.tk-tag{color:var(--tk-tag)}.tk-property{color:var(--tk-property)}.tk-inserted{color:var(--tip)}.tk-deleted{color:var(--danger)}.endpoint{display:flex;align-items:center;gap:.6rem;overflow-wrap:anywhere}.method{padding:.1rem .55rem;border:1px solid currentcolor;border-radius:6px;color:var(--note);font:600 .78rem / 1.6 var(--mono)}.method-get{color:var(--tip)}.method-delete{color:var(--danger)}:is(.method-put,.method-patch){color:var(--warning)}.callout{--tone: var(--note);display:flex;gap:.8rem;margin:1.5rem 0;padding:.9rem 1.1rem;border:1px solid color-mix(in srgb,var(--tone) 28%,transparent);border-radius:10px;background:color-mix(in srgb,var(--tone) 6%,transparent)}.callout-info{--tone: var(--info)}.callout-tip,.callout-check{--tone: var(--tip)}.callout-warning{--tone: var(--warning)}.callout-danger{--tone: var(--danger)}.callout-icon{color:var(--tone)}.callout-body{min-width:0;flex:1}.callout-title{margin-bottom:.25rem;font-weight:600}:is(.callout-body,.card-body,.field-body,.disclosure-body,blockquote,.step,li,td,.panel)>:last-child{margin-bottom:0}:is(.callout-body,.card-body,.disclosure-body,.panel)>:first-child{margin-top:0}.columns{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17rem),1fr));gap:1rem;margin:1.5rem 0}.columns>*{min-width:0;margin:0}.columns-1{grid-template-columns:1fr}.columns-3,.columns-4{grid-template-columns:repeat(auto-fill,minmax(min(100%,11.5rem),1fr))}.card{position:relative;margin:1.5rem 0;padding:1.1rem 1.2rem;border:1px solid var(--line);border-radius:12px;background:var(--raised)}.columns>:is(.card,.code-block,.callout,.disclosure,.tabs){margin:0}.card-link:hover{border-color:var(--accent)}.card-icon{display:inline-block;margin-bottom:.5rem;color:var(--accent);font-size:1.15rem}.card-title{margin:0;font-weight:600}.card-title a{color:var(--text);text-decoration:none}.card-title a:before{content:"";position:absolute;inset:0;border-radius:12px}.card-title a:focus-visible{outline:none}.card-title a:focus-visible:before{outline:2px solid var(--accent);outline-offset:2px}.card-body{margin-top:.3rem;color:var(--muted);font-size:.93rem;line-height:1.55}.card-body :is(a,button,details){position:relative}.card-cta{margin:.6rem 0 0;color:var(--accent);font-size:.9rem}.card>img{display:block;margin-bottom:.9rem}.tabs{margin:1.5rem 0}.tab-list{display:none}.has-scripts .tab-list{display:flex;gap:.25rem;overflow-x:auto;border-bottom:1px solid var(--line);scrollbar-width:none}.tab-list button{margin-bottom:-1px;padding:.5rem .85rem;border:0;border-bottom:2px solid transparent;background:none;color:var(--muted);font-size:.9rem;font-weight:500;white-space:nowrap}.tab-list button:focus-visible{outline-offset:-3px}.tab-list button:hover{color:var(--text)}.tab-list [aria-selected=true]{border-color:var(--accent);color:var(--accent)}.tab-panel{padding-top:1rem}.tab-panel>:last-child{margin-bottom:0}.tab-panel>.code-block:first-of-type{margin-top:0}.tab-panel-title{font-weight:600}.has-scripts :is(.tab-panel-inactive,.tab-panel-title){display:none}.tabs-code{border:1px solid var(--line);border-radius:10px;background:var(--code-background)}.tabs-code .tab-list{padding:0 .5rem}.tabs-code .tab-panel{padding:0}.tabs-code .tab-panel-title{margin:0;padding:.5rem 1rem}.tabs-code .code-block{margin:0;border:0}.steps{margin:1.75rem 0;counter-reset:step;list-style:none}article .steps{padding-left:0}.step{position:relative;margin:0;padding:0 0 1.5rem 2.9rem;counter-increment:step}.step:before{content:counter(step);position:absolute;left:0;top:0;display:grid;width:1.75rem;height:1.75rem;place-items:center;border:1px solid var(--line);border-radius:50%;background:var(--surface);color:var(--text);font-size:.85rem;font-weight:600}.step:not(:last-child):after{content:"";position:absolute;left:.875rem;top:2.1rem;bottom:.35rem;border-left:1px solid var(--line)}.step-title{margin-bottom:.35rem;font-weight:600}.disclosure{margin:1rem 0;border:1px solid var(--line);border-radius:10px}.accordion-group{margin:1.5rem 0}.accordion-group>.disclosure{margin:0;border-radius:0}.accordion-group>.disclosure+.disclosure{border-top:0}.accordion-group>.disclosure:first-child{border-radius:10px 10px 0 0}.accordion-group>.disclosure:last-child{border-radius:0 0 10px 10px}article summary{padding:.7rem 1rem;font-weight:600;cursor:pointer}.expandable>summary{padding:.45rem .9rem;color:var(--muted);font-size:.9rem}.summary-note{display:block;color:var(--muted);font-size:.9rem;font-weight:400}.disclosure-body{padding:.2rem 1rem 1rem}.fields,.field-nested{margin:1.25rem 0}.field-nested{margin:.75rem 0 0;padding-left:1rem;border-left:2px solid var(--line)}.field{padding:.85rem 0;border-bottom:1px solid var(--line)}.field-nested>.field:last-child,.disclosure-body>.field:last-child{border:0}.field-head{display:flex;flex-wrap:wrap;align-items:baseline;gap:.3rem .6rem;margin:0;font-size:.88rem}.field-name{font-weight:600}.field-type{color:var(--muted);font-family:var(--mono);font-size:.82rem;overflow-wrap:anywhere}.field-place,.field-default{color:var(--muted)}.field-required{color:var(--danger)}.field-deprecated{color:var(--warning)}.field-nested>.field-type{margin:0}.field-body{margin-top:.4rem;font-size:.95rem}.panel{margin:1.5rem 0;padding:1rem 1.2rem;border:1px solid var(--line);border-radius:12px}.update{margin:2.5rem 0;padding-top:1.25rem;border-top:1px solid var(--line)}.update>h2{margin-top:0}.update-note{color:var(--muted)}.tooltip{position:relative;text-decoration:underline dotted var(--muted);text-underline-offset:.2em;cursor:help}.tooltip-text{position:absolute;bottom:calc(100% + .4rem);left:0;z-index:5;width:max-content;max-width:min(18rem,70vw);padding:.45rem .7rem;border-radius:8px;background:var(--text);color:var(--background);font-size:.85rem;line-height:1.45;visibility:hidden}.tooltip:is(:hover,:focus)>.tooltip-text{visibility:visible}.file-tree,.file-tree ul{list-style:none}.file-tree{padding:.75rem 1rem;border:1px solid var(--line);border-radius:10px;background:var(--surface);font:.9rem / 1.6 var(--mono)}.file-tree .icon{margin-right:.45rem;color:var(--muted)}.colours{display:flex;flex-wrap:wrap;gap:.6rem 1.5rem;margin:.75rem 0}.colours-title{flex-basis:100%;margin:0}.colour{display:flex;align-items:center;gap:.5rem}.colour-name,.colours-title{font-weight:600}.swatch{width:1.5rem;height:1.5rem;border:1px solid var(--line-strong);border-radius:6px}.prompt{text-align:left}.prompt>figcaption{margin:0 0 .5rem;font-weight:600}.prompt-body>:last-child{margin-bottom:0}.search-dialog{width:min(42rem,calc(100vw - 2rem));max-height:min(36rem,80vh);margin:10vh auto auto;padding:0;overflow:hidden;border:1px solid var(--line);border-radius:14px;background:var(--background);box-shadow:var(--shadow);color:var(--text)}.search-dialog[open]{display:flex;flex-direction:column}.search-dialog::backdrop{background:#0f141e73}.search-bar{display:flex;align-items:center;gap:.75rem;padding:.4rem .9rem .4rem .4rem;border-bottom:1px solid var(--line)}.search-bar input{flex:1;min-width:0;padding:.7rem .75rem;border:0;background:none;color:inherit;font:1.05rem var(--sans)}.search-bar input:focus-visible{outline-offset:-2px;border-radius:9px}.search-bar input::placeholder{color:var(--muted);opacity:1}.search-close{padding:.2rem .6rem;border:1px solid var(--line);border-radius:7px;background:var(--surface);color:var(--muted);font-size:.85rem}.search-status{margin:0;padding:.6rem 1.1rem .3rem;color:var(--muted);font-size:.85rem}.search-status:empty{display:none}.results{margin:0;padding:.25rem .5rem .5rem;overflow-y:auto;list-style:none}.results:empty{display:none}.results a{display:block;padding:.55rem .65rem;border-radius:9px;color:inherit;text-decoration:none}.results a:is([aria-selected=true],:hover){background:color-mix(in srgb,var(--accent) 11%,transparent)}.result-title{font-weight:600}.result-place{margin-left:.6rem;color:var(--muted);font-size:.8rem}.result-summary{display:block;overflow:hidden;color:var(--muted);font-size:.87rem;text-overflow:ellipsis;white-space:nowrap}:root[data-theme=dark] .only-light{display:none}:root:not([data-theme=dark]) .only-dark{display:none}@media(prefers-color-scheme:dark){:root:not([data-theme=light]) .only-light{display:none}:root:not([data-theme=light]) .only-dark{display:revert}}@media(max-width:75rem){.layout{grid-template-columns:16rem minmax(0,1fr)}.toc{display:none}}@media(max-width:52rem){.layout{display:block;padding:0 1.1rem}.site-header{padding:0 1.1rem}.header-link{display:none}.has-scripts .menu-button{display:inline-grid}.sidebar{position:static;max-height:none;padding:1rem 0;border-bottom:1px solid var(--line)}.has-scripts .sidebar{position:fixed;inset:var(--header-height) 0 0;z-index:15;height:calc(100dvh - var(--header-height));max-height:none;margin:0;padding:1rem .6rem 4rem;border:0;background:var(--background);font-size:1rem;visibility:hidden}.has-scripts.menu-open .sidebar{visibility:visible}.menu-open body{overflow:hidden}.search-button{min-width:0;width:2.4rem;justify-content:center;padding:0;border:0;background:none}.search-button :is(span,kbd){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}main{padding-top:1.5rem}:is(th,td){min-width:7rem}:is(th,td):last-child:not(:first-child){min-width:14rem}.tab-bar ul{padding:0 1.1rem}.search-dialog{margin-top:1rem}}@media(prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}@media print{.site-header,.tab-bar,.sidebar,.toc,.pager,.breadcrumbs,.skip-link,.copy-button,.heading-anchor{display:none}.layout{display:block;padding:0}article{max-width:none}pre{white-space:pre-wrap}.code-block,.callout,tr,figure{break-inside:avoid}.has-scripts :is(.tab-panel-inactive,.tab-panel-title){display:block}.has-scripts .tab-list{display:none}}\n`;
/** Script that runs before the first paint. */
const themeScript = `"use strict";(()=>{var n="docs-theme";function t(){try{let e=localStorage.getItem(n);return e==="light"||e==="dark"?e:void 0}catch(e){if(e instanceof DOMException)return;throw e}}var r=document.documentElement;r.classList.add("has-scripts");var o=t();o!==void 0&&(r.dataset.theme=o);})();\n`;
/** Script of every page. */
const siteScript = `"use strict";(()=>{var d={copy:"M9 9h10.5v10.5H9zM5.5 15H4.5V4.5H15v1",done:"M4.5 12.5l5 5L19.5 7"},H=2e3;function l(e,t){let n=document.createElementNS("http://www.w3.org/2000/svg","svg");n.setAttribute("class","icon"),n.setAttribute("viewBox","0 0 24 24"),n.setAttribute("aria-hidden","true");let o=document.createElementNS("http://www.w3.org/2000/svg","path");o.setAttribute("d",t),n.append(o),e.replaceChildren(n)}function B(e){let t=document.createElement("textarea");t.value=e,t.className="off-screen",document.body.append(t),t.select();let n=document.execCommand("copy");return t.remove(),n}async function I(e){try{return await navigator.clipboard.writeText(e),!0}catch{return B(e)}}async function q(e,t,n){let o=await I(t.textContent??"");e.focus(),n.textContent=o?"Copied":"Could not copy",o&&(l(e,d.done),e.classList.add("copied"),setTimeout(()=>{l(e,d.copy),e.classList.remove("copied"),n.textContent=""},H))}function f(){let e=document.createElement("p");e.className="off-screen",e.setAttribute("role","status"),document.querySelector("main")?.append(e);for(let t of document.querySelectorAll(".code-block")){let n=t.querySelector("pre > code");if(n===null)continue;let o=document.createElement("button");o.type="button",o.className="copy-button",o.setAttribute("aria-label","Copy code"),l(o,d.copy),o.addEventListener("click",()=>{q(o,n,e)}),t.append(o)}}var u="docs-panels-changed";function R(e){return{tabs:[...e.querySelectorAll(':scope > [role="tablist"] > [role="tab"]')],panels:[...e.querySelectorAll(':scope > [role="tabpanel"]')]}}function b({tabs:e,panels:t},n){for(let[o,r]of e.entries())r.setAttribute("aria-selected",String(o===n)),r.tabIndex=o===n?0:-1;for(let[o,r]of t.entries())r.classList.toggle("tab-panel-inactive",o!==n);document.dispatchEvent(new Event(u))}function P(e,t,n){return e==="ArrowRight"?(t+1)%n:e==="ArrowLeft"?(t-1+n)%n:e==="Home"?0:e==="End"?n-1:void 0}function h(e,t,n){let o=t.tabs[n];if(o===void 0)return;let r=o.getBoundingClientRect().top,a=o.textContent;for(let i of e){let s=i===t?n:i.tabs.findIndex(({textContent:c})=>c===a);s>=0&&b(i,s)}window.scrollBy(0,o.getBoundingClientRect().top-r)}function g(e){let t=document.getElementById(decodeURIComponent(location.hash.slice(1)));if(t!==null)for(let n of e){let o=n.panels.findIndex(r=>r.contains(t));o>=0&&b(n,o)}}function E(){let e=[...document.querySelectorAll("[data-tabs]")].map(R);for(let t of e)for(let[n,o]of t.tabs.entries())o.addEventListener("click",()=>h(e,t,n)),o.addEventListener("keydown",r=>{let a=P(r.key,n,t.tabs.length);a!==void 0&&(r.preventDefault(),h(e,t,a),t.tabs[a]?.focus())});g(e),window.addEventListener("hashchange",()=>g(e))}var D=.25;function y(){let e=[...document.querySelectorAll(".toc a")],t=e.map(i=>document.getElementById(decodeURIComponent(i.hash.slice(1))));if(e.length===0)return;let n=!1,o=i=>i!==null&&i.closest(".tab-panel-inactive")===null;function r(){for(let[i,s]of e.entries()){let c=s.parentElement;c!==null&&(c.hidden=!o(t[i]??null))}a()}function a(){n=!1;let i=innerHeight*D,s=t.findLastIndex(c=>c!==null&&o(c)&&c.getBoundingClientRect().top<=i);for(let[c,p]of e.entries())c===Math.max(s,0)?p.setAttribute("aria-current","true"):p.removeAttribute("aria-current")}document.addEventListener("scroll",()=>{n||(n=!0,requestAnimationFrame(a))},{passive:!0}),document.addEventListener(u,r),r()}function v(e,t){document.documentElement.classList.toggle("menu-open",t),e.setAttribute("aria-expanded",String(t))}function T(){let e=document.querySelector("[data-menu]"),t=document.querySelector(".sidebar");if(e===null||t===null)return;e.addEventListener("click",()=>v(e,e.getAttribute("aria-expanded")!=="true")),document.addEventListener("keydown",r=>{r.key!=="Escape"||e.getAttribute("aria-expanded")!=="true"||(v(e,!1),e.focus())});let n=t.querySelector('[aria-current="page"]');if(n===null)return;let o=n.getBoundingClientRect().top-t.getBoundingClientRect().top;o>t.clientHeight*.75&&(t.scrollTop=o-t.clientHeight/3)}function L(e){let{promise:t,resolve:n,reject:o}=Promise.withResolvers(),r=document.createElement("script");return r.src=\`\${document.documentElement.dataset.root??""}site-assets/\${e}\`,r.async=!1,r.addEventListener("load",()=>n()),r.addEventListener("error",()=>o(new Error(\`\${e} could not be loaded\`))),document.head.append(r),t}var w;function m(){return w??=Promise.all([L("search-index.js"),L("search.js")]),w}function G(e){return e instanceof HTMLElement&&(e.isContentEditable||/^(?:INPUT|TEXTAREA|SELECT)$/.test(e.tagName))}async function S(){await m(),window.docsSearch?.open()}function x(){let e=document.querySelector("[data-search]");e!==null&&(e.addEventListener("focus",()=>{m()}),e.addEventListener("pointerenter",()=>{m()}),e.addEventListener("click",()=>{S()}),document.addEventListener("keydown",t=>{let n=t.key.toLowerCase()==="k"&&(t.ctrlKey||t.metaKey),o=t.key==="/"&&!G(t.target)&&!t.ctrlKey&&!t.metaKey&&!t.altKey;!n&&!o||(t.preventDefault(),S())}))}var k="docs-theme";function C(){try{let e=localStorage.getItem(k);return e==="light"||e==="dark"?e:void 0}catch(e){if(e instanceof DOMException)return;throw e}}function M(e){try{localStorage.setItem(k,e)}catch(t){if(!(t instanceof DOMException))throw t}}function N(){return C()??(matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light")}function A(){let e=document.querySelector("[data-theme-toggle]");if(e===null)return;let t=N();e.setAttribute("aria-pressed",String(t==="dark")),e.addEventListener("click",()=>{t=t==="dark"?"light":"dark",document.documentElement.dataset.theme=t,e.setAttribute("aria-pressed",String(t==="dark")),M(t)})}T();A();E();f();y();x();})();\n`;
/** Search box, loaded when it is first used. */
const searchScript = `"use strict";(()=>{var X="ENTRIES",Q="KEYS",B="VALUES";var F=class{constructor(t,e){let s=t._tree,i=Array.from(s.keys());this.set=t,this._type=e,this._path=i.length>0?[{node:s,keys:i}]:[]}next(){let t=this.dive();return this.backtrack(),t}dive(){if(this._path.length===0)return{done:!0,value:void 0};let{node:t,keys:e}=b(this._path);if(b(e)==="")return{done:!1,value:this.result()};let s=t.get(b(e));return this._path.push({node:s,keys:Array.from(s.keys())}),this.dive()}backtrack(){if(this._path.length===0)return;let t=b(this._path).keys;t.pop(),!(t.length>0)&&(this._path.pop(),this.backtrack())}key(){return this.set._prefix+this._path.map(({keys:t})=>b(t)).filter(t=>t!=="").join("")}value(){return b(this._path).node.get("")}result(){switch(this._type){case B:return this.value();case Q:return this.key();default:return[this.key(),this.value()]}}[Symbol.iterator](){return this}},b=n=>n[n.length-1],tt=(n,t,e)=>{let s=new Map;if(t===void 0)return s;let i=t.length+1,o=i+e,r=new Uint8Array(o*i).fill(e+1);for(let c=0;c<i;++c)r[c]=c;for(let c=1;c<o;++c)r[c*i]=c;return q(n,t,e,s,r,1,i,""),s},q=(n,t,e,s,i,o,r,c)=>{let a=o*r;t:for(let d of n.keys())if(d===""){let u=i[a-1];u<=e&&s.set(c,[n.get(d),u])}else{let u=o;for(let f=0;f<d.length;++f,++u){let l=d[f],h=r*u,g=h-r,p=i[h],m=Math.max(0,u-e-1),_=Math.min(r-1,u+e);for(let w=m;w<_;++w){let E=l!==t[w],C=i[g+w]+ +E,M=i[g+w+1]+1,S=i[h+w]+1,x=i[h+w+1]=Math.min(C,M,S);x<p&&(p=x)}if(p>e)continue t}q(n.get(d),t,e,s,i,u,r,c+d)}},v=class n{constructor(t=new Map,e=""){this._size=void 0,this._tree=t,this._prefix=e}atPrefix(t){if(!t.startsWith(this._prefix))throw new Error("Mismatched prefix");let[e,s]=k(this._tree,t.slice(this._prefix.length));if(e===void 0){let[i,o]=j(s);for(let r of i.keys())if(r!==""&&r.startsWith(o)){let c=new Map;return c.set(r.slice(o.length),i.get(r)),new n(c,t)}}return new n(e,t)}clear(){this._size=void 0,this._tree.clear()}delete(t){return this._size=void 0,et(this._tree,t)}entries(){return new F(this,X)}forEach(t){for(let[e,s]of this)t(e,s,this)}fuzzyGet(t,e){return tt(this._tree,t,e)}get(t){let e=D(this._tree,t);return e!==void 0?e.get(""):void 0}has(t){let e=D(this._tree,t);return e!==void 0&&e.has("")}keys(){return new F(this,Q)}set(t,e){if(typeof t!="string")throw new Error("key must be a string");return this._size=void 0,A(this._tree,t).set("",e),this}get size(){if(this._size)return this._size;this._size=0;let t=this.entries();for(;!t.next().done;)this._size+=1;return this._size}update(t,e){if(typeof t!="string")throw new Error("key must be a string");this._size=void 0;let s=A(this._tree,t);return s.set("",e(s.get(""))),this}fetch(t,e){if(typeof t!="string")throw new Error("key must be a string");this._size=void 0;let s=A(this._tree,t),i=s.get("");return i===void 0&&s.set("",i=e()),i}values(){return new F(this,B)}[Symbol.iterator](){return this.entries()}static from(t){let e=new n;for(let[s,i]of t)e.set(s,i);return e}static fromObject(t){return n.from(Object.entries(t))}},k=(n,t,e=[])=>{if(t.length===0||n==null)return[n,e];for(let s of n.keys())if(s!==""&&t.startsWith(s))return e.push([n,s]),k(n.get(s),t.slice(s.length),e);return e.push([n,t]),k(void 0,"",e)},D=(n,t)=>{if(t.length===0||n==null)return n;for(let e of n.keys())if(e!==""&&t.startsWith(e))return D(n.get(e),t.slice(e.length))},A=(n,t)=>{let e=t.length;t:for(let s=0;n&&s<e;){for(let o of n.keys())if(o!==""&&t[s]===o[0]){let r=Math.min(e-s,o.length),c=1;for(;c<r&&t[s+c]===o[c];)++c;let a=n.get(o);if(c===o.length)n=a;else{let d=new Map;d.set(o.slice(c),a),n.set(t.slice(s,s+c),d),n.delete(o),n=d}s+=c;continue t}let i=new Map;return n.set(t.slice(s),i),i}return n},et=(n,t)=>{let[e,s]=k(n,t);if(e!==void 0){if(e.delete(""),e.size===0)K(s);else if(e.size===1){let[i,o]=e.entries().next().value;H(s,i,o)}}},K=n=>{if(n.length===0)return;let[t,e]=j(n);if(t.delete(e),t.size===0)K(n.slice(0,-1));else if(t.size===1){let[s,i]=t.entries().next().value;s!==""&&H(n.slice(0,-1),s,i)}},H=(n,t,e)=>{if(n.length===0)return;let[s,i]=j(n);s.set(i+t,e),s.delete(i)},j=n=>n[n.length-1],$="or",G="and",st="and_not",z=class n{constructor(t){if(t?.fields==null)throw new Error('MiniSearch: option "fields" must be provided');let e=t.autoVacuum==null||t.autoVacuum===!0?T:t.autoVacuum;this._options={...V,...t,autoVacuum:e,searchOptions:{...W,...t.searchOptions||{}},autoSuggestOptions:{...ct,...t.autoSuggestOptions||{}}},this._index=new v,this._documentCount=0,this._documentIds=new Map,this._idToShortId=new Map,this._fieldIds={},this._fieldLength=new Map,this._avgFieldLength=[],this._nextId=0,this._storedFields=new Map,this._dirtCount=0,this._currentVacuum=null,this._enqueuedVacuum=null,this._enqueuedVacuumConditions=R,this.addFields(this._options.fields)}add(t){let{extractField:e,stringifyField:s,tokenize:i,processTerm:o,fields:r,idField:c}=this._options,a=e(t,c);if(a==null)throw new Error(\`MiniSearch: document does not have ID field "\${c}"\`);if(this._idToShortId.has(a))throw new Error(\`MiniSearch: duplicate ID \${a}\`);let d=this.addDocumentId(a);this.saveStoredFields(d,t);for(let u of r){let f=e(t,u);if(f==null)continue;let l=i(s(f,u),u),h=this._fieldIds[u],g=new Set(l).size;this.addFieldLength(d,h,this._documentCount-1,g);for(let p of l){let m=o(p,u);if(Array.isArray(m))for(let _ of m)this.addTerm(h,d,_);else m&&this.addTerm(h,d,m)}}}addAll(t){for(let e of t)this.add(e)}addAllAsync(t,e={}){let{chunkSize:s=10}=e,i={chunk:[],promise:Promise.resolve()},{chunk:o,promise:r}=t.reduce(({chunk:c,promise:a},d,u)=>(c.push(d),(u+1)%s===0?{chunk:[],promise:a.then(()=>new Promise(f=>setTimeout(f,0))).then(()=>this.addAll(c))}:{chunk:c,promise:a}),i);return r.then(()=>this.addAll(o))}remove(t){let{tokenize:e,processTerm:s,extractField:i,stringifyField:o,fields:r,idField:c}=this._options,a=i(t,c);if(a==null)throw new Error(\`MiniSearch: document does not have ID field "\${c}"\`);let d=this._idToShortId.get(a);if(d==null)throw new Error(\`MiniSearch: cannot remove document with ID \${a}: it is not in the index\`);for(let u of r){let f=i(t,u);if(f==null)continue;let l=e(o(f,u),u),h=this._fieldIds[u],g=new Set(l).size;this.removeFieldLength(d,h,this._documentCount,g);for(let p of l){let m=s(p,u);if(Array.isArray(m))for(let _ of m)this.removeTerm(h,d,_);else m&&this.removeTerm(h,d,m)}}this._storedFields.delete(d),this._documentIds.delete(d),this._idToShortId.delete(a),this._fieldLength.delete(d),this._documentCount-=1}removeAll(t){if(t)for(let e of t)this.remove(e);else{if(arguments.length>0)throw new Error("Expected documents to be present. Omit the argument to remove all documents.");this._index=new v,this._documentCount=0,this._documentIds=new Map,this._idToShortId=new Map,this._fieldLength=new Map,this._avgFieldLength=[],this._storedFields=new Map,this._nextId=0}}discard(t){let e=this._idToShortId.get(t);if(e==null)throw new Error(\`MiniSearch: cannot discard document with ID \${t}: it is not in the index\`);this._idToShortId.delete(t),this._documentIds.delete(e),this._storedFields.delete(e),(this._fieldLength.get(e)||[]).forEach((s,i)=>{this.removeFieldLength(e,i,this._documentCount,s)}),this._fieldLength.delete(e),this._documentCount-=1,this._dirtCount+=1,this.maybeAutoVacuum()}maybeAutoVacuum(){if(this._options.autoVacuum===!1)return;let{minDirtFactor:t,minDirtCount:e,batchSize:s,batchWait:i}=this._options.autoVacuum;this.conditionalVacuum({batchSize:s,batchWait:i},{minDirtCount:e,minDirtFactor:t})}discardAll(t){let e=this._options.autoVacuum;try{this._options.autoVacuum=!1;for(let s of t)this.discard(s)}finally{this._options.autoVacuum=e}this.maybeAutoVacuum()}replace(t){let{idField:e,extractField:s}=this._options,i=s(t,e);this.discard(i),this.add(t)}vacuum(t={}){return this.conditionalVacuum(t)}conditionalVacuum(t,e){return this._currentVacuum?(this._enqueuedVacuumConditions=this._enqueuedVacuumConditions&&e,this._enqueuedVacuum!=null?this._enqueuedVacuum:(this._enqueuedVacuum=this._currentVacuum.then(()=>{let s=this._enqueuedVacuumConditions;return this._enqueuedVacuumConditions=R,this.performVacuuming(t,s)}),this._enqueuedVacuum)):this.vacuumConditionsMet(e)===!1?Promise.resolve():(this._currentVacuum=this.performVacuuming(t),this._currentVacuum)}async performVacuuming(t,e){let s=this._dirtCount;if(this.vacuumConditionsMet(e)){let i=t.batchSize||N.batchSize,o=t.batchWait||N.batchWait,r=1;for(let[c,a]of this._index){for(let[d,u]of a)for(let[f]of u)this._documentIds.has(f)||(u.size<=1?a.delete(d):u.delete(f));this._index.get(c).size===0&&this._index.delete(c),r%i===0&&await new Promise(d=>setTimeout(d,o)),r+=1}this._dirtCount-=s}await null,this._currentVacuum=this._enqueuedVacuum,this._enqueuedVacuum=null}vacuumConditionsMet(t){if(t==null)return!0;let{minDirtCount:e,minDirtFactor:s}=t;return e=e||T.minDirtCount,s=s||T.minDirtFactor,this.dirtCount>=e&&this.dirtFactor>=s}get isVacuuming(){return this._currentVacuum!=null}get dirtCount(){return this._dirtCount}get dirtFactor(){return this._dirtCount/(1+this._documentCount+this._dirtCount)}has(t){return this._idToShortId.has(t)}getStoredFields(t){let e=this._idToShortId.get(t);if(e!=null)return this._storedFields.get(e)}search(t,e={}){let{searchOptions:s}=this._options,i={...s,...e},o=this.executeQuery(t,e),r=[];for(let[c,{score:a,terms:d,match:u}]of o){let f=d.length||1,l={id:this._documentIds.get(c),score:a*f,terms:Object.keys(u),queryTerms:d,match:u};Object.assign(l,this._storedFields.get(c)),(i.filter==null||i.filter(l))&&r.push(l)}return t===n.wildcard&&i.boostDocument==null||r.sort(J),r}autoSuggest(t,e={}){e={...this._options.autoSuggestOptions,...e};let s=new Map;for(let{score:o,terms:r}of this.search(t,e)){let c=r.join(" "),a=s.get(c);a!=null?(a.score+=o,a.count+=1):s.set(c,{score:o,terms:r,count:1})}let i=[];for(let[o,{score:r,terms:c,count:a}]of s)i.push({suggestion:o,terms:c,score:r/a});return i.sort(J),i}get documentCount(){return this._documentCount}get termCount(){return this._index.size}static loadJSON(t,e){if(e==null)throw new Error("MiniSearch: loadJSON should be given the same options used when serializing the index");return this.loadJS(JSON.parse(t),e)}static async loadJSONAsync(t,e){if(e==null)throw new Error("MiniSearch: loadJSON should be given the same options used when serializing the index");return this.loadJSAsync(JSON.parse(t),e)}static getDefault(t){if(V.hasOwnProperty(t))return O(V,t);throw new Error(\`MiniSearch: unknown option "\${t}"\`)}static loadJS(t,e){let{index:s,documentIds:i,fieldLength:o,storedFields:r,serializationVersion:c}=t,a=this.instantiateMiniSearch(t,e);a._documentIds=I(i),a._fieldLength=I(o),a._storedFields=I(r);for(let[d,u]of a._documentIds)a._idToShortId.set(u,d);for(let[d,u]of s){let f=new Map;for(let l of Object.keys(u)){let h=u[l];c===1&&(h=h.ds),f.set(parseInt(l,10),I(h))}a._index.set(d,f)}return a}static async loadJSAsync(t,e){let{index:s,documentIds:i,fieldLength:o,storedFields:r,serializationVersion:c}=t,a=this.instantiateMiniSearch(t,e);a._documentIds=await L(i),a._fieldLength=await L(o),a._storedFields=await L(r);for(let[u,f]of a._documentIds)a._idToShortId.set(f,u);let d=0;for(let[u,f]of s){let l=new Map;for(let h of Object.keys(f)){let g=f[h];c===1&&(g=g.ds),l.set(parseInt(h,10),await L(g))}++d%1e3===0&&await Y(0),a._index.set(u,l)}return a}static instantiateMiniSearch(t,e){let{documentCount:s,nextId:i,fieldIds:o,averageFieldLength:r,dirtCount:c,serializationVersion:a}=t;if(a!==1&&a!==2)throw new Error("MiniSearch: cannot deserialize an index created with an incompatible version");let d=new n(e);return d._documentCount=s,d._nextId=i,d._idToShortId=new Map,d._fieldIds=o,d._avgFieldLength=r,d._dirtCount=c||0,d._index=new v,d}executeQuery(t,e={}){if(t===n.wildcard)return this.executeWildcardQuery(e);if(typeof t!="string"){let l={...e,...t,queries:void 0},h=t.queries.map(g=>this.executeQuery(g,l));return this.combineResults(h,l.combineWith)}let{tokenize:s,processTerm:i,searchOptions:o}=this._options,r={tokenize:s,processTerm:i,...o,...e},{tokenize:c,processTerm:a}=r,f=c(t).flatMap(l=>a(l)).filter(l=>!!l).map(rt(r)).map(l=>this.executeQuerySpec(l,r));return this.combineResults(f,r.combineWith)}executeQuerySpec(t,e){let s={...this._options.searchOptions,...e},i=(s.fields||this._options.fields).reduce((p,m)=>({...p,[m]:O(s.boost,m)||1}),{}),{boostDocument:o,weights:r,maxFuzzy:c,bm25:a}=s,{fuzzy:d,prefix:u}={...W.weights,...r},f=this._index.get(t.term),l=this.termResults(t.term,t.term,1,t.termBoost,f,i,o,a),h,g;if(t.prefix&&(h=this._index.atPrefix(t.term)),t.fuzzy){let p=t.fuzzy===!0?.2:t.fuzzy,m=p<1?Math.min(c,Math.round(t.term.length*p)):p;m&&(g=this._index.fuzzyGet(t.term,m))}if(h)for(let[p,m]of h){let _=p.length-t.term.length;if(!_)continue;g?.delete(p);let w=u*p.length/(p.length+.3*_);this.termResults(t.term,p,w,t.termBoost,m,i,o,a,l)}if(g)for(let p of g.keys()){let[m,_]=g.get(p);if(!_)continue;let w=d*p.length/(p.length+_);this.termResults(t.term,p,w,t.termBoost,m,i,o,a,l)}return l}executeWildcardQuery(t){let e=new Map,s={...this._options.searchOptions,...t};for(let[i,o]of this._documentIds){let r=s.boostDocument?s.boostDocument(o,"",this._storedFields.get(i)):1;e.set(i,{score:r,terms:[],match:{}})}return e}combineResults(t,e=$){if(t.length===0)return new Map;let s=e.toLowerCase(),i=nt[s];if(!i)throw new Error(\`Invalid combination operator: \${e}\`);return t.reduce(i)||new Map}toJSON(){let t=[];for(let[e,s]of this._index){let i={};for(let[o,r]of s)i[o]=Object.fromEntries(r);t.push([e,i])}return{documentCount:this._documentCount,nextId:this._nextId,documentIds:Object.fromEntries(this._documentIds),fieldIds:this._fieldIds,fieldLength:Object.fromEntries(this._fieldLength),averageFieldLength:this._avgFieldLength,storedFields:Object.fromEntries(this._storedFields),dirtCount:this._dirtCount,index:t,serializationVersion:2}}termResults(t,e,s,i,o,r,c,a,d=new Map){if(o==null)return d;for(let u of Object.keys(r)){let f=r[u],l=this._fieldIds[u],h=o.get(l);if(h==null)continue;let g=h.size,p=this._avgFieldLength[l];for(let m of h.keys()){if(!this._documentIds.has(m)){this.removeTerm(l,m,e),g-=1;continue}let _=c?c(this._documentIds.get(m),e,this._storedFields.get(m)):1;if(!_)continue;let w=h.get(m),E=this._fieldLength.get(m)[l],C=ot(w,g,this._documentCount,E,p,a),M=s*i*f*_*C,S=d.get(m);if(S){S.score+=M,at(S.terms,t);let x=O(S.match,e);x?x.push(u):S.match[e]=[u]}else d.set(m,{score:M,terms:[t],match:{[e]:[u]}})}}return d}addTerm(t,e,s){let i=this._index.fetch(s,U),o=i.get(t);if(o==null)o=new Map,o.set(e,1),i.set(t,o);else{let r=o.get(e);o.set(e,(r||0)+1)}}removeTerm(t,e,s){if(!this._index.has(s)){this.warnDocumentChanged(e,t,s);return}let i=this._index.fetch(s,U),o=i.get(t);o==null||o.get(e)==null?this.warnDocumentChanged(e,t,s):o.get(e)<=1?o.size<=1?i.delete(t):o.delete(e):o.set(e,o.get(e)-1),this._index.get(s).size===0&&this._index.delete(s)}warnDocumentChanged(t,e,s){for(let i of Object.keys(this._fieldIds))if(this._fieldIds[i]===e){this._options.logger("warn",\`MiniSearch: document with ID \${this._documentIds.get(t)} has changed before removal: term "\${s}" was not present in field "\${i}". Removing a document after it has changed can corrupt the index!\`,"version_conflict");return}}addDocumentId(t){let e=this._nextId;return this._idToShortId.set(t,e),this._documentIds.set(e,t),this._documentCount+=1,this._nextId+=1,e}addFields(t){for(let e=0;e<t.length;e++)this._fieldIds[t[e]]=e}addFieldLength(t,e,s,i){let o=this._fieldLength.get(t);o==null&&this._fieldLength.set(t,o=[]),o[e]=i;let c=(this._avgFieldLength[e]||0)*s+i;this._avgFieldLength[e]=c/(s+1)}removeFieldLength(t,e,s,i){if(s===1){this._avgFieldLength[e]=0;return}let o=this._avgFieldLength[e]*s-i;this._avgFieldLength[e]=o/(s-1)}saveStoredFields(t,e){let{storeFields:s,extractField:i}=this._options;if(s==null||s.length===0)return;let o=this._storedFields.get(t);o==null&&this._storedFields.set(t,o={});for(let r of s){let c=i(e,r);c!==void 0&&(o[r]=c)}}};z.wildcard=Symbol("*");var O=(n,t)=>Object.prototype.hasOwnProperty.call(n,t)?n[t]:void 0,nt={[$]:(n,t)=>{for(let e of t.keys()){let s=n.get(e);if(s==null)n.set(e,t.get(e));else{let{score:i,terms:o,match:r}=t.get(e);s.score=s.score+i,s.match=Object.assign(s.match,r),P(s.terms,o)}}return n},[G]:(n,t)=>{let e=new Map;for(let s of t.keys()){let i=n.get(s);if(i==null)continue;let{score:o,terms:r,match:c}=t.get(s);P(i.terms,r),e.set(s,{score:i.score+o,terms:i.terms,match:Object.assign(i.match,c)})}return e},[st]:(n,t)=>{for(let e of t.keys())n.delete(e);return n}},it={k:1.2,b:.7,d:.5},ot=(n,t,e,s,i,o)=>{let{k:r,b:c,d:a}=o;return Math.log(1+(e-t+.5)/(t+.5))*(a+n*(r+1)/(n+r*(1-c+c*s/i)))},rt=n=>(t,e,s)=>{let i=typeof n.fuzzy=="function"?n.fuzzy(t,e,s):n.fuzzy||!1,o=typeof n.prefix=="function"?n.prefix(t,e,s):n.prefix===!0,r=typeof n.boostTerm=="function"?n.boostTerm(t,e,s):1;return{term:t,fuzzy:i,prefix:o,termBoost:r}},V={idField:"id",extractField:(n,t)=>n[t],stringifyField:(n,t)=>n.toString(),tokenize:n=>n.split(dt),processTerm:n=>n.toLowerCase(),fields:void 0,searchOptions:void 0,storeFields:[],logger:(n,t)=>{typeof console?.[n]=="function"&&console[n](t)},autoVacuum:!0},W={combineWith:$,prefix:!1,fuzzy:!1,maxFuzzy:6,boost:{},weights:{fuzzy:.45,prefix:.375},bm25:it},ct={combineWith:G,prefix:(n,t,e)=>t===e.length-1},N={batchSize:1e3,batchWait:10},R={minDirtFactor:.1,minDirtCount:20},T={...N,...R},at=(n,t)=>{n.includes(t)||n.push(t)},P=(n,t)=>{for(let e of t)n.includes(e)||n.push(e)},J=({score:n},{score:t})=>t-n,U=()=>new Map,I=n=>{let t=new Map;for(let e of Object.keys(n))t.set(parseInt(e,10),n[e]);return t},L=async n=>{let t=new Map,e=0;for(let s of Object.keys(n))t.set(parseInt(s,10),n[s]),++e%1e3===0&&await Y(0);return t},Y=n=>new Promise(t=>setTimeout(t,n)),dt=/[\\n\\r\\p{Z}\\p{P}]+/u;var ut={boost:{title:4,headings:2,summary:1.5},prefix:!0,fuzzy:n=>n.length>4?.2:!1,combineWith:"AND"};function lt(n,t){let e,s=0;for(let[i,o]of n){let r=o.toLowerCase(),c=t.filter(a=>r.includes(a)).length;c>s&&([e,s]=[{id:i,text:o},c])}return e}var ht=.3;function Z(n,{query:t,part:e}){let s={...ut,boostDocument:(r,c,a)=>e===""||a?.part===""||a?.part===e?1:ht},i=n.search(t,s);return(i.length>0?i:n.search(t,{...s,combineWith:"OR"})).slice(0,12).map(r=>{let c=r,d=r.terms.every(u=>c.title.toLowerCase().includes(u))?void 0:lt(c.sections,r.terms);return{title:c.title,path:c.path,place:c.place,summary:c.summary,section:d}})}var ft=document.documentElement.dataset.root??"",mt=document.documentElement.dataset.part??"";function y(n,t,...e){let s=document.createElement(n);for(let[i,o]of Object.entries(t))s.setAttribute(i,o);return s.append(...e),s}function gt(n){return n.split("/").map(encodeURIComponent).join("/")}function pt(n,t){let e=n.section===void 0?"":\`#\${encodeURIComponent(n.section.id)}\`,s=n.section===void 0?n.title:\`\${n.title} › \${n.section.text}\`;return y("a",{href:\`\${ft}\${gt(n.path)}\${e}\`,role:"option",id:\`docs-result-\${t}\`,"aria-selected":"false",tabindex:"-1"},y("span",{class:"result-title"},s),y("span",{class:"result-place"},n.place),y("span",{class:"result-summary"},n.summary))}function _t(n){let t=y("input",{type:"text",enterkeyhint:"search",role:"combobox","aria-label":"Search the documentation","aria-expanded":"false","aria-controls":"docs-results","aria-autocomplete":"list",autocomplete:"off",autocapitalize:"off",spellcheck:"false",placeholder:"Search"}),e=y("div",{role:"listbox",id:"docs-results","aria-label":"Results",class:"results"}),s=y("p",{role:"status",class:"search-status"}),i=y("button",{type:"button",class:"search-close"},"Close"),o=y("div",{class:"search-bar"},t,i),r=y("dialog",{class:"search-dialog","aria-label":"Search"},o,s,e),c=-1;function a(l){let h=[...e.querySelectorAll("a")];c=h.length===0?-1:(l+h.length)%h.length;for(let[p,m]of h.entries())m.setAttribute("aria-selected",String(p===c));let g=h[c];g===void 0?t.removeAttribute("aria-activedescendant"):t.setAttribute("aria-activedescendant",g.id),g?.scrollIntoView({block:"nearest"})}function d(){let l=t.value.trim(),h=l===""?[]:Z(n,{query:l,part:mt});e.replaceChildren(...h.map(pt)),t.setAttribute("aria-expanded",String(h.length>0));let g=h.length===1?"1 result":\`\${h.length} results\`;s.textContent=l===""?"":h.length===0?\`Nothing found for “\${l}”\`:g,a(0)}function u(l){if(l.key==="ArrowDown")a(c+1);else if(l.key==="ArrowUp")a(c-1);else if(l.key==="Enter")e.querySelectorAll("a")[c]?.click();else return;l.preventDefault()}t.addEventListener("input",d),t.addEventListener("keydown",u),i.addEventListener("click",()=>r.close()),e.addEventListener("click",()=>r.close()),r.addEventListener("click",l=>{l.target===r&&r.close()}),document.body.append(r);function f(){r.open||r.showModal(),t.select()}return{open:f}}window.docsSearch=_t(z.loadJS(window.docsSearchIndex,{fields:["title","headings","summary","text"],storeFields:["title","path","place","part","summary","sections"]}));})();\n`;

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/site-files.js


const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5bd7"/><path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n`;
/** The site's own files, by their name in its assets folder; the search index is not among them. */
function siteFiles({ colors }) {
    return new Map([
        ["favicon.svg", favicon],
        ["search.js", searchScript],
        ["site.css", siteStyles + accentStyles(colors)],
        ["site.js", siteScript],
        ["theme.js", themeScript],
    ]);
}

;// CONCATENATED MODULE: ./.build/lib/local-platform/site/render-site.js
/** Renders a folder of Markdown and MDX into a site that opens from disk. */
















async function writeSiteFile(outDir, path, content) {
    const target = (0,external_node_path_.join)(outDir, path);
    await (0,promises_.mkdir)((0,external_node_path_.dirname)(target), { recursive: true });
    await (0,promises_.writeFile)(target, content);
}
function langOf(page, place) {
    const section = place?.ancestors.find((node) => node.kind === "section" && node.lang !== undefined);
    const lang = page.frontMatter.lang ?? (section?.kind === "section" ? section.lang : undefined) ?? "en";
    return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(lang) ? lang : "en";
}
function toDocument(page, { site }) {
    const { source } = page;
    const place = site.placesBySource.get(source.route.source);
    return renderDocument(site, {
        outPath: source.route.outPath,
        place,
        title: source.title,
        titleHtml: page.titleHtml,
        description: source.frontMatter.description,
        endpoint: source.frontMatter.endpoint,
        lang: langOf(source, place),
        contentHtml: page.contentHtml,
        headings: page.headings,
    });
}
/** A page's text on the lines that it has in its file, so that remarks on it name them. */
function bodyInPlace(file) {
    const { body } = (0,front_matter/* splitFrontMatter */.v)(file);
    const linesBefore = file.slice(0, file.length - body.length).split("\n").length - 1;
    return "\n".repeat(linesBefore) + body;
}
async function renderOne(source, rendering) {
    const { plan, links, unknownComponents, options } = rendering;
    const path = source.route.source;
    const page = await (0,render_page/* renderPage */.C)(source, bodyInPlace(await (0,docs_tree/* readPageText */.f$)(plan.docs, path)), {
        docs: plan.docs,
        links: createLinkResolver(source.route, links),
        onWarning: (message) => rendering.warn(path, message),
        onUnknownComponent: (name) => unknownComponents.set(name, (unknownComponents.get(name) ?? 0) + 1),
    });
    rendering.ids.set(path, page.ids);
    const place = rendering.site.placesBySource.get(path);
    if (source.frontMatter.hidden !== true) {
        rendering.search.add(page, {
            place: place?.ancestors.map(({ title }) => title).join(" / ") ?? "",
            part: place === undefined ? "" : partOf(rendering.site, { outPath: source.route.outPath, place }),
        });
    }
    await writeSiteFile(options.outDir, source.route.outPath, toDocument(page, rendering));
}
async function renderPages(rendering, { signal, onProgress }) {
    const { pages } = rendering.plan;
    for (const [index, source] of pages.entries()) {
        signal.throwIfAborted();
        try {
            await renderOne(source, rendering);
        }
        catch (error) {
            if (!(error instanceof docs_tree/* UnusableFileError */.Kr))
                throw error;
            rendering.warn(source.route.source, `it was left out: ${error.message}`);
        }
        onProgress?.({ done: index + 1, total: pages.length });
        // A server that renders goes on answering between two pages.
        await (0,external_node_timers_promises_.setImmediate)();
    }
}
async function copyAssets({ plan, links, options, warn }, { signal }) {
    for (const [source, outPath] of links.assets) {
        signal.throwIfAborted();
        try {
            await writeSiteFile(options.outDir, outPath, await (0,docs_tree/* readAsset */.fs)(plan.docs, source));
        }
        catch (error) {
            if (!(error instanceof docs_tree/* UnusableFileError */.Kr))
                throw error;
            warn(source, `it was not copied: ${error.message}`);
        }
    }
}
async function writeExtraPages({ plan, site, links, options, search }) {
    const moved = renderRedirectPages(plan, links);
    for (const [path, content] of moved)
        await writeSiteFile(options.outDir, path, content);
    const hasHome = moved.has("index.html") || plan.pages.some(({ route }) => route.outPath === "index.html");
    if (!hasHome)
        await writeSiteFile(options.outDir, "index.html", renderHomePage(site));
    await writeSiteFile(options.outDir, "404.html", renderNotFoundPage(site));
    for (const [name, content] of siteFiles(plan.config)) {
        await writeSiteFile(options.outDir, `${routes/* assetsFolder */.wL}/${name}`, content);
    }
    await writeSiteFile(options.outDir, `${routes/* assetsFolder */.wL}/search-index.js`, search.toScript());
}
/**
 * Renders a folder of documents into `outDir`. Documents are not trusted: nothing in them runs, links out of the folder
 * are not followed, and a page that cannot be rendered as it was meant becomes a warning.
 *
 * @throws {ActionError} when the documents folder cannot be read; the signal's reason when it is aborted.
 */
async function renderSite(options, deps) {
    const warnings = [];
    const warn = (page, message) => void warnings.push({ page, message });
    const plan = await (0,plan_site/* planSite */.h)(options, { signal: deps.signal, onWarning: warn });
    const remoteMedia = new Map();
    const { site, links } = describeSite(plan, options, {
        onRemoteMedia: (page) => remoteMedia.set(page, (remoteMedia.get(page) ?? 0) + 1),
    });
    const rendering = {
        ...{ options, plan, site, links, warn },
        search: createSearchIndex(),
        ids: new Map(),
        unknownComponents: new Map(),
    };
    await renderPages(rendering, deps);
    await copyAssets(rendering, deps);
    await writeExtraPages(rendering);
    for (const [page, count] of remoteMedia)
        warn(page, `pictures from elsewhere became links: ${count}`);
    return {
        pageCount: rendering.ids.size,
        pages: plan.pages
            .filter(({ route }) => rendering.ids.has(route.source))
            .map(({ route }) => route.outPath),
        warnings,
        unknownComponents: Object.fromEntries([...rendering.unknownComponents].toSorted()),
        brokenLinks: [...links.broken, ...findBrokenSections(links, rendering.ids)],
    };
}


/***/ })

};
