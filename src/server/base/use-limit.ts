import { ApiError } from "./http.ts";

export interface UseLimit {
  /** Uses once. @throws {ApiError} 429 with the message, and the seconds until there is room again; then nothing was used. */
  use(key: string, message: string): void;
}

/**
 * Allows a number of uses of each key within any window of that length.
 *
 * @param earlier Uses of before a restart, which count, oldest first; `at` in milliseconds since 1970.
 */
export function createUseLimit(
  limit: number,
  windowMs: number,
  now: () => number,
  earlier: readonly { readonly key: string; readonly at: number }[] = [],
): UseLimit {
  const usesByKey = new Map<string, number[]>();
  for (const { key, at } of earlier) usesByKey.set(key, [...(usesByKey.get(key) ?? []), at]);
  return {
    use(key, message) {
      const time = now();
      const uses = (usesByKey.get(key) ?? []).filter((at) => at > time - windowMs);
      const oldest = uses.at(-limit);
      if (oldest !== undefined) {
        const seconds = Math.max(1, Math.ceil((oldest + windowMs - time) / 1000));
        throw new ApiError(429, message, { "retry-after": String(seconds) });
      }
      usesByKey.set(key, [...uses, time]);
    },
  };
}
