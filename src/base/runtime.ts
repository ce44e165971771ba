/** What every part of a run gets from its surroundings, so that tests can bring their own: time and a log. */
import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @throws the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * The machine's clock. With a `speed` above 1, every sleep takes that fraction of its time and the clock moves on as if
 * all of it had passed: tests of the whole action wait for its polls and leases, but not for real time.
 */
export function createClock(speed = 1): Clock {
  let skippedMs = 0;
  const now = () => Date.now() + skippedMs;
  return {
    now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      const wakesAtMs = now() + ms;
      await delay(ms / speed, undefined, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      if (speed !== 1) skippedMs = Math.max(skippedMs, wakesAtMs - Date.now());
    },
  };
}

export const systemClock: Clock = createClock();

/** Variables of a process or of the runner. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The clock of a run: the machine's, but for tests of the whole action, which alone set the variable to a speed. */
export function createRunClock(environment: Environment): Clock {
  return createClock(Number(environment["DOCS_AUTOMATION_TEST_CLOCK_SPEED"]) || 1);
}

/** What a command may say while it works; the frame writes it to the job's log, escaped. */
export interface Log {
  debug(message: string): void;
  /** `percent` is how far the work is that the message tells of; a terminal draws it. */
  info(message: string, percent?: number): void;
  /** Shown as an annotation; for facts that a person should know but need not act on. */
  notice(message: string): void;
  warning(message: string): void;
}
