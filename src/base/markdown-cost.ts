/** What a Markdown text may cost to parse, by estimate and by the clock: no comment and no platform's answer can hold up a runner. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Context, createContext, runInContext } from "node:vm";
import type { Clock } from "./runtime.ts";

/**
 * The parser's work grows with the square of the marks in one paragraph that may open or close emphasis and links. This
 * is about a second's worth; 65,536 characters of prose, links and tables stay far below.
 */
const maxPairs = 4500 ** 2;
/** It searches for the end of each unfinished comment or declaration through the whole paragraph. */
const maxSteps = 30_000_000;
/** Each line that underlines a heading moves everything before it. */
const maxUnderlines = 1000;

/** Each line may be a block of its own; texts of this many lines are lists of numbers. */
const maxLines = 8000;

/** Far deeper than people nest quotes and lists; deeper trees are made to exhaust the program that walks them. */
const deepLine = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}/m;

/** Whether a text is so deeply nested or so full of marks that no person wrote it to be read. */
export function isTooDense(source: string): boolean {
  if (deepLine.test(source)) return true;
  if (countMatches(source, /^[ \t>]*(?:=+|-+)[ \t]*$/gm) > maxUnderlines) return true;
  if (countMatches(source, /^[ \t>]*[^\s>]/gm) > maxLines) return true;
  let pairs = 0;
  let steps = 0;
  for (const paragraph of source.split(/\n[ \t>]*(?=\n)/)) {
    pairs += countMatches(paragraph, /([*_~[])\1*/g) ** 2 + countStrayClosings(paragraph) ** 2;
    steps += countMatches(paragraph, /<[!?]/g) * paragraph.length;
  }
  return pairs > maxPairs || steps > maxSteps;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Closing brackets that nothing opened: for each the parser goes back over the whole paragraph. */
function countStrayClosings(text: string): number {
  let open = 0;
  let stray = 0;
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    if (bracket === "[") open += 1;
    else if (open > 0) open -= 1;
    else stray += 1;
  }
  return stray;
}

/** An estimate knows the ways to be slow that are known. The longest texts that people write take a quarter of this. */
const maxWorkMs = 2_000;
/** A thread that gets little of a busy machine is given more time, up to seven times as much in all. */
const maxTries = 3;

/** GitHub's longest text, a release's, has 125,000 characters. */
const maxCharacters = 150_000;

const tooSlow = new Set<string>();
let workbench: Context | undefined;

/**
 * What synchronous work on an untrusted text returns; `undefined` where the text is longer than any of GitHub's, or the work
 * was cut off because it took two seconds of this thread: until it ends, nothing else is done, and no cancellation noticed.
 * Work on a text that was cut off once in this process is not begun again.
 */
export function runWithTimeLimit<Result>(
  text: string,
  work: (text: string) => Result,
  limitMs = maxWorkMs,
): Result | undefined {
  if (text.length > maxCharacters || tooSlow.has(text)) return undefined;
  // Of all that runs in one thread, only a script may be given a time limit; it applies to what the script calls, too.
  workbench ??= createContext({});
  for (let attempt = 1; ; attempt += 1) {
    const startMs = threadMs();
    workbench["work"] = () => work(text);
    try {
      return runInContext("work()", workbench, { timeout: limitMs * 2 ** (attempt - 1) }) as Result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      if (attempt < maxTries && threadMs() - startMs < limitMs * 0.9) continue;
      tooSlow.add(text);
      return undefined;
    }
  }
}

/** Processor time that this thread has used. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** After so many milliseconds, what was read of many texts is enough. */
const maxReadingMs = 5_000;

/**
 * The texts of a thread, the last one first, as long as reading them takes less than five seconds in all.
 *
 * @throws the signal's reason when it aborts, between two texts.
 */
export async function* newestWithinTimeLimit<Item>(
  items: readonly Item[],
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<Item, void> {
  const endsMs = clock.now() + maxReadingMs;
  for (const item of items.toReversed()) {
    await nextTurn();
    signal.throwIfAborted();
    if (clock.now() >= endsMs) return;
    yield item;
  }
}
