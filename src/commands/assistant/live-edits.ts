/** Shows a growing text in edits that are seconds apart, never two at once. */
import type { Clock } from "../../base/runtime.ts";

export interface LiveEdits {
  /** The text has grown to this. */
  update(text: string): void;
  /** Stops; resolves when no edit is under way any more. */
  stop(): Promise<void>;
}

interface LiveEditsDeps {
  /** Shows the text; a failure is for the caller to report. */
  readonly show: (text: string) => Promise<void>;
  /** What of the text can be shown; an edit that would change nothing is not made. */
  readonly select: (text: string) => string;
  readonly clock: Clock;
}

/** First words soon; then GitHub's limits on edits, and readers' patience, allow one every few seconds. */
const firstAfterMs = 800;
const everyMs = 4_000;
/** A long answer is edited less and less often: GitHub counts edits by the hour as well, over all of a token's runs. */
const growth = 1.1;
const seldomMs = 20_000;

export function createLiveEdits({ show, select, clock }: LiveEditsDeps): LiveEdits {
  const stopped = new AbortController();
  let latest = "";
  let shown = "";
  let nextAtMs: number | undefined;
  let pauseMs = everyMs;
  let loop: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      nextAtMs ??= clock.now() + firstAfterMs;
      await pause(nextAtMs - clock.now());
      const next = select(latest);
      if (stopped.signal.aborted || next === shown) return;
      shown = next;
      nextAtMs = clock.now() + pauseMs;
      pauseMs = Math.min(seldomMs, pauseMs * growth);
      await show(next);
    }
  }

  /** Until then, or until it is stopped: that is no error here. */
  async function pause(ms: number): Promise<void> {
    try {
      await clock.sleep(Math.max(0, ms), stopped.signal);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
    }
  }

  return {
    update(text) {
      latest = text;
      loop ??= run().finally(() => {
        loop = undefined;
      });
    },
    async stop() {
      stopped.abort();
      await loop;
    },
  };
}
