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
  return new Worker(entryPath(), {
    workerData,
    argv: ["worker-thread"],
    env: {},
    execArgv: [],
    ...(resourceLimits && { resourceLimits }),
  });
}

/** In `dist/`, this module is bundled into a chunk beside `index.js`, which recognizes a worker thread by its first argument. */
function entryPath(): string {
  return import.meta.filename.endsWith(".ts")
    ? join(import.meta.dirname, "../worker-thread.ts")
    : join(import.meta.dirname, "index.js");
}
