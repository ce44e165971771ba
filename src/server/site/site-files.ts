import { accentStyles } from "./accent-styles.ts";
import { searchScript, siteScript, siteStyles, themeScript } from "./client-assets.ts";
import type { SiteConfig } from "./site-config.ts";

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5bd7"/><path d="M9 9h14M9 14h14M9 19h9" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n`;

/** The site's own files, by their name in its assets folder; the search index is not among them. */
export function siteFiles({ colors }: SiteConfig): ReadonlyMap<string, string> {
  return new Map([
    ["favicon.svg", favicon],
    ["search.js", searchScript],
    ["site.css", siteStyles + accentStyles(colors)],
    ["site.js", siteScript],
    ["theme.js", themeScript],
  ]);
}
