import { constants, copyFile, open } from "node:fs/promises";
import { resolve } from "node:path";
import { messageOf } from "../base/text.ts";
import { DownloadAttempt, type DownloadOptions, type TransferStats } from "./download-attempt.ts";
import { corrupt, fromWriteError } from "./errors.ts";
import { preparePart } from "./prepare-part.ts";
import { type BundleLink, PresignedLinkCache } from "./presigned-link.ts";
import { StorageNetwork } from "./storage-connection.ts";
import { ObjectUnchanged } from "./storage-response.ts";
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

/**
 * Downloads a bundle from storage and verifies it while it arrives.
 *
 * Interrupted connections, stalls, temporary errors and expired links are handled. On failure or abort, no file is left. A cached bundle
 * is used instead if storage still has the same version, which one request checks, and if it passes all checks again. A downloaded
 * bundle is saved in the cache.
 *
 * @param getLink requests a fresh link from the platform; called again when the last link has expired, never concurrently
 * @throws {BundleError}, the errors of `getLink`, and the signal's reason when aborted
 */
export async function downloadBundle(
  getLink: () => Promise<BundleLink>,
  { cache, ...options }: DownloadOptions & { readonly cache?: BundleCache | undefined },
): Promise<DownloadedBundle> {
  const { clock, log, signal } = options;
  signal.throwIfAborted();
  const path = resolve(options.path);
  const links = new PresignedLinkCache(getLink, clock.now, log, options.linkPolicy);
  const network = new StorageNetwork(options.proxies, options.linkPolicy);
  const stats: TransferStats = { requests: 0, retries: 0, connections: 0 };
  const fail = (error: unknown) => {
    throw fromWriteError(error, path);
  };
  await using part = await preparePart(path).catch(fail);
  await using file = await open(part.path, "wx+", 0o644).catch(fail);
  const download = (cachedEtag?: string) => {
    const shared = { path, partPath: part.path, file, links, network, stats };
    const { connections = 8 } = options;
    return new DownloadAttempt({ ...options, ...shared, connections, cachedEtag }).run();
  };
  const obtain = async () => {
    const cached = await cache?.find();
    try {
      return { ...(await download(cached?.etag)), isCached: false };
    } catch (error) {
      if (!cached || !(error instanceof ObjectUnchanged)) throw error;
      const { sizeBytes } = await links.current();
      const copied = await copyCached(cached, part.path, sizeBytes, options);
      if (copied) return { ...copied, etag: undefined, isCached: true };
    }
    await file.truncate(0);
    return { ...(await download()), isCached: false };
  };
  try {
    const { etag, isCached, ...verified } = await obtain();
    const { sha256, format } = verified;
    const finalPath = options.withExtension ? `${path}.${format}` : path;
    // No fsync is needed: a killed process loses no written data, and after a power failure the runner's job is lost anyway.
    await file.close().catch(fail);
    await part.publish(finalPath);
    await cache?.save({ path: finalPath, sha256 }, etag);
    const transfer = { ...stats, links: links.issued };
    log.debug(`Downloaded: ${JSON.stringify(transfer)}.`);
    return { ...verified, path: finalPath, isCached, transfer };
  } catch (error) {
    signal.throwIfAborted();
    return fail(error);
  }
}

/**
 * Copies a cached bundle and verifies the copy, which other jobs of the runner cannot change, like a downloaded bundle. Returns
 * `undefined` if it is not the bundle that was cached.
 */
async function copyCached(
  cached: CachedBundle,
  path: string,
  sizeBytes: number | undefined,
  { maxBytes, signal, log }: DownloadOptions,
): Promise<VerifiedBundle | undefined> {
  try {
    await copyFile(cached.path, path, constants.COPYFILE_FICLONE);
    const { openSource, verifyBundle } = await import("./verify.ts");
    await using source = await openSource(path);
    const verified = await verifyBundle(source, { checksums: [], sizeBytes, maxBytes }, signal);
    if (verified.sha256 === cached.sha256 && verified.size <= maxBytes) return verified;
    throw corrupt("The file was changed.");
  } catch (error) {
    signal.throwIfAborted();
    log.info(`The cached bundle of this runner cannot be used: ${messageOf(error)} It is downloaded again.`);
    return undefined;
  }
}
