/**
 * When to look at a job again, as pure functions of its age and progress.
 *
 * With a request worth k = 1 s of waiting and a completion time of unknown scale, the cheapest schedule looks every
 * √(2·k·age); where progress moves, looking again after half of the estimated rest finds the end within a second or two.
 */

const shortestDelayMs = 2_000;
const longestDelayMs = 30_000;
const longestBackoffMs = 30_000;

/** One reading of a job's progress in percent. */
export interface ProgressSample {
  readonly atMs: number;
  readonly percent: number;
}

/** Milliseconds until the next look at a job that is `ageMs` old; `random` is uniform in [0, 1). */
export function nextPollDelayMs(
  { ageMs, samples }: { ageMs: number; samples: readonly ProgressSample[] },
  random: () => number,
): number {
  const blindMs = clamp(Math.sqrt(2 * (ageMs / 1000)) * 1000);
  const restMs = estimateRestMs(samples);
  const delayMs = restMs === undefined ? blindMs : clamp(Math.min(restMs / 2, 2 * blindMs));
  return Math.round(delayMs * (0.9 + 0.2 * random()));
}

/** Full-jitter wait after the given number of failed looks in a row (1 or more). */
export function backoffDelayMs(failures: number, random: () => number): number {
  const ceilingMs = Math.min(longestBackoffMs, 1000 * 2 ** failures);
  return Math.max(500, Math.round(random() * ceilingMs));
}

/**
 * Estimated time to 100 %, from the newer half of the samples; `undefined` while there is too little to go by (fewer
 * than two samples, no movement, less than 3 %).
 */
export function estimateRestMs(samples: readonly ProgressSample[]): number | undefined {
  const newer = samples.slice(Math.floor((samples.length - 1) / 2));
  const first = newer[0];
  const last = newer.at(-1);
  if (first === undefined || last === undefined || first === last) return undefined;
  const gained = last.percent - first.percent;
  if (gained <= 0 || last.percent < 3 || last.percent >= 100) return undefined;
  return ((100 - last.percent) * (last.atMs - first.atMs)) / gained;
}

function clamp(ms: number): number {
  return Math.min(longestDelayMs, Math.max(shortestDelayMs, ms));
}
