/** Which connection fetches which bytes of an object, and how many connections there should be. */
import type { Arrivals } from "./verify-thread.ts";

/** A stretch of the object that is not on disk yet. */
export interface Segment {
  /** Bytes before this position are on disk. */
  written: number;
  /** Where the segment ends; it may be moved nearer while it is fetched. */
  end: number;
  /** Whether a connection fetches it. */
  isTaken: boolean;
}

const minSegmentBytes = 1024 * 1024;
const maxSegmentBytes = 64 * 1024 * 1024;
/** A segment lasts about so long at most: what is checked from the front must not wait long for a hole to close. */
const maxSegmentSeconds = 1;
/** And at least so long: a round trip costs a good part of what is shorter. */
const minSegmentSeconds = 0.25;

/** Which bytes of one object are missing, in order, and a reader that waits for them. */
export class SegmentMap implements Arrivals {
  /** Length of the object; `Infinity` while it is unknown. */
  total: number;
  /** Position that the reader asked for last; where it is missing, it is fetched next. */
  asked = 0;
  readonly #segments: Segment[];
  readonly #signal: AbortSignal | undefined;
  #growth = Promise.withResolvers<void>();

  /** @param signal ends the waits of the reader */
  constructor(total = Number.POSITIVE_INFINITY, signal?: AbortSignal) {
    this.total = total;
    this.#segments = [{ written: 0, end: total, isTaken: false }];
    this.#signal = signal;
    signal?.addEventListener("abort", () => this.grown(), { once: true });
  }

  readonly size = async (): Promise<number> => {
    while (this.total === Number.POSITIVE_INFINITY) await this.#wait();
    return this.total;
  };

  readonly available = async (position: number): Promise<number> => {
    this.asked = position;
    for (;;) {
      const bytes = this.availableAt(position);
      if (bytes > 0 || position >= this.total) return bytes;
      await this.#wait();
    }
  };

  /** Says that bytes have been written, or that the length is known. */
  grown(): void {
    this.#growth.resolve();
    this.#growth = Promise.withResolvers();
  }

  async #wait(): Promise<void> {
    this.#signal?.throwIfAborted();
    await this.#growth.promise;
    this.#signal?.throwIfAborted();
  }

  get isDone(): boolean {
    return this.#segments.length === 0;
  }

  /** Segments that connections are fetching. */
  get taken(): readonly Segment[] {
    return this.#segments.filter(({ isTaken }) => isTaken);
  }

  /** Bytes that are not on disk. */
  get remainingBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + missing(segment), 0);
  }

  /** How many bytes from `position` on are on disk without a hole. */
  availableAt(position: number): number {
    const hole = this.#segments.find(({ end }) => end > position);
    return Math.max(0, (hole?.written ?? this.total) - position);
  }

  /** Learns the length of the object. */
  bound(total: number): void {
    this.total = total;
    for (const segment of this.#segments.toReversed()) {
      segment.end = Math.min(segment.end, total);
      if (!segment.isTaken) this.release(segment);
    }
  }

  /**
   * The next stretch for a connection that is free. One connection alone takes all there is: it never waits for a round
   * trip. Several take pieces in order, so that what is on disk grows from the front and can be checked meanwhile; near
   * the end they share what is left.
   *
   * @param connections that should be at work
   * @param bytesPerSecond over all connections; 0 before it was measured
   */
  next(connections: number, bytesPerSecond: number): Segment | undefined {
    if (connections === 1) return this.take(Number.POSITIVE_INFINITY);
    const rate = bytesPerSecond / connections;
    // Half of a fair share: the pieces shrink toward the end, and all connections end together.
    const share = this.remainingBytes / (2 * connections);
    const most = rate > 0 ? Math.min(maxSegmentBytes, rate * maxSegmentSeconds) : maxSegmentBytes;
    const size = Math.ceil(Math.max(minSegmentBytes, rate * minSegmentSeconds, Math.min(share, most)));
    return this.take(size) ?? this.#takeFromSlowest(size);
  }

  /** What the reader waits for, or else the lowest bytes that no connection fetches, at most so many. */
  take(maxBytes: number): Segment | undefined {
    const free = this.#segments.filter(({ isTaken }) => !isTaken);
    const awaited = free.find(({ written, end }) => written <= this.asked && this.asked < end);
    const segment = awaited ? this.#split(awaited, this.asked) : free[0];
    if (!segment) return undefined;
    this.#split(segment, segment.written + maxBytes);
    segment.isTaken = true;
    return segment;
  }

  /** Gives the bytes that a segment has beyond `keepBytes` more to the connection that asks next. */
  shrink(segment: Segment, keepBytes: number): void {
    this.#split(segment, segment.written + keepBytes);
  }

  /** Ends a segment; what it has not written is to be fetched again. */
  release(segment: Segment): void {
    segment.isTaken = false;
    if (segment.written >= segment.end) this.#segments.splice(this.#segments.indexOf(segment), 1);
  }

  /** Another connection has more than its piece before it: it keeps one, and gives the rest away. */
  #takeFromSlowest(size: number): Segment | undefined {
    const [slowest] = this.taken.toSorted((a, b) => missing(b) - missing(a));
    if (!slowest || missing(slowest) <= 2 * minSegmentBytes) return undefined;
    this.shrink(slowest, Math.ceil(Math.max(minSegmentBytes, Math.min(size, missing(slowest) / 2))));
    return this.take(size);
  }

  /** Cuts a segment in two at `position`, if that lies inside; returns the part that starts there. */
  #split(segment: Segment, position: number): Segment {
    if (position <= segment.written || position >= segment.end) return segment;
    const rest = { written: position, end: segment.end, isTaken: false };
    segment.end = position;
    this.#segments.splice(this.#segments.indexOf(segment) + 1, 0, rest);
    return rest;
  }
}

