import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fromWriteError } from "./errors.ts";

/**
 * Prepares a file or folder that gets its name when it is complete, and creates the folder around it. Until it is published, its path is
 * `<path>.<process id>.part`, so that two runs do not write to the same one. An unpublished part is removed on disposal.
 */
export async function preparePart(path: string) {
  const part = `${path}.${process.pid}.part`;
  const remove = () => rm(part, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  // An earlier process that was killed may have had the same id.
  await remove();
  return {
    path: part,
    /** @throws {BundleError} `disk-full`, naming the final path. */
    async publish(finalPath = path): Promise<void> {
      await rename(part, finalPath).catch((error: unknown) => {
        throw fromWriteError(error, finalPath);
      });
    },
    [Symbol.asyncDispose]: remove,
  };
}
