/** Packs a rendered site into a zip whose bytes depend on nothing but the site's. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { compareText } from "./content/docs-tree.ts";

/** Path of the manifest inside the bundle. */
export const manifestPath = "manifest.json";

/** The list of a bundle's files, for checking what was unpacked. */
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

/**
 * Packs `siteDir` into a zip at `path`, with a manifest of every file's digest. The same site gives the same bytes,
 * whenever and wherever it is packed.
 *
 * @throws the signal's reason when it is aborted; no file is left behind by a failure.
 */
export async function packBundle(
  { siteDir, path }: { readonly siteDir: string; readonly path: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<PackedBundle> {
  const manifest = await createManifest(siteDir, signal);
  const zip = new ZipFile();
  // yazl reports a file it cannot read on the archive, and leaves the stream waiting.
  zip.on("error", (error: Error) => (zip.outputStream as Readable).destroy(error));
  for (const entry of [...manifest.files.map((file) => file.path), manifestPath].sort(compareText)) {
    if (entry !== manifestPath) zip.addFile(join(siteDir, entry), entry, entryOptions);
    else zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), entry, entryOptions);
  }
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(path), { signal });
    return { path, ...(await digestOf(path, signal)), manifest };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw error;
  }
}

async function createManifest(siteDir: string, signal: AbortSignal): Promise<BundleManifest> {
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(siteDir, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => path !== manifestPath)
    .sort(compareText);
  const files: { path: string; bytes: number; sha256: string }[] = [];
  const tree = createHash("sha256");
  for (const path of paths) {
    const file = { path, ...(await digestOf(join(siteDir, path), signal)) };
    files.push(file);
    tree.update(`${file.sha256}  ${path}\n`);
  }
  return { formatVersion: 1, treeSha256: tree.digest("hex"), files };
}

async function digestOf(path: string, signal: AbortSignal): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
}
