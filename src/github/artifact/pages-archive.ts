import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import type { SiteFile } from "./artifact-rules.ts";

/**
 * Writes the archive that `actions/deploy-pages` expects: an uncompressed tar of regular files that everyone may read, in
 * the order given and without times, so that the same site makes the same bytes. Returns its length in bytes.
 */
export async function writePagesArchive(
  { files, archive }: { readonly files: readonly SiteFile[]; readonly archive: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<number> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(archive, { flags: "wx" }), { signal });
  const filled = addFiles(files, { tar, signal });
  // A failure of either side ends the other.
  filled.catch((error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))));
  await Promise.all([written, filled]);
  return (await stat(archive)).size;
}

async function addFiles(
  files: readonly SiteFile[],
  { tar, signal }: { readonly tar: ReturnType<typeof pack>; readonly signal: AbortSignal },
): Promise<void> {
  for (const { file, path } of files) {
    const { size } = await stat(file);
    const entry = tar.entry({ name: path, size, mode: 0o644, mtime: new Date(0) });
    await pipeline(createReadStream(file), entry, { signal });
  }
  tar.finalize();
}
