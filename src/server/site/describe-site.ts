/** What every page shows of the site around it, from the configuration. */
import { basename, dirname } from "node:path";
import type { SiteLinks } from "./links.ts";
import { titleFromName } from "./navigation.ts";
import type { FrameLink, Site } from "./page-layout.ts";
import type { SitePlan } from "./plan-site.ts";
import { assetsFolder } from "./routes.ts";
import type { ConfiguredLink, SiteConfig } from "./site-config.ts";

/** A documents folder is often called just that: then the folder around it, a repository's, has the name. */
function nameOfFolder(root: string): string {
  const name = basename(root);
  return titleFromName(
    /^(?:docs?|documentation|content|pages|site|website)$/i.test(name) ? basename(dirname(root)) : name,
  );
}

const brands: ReadonlyMap<string, string> = new Map(
  Object.entries({
    x: "X",
    "x-twitter": "X",
    github: "GitHub",
    youtube: "YouTube",
    linkedin: "LinkedIn",
    "earth-americas": "Website",
  }),
);

/** A link as the frame has it: to another site, or to write to its authors. */
function toFrameLinks({ label, name, type, href, url, icon }: ConfiguredLink): FrameLink[] {
  const text = label ?? name ?? (type && (brands.get(type) ?? titleFromName(type)));
  const address = href ?? url ?? "";
  return text !== undefined && /^(?:https?:|mailto:)/i.test(address)
    ? [{ label: text, href: address, icon }]
    : [];
}

/**
 * Describes the site.
 *
 * @param pictures Gets the source files of the logo and the icon.
 */
export function describeSite(
  { docs, config, pages, navigation, locations }: SitePlan,
  links: SiteLinks,
  pictures: Set<string>,
  version: string | undefined,
): Omit<Site, "searchParts"> {
  const pictureAt = (path: string | undefined): string | undefined => {
    const source = path?.replace(/^\/+/, "") ?? "";
    const isPicture = /\.(?:svg|png|jpe?g|webp|gif|ico)$/i.test(source) && docs.files.has(source);
    if (!isPicture) return undefined;
    pictures.add(source);
    return links.assetPath(source);
  };
  const { appearance, banner, navbar } = config;
  const logo = typeof config.logo === "string" ? { light: config.logo } : config.logo;
  const favicon = typeof config.favicon === "string" ? config.favicon : config.favicon?.light;
  const light = pictureAt(logo?.light);
  const home = pages.find(({ route }) => route.outPath === "index.html");
  const theme = appearance?.default;
  return {
    title: config.name ?? home?.title ?? nameOfFolder(docs.root),
    lang: (home ?? pages.find(({ route }) => locations.get(route.source)?.position === 0))?.lang,
    version,
    navigation,
    locations,
    order: [...locations.values()],
    favicon: pictureAt(favicon) ?? `${assetsFolder}/favicon.svg`,
    logo: light === undefined ? undefined : { light, dark: pictureAt(logo?.dark) ?? light },
    logoHref: /^https?:/i.test(logo?.href ?? "") ? logo?.href : undefined,
    links: (navbar?.links ?? []).flatMap(toFrameLinks),
    callToAction: navbar?.primary && toFrameLinks(navbar.primary)[0],
    footer: describeFooter(config),
    banner: banner && { content: banner.content, isDismissible: banner.dismissible ?? false },
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    hasThemeToggle: appearance?.strict !== true,
  };
}

function describeFooter({ footer }: SiteConfig): Site["footer"] {
  const columns = (footer?.links ?? []).map(({ header, items }) => ({
    title: header,
    links: (items ?? []).flatMap(toFrameLinks),
  }));
  const socials = Object.entries(footer?.socials ?? {});
  return { columns, socials: socials.flatMap(([type, href]) => toFrameLinks({ type, href })) };
}

/** The rules that the configuration adds to the site's style sheet: its colours, and fonts by their names. */
export function siteStyles({ colors, fonts }: SiteConfig): string {
  const { primary, light = primary, dark = primary } = colors ?? {};
  const fontRule = (selector: string, family: string | undefined) =>
    family === undefined ? "" : `${selector}{font-family:"${family}",var(--sans)}\n`;
  // The lightness is bounded so that links can be read on either background, and a button's words on its colour.
  const accent = `light-dark(oklch(from ${primary} min(l,0.48) c h),oklch(from ${light} max(l,0.75) c h))`;
  return [
    primary && `:root{--accent:${accent};--button:oklch(from ${dark} min(l,0.48) c h)}\n`,
    fontRule("body,button,input", fonts?.body?.family ?? fonts?.family),
    fontRule("h1,h2,h3,h4,h5,h6", fonts?.heading?.family),
  ].join("");
}
