import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConnectionPlan, type Segment, SegmentMap } from "../../src/bundle/segments.ts";

const megabyte = 1e6;

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

  it("reassigns the bytes that a connection does not finish or is relieved of", () => {
    const map = new SegmentMap(100);
    const segment = taken(map.take(100));
    segment.written = 30;

    map.shrink(segment, 10);
    expect(map.take(100)).toMatchObject({ written: 40, end: 100 });
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
      kind: fc.constantFrom("take", "write", "write", "shrink", "release", "await"),
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
  if (kind === "await") map.readPosition = amount;
  const segment = map.active[pick % Math.max(1, map.active.length)];
  if (!segment) return;
  if (kind === "shrink") map.shrink(segment, amount);
  if (kind === "release") map.release(segment);
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
  it("is everything for a single connection", () => {
    expect(new SegmentMap(900 * megabyte).next(1, 0)).toMatchObject({ end: 900 * megabyte });
  });

  it("splits the segment of the connection that has everything", () => {
    const map = new SegmentMap(900 * megabyte);
    const first = map.next(1, 0);

    const second = map.next(4, 80 * megabyte);

    expect(first).toMatchObject({ written: 0, end: 20 * megabyte });
    expect(second).toMatchObject({ written: 20 * megabyte, end: 40 * megabyte });
  });

  it("takes at most one second, and becomes smaller toward the end", () => {
    const map = new SegmentMap(200 * megabyte);
    const sizes: number[] = [];
    for (let next = map.next(4, 80 * megabyte); next; next = map.next(4, 80 * megabyte)) {
      sizes.push(next.end - next.written);
      next.written = next.end;
    }

    expect(sizes[0]).toBe(20 * megabyte);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes.at(-1)).toBeLessThanOrEqual(5 * megabyte);
  });

  it("is half of the largest active segment if no segment is idle", () => {
    const map = new SegmentMap(10 * megabyte);
    const first = taken(map.next(1, 0));
    first.written = 2 * megabyte;

    const second = map.next(2, 400 * megabyte);

    expect(first.end).toBe(6 * megabyte);
    expect(second).toMatchObject({ written: 6 * megabyte, end: 10 * megabyte });
  });

  const mebibyte = 1024 * 1024;

  it.each([
    ["64 MiB while the speed is unknown", 0, 64 * mebibyte],
    ["a second's bytes", 4 * megabyte, 2 * megabyte],
    ["at least 1 MiB", 100, mebibyte],
    ["at least a quarter of a second's bytes", 800 * megabyte, 100 * megabyte],
  ])("is %s", (_name, bytesPerSecond, bytes) => {
    expect(new SegmentMap(10_000 * megabyte).next(2, bytesPerSecond)).toMatchObject({ end: bytes });
  });

  it("is split from another one of more than 2 MiB", () => {
    const [small, large] = [0, 2].map((more) => new SegmentMap(2 * mebibyte + more));
    const first = taken(large?.next(1, 0));
    small?.next(1, 0);

    expect(small?.next(4, megabyte)).toBeUndefined();
    expect(large?.next(4, megabyte)).toMatchObject({ written: mebibyte, end: 2 * mebibyte });
    expect(first.end).toBe(mebibyte);
    expect(large?.next(4, megabyte)).toMatchObject({ written: 2 * mebibyte, end: 2 * mebibyte + 2 });
  });

  it("is undefined if the rest is too small to be split", () => {
    const map = new SegmentMap(megabyte);
    map.next(1, 0);

    expect(map.next(4, megabyte)).toBeUndefined();
  });
});

function taken(segment: Segment | undefined): Segment {
  if (!segment) throw new Error("There is a segment.");
  return segment;
}

/** An arbitrary start time. */
const startMs = Date.parse("2026-11-21T08:00:00Z");

/** Simulates a transfer in steps of 25 ms at a speed for each connection. */
function simulate(plan: ConnectionPlan, rate: number, totalBytes: number, seconds: number): void {
  let bytes = 0;
  for (let step = 1; step <= seconds * 40; step += 1) {
    bytes = Math.min(totalBytes, bytes + (plan.target * rate) / 40);
    plan.observe(startMs + step * 25, bytes, totalBytes - bytes);
  }
}

describe("ConnectionPlan", () => {
  it("uses all connections after a quarter of a second, unless the transfer ends within half a second", () => {
    const targetAfter = (totalBytes: number, seconds: number) => {
      const plan = new ConnectionPlan(8);
      simulate(plan, 20 * megabyte, totalBytes, seconds);
      return plan.target;
    };

    expect(targetAfter(2000 * megabyte, 0.25)).toBe(1);
    expect(targetAfter(2000 * megabyte, 0.275)).toBe(8);
    expect(targetAfter(10 * megabyte, 0.5)).toBe(1);
  });

  it.each([
    [249, megabyte, 100 * megabyte, 1],
    [250, megabyte, 2 * megabyte, 1],
    [250, megabyte, 2 * megabyte + 1, 8],
    [250, 0, 1, 8],
    [250, 0, 0, 1],
  ])("after %i ms with %i bytes and %i left plans %i", (elapsedMs, bytes, remaining, target) => {
    const plan = new ConnectionPlan(8);
    plan.observe(startMs, 0, remaining);
    plan.observe(startMs + elapsedMs, bytes, remaining);

    expect(plan.target).toBe(target);
    expect(plan.bytesPerSecond).toBe(elapsedMs < 250 ? 0 : 4 * bytes);
  });

  it("measures the speed again and again", () => {
    const plan = new ConnectionPlan(4);

    simulate(plan, 20 * megabyte, 2000 * megabyte, 2);

    expect(plan.bytesPerSecond).toBeCloseTo(80 * megabyte);
  });

  it("keeps a lowered maximum", () => {
    const plan = new ConnectionPlan(8);
    simulate(plan, 20 * megabyte, 2000 * megabyte, 1);

    plan.limit(3);
    expect(plan.target).toBe(3);
    plan.limit(5);
    simulate(plan, 20 * megabyte, 2000 * megabyte, 1);

    expect(plan.target).toBe(3);
  });
});
