import { Script } from "node:vm";

/** Work was stopped because it took too long. */
export class TimeLimitError extends Error {
  constructor(limitMs: number) {
    super(`it takes longer than ${limitMs / 1000} seconds`);
  }
}

/**
 * Runs synchronous work and stops it when it takes too long, wherever it is: grammars have texts that take them hours.
 * The script engine's own watchdog does it; what runs inside is this process's code, not a sandbox.
 *
 * @throws {TimeLimitError} when the limit is reached.
 */
export function withTimeLimit<Result>(limitMs: number, work: () => Result): Result {
  const outcome: { value?: Result } = {};
  const run = () => {
    outcome.value = work();
  };
  try {
    new Script("run()").runInNewContext({ run }, { timeout: limitMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new TimeLimitError(limitMs);
    throw error;
  }
  return outcome.value as Result;
}
