/** Work that waits in Postgres, by pg-boss: it is queued with its record, and taken over where a worker ends. */
import type pg from "pg";
import { PgBoss } from "pg-boss";
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { StorageUnavailableError, type Worker } from "../base/storage.ts";
import { inTransaction, whileAvailable } from "./database.ts";
import type { WorkMeasure } from "./metrics.ts";
import type { SendWork } from "./records.ts";

/** A worker that is not heard of for so long is taken for dead. */
const heartbeatSeconds = 20;
/** Higher than there is ever work of one group. */
const urgentPriority = 1_000_000;
const hour = 60 * 60;

const queueOptions = {
  // What waits or runs under a key is not queued twice.
  policy: "exclusive",
  heartbeatSeconds,
  expireInSeconds: 12 * hour,
  // Records count their attempts, and end those that are interrupted too often.
  retryLimit: 1000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
  retentionSeconds: 30 * 24 * hour,
  deleteAfterSeconds: hour,
  notify: true,
};

/** Opens the queues; `drainMs` is how long a worker that is to end may finish what it works on. */
export async function openWorkQueues(connectionString: string, drainMs: number, log: Log) {
  const boss = new PgBoss({
    connectionString,
    schema: "docs_platform_jobs",
    application_name: "docs-platform-jobs",
    max: 3,
    // One that is cut off in a transaction must not keep the others from finding that it is gone.
    options: "-c idle_in_transaction_session_timeout=10000",
    useListenNotify: true,
    // How soon a worker is missed; both are a minute unless set.
    superviseIntervalSeconds: 3,
    monitorIntervalSeconds: 3,
    schedule: false,
  });
  boss.on("error", (error) => log.notice(`The queue's database: ${error.message}`));
  await boss.start();
  const made = new Map<string, Promise<void>>();
  const requireQueue = (name: string) => {
    const making = made.get(name) ?? boss.createQueue(name, queueOptions);
    made.set(name, making);
    making.catch(() => made.delete(name));
    return making;
  };
  const send: SendWork = async (client, id, { queue, key, group, isUrgent }) => {
    await requireQueue(queue);
    const db = { executeSql: (text: string, values: unknown[] = []) => client.query(text, values) };
    // Groups take turns: the third of one that waits comes after the second of all others.
    const { rows } = await client.query<{ ahead: number }>(
      `SELECT count(*)::int AS ahead FROM docs_platform_jobs.job WHERE name = $1 AND group_id = $2 AND state < 'active'`,
      [queue, group],
    );
    const priority = (isUrgent ? urgentPriority : 0) - (rows[0]?.ahead ?? 0);
    const options = { singletonKey: key, group: { id: group }, priority, db };
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
          log.warning(`Job ${id} stopped on a defect: ${stackOf(error)}`);
        }
        // What was aborted goes back, and is worked on elsewhere.
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
          // Fetched while the work was ended: nothing waits for it here any more.
          if (isEnding) throw new Error("This process ends.");
          const done = runOne(job.data.id, AbortSignal.any([job.signal, stop.signal]));
          running.add(done);
          try {
            await done;
          } finally {
            running.delete(done);
            // The next piece of work is not left for the next time that it looks.
            setImmediate(() => boss.notifyWorker(workers[index] ?? ""));
          }
        });
      };
      for (let index = 0; index < concurrency; index += 1) await startOne(index);
      // What a backup or an operator left out of the queue. Nearly all is in it, and may be much: a start must not take minutes.
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
    /** What waits and what is being worked on, by queue, and for how many seconds the oldest has waited. */
    async measure(pool: pg.Pool) {
      const query = `SELECT name AS queue, group_id AS "group", state::text AS state, count(*)::int AS count,
          coalesce(extract(epoch FROM now() - min(created_on)), 0)::float AS age
        FROM docs_platform_jobs.job WHERE state < 'completed' GROUP BY 1, 2, 3`;
      return (await pool.query<WorkMeasure>(query)).rows;
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: true, timeout: 5000 }),
  };
}
