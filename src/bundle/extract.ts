/** Unpacks archives into folders that appear only when everything in them has been checked. */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../base/text.ts";
import type { ArchiveLimits } from "./archive.ts";
import { BundleError } from "./errors.ts";
import { removeStale } from "./stale-files.ts";
import { type ArchiveReport, openSource, readArchive } from "./verify.ts";

/**
 * Unpacks and verifies an archive in one pass, into a folder that does not exist or is empty, or that is to be replaced. The
 * folder appears when all of it has been checked; on failure or abort nothing of it is left.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large`, `unsafe-archive`, `disk-full`, or `invalid-input` for a
 *   destination in use
 */
export async function extractArchive(
  archive: string,
  destination: string,
  limits: Partial<ArchiveLimits>,
  signal: AbortSignal,
  isReplaced = false,
): Promise<ArchiveReport> {
  const target = resolve(destination);
  await using source = await openSource(archive);
  if (!isReplaced) await requireFree(target);
  const partial = join(dirname(target), `.${basename(target)}-${process.pid}-${randomUUID()}`);
  await mkdir(partial, { mode: 0o755, recursive: true });
  try {
    const report = await readArchive(source, limits, signal, partial);
    await (isReplaced ? rm(target, { recursive: true, force: true }) : rmdir(target).catch(ignoreMissing));
    await rename(partial, target);
    return report;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
/** What extraction fills on the way to the site; it bears the number of its process. Earlier versions had a second one. */
const partialName = new RegExp(`^\\.site-(?<owner>\\d+)-${uuid}(?:\\.partial-${uuid})?$`);

/**
 * Unpacks a bundle beside the site before it, and exchanges the two only when the new one is whole. What a killed run
 * left behind is removed.
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
  await removeStale(outputDir, partialName);
  const path = join(outputDir, "site");
  const { totalBytes } = await extractArchive(archive, path, limits, signal, true);
  return { path, bytes: totalBytes };
}

async function requireFree(target: string): Promise<void> {
  const names = await readdir(target).catch((error: unknown) => {
    if (codeOf(error) === "ENOTDIR") return [target];
    ignoreMissing(error);
    return [];
  });
  if (names.length === 0) return;
  throw new BundleError("invalid-input", `${target} is in use; the archive is not unpacked over it.`, {
    hint: "Choose another folder or remove this one.",
  });
}

function ignoreMissing(error: unknown): void {
  if (codeOf(error) !== "ENOENT") throw error;
}
