import { hash } from "node:crypto";
import * as z from "zod/mini";
import { ApiError } from "./http.ts";
import type { Records, UseLimit } from "./storage.ts";

/** Uses of a key, oldest first: time in milliseconds since 1970, and number of uses. */
export const Uses = z.array(z.tuple([z.number(), z.int().check(z.positive())]));
export type Uses = z.infer<typeof Uses>;

/** Uses within this fraction of the window are stored as one entry, with the time of the last use. */
const resolution = 1 / 500;
const slotOf = (at: number, windowMs: number) => Math.floor(at / (windowMs * resolution));

/** Returns the uses of a key with one more use. @throws {ApiError} 429 if the limit is reached. */
export function addUse(all: Uses, limit: number, windowMs: number, time: number, message: string): Uses {
  const uses = all.filter(([at]) => at > time - windowMs);
  let newer = 0;
  for (const [at, count] of uses.toReversed()) {
    newer += count;
    if (newer < limit) continue;
    const seconds = Math.max(1, Math.ceil((at + windowMs - time) / 1000));
    throw new ApiError(429, message, { "retry-after": String(seconds) });
  }
  const [lastAt, count] = uses.at(-1) ?? [Number.NEGATIVE_INFINITY, 0];
  if (slotOf(lastAt, windowMs) === slotOf(time, windowMs)) return [...uses.slice(0, -1), [time, count + 1]];
  return [...uses, [time, 1]];
}

export const UseRecord = z.object({ id: z.string(), createdAt: z.iso.datetime(), uses: Uses });
export type UseRecord = z.infer<typeof UseRecord>;

/** Opens a rate limit that is stored as records. Keys are stored as digests, because IP addresses are personal data. */
export async function openUseLimit(
  records: Records<UseRecord>,
  limit: number,
  windowMs: number,
  now: () => number,
): Promise<UseLimit> {
  const usesByKey = new Map((await records.list()).map(({ id, uses }) => [id, uses]));
  let checkedSlot = 0;
  const removeOld = async (time: number) => {
    if (slotOf(time, windowMs) === checkedSlot) return;
    checkedSlot = slotOf(time, windowMs);
    for (const [id, uses] of usesByKey) {
      if ((uses.at(-1)?.[0] ?? 0) > time - windowMs) continue;
      usesByKey.delete(id);
      await records.remove(id);
    }
  };
  return {
    async use(key, message) {
      const [id, time] = [hash("sha256", key, "base64url"), now()];
      const uses = addUse(usesByKey.get(id) ?? [], limit, windowMs, time, message);
      usesByKey.set(id, uses);
      await records.put(id, { id, createdAt: new Date(time).toISOString(), uses });
      await removeOld(time);
    },
  };
}
