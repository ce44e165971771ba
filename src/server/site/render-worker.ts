/** The thread's side of `render-pages.ts`: renders the pages whose numbers it is sent, one after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { createPageRenderer, type PagesToRender } from "./render-pages.ts";

const render = createPageRenderer(workerData as PagesToRender);
let last = Promise.resolve();
// An error ends the thread, and its reason goes to the thread that started it.
parentPort?.on("message", (number: number) => {
  last = last.then(async () => parentPort?.postMessage(await render(number)));
});
