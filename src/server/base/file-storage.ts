/** The state of a platform that is one process: files in its data directory, and work that waits in memory. */
import { join } from "node:path";
import type { Log } from "../../base/runtime.ts";
import { type LinkOptions, openFileBlobs } from "./file-blobs.ts";
import { createJobQueue } from "./job-queue.ts";
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
