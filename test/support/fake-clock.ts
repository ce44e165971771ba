import type { Clock } from "../../src/base/runtime.ts";

export interface FakeClock extends Clock {
  /** Every wait so far, in milliseconds. */
  readonly waits: readonly number[];
}

/** A clock whose waits pass at once, so that a test reads a schedule instead of living through it. */
export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  let nowMs = startMs;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
  };
}
