import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Segment, SegmentMap } from "../../src/bundle/segments.ts";

describe("SegmentMap", () => {
  it("assigns missing bytes from the start", () => {
    const map = new SegmentMap(100);

    expect(map.take(40)).toMatchObject({ written: 0, end: 40 });
    expect(map.take(40)).toMatchObject({ written: 40, end: 80 });
    expect(map.take(40)).toMatchObject({ written: 80, end: 100 });
    expect(map.take(40)).toBeUndefined();
  });

  it("first assigns the bytes that the reader waits for", () => {
    const map = new SegmentMap(100);
    map.readPosition = 70;

    expect(map.take(10)).toMatchObject({ written: 70, end: 80 });
    expect(map.take(100)).toMatchObject({ written: 0, end: 70 });
  });

  it("reassigns the bytes that a connection does not finish", () => {
    const map = new SegmentMap(100);
    const segment = taken(map.take(40));
    segment.written = 30;
    map.release(segment);

    expect(map.take(100)).toMatchObject({ written: 30, end: 40 });
  });

  it("adjusts to the length of the object", () => {
    const map = new SegmentMap();
    const segment = map.take(Number.POSITIVE_INFINITY);

    map.setTotal(500);

    expect(segment?.end).toBe(500);
    expect(map.remainingBytes).toBe(500);
  });

  it("is done when all bytes are there, however long the object was thought to be", () => {
    const map = new SegmentMap();
    const segment = taken(map.take(10));
    map.setTotal(5);
    expect([map.remainingBytes, map.take(1)]).toStrictEqual([5, undefined]);

    segment.written = 5;
    expect(map.isDone).toBe(false);
    map.release(segment);

    expect([map.isDone, map.remainingBytes, map.availableAt(2), map.availableAt(9)]).toEqual([true, 0, 3, 0]);
  });

  it("lets the reader wait for the length and for its bytes", async () => {
    const map = new SegmentMap();
    const size = map.size();
    const segment = taken(map.take(10));
    map.notify();
    map.setTotal(5);
    map.notify();
    expect(await size).toBe(5);

    const bytes = map.available(1);
    expect(map.readPosition).toBe(1);
    segment.written = 1;
    map.notify();
    segment.written = 3;
    map.notify();
    expect(await bytes).toBe(2);
    expect(await map.available(5)).toBe(0);
  });

  it("ends the reader's waiting with the signal's reason", async () => {
    const controller = new AbortController();
    const map = new SegmentMap(100, controller.signal);
    const reason = new Error("The run was cancelled.");
    const waiting = map.available(0);
    controller.abort(reason);

    await expect(waiting).rejects.toBe(reason);
    await expect(map.available(0)).rejects.toBe(reason);
  });

  it("never assigns a byte twice, never loses one, and knows which bytes are on disk", () => {
    const action = fc.record({
      kind: fc.constantFrom("take", "write", "write", "release", "await"),
      pick: fc.nat(7),
      amount: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const map = new SegmentMap(200);
        const active: Segment[] = [];
        const onDisk = new Set<number>();
        for (const step of actions) {
          run(map, step, active, onDisk);
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

function run(map: SegmentMap, { kind, pick, amount }: Step, active: Segment[], onDisk: Set<number>): void {
  const added = kind === "take" ? map.take(amount) : undefined;
  if (added) active.push(added);
  if (kind === "await") map.readPosition = amount;
  const at = pick % Math.max(1, active.length);
  const segment = active[at];
  if (!segment) return;
  if (kind === "release") {
    map.release(segment);
    active.splice(at, 1);
  }
  const end = kind === "write" ? Math.min(segment.end, segment.written + amount) : segment.written;
  for (; segment.written < end; segment.written += 1) {
    if (onDisk.has(segment.written)) throw new Error(`Byte ${segment.written} is fetched twice.`);
    onDisk.add(segment.written);
  }
}

function expectConsistent(map: SegmentMap, onDisk: ReadonlySet<number>): void {
  expect(map.remainingBytes).toBe(200 - onDisk.size);
  const positions = [...Array(200).keys()];
  const claimed = positions.map((position) => {
    const available = map.availableAt(position);
    return available > 0 && positions.slice(position, position + available).every((at) => onDisk.has(at));
  });
  expect(claimed).toEqual(positions.map((position) => onDisk.has(position)));
}

describe("the next segment", () => {
  const mebibyte = 1024 * 1024;

  it("is everything for a single connection", () => {
    expect(new SegmentMap(900 * mebibyte).next(1)).toMatchObject({ end: 900 * mebibyte });
  });

  it("is what the first connection gives up when the length is known", () => {
    const map = new SegmentMap();
    const first = map.next(1);

    map.setTotal(900 * mebibyte, 4);

    expect(first).toMatchObject({ written: 0, end: 16 * mebibyte });
    expect(map.next(4)).toMatchObject({ written: 16 * mebibyte, end: 32 * mebibyte });
  });

  it("becomes smaller toward the end, down to 1 MiB", () => {
    const map = new SegmentMap(200 * mebibyte);
    const sizes: number[] = [];
    for (let next = map.next(4); next; next = map.next(4)) {
      sizes.push(next.end - next.written);
      next.written = next.end;
    }

    expect(sizes.slice(0, -1)).toEqual(sizes.slice(0, -1).sort((a, b) => b - a));
    expect([sizes[0], sizes.at(-2)]).toEqual([16 * mebibyte, mebibyte]);
  });
});

function taken(segment: Segment | undefined): Segment {
  if (!segment) throw new Error("There is a segment.");
  return segment;
}
