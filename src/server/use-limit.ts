/** Counts uses over a rolling window. */
export interface UseLimit {
  /** Uses once; `undefined`, or the seconds until there is room again, and then nothing was used. */
  take(key: string): number | undefined;
}

/** One use that counts. */
export interface Use {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Allows `limit` uses of each key within any window of that length; earlier uses, of before a restart, count. */
export function createUseLimit(
  { limit, windowMs, earlier = [] }: { limit: number; windowMs: number; earlier?: readonly Use[] },
  { now }: { now: () => number },
): UseLimit {
  const usesByKey = new Map<string, number[]>();
  for (const { key, at } of earlier) usesByKey.set(key, [...(usesByKey.get(key) ?? []), at]);
  for (const uses of usesByKey.values()) uses.sort((left, right) => left - right);
  return {
    take: (key) => {
      const time = now();
      const uses = (usesByKey.get(key) ?? []).filter((at) => at > time - windowMs);
      const oldest = uses.at(-limit);
      if (oldest !== undefined) return Math.max(1, Math.ceil((oldest + windowMs - time) / 1000));
      usesByKey.set(key, [...uses, time]);
      return undefined;
    },
  };
}
