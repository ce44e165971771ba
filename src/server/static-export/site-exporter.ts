import type { Log } from "../../base/runtime.ts";
import type { RenderedSite } from "../site/render-site.ts";
import type { SiteExporter } from "./build-bundle.ts";

/** Lines about one export in the log; the rest are counted. */
const maxRemarks = 50;

/**
 * The platform's own renderer, whose remarks go to the log. It is most of the platform's code, so it is loaded by the first
 * job that needs it.
 */
export function createSiteExporter({ log }: { log: Log }): SiteExporter {
  return {
    renderSite: async ({ docsDir, outDir, domain, version, paths }, deps) => {
      const { renderSite } = await import("../site/render-site.ts");
      const options = { docsDir, outDir, domain, ...(version && { version }), ...(paths && { paths }) };
      const site = await renderSite(options, deps);
      logRemarks(site, log);
      return site;
    },
    packBundle: async ({ siteDir, outFile }, deps) => {
      const { packBundle } = await import("../site/pack-bundle.ts");
      const { bytes, sha256 } = await packBundle({ siteDir, path: outFile }, deps);
      return { sizeBytes: bytes, sha256 };
    },
  };
}

function logRemarks({ warnings, brokenLinks, unknownComponents }: RenderedSite, log: Log): void {
  const remarks = [
    ...warnings.map(({ page, message }) => `${page}: ${message}`),
    ...brokenLinks.map(({ page, href, reason }) => `${page}: the link ${href} leads nowhere (${reason})`),
    ...Object.entries(unknownComponents).map(
      ([name, count]) =>
        `<${name}> is no known component; its content is shown without it: ${count === 1 ? "once" : `${count} times`}`,
    ),
  ];
  if (remarks.length === 0) return;
  for (const remark of remarks.slice(0, maxRemarks)) log.info(remark);
  const rest = remarks.length > maxRemarks ? `; the first ${maxRemarks} are in the log` : "";
  const count = remarks.length === 1 ? "1 remark" : `${remarks.length} remarks`;
  log.warning(`The documents were exported with ${count}${rest}.`);
}
