/** The unpacked bundles of a deployment: each in a folder named after its digest, one of them active. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ArchiveLimits } from "../../bundle/archive/archive-limits.ts";
import { extractArchive } from "../../bundle/extract-archive.ts";
import { writeFileAtomically } from "../storage/write-file-atomically.ts";

/** A bundle that is unpacked and can be served. */
export interface BundleVersion {
  /** SHA-256 of the archive, in hexadecimal. */
  readonly sha256: string;
  /** Folder whose `index.html` is the site's first page. */
  readonly folder: string;
}

export interface VersionStore {
  /** The version that was active last, also before a restart. */
  readonly active: BundleVersion | undefined;
  /**
   * Verifies and unpacks an archive and makes it the active version; the version before it is kept until the next one,
   * for the requests that are still being answered.
   *
   * @throws {BundleError} when the archive is not whole or not safe; the active version stays what it was.
   */
  activate(archive: string, signal: AbortSignal): Promise<BundleVersion>;
}

const ActiveRecord = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export async function openVersionStore(
  dataDir: string,
  limits: Partial<ArchiveLimits> = {},
): Promise<VersionStore> {
  const versionsDir = join(dataDir, "versions");
  const record = join(dataDir, "active.json");
  await mkdir(versionsDir, { recursive: true });
  let active = await readActive(record, versionsDir);

  return {
    get active() {
      return active;
    },
    async activate(archive, signal) {
      const sha256 = await digestOf(archive, signal);
      const folder = join(versionsDir, sha256);
      if (!(await isFolder(folder)))
        await extractArchive({ path: archive, destination: folder, limits }, { signal });
      await writeFileAtomically(record, JSON.stringify({ sha256 }));
      const previous = active;
      active = { sha256, folder: await siteFolder(folder) };
      await removeOthers(versionsDir, [sha256, previous?.sha256]);
      return active;
    },
  };
}

async function readActive(record: string, versionsDir: string): Promise<BundleVersion | undefined> {
  const text = await readFile(record, "utf8").catch(ignoreMissing);
  if (text === undefined) return undefined;
  const { data } = ActiveRecord.safeParse(JSON.parse(text));
  if (data === undefined || !(await isFolder(join(versionsDir, data.sha256)))) return undefined;
  return { sha256: data.sha256, folder: await siteFolder(join(versionsDir, data.sha256)) };
}

/** Some platforms put the site into one folder inside the archive. */
async function siteFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  const isWrapped = entries.length === 1 && only !== undefined && only.isDirectory();
  return isWrapped ? join(folder, only.name) : folder;
}

async function removeOthers(versionsDir: string, kept: readonly (string | undefined)[]): Promise<void> {
  const names = await readdir(versionsDir);
  const unused = names.filter((name) => !kept.includes(name));
  await Promise.all(unused.map((name) => rm(join(versionsDir, name), { recursive: true, force: true })));
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk);
  return hash.digest("hex");
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreMissing))?.isDirectory() ?? false;
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
