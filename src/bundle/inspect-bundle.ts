import type { ArchiveLimits } from "./archive/archive-limits.ts";
import type { ByteSource } from "./archive/byte-source.ts";
import { corrupt } from "./errors.ts";
import { type Checksum, createDigester } from "./transfer/checksums.ts";
import { type ArchiveReport, verifySource } from "./verify-archive.ts";

/** What is known of a bundle that has been read to its end. */
export interface Inspection {
  readonly sha256: string;
  readonly size: number;
  readonly archive: ArchiveReport;
}

/** What a bundle is checked against. */
export interface InspectOptions {
  /** Checksums that storage states. */
  readonly checksums: readonly Checksum[];
  readonly limits: Partial<ArchiveLimits>;
  /** Length that the platform promised. */
  readonly sizeBytes: number | undefined;
}

/**
 * Checks a bundle while it arrives: its checksums and its structure, side by side.
 *
 * @throws {BundleError} as soon as something is wrong
 */
export async function inspectBundle(
  source: ByteSource,
  { checksums, limits, sizeBytes }: InspectOptions,
  signal: AbortSignal,
): Promise<Inspection> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  try {
    const [digest, archive] = await Promise.all([
      digestSource(source, checksums, either),
      verifySource(source, { limits, signal: either }),
    ]);
    if (sizeBytes !== undefined && sizeBytes !== digest.size) {
      throw corrupt(`The bundle has ${digest.size} bytes; the platform promised ${sizeBytes}.`);
    }
    return { ...digest, archive };
  } finally {
    stop.abort(new Error("The inspection has ended."));
  }
}

const chunkBytes = 512 * 1024;

async function digestSource(
  source: ByteSource,
  checksums: readonly Checksum[],
  signal: AbortSignal,
): Promise<{ sha256: string; size: number }> {
  const digester = createDigester(checksums.map(({ algorithm }) => algorithm));
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  let size = 0;
  for (;;) {
    signal.throwIfAborted();
    const bytesRead = await source.read(buffer, size);
    if (bytesRead === 0) break;
    digester.update(buffer.subarray(0, bytesRead));
    size += bytesRead;
  }
  const digests = digester.digest();
  for (const { algorithm, base64, field } of checksums) {
    const actual = digests.get(algorithm)?.toString("base64");
    if (actual !== base64) {
      throw corrupt(`The bundle's ${algorithm} is ${actual}, but storage stated ${base64} (${field}).`);
    }
  }
  return { sha256: digests.get("sha256")?.toString("hex") ?? "", size };
}
