/** Renders a folder of Markdown and MDX into a site that opens from disk. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import MiniSearch from "minisearch";
import { indexOptions, type SearchEntry } from "./client/find-matches.ts";
import { clientAssets } from "./client-assets.ts";
import { ifUsable, readPageText } from "./content/docs-tree.ts";
import { readCopy } from "./content/sanitize.ts";
import { type BrokenLink, SiteLinks } from "./links.ts";
import { navigationFor, partOf } from "./navigation.ts";
import { renderDocument, renderHomePage, renderNotFoundPage, type Site } from "./page-layout.ts";
import { type PlanOptions, planSite, type SitePlan } from "./plan-site.ts";
import { type PageSource, type RenderedPage, renderPage } from "./render-page.ts";
import { assetsFolder } from "./routes.ts";
import type { SiteConfig } from "./site-config.ts";

/** Which documents to render, and where to. */
export interface RenderSiteOptions extends PlanOptions {
  /** The site's domain identifier: its name where the documents' configuration gives none. */
  readonly domain?: string;
}

/** What was rendered, and everything that could not be rendered as it was meant. */
export interface RenderedSite {
  readonly pageCount: number;
  /** Paths of the pages in the site, in the order of their sources. */
  readonly pages: readonly string[];
  /** Each names the file by its path from the documents folder. */
  readonly warnings: readonly { readonly page: string; readonly message: string }[];
  /** Components that this renderer does not know, with how often each was used. */
  readonly unknownComponents: Readonly<Record<string, number>>;
  readonly brokenLinks: readonly BrokenLink[];
}

/**
 * Renders a folder of documents into `outDir`. Documents are not trusted: nothing in them runs, links out of the folder
 * are not followed, and a page that cannot be rendered as it was meant becomes a warning.
 *
 * @throws {ActionError} when the documents folder cannot be read; the signal's reason when it is aborted.
 */
export async function renderSite(
  options: RenderSiteOptions,
  signal: AbortSignal,
  onProgress?: (progress: { readonly done: number; readonly total: number }) => void,
): Promise<RenderedSite> {
  const warnings: { page: string; message: string }[] = [];
  const onWarning = (page: string, message: string) => void warnings.push({ page, message });
  const plan = await planSite(options, signal, onWarning);
  const links = new SiteLinks(plan.docs, plan.routes, plan.config.redirects ?? []);
  const site = describeSite(plan, links, options);
  const search = new MiniSearch<IndexedPage>(indexOptions);
  const idsBySource = new Map<string, ReadonlySet<string>>();
  const unknown = new Map<string, number>();

  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const target = join(options.outDir, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }

  async function exportPage(source: PageSource, file: string): Promise<void> {
    const { route, frontMatter } = source;
    const page = await renderPage(source, file, {
      docs: plan.docs,
      links: links.resolverOf(route),
      onWarning: (message) => onWarning(route.source, message),
      onUnknownComponent: (name) => unknown.set(name, (unknown.get(name) ?? 0) + 1),
    });
    idsBySource.set(route.source, page.ids);
    if (frontMatter.hidden !== true) search.add(describeForSearch(page, plan));
    await write(route.outPath, renderDocument(site, page));
  }

  for (const [index, source] of plan.pages.entries()) {
    signal.throwIfAborted();
    const path = source.route.source;
    const leaveOut = (message: string) => onWarning(path, `it was left out: ${message}`);
    const file = await ifUsable(readPageText(plan.docs, path), leaveOut);
    if (file !== undefined) await exportPage(source, file);
    onProgress?.({ done: index + 1, total: plan.pages.length });
    // A server that renders goes on answering between two pages.
    await setImmediate();
  }

  for (const [source, outPath] of links.assets) {
    signal.throwIfAborted();
    const leaveOut = (message: string) => onWarning(source, `it was not copied: ${message}`);
    const file = await ifUsable(readCopy(plan.docs, source), leaveOut);
    if (file !== undefined) await write(outPath, file);
  }

  const ownFiles = new Map([["404.html", renderNotFoundPage(site)]]);
  const hasHome = plan.pages.some(({ route }) => route.outPath === "index.html");
  if (!hasHome) ownFiles.set("index.html", renderHomePage(site));
  const titles = new Map(plan.pages.map(({ route, title }) => [route.source, title]));
  for (const [path, page] of links.redirectPages((route) => titles.get(route.source) ?? route.slug))
    ownFiles.set(path, page);
  for (const [name, content] of Object.entries(siteAssets(plan.config, search)))
    ownFiles.set(`${assetsFolder}/${name}`, content);
  for (const [path, content] of ownFiles) await write(path, content);

  for (const [page, count] of links.remoteMedia)
    onWarning(page, `pictures from elsewhere became links: ${count}`);
  return {
    pageCount: idsBySource.size,
    pages: plan.pages.filter(({ route }) => idsBySource.has(route.source)).map(({ route }) => route.outPath),
    warnings,
    unknownComponents: Object.fromEntries([...unknown].toSorted()),
    brokenLinks: [...links.broken, ...links.findBrokenSections(idsBySource)],
  };
}

