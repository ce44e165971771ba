/** The published jobs of the waiting benchmark: how long they take, and what they tell of their progress. */

const jobsPerSet = 200;

/** Evenly spaced quantiles of a distribution: the same on every machine, without a random number. */
function quantiles(of: (share: number) => number): number[] {
  return Array.from({ length: jobsPerSet }, (_, index) => Math.round(of((index + 0.5) / jobsPerSet) * 1000));
}

const logUniform = (from: number, to: number) => (share: number) => from * (to / from) ** share;

/** Durations in milliseconds, by the name of their set. */
export const durations: Readonly<Record<string, readonly number[]>> = {
  "5 s to 1 h, log-uniform": quantiles(logUniform(5, 3600)),
  "5 s to 1 min, log-uniform": quantiles(logUniform(5, 60)),
  "30 s to 5 min, log-uniform": quantiles(logUniform(30, 300)),
  "8 to 12 min, uniform": quantiles((share) => 480 + 240 * share),
  "10 min to 1 h, log-uniform": quantiles(logUniform(600, 3600)),
  "20 to 40 s, or 15 to 25 min": quantiles((share) =>
    share < 0.5 ? 20 + 40 * share : 900 + 1200 * (share - 0.5),
  ),
};

/** Progress in whole percent after a share of a job's time; `none` tells nothing. */
export const progressShapes: Readonly<Record<string, ((share: number) => number) | undefined>> = {
  none: undefined,
  linear: (share) => 100 * share,
  "queued 30 %, then linear": (share) => (100 * (share - 0.3)) / 0.7,
  "fast, then slow": (share) => 100 * (1 - (1 - share) ** 2),
  "slow, then fast": (share) => 100 * share ** 2,
  "at 99 % for the last 40 %": (share) => (99 * share) / 0.6,
};

/** What a job that is `ageMs` old answers. */
export function readJob(durationMs: number, shape: string, ageMs: number) {
  const percentAt = progressShapes[shape];
  const percent = percentAt && Math.floor(Math.min(99, Math.max(0, percentAt(ageMs / durationMs))));
  return ageMs >= durationMs
    ? { status: "completed", percent: percentAt && 100 }
    : { status: "running", percent };
}
