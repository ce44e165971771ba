import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { createInterruption } from "../../src/action/interruption.ts";

describe("createInterruption", () => {
  test.each(["SIGINT", "SIGTERM"])("aborts every wait on %s, with a reason that says so", async (name) => {
    const process = new EventEmitter();
    using interruption = createInterruption(process);
    process.emit(name);
    await interruption.cancelled;
    expect(interruption.signal.reason).toMatchObject({
      code: "cancelled",
      message: "The workflow was cancelled.",
    });
  });

  test("keeps the first reason", () => {
    const process = new EventEmitter();
    using interruption = createInterruption(process);
    process.emit("SIGINT");
    const { reason } = interruption.signal;
    process.emit("SIGTERM");
    expect(interruption.signal.reason).toBe(reason);
  });

  test("leaves no listener behind", () => {
    const process = new EventEmitter();
    createInterruption(process)[Symbol.dispose]();
    expect(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM")).toBe(0);
  });
});
