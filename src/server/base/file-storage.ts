/** The state of a platform that is one process: files in its data directory, and work that waits in memory. */
import { join } from "node:path";
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { type LinkOptions, openFileBlobs } from "./file-blobs.ts";
import { openFileRecords, readOrCreateSecret } from "./records.ts";
import type { Storage, Work } from "./storage.ts";
import { openUseLimit, UseRecord } from "./use-limit.ts";

/** Opens the state in a data directory of this process alone. */
export async function openFileStorage(dataDir: string, options: LinkOptions, log: Log): Promise<Storage> {
  const secret = await readOrCreateSecret(join(dataDir, "link-signing-key"));
  const queues = new Map<string, ReturnType<typeof createJobQueue>>();
  const last = new Map<string, Promise<unknown>>();
  /** What is queued for a queue that is not worked on is found among the unfinished once it is. */
  const addWork = (id: string, work: Work) => queues.get(work.queue)?.add(id, work);
  const records: Storage["records"] = (collection, schema) =>
    openFileRecords(join(dataDir, ...collection.split("/")), schema, log, addWork);
  return {
    records,
    async startWork({ queue: name, concurrency, findUnfinished }, run) {
      const queue = createJobQueue(concurrency, run, log);
      queues.set(name, queue);
      for (const { id, ...work } of await findUnfinished()) queue.add(id, work);
      return queue;
    },
    blobs: await openFileBlobs(join(dataDir, "blobs"), secret, options),
    openUseLimit: async (name, limit, windowMs) =>
      openUseLimit(await records(name, UseRecord), limit, windowMs, options.now),
    exclusively(key, work) {
      const done = (last.get(key) ?? Promise.resolve()).then(work, work);
      last.set(key, done);
      const forget = () => last.get(key) === done && last.delete(key);
      done.then(forget, forget);
      return done;
    },
    findProblem: async () => undefined,
    async [Symbol.asyncDispose]() {
      await Promise.all([...queues.values()].map((queue) => queue[Symbol.asyncDispose]()));
    },
  };
}

/**
 * Makes an empty queue, which runs a bounded number of jobs at once: urgent ones first, then those of the group that has the fewest
 * running, then of the one that has waited longest for its turn. Disposal aborts those that run, and waits for them.
 *
 * @param run Runs one job to its end, and records a failed job by itself: its rejection is a defect, logged as one.
 */
function createJobQueue(
  concurrency: number,
  run: (id: string, signal: AbortSignal) => Promise<void>,
  log: Log,
) {
  const waiting = new Map<string, Entry>();
  const running = new Map<string, Entry & { readonly ended: Promise<void> }>();
  /** Which groups have had a turn, the latest last. */
  const turns = new Set<string>();
  const stop = new AbortController();

  const shareOf = ({ work }: Entry) =>
    [...running.values()].filter((other) => other.work.group === work.group).length;
  const turnOf = ({ work }: Entry) => [...turns].indexOf(work.group);
  const isBefore = (one: Entry, other: Entry) => {
    const [urgent, otherUrgent] = [one, other].map(({ work }) => work.isUrgent === true);
    if (urgent !== otherUrgent) return urgent;
    const shares = shareOf(one) - shareOf(other);
    return shares === 0 ? turnOf(one) < turnOf(other) : shares < 0;
  };
  const startWaiting = () => {
    while (!stop.signal.aborted && running.size < concurrency) {
      const [first, ...others] = [...waiting.values()].filter(({ id }) => !running.has(id));
      if (first === undefined) return;
      const next = others.reduce((best, entry) => (isBefore(entry, best) ? entry : best), first);
      waiting.delete(next.work.key);
      turns.delete(next.work.group);
      turns.add(next.work.group);
      running.set(next.id, { ...next, ended: runOne(next.id) });
    }
  };
  const runOne = async (id: string) => {
    try {
      await run(id, stop.signal);
    } catch (error) {
      log.warning(`Job ${id} stopped on a defect: ${stackOf(error)}`);
    }
    running.delete(id);
    startWaiting();
  };
  return {
    /** Adds work on a record; while some on the same one is running, it waits. */
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
