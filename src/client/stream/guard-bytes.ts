/** The entrance of a streamed answer: a body of bytes that never errors, never hangs and never grows without end. */
import { messageOf } from "../../base/text.ts";
import { StreamFault } from "./stream-fault.ts";

export interface GuardBytesOptions {
  /** Longest silence between two chunks, in milliseconds. */
  readonly idleMs: number;
  /** Longest body, in bytes. */
  readonly maxBytes: number;
}

/**
 * Reads a body as a standard stream. A broken connection, a silence longer than `idleMs` and a body over `maxBytes`
 * become a last value of the stream; cancelling it lets go of the connection.
 */
export function guardBytes(
  body: AsyncIterable<Uint8Array>,
  { idleMs, maxBytes }: GuardBytesOptions,
): ReadableStream<Uint8Array | StreamFault> {
  const iterator = body[Symbol.asyncIterator]();
  let bytes = 0;
  return new ReadableStream<Uint8Array | StreamFault>(
    {
      async pull(controller) {
        const next = await nextOrFault(iterator, idleMs);
        if (next === undefined) return controller.close();
        bytes += next instanceof StreamFault ? 0 : next.byteLength;
        const last =
          bytes > maxBytes
            ? new StreamFault("too-long", `it is longer than ${maxBytes} bytes`)
            : next instanceof StreamFault
              ? next
              : undefined;
        controller.enqueue(last ?? next);
        if (last === undefined) return;
        controller.close();
        release(iterator);
      },
      cancel() {
        release(iterator);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The next chunk, a fault, or `undefined` at the end. */
async function nextOrFault(
  iterator: AsyncIterator<Uint8Array>,
  idleMs: number,
): Promise<Uint8Array | StreamFault | undefined> {
  const silence = Promise.withResolvers<StreamFault>();
  const timer = setTimeout(
    () => silence.resolve(new StreamFault("idle", `nothing came for ${Math.round(idleMs / 1000)} s`)),
    idleMs,
  );
  try {
    const next = await Promise.race([iterator.next(), silence.promise]);
    if (next instanceof StreamFault) return next;
    return next.done === true ? undefined : next.value;
  } catch (error) {
    const message = messageOf(error);
    return new StreamFault("cut", `the connection broke (${message})`, error);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a body without waiting for it: a silent connection would hold up the end. */
function release(iterator: AsyncIterator<Uint8Array>): void {
  // The body is given up; how it takes that is of no interest any more.
  iterator.return?.().catch(() => undefined);
}
