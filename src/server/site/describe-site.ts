/** Reads from the configuration what all pages of the site show. */
import { basename, dirname } from "node:path";
import { h } from "hastscript";
import { mapByNames } from "./content/hast.ts";
import { iconElement } from "./content/icons.ts";
import type { PageLinks, SiteLinks } from "./links.ts";
import { isGenericTitle, type NavigationNode, titleFromName } from "./navigation.ts";
import { type Frame, type FrameLink, rootPlaceholder, type SiteDescription } from "./page-layout.ts";
import type { SitePlan } from "./plan-site.ts";
import { renderMarkdown, toMarkup } from "./render-page.ts";
import type { PageReporter, WarningReporter } from "./report.ts";
import { assetsFolder, hasScheme } from "./routes.ts";
import type { ConfiguredFrame, ConfiguredLink, ConfiguredPictures, SiteConfig } from "./site-config.ts";

/**
 * The title for a folder. A generic folder name such as `docs` is replaced by that of its parent, usually the repository. The root of
 * the file system, and the folder of a commit's files, have no name.
 */
function nameOfFolder(root: string): string | undefined {
  const name = basename(root);
  if (name === "" || /^[\da-f]{40}/.test(name)) return undefined;
  return /^(?:docs?|documentation|content|pages|src|site|website)$/i.test(name)
    ? nameOfFolder(dirname(root))
    : titleFromName(name);
}

const brands = mapByNames({
  "x x-twitter": "X",
  github: "GitHub",
  youtube: "YouTube",
  linkedin: "LinkedIn",
  "earth-americas": "Website",
});

/**
 * Describes the site.
 *
 * @param found collects the files and page sections that the configuration links to
 */
export function describeSite(
  plan: SitePlan,
  links: SiteLinks,
  found: PageLinks,
  version: string | undefined,
  onWarning: WarningReporter,
): Omit<SiteDescription, "searchParts"> {
  const { config, configFile, pages, navigation, locations, docs } = plan;
  const warn: PageReporter = (message, kind) => onWarning(configFile, message, kind);
  const root = { source: configFile, slug: "index", outPath: "index.html" };
  const resolver = links.resolverOf(root, found, warn);
  const silent = links.resolverOf(root, found, () => undefined);
  const targets = new Map<string, string | undefined>();
  function resolveLink(href: string): string | undefined {
    if (!targets.has(href)) targets.set(href, resolver.resolveLink(href, undefined));
    return targets.get(href);
  }
  function resolvePicture(path: string): string | undefined {
    const src = silent.resolveMedia(path, undefined);
    const isRemote = /^https?:/i.test(src ?? "");
    if (src !== undefined && !isRemote) return src;
    const reason = isRemote ? "pages do not load remote files" : "the site has no such file";
    warn(`the picture ${path} is not shown: ${reason}`, "file");
    return undefined;
  }

  const iconPictures = new Map<string, string>();
  const iconClasses = new Map(layoutIcons.map((name) => [name, `icon-${name}`]));
  function readIcon(icon: string | undefined, source = configFile): void {
    if (icon === undefined || iconPictures.has(icon) || iconClasses.has(icon)) return;
    if (/^(?:[./]|https?:)/.test(icon)) {
      const picture = resolvePicture(icon);
      if (picture !== undefined) iconPictures.set(icon, picture);
    } else if (iconElement(icon) === undefined) onWarning(source, `there is no icon like “${icon}”`, "icon");
    else iconClasses.set(icon, `icon-${iconClasses.size}`);
  }
  function readEntries(nodes: readonly NavigationNode[]): void {
    for (const node of nodes) {
      if (node.kind === "link") resolveLink(node.to);
      // A page's icon is that of its front matter.
      readIcon(node.icon, node.kind === "page" ? node.route.source : undefined);
      if (node.kind === "group") readEntries(node.children);
    }
  }
  readEntries(navigation);

  function toPictures(configured: ConfiguredPictures | undefined): SiteDescription["logo"] {
    const pictures = typeof configured === "string" ? { light: configured } : configured;
    const [light, dark] = [pictures?.light, pictures?.dark].map((path) => path && resolvePicture(path));
    const either = light || dark;
    return either ? { light: either, dark: dark || either } : undefined;
  }

  function toFrameLinks({ label, name, type, href, url = href, icon }: ConfiguredLink): FrameLink[] {
    const nameOf = (brand: string | undefined) => brand && (brands.get(brand) ?? titleFromName(brand));
    const own = label ?? name ?? nameOf(type);
    // A link that shows only an icon still needs an accessible name.
    const text = own || nameOf(icon);
    if (!text || url === undefined) {
      const problem = `${text || (url ?? "it")} has no address or name`;
      warn(`a link of the header or footer was left out: ${problem}`, "configuration");
      return [];
    }
    const target = resolveLink(url);
    readIcon(icon);
    return target === undefined ? [] : [{ label: text, href: target, icon, isIcon: own === "" }];
  }

  /** Renders Markdown whose relative links begin with `prefix`. */
  function renderText(markdown: string, prefix: string): string {
    const add = (href: string | undefined) =>
      href === undefined || hasScheme(href) || href.startsWith("#") ? href : prefix + href;
    return renderMarkdown(markdown, {
      resolveLink: (href) => add(resolveLink(href)),
      resolveMedia: (path) => add(resolvePicture(path)),
    });
  }

  function toFrame({ banner, navbar, footer }: ConfiguredFrame): Frame {
    const links = (navbar?.links ?? []).flatMap(toFrameLinks);
    const button = navbar?.primary ? toFrameLinks(navbar.primary) : [];
    const columns = (footer?.links ?? []).map(({ header: title, items = [] }) => ({
      title,
      links: items.flatMap(toFrameLinks),
    }));
    return {
      links: [...links, ...button.map((link) => ({ ...link, isButton: true }))],
      columns,
      socials: Object.entries(footer?.socials ?? {}).flatMap(([type, href]) => toFrameLinks({ type, href })),
      banner: banner && {
        html: renderText(banner.content, rootPlaceholder),
        isDismissible: banner.dismissible ?? false,
      },
    };
  }

  const languageFrames = new Map<string, Frame>();
  for (const { lang, frame = {} } of new Set([...locations.values()].flatMap(({ ancestors }) => ancestors))) {
    const own = Object.entries(frame).filter(([, part]) => part !== undefined);
    if (lang !== undefined && own.length > 0)
      languageFrames.set(lang, toFrame({ ...config, ...Object.fromEntries(own) }));
  }
  const { title, description } = config.errors?.[404] ?? {};
  const home = pages.find(({ route }) => route.outPath === "index.html");
  const first = home ?? pages.find(({ route }) => locations.get(route.source)?.position === 0);
  const ownTitle = home && !isGenericTitle(home.title) ? home.title : undefined;
  const theme = config.appearance?.default;
  const logoHref = typeof config.logo === "object" ? config.logo.href : undefined;
  const ownIcon = `${assetsFolder}/favicon.svg`;
  return {
    title: config.name ?? ownTitle ?? nameOfFolder(docs.root) ?? home?.title ?? "Documentation",
    lang: first?.lang,
    version,
    navigation,
    locations,
    order: [...locations.values()],
    linkTargets: targets,
    iconPictures,
    iconClasses,
    favicon: toPictures(config.favicon) ?? { light: ownIcon, dark: ownIcon },
    logo: toPictures(config.logo),
    logoHref: logoHref && resolveLink(logoHref),
    frame: toFrame(config),
    languageFrames,
    notFound: { title, html: description && renderText(description, "") },
    theme: theme === "system" ? undefined : theme,
    hasThemeToggle: config.appearance?.strict !== true,
  };
}

