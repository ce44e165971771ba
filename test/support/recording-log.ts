import type { Log } from "../../src/base/runtime.ts";

export interface RecordingLog extends Log {
  /** Everything said, each line with its level: "warning: …". */
  readonly lines: readonly string[];
  /** What a person reads without debug logging. */
  readonly shown: readonly string[];
}

/** @param redact what the frame takes out of each line */
export function createRecordingLog(redact = (text: string) => text): RecordingLog {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => void lines.push(`${level}: ${redact(message)}`);
  return {
    lines,
    get shown() {
      return lines.filter((line) => !line.startsWith("debug: "));
    },
    debug: write("debug"),
    info: write("info"),
    notice: write("notice"),
    warning: write("warning"),
  };
}
