/** Shared by the tests of archives: an archive on disk, in a folder in which no other file may appear. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveLimits } from "../../src/bundle/archive.ts";
import { type ArchiveReport, extractArchive } from "../../src/bundle/verify.ts";
import { verifyArchive } from "../support/archives.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** An archive in its own folder. */
export interface ArchiveSetup extends AsyncDisposable {
  readonly site: string;
  verify(limits?: Partial<ArchiveLimits>): Promise<ArchiveReport>;
  extract(limits?: Partial<ArchiveLimits>): Promise<ArchiveReport>;
  /** Paths of everything in the folder except the archive; paths of folders end with a slash. */
  paths(): Promise<string[]>;
  read(path: string): Promise<string>;
}

/** Writes an archive to disk. */
export async function setUpArchive(
  bytes: Buffer,
  signal = new AbortController().signal,
): Promise<ArchiveSetup> {
  const folder = await createTemporaryFolder();
  const path = join(folder.path, "archive");
  // Two levels down, so that a file outside the site is still inside the checked folder.
  const site = join(folder.path, "work", "site");
  await mkdir(join(folder.path, "work"));
  await writeFile(path, bytes);
  return {
    site,
    verify: (limits = {}) => verifyArchive(path, limits, signal),
    extract: (limits = {}) => extractArchive(path, site, limits, signal),
    async paths() {
      const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
      return entries
        .map(
          (entry) =>
            join(entry.parentPath, entry.name).slice(folder.path.length + 1) +
            (entry.isDirectory() ? "/" : ""),
        )
        .filter((name) => name !== "archive" && name !== "work/")
        .sort();
    },
    read: (name) => readFile(join(site, name), "utf8"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The error code of a failed attempt. */
export async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : `not expected: ${String(error)}`;
  }
  return "accepted";
}
