import { hash } from "node:crypto";
import * as z from "zod/mini";
import { ApiError } from "./http.ts";
import { createPruner, type Records, type UseLimit } from "./storage.ts";

/** Uses of a key, oldest first: time in milliseconds since 1970, and number of uses. */
export const Uses = z.array(z.tuple([z.number(), z.int().check(z.positive())]));
export type Uses = z.infer<typeof Uses>;

/** Uses within this fraction of the window are stored as one entry, with the time of the last use. */
const resolution = 1 / 500;
const slotOf = (at: number, windowMs: number) => Math.floor(at / (windowMs * resolution));

/** Returns the uses of a key with one more use. @throws {ApiError} 429 if the limit is reached. */
export function addUse(all: Uses, limit: number, windowMs: number, time: number, message: string): Uses {
  // The absolute difference, because a use far in the future was counted before the clock was corrected.
  const uses = all.filter(([at]) => Math.abs(time - at) < windowMs);
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

/** Creates a rate limit that is stored as records. Keys are stored as digests, because IP addresses are personal data. */
export function createUseLimit(
  records: Records<UseRecord>,
  limit: number,
  windowMs: number,
  now: () => number,
): UseLimit {
  const prune = createPruner(records, { lifetimeMs: windowMs }, now);
  return {
    async use(key, message) {
      const [id, time] = [hash("sha256", key, "base64url"), now()];
      const createdAt = new Date(time).toISOString();
      await records.upsert(id, (record) => ({
        id,
        createdAt,
        uses: addUse(record?.uses ?? [], limit, windowMs, time, message),
      }));
      await prune();
    },
  };
}
