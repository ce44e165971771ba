import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../base/text.ts";

/**
 * Removes the files and folders that ended processes left behind.
 *
 * @param pattern matches the names of such files; its group `owner` is the id of the process that created the file
 */
export async function removeStaleFiles(folder: string, pattern: RegExp): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = Number(pattern.exec(name)?.groups?.["owner"]);
    // This process has not created its file yet, so a file with its own id is from an earlier process.
    const isStale = Number.isInteger(owner) && (owner === process.pid || !isProcessAlive(owner));
    if (isStale) await rm(join(folder, name), { recursive: true, force: true });
  }
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
