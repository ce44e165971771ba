import { constants, copyFile, open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { backoffMs } from "../base/retry.ts";
import { messageOf } from "../base/text.ts";
import {
  DownloadAttempt,
  type DownloadOptions,
  type TransferStats,
  transferBackoff,
} from "./download-attempt.ts";
import { corrupt, fromWriteError } from "./errors.ts";
import { preparePart } from "./prepare-part.ts";
import { type BundleLink, PresignedLinkCache } from "./presigned-link.ts";
import { StorageNetwork } from "./storage-connection.ts";
import { ObjectUnchanged, RestartNeeded } from "./storage-response.ts";
import type { VerifiedBundle } from "./verify.ts";

/** A bundle that is complete on disk and verified. */
export interface DownloadedBundle extends VerifiedBundle {
  readonly path: string;
  readonly isCached: boolean;
  readonly transfer: TransferStats & { readonly links: number };
}

/** A bundle that an earlier run verified and cached. The file may have been changed since. */
interface CachedBundle {
  readonly path: string;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly etag: string;
}

/** The cache of bundles between runs. Its methods must not throw: without a cached bundle, the bundle is downloaded. */
export interface BundleCache {
  find(): Promise<CachedBundle | undefined>;
  /** Does nothing without a strong entity tag. */
  save(bundle: Omit<CachedBundle, "etag">, etag: string | undefined): Promise<void>;
}

const maxRestarts = 4;

/**
 * Downloads a bundle from storage and verifies it while it arrives.
 *
 * Interrupted connections, stalls, temporary errors, expired links, and a bundle that is replaced during the download are handled. On
 * failure or abort, no file is left. A cached bundle is used instead if storage still has the same version, which one request checks,
 * and if it passes all checks again. A downloaded bundle is saved in the cache.
 *
 * @param getLink requests a fresh link from the platform; called again when the last link has expired, never concurrently
 * @throws {BundleError}, the errors of `getLink`, and the signal's reason when aborted
 */
export async function downloadBundle(
  getLink: () => Promise<BundleLink>,
  { cache, ...options }: DownloadOptions & { readonly cache?: BundleCache | undefined },
): Promise<DownloadedBundle> {
  const { clock, random, log, signal } = options;
  signal.throwIfAborted();
  const path = resolve(options.path);
  const links = new PresignedLinkCache(getLink, options);
  const network = new StorageNetwork(options.proxies, options.linkPolicy);
  const stats: TransferStats = { requests: 0, retries: 0, restarts: 0, connections: 0 };
  const fail = (error: unknown) => {
    throw fromWriteError(error, path);
  };
  await using part = await preparePart(path).catch(fail);
  await using file = await open(part.path, "wx+", 0o644).catch(fail);
  let cached = await cache?.find();
  let connections = options.connections ?? 8;
  for (;;) {
    const expected = cached;
    try {
      const shared = { path, partPath: part.path, file, connections, links, network, stats };
      const attempt = new DownloadAttempt({ ...options, ...shared, cachedEtag: expected?.etag });
      const { etag, ...verified } = await attempt.run().catch(async (error: unknown) => {
        if (!expected || !(error instanceof ObjectUnchanged)) throw error;
        cached = undefined;
        const { sizeBytes } = await links.current();
        return { ...(await copyCached(expected, part.path, sizeBytes, options)), etag: undefined };
      });
      // The copy above has used the cached bundle up.
      const isCached = cached !== expected;
      const { sha256, format } = verified;
      const extension = options.withExtension ? `.${format}` : "";
      const finalPath = join(dirname(path), basename(path, extension) + extension);
      // No fsync is needed: a killed process loses no written data, and after a power failure the runner's job is lost anyway.
      await file.close().catch(fail);
      await part.publish(finalPath);
      await cache?.save({ path: finalPath, sha256 }, etag);
      const transfer = { ...stats, links: links.issued };
      log.debug(`Downloaded: ${JSON.stringify(transfer)}.`);
      return { ...verified, path: finalPath, isCached, transfer };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RestartNeeded)) throw fromWriteError(error, path);
      if (stats.restarts >= maxRestarts) throw error.error;
      stats.restarts += 1;
      // Unless the cached bundle was unusable, parallel requests may be the reason.
      if (cached === expected) connections = 1;
      log.info(`${error.message} Starting again.`);
    }
    await file.truncate(0);
    links.forget();
    await clock.sleep(backoffMs(stats.restarts, random, transferBackoff), signal);
  }
}

/**
 * Copies a cached bundle and verifies the copy, which other jobs of the runner cannot change, like a downloaded bundle.
 *
 * @throws {RestartNeeded} if it is not the bundle that was cached
 */
async function copyCached(
  cached: CachedBundle,
  path: string,
  sizeBytes: number | undefined,
  { maxBytes, signal }: DownloadOptions,
): Promise<VerifiedBundle> {
  try {
    await copyFile(cached.path, path, constants.COPYFILE_FICLONE);
    const { openSource, verifyBundle } = await import("./verify.ts");
    await using source = await openSource(path);
    const verified = await verifyBundle(source, { checksums: [], sizeBytes, maxBytes }, signal);
    if (verified.sha256 === cached.sha256 && verified.size <= maxBytes) return verified;
    throw corrupt("The file was changed.");
  } catch (error) {
    const message = `The cached bundle of this runner cannot be used: ${messageOf(error)}`;
    throw new RestartNeeded(corrupt(message, error));
  }
}
