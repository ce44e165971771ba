import type { Log } from "../../src/base/runtime.ts";

export interface RecordingLog extends Log {
  /** Everything said, each line with its level: "warning: …". */
  readonly lines: readonly string[];
}

export function createRecordingLog(): RecordingLog {
  const lines: string[] = [];
  const write = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  return {
    lines,
    debug: write("debug"),
    info: write("info"),
    notice: write("notice"),
    warning: write("warning"),
  };
}
