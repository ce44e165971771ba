import { createHash } from "node:crypto";
import * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import { ApiError } from "./http.ts";
import { openRecordStore } from "./records.ts";

export type UseLimit = ReturnType<typeof createUseLimit>;

/** Uses of one key, oldest first: the time of the last in milliseconds since 1970, and how many there were around it. */
const Uses = z.array(z.tuple([z.number(), z.int().check(z.positive())]));
type Uses = z.infer<typeof Uses>;

/** Uses this close together, as a share of the window, are kept as one entry, and count until the last of them is old. */
const resolution = 1 / 500;

/**
 * Allows a number of uses of each key within any window of that length.
 *
 * @param usesByKey Uses of before a restart, which count.
 * @param save Keeps the uses of a key, or with `undefined` forgets them.
 */
export function createUseLimit(
  limit: number,
  windowMs: number,
  now: () => number,
  usesByKey = new Map<string, Uses>(),
  save: (key: string, uses: Uses | undefined) => Promise<unknown> = async () => undefined,
) {
  const slotOf = (at: number) => Math.floor(at / (windowMs * resolution));
  let checkedSlot = 0;
  const forgetOld = async (time: number) => {
    if (slotOf(time) === checkedSlot) return;
    checkedSlot = slotOf(time);
    for (const [key, uses] of usesByKey) {
      if ((uses.at(-1)?.[0] ?? 0) > time - windowMs) continue;
      usesByKey.delete(key);
      await save(key, undefined);
    }
  };
  return {
    /** Uses once. @throws {ApiError} 429 with the message, and the seconds until there is room again; then nothing was used. */
    async use(key: string, message: string): Promise<void> {
      const time = now();
      const uses = (usesByKey.get(key) ?? []).filter(([at]) => at > time - windowMs);
      let newer = 0;
      for (const [at, count] of uses.toReversed()) {
        newer += count;
        if (newer < limit) continue;
        const seconds = Math.max(1, Math.ceil((at + windowMs - time) / 1000));
        throw new ApiError(429, message, { "retry-after": String(seconds) });
      }
      const [lastAt, count] = uses.at(-1) ?? [Number.NEGATIVE_INFINITY, 0];
      if (slotOf(lastAt) === slotOf(time)) uses.splice(-1, 1, [time, count + 1]);
      else uses.push([time, 1]);
      usesByKey.set(key, uses);
      await save(key, uses);
      await forgetOld(time);
    },
  };
}

const UseRecord = z.object({ uses: Uses });

/** A limit whose uses are kept in a folder, over a restart; keys are kept as digests: addresses are personal data. */
export async function openUseLimit(
  directory: string,
  limit: number,
  windowMs: number,
  { now, log }: { readonly now: () => number; readonly log: Log },
): Promise<UseLimit> {
  const store = await openRecordStore(directory, UseRecord, log);
  const usesByKey = new Map(store.entries().map(([id, { uses }]) => [id, uses] as const));
  const { use } = createUseLimit(limit, windowMs, now, usesByKey, (id, uses) =>
    uses === undefined ? store.remove(id) : store.put(id, { uses }),
  );
  return { use: (key, message) => use(createHash("sha256").update(key).digest("base64url"), message) };
}
