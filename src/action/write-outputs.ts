import * as core from "@actions/core";
import { publicName } from "../commands/input-catalog.ts";
import type { OutputKey } from "../commands/outputs.ts";

export interface OutputWriter {
  set(key: OutputKey, value: string): void;
  /** What has been set so far. */
  readonly known: ReadonlyMap<OutputKey, string>;
}

/** Writes each output at once: what is known is kept even if the process is killed. */
export function createOutputWriter(): OutputWriter {
  const known = new Map<OutputKey, string>();
  return {
    known,
    set(key, value) {
      if (known.get(key) === value) return;
      known.set(key, value);
      core.setOutput(publicName(key), value);
    },
  };
}
