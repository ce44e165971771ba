import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import type { Work } from "./storage.ts";

/**
 * Makes an empty queue, which runs a bounded number of jobs at once: urgent ones first, then those of the group that has the fewest
 * running, then in the order they were added. Disposal aborts those that run, and waits for them.
 *
 * @param run Runs one job to its end, and records a failed job by itself: its rejection is a defect, logged as one.
 */
export function createJobQueue(
  concurrency: number,
  run: (id: string, signal: AbortSignal) => Promise<void>,
  log: Log,
) {
  const waiting = new Map<string, Entry>();
  const running = new Map<string, Entry & { readonly ended: Promise<void> }>();
  const stop = new AbortController();

  const shareOf = ({ work }: Entry) =>
    [...running.values()].filter((other) => other.work.group === work.group).length;
  const isBefore = (one: Entry, other: Entry) => {
    const [urgent, otherUrgent] = [one, other].map(({ work }) => work.isUrgent === true);
    return urgent === otherUrgent ? shareOf(one) < shareOf(other) : urgent;
  };
  const startWaiting = () => {
    while (!stop.signal.aborted && running.size < concurrency) {
      const [first, ...others] = [...waiting.values()].filter(({ id }) => !running.has(id));
      if (first === undefined) return;
      const next = others.reduce((best, entry) => (isBefore(entry, best) ? entry : best), first);
      waiting.delete(next.work.key);
      running.set(next.id, { ...next, ended: runOne(next.id) });
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
    /** Adds work on a record; while some on the same one is running, it waits. */
    add(id: string, work: Work): void {
      waiting.set(work.key, { id, work });
      startWaiting();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

interface Entry {
  readonly id: string;
  readonly work: Work;
}