function missing({ written, end }: Segment): number {
  return end - written;
}

const windowMs = 50;
const minWindowBytes = 128 * 1024;
/** Until then a rate must be steady and every connection deliver; afterwards what there is is taken. */
const settleMs = 1500;
/** Two windows in a row that agree so well are a rate; while a connection still speeds up, they do not. */
const agreement = 1.25;
const stepFactor = 4;
/** More connections stay when they bring at least this much more. */
const requiredGain = 1.25;
const firstHoldMs = 1500;
const maxHoldMs = 30_000;
/** With less than this left, another connection would not pay for itself. */
const worthSeconds = 0.5;

/**
 * How many connections a transfer uses, from what more of them were seen to bring: it starts with one. Each measured
 * window either tries more, keeps those that raised the total, or goes back to as many as were better; then it waits
 * before it tries again.
 */
export class ConnectionPlan {
  /** Connections that should be at work now. */
  target = 1;
  /** Over all connections, as last measured; 0 before the first measurement. */
  bytesPerSecond = 0;
  #max: number;
  #window: { readonly nowMs: number; readonly bytes: number } | undefined;
  #windowRate = 0;
  #levelSinceMs: number | undefined;
  /** What was measured with fewer connections, while more are tried. */
  #before: { readonly connections: number; readonly bytesPerSecond: number } | undefined;
  #holdUntilMs = 0;
  #holdMs = firstHoldMs;

  constructor(max: number) {
    this.#max = max;
  }

  /** Never more than so many connections from now on. */
  limit(max: number): void {
    this.#max = Math.min(this.#max, max);
  }

  /** Storage turned a connection away: one fewer, for a while. */
  refused(nowMs: number): void {
    this.#goBackTo(Math.max(1, this.target - 1), nowMs);
  }

  /**
   * Takes note of how the transfer stands; called again and again.
   *
   * @param bytes received so far over all connections
   * @param delivering connections that have received something
   * @param remaining bytes that are still to come
   */
  observe(nowMs: number, bytes: number, delivering: number, remaining: number): void {
    this.#levelSinceMs ??= nowMs;
    const isSettled = nowMs - this.#levelSinceMs >= settleMs;
    // New connections count from their first byte on.
    if (delivering === 0 || (delivering < this.target && !isSettled)) {
      this.#window = undefined;
      return;
    }
    this.#window ??= { nowMs, bytes };
    const elapsedMs = nowMs - this.#window.nowMs;
    const arrived = bytes - this.#window.bytes;
    if (elapsedMs < windowMs || (arrived < minWindowBytes && !isSettled)) return;
    this.#window = { nowMs, bytes };
    const previous = this.#windowRate;
    const current = (arrived / elapsedMs) * 1000;
    this.#windowRate = current;
    const isSteady = Math.max(previous, current) <= Math.min(previous, current) * agreement;
    if (!isSteady && !isSettled) return;
    this.bytesPerSecond = isSteady ? (previous + current) / 2 : current;
    this.#decide(nowMs, remaining);
  }

  #decide(nowMs: number, remaining: number): void {
    const before = this.#before;
    this.#before = undefined;
    if (before && this.bytesPerSecond < before.bytesPerSecond * requiredGain) {
      this.#goBackTo(before.connections, nowMs);
      return;
    }
    const isWorth = remaining / Math.max(this.bytesPerSecond, 1) > worthSeconds;
    if (this.target >= this.#max || nowMs < this.#holdUntilMs || !isWorth) return;
    this.#before = { connections: this.target, bytesPerSecond: this.bytesPerSecond };
    this.#moveTo(Math.min(this.#max, this.target * stepFactor), nowMs);
  }

  #goBackTo(connections: number, nowMs: number): void {
    this.#moveTo(connections, nowMs);
    this.#before = undefined;
    this.#holdUntilMs = nowMs + this.#holdMs;
    this.#holdMs = Math.min(maxHoldMs, this.#holdMs * 2);
  }

  #moveTo(connections: number, nowMs: number): void {
    this.target = connections;
    this.#window = undefined;
    this.#windowRate = 0;
    this.#levelSinceMs = nowMs;
  }
}
