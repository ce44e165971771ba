/** Unpacks archives into folders that appear only when everything in them has been checked. */
import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { ArchiveLimits } from "./archive.ts";
import { removeStaleFiles } from "./stale-files.ts";
import { type ArchiveReport, openSource, readArchive } from "./verify.ts";

/**
 * Unpacks and verifies an archive in one pass, beside the destination. What is there is replaced when all of it has been
 * checked; on failure or abort nothing is changed, and nothing is left.
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

/** What extraction fills on the way to the site; it bears the number of its process. */
const partialName = /^\.site-(?<owner>\d+)-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Puts the site of a bundle in the place of the one before it. What a killed run left behind is removed.
 *
 * @returns the site's folder and the bytes in it
 * @throws {BundleError} with the folder as it was
 */
export async function replaceSite(
  archive: string,
  outputDir: string,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
): Promise<{ readonly path: string; readonly bytes: number }> {
  await removeStaleFiles(outputDir, partialName);
  const path = join(outputDir, "site");
  const { totalBytes } = await extractArchive(archive, path, limits, signal);
  return { path, bytes: totalBytes };
}
