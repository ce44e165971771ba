/** Retries that know the operation. */
import type { Clock, Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import { PlatformError } from "../errors.ts";

/**
 * When a failed request may be repeated:
 * - `freely`: a read, or a call that can be made twice without harm;
 * - `unless-limited`: like `freely`, but a used-up limit (429) is answered by the caller, who can show the wait;
 * - `unless-sent`: it creates something; repeated only if it surely did not arrive or was turned away (429);
 * - `unless-arrived`: it creates something whose refusal (429) the caller answers itself; repeated only if it surely did not arrive;
 * - `never`: the caller has a schedule of its own (polling).
 */
export type RetryPolicy = "freely" | "unless-limited" | "unless-sent" | "unless-arrived" | "never";

export interface RepeatDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch after which no retry starts. */
  readonly deadlineMs: number;
}

const maxAttempts = 5;
const maxBackoffMs = 30_000;

/**
 * Runs a request until it succeeds, its policy forbids another try, or the deadline is near.
 *
 * @throws the last failure; the signal's reason when aborted.
 */
export async function repeatRequest<T>(
  request: { readonly retry: RetryPolicy },
  deps: RepeatDeps,
  run: () => Promise<T>,
): Promise<T> {
  const { clock, log, signal } = deps;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await run();
    } catch (error) {
      const delayMs = delayBeforeRetry({ request, error, attempts }, deps);
      if (delayMs === undefined) throw error;
      const seconds = Math.max(1, Math.round(delayMs / 1000));
      log.info(
        `${messageOf(error)} Trying again in ${seconds} s (attempt ${attempts + 1} of ${maxAttempts}).`,
      );
      await clock.sleep(delayMs, signal);
    }
  }
}

/** How long to wait before the next attempt; `undefined`: give up. Full jitter, or what the platform asked for. */
function delayBeforeRetry(
  {
    request,
    error,
    attempts,
  }: { request: { readonly retry: RetryPolicy }; error: unknown; attempts: number },
  { clock, random, deadlineMs }: RepeatDeps,
): number | undefined {
  if (!(error instanceof PlatformError) || attempts >= maxAttempts || !mayRepeat(request, error))
    return undefined;
  const jitter = random() * Math.min(maxBackoffMs, 1000 * 2 ** attempts);
  const delayMs = Math.max(error.retryAfterMs ?? 0, jitter);
  return clock.now() + delayMs < deadlineMs ? delayMs : undefined;
}

function mayRepeat(request: { readonly retry: RetryPolicy }, error: PlatformError): boolean {
  if (request.retry === "never" || error.maybeSubmitted) return false;
  if (error.code === "unreachable") return true;
  if (request.retry === "unless-arrived") return false;
  if (error.code === "rate-limited") return request.retry !== "unless-limited";
  if (request.retry === "unless-sent") return false;
  // A conflict is a job that is not yet where its status says it is; garbage in a success is a proxy's passing fault.
  const isGarbled = error.code === "unexpected-response" && error.status !== undefined && error.status < 300;
  return error.code === "unavailable" || error.code === "conflict" || isGarbled;
}
