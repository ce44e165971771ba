import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";

/**
 * Makes an empty queue, which runs a bounded number of jobs at once, in the order they were added. Disposal aborts those that
 * run, and waits for them.
 *
 * @param run Runs one job to its end, and records a failed job by itself: its rejection is a defect, logged as one.
 */
export function createJobQueue(
  concurrency: number,
  run: (id: string, signal: AbortSignal) => Promise<void>,
  log: Log,
) {
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();

  const startWaiting = () => {
    for (const id of waiting) {
      if (stop.signal.aborted || running.size >= concurrency) return;
      if (running.has(id)) continue;
      waiting.delete(id);
      running.set(id, runOne(id));
    }
  };
  const runOne = async (id: string) => {
    try {
      await run(id, stop.signal);
    } catch (error) {
      log.warning(`Job ${id} stopped on a defect: ${stackOf(error)}`);
    }
    running.delete(id);
    startWaiting();
  };
  return {
    /** Adds a job; one that is waiting already is not added twice, one that is running is run once more afterwards. */
    add(id: string): void {
      waiting.add(id);
      startWaiting();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running.values());
    },
  };
}
