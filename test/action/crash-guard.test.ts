import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { createCrashGuard } from "../../src/action/crash-guard.ts";

describe("createCrashGuard", () => {
  test("rejects with an exception that nobody caught", async () => {
    const process = new EventEmitter();
    using guard = createCrashGuard(process);
    const crash = new Error("socket exploded");
    process.emit("uncaughtException", crash);
    await expect(guard.crashed).rejects.toBe(crash);
  });

  test("leaves an exception to a narrower guard", async () => {
    const process = new EventEmitter();
    const seen: unknown[] = [];
    using guard = createCrashGuard(process);
    process.on("uncaughtException", (error) => seen.push(error));
    process.emit("uncaughtException", "theirs");
    expect(await Promise.race([guard.crashed, Promise.resolve("nothing")])).toBe("nothing");
    expect(seen).toEqual(["theirs"]);
  });

  test("stops watching when it is disposed of", () => {
    const process = new EventEmitter();
    createCrashGuard(process)[Symbol.dispose]();
    expect(process.listenerCount("uncaughtException")).toBe(0);
  });
});
