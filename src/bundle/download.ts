import { mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ArchiveFormat } from "./archive/detect-format.ts";
import type { DownloadDeps, DownloadOptions } from "./download-interface.ts";
import { FetchRound } from "./fetch-round.ts";
import { createLinkKeeper } from "./transfer/link-keeper.ts";
import { createPartFile } from "./transfer/part-file.ts";
import { retryDelay } from "./transfer/retry-delay.ts";
import type { TransferStats } from "./transfer/segment-worker.ts";
import { RestartNeeded } from "./transfer/transfer-failure.ts";
import type { ArchiveReport } from "./verify-archive.ts";

/** A bundle that is on disk, whole and verified. */
export interface DownloadedBundle {
  readonly path: string;
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly format: ArchiveFormat;
  readonly archive: ArchiveReport;
  readonly transfer: TransferStats & { readonly links: number };
}

const maxRestarts = 4;

/**
 * Fetches a bundle from storage and verifies it while it arrives.
 *
 * Survives cuts, stalls, errors that pass, links that expire, and a bundle that is replaced meanwhile. On failure or
 * abort no file is left.
 *
 * @throws {BundleError} and what `getLink` throws; the signal's reason when aborted
 */
export async function downloadBundle(
  options: DownloadOptions,
  deps: DownloadDeps,
): Promise<DownloadedBundle> {
  const { clock, log, signal, getLink, random = Math.random } = deps;
  signal.throwIfAborted();
  const { withExtension = false } = options;
  const path = resolve(options.path);
  await mkdir(dirname(path), { recursive: true });
  const links = createLinkKeeper({ getLink, now: clock.now, log });
  const stats: TransferStats = { requests: 0, retries: 0, restarts: 0, connections: 0 };
  await using file = await createPartFile(path);
  for (let ranged = true; ; ) {
    try {
      const { size, sha256, archive } = await new FetchRound(
        { ...options, path, ranged },
        { ...deps, random, links, file, stats },
      ).run();
      const { format } = archive;
      const finalPath = finalName(path, { format, withExtension });
      await file.publish(finalPath);
      return { path: finalPath, size, sha256, format, archive, transfer: { ...stats, links: links.issued } };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RestartNeeded)) throw error;
      if (stats.restarts >= maxRestarts) throw error.verdict;
      stats.restarts += 1;
      ranged &&= !error.withoutRanges;
      log.info(`${error.message} Starting again${ranged ? "" : " in one stream"}.`);
    }
    await file.clear();
    links.forget();
    await clock.sleep(retryDelay({ failures: stats.restarts, retryAfterMs: undefined }, random), signal);
  }
}

function finalName(
  path: string,
  { format, withExtension }: { readonly format: ArchiveFormat; readonly withExtension: boolean },
): string {
  return withExtension ? `${path}.${format}` : path;
}
