/**
 * What a platform keeps, and the work that waits in it: in files of one machine (`file-storage.ts`), or in Postgres and a bucket
 * for several (`cluster/`). Both keep the promises made here.
 */
import type { Hono } from "hono";
import type * as z from "zod/mini";

export interface Storage extends AsyncDisposable {
  /** The records of one kind; `collection` is a path of words, such as `exports/jobs`. */
  records<Value extends Dated>(collection: string, schema: z.ZodMiniType<Value>): Promise<Records<Value>>;
  /**
   * Works on what is queued, also on what was queued before a restart or by another process, until it is disposed of. Disposal
   * aborts what runs and waits for its end; what was aborted is worked on again by the next process.
   *
   * @param run Works on the record of that id, and records a failure by itself. It rejects when the storage cannot be reached;
   *   anything else is a defect, and logged as one.
   */
  startWork(
    worker: Worker,
    run: (id: string, signal: AbortSignal) => Promise<void>,
  ): Promise<AsyncDisposable>;
  readonly blobs: Blobs;
  /** Counts uses over a restart, and over all processes. */
  openUseLimit(name: string, limit: number, windowMs: number): Promise<UseLimit>;
  /** Does work while no other of this key is being done, in no process. */
  exclusively<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /** Why requests cannot be served now, in a few words that any client may read. */
  findProblem(): Promise<string | undefined>;
}

/** What is kept cannot be reached now. A worker leaves its work for later; a client asks again. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";
}

/** Times in ISO 8601, UTC. */
export interface Dated {
  readonly createdAt: string;
  readonly updatedAt?: string | undefined;
}

/** Records by their id: letters, digits, `_` and `-`. */
export interface Records<Value extends Dated> {
  get(id: string): Promise<Value | undefined>;
  /** Newest first, by `createdAt`. */
  list(query?: RecordQuery<Value>): Promise<Value[]>;
  /** Makes or replaces a record; resolves once it is durable. With `work`, both happen or neither. */
  put(id: string, value: Value, work?: Work): Promise<Value>;
  /**
   * Changes the newest version of a record, as no other change does meanwhile: `change` is called again when another one was first. What it
   * throws leaves the record as it is.
   *
   * @throws {RangeError} for an unknown id.
   */
  update(id: string, change: (value: Value) => Value, work?: Work): Promise<Value>;
  remove(id: string): Promise<void>;
}

export interface RecordQuery<Value> {
  /** Fields that have these values. */
  readonly where?: Partial<Value>;
  /** Only what was last changed before. */
  readonly updatedBefore?: string;
  /** The newest only. */
  readonly limit?: number;
}

/** Work on the record that it is queued with. */
export interface Work {
  readonly queue: string;
  /** What waits or runs under the same key is not queued twice. */
  readonly key: string;
  /** Groups take turns, so that one of them cannot keep the others waiting. */
  readonly group: string;
  /** What a person waits for goes first. */
  readonly isUrgent?: boolean;
}

export interface Worker {
  readonly queue: string;
  /** How many it works on at once. */
  readonly concurrency: number;
  /** What should be queued, as the records tell; it is queued again where it is not. */
  readonly findUnfinished: () => Promise<readonly (Work & { readonly id: string })[]>;
}

/** Files by their name, a path of words. They never change. */
export interface Blobs {
  /** Makes a finished file of this machine the blob of that name; the file itself may be gone afterwards. */
  publish(name: string, path: string, signal: AbortSignal): Promise<void>;
  /**
   * A link that needs no key, and expires.
   *
   * @param file Name that a browser saves it under, and the digest of its content in hexadecimal.
   */
  link(
    name: string,
    file: { readonly fileName: string; readonly sha256: string },
  ): Promise<{ readonly url: string; readonly expiresAt: string }>;
  /** The text of one; `undefined` where there is none of this name. */
  read(name: string): Promise<string | undefined>;
  /** Removes the blobs whose names begin so, but for one. */
  removeAll(prefix: string, except?: string): Promise<void>;
  /** Answers the links, where no other server does. */
  readonly routes?: Hono;
}

/** Allows a number of uses of each key within any window of some length. */
export interface UseLimit {
  /** Uses once. @throws {ApiError} 429 with the message, and the seconds until there is room again; then nothing was used. */
  use(key: string, message: string): Promise<void>;
}
