/** Job queues in Postgres, based on pg-boss. If a worker process ends, another one takes over its jobs. */
import type pg from "pg";
import { PgBoss } from "pg-boss";
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { StorageUnavailableError, type Worker } from "../base/storage.ts";
import { clientTimeout, inTransaction, whileAvailable } from "./database.ts";
import type { WorkMeasure } from "./metrics.ts";
import type { SendWork } from "./records.ts";

/** A job is taken over if its worker sends no heartbeat for this time. */
const heartbeatSeconds = 20;
const hour = 60 * 60;

/** While the database is away, each worker fails several times a second. */
const warnEveryMs = 60_000;

const queueOptions = {
  // At most one waiting or running job per key.
  policy: "exclusive",
  heartbeatSeconds,
  expireInSeconds: 12 * hour,
  // Practically unlimited: the records count and limit their attempts.
  retryLimit: 1000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 30 * 24 * hour,
  deleteAfterSeconds: hour,
  notify: true,
};

/** @param drainMs How long running jobs may continue during shutdown. */
export async function openWorkQueues(connectionString: string, drainMs: number, log: Log) {
  const boss = new PgBoss({
    connectionString,
    schema: "docs_platform_jobs",
    application_name: "docs-platform-jobs",
    max: 3,
    ...clientTimeout,
    // A process that loses its connection during a transaction must not block the others.
    options: "-c idle_in_transaction_session_timeout=10000",
    useListenNotify: true,
    // How soon a missing heartbeat is detected; both default to a minute.
    superviseIntervalSeconds: 3,
    monitorIntervalSeconds: 3,
    schedule: false,
  });
  let warnedAt = Number.NEGATIVE_INFINITY;
  boss.on("error", (error) => {
    const message = `Job queue: ${error.message}`;
    if (performance.now() - warnedAt < warnEveryMs) return log.debug(message);
    warnedAt = performance.now();
    log.warning(message);
  });
  await boss.start();
  const queues = new Map<string, Promise<void>>();
  const requireQueue = (name: string) => {
    const creating = queues.get(name) ?? boss.createQueue(name, queueOptions);
    queues.set(name, creating);
    creating.catch(() => queues.delete(name));
    return creating;
  };
  const send: SendWork = async (client, id, { queue, key, group }) => {
    await requireQueue(queue);
    const db = { executeSql: (text: string, values: unknown[] = []) => client.query(text, values) };
    // Groups take turns. A job gets the turn after its group's last one. A group that had no jobs starts at the turn that is running now, or
    // else at the first waiting one: earlier turns would go before all jobs of the other groups, again and again.
    const { rows } = await client.query<{ turn: number }>(
      `SELECT coalesce(greatest(
           max(-priority) FILTER (WHERE group_id = $2) + 1,
           max(-priority) FILTER (WHERE state = 'active')
         ), min(-priority), 0) AS turn
       FROM docs_platform_jobs.job WHERE name = $1 AND state <= 'active'`,
      [queue, group],
    );
    const options = { singletonKey: key, group: { id: group }, priority: -(rows[0]?.turn ?? 0), db };
    await boss.send(queue, { id }, options);
  };
  return {
    send,
    async startWork(
      { queue, concurrency, findUnfinished }: Worker,
      run: (id: string, signal: AbortSignal) => Promise<void>,
      pool: pg.Pool,
    ): Promise<AsyncDisposable> {
      await requireQueue(queue);
      const stop = new AbortController();
      const running = new Set<Promise<void>>();
      let isEnding = false;
      const runOne = async (id: string, signal: AbortSignal) => {
        try {
          await run(id, signal);
        } catch (error) {
          if (error instanceof StorageUnavailableError || signal.aborted) throw error;
          log.warning(`Job ${id} stopped because of a bug: ${stackOf(error)}`);
        }
        // An aborted job goes back to the queue.
        signal.throwIfAborted();
      };
      const workers: string[] = [];
      const startOne = async (index: number) => {
        const options = {
          pollingIntervalSeconds: 0.5,
          notifyPollingIntervalSeconds: 1,
          heartbeatRefreshSeconds: 4,
        };
        workers[index] = await boss.work<{ id: string }>(queue, options, async ([job]) => {
          if (job === undefined) return;
          // The job was fetched during shutdown: hand it back.
          if (isEnding) throw new Error("This process is shutting down.");
          const done = runOne(job.data.id, AbortSignal.any([job.signal, stop.signal]));
          running.add(done);
          try {
            await done;
          } finally {
            running.delete(done);
            // Fetch the next job now, without waiting for the next poll.
            setImmediate(() => boss.notifyWorker(workers[index] ?? ""));
          }
        });
      };
      for (let index = 0; index < concurrency; index += 1) await startOne(index);
      // Queue unfinished jobs that are missing, for example after a restored backup. Usually all of them are queued; comparing keys first
      // keeps the start fast.
      const unfinished = await findUnfinished();
      const list = `SELECT singleton_key AS key FROM docs_platform_jobs.job WHERE name = $1 AND state < 'completed'`;
      const { rows } = await whileAvailable(log, () => pool.query<{ key: string }>(list, [queue]));
      const queued = new Set(rows.map(({ key }) => key));
      for (const { id, ...work } of unfinished) {
        if (queued.has(work.key)) continue;
        await whileAvailable(log, () => inTransaction(pool, (client) => send(client, id, work)));
      }
      return {
        async [Symbol.asyncDispose]() {
          isEnding = true;
          await boss.offWork(queue, { wait: false });
          const finished = Promise.allSettled([...running]);
          const deadline = setTimeout(() => stop.abort(), drainMs);
          await finished;
          clearTimeout(deadline);
        },
      };
    },
    /** Counts waiting and running jobs by queue, group and state. */
    async measure(pool: pg.Pool) {
      const query = `SELECT name AS queue, group_id AS "group", state::text AS state, count(*)::int AS count,
          coalesce(extract(epoch FROM now() - min(created_on)), 0)::float AS age
        FROM docs_platform_jobs.job WHERE state < 'completed' GROUP BY 1, 2, 3`;
      return (await pool.query<WorkMeasure>(query)).rows;
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}
