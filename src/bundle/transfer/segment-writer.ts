import { releaseBuffer } from "../release-buffer.ts";
import type { PartFile } from "./part-file.ts";
import type { Segment } from "./segment-map.ts";
import type { BodyControl } from "./storage-exchange.ts";

const flushBytes = 512 * 1024;
const flushChunks = 256;
/** Chunks are held by reference until they are written; beyond this the connection waits for the disk. */
const maxPendingBytes = 1024 * 1024;

/** Takes a body's chunks and writes them behind each other into a segment's place in the file. */
export interface SegmentWriter {
  accept(chunk: Buffer): void;
  /** Whether the disk, not storage, is what the connection waits for. */
  readonly isPaused: boolean;
  /** Resolves when everything accepted is on disk. */
  finish(): Promise<void>;
}

interface SegmentWriterDeps {
  readonly file: PartFile;
  readonly control: BodyControl;
  readonly onReceived: (bytes: number) => void;
  /** Gets the position behind the last byte written. */
  readonly onWritten: (position: number) => void;
  /** Gets the error that ends the exchange. */
  readonly onFailure: (error: unknown) => void;
}

/** Starts writing at the segment's `received` position, which must be its `written` one. */
export function createSegmentWriter(
  segment: Segment,
  { file, control, onReceived, onWritten, onFailure }: SegmentWriterDeps,
): SegmentWriter {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let isPaused = false;
  let isWriting = false;
  let written = Promise.resolve();

  async function writePending(): Promise<void> {
    while (pendingBytes > 0) {
      const chunks = pending;
      const bytes = pendingBytes;
      pending = [];
      pendingBytes = 0;
      resume();
      await file.write(chunks, segment.written);
      for (const chunk of chunks) releaseIfAlone(chunk);
      segment.written += bytes;
      onWritten(segment.written);
    }
  }

  function resume(): void {
    if (!isPaused) return;
    isPaused = false;
    control.resume();
  }

  function flush(): void {
    if (isWriting) return;
    isWriting = true;
    written = writePending().finally(() => {
      isWriting = false;
    });
    written.catch(onFailure);
  }

  return {
    get isPaused() {
      return isPaused;
    },
    accept(chunk) {
      const wanted = chunk.subarray(0, segment.end - segment.received);
      pending.push(wanted);
      pendingBytes += wanted.length;
      segment.received += wanted.length;
      onReceived(wanted.length);
      if (pendingBytes >= flushBytes || pending.length >= flushChunks) flush();
      if (segment.received >= segment.end) return control.stop();
      if (pendingBytes >= maxPendingBytes && !isPaused) {
        isPaused = true;
        control.pause();
      }
    },
    async finish() {
      if (pendingBytes > 0) flush();
      await written;
    },
  };
}

/** A chunk that shares its buffer shares it with what the connection may still parse. */
function releaseIfAlone(chunk: Buffer): void {
  if (chunk.byteOffset === 0) releaseBuffer(chunk);
}
