import type { FileHandle } from "node:fs/promises";
import { corrupt } from "../errors.ts";

/** Bytes that can be read at any position; a source that is still growing waits until they have arrived. */
export interface ByteSource {
  /** Length of the whole, once it is known. */
  size(): Promise<number>;
  /** Reads up to `buffer.length` bytes at `position`; 0 only at the end. */
  read(buffer: Buffer, position: number): Promise<number>;
}

/** A finished file as a source. */
export function createFileSource(file: FileHandle): ByteSource {
  return {
    async size() {
      return (await file.stat()).size;
    },
    async read(buffer, position) {
      return (await file.read(buffer, 0, buffer.length, position)).bytesRead;
    },
  };
}

/** A stretch of a source: from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const chunkBytes = 256 * 1024;

/**
 * Streams a stretch of a source. A chunk is valid until the one after the next is asked for: two buffers take turns,
 * so that one can be read while the other is used.
 *
 * @throws {BundleError} when the source ends before the stretch does
 */
export async function* streamRange(
  source: ByteSource,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer, void, undefined> {
  const length = Math.min(chunkBytes, end - start);
  let current = Buffer.allocUnsafeSlow(length);
  let next = Buffer.allocUnsafeSlow(length);
  let position = start;
  let reading = source.read(current.subarray(0, end - position), position);
  while (position < end) {
    const bytesRead = await reading;
    if (bytesRead === 0) throw corrupt(`The archive ends at byte ${position} instead of ${end}.`);
    position += bytesRead;
    const chunk = current.subarray(0, bytesRead);
    [current, next] = [next, current];
    reading =
      position < end ? source.read(current.subarray(0, end - position), position) : Promise.resolve(0);
    // Whoever stops early never awaits it.
    reading.catch(() => undefined);
    yield chunk;
  }
}

/** Fills the whole buffer from `position`. */
async function readFully(source: ByteSource, buffer: Buffer, position: number): Promise<void> {
  let filled = 0;
  while (filled < buffer.length) {
    const bytesRead = await source.read(buffer.subarray(filled), position + filled);
    if (bytesRead === 0) throw corrupt(`The archive ends at byte ${position + filled}, too early.`);
    filled += bytesRead;
  }
}

/** A sliding window over a source: many small reads cost one large one. */
export interface ByteWindow {
  /** The bytes asked for if the window covers them; valid until the next call. */
  peek(position: number, length: number): Buffer | undefined;
  /** Moves the window so that it starts at `position`; `length` must fit into it. */
  fill(position: number, length: number): Promise<Buffer>;
}

/** Opens a window of `windowBytes` that never looks beyond `limit`. */
export function createByteWindow(
  source: ByteSource,
  { windowBytes, limit }: { readonly windowBytes: number; readonly limit: number },
): ByteWindow {
  const buffer = Buffer.allocUnsafe(windowBytes);
  let start = 0;
  let filled = 0;
  return {
    peek(position, length) {
      const offset = position - start;
      return offset >= 0 && offset + length <= filled ? buffer.subarray(offset, offset + length) : undefined;
    },
    async fill(position, length) {
      if (position + length > limit) {
        throw corrupt(
          `A part of ${length} bytes at byte ${position} goes beyond where it must end (${limit}).`,
        );
      }
      filled = 0;
      const wanted = Math.min(windowBytes, limit - position);
      await readFully(source, buffer.subarray(0, wanted), position);
      start = position;
      filled = wanted;
      return buffer.subarray(0, length);
    },
  };
}
