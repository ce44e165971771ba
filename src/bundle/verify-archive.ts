import { open } from "node:fs/promises";
import { type ArchiveLimits, createArchiveBudget, defaultArchiveLimits } from "./archive/archive-limits.ts";
import { discardSink } from "./archive/archive-sink.ts";
import { type ByteSource, createFileSource } from "./archive/byte-source.ts";
import type { ArchiveFormat } from "./archive/detect-format.ts";
import { walkArchive } from "./archive/walk-archive.ts";
import { corrupt } from "./errors.ts";

/** What a verified archive holds. */
export interface ArchiveReport {
  readonly format: ArchiveFormat;
  /** Regular files. */
  readonly files: number;
  /** Files, folders and header blocks. */
  readonly entries: number;
  /** Bytes of everything unpacked (for a tar, its headers included). */
  readonly totalBytes: number;
}

/** Options of {@link verifyArchive}. */
export interface VerifyOptions {
  readonly path: string;
  readonly limits?: Partial<ArchiveLimits>;
}

/**
 * Reads an archive to its last byte without keeping any of it: structure, lengths and checksums, names, and limits.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large` or `unsafe-archive`
 */
export async function verifyArchive(
  { path, limits }: VerifyOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<ArchiveReport> {
  await using file = await open(path, "r");
  return await verifySource(createFileSource(file), { limits, signal });
}

/**
 * The same for bytes that may still be arriving.
 *
 * @throws {BundleError} as soon as the bytes so far cannot become a safe, whole archive
 */
export async function verifySource(
  source: ByteSource,
  { limits, signal }: { readonly limits?: Partial<ArchiveLimits> | undefined; readonly signal: AbortSignal },
): Promise<ArchiveReport> {
  const budget = createArchiveBudget({ ...defaultArchiveLimits, ...limits });
  const { format, files } = await walkArchive(source, { sink: discardSink, budget, signal });
  if (files === 0) throw corrupt("The archive holds no files.");
  return { format, files, entries: budget.entries, totalBytes: budget.totalBytes };
}
