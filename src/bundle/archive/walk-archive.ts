import type { ByteSource } from "./byte-source.ts";
import { type ArchiveFormat, detectFormat } from "./detect-format.ts";
import { createNameRegistry } from "./name-registry.ts";
import type { ArchiveContents, WalkDeps } from "./walk-interface.ts";
import { walkTarGz } from "./walk-tar-gz.ts";
import { walkZip } from "./walk-zip.ts";

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
