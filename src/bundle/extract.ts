/** Unpacks archives. The destination folder is replaced only after the whole archive has been verified. */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { ArchiveLimits } from "./archive.ts";
import { fromWriteError } from "./errors.ts";
import { removeStaleFiles } from "./stale-files.ts";
import { type ArchiveReport, openSource, readArchive } from "./verify.ts";

/**
 * Unpacks and verifies an archive in one pass into a temporary folder beside the destination, which then replaces the destination. On
 * failure or abort, the destination stays unchanged and the temporary folder is removed.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large`, `unsafe-archive`, `disk-full`
 */
export async function extractArchive(
  archive: string,
  destination: string,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
): Promise<ArchiveReport> {
  const target = resolve(destination);
  await using source = await openSource(archive);
  const partial = join(dirname(target), `.${basename(target)}-${process.pid}-${randomUUID()}`);
  await mkdir(partial, { mode: 0o755, recursive: true });
  try {
    const report = await readArchive(source, limits, signal, partial);
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
    return report;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

const partialName = /^\.site-(?<owner>\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Replaces the folder `site` with the site in a bundle, and removes the temporary folders of killed runs.
 *
 * @returns the site's folder and the number of bytes in it
 * @throws {BundleError} and leaves the folder unchanged
 */
export async function replaceSite(
  archive: string,
  outputDir: string,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = join(outputDir, "site");
  try {
    await removeStaleFiles(outputDir, partialName);
    const { totalBytes } = await extractArchive(archive, path, limits, signal);
    return { path, bytes: totalBytes };
  } catch (error) {
    throw fromWriteError(error, path);
  }
}
