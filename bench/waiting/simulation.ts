/** Jobs that are followed on a simulated clock: by the action's own code, and by the schedules of others. */
import type { Clock } from "../../src/base/runtime.ts";
import { PlatformError } from "../../src/client/errors.ts";
import { type FollowJobOptions, followJob } from "../../src/client/follow-job.ts";
import { readJob } from "./jobs.ts";

/** A poll's request is half of this on its way, and its answer the other half. */
const roundTripMs = 150;
const dayMs = 24 * 60 * 60_000;
const ignore = () => undefined;
const silent = { debug: ignore, info: ignore, notice: ignore, warning: ignore };

export interface Wait {
  /** Milliseconds from the job's end to the answer that says so; `undefined` where the schedule gave up before. */
  readonly overshootMs: number | undefined;
  readonly polls: number;
}

/** Pseudo-random numbers in [0, 1), the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Job = ReturnType<typeof readJob>;

const jobOptions: Omit<FollowJobOptions<Job>, "read"> = {
  name: "job",
  describe: ({ status, percent }) => ({ status, percent, line: `${status}, ${percent}` }),
  isEnded: (status) => status === "completed",
  runningStatuses: ["running"],
  submittedMs: 0,
  deadlineMs: dayMs,
};

/** Follows one job with the action's own `followJob`. */
export async function waitWithFollowJob(
  durationMs: number,
  shape: string,
  random: () => number,
): Promise<Wait> {
  let [nowMs, polls] = [0, 0];
  const clock: Clock = {
    now: () => nowMs,
    async sleep(ms) {
      nowMs += ms;
    },
  };
  const read = async () => {
    const job = readJob(durationMs, shape, nowMs + roundTripMs / 2);
    nowMs += roundTripMs;
    polls += 1;
    return job;
  };
  await followJob(
    { ...jobOptions, read },
    { clock, random, log: silent, signal: new AbortController().signal },
  );
  return { overshootMs: nowMs - durationMs, polls };
}

/** A schedule of others: the wait before each poll, counted from 1, and when it gives up. */
export interface Schedule {
  readonly waitMs: (poll: number) => number;
  readonly giveUpMs?: number;
}

/** Follows one job with a schedule of others. */
export function waitWithSchedule(durationMs: number, { waitMs, giveUpMs = dayMs }: Schedule): Wait {
  let nowMs = 0;
  for (let polls = 1; ; polls += 1) {
    nowMs += waitMs(polls) + roundTripMs;
    if (nowMs - roundTripMs / 2 >= durationMs) return { overshootMs: nowMs - durationMs, polls };
    if (nowMs >= giveUpMs) return { overshootMs: undefined, polls };
  }
}

export interface Crowd {
  readonly waits: readonly Wait[];
  /** Answers with 429, of all runs together. */
  readonly refused: number;
  /** Requests in each minute, refused ones included. */
  readonly byMinute: readonly number[];
}

/**
 * Follows jobs side by side, each by a run of its own that knows nothing of the others, at a platform that answers `budget`
 * requests in each minute and refuses the others with 429 and the rest of the minute as `Retry-After`.
 */
export async function waitInCrowd(
  durationsMs: readonly number[],
  budget: number,
  startWithinMs: number,
): Promise<Crowd> {
  const timeline = createTimeline();
  const byMinute: number[] = [];
  let refused = 0;
  const waits = durationsMs.map(async (durationMs, index): Promise<Wait> => {
    const random = createRandom(index + 1);
    const submittedMs = Math.round(startWithinMs * random());
    const { signal } = new AbortController();
    await timeline.clock.sleep(submittedMs, signal);
    let polls = 0;
    const read = async () => {
      await timeline.clock.sleep(roundTripMs / 2, signal);
      const nowMs = timeline.clock.now();
      const minute = Math.floor(nowMs / 60_000);
      const count = (byMinute[minute] ?? 0) + 1;
      byMinute[minute] = count;
      polls += 1;
      await timeline.clock.sleep(roundTripMs / 2, signal);
      if (count <= budget) return readJob(durationMs, "none", nowMs - submittedMs);
      refused += 1;
      const retryAfterMs = Math.ceil(((minute + 1) * 60_000 - nowMs) / 1000) * 1000;
      throw new PlatformError("rate-limited", "Too many requests.", { retryAfterMs });
    };
    await followJob(
      { ...jobOptions, read, submittedMs },
      { clock: timeline.clock, random, log: silent, signal },
    );
    return { overshootMs: timeline.clock.now() - submittedMs - durationMs, polls };
  });
  const all = Promise.all(waits);
  await timeline.runUntil(all);
  return { waits: await all, refused, byMinute: Array.from(byMinute, (count) => count ?? 0) };
}

/** A clock for many runs: it moves on to the next sleeper's time once every run sleeps. */
function createTimeline() {
  let nowMs = 0;
  const sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  const clock: Clock = {
    now: () => nowMs,
    sleep: (ms) => new Promise((wake) => sleepers.push({ atMs: nowMs + ms, wake })),
  };
  return {
    clock,
    async runUntil(end: Promise<unknown>): Promise<void> {
      let isEnded = false;
      void end.finally(() => {
        isEnded = true;
      });
      while (!isEnded) {
        await new Promise(setImmediate);
        sleepers.sort((one, other) => other.atMs - one.atMs);
        const next = sleepers.pop();
        if (next === undefined) continue;
        nowMs = next.atMs;
        next.wake();
      }
    },
  };
}
