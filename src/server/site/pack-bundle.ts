/** Packs a rendered site into a zip whose bytes depend on nothing but the site's. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { compareText } from "./content/docs-tree.ts";

/** Path of the manifest inside the bundle. */
export const manifestPath = "manifest.json";

/** The list of a bundle's files, for those who want to check what they unpacked. */
interface BundleManifest {
  readonly formatVersion: 1;
  /** SHA-256 over one line `<sha256>  <path>` for every file, sorted by path. */
  readonly treeSha256: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

/** A bundle on disk. */
export interface PackedBundle {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly manifest: BundleManifest;
}

interface PackDeps {
  readonly signal: AbortSignal;
}

/**
 * Zip keeps the time of day without a zone, and yazl takes it from the local clock's view of a date: a date made from
 * local parts gives the same bytes in every zone.
 */
const entryOptions = {
  mtime: new Date(1980, 0, 1),
  mode: 0o100644,
  forceDosTimestamp: true,
  compress: true,
} as const;

async function listFiles(siteDir: string): Promise<string[]> {
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(siteDir.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((path) => path !== manifestPath)
    .sort(compareText);
}

async function hashFile(path: string, { signal }: PackDeps): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path, { signal })) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function createManifest(siteDir: string, deps: PackDeps): Promise<BundleManifest> {
  const files: { path: string; bytes: number; sha256: string }[] = [];
  for (const path of await listFiles(siteDir))
    files.push({ path, ...(await hashFile(join(siteDir, path), deps)) });
  const tree = createHash("sha256");
  for (const { path, sha256 } of files) tree.update(`${sha256}  ${path}\n`);
  return { formatVersion: 1, treeSha256: tree.digest("hex"), files };
}

/** Adds the site's files in the manifest's order, with the manifest at its sorted place. */
function addEntries(zip: ZipFile, siteDir: string, manifest: BundleManifest): void {
  const paths = [...manifest.files.map(({ path }) => path), manifestPath].sort(compareText);
  for (const path of paths) {
    if (path === manifestPath)
      zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), path, entryOptions);
    else zip.addFile(join(siteDir, path), path, entryOptions);
  }
  zip.end();
}

/**
 * Packs `siteDir` into a zip at `path`, with a manifest of every file's digest. The same site gives the same bytes,
 * whenever and wherever it is packed. The file appears under its name only when it is complete.
 *
 * @throws the signal's reason when it is aborted; nothing is left behind.
 */
export async function packBundle(
  { siteDir, path }: { readonly siteDir: string; readonly path: string },
  deps: PackDeps,
): Promise<PackedBundle> {
  const root = join(siteDir, ".");
  const manifest = await createManifest(root, deps);
  const partPath = `${path}.part`;
  const zip = new ZipFile();
  // yazl reports a file it cannot read on the archive, and leaves the stream waiting.
  zip.on("error", (error: Error) => (zip.outputStream as Readable).destroy(error));
  addEntries(zip, root, manifest);
  try {
    await pipeline(zip.outputStream, createWriteStream(partPath), { signal: deps.signal });
    const { sha256 } = await hashFile(partPath, deps);
    const { size } = await stat(partPath);
    await rename(partPath, path);
    return { path, bytes: size, sha256, manifest };
  } catch (error) {
    await rm(partPath, { force: true });
    deps.signal.throwIfAborted();
    throw error;
  }
}
