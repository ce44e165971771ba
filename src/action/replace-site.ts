/** Unpacks a bundle to the place of the one before it, which goes only when the new one is whole. */
import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveLimits } from "../bundle/archive/archive-limits.ts";
import { extractArchive } from "../bundle/extract-archive.ts";

export interface ReplaceSiteOptions {
  /** Path of the archive. */
  readonly archive: string;
  readonly outputDir: string;
  readonly limits: Partial<ArchiveLimits>;
}

/**
 * @returns the site's folder and the bytes in it
 * @throws {BundleError} with the folder as it was
 */
export async function replaceSite(
  { archive, outputDir, limits }: ReplaceSiteOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly path: string; readonly bytes: number }> {
  const path = join(outputDir, "site");
  const fresh = join(outputDir, `.site-${randomUUID()}`);
  try {
    const { totalBytes } = await extractArchive({ path: archive, destination: fresh, limits }, { signal });
    await rm(path, { recursive: true, force: true });
    await rename(fresh, path);
    return { path, bytes: totalBytes };
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
