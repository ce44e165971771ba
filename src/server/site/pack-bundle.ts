/** Packs a rendered site into a zip whose bytes depend on nothing but the site's. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { compareText } from "./content/docs-tree.ts";

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
 * Packs `siteDir` into a zip at `path`. The same site gives the same bytes, whenever and wherever it is packed.
 *
 * @throws the signal's reason when it is aborted; no file is left behind by a failure.
 */
export async function packBundle(
  siteDir: string,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const entries = await readdir(siteDir, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const names = files.map((file) => relative(siteDir, file).replaceAll(sep, "/"));
  const zip = new ZipFile();
  // yazl reports a file it cannot read on the archive, and leaves the stream waiting.
  zip.on("error", (error: Error) => (zip.outputStream as Readable).destroy(error));
  for (const name of names.sort(compareText)) zip.addFile(join(siteDir, name), name, entryOptions);
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(path), { signal });
    const hash = createHash("sha256");
    await pipeline(createReadStream(path), hash, { signal });
    return { bytes: (await stat(path)).size, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw error;
  }
}
