/** Storage of a platform with several processes: records and job queues in Postgres, blobs in a bucket. */
import { setTimeout as delay } from "node:timers/promises";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import { shareWhileRunning } from "../base/shared-work.ts";
import type { Storage } from "../base/storage.ts";
import { type BucketOptions, bucketHint, openBucket } from "./bucket.ts";
import { inTransaction, isMigrated, migrate, openPool, whileAvailable } from "./database.ts";
import { openPostgresRecords } from "./records.ts";
import { openWorkQueues } from "./work-queue.ts";

export interface ClusterOptions {
  /** `postgres://user:password@host/database` */
  readonly databaseUrl: string;
  readonly bucket: BucketOptions;
  /** How long running jobs may continue during shutdown. */
  readonly drainMs: number;
}

const checkMs = 3000;

/**
 * Opens the storage and migrates the database.
 *
 * @throws {ActionError} if the database or the bucket cannot be used.
 */
export async function openClusterStorage(
  { databaseUrl, bucket: bucketOptions, drainMs }: ClusterOptions,
  { now, log }: { readonly now: () => number; readonly log: Log },
) {
  await using stack = new AsyncDisposableStack();
  const openDatabase = (max: number, maxIdleMs?: number) =>
    stack.adopt(openPool(databaseUrl, max, log, maxIdleMs), (pool) => pool.end());
  const pool = openDatabase(10);
  // A separate pool: processes that wait for a lock must not block the connections of its holder.
  const locks = openDatabase(2, 60_000);
  await migrate(pool);
  const bucket = openBucket(bucketOptions, now);
  await bucket.check().catch((error: unknown) => {
    if (error instanceof ActionError) throw error;
    throw new ActionError("unavailable", messageOf(error), { hint: bucketHint, cause: error });
  });
  const queues = stack.use(await openWorkQueues(databaseUrl, drainMs, log));

  const check = async (service: string, isReady: Promise<boolean>) => {
    try {
      return (await soon(isReady)) ? undefined : `The ${service} is not up to date.`;
    } catch (error) {
      log.debug(`The ${service} cannot be used: ${messageOf(error)}`);
      return `The ${service} cannot be used.`;
    }
  };
  // The health route is public, so concurrent requests share one check of the database and the bucket.
  const findProblem = shareWhileRunning(async () => {
    const checks = [check("database", isMigrated(pool)), check("bucket", bucket.check())];
    return (await Promise.all(checks)).find((problem) => problem !== undefined);
  });

  const owned = stack.move();
  return {
    records: async (collection, schema) => openPostgresRecords(pool, collection, schema, queues.send, log),
    startWork: (worker, run) => queues.startWork(worker, run, pool),
    blobs: bucket.blobs,
    async exclusively<Result>(key: string, work: () => Promise<Result>) {
      // If the connection of the lock breaks, the lock is acquired again, but the work is not repeated.
      let result: Promise<Result> | undefined;
      return whileAvailable(log, () =>
        inTransaction(locks, async (client) => {
          await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [key]);
          result ??= work();
          return result;
        }),
      );
    },
    findProblem,
    /** Counts waiting and running jobs. */
    measureWork: shareWhileRunning(() => soon(queues.measure(pool))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  } satisfies Storage & Record<string, unknown>;
}

/** Rejects if there is no response in time for a health check or a scrape of the metrics. */
function soon<Result>(response: Promise<Result>): Promise<Result> {
  const timeout = delay(checkMs, undefined, { ref: false }).then(() => {
    throw new Error(`no response in ${checkMs} ms`);
  });
  return Promise.race([response, timeout]);
}
