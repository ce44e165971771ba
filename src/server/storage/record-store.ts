import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { Log } from "../../base/runtime.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

/** Records of one kind, by id: read from memory, written through to one JSON file each. */
export interface RecordStore<Value> {
  get(id: string): Value | undefined;
  list(): Value[];
  /** Resolves once the record is on the disk; until then, readers see the one before. */
  put(id: string, value: Value): Promise<void>;
  /** Changes the newest version of a record; changes of one store never overlap. @throws {RangeError} for an unknown id. */
  update(id: string, change: (value: Value) => Value): Promise<Value>;
  remove(id: string): Promise<void>;
}

const recordFile = /^(?<id>[A-Za-z0-9_-]+)\.json$/;

/** Reads the records of a folder (made when missing). A file that is not a valid record is left alone, with a warning. */
export async function openRecordStore<Schema extends z.ZodType>(
  { directory, schema }: { directory: string; schema: Schema },
  { log }: { log: Log },
): Promise<RecordStore<z.infer<Schema>>> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const records = new Map<string, z.infer<Schema>>();
  for (const name of await readdir(directory)) {
    if (name.endsWith(".json.tmp")) await rm(join(directory, name), { force: true });
    const id = recordFile.exec(name)?.groups?.["id"];
    if (id === undefined) continue;
    const parsed = schema.safeParse(parseJson(await readFile(join(directory, name), "utf8")));
    if (parsed.success) records.set(id, parsed.data);
    else log.warning(`Not a valid record, left alone: ${join(directory, name)}`);
  }
  return createRecordStore(directory, records);
}

function createRecordStore<Value>(directory: string, records: Map<string, Value>): RecordStore<Value> {
  let tail: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(work, work);
    tail = result;
    return result;
  };
  const fileOf = (id: string) => join(directory, `${id}.json`);
  const write = async (id: string, value: Value) => {
    await writeFileAtomically(fileOf(id), `${JSON.stringify(value, undefined, 2)}\n`);
    records.set(id, value);
    return value;
  };
  return {
    get: (id) => records.get(id),
    list: () => [...records.values()],
    put: async (id, value) => {
      await inOrder(() => write(id, value));
    },
    update: (id, change) =>
      inOrder(async () => {
        const current = records.get(id);
        if (current === undefined) throw new RangeError(`No record ${id} in ${directory}.`);
        return write(id, change(current));
      }),
    remove: (id) =>
      inOrder(async () => {
        await rm(fileOf(id), { force: true });
        records.delete(id);
      }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
