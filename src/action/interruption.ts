/** What can end a run from outside its command: cancellation, the deadline, and an exception that nothing caught. */
import { InterruptedError } from "../base/errors.ts";

/** After the deadline a command has this long to report it itself; then the signal ends what still waits. */
const graceAfterDeadlineMs = 20_000;

export interface Interruption extends Disposable {
  /** One signal for every wait and request: aborts on SIGINT, SIGTERM and, as a last resort, after the deadline. */
  readonly signal: AbortSignal;
  /** Resolves when the workflow was cancelled. */
  readonly cancelled: Promise<void>;
  /** Starts the deadline; before it is known, only signals interrupt. */
  startDeadline(afterMs: number): void;
}

export function createInterruption(process: NodeJS.EventEmitter): Interruption {
  const controller = new AbortController();
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    controller.abort(new InterruptedError("cancelled", "The workflow was cancelled."));
    resolve();
  };
  process.on("SIGINT", cancel);
  process.on("SIGTERM", cancel);
  return {
    signal: controller.signal,
    cancelled,
    startDeadline(afterMs) {
      const timedOut = () =>
        controller.abort(new InterruptedError("timed-out", "`timeout-minutes` has passed."));
      timer = setTimeout(timedOut, afterMs + graceAfterDeadlineMs);
      timer.unref();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      process.off("SIGINT", cancel);
      process.off("SIGTERM", cancel);
    },
  };
}

export interface CrashGuard extends Disposable {
  /** Never resolves; rejects with the exception, so that such a run, too, ends with outcome and summary. */
  readonly crashed: Promise<never>;
}

/** Watches until it is disposed of; an exception that a narrower guard listens for is left to that guard. */
export function createCrashGuard(process: NodeJS.EventEmitter): CrashGuard {
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  // It may reject while nothing waits for it: that is no second crash.
  crashed.catch(() => undefined);
  const onCrash = (error: unknown) => {
    if (process.listenerCount("uncaughtException") === 1) reject(error);
  };
  process.on("uncaughtException", onCrash);
  return { crashed, [Symbol.dispose]: () => void process.off("uncaughtException", onCrash) };
}
