/** The entry of every thread but the main one: loads and runs the task that it was started for. */
import { workerData } from "node:worker_threads";
import type { ThreadInput } from "./base/thread.ts";

const { task, input } = workerData as ThreadInput;
const tasks = {
  verify: async () => (await import("./bundle/verify-thread.ts")).runVerification,
  render: async () => (await import("./server/site/render-pages.ts")).runRendering,
} satisfies Record<ThreadInput["task"], () => Promise<(input: never) => Promise<void> | void>>;
const run = await tasks[task]();
await run(input as never);
