import type { SiteExporter } from "./build-bundle.ts";

/** The platform's own renderer, loaded by the first job that needs it: it is most of the platform's code. */
export const siteExporter: SiteExporter = {
  renderSite: async (options, deps) => (await import("../site/render-site.ts")).renderSite(options, deps),
  packBundle: async (options, deps) => (await import("../site/pack-bundle.ts")).packBundle(options, deps),
};
