/**
 * Why a stream ended before its end. It travels through the pipe as the last value instead of an error, because an
 * erroring stream throws away whatever is still queued in it, and what arrived is to be shown.
 */
export class StreamFault {
  /**
   * - `cut`: the connection ended or broke;
   * - `idle`: nothing came for too long;
   * - `malformed`: what came is not the protocol;
   * - `too-long`: one line, or the whole, is longer than any answer.
   */
  readonly reason: "cut" | "idle" | "malformed" | "too-long";
  /** What was seen, as the end of a sentence: "the connection broke (ECONNRESET)". */
  readonly detail: string;
  readonly cause: unknown;

  constructor(reason: StreamFault["reason"], detail: string, cause?: unknown) {
    this.reason = reason;
    this.detail = detail;
    this.cause = cause;
  }
}

/**
 * A stage of the pipe: `transform` and `flush` see values only; a fault is passed on as the last value. A fault that a
 * stage emits itself ends the pipe there.
 */
export function createStage<In, Out>({
  transform,
  flush,
}: {
  transform: (value: In, emit: (value: Out | StreamFault) => void) => void;
  flush?: (emit: (value: Out | StreamFault) => void) => void;
}): TransformStream<In | StreamFault, Out | StreamFault> {
  let ended = false;
  function emitTo(controller: TransformStreamDefaultController<Out | StreamFault>) {
    return (value: Out | StreamFault) => {
      if (ended) return;
      controller.enqueue(value);
      if (value instanceof StreamFault) {
        ended = true;
        controller.terminate();
      }
    };
  }
  return new TransformStream({
    transform(value, controller) {
      const emit = emitTo(controller);
      if (value instanceof StreamFault) emit(value);
      else transform(value, emit);
    },
    flush(controller) {
      flush?.(emitTo(controller));
    },
  });
}
