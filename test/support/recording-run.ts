import type { Run } from "../../src/commands/run.ts";
import { createFakeClock } from "./fake-clock.ts";
import { createRecordingLog, type RecordingLog } from "./recording-log.ts";

export interface RecordingRun extends Run {
  readonly log: RecordingLog;
  /** Every output with its last value. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Masks and outputs in the order in which they were made: `mask:…`, `bundleUrl=…`. */
  readonly facts: readonly string[];
}

/** A run as the frame gives it to a command: its waits pass at once, and what it tells the runner can be read. */
export function createRecordingRun(changes: Partial<Omit<Run, "log">> = {}): RecordingRun {
  const outputs: Record<string, string> = {};
  const facts: string[] = [];
  const clock = createFakeClock();
  return {
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    deadlineMs: clock.now() + 3_600_000,
    environment: {},
    setOutput(key, value) {
      outputs[key] = value;
      facts.push(`${key}=${value}`);
    },
    maskSecret: (secret) => void facts.push(`mask:${secret}`),
    saveState: (name, value) => void facts.push(`state:${name}=${value}`),
    ...changes,
    log: createRecordingLog(),
    outputs,
    facts,
  };
}
