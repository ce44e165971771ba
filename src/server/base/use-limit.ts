import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { PlatformContext } from "./context.ts";
import { ApiError } from "./http.ts";
import { removeExpired } from "./storage.ts";

/** Uses of a key, oldest first: time in milliseconds since 1970, and number of uses. */
const Uses = z.array(z.tuple([z.number(), z.int().check(z.positive())]));

/** Uses within this fraction of the window are stored as one entry, with the time of the last use. */
const resolution = 1 / 500;

const UseRecord = z.object({ id: z.string(), createdAt: z.iso.datetime(), uses: Uses });
export type UseLimit = Awaited<ReturnType<typeof openUseLimit>>;

/**
 * Opens a rate limit per key, over a sliding window. The count is shared by all processes and survives restarts. Keys are stored as
 * digests, because IP addresses are personal data.
 *
 * @param name Name of the limit's records.
 */
export async function openUseLimit(
  { storage, now, everyHour }: Pick<PlatformContext, "storage" | "now" | "everyHour">,
  name: string,
  limit: number,
  windowMs: number,
) {
  const records = await storage.records(name, UseRecord);
  const slotOf = (at: number) => Math.floor(at / (windowMs * resolution));
  await everyHour(() => removeExpired(records, { lifetimeMs: windowMs }, now()));
  return {
    /** Counts a use. @throws {ApiError} 429 with the message and `Retry-After` if the limit is reached; the use is not counted. */
    async use(key: string, message: string): Promise<void> {
      const [id, time] = [hash("sha256", key, "base64url"), now()];
      const createdAt = new Date(time).toISOString();
      await records.upsert(id, (record) => {
        // The absolute difference, because a use far in the future was counted before the clock was corrected.
        const uses = (record?.uses ?? []).filter(([at]) => Math.abs(time - at) < windowMs);
        let newer = 0;
        for (const [at, count] of uses.toReversed()) {
          newer += count;
          if (newer < limit) continue;
          const seconds = Math.max(1, Math.ceil((at + windowMs - time) / 1000));
          throw new ApiError(429, message, { "retry-after": String(seconds) });
        }
        const last = uses.at(-1);
        if (last === undefined || slotOf(last[0]) !== slotOf(time)) uses.push([time, 1]);
        else uses.splice(-1, 1, [time, last[1] + 1]);
        return { id, createdAt, uses };
      });
    },
  };
}
