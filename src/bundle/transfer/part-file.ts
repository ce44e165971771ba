import { type FileHandle, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BundleError, fromWriteError } from "../errors.ts";
import { isProcessAlive } from "../is-process-alive.ts";

/** The file a bundle grows in until it is whole; disposing of it removes it. */
export interface PartFile extends AsyncDisposable {
  readonly handle: FileHandle;
  /** Writes the chunks one after another from `position` on. */
  write(chunks: readonly Buffer[], position: number): Promise<void>;
  /** Forgets everything written. */
  clear(): Promise<void>;
  /** Gives the file its name, in the same folder. */
  publish(path: string): Promise<void>;
}

/**
 * Creates `<path>.<process>.part`, so that two runs in one folder never write to the same file; what a run that is dead by
 * now left behind is removed.
 */
export async function createPartFile(path: string): Promise<PartFile> {
  const partPath = `${path}.${process.pid}.part`;
  await removeLeftovers(path);
  const handle = await open(partPath, "wx+", 0o644);
  let isClosed = false;
  let isPublished = false;
  return {
    handle,
    async write(chunks, position) {
      try {
        await writeAll(handle, { chunks, position });
      } catch (error) {
        throw fromWriteError(error, partPath);
      }
    },
    async clear() {
      await handle.truncate(0);
    },
    async publish(finalPath) {
      // No fsync: a process that dies leaves no name behind, and against a power cut a runner keeps nothing anyway.
      await handle.close().catch((error: unknown) => {
        throw fromWriteError(error, partPath);
      });
      isClosed = true;
      await rename(partPath, finalPath);
      isPublished = true;
    },
    async [Symbol.asyncDispose]() {
      if (!isClosed) await handle.close();
      if (!isPublished) await rm(partPath, { force: true });
    },
  };
}

async function removeLeftovers(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const owner = name.startsWith(prefix) ? /^(\d+)\.part$/.exec(name.slice(prefix.length))?.[1] : undefined;
    const isLeftOver =
      owner !== undefined && (Number(owner) === process.pid || !isProcessAlive(Number(owner)));
    if (isLeftOver) await rm(join(dirname(path), name), { force: true });
  }
}

async function writeAll(
  handle: FileHandle,
  { chunks, position }: { readonly chunks: readonly Buffer[]; readonly position: number },
): Promise<void> {
  let rest = [...chunks];
  let offset = position;
  while (rest.length > 0) {
    const { bytesWritten } = await handle.writev(rest, offset);
    offset += bytesWritten;
    rest = dropBytes(rest, bytesWritten);
  }
}

function dropBytes(chunks: readonly Buffer[], count: number): Buffer[] {
  let remaining = count;
  return chunks.flatMap((chunk) => {
    const dropped = Math.min(remaining, chunk.length);
    remaining -= dropped;
    return dropped === chunk.length ? [] : [chunk.subarray(dropped)];
  });
}

/**
 * Checks that `bytes` more fit on the disk that holds `path`.
 *
 * @throws {BundleError} `disk-full`
 */
export async function requireDiskSpace(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new BundleError(
    "disk-full",
    `The bundle needs ${bytes} bytes, but the disk of ${path} has ${free} left.`,
  );
}
