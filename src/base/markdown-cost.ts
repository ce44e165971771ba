/** Limits the time that untrusted Markdown can take: an estimate of the parsing cost, and time limits for the actual work. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Context, createContext, runInContext } from "node:vm";
import type { Clock } from "./runtime.ts";

/**
 * The parser's time grows with the square of the delimiters of emphasis and links in a paragraph. This limit is about one second.
 * Normal texts of 65,536 characters stay far below it.
 */
const maxPairs = 4500 ** 2;
/** For each unclosed comment or declaration, the parser searches the whole paragraph. This limits the product of both. */
const maxSteps = 30_000_000;
/** For each underline of a heading, the parser moves all text before it. */
const maxUnderlines = 1000;
/** Each line may become a block. */
const maxLines = 8000;
/** Nesting of 100 quotes or lists, which could exhaust the stack of a program that walks the tree. */
const deepLine = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){100}/m;

/** Whether a text is nested too deeply, or has too many delimiters, to be parsed in reasonable time. */
function isTooDense(source: string): boolean {
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

/** Counts closing brackets without an opening one. For each, the parser searches back through the whole paragraph. */
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

/** The estimate covers only known slow patterns, so the work itself is limited as well. The longest real texts take a quarter of this. */
const maxWorkMs = 2_000;
/** On a busy machine the thread may get less processor time than that. It then gets up to seven times the limit in total. */
const maxAttempts = 3;

/** GitHub's longest texts, those of releases, have 125,000 characters. */
const maxCharacters = 150_000;

const timedOutTexts = new Set<string>();
let context: Context | undefined;

/**
 * Runs synchronous work on an untrusted text with a time limit, because it blocks the thread and delays cancellation.
 *
 * @returns `undefined` if the text is longer than any text of GitHub's or too dense, or the work exceeded the limit now or earlier in this
 *   process
 */
export function runWithTimeLimit<Result>(
  text: string,
  work: (text: string) => Result,
  limitMs = maxWorkMs,
): Result | undefined {
  if (text.length > maxCharacters || timedOutTexts.has(text) || isTooDense(text)) return undefined;
  // Node can limit the time of a script only, including the functions that the script calls.
  context ??= createContext({});
  for (let attempt = 1; ; attempt += 1) {
    const startMs = threadMs();
    context["work"] = () => work(text);
    try {
      return runInContext("work()", context, { timeout: limitMs * 2 ** (attempt - 1) }) as Result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      if (attempt < maxAttempts && threadMs() - startMs < limitMs * 0.9) continue;
      timedOutTexts.add(text);
      return undefined;
    }
  }
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Time limit for reading all texts of one thread. */
const maxReadingMs = 5_000;

/**
 * Yields items from the last to the first, and stops when the caller has spent five seconds on them.
 *
 * @throws the signal's reason when it aborts, between two items.
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
