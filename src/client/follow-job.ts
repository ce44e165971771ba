/** Polls a job of any type until it ends: polling schedule, tolerated failures, progress in the log, and deadline. */
import { InterruptedError } from "../base/errors.ts";
import { backoffMs, type RetryDeps } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { capitalize, formatDuration } from "../base/text.ts";
import { isProxyRefusal, PlatformError } from "./errors.ts";

export interface JobState {
  /** The platform's status; `undefined` if the response has none. */
  readonly status: string | undefined;
  readonly percent?: number | undefined;
  /** One line for the log: "running, 42 %, 120 pages". */
  readonly line: string;
}

export interface FollowJobOptions<Job> {
  /** The job's name in messages: "export job se_1". */
  readonly name: string;
  readonly read: () => Promise<Job>;
  readonly describe: (job: Job) => JobState;
  readonly isEnded: (status: string) => boolean;
  /** Known statuses of a running job. Any other status that is not final causes one warning; polling continues. */
  readonly runningStatuses: readonly string[];
  /** Milliseconds since the epoch when the job was submitted; `undefined` for a job that was only named: a 404 of the API is final. */
  readonly submittedMs: number | undefined;
  /** Whether to start with a poll instead of a wait, because the job may have ended long ago. */
  readonly pollAtOnce?: boolean;
  /** Whether the platform is embedded in this run: a job may end within a second, and a poll costs nothing. */
  readonly isEmbedded?: boolean;
  /** Milliseconds since the epoch when to stop. The last poll starts at this time. */
  readonly deadlineMs: number;
}

export interface FollowJobDeps<Job> extends RetryDeps {
  readonly log: Log;
  /** Called after every successful poll, including the last. */
  readonly onState?: (job: Job, state: JobState) => void | Promise<void>;
}

const minPollMs = 2_500;
/** The wait of an embedded platform's job is at least a quarter of its age, until that of any other job is shorter. */
const minEmbeddedPollMs = 200;
const maxPollMs = 90_000;
const pollShare = 0.055;
/** Maximum wait of a run that was rate-limited. */
const maxSlowedPollMs = 120_000;
const minBackoffMs = 500;
const maxFailuresInRow = 10;
const maxTimeWithoutResponseMs = 5 * 60_000;
/** A new job may be unknown to some of the platform's servers for this long. */
const tolerateUnknownJobMs = 30_000;
const heartbeatMs = 30_000;

/**
 * Polls a job until its status is final.
 *
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} for a final error, after 10 failed polls in a row, and after five minutes without a response.
 */
export async function followJob<Job>(options: FollowJobOptions<Job>, deps: FollowJobDeps<Job>): Promise<Job> {
  const { clock } = deps;
  const tracker = new JobTracker(options, deps);
  let waitMs = options.pollAtOnce ? 0 : tracker.nextWaitMs();
  for (;;) {
    await tracker.sleepWithHeartbeat(Math.max(0, Math.min(waitMs, options.deadlineMs - clock.now())));
    try {
      const job = await tracker.read();
      const state = options.describe(job);
      tracker.recordState(state);
      await deps.onState?.(job, state);
      if (state.status !== undefined && options.isEnded(state.status)) return job;
      waitMs = tracker.nextWaitMs();
    } catch (error) {
      waitMs = tracker.waitAfterFailure(error);
    }
    if (clock.now() >= options.deadlineMs) throw tracker.timeoutError();
  }
}

/** The time when a job's progress reached a percentage. */
export interface ProgressSample {
  readonly atMs: number;
  readonly percent: number;
}

/**
 * Milliseconds until the next poll of a job that is `ageMs` old; `random` is uniform in [0, 1).
 *
 * With a wait of 5.5 % of the age, the end of a job is noticed less than 3 % of its duration late on average. If the remaining time is
 * known (`remainingMs`), the wait is half of it; if the job is overdue, the wait is 5.5 % of the overdue time.
 */
export function nextPollDelayMs(
  ageMs: number,
  remainingMs: number | undefined,
  random: () => number,
  leastMs = minPollMs,
): number {
  const delayByAgeMs = pollShare * ageMs;
  const estimatedMs =
    remainingMs === undefined ? delayByAgeMs : Math.max(remainingMs / 2, -remainingMs * pollShare);
  const delayMs = Math.min(maxPollMs, Math.max(leastMs, Math.min(estimatedMs, 4 * delayByAgeMs)));
  return Math.round(delayMs * (0.9 + 0.2 * random()));
}

/**
 * Estimated time from `nowMs` to 100 % at the speed of the newest fifth of the samples; negative if the job is overdue, `undefined` if
 * the data is insufficient (fewer than two samples, no progress between them, or less than 3 %).
 */
export function estimateRemainingMs(samples: readonly ProgressSample[], nowMs: number): number | undefined {
  const first = samples.at(Math.floor(0.8 * (samples.length - 1)));
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const gained = last.percent - first.percent;
  if (gained <= 0 || last.percent < 3 || last.percent >= 100) return undefined;
  return last.atMs + ((100 - last.percent) * (last.atMs - first.atMs)) / gained - nowMs;
}

/** Records the polls of a job. Logs one line per change, at least one line every 30 seconds, and one warning per unknown status. */
class JobTracker<Job> {
  readonly #job: FollowJobOptions<Job>;
  readonly #deps: FollowJobDeps<Job>;
  #samples: ProgressSample[] = [];
  readonly #unknownStatuses = new Set<string | undefined>();
  #lastLine: string | undefined;
  #lastPercent: number | undefined;
  readonly #startedMs: number;
  #lastLogMs: number;
  #failuresInRow = 0;
  #lastFailure: string | undefined;
  #lastResponseMs: number;
  #wasFound = false;
  /** Grows with each rate-limited poll, because other runs share the platform's limit. */
  #slowdown = 1;

