/** The clock, the environment and the log of a run. Tests replace them. */
import { setTimeout as delay } from "node:timers/promises";

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @throws the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * The system clock, which advances by at least the duration of each sleep, even if the machine's clock is set back meanwhile. With a
 * `speed` above 1, a sleep takes only that fraction of its duration, and the clock skips the rest. This lets tests of the whole action
 * run through polls and leases without waiting for real time.
 */
export function createClock(speed = 1): Clock {
  let skippedMs = 0;
  const now = () => Date.now() + skippedMs;
  return {
    now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      const wakesAtMs = now() + ms;
      await delay(ms / speed, undefined, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      skippedMs = Math.max(skippedMs, wakesAtMs - Date.now());
    },
  };
}

export const systemClock: Clock = createClock();

/** Variables of a process or of the runner. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a variable, without the line break with which a Secret that was created from a file ends; `undefined` if it is empty. */
export function readVariable(environment: Environment, name: string): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** The addresses of GitHub and of its API, which differ with a GitHub Enterprise Server. */
export function readGitHubAddresses(environment: Environment) {
  return {
    serverUrl: environment["GITHUB_SERVER_URL"] || "https://github.com",
    apiUrl: environment["GITHUB_API_URL"] || "https://api.github.com",
  };
}

/** The clock of a run. Only tests of the whole action set the variable. */
export function createRunClock(environment: Environment): Clock {
  return createClock(Number(environment["DOCS_AUTOMATION_TEST_CLOCK_SPEED"]) || 1);
}

interface SourcePlace {
  /** Path of the file: from the workspace's root in a workflow, from the documents' folder on a platform. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number | undefined;
}

/** Messages of a command. The frame escapes them and writes them to the job's log. */
export interface Log {
  debug(message: string): void;
  /** `percent` is the progress of the work that the message describes. A terminal shows it as a progress bar. */
  info(message: string, percent?: number): void;
  /** Shown as an annotation, for information that requires no action. */
  notice(message: string): void;
  /** `place` is where to correct something; a workflow shows the warning there. */
  warning(message: string, place?: SourcePlace): void;
}
