/** Unpacks a bundle to the place of the one before it, which goes only when the new one is whole. */
import { randomUUID } from "node:crypto";
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveLimits } from "../bundle/archive.ts";
import { extractArchive } from "../bundle/extract-archive.ts";
import { isProcessAlive } from "../bundle/is-process-alive.ts";

export interface ReplaceSiteOptions {
  /** Path of the archive. */
  readonly archive: string;
  readonly outputDir: string;
  readonly limits: Partial<ArchiveLimits>;
}

/**
 * Unpacks beside the site and exchanges the two; what a killed run left of such folders is removed.
 *
 * @returns the site's folder and the bytes in it
 * @throws {BundleError} with the folder as it was
 */
export async function replaceSite(
  { archive, outputDir, limits }: ReplaceSiteOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly path: string; readonly bytes: number }> {
  await removeLeftovers(outputDir);
  const path = join(outputDir, "site");
  const fresh = join(outputDir, `.site-${process.pid}-${randomUUID()}`);
  try {
    const { totalBytes } = await extractArchive({ path: archive, destination: fresh, limits }, { signal });
    await rm(path, { recursive: true, force: true });
    await rename(fresh, path);
    return { path, bytes: totalBytes };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
/** A folder of {@link replaceSite}, or what extraction fills on the way to it, with the process that made it. */
const freshName = new RegExp(`^\\.site-(?<owner>\\d+)-${uuid}(?:\\.partial-${uuid})?$`);

async function removeLeftovers(outputDir: string): Promise<void> {
  for (const name of await readdir(outputDir)) {
    const owner = Number(freshName.exec(name)?.groups?.["owner"]);
    // A step unpacks once: a folder of this process's own number is that of an earlier process.
    const isLeftOver = Number.isInteger(owner) && (owner === process.pid || !isProcessAlive(owner));
    if (isLeftOver) await rm(join(outputDir, name), { recursive: true, force: true });
  }
}
