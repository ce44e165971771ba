/**
 * The storage interface. It has two implementations: files on one machine (`file-storage.ts`), and Postgres with object storage for
 * several processes (`cluster/`).
 */
import type { Hono } from "hono";
import type * as z from "zod/mini";

export interface Storage extends AsyncDisposable {
  /** Opens a collection of records; `collection` is a path such as `exports/jobs`. */
  records<Value extends Dated>(collection: string, schema: z.ZodMiniType<Value>): Promise<Records<Value>>;
  /**
   * Processes a queue until disposal, including work that was queued before a restart or by another process. Disposal aborts running
   * work and waits for it; another process then starts it again.
   *
   * @param run Processes the record with this id and records a failure. A rejection means that storage is unavailable, or is logged as
   *   a bug.
   */
  startWork(
    worker: Worker,
    run: (id: string, signal: AbortSignal) => Promise<void>,
  ): Promise<AsyncDisposable>;
  readonly blobs: Blobs;
  /** Runs `work` under a lock: only one process at a time runs work with this key. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Returns why requests cannot be served now, or `undefined`. The text is public. */
  findProblem(): Promise<string | undefined>;
}

/** Storage is unavailable. A worker hands its work back; a client retries its request. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";
}

/** Timestamps in ISO 8601, UTC. */
export interface Dated {
  readonly createdAt: string;
  readonly updatedAt?: string | undefined;
}

/** Records by id. An id consists of letters, digits, `_` and `-`. */
export interface Records<Value extends Dated> {
  get(id: string): Promise<Value | undefined>;
  /** Lists records, the newest `createdAt` first. */
  list(query?: RecordQuery<Value>): Promise<Value[]>;
  /** Creates or replaces a record durably. Queues `work` in the same transaction. */
  put(id: string, value: Value, work?: Work): Promise<Value>;
  /**
   * Changes a record atomically. `change` may be called again. If it throws, the record stays unchanged.
   *
   * @throws {RangeError} if the id is unknown.
   */
  update(id: string, change: (value: Value) => Value, work?: Work): Promise<Value>;
  /** Like `update`, but creates the record if the id is unknown: `change` then gets `undefined`. */
  upsert(id: string, change: (value: Value | undefined) => Value): Promise<Value>;
  remove(id: string): Promise<void>;
}

export interface RecordQuery<Value> {
  /** The value of each field, or a list of its possible values; `undefined` allows any. */
  readonly where?: { readonly [Name in keyof Value]?: Value[Name] | readonly Value[Name][] | undefined };
  /** Only records whose last change is older. */
  readonly updatedBefore?: string;
  readonly limit?: number;
}

/** The fields that a query names, with their possible values. */
export function expectedValues<Value>({ where = {} }: RecordQuery<Value>) {
  const fields = Object.entries(where) as [keyof Value & string, unknown][];
  return fields.flatMap(([name, expected]) =>
    expected === undefined ? [] : [{ name, values: [expected].flat() as unknown[] }],
  );
}

/** Work that is queued for a record. */
export interface Work {
  readonly queue: string;
  /** Work is not queued if work with the same key is waiting or running. */
  readonly key: string;
  /** Groups take turns, so that one group cannot delay the others. */
  readonly group: string;
}

export interface Worker {
  readonly queue: string;
  readonly concurrency: number;
  /** Returns the work of unfinished records. What is missing in the queue is queued again. */
  readonly findUnfinished: () => Promise<readonly (Work & { readonly id: string })[]>;
}

/** Immutable files by name, which is a path. */
export interface Blobs {
  /** Stores a local file as a blob. The local file may be moved. */
  publish(name: string, path: string, signal: AbortSignal): Promise<void>;
  /**
   * Creates an expiring link that needs no API key.
   *
   * @param fileName Name under which a browser saves the file.
   */
  link(name: string, fileName: string): Promise<{ readonly url: string; readonly expiresAt: string }>;
  /** Reads a blob as text; `undefined` if it does not exist. */
  read(name: string): Promise<string | undefined>;
  /** Removes the blobs whose names start with the prefix but not with `except`, both in the same folder. */
  removeAll(prefix: string, except?: string): Promise<void>;
  /** Serves the links, unless object storage does. */
  readonly routes?: Hono;
}

/** Removes expired records and all but the newest `maxRecords`. */
export async function removeExpired<Value extends Dated & { readonly id: string }>(
  records: Records<Value>,
  { lifetimeMs, maxRecords }: { readonly lifetimeMs: number; readonly maxRecords?: number },
  now: number,
): Promise<void> {
  const updatedBefore = new Date(now - lifetimeMs).toISOString();
  const expired = await records.list({ updatedBefore });
  const excess = maxRecords === undefined ? [] : (await records.list()).slice(maxRecords);
  for (const { id } of [...expired, ...excess]) await records.remove(id);
}
