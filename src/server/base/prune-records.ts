import type { Dated, Records } from "./storage.ts";

/** Minimum time between two runs. */
const pruneEveryMs = 60 * 60 * 1000;

/** Creates a function that removes expired records and all but the newest `maxRecords`. It runs at most once an hour. */
export function createPruner<Value extends Dated & { readonly id: string }>(
  records: Records<Value>,
  { lifetimeMs, maxRecords }: { readonly lifetimeMs: number; readonly maxRecords?: number },
  now: () => number,
): () => Promise<void> {
  let prunedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (now() - prunedAt < pruneEveryMs) return;
    prunedAt = now();
    const updatedBefore = new Date(now() - lifetimeMs).toISOString();
    for (const { id } of await records.list({ updatedBefore })) await records.remove(id);
    const excess = maxRecords === undefined ? [] : (await records.list()).slice(maxRecords);
    for (const { id } of excess) await records.remove(id);
  };
}