/** Icons that the navigation uses in addition to those of the configuration. */
const layoutIcons = ["chevron-right", "external-link"];

/** The CSS rules of one site: configured colours and font names, and the icons of {@link SiteDescription.iconClasses}. */
export function siteStyles(
  { colors, fonts }: SiteConfig,
  { iconClasses }: Pick<SiteDescription, "iconClasses">,
): string {
  const { primary, light = primary, dark = primary } = colors ?? {};
  const fontRule = (selector: string, family: string | undefined) =>
    family === undefined ? "" : `${selector}{font-family:"${family}",var(--sans)}\n`;
  // The lightness is limited so that links are readable on either background, and the chroma of a bright colour as in a mixture with white.
  const lightened = `oklch(from ${light} max(l,0.75) calc(c*min(1,0.25/(1 - l))) h)`;
  const accent = `light-dark(${darkened(primary, 0.48)},${lightened})`;
  return [
    primary && `:root{--accent:${accent};${buttonColours(dark ?? primary)}}\n`,
    fontRule("body,button,input", fonts?.body?.family ?? fonts?.family),
    fontRule("h1,h2,h3,h4,h5,h6", fonts?.heading?.family),
    ...[...iconClasses].map(([name, className]) => `.${className}{--icon:url("${iconAddress(name)}")}\n`),
  ].join("");
}

/** Button colours with sufficient contrast: dark text on a bright colour, or white text on a darkened one. */
function buttonColours(colour: string): string {
  const digits = colour.length === 4 ? colour.replace(/[\da-f]/gi, "$&$&") : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (start) => (Number.parseInt(digits.slice(start, start + 2), 16) / 255) ** 2.2,
  );
  const isBright = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.3;
  return isBright ? `--button:${colour};--button-words:#111` : `--button:${darkened(colour, 0.54)}`;
}

/** Limits the lightness (0 to 1) of a colour from above. The chroma is scaled down, as colours out of gamut are shown lighter. */
function darkened(colour: string | undefined, lightness: number): string {
  return `oklch(from ${colour} min(l,${lightness}) calc(c*min(1,${lightness}/l)) h)`;
}

/** An icon as a data URL. */
function iconAddress(name: string): string {
  const style = {
    stroke: "#000",
    strokeWidth: 1.8,
    strokeLinecap: "round",
    strokeLinejoin: "round",
    fill: "none",
  };
  const frame = { xmlns: "http://www.w3.org/2000/svg", viewBox: "0 0 24 24", ...style };
  const drawing = toMarkup([h("svg", frame, iconElement(name)?.children ?? [])]);
  return `data:image/svg+xml,${drawing.replaceAll('"', "'").replaceAll(/[#<>%]/g, encodeURIComponent)}`;
}
