/** `npm run bench -- waiting`: how late a job's end is seen, and how many polls that takes, on a simulated clock. */
import type { Report, Table } from "./report.ts";
import { durations, progressShapes } from "./waiting/jobs.ts";
import {
  createRandom,
  type Schedule,
  type Wait,
  waitInCrowd,
  waitWithFollowJob,
  waitWithSchedule,
} from "./waiting/simulation.ts";

export const title = "Waiting";

/** What others do, with the wait before each poll. */
const others: Readonly<Record<string, Schedule>> = {
  "every 5 s": { waitMs: () => 5_000 },
  "every 10 s": { waitMs: () => 10_000 },
  "5 s, × 1.5, at most 45 s": { waitMs: (poll) => Math.min(45_000, 5_000 * 1.5 ** (poll - 1)) },
  "deploy-pages": { waitMs: () => 5_000, giveUpMs: 600_000 },
};

const intro = `Simulated jobs: \`followJob\` itself on a simulated clock, 150 ms for each poll, 200 jobs a set at evenly spaced quantiles of its
distribution (\`bench/waiting/jobs.ts\`), so that the results are the same on every machine. Each cell has the average number of seconds between a
job's end and the poll that reports it, and the polls of one job. \`--durations 45,600,1800\` simulates other jobs, in seconds.

An interval of 5.5 % of the job's age, at least 2.5 s and at most 90 s, notices the end within 3 % of the duration or 1.5 s, whichever is more, on
average. Without progress, no schedule reaches this for every duration with fewer than ∫ dt / (2 · max(1.5 s, 0.03 · t)) polls: 58 at ten minutes,
76 at half an hour. Half of the polls of "every 10 s" is 30 and 90. So below 25 minutes no schedule reaches both this delay and half of the polls.
This one reaches the delay, and over all jobs from ten minutes to an hour both. Progress that stays at 99 %, as "fast, then slow" does for a tenth
of the time, gives no information about the end. There the interval grows with the overdue time, because a delay of 2.5 s would take a poll every 5 s.`;

/** Compares the schedules; `--durations` names a set of one's own, in seconds. */
export async function run(args: readonly string[]): Promise<Report> {
  const [flag, list = ""] = args;
  const own = list.split(",").map((seconds) => 1000 * Number(seconds));
  const sets = flag === "--durations" ? { [`${own.length} of your own`]: own } : durations;
  return {
    intro,
    tables: [await compareSchedules(sets), await compareProgress(sets), await measureCrowds()],
  };
}

async function compareSchedules(sets: typeof durations): Promise<Table> {
  const rows: string[][] = [];
  for (const [set, jobs] of Object.entries(sets)) {
    const allowed = mean(jobs.map((ms) => Math.max(1500, 0.03 * ms))) / 1000;
    const theirs = Object.values(others).map((schedule) =>
      showWaits(jobs.map((ms) => waitWithSchedule(ms, schedule))),
    );
    rows.push([set, allowed.toFixed(1), showWaits(await follow(jobs, "none")), ...theirs]);
  }
  return {
    caption:
      "Without progress: seconds late / polls. The aim is the mean of the larger of 1.5 s and 3 % of the duration. deploy-pages gives up after ten minutes; its figures are those of the other jobs, with the share that it lost.",
    columns: ["durations", "aim", "ours", ...Object.keys(others)],
    rows,
  };
}

async function compareProgress(sets: typeof durations): Promise<Table> {
  const shapes = Object.keys(progressShapes).filter((shape) => shape !== "none");
  const rows: string[][] = [];
  for (const [set, jobs] of Object.entries(sets)) {
    const cells: string[] = [];
    for (const shape of shapes) cells.push(showWaits(await follow(jobs, shape)));
    const every10 = mean(jobs.map((ms) => waitWithSchedule(ms, { waitMs: () => 10_000 }).polls));
    rows.push([set, ...cells, (every10 / 2).toFixed(0)]);
  }
  return {
    caption: "With progress in whole percent: seconds late / polls, beside half of the polls of every 10 s.",
    columns: ["durations", ...shapes, "half of every 10 s"],
    rows,
  };
}

/** Follows each job of a set with our schedule. */
export async function follow(jobs: readonly number[], shape: string): Promise<Wait[]> {
  const random = createRandom(1);
  const waits: Wait[] = [];
  for (const durationMs of jobs) waits.push(await waitWithFollowJob(durationMs, shape, random));
  return waits;
}

async function measureCrowds(): Promise<Table> {
  const rows: (string | number)[][] = [];
  const crowd = durations["5 s to 1 h, log-uniform"]?.filter((_, index) => index % 4 === 0) ?? [];
  for (const budget of [Number.POSITIVE_INFINITY, 600, 300, 100, 60, 30]) {
    const { waits, refused, byMinute } = await waitInCrowd(crowd, budget, 0);
    rows.push([
      budget === Number.POSITIVE_INFINITY ? "none" : budget,
      waits.length,
      (sum(waits.map(({ polls }) => polls)) / waits.length).toFixed(1),
      (refused / waits.length).toFixed(1),
      (mean(waits.map(({ overshootMs = Number.NaN }) => overshootMs)) / 1000).toFixed(1),
      [0, 1, 2, 4, 9, 29].map((minute) => byMinute[minute] ?? 0).join(", "),
    ]);
  }
  return {
    caption:
      "Fifty independent runs that start at once, on jobs of 5 s to 1 h without progress. Above its limit, the platform responds with 429 and the rest of the minute as `Retry-After`. A refused run lengthens its later intervals by half.",
    columns: [
      "limit a minute",
      "ended",
      "polls a run",
      "refused",
      "seconds late",
      "requests in minute 1, 2, 3, 5, 10, 30",
    ],
    rows,
  };
}

function showWaits(waits: readonly Wait[]): string {
  const late = waits.map(({ overshootMs }) => overshootMs).filter((ms) => ms !== undefined);
  const polls = mean(waits.map(({ polls }) => polls)).toFixed(0);
  const gaveUp = 1 - late.length / waits.length;
  const seconds = late.length === 0 ? "–" : (mean(late) / 1000).toFixed(1);
  return `${seconds} / ${polls}${gaveUp > 0 ? `, ${(100 * gaveUp).toFixed(0)} % lost` : ""}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
