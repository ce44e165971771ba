import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../base/text.ts";

/**
 * Prepares a file or folder that gets its name when it is complete: creates the folder around it, and removes the parts that ended
 * processes left behind.
 *
 * @returns the path of the part, `<path>.<process id>.part`: two runs do not write to the same one
 */
export async function preparePart(path: string): Promise<string> {
  const folder = dirname(path);
  const pattern = new RegExp(`^${RegExp.escape(basename(path))}\\.(\\d+)\\.part$`);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const owner = Number(pattern.exec(name)?.[1]);
    // This process has not created its part yet, so a part with its own id is from an earlier process.
    const isStale = Number.isInteger(owner) && (owner === process.pid || !isProcessAlive(owner));
    if (isStale) await rm(join(folder, name), { recursive: true, force: true });
  }
  return `${path}.${process.pid}.part`;
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user.
    return codeOf(error) === "EPERM";
  }
}
