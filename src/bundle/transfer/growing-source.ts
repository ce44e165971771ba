import type { FileHandle } from "node:fs/promises";
import type { ByteSource } from "../archive/byte-source.ts";
import type { SegmentMap } from "./segment-map.ts";

/** A file that is being fetched, readable wherever its bytes have arrived. */
export interface GrowingSource extends ByteSource {
  /** Wakes readers that wait for bytes. */
  grown(): void;
}

/** Reads a part file along its segment map; waits end with the signal. */
export function createGrowingSource(
  { handle, segments }: { readonly handle: FileHandle; readonly segments: SegmentMap },
  signal: AbortSignal,
): GrowingSource {
  let growth = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => growth.resolve(), { once: true });

  async function waitForGrowth(): Promise<void> {
    await growth.promise;
    signal.throwIfAborted();
  }

  return {
    grown() {
      growth.resolve();
      growth = Promise.withResolvers();
    },
    async size() {
      while (segments.total === Number.POSITIVE_INFINITY) await waitForGrowth();
      return segments.total;
    },
    async read(buffer, position) {
      for (;;) {
        signal.throwIfAborted();
        const length = Math.min(buffer.length, segments.availableAt(position));
        if (length > 0) return (await handle.read(buffer, 0, length, position)).bytesRead;
        if (position >= segments.total) return 0;
        segments.want(position);
        await waitForGrowth();
      }
    },
  };
}
