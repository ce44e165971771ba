/** The entry of every worker thread: loads and runs its task. */
import { workerData } from "node:worker_threads";
import type { WorkerThreadInput } from "./base/worker-thread.ts";

const { task, input } = workerData as WorkerThreadInput;
const tasks = {
  verify: async () => (await import("./bundle/verify.ts")).runVerification,
  render: async () => (await import("./server/site/render-pages.ts")).runRendering,
} satisfies Record<WorkerThreadInput["task"], () => Promise<(input: never) => Promise<void> | void>>;
void tasks[task]().then((run) => run(input as never));
