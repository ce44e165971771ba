import type { TestContext } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { findIsolation } from "../../../src/server/agents/isolation.ts";
import { createRecordingLog } from "../../support/recording-log.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** Every way in which an agent command is kept apart, or not. */
export const isolationKinds = ["namespace", "sudo", "none"] as const;

/** Skips the test, with the reason, where this machine does not offer an isolation. */
export async function requireIsolation(
  kind: (typeof isolationKinds)[number],
  context: TestContext,
): Promise<void> {
  await using folder = await createTemporaryFolder();
  const deps = { log: createRecordingLog(), signal: new AbortController().signal };
  const isPossible = await findIsolation(folder.path, {}, kind, deps).then(
    () => true,
    (error: unknown) => {
      if (error instanceof InputError) return false;
      throw error;
    },
  );
  if (!isPossible) context.skip(`isolation by ${kind} cannot be had on this machine`);
}
