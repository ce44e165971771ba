/** Unpacks archives. The destination folder is replaced only after the whole archive has been verified. */
import { mkdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { ArchiveLimits } from "./archive.ts";
import { fromWriteError } from "./errors.ts";
import { preparePart } from "./prepare-part.ts";
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
  try {
    await using source = await openSource(archive);
    await using part = await preparePart(target);
    await mkdir(part.path, { mode: 0o755 });
    const report = await readArchive(source, limits, signal, part.path);
    await rm(target, { recursive: true, force: true });
    await part.publish();
    return report;
  } catch (error) {
    throw fromWriteError(error, target);
  }
}
