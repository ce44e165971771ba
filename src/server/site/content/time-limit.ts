import { type Context, createContext, Script } from "node:vm";

/** For one step of one page. Generous, since a busy machine must not change the result: real pages take up to a second. */
export const parseLimitMs = 30_000;

/** Work was stopped because it took too long. */
export class TimeLimitError extends Error {
  constructor(limitMs: number) {
    super(`it takes longer than ${limitMs / 1000} seconds`);
  }
}

const script = new Script("run()");

/** Made once: a context costs milliseconds and a megabyte, and a site has thousands of pages. */
let context: Context | undefined;

/**
 * Runs synchronous work and stops it when it takes too long, wherever it is: grammars have texts that take them hours.
 * The script engine's own time limit does it; what runs inside is this process's code, not a sandbox.
 *
 * @throws {TimeLimitError} when the limit is reached.
 */
export function withTimeLimit<Result>(limitMs: number, work: () => Result): Result {
  context ??= createContext();
  context["run"] = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } catch (error) {
    // It is an error of the other context, so no `Error` of this one.
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
      throw new TimeLimitError(limitMs);
    throw error;
  }
}
