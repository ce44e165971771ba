import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { ActionError } from "../../base/errors.ts";

/** A folder that this process alone writes until it is disposed of. */
export interface DataDirectory extends AsyncDisposable {
  readonly path: string;
}

/** SQLite's "database is locked". */
const sqliteBusy = 5;

/**
 * Takes a data directory (made when missing) for this process.
 *
 * @throws {ActionError} when another process has it.
 */
export async function openDataDirectory(path: string): Promise<DataDirectory> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const lock = await takeLock(path);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      if (lock.isOpen) lock.close();
    },
  };
}

/** Makes a data directory that nobody else knows, and that is gone when it is disposed of. */
export async function makeTemporaryDataDirectory(): Promise<DataDirectory> {
  const path = await mkdtemp(join(tmpdir(), "docs-platform-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/**
 * Node has no file locks of its own, but SQLite takes the operating system's: they end with the process, however it ends,
 * so that no lock is ever stale and none is taken over by mistake, as happens with process ids in containers.
 */
async function takeLock(path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import("node:sqlite");
  const lock = new DatabaseSync(join(path, "lock"), { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new ActionError("conflict", `Another local platform is using the data directory ${path}.`, {
      hint: "Stop the other one, or give this one a data directory of its own.",
      cause: error,
    });
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