/** What every page shows of the site. */
function describeSite(
  { docs, config, navigation, locations }: SitePlan,
  links: SiteLinks,
  { domain, version }: RenderSiteOptions,
): Site {
  const pictureAt = (path: string | undefined): string | undefined => {
    const source = path?.replace(/^\/+/, "") ?? "";
    const isPicture = /\.(?:svg|png|jpe?g|webp|gif|ico)$/i.test(source) && docs.files.has(source);
    return isPicture ? links.claimAsset(source) : undefined;
  };
  const logo = typeof config.logo === "string" ? { light: config.logo, dark: undefined } : config.logo;
  const light = pictureAt(logo?.light);
  return {
    title: config.name ?? domain ?? "Documentation",
    version,
    navigation,
    locations,
    favicon:
      pictureAt(typeof config.favicon === "string" ? config.favicon : config.favicon?.light) ??
      `${assetsFolder}/favicon.svg`,
    logo: light === undefined ? undefined : { light, dark: pictureAt(logo?.dark) ?? light },
    links: (config.navbar?.links ?? []).flatMap(({ label, name, href = "", url = href }) => {
      const text = label ?? name;
      const address = href || url;
      return text !== undefined && /^(?:https?:|mailto:)/i.test(address)
        ? [{ label: text, href: address }]
        : [];
    }),
  };
}

/** A page as the search index takes it. */
type IndexedPage = SearchEntry & { readonly headings: string; readonly text: string };

const maxSections = 40;

function describeForSearch(
  { source, headings, text }: RenderedPage,
  { navigation, locations }: SitePlan,
): IndexedPage {
  const location = locations.get(source.route.source);
  const summary = source.frontMatter.description ?? text;
  return {
    title: source.title,
    path: source.route.outPath,
    location: location?.ancestors.map(({ title }) => title).join(" / ") ?? "",
    part: location === undefined ? "" : partOf(navigationFor(navigation, location).switches),
    summary: summary.length <= 160 ? summary : `${summary.slice(0, 160).replace(/\s+\S*$/, "")} …`,
    sections: headings.slice(0, maxSections).map((heading) => [heading.id, heading.text]),
    headings: headings.map((heading) => heading.text).join("\n"),
    text,
  };
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5bd7"/><path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n`;

/** The site's own style sheet, scripts and icon, by their name in its assets folder. */
function siteAssets({ colors }: SiteConfig, search: MiniSearch): Readonly<Record<string, string>> {
  const { primary, light = primary } = colors ?? {};
  // The lightness is bounded so that links can be read on either background.
  const accent = `light-dark(oklch(from ${primary} min(l,0.48) c h),oklch(from ${light} max(l,0.75) c h))`;
  return {
    ...clientAssets,
    "favicon.svg": favicon,
    // A script, since pages opened from disk cannot fetch; browsers parse a string several times faster than the same data.
    "search-index.js": `self.docsSearchIndex=JSON.parse(${JSON.stringify(JSON.stringify(search))});\n`,
    ...(primary && { "site.css": `${clientAssets["site.css"]}:root{--accent:${accent}}\n` }),
  };
}
