import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { verifyArriving } from "../../src/bundle/verify-thread.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** A bundle that is large enough for a worker thread, and of which no byte arrives. */
async function startVerification(signal: AbortSignal) {
  const folder = await createTemporaryFolder();
  const path = join(folder.path, "bundle");
  await writeFile(path, "");
  const total = 1024 ** 3;
  const asked = Promise.withResolvers<void>();
  const available = async () => {
    asked.resolve();
    await once(signal, "abort");
    throw signal.reason;
  };
  const started = once(process, "worker");
  const task = { path, total, checksums: [], sizeBytes: undefined, limits: {} };
  const verification = verifyArriving(task, { size: async () => total, available }, signal);
  verification.catch(() => undefined);
  const [thread] = (await started) as [Worker];
  await asked.promise;
  return { thread, verification, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("an error of the worker thread does not end the process while the thread is being terminated", async () => {
  const [controller, reason] = [new AbortController(), new Error("cancelled")];
  await using setup = await startVerification(controller.signal);
  const { thread, verification } = setup;
  const lateErrors: boolean[] = [];
  thread.once("exit", () => lateErrors.push(thread.emit("error", new Error("out of memory"))));

  controller.abort(reason);

  await expect(verification).rejects.toBe(reason);
  expect(lateErrors).toEqual([true]);
});
