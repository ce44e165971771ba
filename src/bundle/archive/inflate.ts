import { once } from "node:events";
import type { Gunzip, InflateRaw } from "node:zlib";
import { releaseBuffer } from "../release-buffer.ts";

interface InflateDeps {
  /** Gets each piece of what comes out, in the call itself: the piece is not valid afterwards. */
  readonly onOutput: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

/**
 * Drives a zlib engine over its input, one chunk at a time, to the end of the compressed stream or of the input.
 *
 * A pipeline would do the same with a queue before and behind the engine: three times the memory, and a chunk could
 * not be used again.
 *
 * @throws what zlib, the input, the receiver or the signal failed with
 */
export async function inflate(
  engine: Gunzip | InflateRaw,
  input: AsyncIterable<Buffer>,
  { onOutput, signal }: InflateDeps,
): Promise<void> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const stopped = Promise.withResolvers<void>();
  either.addEventListener("abort", () => stopped.resolve(), { once: true });
  engine.on("data", (chunk: Buffer) => {
    if (either.aborted) return;
    try {
      onOutput(chunk);
      // zlib hands out one buffer in pieces: with the last piece, all have been used.
      releaseBuffer(chunk);
    } catch (error) {
      failure.abort(error);
    }
  });
  engine.on("error", (error) => failure.abort(error));
  const ended = once(engine, "end", { signal: either });
  // Awaited below; a failure that comes first is reported by the signal.
  ended.catch(() => undefined);
  try {
    for await (const chunk of input) {
      // zlib does not call back for a chunk that it fails at.
      const taken = new Promise<void>((resolve) => engine.write(chunk, () => resolve()));
      await Promise.race([taken, stopped.promise]);
      either.throwIfAborted();
      if (engine.readableEnded) return;
    }
    engine.end();
    await ended;
  } catch (error) {
    either.throwIfAborted();
    throw error;
  } finally {
    engine.destroy();
  }
}
