import { describe, expect, it } from "vitest";
import { nextSegment } from "../../../src/bundle/transfer/next-segment.ts";
import { SegmentMap } from "../../../src/bundle/transfer/segment-map.ts";

const megabyte = 1_000_000;

describe("the next segment", () => {
  it("is all there is while one connection is at work", () => {
    const segments = new SegmentMap(900 * megabyte);

    expect(nextSegment(segments, { target: 1, bytesPerSecond: 0 })).toMatchObject({ end: 900 * megabyte });
  });

  it("relieves the connection that has all of it, at the front", () => {
    const segments = new SegmentMap(900 * megabyte);
    const first = nextSegment(segments, { target: 1, bytesPerSecond: 0 });

    const second = nextSegment(segments, { target: 4, bytesPerSecond: 80 * megabyte });

    expect(first).toMatchObject({ start: 0, end: 20 * megabyte });
    expect(second).toMatchObject({ start: 20 * megabyte, end: 40 * megabyte });
  });

  it("lasts a second at most, and shrinks toward the end", () => {
    const segments = new SegmentMap(200 * megabyte);
    const sizes: number[] = [];
    const pace = { target: 4, bytesPerSecond: 80 * megabyte };
    for (let next = nextSegment(segments, pace); next; next = nextSegment(segments, pace)) {
      sizes.push(next.end - next.start);
      next.received = next.end;
    }

    expect(sizes[0]).toBe(20 * megabyte);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes.at(-1)).toBeLessThanOrEqual(5 * megabyte);
  });

  it("is half of what the slowest still has when nothing waits", () => {
    const segments = new SegmentMap(10 * megabyte);
    const first = nextSegment(segments, { target: 1, bytesPerSecond: 0 });
    if (first) first.received = 2 * megabyte;

    const second = nextSegment(segments, { target: 2, bytesPerSecond: 400 * megabyte });

    expect(first?.end).toBe(6 * megabyte);
    expect(second).toMatchObject({ start: 6 * megabyte, end: 10 * megabyte });
  });

  it("is none where the rest is too small to be shared", () => {
    const segments = new SegmentMap(megabyte);
    nextSegment(segments, { target: 1, bytesPerSecond: 0 });

    expect(nextSegment(segments, { target: 4, bytesPerSecond: megabyte })).toBeUndefined();
  });
});
