import { SecretRedactor } from "../../src/base/secrets.ts";
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
  const secrets = new SecretRedactor();
  const log = createRecordingLog(secrets.redact);
  return {
    logGroup: (title, text) => log.info(`${title}: ${text}`),
    clock,
    random: () => 0.5,
    signal: new AbortController().signal,
    deadlineMs: clock.now() + 3_600_000,
    environment: {},
    setOutput(key, value) {
      const shown = secrets.redact(value, { credentialsOnly: key === "bundleUrl" });
      outputs[key] = shown;
      facts.push(`${key}=${shown}`);
    },
    maskSecret(secret) {
      secrets.addCredential(secret);
      facts.push(`mask:${secret}`);
    },
    maskIssued(secret) {
      secrets.addIssuedSecret(secret);
      facts.push(`mask:${secret}`);
    },
    redact: secrets.redact,
    saveState: (name, value) => void facts.push(`state:${name}=${secrets.redact(value)}`),
    ...changes,
    log,
    outputs,
    facts,
  };
}
