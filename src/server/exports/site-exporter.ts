import { exportReportPath } from "../../base/export-report.ts";
import type { Log } from "../../base/runtime.ts";
import type { RemoteOptions } from "../site/remote-files.ts";
import type { RenderedSite } from "../site/render-site.ts";
import { countWarnings } from "../site/report.ts";

/** What is exported, and where its files go. */
export interface SiteExport {
  readonly docsDir: string;
  readonly domain: string;
  readonly version?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  /** Path of the archive, in a folder of its own. */
  readonly archive: string;
}

/** Renders documents into an archive. @throws {Error} whose message tells a user why the export failed. */
export type SiteExporter = (
  site: SiteExport,
  signal: AbortSignal,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void,
) => Promise<{
  readonly pageCount: number;
  /** What the site does not show as it was meant, as JSON; `undefined` where nothing is to be told. */
  readonly report?: { readonly text: string; readonly warningCount: number } | undefined;
  readonly sizeBytes: number;
  readonly sha256: string;
}>;

/** Warnings about one export that the log has too. */
const maxWarnings = 10;

/**
 * The platform's own renderer, most of the platform's code: the first job that needs it loads it.
 *
 * @param cacheDir where prepared pages are kept for the next export; nowhere unless given
 * @param remote what becomes of files from elsewhere
 */
export function createSiteExporter(log: Log, cacheDir?: string, remote: RemoteOptions = {}): SiteExporter {
  return async ({ docsDir, version, paths, archive }, signal, onProgress) => {
    const { renderSite } = await import("../site/render-site.ts");
    const { pruneCache } = await import("../site/page-cache.ts");
    const options = { ...remote, docsDir, archive, cacheDir, version, paths };
    const site = await renderSite(options, signal, onProgress);
    logWarnings(site, log);
    if (cacheDir !== undefined) await pruneCache(cacheDir);
    const { pageCount, sizeBytes, sha256, warnings } = site;
    const report = warnings.length > 0 ? { text: site.report, warningCount: warnings.length } : undefined;
    return { pageCount, report, sizeBytes, sha256 };
  };
}

function logWarnings({ warnings }: RenderedSite, log: Log): void {
  if (warnings.length === 0) return;
  for (const { page, line, message } of warnings.slice(0, maxWarnings))
    log.info(`${page}${line === undefined ? "" : `:${line}`}: ${message}`);
  const kinds = Object.entries(countWarnings(warnings)).map(([kind, count]) => `${kind} ${count}`);
  const count = warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`;
  log.warning(
    `The documents were exported with ${count} (${kinds.join(", ")}). The bundle's ${exportReportPath} has them all.`,
  );
}
