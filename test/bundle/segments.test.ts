import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConnectionPlan, type Segment, SegmentMap } from "../../src/bundle/segments.ts";

const megabyte = 1e6;

describe("SegmentMap", () => {
  it("hands out what is missing from the front", () => {
    const map = new SegmentMap(100);

    expect(map.take(40)).toMatchObject({ written: 0, end: 40 });
    expect(map.take(40)).toMatchObject({ written: 40, end: 80 });
    expect(map.take(40)).toMatchObject({ written: 80, end: 100 });
    expect(map.take(40)).toBeUndefined();
  });

  it("hands out first what a reader waits for", () => {
    const map = new SegmentMap(100);
    map.asked = 70;

    expect(map.take(10)).toMatchObject({ written: 70, end: 80 });
    expect(map.take(100)).toMatchObject({ written: 0, end: 70 });
  });

  it("takes back what a connection does not finish, and what it is relieved of", () => {
    const map = new SegmentMap(100);
    const segment = taken(map.take(100));
    segment.written = 30;

    map.shrink(segment, 10);
    expect(map.take(100)).toMatchObject({ written: 40, end: 100 });
    map.release(segment);

    expect(map.take(100)).toMatchObject({ written: 30, end: 40 });
  });

  it("learns how long the object is", () => {
    const map = new SegmentMap();
    const segment = map.take(Number.POSITIVE_INFINITY);

    map.bound(500);

    expect(segment?.end).toBe(500);
    expect(map.remainingBytes).toBe(500);
  });

  it("never gives a byte to two connections, never loses one, and knows which are there", () => {
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
  if (kind === "await") map.asked = amount;
  const segment = map.taken[pick % Math.max(1, map.taken.length)];
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
  it("is all there is while one connection is at work", () => {
    expect(new SegmentMap(900 * megabyte).next(1, 0)).toMatchObject({ end: 900 * megabyte });
  });

  it("relieves the connection that has all of it, at the front", () => {
    const map = new SegmentMap(900 * megabyte);
    const first = map.next(1, 0);

    const second = map.next(4, 80 * megabyte);

    expect(first).toMatchObject({ written: 0, end: 20 * megabyte });
    expect(second).toMatchObject({ written: 20 * megabyte, end: 40 * megabyte });
  });

  it("lasts a second at most, and shrinks toward the end", () => {
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

  it("is half of what the slowest still has when nothing waits", () => {
    const map = new SegmentMap(10 * megabyte);
    const first = taken(map.next(1, 0));
    first.written = 2 * megabyte;

    const second = map.next(2, 400 * megabyte);

    expect(first.end).toBe(6 * megabyte);
    expect(second).toMatchObject({ written: 6 * megabyte, end: 10 * megabyte });
  });

  it("is none where the rest is too small to be shared", () => {
    const map = new SegmentMap(megabyte);
    map.next(1, 0);

    expect(map.next(4, megabyte)).toBeUndefined();
  });
});

function taken(segment: Segment | undefined): Segment {
  if (!segment) throw new Error("There is a segment.");
  return segment;
}

/** Some moment; the plan must not care which. */
const startMs = Date.parse("2026-11-21T08:00:00Z");

interface Link {
  /** Bytes per second that so many connections bring together. */
  rateOf(connections: number, seconds: number): number;
  readonly totalBytes?: number;
}

/** Runs a transfer on paper, in steps of 25 ms; returns how many connections were at work after each second. */
function simulate(
  plan: ConnectionPlan,
  { rateOf, totalBytes = 2000 * megabyte }: Link,
  seconds: number,
): number[] {
  const perSecond: number[] = [];
  let bytes = 0;
  for (let step = 1; step <= seconds * 40; step += 1) {
    bytes = Math.min(totalBytes, bytes + rateOf(plan.target, step / 40) / 40);
    plan.observe(startMs + step * 25, bytes, plan.target, totalBytes - bytes);
    if (step % 40 === 0) perSecond.push(plan.target);
  }
  return perSecond;
}

describe("ConnectionPlan", () => {
  it("takes all it may where each connection is limited", () => {
    const plan = new ConnectionPlan(8);

    expect(simulate(plan, { rateOf: (connections) => connections * 20 * megabyte }, 2)).toEqual([8, 8]);
  });

  it("keeps to what it is allowed", () => {
    const plan = new ConnectionPlan(3);

    expect(simulate(plan, { rateOf: (connections) => connections * 20 * megabyte }, 2)).toEqual([3, 3]);
  });

  it("stays with one where more bring nothing, and tries again ever more rarely", () => {
    const plan = new ConnectionPlan(8);

    const connections = simulate(plan, { rateOf: () => 20 * megabyte }, 40);

    expect(connections.filter((count) => count === 1).length).toBeGreaterThan(34);
  });

  it("does not take a connection that still speeds up for a slow one", () => {
    const plan = new ConnectionPlan(8);
    // Each round trip of 50 ms doubles what comes, until the link is full: with one connection or with eight.
    const rateOf = (_connections: number, seconds: number) =>
      Math.min(100 * megabyte, 0.3 * megabyte * 2 ** (seconds / 0.05));

    const connections = simulate(plan, { rateOf }, 10);

    expect(connections.filter((count) => count === 1).length).toBeGreaterThan(7);
  });

  it("keeps four where eight are not better", () => {
    const plan = new ConnectionPlan(8);

    const connections = simulate(plan, { rateOf: (count) => Math.min(count, 4) * 20 * megabyte }, 20);

    expect(connections.filter((count) => count === 4).length).toBeGreaterThan(16);
  });

  it("finds out when a limit appears on the way", () => {
    const plan = new ConnectionPlan(4);
    let isLimited = false;
    const rateOf = (connections: number) => (isLimited ? connections * 10 : 20) * megabyte;

    simulate(plan, { rateOf }, 1);
    isLimited = true;

    expect(simulateFrom(plan, rateOf).at(-1)).toBe(4);
  });

  it("does not try more for what is nearly done", () => {
    const plan = new ConnectionPlan(8);

    expect(simulate(plan, { rateOf: () => 20 * megabyte, totalBytes: 8 * megabyte }, 1)).toEqual([1]);
  });

  it("takes one fewer when storage turns one away", () => {
    const plan = new ConnectionPlan(4);
    simulate(plan, { rateOf: (connections) => connections * 20 * megabyte }, 1);

    plan.refused(startMs + 1000);

    expect(plan.target).toBe(3);
  });

  it("does not wait for ever for connections that never deliver", () => {
    const plan = new ConnectionPlan(4);
    const targets: number[] = [];
    for (let step = 1; step <= 200; step += 1) {
      plan.observe(startMs + step * 25, step * megabyte, 1, 1000 * megabyte);
      if (targets.at(-1) !== plan.target) targets.push(plan.target);
    }

    expect(targets.slice(0, 3)).toEqual([1, 4, 1]);
  });
});

function simulateFrom(plan: ConnectionPlan, rateOf: (connections: number) => number): number[] {
  const targets: number[] = [];
  let bytes = 20 * megabyte;
  for (let step = 41; step <= 41 + 40 * 10; step += 1) {
    bytes += rateOf(plan.target) / 40;
    plan.observe(startMs + step * 25, bytes, plan.target, 2000 * megabyte);
    targets.push(plan.target);
  }
  return targets;
}
