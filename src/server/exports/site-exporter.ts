import type { Log } from "../../base/runtime.ts";
import type { RenderedSite } from "../site/render-site.ts";

/** What is exported, and where its files go. */
export interface SiteExport {
  readonly docsDir: string;
  readonly domain: string;
  readonly version?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  /** An empty folder for the site's files. */
  readonly siteDir: string;
  /** Path of the archive. */
  readonly archive: string;
}

/** Renders documents and packs them into an archive. @throws {Error} whose message tells a user why the export failed. */
export type SiteExporter = (
  site: SiteExport,
  signal: AbortSignal,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void,
) => Promise<{ readonly pageCount: number; readonly sizeBytes: number; readonly sha256: string }>;

/** Warnings about one export in the log; the rest are counted. */
const maxWarnings = 50;

/** The platform's own renderer, most of the platform's code: the first job that needs it loads it. */
export function createSiteExporter(log: Log): SiteExporter {
  return async ({ docsDir, version, paths, siteDir, archive }, signal, onProgress) => {
    const { renderSite } = await import("../site/render-site.ts");
    const { packBundle } = await import("../site/pack-bundle.ts");
    const options = {
      docsDir,
      outDir: siteDir,
      ...(version && { version }),
      ...(paths && { paths }),
    };
    const site = await renderSite(options, signal, onProgress);
    logWarnings(site, log);
    signal.throwIfAborted();
    const { bytes, sha256 } = await packBundle(siteDir, archive, signal);
    return { pageCount: site.pageCount, sizeBytes: bytes, sha256 };
  };
}

function logWarnings({ warnings, brokenLinks, unknownComponents }: RenderedSite, log: Log): void {
  const lines = [
    ...warnings.map(({ page, message }) => `${page}: ${message}`),
    ...brokenLinks.map(({ page, href, reason }) => `${page}: the link ${href} leads nowhere (${reason})`),
    ...Object.entries(unknownComponents).map(([name, count]) => {
      const times = count === 1 ? "once" : `${count} times`;
      return `<${name}> is no known component; its content is shown without it: ${times}`;
    }),
  ];
  if (lines.length === 0) return;
  for (const line of lines.slice(0, maxWarnings)) log.info(line);
  const rest = lines.length > maxWarnings ? `; the first ${maxWarnings} are in the log` : "";
  const count = lines.length === 1 ? "1 warning" : `${lines.length} warnings`;
  log.warning(`The documents were exported with ${count}${rest}.`);
}
