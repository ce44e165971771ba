import type { ByteRange } from "../archive/byte-source.ts";

/** A stretch of the bundle that one connection is fetching. */
export interface Segment {
  readonly start: number;
  /** Bytes before this position are on disk. */
  written: number;
  /** Bytes before this position have arrived. */
  received: number;
  /** Where the segment ends; it may be moved nearer while it is fetched. */
  end: number;
}

/** Who fetches which bytes of one object, and which are there. */
export class SegmentMap {
  #total: number;
  /** Stretches that nobody fetches, in order. */
  #gaps: ByteRange[];
  readonly #active = new Set<Segment>();
  #wanted: number | undefined;

  /** @param total length of the object; `Infinity` while storage does not say it */
  constructor(total: number) {
    this.#total = total;
    this.#gaps = total === 0 ? [] : [{ start: 0, end: total }];
  }

  /** Length of the object; `Infinity` while it is unknown. */
  get total(): number {
    return this.#total;
  }

  /** Learns the length of the object. */
  bound(total: number): void {
    this.#total = total;
    this.#gaps = this.#gaps
      .map(({ start, end }) => ({ start, end: Math.min(end, total) }))
      .filter(({ start, end }) => start < end);
    for (const segment of this.#active) segment.end = Math.min(segment.end, total);
  }

  get isDone(): boolean {
    return this.#gaps.length === 0 && this.#active.size === 0;
  }

  get active(): ReadonlySet<Segment> {
    return this.#active;
  }

  /** Bytes that have not arrived. */
  get remainingBytes(): number {
    const waiting = this.#gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0);
    return [...this.#active].reduce((sum, { received, end }) => sum + end - received, waiting);
  }

  /** Asks for the bytes at `position` to be taken next: somebody waits for them. */
  want(position: number): void {
    this.#wanted = position;
  }

  /** The next stretch to fetch, of at most `maxBytes`: the wanted one, or the lowest. */
  take(maxBytes: number): Segment | undefined {
    const index = Math.max(
      0,
      this.#gaps.findIndex((gap) => this.#isWantedIn(gap)),
    );
    const gap = this.#gaps[index];
    if (!gap) return undefined;
    const start = this.#isWantedIn(gap) ? (this.#wanted ?? gap.start) : gap.start;
    const segment = { start, received: start, written: start, end: Math.min(gap.end, start + maxBytes) };
    const rest = [
      { start: gap.start, end: start },
      { start: segment.end, end: gap.end },
    ].filter((part) => part.start < part.end);
    this.#gaps.splice(index, 1, ...rest);
    this.#active.add(segment);
    return segment;
  }

  /** Gives the bytes that a segment has beyond `keepBytes` more to whoever asks next. */
  shrink(segment: Segment, keepBytes: number): void {
    const end = Math.min(segment.end, segment.received + keepBytes);
    if (end === segment.end) return;
    this.#putBack({ start: end, end: segment.end });
    segment.end = end;
  }

  /** Ends a segment; what it has not written is to be fetched again. */
  release(segment: Segment): void {
    this.#active.delete(segment);
    if (segment.written < segment.end) this.#putBack({ start: segment.written, end: segment.end });
  }

  /** How many bytes from `position` on are on disk without a hole. */
  availableAt(position: number): number {
    for (const { start, written, end } of this.#active) {
      if (position >= start && position < end && position >= written) return 0;
    }
    const inGap = this.#gaps.some(({ start, end }) => position >= start && position < end);
    if (inGap || position >= this.#total) return 0;
    const holes = [
      ...this.#gaps.map(({ start }) => start),
      ...[...this.#active].map(({ written }) => written),
    ];
    const next = holes.filter((hole) => hole > position);
    return Math.min(this.#total, ...next) - position;
  }

  #isWantedIn({ start, end }: ByteRange): boolean {
    return this.#wanted !== undefined && this.#wanted >= start && this.#wanted < end;
  }

  #putBack(range: ByteRange): void {
    this.#gaps.push(range);
    this.#gaps.sort((a, b) => a.start - b.start);
    this.#gaps = mergeTouching(this.#gaps);
  }
}

function mergeTouching(ranges: readonly ByteRange[]): ByteRange[] {
  const merged: ByteRange[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last && last.end === range.start) merged[merged.length - 1] = { start: last.start, end: range.end };
    else merged.push(range);
  }
  return merged;
}
