import { type Context, createContext, Script } from "node:vm";

/** For one page, or one step of it. Real pages take up to a second; the rest keeps a busy machine from changing the result. */
const maxStepMs = 30_000;

/** A shorter limit, by the length of a text, for a process that serves requests: some ten times what real pages take. */
export function limitByLength(length: number): number {
  return Math.min(maxStepMs, 2_000 + Math.ceil(length / 20));
}

const script = new Script("run()");

/** Shared by all calls: a context takes milliseconds and a megabyte, and a site has thousands of pages. */
let context: Context | undefined;
let isLimited = false;

/**
 * Runs synchronous work and throws if it exceeds the limit: some texts take a parser hours. V8's own time limit interrupts
 * the work anywhere. The context is no sandbox; the work runs with this process's rights. V8 starts a thread for each limit,
 * so that nested calls rely on the limit of the outermost one.
 */
export function withTimeLimit<Result>(work: () => Result, limitMs = maxStepMs): Result {
  if (isLimited) return work();
  context ??= createContext();
  context["run"] = work;
  isLimited = true;
  try {
    return script.runInContext(context, { timeout: limitMs }) as Result;
  } finally {
    isLimited = false;
  }
}
