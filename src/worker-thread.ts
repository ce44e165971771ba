/** The entry of every worker thread: loads and runs its task. */
import { parentPort, workerData } from "node:worker_threads";
import { endMessage, type WorkerThreadInput } from "./base/worker-thread.ts";

const { task, input } = workerData as WorkerThreadInput;
const tasks = {
  verify: async () => (await import("./bundle/verify.ts")).runVerification,
  render: async () => (await import("./server/site/render-pages.ts")).runRendering,
} satisfies Record<WorkerThreadInput["task"], () => Promise<(input: never) => Promise<void> | void>>;
void tasks[task]().then((run) => {
  // Messages wait until there is a listener, so that of the task follows in the same turn.
  parentPort?.on("message", (message) => message === endMessage && process.exit());
  return run(input as never);
});
