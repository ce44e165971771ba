/** Storage of a single-process platform: files in its data directory, and job queues in memory. */
import { join } from "node:path";
import { type Clock, type Log, systemClock } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { type LinkOptions, openFileBlobs } from "./file-blobs.ts";
import { openFileRecords, readOrCreateSecret } from "./records.ts";
import { type Storage, StorageUnavailableError, type Work } from "./storage.ts";
import { createUseLimit, UseRecord } from "./use-limit.ts";

/** Opens the storage in a data directory that only this process uses. */
export async function openFileStorage(
  dataDir: string,
  options: LinkOptions,
  log: Log,
  clock: Clock = systemClock,
): Promise<Storage> {
  const secret = await readOrCreateSecret(join(dataDir, "link-signing-key"));
  const queues = new Map<string, ReturnType<typeof createJobQueue>>();
  const locks = new Map<string, Promise<unknown>>();
  /** Work for a queue without a worker is dropped here; `findUnfinished` finds it when a worker starts. */
  const addWork = (id: string, work: Work) => queues.get(work.queue)?.add(id, work);
  const records: Storage["records"] = (collection, schema) =>
    openFileRecords(join(dataDir, ...collection.split("/")), schema, log, addWork);
  return {
    records,
    async startWork({ queue: name, concurrency, findUnfinished }, run) {
      const queue = createJobQueue(concurrency, run, log, clock);
      queues.set(name, queue);
      for (const { id, ...work } of await findUnfinished()) queue.add(id, work);
      return queue;
    },
    blobs: await openFileBlobs(join(dataDir, "blobs"), secret, options),
    openUseLimit: async (name, limit, windowMs) =>
      createUseLimit(await records(name, UseRecord), limit, windowMs, options.now),
    exclusively(key, work) {
      const done = (locks.get(key) ?? Promise.resolve()).then(work, work);
      locks.set(key, done);
      const release = () => locks.get(key) === done && locks.delete(key);
      done.then(release, release);
      return done;
    },
    findProblem: async () => undefined,
    async [Symbol.asyncDispose]() {
      await Promise.all([...queues.values()].map((queue) => queue[Symbol.asyncDispose]()));
    },
  };
}

const retryAfterMs = 30_000;

/**
 * Creates an in-memory job queue. Jobs of the group with the fewest running jobs run first, then those of the group that was served
 * least recently. Disposal aborts the running jobs and waits for them.
 *
 * @param run Runs a job and records its end. It is called again, as after a restart, while the storage is unavailable: the disk may be full.
 *   Any other rejection is a bug and is logged.
 */
function createJobQueue(
  concurrency: number,
  run: (id: string, signal: AbortSignal) => Promise<void>,
  log: Log,
  clock: Clock,
) {
  const waiting = new Map<string, Entry>();
  const running = new Map<string, Entry & { readonly ended: Promise<void> }>();
  /** Groups in the order in which they were last served. */
  const servedGroups = new Set<string>();
  const stop = new AbortController();

  const runningInGroup = ({ work }: Entry) =>
    [...running.values()].filter((other) => other.work.group === work.group).length;
  const servedAt = ({ work }: Entry) => [...servedGroups].indexOf(work.group);
  const isBefore = (one: Entry, other: Entry) => {
    const difference = runningInGroup(one) - runningInGroup(other);
    return difference === 0 ? servedAt(one) < servedAt(other) : difference < 0;
  };
  const startWaiting = () => {
    while (!stop.signal.aborted && running.size < concurrency) {
      const [first, ...others] = [...waiting.values()].filter(({ id }) => !running.has(id));
      if (first === undefined) return;
      const next = others.reduce((best, entry) => (isBefore(entry, best) ? entry : best), first);
      waiting.delete(next.work.key);
      servedGroups.delete(next.work.group);
      servedGroups.add(next.work.group);
      running.set(next.id, { ...next, ended: runOne(next.id) });
    }
  };
  const runOne = async (id: string): Promise<void> => {
    try {
      await run(id, stop.signal);
    } catch (error) {
      if (error instanceof StorageUnavailableError) {
        log.warning(`Job ${id} is continued later.`);
        await clock.sleep(retryAfterMs, stop.signal).catch(() => undefined);
        if (!stop.signal.aborted) return runOne(id);
      } else log.warning(`Job ${id} stopped because of a bug: ${stackOf(error)}`);
    }
    running.delete(id);
    startWaiting();
  };
  return {
    /** Adds work on a record. It waits while other work on the same record is running. */
    add(id: string, work: Work): void {
      waiting.set(work.key, { id, work });
      startWaiting();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

interface Entry {
  readonly id: string;
  readonly work: Work;
}
