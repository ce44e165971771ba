/** Assigns segments of an object to connections. */
import type { Arrivals } from "./verify.ts";

/** A range of the object that is not complete on disk. */
export interface Segment {
  /** Position of the first byte that is not on disk. */
  written: number;
  /** End of the range (exclusive). That of the first segment decreases when the length becomes known. */
  end: number;
  isActive: boolean;
}

/** A request's round trip should take only a small part of the time of its segment. */
const minSegmentBytes = 1024 * 1024;
/** Verification reads from the start and must not wait long for a missing range. */
const maxSegmentBytes = 16 * 1024 * 1024;

/** The missing ranges of an object in order, and the reader (verification) that waits for them. */
export class SegmentMap implements Arrivals {
  /** Length of the object; `Infinity` while it is unknown. */
  total: number;
  /** The position that the reader requested last. If its bytes are missing, they are downloaded next. */
  readPosition = 0;
  readonly #segments: Segment[];
  readonly #signal: AbortSignal | undefined;
  #progress = Promise.withResolvers<void>();

  constructor(total = Number.POSITIVE_INFINITY, signal?: AbortSignal) {
    this.total = total;
    this.#segments = [{ written: 0, end: total, isActive: false }];
    this.#signal = signal;
    signal?.addEventListener("abort", () => this.notify(), { once: true });
  }

  readonly size = async (): Promise<number> => {
    while (this.total === Number.POSITIVE_INFINITY) await this.#wait();
    return this.total;
  };

  readonly available = async (position: number): Promise<number> => {
    this.readPosition = position;
    for (;;) {
      const bytes = this.availableAt(position);
      if (bytes > 0 || position >= this.total) return bytes;
      await this.#wait();
    }
  };

  /** Wakes the reader after bytes have been written or the length has become known. */
  notify(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }

  async #wait(): Promise<void> {
    this.#signal?.throwIfAborted();
    await this.#progress.promise;
    this.#signal?.throwIfAborted();
  }

  get isDone(): boolean {
    return this.#segments.length === 0;
  }

  get remainingBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.end - segment.written, 0);
  }

  /** Number of contiguous bytes on disk from `position` on. */
  availableAt(position: number): number {
    const hole = this.#segments.find(({ end }) => end > position);
    return Math.max(0, (hole?.written ?? this.total) - position);
  }

  /** Sets the length of the object. With several connections, the first one gives up everything but its share. */
  setTotal(total: number, connections = 1): void {
    this.total = total;
    for (const segment of this.#segments.toReversed()) {
      segment.end = Math.min(segment.end, total);
      if (connections > 1) this.#split(segment, segment.written + this.#shareOf(connections));
      if (!segment.isActive) this.release(segment);
    }
  }

  /**
   * Assigns the next segment to an idle connection. A single connection gets everything, so that it never waits for a round trip.
   * Several connections get segments in order, so that verification can follow.
   */
  next(connections: number): Segment | undefined {
    return this.take(connections === 1 ? Number.POSITIVE_INFINITY : this.#shareOf(connections));
  }

  /** Half of an equal share: segments become smaller toward the end, and all connections finish at about the same time. */
  #shareOf(connections: number): number {
    const share = Math.ceil(this.remainingBytes / (2 * connections));
    return Math.max(minSegmentBytes, Math.min(share, maxSegmentBytes));
  }

  /** Assigns the segment that the reader waits for, or else the first idle one, limited to `maxBytes`. */
  take(maxBytes: number): Segment | undefined {
    const free = this.#segments.filter(({ isActive }) => !isActive);
    const needed = free.find(({ written, end }) => written <= this.readPosition && this.readPosition < end);
    const segment = needed ? this.#split(needed, this.readPosition) : free[0];
    if (!segment) return undefined;
    this.#split(segment, segment.written + maxBytes);
    segment.isActive = true;
    return segment;
  }

  /** Ends the assignment of a segment. Its missing bytes become available to other connections. */
  release(segment: Segment): void {
    segment.isActive = false;
    if (segment.written >= segment.end) this.#segments.splice(this.#segments.indexOf(segment), 1);
  }

  /** Splits a segment at `position`, if that is inside it. Returns the part that starts there. */
  #split(segment: Segment, position: number): Segment {
    if (position <= segment.written || position >= segment.end) return segment;
    const rest = { written: position, end: segment.end, isActive: false };
    segment.end = position;
    this.#segments.splice(this.#segments.indexOf(segment) + 1, 0, rest);
    return rest;
  }
}
