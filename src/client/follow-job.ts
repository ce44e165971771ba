/** Polls a job to its end: one implementation for every kind of job (schedule, tolerance, progress lines, deadline). */
import { InterruptedError } from "../base/errors.ts";
import { backoffMs, type RetryDeps } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { formatDuration } from "../base/text.ts";
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
  readonly runningStatuses: readonly string[];
  /** Milliseconds since the epoch when the job was submitted. */
  readonly submittedMs: number;
  /** True to poll without a wait: the job may have ended long ago. */
  readonly pollAtOnce?: boolean;
  /** Milliseconds since the epoch when to stop; the last poll is exactly then. */
  readonly deadlineMs: number;
}

export interface FollowJobDeps<Job> extends RetryDeps {
  readonly log: Log;
  /** Called with every usable answer, the last one included. */
  readonly onState?: (job: Job, state: JobState) => void | Promise<void>;
}

const shortestPollMs = 2_500;
const longestPollMs = 90_000;
/** The wait before a poll, as a share of the job's age. */
const pollShare = 0.055;
/** The longest wait of a run that was refused for too many requests. */
const longestSlowedPollMs = 120_000;
const shortestBackoffMs = 500;
const maxFailuresInRow = 10;
const maxSilenceMs = 5 * 60_000;
/** After its submission, a job may be unknown to a part of the platform for so long. */
const tolerateUnknownJobMs = 30_000;
const heartbeatMs = 30_000;

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

/** When a job's progress reached so many percent. */
export interface ProgressSample {
  readonly atMs: number;
  readonly percent: number;
}

/**
 * Milliseconds until the next poll of a job that is `ageMs` old; `random` is uniform in [0, 1).
 *
 * A wait of 5.5 % of its age finds the end of any job less than 3 % late on average. Where the job's progress says how long it still
 * takes (`restMs`), half of that does, and once it is overdue, 5.5 % of the time by which it is.
 */
export function nextPollDelayMs(ageMs: number, restMs: number | undefined, random: () => number): number {
  const blindMs = pollShare * ageMs;
  const estimatedMs = restMs === undefined ? blindMs : Math.max(restMs / 2, -restMs * pollShare);
  const delayMs = Math.min(longestPollMs, Math.max(shortestPollMs, Math.min(estimatedMs, 4 * blindMs)));
  return Math.round(delayMs * (0.9 + 0.2 * random()));
}

/**
 * Estimated time from `nowMs` to 100 % at the pace of the newest fifth of the samples, negative where the job is overdue;
 * `undefined` while there is too little to go by (fewer than two samples, no movement, less than 3 %).
 */
export function estimateRestMs(samples: readonly ProgressSample[], nowMs: number): number | undefined {
  const first = samples.at(Math.min(samples.length - 2, Math.floor(0.8 * (samples.length - 1))));
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const gained = last.percent - first.percent;
  if (gained <= 0 || last.percent < 3 || last.percent >= 100) return undefined;
  return last.atMs + ((100 - last.percent) * (last.atMs - first.atMs)) / gained - nowMs;
}

/**
 * What was seen of a job so far. Its log has one line per change, and one every 30 seconds on long work; it warns once
 * of an unknown status.
 */
class JobWatch<Job> {
  readonly #job: FollowJobOptions<Job>;
  readonly #deps: FollowJobDeps<Job>;
  readonly #samples: ProgressSample[] = [];
  readonly #unknownStatuses = new Set<string | undefined>();
  #lastLine: string | undefined;
  #lastPercent: number | undefined;
  #lastLogMs: number;
  #failuresInRow = 0;
  /** Why the last poll failed; `undefined` if it did not. */
  #lastFailure: string | undefined;
  #lastAnswerMs: number;
  #wasSeen = false;
  /** Grows with each refusal for too many requests: other runs share the platform's limit. */
  #slowdown = 1;

  constructor(job: FollowJobOptions<Job>, deps: FollowJobDeps<Job>) {
    this.#job = job;
    this.#deps = deps;
    this.#lastLogMs = this.#lastAnswerMs = deps.clock.now();
  }

  get #ageMs(): number {
    return this.#deps.clock.now() - this.#job.submittedMs;
  }

  nextWaitMs(): number {
    const restMs = estimateRestMs(this.#samples, this.#deps.clock.now());
    const delayMs = nextPollDelayMs(this.#ageMs, restMs, this.#deps.random);
    return Math.min(Math.round(this.#slowdown * delayMs), Math.max(delayMs, longestSlowedPollMs));
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
    this.#lastPercent = percent;
    this.#noteProgress(percent, nowMs);
    this.#lastAnswerMs = nowMs;
    this.#lastFailure = undefined;
    this.#failuresInRow = 0;
    this.#wasSeen = true;
    this.#warnOfUnknownStatus(status);
    if (line === this.#lastLine) return;
    this.#lastLine = line;
    this.#logState();
  }

  #noteProgress(percent: number | undefined, nowMs: number): void {
    // What waits in a queue at 0 % has no pace yet.
    if (percent === 0) this.#samples.length = 0;
    if (percent === undefined || this.#samples.at(-1)?.percent === percent) return;
    // It came at some time between the last two answers.
    this.#samples.push({ atMs: (this.#lastAnswerMs + nowMs) / 2, percent });
  }

  #logState(): void {
    this.#lastLogMs = this.#deps.clock.now();
    const state = this.#lastLine ?? "no answer yet";
    this.#deps.log.info(
      `${capitalize(this.#job.name)}: ${state} (${formatDuration(this.#ageMs)})`,
      this.#lastPercent,
    );
  }

  #warnOfUnknownStatus(status: string | undefined): void {
    const { name, isEnded, runningStatuses } = this.#job;
    const isKnown =
      status !== undefined && (isEnded(status) || runningStatuses.includes(status.toLowerCase()));
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
    if (isLimited) {
      this.#lastAnswerMs = clock.now();
      this.#slowdown *= 1.5;
    } else this.#failuresInRow += 1;
    const isSilent = clock.now() - this.#lastAnswerMs > maxSilenceMs;
    if (this.#failuresInRow >= maxFailuresInRow || isSilent) throw error;
    // All that were refused together are told the same time: they come back spread over a poll's wait.
    const pollMs = isLimited ? this.nextWaitMs() : 0;
    const waitMs = isLimited
      ? (error.retryAfterMs ?? pollMs) + Math.round(random() * pollMs)
      : Math.max(error.retryAfterMs ?? 0, shortestBackoffMs, backoffMs(this.#failuresInRow, random));
    const count = isLimited ? "" : ` (failure ${this.#failuresInRow} of ${maxFailuresInRow} in a row)`;
    log.info(`${error.message} Polling again in ${formatDuration(waitMs)}${count}.`);
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
