/** Polls a job to its end: one implementation for every kind of job (schedule, tolerance, progress lines, deadline). */
import { InterruptedError } from "../base/errors.ts";
import { backoffMs } from "../base/retry.ts";
import type { Clock, Log } from "../base/runtime.ts";
import { PlatformError } from "./errors.ts";

/** What polling needs to know of a job, whatever its kind. */
export interface JobState {
  /** The platform's word; `undefined` where the answer lacks it. */
  readonly status: string | undefined;
  /** Progress in percent, where the platform tells it. */
  readonly percent?: number | undefined;
  /** One line for the log: "running, 42 %, 120 pages". */
  readonly line: string;
}

export interface FollowJobOptions<Job> {
  /** What the job is, for messages: "export job se_1". */
  readonly name: string;
  /** One poll. */
  readonly read: () => Promise<Job>;
  readonly describe: (job: Job) => JobState;
  readonly isEnded: (status: string) => boolean;
  /** Statuses under which the job is known to go on; any other is logged once and followed too. */
  readonly goingStatuses: readonly string[];
  /** Milliseconds since the epoch when the job was submitted. */
  readonly submittedMs: number;
  /** True to poll without a wait: the job may have ended long ago. */
  readonly pollAtOnce?: boolean;
  /** Milliseconds since the epoch when to stop; the last poll is exactly then. */
  readonly deadlineMs: number;
}

export interface FollowJobDeps<Job> {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Called with every usable answer, the last one included. */
  readonly onState?: (job: Job, state: JobState) => void | Promise<void>;
}

const shortestPollMs = 2_000;
const longestPollMs = 30_000;
const shortestBackoffMs = 500;
const maxFailuresInRow = 10;
const maxSilenceMs = 5 * 60_000;
/** After its submission, a job may be unknown to a part of the platform for so long. */
const tolerateUnknownJobMs = 30_000;
const heartbeatMs = 30_000;
const stallMs = 15 * 60_000;

/**
 * Polls a job until its status is final.
 *
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} when the platform refuses, or stays silent for 10 polls in a row or five minutes.
 */
export async function followJob<Job>(options: FollowJobOptions<Job>, deps: FollowJobDeps<Job>): Promise<Job> {
  const { clock } = deps;
  const watch = new JobWatch(options, deps);
  let waitMs = options.pollAtOnce ? 0 : watch.nextWaitMs();
  for (;;) {
    await watch.sleepWithHeartbeat(Math.max(0, Math.min(waitMs, options.deadlineMs - clock.now())));
    try {
      const job = await options.read();
      const state = options.describe(job);
      watch.noteState(state);
      await deps.onState?.(job, state);
      if (state.status !== undefined && options.isEnded(state.status)) return job;
      waitMs = watch.nextWaitMs();
    } catch (error) {
      waitMs = watch.waitAfterFailure(error);
    }
    if (clock.now() >= options.deadlineMs) throw watch.describeTimeout();
  }
}

/** One reading of a job's progress in percent. */
export interface ProgressSample {
  readonly atMs: number;
  readonly percent: number;
}

/**
 * Milliseconds until the next poll of a job that is `ageMs` old; `random` is uniform in [0, 1).
 *
 * With a request worth k = 1 s of waiting and a completion time of unknown scale, the cheapest schedule polls every
 * √(2·k·age); where progress moves, polling again after half of the estimated rest finds the end within a second or two.
 */
export function nextPollDelayMs(
  ageMs: number,
  samples: readonly ProgressSample[],
  random: () => number,
): number {
  const blindMs = clampPoll(Math.sqrt(2 * (ageMs / 1000)) * 1000);
  const restMs = estimateRestMs(samples);
  const delayMs = restMs === undefined ? blindMs : clampPoll(Math.min(restMs / 2, 2 * blindMs));
  return Math.round(delayMs * (0.9 + 0.2 * random()));
}

function clampPoll(ms: number): number {
  return Math.min(longestPollMs, Math.max(shortestPollMs, ms));
}

/**
 * Estimated time to 100 %, from the newer half of the samples; `undefined` while there is too little to go by (fewer
 * than two samples, no movement, less than 3 %).
 */
export function estimateRestMs(samples: readonly ProgressSample[]): number | undefined {
  const [first] = samples.slice(Math.floor((samples.length - 1) / 2));
  const last = samples.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const gained = last.percent - first.percent;
  if (gained <= 0 || last.percent < 3 || last.percent >= 100) return undefined;
  return ((100 - last.percent) * (last.atMs - first.atMs)) / gained;
}

/**
 * What was seen of a job so far. Its log has one line per change, and one every 30 seconds on long work; it warns once
 * of an unknown status and of a stall.
 */
class JobWatch<Job> {
  readonly #job: FollowJobOptions<Job>;
  readonly #deps: FollowJobDeps<Job>;
  readonly #samples: ProgressSample[] = [];
  readonly #unknownStatuses = new Set<string | undefined>();
  #lastLine: string | undefined;
  #lastChangeMs: number;
  #lastLogMs: number;
  #isStallReported = false;
  #failuresInRow = 0;
  /** Why the last poll failed; `undefined` if it did not. */
  #lastFailure: string | undefined;
  #lastAnswerMs: number;
  #wasSeen = false;

