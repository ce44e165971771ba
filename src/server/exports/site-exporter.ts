import { exportReportPath, groupWarnings } from "../../base/export-report.ts";
import type { Log } from "../../base/runtime.ts";
import { formatCount } from "../../base/text.ts";
import type { RemoteMediaOptions } from "../site/remote-files.ts";
import type { RenderedSite } from "../site/render-site.ts";
import { countWarnings } from "../site/report.ts";

export interface SiteExport {
  readonly docsDir: string;
  readonly version?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  /** Path of the archive to create, in its own folder. */
  readonly archive: string;
}

export type SiteExporter = ReturnType<typeof createSiteExporter>;

/** Warnings of an export that are also logged. */
const maxLoggedWarnings = 10;

/**
 * Creates the exporter of sites. Its renderer is most of the platform's code, so it is loaded by the first export. The exporter throws
 * errors with messages for users; its `report` has the warnings as JSON.
 *
 * @param cacheDir Folder of the page cache; without it, nothing is cached.
 * @param remote How remote files are handled.
 */
export function createSiteExporter(log: Log, cacheDir?: string, remote: RemoteMediaOptions = {}) {
  return async (
    { docsDir, version, paths, archive }: SiteExport,
    signal: AbortSignal,
    onProgress: (progress: { readonly done: number; readonly total: number }) => void,
  ) => {
    const { renderSite } = await import("../site/render-site.ts");
    const { pruneCache } = await import("../site/page-cache.ts");
    const options = { ...remote, docsDir, archive, cacheDir, version, paths };
    const site = await renderSite(options, signal, onProgress);
    logWarnings(site, log);
    if (cacheDir !== undefined) await pruneCache(cacheDir);
    const { pageCount, sizeBytes, sha256, warnings } = site;
    const report = warnings.length > 0 && { report: { text: site.report, warningCount: warnings.length } };
    return { pageCount, sizeBytes, sha256, ...report };
  };
}

function logWarnings({ warnings }: RenderedSite, log: Log): void {
  if (warnings.length === 0) return;
  for (const { location, more, message } of groupWarnings(warnings).slice(0, maxLoggedWarnings))
    log.info(`${location}${more}: ${message}`);
  const kinds = Object.entries(countWarnings(warnings)).map(([kind, count]) => `${kind} ${count}`);
  const count = formatCount(warnings.length, "warning");
  log.warning(
    `The documents were exported with ${count} (${kinds.join(", ")}). The bundle's ${exportReportPath} lists all of them.`,
  );
}
