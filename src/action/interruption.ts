/** One `AbortSignal` for every wait and request of a run: it aborts on SIGINT, SIGTERM and, as a last resort, after the deadline. */
import { InterruptedError } from "../base/errors.ts";

/** After the deadline a command has this long to say so itself; then the signal ends what still waits. */
const graceAfterDeadlineMs = 20_000;

export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves when the workflow was cancelled. */
  readonly cancelled: Promise<void>;
  /** Starts the deadline; before it is known, only signals interrupt. */
  startDeadline(afterMs: number): void;
  [Symbol.dispose](): void;
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
