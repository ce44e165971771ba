import { type ConcurrencyPlan, createConcurrencyPlan } from "./concurrency-plan.ts";
import { nextSegment } from "./next-segment.ts";
import { type RoundState, SegmentWorker, type WorkerDeps } from "./segment-worker.ts";

/** How one version of the object is fetched. */
export interface FetchOptions {
  /** Whether to ask for ranges; without them there is one connection, and a cut means to start again. */
  readonly ranged: boolean;
  readonly maxConnections: number;
  /** Without a byte for so long, a connection is given up. */
  readonly stallMs: number;
}

/** What fetching works with. */
export interface FetchDeps extends WorkerDeps {
  /** Called many times a second. */
  readonly onTick: (state: { readonly received: number; readonly connections: number }) => void;
}

const tickMs = 25;

/** Fetches one version of the object into the part file, over as many connections as help. */
export class ObjectFetch {
  readonly #options: FetchOptions;
  readonly #deps: FetchDeps;
  readonly #plan: ConcurrencyPlan;
  readonly #workers = new Map<SegmentWorker, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #round: RoundState = { known: undefined, received: 0, failures: 0, wrongRanges: 0 };

  constructor(options: FetchOptions, deps: FetchDeps) {
    this.#options = options;
    this.#deps = deps;
    this.#plan = createConcurrencyPlan({ max: options.ranged ? options.maxConnections : 1 });
    this.#signal = AbortSignal.any([deps.signal, this.#stop.signal]);
  }

  /**
   * Resolves when every byte is on disk.
   *
   * @throws {RestartNeeded} when what is on disk is of no use
   * @throws {BundleError} when the object cannot be fetched
   */
  async run(): Promise<void> {
    let tick: Promise<void> | undefined;
    try {
      while (!this.#deps.segments.isDone) {
        this.#fill();
        tick ??= this.#tick().finally(() => {
          tick = undefined;
        });
        await Promise.race([...this.#workers.values(), tick]);
      }
    } finally {
      this.#stop.abort(new Error("The transfer has ended."));
      await Promise.allSettled([...this.#workers.values(), tick]);
    }
  }

  /** Starts connections until as many are at work as the plan wants; until the first answer, one. */
  #fill(): void {
    const wanted = this.#round.known ? this.#plan.target : 1;
    while (this.#workers.size < wanted) {
      const segment = nextSegment(this.#deps.segments, this.#plan);
      if (!segment) return;
      const worker = new SegmentWorker(
        { ranged: this.#options.ranged, stallMs: this.#options.stallMs, round: this.#round },
        { ...this.#deps, signal: this.#signal },
      );
      this.#workers.set(worker, this.#work(worker, segment));
    }
    this.#deps.stats.connections = Math.max(this.#deps.stats.connections, this.#workers.size);
  }

  /** Lets one connection fetch segments until there are none, or it is not wanted any more. */
  async #work(worker: SegmentWorker, first: NonNullable<ReturnType<typeof nextSegment>>): Promise<void> {
    const { segments, clock } = this.#deps;
    let segment: typeof first | undefined = first;
    try {
      while (segment) {
        const current: typeof first = segment;
        const isComplete = await worker
          .fetch(current, () => this.#workers.size === 1)
          .finally(() => {
            segments.release(current);
          });
        if (!isComplete) return this.#plan.refused(clock.now());
        segment = this.#workers.size > this.#plan.target ? undefined : nextSegment(segments, this.#plan);
      }
    } finally {
      this.#workers.delete(worker);
    }
  }

  async #tick(): Promise<void> {
    const { clock, segments, onTick } = this.#deps;
    await clock.sleep(tickMs, this.#signal);
    const workers = [...this.#workers.keys()];
    for (const worker of workers) worker.watch();
    this.#plan.observe({
      nowMs: clock.now(),
      bytes: this.#round.received,
      delivering: workers.filter(({ isDelivering }) => isDelivering).length,
      remaining: segments.remainingBytes,
    });
    onTick({ received: this.#round.received, connections: workers.length });
  }
}
