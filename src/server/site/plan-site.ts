/** Everything that is decided before a page is rendered: which pages there are, their addresses and the navigation. */
import { createConfigNavigation, selectVersion } from "./config-navigation.ts";
import { type DocsTree, readDocsTree } from "./content/docs-tree.ts";
import { withoutActiveImages } from "./content/sanitize.ts";
import { type NavigationNode, pagesInOrder } from "./navigation.ts";
import { readPages } from "./read-pages.ts";
import type { PageSource } from "./render-page.ts";
import { createRoutes, isPagePath, type Routes } from "./routes.ts";
import { type ReadSiteConfig, readSiteConfig, type SiteConfig } from "./site-config.ts";
import { createTreeNavigation } from "./tree-navigation.ts";

/** Which documents become which site. */
export interface PlanOptions {
  readonly docsDir: string;
  readonly outDir: string;
  /** One of the versions that the configuration's navigation names, or only a label. */
  readonly version?: string;
  /** Addresses or folders of the pages to export; all pages without it. */
  readonly paths?: readonly string[];
}

/** A site's pages and navigation. */
export interface SitePlan {
  readonly docs: DocsTree;
  readonly config: SiteConfig;
  readonly routes: Routes;
  readonly pages: readonly PageSource[];
  readonly navigation: readonly NavigationNode[];
}

interface PlanDeps {
  readonly signal: AbortSignal;
  readonly onWarning: (page: string, message: string) => void;
}

/** Root folder of snippets, which is reserved in documents with a configuration file. */
const snippetsFolder = /^snippets\//;

function isWanted(slug: string, paths: readonly string[] | undefined): boolean {
  if (paths === undefined || paths.length === 0) return true;
  return paths.some((path) => {
    const wanted = path.replace(/^\/+|\/+$/g, "").replace(/\.(?:mdx|md|html)$/i, "");
    return wanted === "" || slug === wanted || slug.startsWith(`${wanted}/`) || slug === `${wanted}/index`;
  });
}

function planRoutes(docs: DocsTree, { file }: ReadSiteConfig, { paths }: PlanOptions): Routes {
  const sources = [...docs.files].filter((path) => isPagePath(path));
  const pages = file === undefined ? sources : sources.filter((path) => !snippetsFolder.test(path));
  const all = createRoutes(pages);
  return createRoutes(all.all.filter(({ slug }) => isWanted(slug, paths)).map(({ source }) => source));
}

function configuredNavigation(
  { file, config }: ReadSiteConfig,
  { routes, pages }: Pick<SitePlan, "routes" | "pages">,
  deps: PlanDeps & { readonly isPartial: boolean },
): readonly NavigationNode[] {
  if (file === undefined) return [];
  const reading = {
    routes,
    pages: new Map(pages.map((page) => [page.route.source, page])),
    onMissing: (entry: string) => {
      if (!deps.isPartial) deps.onWarning(file, `the navigation names “${entry}”, which is no page`);
    },
  };
  return createConfigNavigation(config.navigation, reading);
}

function chooseVersion(
  navigation: readonly NavigationNode[],
  version: string | undefined,
): readonly NavigationNode[] {
  return (version === undefined ? undefined : selectVersion(navigation, version)) ?? navigation;
}

/** Reads the documents and decides on pages, addresses and navigation. */
export async function planSite(options: PlanOptions, deps: PlanDeps): Promise<SitePlan> {
  const docs = await withoutActiveImages(await readDocsTree(options, deps), deps.signal);
  for (const { path, message } of docs.skipped) deps.onWarning(path, `it was left out: ${message}`);
  const found = await readSiteConfig(docs, deps);
  if (found.file !== undefined && found.problem !== undefined) {
    deps.onWarning(found.file, `the navigation is taken from the folders instead: ${found.problem}`);
  }
  const routes = planRoutes(docs, found, options);
  const pages = await readPages(docs, routes, deps);
  const isPartial = (options.paths?.length ?? 0) > 0;
  const configured = configuredNavigation(found, { routes, pages }, { ...deps, isPartial });
  const isUsable = pagesInOrder(configured).length > 0;
  if (!isUsable && found.file !== undefined && found.problem === undefined) {
    deps.onWarning(found.file, "its navigation leads to no page; the folders are used instead");
  }
  const navigation = isUsable ? chooseVersion(configured, options.version) : createTreeNavigation(pages);
  return { docs, config: found.config, routes, pages, navigation };
}
