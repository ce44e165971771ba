import { describe, expect, it } from "vitest";
import { createRateMeter, describeProgress } from "../../src/bundle/progress.ts";

describe("progress", () => {
  it("is one line", () => {
    expect(
      describeProgress({
        bytes: 210e6,
        total: 500e6,
        bytesPerSecond: 52.5e6,
        secondsLeft: 5.5,
        connections: 4,
      }),
    ).toBe("42 % · 210.0 of 500.0 MB · 52.5 MB/s · 6 s left · 4 connections");
  });

  it("says what is known where storage does not say the length", () => {
    expect(
      describeProgress({
        bytes: 3e6,
        total: undefined,
        bytesPerSecond: 1e6,
        secondsLeft: undefined,
        connections: 1,
      }),
    ).toBe("3.0 MB · 1.0 MB/s");
  });

  it("counts minutes where there are some left", () => {
    expect(
      describeProgress({ bytes: 0, total: 1e9, bytesPerSecond: 1e6, secondsLeft: 125, connections: 1 }),
    ).toContain("2 min 5 s left");
  });

  it("measures the rate over the last seconds only, and never a negative one", () => {
    const meter = createRateMeter();

    expect(meter.add(0, 0)).toBe(0);
    expect(meter.add(1000, 1000)).toBe(1000);
    expect(meter.add(4000, 10_000)).toBe(2500);
    expect(meter.add(9000, 10_000)).toBe(0);
    expect(meter.add(9500, 0)).toBe(0);
  });
});
