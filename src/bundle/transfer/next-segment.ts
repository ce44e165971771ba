import type { Segment, SegmentMap } from "./segment-map.ts";

const minSegmentBytes = 1024 * 1024;
const maxSegmentBytes = 64 * 1024 * 1024;
/** A segment lasts about so long: long against a round trip, short against the whole. */
const segmentSeconds = 2;

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
  const perConnection = (bytesPerSecond / target) * segmentSeconds;
  const fair = segments.remainingBytes / target;
  const size = Math.ceil(Math.max(minSegmentBytes, Math.min(perConnection || fair, fair, maxSegmentBytes)));
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
