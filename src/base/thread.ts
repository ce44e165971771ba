import { join } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";

/** What a thread is started with: which of `src/thread.ts`'s tasks, and what it works on. */
export interface ThreadInput {
  readonly task: "verify" | "render";
  readonly input: unknown;
}

/** Starts a task in a thread of its own, which knows nothing of the environment's variables. */
export function startThread(
  task: ThreadInput["task"],
  input: unknown,
  resourceLimits?: ResourceLimits,
): Worker {
  const workerData: ThreadInput = { task, input };
  return new Worker(threadEntry(), {
    workerData,
    argv: ["thread"],
    env: {},
    execArgv: [],
    ...(resourceLimits && { resourceLimits }),
  });
}

/** In the bundle every module lies beside the one entry, which tells by itself that it runs in a thread. */
function threadEntry(): string {
  const { dirname, filename } = import.meta;
  return filename.endsWith(".ts") ? join(dirname, "../thread.ts") : join(dirname, "index.js");
}
