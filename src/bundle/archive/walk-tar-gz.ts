import { createGunzip } from "node:zlib";
import { corrupt } from "../errors.ts";
import { type ByteSource, streamRange } from "./byte-source.ts";
import { inflate } from "./inflate.ts";
import { TarReader } from "./tar-reader.ts";
import type { ArchiveContents, WalkDeps } from "./walk-interface.ts";

/**
 * Reads a gzip-compressed tar to its very last byte. zlib checks length and CRC of every gzip member.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
export async function walkTarGz(
  source: ByteSource,
  { sink, budget, names, signal }: WalkDeps,
): Promise<ArchiveContents> {
  const size = await source.size();
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  const tar = new TarReader({ sink, budget, names });
  try {
    await inflate(gunzip, streamRange(source, { start: 0, end: size }), {
      signal,
      onOutput(chunk) {
        budget.addOutput(chunk.length, gunzip.bytesWritten);
        tar.write(chunk);
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    throw translate(error);
  }
  tar.end();
  await requireZeros(source, gunzip.bytesWritten, size);
  return { files: tar.files };
}

function translate(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return corrupt("The gzip stream is cut: it ends in the middle.", error);
  if (code.startsWith("Z_")) return corrupt(`The gzip stream is damaged (${code}).`, error);
  return error;
}

/** gzip ends at zeros that pad it; anything else behind them would go unseen. */
async function requireZeros(source: ByteSource, start: number, end: number): Promise<void> {
  for await (const chunk of streamRange(source, { start, end })) {
    if (chunk.some((byte) => byte !== 0)) throw corrupt("The gzip stream has data after its end.");
  }
}