  constructor(job: FollowJobOptions<Job>, deps: FollowJobDeps<Job>) {
    this.#job = job;
    this.#deps = deps;
    this.#startedMs = this.#lastLogMs = this.#lastResponseMs = deps.clock.now();
  }

  get #ageMs(): number {
    return this.#deps.clock.now() - (this.#job.submittedMs ?? this.#startedMs);
  }

  nextWaitMs(): number {
    const remainingMs = estimateRemainingMs(this.#samples, this.#deps.clock.now());
    const embeddedMs = Math.max(minEmbeddedPollMs, this.#ageMs / 4);
    const leastMs = this.#job.isEmbedded ? Math.min(minPollMs, embeddedMs) : minPollMs;
    const delayMs = nextPollDelayMs(this.#ageMs, remainingMs, this.#deps.random, leastMs);
    return Math.min(Math.round(this.#slowdown * delayMs), Math.max(delayMs, maxSlowedPollMs));
  }

  async sleepWithHeartbeat(waitMs: number): Promise<void> {
    const { clock, signal } = this.#deps;
    const untilMs = clock.now() + waitMs;
    do {
      this.#logHeartbeat();
      const heartbeatInMs = this.#lastLogMs + heartbeatMs - clock.now();
      await clock.sleep(Math.min(untilMs - clock.now(), heartbeatInMs), signal);
    } while (clock.now() < untilMs);
  }

  /** Polls the job; the log continues while the platform does not respond. */
  async read(): Promise<Job> {
    const timer = setInterval(() => this.#logHeartbeat(), 1000);
    try {
      return await this.#job.read();
    } finally {
      clearInterval(timer);
    }
  }

  #logHeartbeat(): void {
    if (this.#deps.clock.now() - this.#lastLogMs >= heartbeatMs) this.#logState();
  }

  recordState({ status, percent, line }: JobState): void {
    const nowMs = this.#deps.clock.now();
    this.#lastPercent = percent;
    this.#recordProgress(percent, nowMs);
    this.#lastResponseMs = nowMs;
    this.#lastFailure = undefined;
    this.#failuresInRow = 0;
    this.#wasFound = true;
    this.#warnOfUnknownStatus(status);
    if (line === this.#lastLine) return;
    this.#lastLine = line;
    this.#logState();
  }

  #recordProgress(percent: number | undefined, nowMs: number): void {
    // Time in a queue at 0 % says nothing about the speed.
    if (percent === 0) this.#samples = [];
    if (percent === undefined || this.#samples.at(-1)?.percent === percent) return;
    // The change happened between the last two responses.
    this.#samples.push({ atMs: (this.#lastResponseMs + nowMs) / 2, percent });
  }

  #logState(): void {
    this.#lastLogMs = this.#deps.clock.now();
    const state = this.#lastLine ?? "no response yet";
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
        ? `The response for ${name} has no status; still waiting.`
        : `${capitalize(name)} has a status this action does not know (“${status}”); still waiting.`,
    );
  }

  /** @throws the error itself if it is final or the number of failures is too high. */
  waitAfterFailure(error: unknown): number {
    const { clock, random, log } = this.#deps;
    if (!(error instanceof PlatformError) || !this.#isTolerable(error)) throw error;
    this.#lastFailure = error.message;
    const isLimited = error.code === "rate-limited";
    if (isLimited) {
      this.#lastResponseMs = clock.now();
      this.#slowdown *= 1.5;
    } else this.#failuresInRow += 1;
    const isUnresponsive = clock.now() - this.#lastResponseMs > maxTimeWithoutResponseMs;
    if (this.#failuresInRow >= maxFailuresInRow || isUnresponsive) throw error;
    // All rate-limited runs may get the same `Retry-After`, so their next polls are spread over one polling interval.
    const pollMs = this.nextWaitMs();
    const waitMs = isLimited
      ? (error.retryAfterMs ?? pollMs) + Math.round(random() * pollMs)
      : Math.max(error.retryAfterMs ?? minBackoffMs, minBackoffMs, backoffMs(this.#failuresInRow, random));
    const count = isLimited ? "" : ` (failure ${this.#failuresInRow} of ${maxFailuresInRow} in a row)`;
    const leftMs = this.#job.deadlineMs - clock.now();
    const next = waitMs < leftMs ? "Polling again in" : "The last poll is at the deadline, in";
    log.info(`${error.message} ${next} ${formatDuration(Math.min(waitMs, leftMs))}${count}.`);
    return waitMs;
  }

  #isTolerable(error: PlatformError): boolean {
    const mayAppear = this.#job.submittedMs !== undefined || !error.isFromApi;
    if (error.code === "not-found" && mayAppear && this.#ageMs < tolerateUnknownJobMs) return true;
    return error.retryable || (this.#wasFound && isProxyRefusal(error));
  }

  timeoutError(): InterruptedError {
    const state = this.#lastLine === undefined ? "" : ` Its last state was: ${this.#lastLine}.`;
    const failure = this.#lastFailure === undefined ? "" : ` The last poll failed: ${this.#lastFailure}`;
    const problem = `Stopped waiting for ${this.#job.name}: \`timeout-minutes\` has passed.`;
    return new InterruptedError("timed-out", `${problem}${state}${failure}`);
  }
}