  constructor(job: FollowJobOptions<Job>, deps: FollowJobDeps<Job>) {
    this.#job = job;
    this.#deps = deps;
    this.#lastChangeMs = this.#lastLogMs = this.#lastAnswerMs = deps.clock.now();
  }

  get #ageMs(): number {
    return this.#deps.clock.now() - this.#job.submittedMs;
  }

  nextWaitMs(): number {
    return nextPollDelayMs(this.#ageMs, this.#samples, this.#deps.random);
  }

  async sleepWithHeartbeat(waitMs: number): Promise<void> {
    const { clock, signal } = this.#deps;
    const untilMs = clock.now() + waitMs;
    do {
      if (clock.now() - this.#lastLogMs >= heartbeatMs) this.#logState();
      const heartbeatInMs = this.#lastLogMs + heartbeatMs - clock.now();
      await clock.sleep(Math.min(Math.max(0, untilMs - clock.now()), heartbeatInMs), signal);
    } while (clock.now() < untilMs);
  }

  noteState({ status, percent, line }: JobState): void {
    const nowMs = this.#deps.clock.now();
    this.#lastAnswerMs = nowMs;
    this.#lastFailure = undefined;
    this.#failuresInRow = 0;
    this.#wasSeen = true;
    this.#warnOfUnknownStatus(status);
    if (percent !== undefined && this.#samples.at(-1)?.percent !== percent)
      this.#samples.push({ atMs: nowMs, percent });
    if (line !== this.#lastLine) {
      this.#lastLine = line;
      this.#lastChangeMs = nowMs;
      this.#isStallReported = false;
      this.#logState();
    } else if (!this.#isStallReported && nowMs - this.#lastChangeMs >= stallMs) {
      this.#isStallReported = true;
      const minutes = Math.round((nowMs - this.#lastChangeMs) / 60_000);
      this.#deps.log.warning(`${capitalize(this.#job.name)} has not moved for ${minutes} minutes.`);
    }
  }

  #logState(): void {
    this.#lastLogMs = this.#deps.clock.now();
    const state = this.#lastLine ?? "no answer yet";
    this.#deps.log.info(`${capitalize(this.#job.name)}: ${state} (${formatAge(this.#ageMs)})`);
  }

  #warnOfUnknownStatus(status: string | undefined): void {
    const { name, isEnded, goingStatuses } = this.#job;
    const isKnown = status !== undefined && (isEnded(status) || goingStatuses.includes(status.toLowerCase()));
    if (isKnown || this.#unknownStatuses.has(status)) return;
    this.#unknownStatuses.add(status);
    this.#deps.log.warning(
      status === undefined
        ? `The answer about ${name} has no status; still waiting.`
        : `${capitalize(name)} has a status this action does not know (“${status}”); still waiting.`,
    );
  }

  /** @throws the error itself when it is final or one too many. */
  waitAfterFailure(error: unknown): number {
    const { clock, random, log } = this.#deps;
    if (!(error instanceof PlatformError) || !this.#isTolerable(error)) throw error;
    this.#lastFailure = error.message;
    const isLimited = error.code === "rate-limited";
    if (isLimited) this.#lastAnswerMs = clock.now();
    else this.#failuresInRow += 1;
    const isSilent = clock.now() - this.#lastAnswerMs > maxSilenceMs;
    if (this.#failuresInRow >= maxFailuresInRow || isSilent) throw error;
    const jitterMs = Math.max(shortestBackoffMs, backoffMs(isLimited ? 3 : this.#failuresInRow, random));
    const waitMs = Math.max(error.retryAfterMs ?? 0, jitterMs);
    const count = isLimited ? "" : ` (failure ${this.#failuresInRow} of ${maxFailuresInRow} in a row)`;
    log.info(`${error.message} Polling again in ${formatAge(waitMs)}${count}.`);
    return waitMs;
  }

  #isTolerable({ code, isFromApi }: PlatformError): boolean {
    // Only the platform itself can say that a job which was there is gone, not a proxy in front of it.
    if (code === "not-found") return this.#ageMs < tolerateUnknownJobMs || (this.#wasSeen && !isFromApi);
    return ["unreachable", "unavailable", "rate-limited", "unexpected-response", "conflict"].includes(code);
  }

  describeTimeout(): InterruptedError {
    const seen = this.#lastLine === undefined ? "" : ` It was last seen ${this.#lastLine}.`;
    const failure = this.#lastFailure === undefined ? "" : ` The last poll failed: ${this.#lastFailure}`;
    const what = `Stopped waiting for ${this.#job.name}: \`timeout-minutes\` has passed.`;
    return new InterruptedError("timed-out", `${what}${seen}${failure}`);
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A job's age, or a wait: "42 s", "3 min 5 s". */
function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
