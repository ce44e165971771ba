/** What the tests of archives share: an archive on disk, and a folder around it in which nothing else may appear. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArchiveLimits } from "../../src/bundle/archive.ts";
import { extractArchive } from "../../src/bundle/extract.ts";
import type { ArchiveReport } from "../../src/bundle/verify.ts";
import { verifyArchive } from "../support/archives.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** An archive in a folder of its own. */
export interface ArchiveSetup extends AsyncDisposable {
  readonly site: string;
  verify(limits?: Partial<ArchiveLimits>): Promise<ArchiveReport>;
  extract(limits?: Partial<ArchiveLimits>): Promise<ArchiveReport>;
  /** Paths of everything in the folder but the archive, folders with a slash at the end. */
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
  // Two levels down: what climbs out of the site is still inside the folder that is looked at.
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

/** The code an attempt was refused with. */
export async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : `not expected: ${String(error)}`;
  }
  return "accepted";
}
