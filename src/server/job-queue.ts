import type { Log } from "../base/runtime.ts";
import { stackOf } from "../base/text.ts";

/** Runs jobs by id, a bounded number at once, in the order they were added. Disposal aborts them and waits for them. */
export interface JobQueue extends AsyncDisposable {
  /** Adds a job; one that is waiting already is not added twice, one that is running is run once more afterwards. */
  add(id: string): void;
}

interface JobQueueDeps {
  /** Runs one job to its end. It reports failures of the job by itself: a rejection is a defect, and is logged as one. */
  run(id: string, signal: AbortSignal): Promise<void>;
  readonly log: Log;
}

/** Makes an empty queue. */
export function createJobQueue({ concurrency }: { concurrency: number }, deps: JobQueueDeps): JobQueue {
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();

  const runOne = async (id: string) => {
    try {
      await deps.run(id, stop.signal);
    } catch (error) {
      deps.log.warning(`Job ${id} stopped on a defect: ${stackOf(error)}`);
    }
    running.delete(id);
    startWaiting();
  };
  const startWaiting = () => {
    for (const id of waiting) {
      if (stop.signal.aborted || running.size >= concurrency) return;
      if (running.has(id)) continue;
      waiting.delete(id);
      running.set(id, runOne(id));
    }
  };
  return {
    add: (id) => {
      waiting.add(id);
      startWaiting();
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await Promise.all(running.values());
    },
  };
}
