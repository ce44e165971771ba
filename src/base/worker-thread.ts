import { join } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** What a worker thread is started with: one of the tasks of `src/worker-thread.ts`, and the task's input. */
export interface WorkerThreadInput {
  readonly task: "verify" | "render";
  readonly input: unknown;
}

/** Starts a task in a worker thread that has no environment variables. */
export function startWorkerThread(
  task: WorkerThreadInput["task"],
  input: unknown,
  resourceLimits?: ResourceLimits,
): Worker {
  const workerData: WorkerThreadInput = { task, input };
  // In `dist/`, this module is bundled into a chunk beside `index.js`, which recognizes a worker thread by its first argument.
  const entry = import.meta.filename.endsWith(".ts") ? "../worker-thread.ts" : "index.js";
  return new Worker(join(import.meta.dirname, entry), {
    workerData,
    argv: ["worker-thread"],
    env: {},
    execArgv: [],
    ...(resourceLimits && { resourceLimits }),
  });
}

/** The message that ends a worker thread; its tasks get only numbers. */
export const endMessage = "end";
const endGraceMs = 2_000;

/**
 * Ends a worker thread at its next turn of the event loop, or after two seconds wherever it is. `terminate()` alone could stop it while it
 * creates a decompressor or compressor; Node then aborts the whole process ("close before init").
 */
export async function endWorkerThread(thread: Worker): Promise<void> {
  const hasEnded = thread.threadId === -1;
  if (hasEnded) return;
  const ended = new Promise((resolve) => thread.once("exit", resolve));
  thread.postMessage(endMessage);
  const timer = setTimeout(() => void thread.terminate(), endGraceMs);
  await ended;
  clearTimeout(timer);
}
