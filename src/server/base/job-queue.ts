import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";

/** Runs jobs by id, a bounded number at once, in the order they were added. Disposal aborts them and waits for them. */
export class JobQueue implements AsyncDisposable {
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #concurrency: number;
  readonly #run: (id: string, signal: AbortSignal) => Promise<void>;
  readonly #log: Log;

  /** @param run Runs one job to its end, and records a failed job by itself: its rejection is a defect, logged as one. */
  constructor(concurrency: number, run: (id: string, signal: AbortSignal) => Promise<void>, log: Log) {
    this.#concurrency = concurrency;
    this.#run = run;
    this.#log = log;
  }

  /** Adds a job; one that is waiting already is not added twice, one that is running is run once more afterwards. */
  add(id: string): void {
    this.#waiting.add(id);
    this.#startWaiting();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running.values());
  }

  #startWaiting(): void {
    for (const id of this.#waiting) {
      if (this.#stop.signal.aborted || this.#running.size >= this.#concurrency) return;
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      this.#running.set(id, this.#runOne(id));
    }
  }

  async #runOne(id: string): Promise<void> {
    try {
      await this.#run(id, this.#stop.signal);
    } catch (error) {
      this.#log.warning(`Job ${id} stopped on a defect: ${stackOf(error)}`);
    }
    this.#running.delete(id);
    this.#startWaiting();
  }
}
