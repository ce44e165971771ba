import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ArchiveLimits, createArchiveBudget, defaultArchiveLimits } from "./archive/archive-limits.ts";
import { createFileSource } from "./archive/byte-source.ts";
import { createFolderSink } from "./archive/folder-sink.ts";
import { walkArchive } from "./archive/walk-archive.ts";
import { BundleError, corrupt } from "./errors.ts";
import type { ArchiveReport } from "./verify-archive.ts";

/** Options of {@link extractArchive}. */
export interface ExtractOptions {
  readonly path: string;
  /** A folder that does not exist, or is empty. */
  readonly destination: string;
  readonly limits?: Partial<ArchiveLimits>;
}

/**
 * Unpacks and verifies an archive in one pass. The destination appears when all of it has been checked; on failure or
 * abort nothing of it is left.
 *
 * @throws {BundleError} `bundle-corrupt`, `bundle-too-large`, `unsafe-archive`, `disk-full`, or `invalid-input` for a
 *   destination in use
 */
export async function extractArchive(
  { path, destination, limits }: ExtractOptions,
  { signal }: { readonly signal: AbortSignal },
): Promise<ArchiveReport> {
  const target = resolve(destination);
  await using file = await open(path, "r");
  await requireFree(target);
  await mkdir(dirname(target), { recursive: true });
  const partial = `${target}.partial-${randomUUID()}`;
  await mkdir(partial, { mode: 0o755 });
  try {
    const report = await extractInto(partial, { source: createFileSource(file), limits, signal });
    await rmdir(target).catch(ignoreMissing);
    await rename(partial, target);
    return report;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

interface ExtractionInput {
  readonly source: ReturnType<typeof createFileSource>;
  readonly limits: Partial<ArchiveLimits> | undefined;
  readonly signal: AbortSignal;
}

async function extractInto(
  folder: string,
  { source, limits, signal }: ExtractionInput,
): Promise<ArchiveReport> {
  const budget = createArchiveBudget({ ...defaultArchiveLimits, ...limits });
  const sink = createFolderSink(folder);
  try {
    const { format, files } = await walkArchive(source, { sink, budget, signal });
    if (files === 0) throw corrupt("The archive holds no files.");
    return { format, files, entries: budget.entries, totalBytes: budget.totalBytes };
  } finally {
    sink.close();
  }
}

async function requireFree(target: string): Promise<void> {
  const names = await readdir(target).catch((error: unknown) => {
    if (hasCode(error, "ENOTDIR")) return [target];
    ignoreMissing(error);
    return [];
  });
  if (names.length > 0) {
    throw new BundleError("invalid-input", `${target} is in use; the archive is not unpacked over it.`, {
      hint: "Choose another folder or remove this one.",
    });
  }
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, "ENOENT")) throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
