/** The lines about a job in the log. */
import type { Clock, Log } from "../base/runtime.ts";
import type { ProgressSample } from "./poll-schedule.ts";

/** What polling needs to know of a job, whatever its kind. */
export interface JobState {
  /** The platform's word; `undefined` where the answer lacks it. */
  readonly status: string | undefined;
  /** Progress in percent, where the platform tells it. */
  readonly percent?: number | undefined;
  /** One line for the log: "running, 42 %, 120 pages". */
  readonly line: string;
}

/** What the log needs to know of the job that is followed. */
export interface ProgressLogOptions {
  /** What the job is, for messages: "export job se_1". */
  readonly name: string;
  readonly isEnded: (status: string) => boolean;
  /** Statuses under which the job is known to go on; any other is logged once and followed too. */
  readonly goingStatuses: readonly string[];
  /** Milliseconds since the epoch when the job was submitted. */
  readonly submittedMs: number;
}

const speakAtLeastEveryMs = 30_000;
const warnOfStallAfterMs = 15 * 60_000;

/** Writes one line per change, and one every 30 seconds on long work; warns once of an unknown status and of a stall. */
export function createProgressLog(
  options: ProgressLogOptions,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
) {
  const samples: ProgressSample[] = [];
  const strangeStatuses = new Set<string | undefined>();
  let last: string | undefined;
  let lastChangeMs = clock.now();
  let lastSpokenMs = clock.now();
  let stallReported = false;

  function noteStatus(status: string | undefined) {
    const known =
      status !== undefined &&
      (options.isEnded(status) || options.goingStatuses.includes(status.toLowerCase()));
    if (known || strangeStatuses.has(status)) return;
    strangeStatuses.add(status);
    log.warning(
      status === undefined
        ? `The answer about ${options.name} has no status; still waiting.`
        : `${capitalize(options.name)} has a status this action does not know (“${status}”); still waiting.`,
    );
  }

  function noteStall(nowMs: number) {
    if (stallReported || nowMs - lastChangeMs < warnOfStallAfterMs) return;
    stallReported = true;
    log.warning(
      `${capitalize(options.name)} has not moved for ${Math.round((nowMs - lastChangeMs) / 60_000)} minutes.`,
    );
  }

  function write(nowMs: number) {
    lastSpokenMs = nowMs;
    log.info(
      `${capitalize(options.name)}: ${last ?? "no answer yet"} (${formatAge(nowMs - options.submittedMs)})`,
    );
  }

  function speak(line: string, nowMs: number) {
    if (line === last) return;
    last = line;
    lastChangeMs = nowMs;
    stallReported = false;
    write(nowMs);
  }

  return {
    samples,
    lastLine: () => last,
    speakAgain() {
      const nowMs = clock.now();
      if (nowMs - lastSpokenMs >= speakAtLeastEveryMs) write(nowMs);
      return lastSpokenMs + speakAtLeastEveryMs - nowMs;
    },
    see({ status, percent, line }: JobState) {
      const nowMs = clock.now();
      noteStatus(status);
      if (percent !== undefined && samples.at(-1)?.percent !== percent)
        samples.push({ atMs: nowMs, percent });
      speak(line, nowMs);
      noteStall(nowMs);
    },
  };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A job's age, or a wait: "42 s", "3 min 5 s". */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
