/** Workers that are held in a certain phase, to be killed or disconnected there. */
import type { Cluster, ClusterProcess, ProcessSettings } from "./processes.ts";
import { type Relay, startRelay } from "./relay.ts";

/** A worker with its own relays to the engines. */
export interface Worker {
  readonly process: ClusterProcess;
  readonly database: Relay;
  readonly bucket: Relay;
}

/** Text of the request that records the end of a job. */
export const recordsEnd = '"status":"completed"';

export async function startWorker(
  cluster: Cluster,
  stack: AsyncDisposableStack,
  settings: ProcessSettings = {},
): Promise<Worker> {
  const database = stack.use(await startRelay(cluster.databaseUrl));
  const bucket = stack.use(await startRelay(cluster.gateway.endpoint));
  const way = { databaseUrl: database.url, endpoint: bucket.url };
  const process = stack.use(await cluster.start("worker", { ...way, ...settings }));
  return { process, database, bucket };
}

export function heal({ database, bucket }: Worker): void {
  for (const relay of [database, bucket]) relay.heal();
}

/** Waits for the first held worker, and releases the others. */
export async function firstHeld(
  workers: readonly Worker[],
  hold: (worker: Worker) => Promise<unknown>,
): Promise<Worker> {
  const first = await Promise.race(workers.map((worker) => hold(worker).then(() => worker)));
  for (const worker of workers.filter((worker) => worker !== first)) heal(worker);
  return first;
}
