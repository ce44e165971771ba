/** What a platform keeps on the disk: a locked folder, files that are replaced as a whole, one file for each record. */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type * as z from "zod/mini";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { codeOf, parseJson } from "../../base/text.ts";
import type { Dated, Records, Work } from "./storage.ts";

/** SQLite's "database is locked". */
const sqliteBusy = 5;

/**
 * Takes a data directory (made when missing) for this process alone, until it is disposed of; without a path, a temporary one
 * that goes with its disposal.
 *
 * Node has no file locks of its own, but SQLite takes the operating system's: they end with the process, however it ends,
 * so that no lock is ever stale and none is taken over by mistake, as happens with process ids in containers.
 *
 * @throws {ActionError} when another process has it.
 */
export async function openDataDirectory(
  given: string | undefined,
): Promise<{ path: string } & AsyncDisposable> {
  if (given === undefined) {
    const path = await mkdtemp(join(tmpdir(), "docs-platform-"));
    const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
    return { path, [Symbol.asyncDispose]: remove };
  }
  // Absolute from here on: git and agents run in other folders.
  const path = resolve(given);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const { DatabaseSync } = await import("node:sqlite");
  const lock = new DatabaseSync(join(path, "lock"), { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === sqliteBusy)) throw error;
    throw new ActionError("conflict", `Another local platform is using the data directory ${path}.`, {
      hint: "Stop the other one, or give this one a data directory of its own.",
      cause: error,
    });
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      if (lock.isOpen) lock.close();
    },
  };
}

/** A file's text; `undefined` where there is no such file. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Replaces a file's content as a whole: every reader, also after a crash, sees the old content or the new, never a part. The
 * file is readable by its owner only.
 */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    await writeFile(temporary, content, { mode: 0o600 });
    await publishFile(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Makes a finished file the one at `path`, durably: what was written before the call survives a crash after it. */
export async function publishFile(temporary: string, path: string): Promise<void> {
  {
    await using file = await open(temporary, "r+");
    await file.sync();
  }
  await rename(temporary, path);
  // Windows cannot open folders, and does not need it.
  if (process.platform === "win32") return;
  await using directory = await open(dirname(path), "r");
  await directory.sync();
}

/** The secret stored in a file (readable by its owner only), made on first use: 32 random bytes. */
export async function readOrCreateSecret(path: string): Promise<Buffer> {
  const stored = (await readIfPresent(path))?.trim() ?? "";
  if (/^[0-9a-f]{64}$/.test(stored)) return Buffer.from(stored, "hex");
  const secret = randomBytes(32);
  await writeFileAtomically(path, `${secret.toString("hex")}\n`);
  return secret;
}

const recordFile = /^(?<id>[A-Za-z0-9_-]+)\.json$/;

/**
 * Reads the records of a folder (made when missing), by id: they are read from memory, and written through to one JSON file
 * each. A file that is not a valid record is left alone, with a warning.
 *
 * @param onWork Takes the work that a written record brings.
 */
export async function openFileRecords<Value extends Dated>(
  directory: string,
  schema: z.ZodMiniType<Value>,
  log: Log,
  onWork: (id: string, work: Work) => void,
): Promise<Records<Value>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const records = new Map<string, Value>();
  for (const name of await readdir(directory)) {
    if (name.endsWith(".json.tmp")) await rm(join(directory, name), { force: true });
    const id = recordFile.exec(name)?.groups?.["id"];
    if (id === undefined) continue;
    const parsed = schema.safeParse(parseJson(await readFile(join(directory, name), "utf8")));
    if (parsed.success) records.set(id, parsed.data);
    else log.warning(`Not a valid record, left alone: ${join(directory, name)}`);
  }

  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
  const fileOf = (id: string) => join(directory, `${id}.json`);
  const write = async (id: string, value: Value, work?: Work): Promise<Value> => {
    await writeFileAtomically(fileOf(id), `${JSON.stringify(value, undefined, 2)}\n`);
    records.set(id, value);
    if (work !== undefined) onWork(id, work);
    return value;
  };
  return {
    get: async (id) => records.get(id),
    async list({ where = {}, updatedBefore, limit } = {}) {
      const fields = Object.entries(where) as [keyof Value, unknown][];
      const found = [...records.values()].filter(
        (value) =>
          fields.every(([name, wanted]) => value[name] === wanted) &&
          (updatedBefore === undefined || (value.updatedAt ?? value.createdAt) < updatedBefore),
      );
      return found.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1)).slice(0, limit);
    },
    put: (id, value, work) => inOrder(() => write(id, value, work)),
    update: (id, change, work) =>
      inOrder(async () => {
        const current = records.get(id);
        if (current === undefined) throw new RangeError(`No record ${id} in ${directory}.`);
        return write(id, change(current), work);
      }),
    remove: (id) =>
      inOrder(async () => {
        await rm(fileOf(id), { force: true });
        records.delete(id);
      }),
  };
}
