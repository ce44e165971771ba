import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type RetryOptions, retry } from "../base/retry.ts";
import { codeOf } from "../base/text.ts";
import { fromWriteError } from "./errors.ts";

/**
 * Prepares a file or folder that gets its name when it is complete: creates the folder around it, and removes the parts that ended
 * processes left behind. Until it is published, its path is `<path>.<process id>.part`, so that two runs do not write to the same one. An
 * unpublished part is removed on disposal.
 */
export async function preparePart(path: string) {
  const folder = dirname(path);
  const pattern = new RegExp(`^${RegExp.escape(basename(path))}\\.(\\d+)\\.part$`);
  const part = `${path}.${process.pid}.part`;
  const remove = (file: string) => rm(file, { recursive: true, force: true, maxRetries: 10 });
  await mkdir(folder, { recursive: true });
  // An earlier process may have had the same id.
  await remove(part);
  for (const name of await readdir(folder)) {
    const owner = Number(pattern.exec(name)?.[1]);
    if (Number.isInteger(owner) && !isProcessAlive(owner)) await remove(join(folder, name));
  }
  return {
    path: part,
    /** @throws {BundleError} `disk-full`, naming the final path. */
    async publish(finalPath = path): Promise<void> {
      await retry(() => rename(part, finalPath), whileInUse).catch((error: unknown) => {
        throw fromWriteError(error, finalPath);
      });
    },
    [Symbol.asyncDispose]: () => remove(part),
  };
}

/** On Windows, a file that another program reads, such as a virus scanner, and its folder cannot be renamed. */
const whileInUse: RetryOptions = {
  attempts: process.platform === "win32" ? 10 : 1,
  backoff: { baseMs: 50, maxMs: 2_000 },
  retryAfterMs: (error) => (["EACCES", "EBUSY", "EPERM"].includes(codeOf(error) ?? "") ? 0 : undefined),
  signal: AbortSignal.any([]),
};

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    return codeOf(error) === "EPERM";
  }
}
