/** The project's only retry: exponential backoff with full jitter, `Retry-After`, a deadline, and cancellation. */
import { type Clock, systemClock } from "./runtime.ts";

export interface Backoff {
  /** Upper bound of the first wait in milliseconds; it doubles with each attempt. */
  readonly baseMs: number;
  readonly maxMs: number;
}

const defaultBackoff: Backoff = { baseMs: 2_000, maxMs: 30_000 };

/** Full-jitter wait in milliseconds after `failures` failed attempts in a row (1 or more); `random` is uniform in [0, 1). */
export function backoffMs(
  failures: number,
  random: () => number,
  { baseMs, maxMs }: Backoff = defaultBackoff,
): number {
  return Math.round(random() * Math.min(maxMs, baseMs * 2 ** (failures - 1)));
}

/** What waits and retries depend on. */
export interface RetryDeps {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** `clock` and `random` default to the system's. */
export interface RetryOptions extends Partial<Omit<RetryDeps, "signal">>, Pick<RetryDeps, "signal"> {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  readonly backoff?: Backoff;
  /** Milliseconds since the epoch after which no further attempt starts. */
  readonly deadlineMs?: number;
  /** Minimum delay in milliseconds before the next attempt, given the number of failures so far; `undefined` to give up. */
  readonly retryAfterMs: (error: unknown, failures: number) => number | undefined;
  readonly onRetry?: (error: unknown, wait: { readonly delayMs: number; readonly attempt: number }) => void;
}

/**
 * Runs an operation until it succeeds, `retryAfterMs` gives up, or the attempts or the deadline are used up.
 *
 * @throws the last failure; the signal's reason when aborted.
 */
export async function retry<T>(run: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, backoff, deadlineMs, retryAfterMs, onRetry, signal } = options;
  const { clock = systemClock, random = Math.random } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(attempt);
    } catch (error) {
      signal.throwIfAborted();
      const minDelayMs = attempt < attempts ? retryAfterMs(error, attempt) : undefined;
      if (minDelayMs === undefined) throw error;
      const delayMs = Math.max(minDelayMs, backoffMs(attempt, random, backoff));
      if (deadlineMs !== undefined && clock.now() + delayMs >= deadlineMs) throw error;
      onRetry?.(error, { delayMs, attempt });
      await clock.sleep(delayMs, signal);
    }
  }
}

/** The platform's `Retry-After`, but longer with each refusal: the header may be missing or name a time that has passed. */
export function rateLimitDelayMs(retryAfterMs: number | undefined, attempt: number): number {
  const factor = 2 ** (attempt - 1);
  return retryAfterMs === undefined
    ? Math.min(60_000 * factor, 600_000)
    : Math.max(retryAfterMs, Math.min(1_000 * factor, 60_000));
}

/** Longer waits are cut to a year: no run waits for so long, and a time far in the future cannot be shown. */
const maxRetryAfterMs = 365 * 24 * 60 * 60_000;

/**
 * Parses `Retry-After` (seconds or an HTTP date, RFC 9110 §10.2.3).
 *
 * @returns milliseconds from `nowMs`, never negative; `undefined` if the header is missing or invalid.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  // Date.parse also accepts bare numbers. An HTTP date always has the name of a month.
  const dateMs = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Math.round(Number(text) * 1000) : dateMs - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), maxRetryAfterMs);
}
