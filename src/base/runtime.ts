/** What every part of a run gets from its surroundings, so that tests can bring their own: time and a log. */
import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @throws the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    signal.throwIfAborted();
    await delay(ms, undefined, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
  },
};

/** What a command may say while it works; the frame writes it to the job's log, escaped. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  /** Shown as an annotation; for facts that a person should know but need not act on. */
  notice(message: string): void;
  warning(message: string): void;
}
