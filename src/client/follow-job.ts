/** Polls a job to its end: one implementation for every kind of job (schedule, tolerance, progress lines, deadline). */

import { InterruptedError } from "../base/errors.ts";
import type { Clock, Log } from "../base/runtime.ts";
import { PlatformError } from "./errors.ts";
import { backoffDelayMs, nextPollDelayMs } from "./poll-schedule.ts";
import { createProgressLog, formatAge, type JobState, type ProgressLogOptions } from "./progress-log.ts";

export interface FollowJobOptions<Job> extends ProgressLogOptions {
  readonly read: () => Promise<Job>;
  readonly describe: (job: Job) => JobState;
  /** True to look at once: the job may have ended long ago. */
  readonly lookAtOnce?: boolean;
  /** Milliseconds since the epoch when to stop; the last look is exactly then. */
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

const maxFailuresInRow = 10;
const maxSilenceMs = 5 * 60_000;
/** After its submission, a job may be unknown to a part of the platform for so long. */
const tolerateUnknownJobMs = 30_000;

/**
 * Looks at a job until its status is final.
 *
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} when the platform refuses, or stays silent for 10 looks in a row or five minutes.
 */
export async function followJob<Job>(options: FollowJobOptions<Job>, deps: FollowJobDeps<Job>): Promise<Job> {
  const { clock, random, signal } = deps;
  const progress = createProgressLog(options, deps);
  const failures = createFailureCount(options, deps);
  let waitMs = options.lookAtOnce
    ? 0
    : nextPollDelayMs({ ageMs: clock.now() - options.submittedMs, samples: [] }, random);
  for (;;) {
    const restMs = options.deadlineMs - clock.now();
    await waitSpeaking(Math.max(0, Math.min(waitMs, restMs)), {
      clock,
      signal,
      speakAgain: progress.speakAgain,
    });
    try {
      const job = await options.read();
      failures.reset();
      const state = options.describe(job);
      progress.see(state);
      await deps.onState?.(job, state);
      if (state.status !== undefined && options.isEnded(state.status)) return job;
      waitMs = nextPollDelayMs(
        { ageMs: clock.now() - options.submittedMs, samples: progress.samples },
        random,
      );
    } catch (error) {
      waitMs = failures.delayAfter(error);
    }
    if (clock.now() >= options.deadlineMs)
      throw deadlinePassed(options, { lastLine: progress.lastLine(), lastFailure: failures.lastMessage() });
  }
}

interface SpeakingWait {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Says again where things stand if it is time to; returns the milliseconds until it will be. */
  readonly speakAgain: () => number;
}

/** Waits, and lets the log show every 30 seconds that somebody is still there. */
async function waitSpeaking(waitMs: number, { clock, signal, speakAgain }: SpeakingWait): Promise<void> {
  const untilMs = clock.now() + waitMs;
  do {
    await clock.sleep(Math.min(Math.max(0, untilMs - clock.now()), speakAgain()), signal);
  } while (clock.now() < untilMs);
}

function deadlinePassed(
  { name }: { name: string },
  { lastLine, lastFailure }: { lastLine: string | undefined; lastFailure: string | undefined },
): InterruptedError {
  const seen = lastLine === undefined ? "" : ` It was last seen ${lastLine}.`;
  const last = lastFailure === undefined ? seen : `${seen} The last look failed: ${lastFailure}`;
  return new InterruptedError(
    "timed-out",
    `Stopped waiting for ${name}: \`timeout-minutes\` has passed.${last}`,
  );
}

/** Counts failed looks in a row and says how long to wait after each. */
function createFailureCount<Job>(options: FollowJobOptions<Job>, { clock, random, log }: FollowJobDeps<Job>) {
  let failures = 0;
  let lastMessage: string | undefined;
  let lastGoodMs = clock.now();
  let wasSeen = false;

  return {
    /** Why the last look failed; `undefined` if it did not. */
    lastMessage: () => lastMessage,
    reset() {
      failures = 0;
      lastMessage = undefined;
      lastGoodMs = clock.now();
      wasSeen = true;
    },
    /** @throws the error itself when it is final or one too many. */
    delayAfter(error: unknown): number {
      const ageMs = clock.now() - options.submittedMs;
      if (!(error instanceof PlatformError) || !isTolerable(error, { ageMs, wasSeen })) throw error;
      lastMessage = error.message;
      if (error.code === "rate-limited") {
        lastGoodMs = clock.now();
        const delayMs = Math.max(error.retryAfterMs ?? 0, backoffDelayMs(3, random));
        log.info(`${error.message} Looking again in ${formatAge(delayMs)}.`);
        return delayMs;
      }
      failures += 1;
      if (failures >= maxFailuresInRow || clock.now() - lastGoodMs > maxSilenceMs) throw error;
      log.info(`${error.message} Looking again (failure ${failures} of ${maxFailuresInRow} in a row).`);
      return Math.max(error.retryAfterMs ?? 0, backoffDelayMs(failures, random));
    },
  };
}

function isTolerable(error: PlatformError, { ageMs, wasSeen }: { ageMs: number; wasSeen: boolean }): boolean {
  // That a job which was there is gone is for the platform itself to say, not for a proxy in front of it.
  if (error.code === "not-found") return ageMs < tolerateUnknownJobMs || (wasSeen && !error.isFromApi);
  return ["unreachable", "unavailable", "rate-limited", "unexpected-response", "conflict"].includes(
    error.code,
  );
}
