import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import type { Work } from "./storage.ts";

/**
 * Makes an empty queue, which runs a bounded number of jobs at once: urgent ones first, then those of the group that has the fewest
 * running, then of the one that has waited longest for its turn. Disposal aborts those that run, and waits for them.
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
  /** Which groups have had a turn, the latest last. */
  const turns = new Set<string>();
  const stop = new AbortController();

  const shareOf = ({ work }: Entry) =>
    [...running.values()].filter((other) => other.work.group === work.group).length;
  const turnOf = ({ work }: Entry) => [...turns].indexOf(work.group);
  const isBefore = (one: Entry, other: Entry) => {
    const [urgent, otherUrgent] = [one, other].map(({ work }) => work.isUrgent === true);
    if (urgent !== otherUrgent) return urgent;
    const shares = shareOf(one) - shareOf(other);
    return shares === 0 ? turnOf(one) < turnOf(other) : shares < 0;
  };
  const startWaiting = () => {
    while (!stop.signal.aborted && running.size < concurrency) {
      const [first, ...others] = [...waiting.values()].filter(({ id }) => !running.has(id));
      if (first === undefined) return;
      const next = others.reduce((best, entry) => (isBefore(entry, best) ? entry : best), first);
      waiting.delete(next.work.key);
      turns.delete(next.work.group);
      turns.add(next.work.group);
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
