import { describe, expect, it } from "vitest";
import {
  type ConcurrencyPlan,
  createConcurrencyPlan,
} from "../../../src/bundle/transfer/concurrency-plan.ts";

const megabyte = 1e6;
/** Some moment; the plan must not care which. */
const startMs = Date.parse("2026-11-21T08:00:00Z");

interface Link {
  /** Bytes per second that so many connections bring together. */
  rateOf(connections: number, seconds: number): number;
  readonly totalBytes?: number;
}

/** Runs a transfer on paper, in steps of 25 ms; returns how many connections were at work after each second. */
function simulate(
  plan: ConcurrencyPlan,
  { rateOf, totalBytes = 2000 * megabyte }: Link,
  seconds: number,
): number[] {
  const perSecond: number[] = [];
  let bytes = 0;
  for (let step = 1; step <= seconds * 40; step += 1) {
    bytes = Math.min(totalBytes, bytes + rateOf(plan.target, step / 40) / 40);
    plan.observe({
      nowMs: startMs + step * 25,
      bytes,
      delivering: plan.target,
      remaining: totalBytes - bytes,
    });
    if (step % 40 === 0) perSecond.push(plan.target);
  }
  return perSecond;
}

describe("the concurrency plan", () => {
  it("takes all it may where each connection is limited", () => {
    const plan = createConcurrencyPlan({ max: 8 });

    expect(simulate(plan, { rateOf: (connections) => connections * 20 * megabyte }, 2)).toEqual([8, 8]);
  });

  it("keeps to what it is allowed", () => {
    const plan = createConcurrencyPlan({ max: 3 });

    expect(simulate(plan, { rateOf: (connections) => connections * 20 * megabyte }, 2)).toEqual([3, 3]);
  });

  it("stays with one where more bring nothing, and asks again ever more rarely", () => {
    const plan = createConcurrencyPlan({ max: 8 });

    const connections = simulate(plan, { rateOf: () => 20 * megabyte }, 40);

    expect(connections.filter((count) => count === 1).length).toBeGreaterThan(34);
  });

  it("does not take a connection that still speeds up for a slow one", () => {
    const plan = createConcurrencyPlan({ max: 8 });
    // Each round trip of 50 ms doubles what comes, until the link is full: with one connection or with eight.
    const rateOf = (_connections: number, seconds: number) =>
      Math.min(100 * megabyte, 0.3 * megabyte * 2 ** (seconds / 0.05));

    const connections = simulate(plan, { rateOf }, 10);

    expect(connections.filter((count) => count === 1).length).toBeGreaterThan(7);
  });

  it("keeps four where eight are not better", () => {
    const plan = createConcurrencyPlan({ max: 8 });

    const connections = simulate(plan, { rateOf: (count) => Math.min(count, 4) * 20 * megabyte }, 20);

    expect(connections.filter((count) => count === 4).length).toBeGreaterThan(16);
  });

  it("finds out when a limit appears on the way", () => {
    const plan = createConcurrencyPlan({ max: 4 });
    let isLimited = false;
    const rateOf = (connections: number) => (isLimited ? connections * 10 : 20) * megabyte;

    simulate(plan, { rateOf }, 1);
    isLimited = true;

    expect(simulateFrom(plan, rateOf).at(-1)).toBe(4);
  });

  it("does not bother storage for what is nearly done", () => {
    const plan = createConcurrencyPlan({ max: 8 });

    expect(simulate(plan, { rateOf: () => 20 * megabyte, totalBytes: 8 * megabyte }, 1)).toEqual([1]);
  });

  it("takes one fewer when storage turns one away", () => {
    const plan = createConcurrencyPlan({ max: 4 });
    simulate(plan, { rateOf: (connections) => connections * 20 * megabyte }, 1);

    plan.refused(startMs + 1000);

    expect(plan.target).toBe(3);
  });

  it("does not wait for ever for connections that never deliver", () => {
    const plan = createConcurrencyPlan({ max: 4 });
    const targets: number[] = [];
    for (let step = 1; step <= 200; step += 1) {
      plan.observe({
        nowMs: startMs + step * 25,
        bytes: step * megabyte,
        delivering: 1,
        remaining: 1000 * megabyte,
      });
      if (targets.at(-1) !== plan.target) targets.push(plan.target);
    }

    expect(targets.slice(0, 3)).toEqual([1, 4, 1]);
  });
});

function simulateFrom(plan: ConcurrencyPlan, rateOf: (connections: number) => number): number[] {
  const targets: number[] = [];
  let bytes = 20 * megabyte;
  for (let step = 41; step <= 41 + 40 * 10; step += 1) {
    bytes += rateOf(plan.target) / 40;
    plan.observe({ nowMs: startMs + step * 25, bytes, delivering: plan.target, remaining: 2000 * megabyte });
    targets.push(plan.target);
  }
  return targets;
}
