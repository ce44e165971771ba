import type { ArchiveBudget } from "./archive-limits.ts";
import type { ArchiveSink } from "./archive-sink.ts";
import type { ByteSource } from "./byte-source.ts";
import { type ArchiveFormat, detectFormat } from "./detect-format.ts";
import { createNameRegistry, type NameRegistry } from "./name-registry.ts";
import { walkTarGz } from "./walk-tar-gz.ts";
import { walkZip } from "./walk-zip.ts";

/** What reading one archive needs besides its bytes. */
export interface WalkDeps {
  readonly sink: ArchiveSink;
  readonly budget: ArchiveBudget;
  readonly names: NameRegistry;
  readonly signal: AbortSignal;
}

/** What an archive turned out to hold. */
export interface ArchiveContents {
  readonly files: number;
}

/**
 * Reads an archive of any supported kind once, checks everything that can be checked, and hands its entries to the
 * sink.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`; the sink may have seen entries by then
 */
export async function walkArchive(
  source: ByteSource,
  deps: Omit<WalkDeps, "names">,
): Promise<ArchiveContents & { readonly format: ArchiveFormat }> {
  deps.signal.throwIfAborted();
  const format = await detectFormat(source);
  const walk = format === "zip" ? walkZip : walkTarGz;
  const contents = await walk(source, { ...deps, names: createNameRegistry() });
  deps.signal.throwIfAborted();
  return { format, ...contents };
}
