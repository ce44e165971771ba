import type { Segment, SegmentMap } from "./segment-map.ts";

const minSegmentBytes = 1024 * 1024;
const maxSegmentBytes = 64 * 1024 * 1024;
/** A segment lasts about so long at most: what is checked from the front must not wait long for a hole to close. */
const maxSegmentSeconds = 1;
/** And at least so long: a round trip costs a good part of what is shorter. */
const minSegmentSeconds = 0.25;

/** How the transfer runs now. */
export interface TransferPace {
  /** Connections that should be at work. */
  readonly target: number;
  /** Over all connections; 0 before it was measured. */
  readonly bytesPerSecond: number;
}

/**
 * The next stretch for a connection that is free. One connection alone takes all there is: it never waits for a round
 * trip. Several take pieces in order, so that what is on disk grows from the front and can be checked meanwhile; near
 * the end they share what is left.
 */
export function nextSegment(
  segments: SegmentMap,
  { target, bytesPerSecond }: TransferPace,
): Segment | undefined {
  if (target === 1) return segments.take(Number.POSITIVE_INFINITY);
  const perConnection = bytesPerSecond / target;
  // Half of a fair share: the pieces shrink toward the end, and all connections end together.
  const share = segments.remainingBytes / (2 * target);
  const least = Math.max(minSegmentBytes, perConnection * minSegmentSeconds);
  const most =
    perConnection > 0 ? Math.min(maxSegmentBytes, perConnection * maxSegmentSeconds) : maxSegmentBytes;
  const size = Math.ceil(Math.max(least, Math.min(share, most)));
  return segments.take(size) ?? takeFromSlowest(segments, size);
}

/** Another connection has more than its piece before it: it keeps one, and gives the rest away. */
function takeFromSlowest(segments: SegmentMap, size: number): Segment | undefined {
  const [victim] = [...segments.active].sort((a, b) => missing(b) - missing(a));
  if (!victim || !(missing(victim) > 2 * minSegmentBytes)) return undefined;
  segments.shrink(victim, Math.ceil(Math.max(minSegmentBytes, Math.min(size, missing(victim) / 2))));
  return segments.take(size);
}

function missing({ received, end }: Segment): number {
  return end - received;
}
