import { claimAsset, type LinkIndex } from "./link-resolver.ts";
import { pagesInOrder } from "./navigation.ts";
import type { Site } from "./page/site.ts";
import type { PlanOptions, SitePlan } from "./plan-site.ts";
import { createPathClaims, type PathClaims } from "./portable-path.ts";
import { createRedirects } from "./redirects.ts";
import { assetsFolder, ownPaths } from "./routes.ts";

function assetOf(path: string | undefined, links: LinkIndex): string | undefined {
  const source = path?.replace(/^\/+/, "");
  if (source === undefined || !/\.(?:svg|png|jpe?g|webp|gif|ico)$/i.test(source)) return undefined;
  if (!links.docs.files.has(source)) return undefined;
  return claimAsset(source, links);
}

/** What to call a site. */
export interface SiteNames {
  /** Name of the site where the documents' configuration gives none. */
  readonly title?: string;
  /** The site's domain identifier: its name as a last resort. */
  readonly domain?: string;
}

/** The pages' paths, and those that the site has of its own. */
function claimPages({ pages }: SitePlan): PathClaims {
  const claims = createPathClaims();
  for (const path of [...ownPaths, ...pages.map(({ route }) => route.outPath)]) claims.claim(path);
  return claims;
}

function logoOf({ config }: SitePlan, links: LinkIndex): Site["logo"] {
  const { logo } = config;
  const light = assetOf(typeof logo === "string" ? logo : logo?.light, links);
  if (light === undefined) return undefined;
  const dark = typeof logo === "object" ? assetOf(logo.dark, links) : undefined;
  return { light, dark: dark ?? light };
}

function externalLinks({ config }: SitePlan): Site["links"] {
  return (config.navbar?.links ?? []).flatMap(({ label, name, href, url }) => {
    const text = label ?? name;
    const address = href ?? url;
    const isShown = text !== undefined && address !== undefined && /^(?:https?:|mailto:)/i.test(address);
    return isShown ? [{ label: text, href: address }] : [];
  });
}

/** Draws what every page shares from a plan: the site's name, icon and navigation, and the index of its links. */
export function describeSite(
  plan: SitePlan,
  { title, domain, version }: SiteNames & Pick<PlanOptions, "version">,
  { onRemoteMedia }: Pick<LinkIndex, "onRemoteMedia">,
): { readonly site: Site; readonly links: LinkIndex } {
  const links: LinkIndex = {
    docs: plan.docs,
    routes: plan.routes,
    redirects: createRedirects(plan.config.redirects ?? []),
    assets: new Map(),
    claims: claimPages(plan),
    broken: [],
    sectionLinks: [],
    onRemoteMedia,
  };
  const places = pagesInOrder(plan.navigation);
  const site: Site = {
    title: title ?? plan.config.name ?? domain ?? "Documentation",
    version,
    navigation: plan.navigation,
    places,
    placesBySource: new Map(places.map((place) => [place.page.route.source, place])),
    favicon: assetOf(plan.config.favicon, links) ?? `${assetsFolder}/favicon.svg`,
    logo: logoOf(plan, links),
    home: "index.html",
    links: externalLinks(plan),
  };
  return { site, links };
}
