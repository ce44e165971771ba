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

const day = 24 * 60 * 60_000;

/** A clock whose waits of less than half a day pass at once, after `onSleep`; its deadline, a day away, does not come. */
export function createPatientClock(startMs = Date.now(), onSleep: (ms: number) => void = () => undefined) {
  const { now, sleep, waits } = createFakeClock(startMs);
  const clock: Clock = {
    now,
    sleep(ms, signal) {
      onSleep(ms);
      return ms < day / 2
        ? sleep(ms, signal)
        : new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  return { clock, waits, deadlineMs: startMs + day };
}
