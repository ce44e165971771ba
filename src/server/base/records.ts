/** Files of a single-process platform: the locked data directory, atomic writes, and one JSON file per record. */
import { randomBytes } from "node:crypto";
import {
  access,
  constants,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type * as z from "zod/mini";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { codeOf, messageOf, parseJson } from "../../base/text.ts";
import { createSequence } from "./shared-work.ts";
import { type Dated, expectedValues, type Records, StorageUnavailableError, type Work } from "./storage.ts";

/** Error code SQLITE_BUSY: the database is locked. */
const sqliteBusy = 5;

/**
 * Locks a data directory for this process until disposal; it is created if missing. Without a directory, creates a temporary one in
 * `temporaryDir` and removes it on disposal.
 *
 * Node has no file locks, so a SQLite database provides one. The operating system releases it when the process ends for any reason. A
 * file with a process id could be stale, and process ids repeat in containers.
 *
 * @throws {ActionError} if another process uses the directory, it has folders of others, or it cannot be written to.
 */
export async function openDataDirectory(
  directory: string | undefined,
  temporaryDir = tmpdir(),
): Promise<{ path: string } & AsyncDisposable> {
  if (directory === undefined) {
    const path = await mkdtemp(join(temporaryDir, "docs-platform-")).catch((cause: unknown) => {
      throw unusable(temporaryDir, cause);
    });
    const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10 });
    return { path, [Symbol.asyncDispose]: remove };
  }
  // Git and agents run in other working directories, so the path must be absolute.
  const path = resolve(directory);
  const { DatabaseSync } = await import("node:sqlite");
  const lock = new DatabaseSync(join(path, "lock"), { timeout: 0, open: false });
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await requireOwnDirectory(path);
    // SQLite opens a lock of another user without an error, for reading only.
    await access(path, constants.W_OK);
    lock.open();
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    if (lock.isOpen) lock.close();
    if (cause instanceof ActionError) throw cause;
    if (cause instanceof Error && "errcode" in cause && cause.errcode === sqliteBusy)
      throw new ActionError("conflict", `Another local platform is using the data directory ${path}.`, {
        hint: "Stop the other one, or choose another data directory for this one.",
        cause,
      });
    throw unusable(path, cause);
  }
  return {
    path,
    async [Symbol.asyncDispose]() {
      if (lock.isOpen) lock.close();
    },
  };
}

/** Folders that a file system makes in a new volume. */
const volumeFolder = /^(?:\.|lost\+found$)/;

/** @throws {ActionError} if the directory has folders but was not used before: the platform removes some of its own, such as `work`. */
async function requireOwnDirectory(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true });
  if (entries.some(({ name }) => name === "lock")) return;
  const other = entries.find((entry) => entry.isDirectory() && !volumeFolder.test(entry.name));
  if (other === undefined) return;
  const message = `The folder ${path} cannot be the data directory: it has a folder ${other.name} that is not of a platform.`;
  throw new ActionError("invalid-input", message, {
    hint: "Choose a new or an empty folder for `--data`. A restored data directory needs its file `lock`, which may be empty.",
  });
}

function unusable(path: string, cause: unknown): ActionError {
  const hint =
    "Choose a folder that can be written to: `--data` or, for temporary files, TMPDIR (in a workflow, RUNNER_TEMP).";
  const message = `The data directory ${path} cannot be used: ${messageOf(cause)}.`;
  return new ActionError("invalid-input", message, { hint, cause });
}

/** Reads a text file; `undefined` if it does not exist. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Replaces a file atomically: readers see the old or the new content, even after a crash. Only the owner can read the file.
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

/** Moves a complete file to `path` durably: its content survives a crash after this call. */
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

/** Reads a secret of 32 bytes from a file, or creates it. Only the owner can read the file. */
export async function readOrCreateSecret(path: string): Promise<Buffer> {
  const stored = (await readIfPresent(path))?.trim() ?? "";
  if (/^[0-9a-f]{64}$/.test(stored)) return Buffer.from(stored, "hex");
  const secret = randomBytes(32);
  await writeFileAtomically(path, `${secret.toString("hex")}\n`);
  return secret;
}

const recordFile = /^(?<id>[A-Za-z0-9_-]+)\.json$/;

/**
 * Opens the records in a folder, which is created if missing. Records are read from memory; each change is also written to the record's
 * JSON file. A file that is not a valid record is ignored with a warning. If a file cannot be written, for example because the disk is
 * full, the record stays unchanged and the storage counts as unavailable.
 *
 * @param onWork Called with the work that is queued together with a record.
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
    else log.warning(`Ignored an invalid record: ${join(directory, name)}`);
  }

  const inOrder = createSequence();
  const fileOf = (id: string) => join(directory, `${id}.json`);
  const write = async (id: string, value: Value, work?: Work): Promise<Value> => {
    const path = fileOf(id);
    await writeFileAtomically(path, `${JSON.stringify(value, undefined, 2)}\n`).catch((cause: unknown) => {
      const message = `The record ${path} cannot be written: ${messageOf(cause)}`;
      log.warning(message);
      throw new StorageUnavailableError(message, { cause });
    });
    records.set(id, value);
    if (work !== undefined) onWork(id, work);
    return value;
  };
  return {
    get: async (id) => records.get(id),
    async list(query = {}) {
      const { updatedBefore, limit } = query;
      const fields = expectedValues(query);
      const found = [...records.values()].filter(
        (value) =>
          fields.every(({ name, values }) => values.includes(value[name])) &&
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
    upsert: (id, change) => inOrder(async () => write(id, change(records.get(id)))),
    remove: (id) =>
      inOrder(async () => {
        await rm(fileOf(id), { force: true });
        records.delete(id);
      }),
  };
}
