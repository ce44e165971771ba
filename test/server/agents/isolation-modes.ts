import type { TestContext } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { findIsolation } from "../../../src/server/agents/isolation.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** All isolation modes. */
export const isolationModes = ["namespace", "sudo", "none"] as const;

/** Skips the test if the isolation mode does not work on this machine. */
export async function requireIsolation(
  mode: (typeof isolationModes)[number],
  context: TestContext,
): Promise<void> {
  await using folder = await createTemporaryFolder();
  const deps = { log: createRecordingLog(), signal: new AbortController().signal };
  const isPossible = await findIsolation(folder.path, {}, mode, deps).then(
    () => true,
    (error: unknown) => {
      if (error instanceof InputError) return false;
      throw error;
    },
  );
  if (!isPossible) context.skip(`the isolation mode ${mode} does not work on this machine`);
}
