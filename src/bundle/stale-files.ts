import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../base/text.ts";

/**
 * Removes what processes that have ended left in a folder.
 *
 * @param pattern names that are ours; its group `owner` is the number of the process that made the file
 */
export async function removeStaleFiles(folder: string, pattern: RegExp): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = Number(pattern.exec(name)?.groups?.["owner"]);
    // A process makes one at a time: one with this process's own number is that of an earlier process.
    const isStale = Number.isInteger(owner) && (owner === process.pid || !isProcessAlive(owner));
    if (isStale) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive all the same.
    return codeOf(error) === "EPERM";
  }
}
