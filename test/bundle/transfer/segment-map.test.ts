import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Segment, SegmentMap } from "../../../src/bundle/transfer/segment-map.ts";

describe("SegmentMap", () => {
  it("hands out what is missing from the front", () => {
    const map = new SegmentMap(100);

    expect(map.take(40)).toMatchObject({ start: 0, end: 40 });
    expect(map.take(40)).toMatchObject({ start: 40, end: 80 });
    expect(map.take(40)).toMatchObject({ start: 80, end: 100 });
    expect(map.take(40)).toBeUndefined();
  });

  it("hands out first what somebody waits for", () => {
    const map = new SegmentMap(100);
    map.want(70);

    expect(map.take(10)).toMatchObject({ start: 70, end: 80 });
    expect(map.take(100)).toMatchObject({ start: 0, end: 70 });
  });

  it("takes back what a connection does not finish, and what it is relieved of", () => {
    const map = new SegmentMap(100);
    const segment = map.take(100);
    if (!segment) throw new Error("There is a segment.");
    segment.received = 30;
    segment.written = 20;

    map.shrink(segment, 10);
    expect(map.take(100)).toMatchObject({ start: 40, end: 100 });
    map.release(segment);

    expect(map.take(100)).toMatchObject({ start: 20, end: 40 });
  });

  it("learns how long the object is", () => {
    const map = new SegmentMap(Number.POSITIVE_INFINITY);
    const segment = map.take(Number.POSITIVE_INFINITY);

    map.bound(500);

    expect(segment?.end).toBe(500);
    expect(map.remainingBytes).toBe(500);
  });

  it("never gives a byte to two connections, never loses one, and knows which are there", () => {
    const action = fc.record({
      kind: fc.constantFrom("take", "write", "write", "shrink", "release", "want"),
      pick: fc.nat(7),
      amount: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const map = new SegmentMap(200);
        const onDisk = new Set<number>();
        for (const step of actions) {
          run(map, step, onDisk);
          expectConsistent(map, onDisk);
        }
      }),
    );
  });
});

interface Step {
  readonly kind: string;
  readonly pick: number;
  readonly amount: number;
}

function run(map: SegmentMap, { kind, pick, amount }: Step, onDisk: Set<number>): void {
  if (kind === "take") map.take(amount);
  if (kind === "want") map.want(amount);
  const segment = [...map.active][pick % Math.max(1, map.active.size)];
  if (!segment) return;
  if (kind === "shrink") map.shrink(segment, amount);
  if (kind === "release") map.release(segment);
  if (kind === "write") write(segment, amount, onDisk);
}

function write(segment: Segment, amount: number, onDisk: Set<number>): void {
  segment.received = Math.max(segment.received, Math.min(segment.end, segment.written + amount));
  for (; segment.written < segment.received; segment.written += 1) onDisk.add(segment.written);
}

function expectConsistent(map: SegmentMap, onDisk: ReadonlySet<number>): void {
  expect(map.remainingBytes).toBe(200 - onDisk.size);
  for (let position = 0; position < 200; position += 1) {
    const available = map.availableAt(position);
    expect(available > 0).toBe(onDisk.has(position));
    for (let offset = 0; offset < available; offset += 1) expect(onDisk.has(position + offset)).toBe(true);
  }
}
