/** Programs and data that tests need and that are no dependencies: made once, in a cache beside the dependencies. */
import { access, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const cache = fileURLToPath(new URL("../../node_modules/.cache/engines/", import.meta.url));

/**
 * Path of an entry of the cache.
 *
 * @param make Makes it where it is not there, whole or not at all: works in `work`, and moves what stays to `target`, which is
 *   in the same file system.
 */
export async function makeOnce(
  name: string,
  make: (work: string, target: string) => Promise<void>,
): Promise<string> {
  const target = join(cache, name);
  const isMade = () =>
    access(target).then(
      () => true,
      () => false,
    );
  if (await isMade()) return target;
  await mkdir(cache, { recursive: true });
  const work = join(cache, `${name}.${process.pid}`);
  try {
    await make(work, target);
  } catch (error) {
    // A test file that runs beside this one may have made it meanwhile.
    if (!(await isMade())) throw error;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return target;
}
