import type { Dispatcher } from "undici";
import { ActionError } from "../../base/errors.ts";
import type { Clock, Log } from "../../base/runtime.ts";
import { type AttemptDeps, type AttemptOutcome, attemptSegment } from "./attempt-segment.ts";
import type { ObjectIdentity } from "./judge-answer.ts";
import type { LinkKeeper, UsableLink } from "./link-keeper.ts";
import type { PartFile } from "./part-file.ts";
import { retryDelay } from "./retry-delay.ts";
import type { Segment, SegmentMap } from "./segment-map.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import {
  describeFailure,
  fatalError,
  lastingError,
  objectChanged,
  type PassingFailure,
  RestartNeeded,
  rangesUnusable,
  StalledError,
} from "./transfer-failure.ts";

/** What all connections of one round share. */
export interface RoundState {
  /** The object all answers must be about; set by the first. */
  known: ObjectIdentity | undefined;
  /** Bytes received over all connections. */
  received: number;
  /** Failures in a row, over all connections, without a byte in between. */
  failures: number;
  wrongRanges: number;
}

/** Counts of a whole transfer. */
export interface TransferStats {
  requests: number;
  retries: number;
  restarts: number;
  /** Most connections at work at once. */
  connections: number;
}

/** The answer that told what the object is. */
export type ObjectAnswer = Parameters<AttemptDeps["onIdentity"]>[1] & { readonly link: UsableLink };

/** What a connection works with. */
export interface WorkerDeps {
  readonly links: LinkKeeper;
  readonly dispatcher: Dispatcher;
  readonly file: PartFile;
  readonly segments: SegmentMap;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly stats: TransferStats;
  readonly signal: AbortSignal;
  /** Called when it is known what is being fetched; what it throws ends the transfer. */
  readonly onObject: (object: ObjectIdentity, answer: ObjectAnswer) => void;
  /** Called whenever bytes have reached the disk, with the position behind the last. */
  readonly onWritten: (position: number) => void;
}

interface WorkerOptions {
  readonly ranged: boolean;
  readonly stallMs: number;
  readonly round: RoundState;
}

const maxFailures = 8;
const maxWrongRanges = 3;
/** An additional connection that fails so often in a row without a byte is taken as one too many. */
const maxBarrenTries = 2;

/** One connection: fetches one segment after the other, and tries again what may pass. */
export class SegmentWorker {
  readonly #options: WorkerOptions;
  readonly #deps: WorkerDeps;
  #writer: SegmentWriter | undefined;
  #stall = new AbortController();
  #lastByteAt = 0;
  #barrenTries = 0;

  constructor(options: WorkerOptions, deps: WorkerDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Whether bytes have come over this connection since its last failure. */
  get isDelivering(): boolean {
    return this.#writer !== undefined;
  }

  /** Gives the running request up if nothing has come for too long and it was not us who made it wait. */
  watch(): void {
    const now = this.#deps.clock.now();
    if (this.#writer?.isPaused) this.#lastByteAt = now;
    if (now - this.#lastByteAt <= this.#options.stallMs) return;
    this.#stall.abort(new StalledError(`no byte came for ${this.#options.stallMs / 1000} s`));
  }

  /**
   * Fetches a segment to its end.
   *
   * @param isAlone whether no other connection is at work
   * @returns whether the segment is complete; otherwise this connection is one too many
   * @throws {RestartNeeded} when what is on disk is of no use
   */
  async fetch(segment: Segment, isAlone: () => boolean): Promise<boolean> {
    while (segment.written < segment.end) {
      const before = segment.written;
      const outcome = await this.#attempt(segment);
      this.#writer = undefined;
      this.#barrenTries = segment.written > before ? 0 : this.#barrenTries + 1;
      const failure = this.#settle(outcome, segment);
      if (!failure) continue;
      if (!isAlone() && this.#barrenTries >= maxBarrenTries) return false;
      await this.#waitToRetry(failure);
    }
    return true;
  }

  async #attempt(segment: Segment): Promise<AttemptOutcome | PassingFailure> {
    const { links, signal, clock, stats } = this.#deps;
    const link = await links.current();
    signal.throwIfAborted();
    stats.requests += 1;
    this.#stall = new AbortController();
    this.#lastByteAt = clock.now();
    try {
      const outcome = await attemptSegment(
        { segment, link, ranged: this.#options.ranged, known: this.#options.round.known },
        this.#attemptDeps(link),
      );
      if (outcome.kind === "link-refused") links.reject(link, outcome);
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ActionError || error instanceof RestartNeeded) throw error;
      return { kind: "broken", error };
    }
  }

  #attemptDeps(link: UsableLink): AttemptDeps {
    const { dispatcher, file, signal, clock, links, onObject, onWritten } = this.#deps;
    const { round } = this.#options;
    return {
      dispatcher,
      file,
      signal: AbortSignal.any([signal, this.#stall.signal]),
      now: clock.now,
      onIdentity: (identity, answer) => {
        if (round.known) return;
        onObject(identity, { ...answer, link });
        round.known = identity;
      },
      onReceived: (bytes) => {
        round.received += bytes;
        round.failures = 0;
        this.#lastByteAt = clock.now();
        links.progressed();
      },
      onWritten,
      onWriter: (writer) => {
        this.#writer = writer;
      },
    };
  }

  /** What an outcome means: go on (`undefined`), wait and try again, or give up by throwing. */
  #settle(outcome: AttemptOutcome | PassingFailure, segment: Segment): PassingFailure | undefined {
    switch (outcome.kind) {
      case "ended":
        return this.#settleEnd(segment);
      case "link-refused":
        return undefined;
      case "no-ranges":
        throw rangesUnusable("it answers a range with the whole");
      case "changed":
        throw objectChanged(outcome.reason);
      case "empty":
      case "fatal":
        throw fatalError(outcome);
      case "wrong-range":
        this.#options.round.wrongRanges += 1;
        if (this.#options.round.wrongRanges >= maxWrongRanges) throw rangesUnusable(outcome.reason);
        return outcome;
      default:
        return outcome;
    }
  }

  #settleEnd(segment: Segment): PassingFailure | undefined {
    // Storage that does not say the length says it by ending.
    if (segment.end === Number.POSITIVE_INFINITY) this.#deps.segments.bound(segment.written);
    return segment.written < segment.end ? { kind: "cut", position: segment.written } : undefined;
  }

  async #waitToRetry(failure: PassingFailure): Promise<void> {
    const { clock, random, log, signal, stats } = this.#deps;
    const { round, ranged } = this.#options;
    round.failures += 1;
    if (round.failures >= maxFailures) throw lastingError(failure, round.failures);
    if (!ranged && round.received > 0) {
      throw new RestartNeeded(lastingError(failure, round.failures), { withoutRanges: true });
    }
    stats.retries += 1;
    const retryAfterMs = failure.kind === "transient" ? failure.retryAfterMs : undefined;
    const delayMs = retryDelay({ failures: round.failures, retryAfterMs }, random);
    log.debug(`Fetching the bundle: ${describeFailure(failure)}; trying again in ${Math.round(delayMs)} ms.`);
    await clock.sleep(delayMs, signal);
  }
}
