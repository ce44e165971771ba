import { type Context, createContext, Script } from "node:vm";

/** Work was stopped because it took too long. */
export class TimeLimitError extends Error {
  constructor(limitMs: number) {
    super(`it takes longer than ${limitMs / 1000} seconds`);
  }
}

interface Watched {
  readonly script: Script;
  readonly context: Context;
}

let shared: Watched | undefined;

/** Made once: a context costs milliseconds and a megabyte, and a site has thousands of pages. */
function getWatched(): Watched {
  shared ??= { script: new Script("run()"), context: createContext({}) };
  return shared;
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
  const { script, context } = getWatched();
  // Work may contain limited work of its own.
  const outer: unknown = context["run"];
  context["run"] = run;
  try {
    script.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new TimeLimitError(limitMs);
    throw error;
  } finally {
    context["run"] = outer;
  }
  return outcome.value as Result;
}
