/** Shows an answer in its comment while it arrives. */
import type { Clock, Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import type { CollectedAnswer } from "../../client/collect-answer.ts";
import type { ClaimRecord } from "../../github/claim-store.ts";
import { stripInvisibleCharacters } from "../../github/invisible-characters.ts";
import { finishedPart } from "../../presentation/sanitize-answer.ts";
import type { ClaimHolder } from "../submission/claim-holder.ts";
import { leases } from "../submission/judge-claims.ts";
import type { ShownAnswer } from "./answer-interface.ts";
import { createLiveEdits } from "./live-edits.ts";

/** What a question tells while it is answered. */
export interface AskWatcher {
  /** The answer has grown to this text. */
  readonly onText: (text: string) => void;
  /** The platform's limit is used up; the question is asked again then. */
  readonly onQueued: (until: Date) => Promise<void>;
}

interface GrowOptions {
  readonly holder: Pick<ClaimHolder, "write">;
  /** The conversation to go on with. */
  readonly threadId: string | undefined;
  readonly shown: ShownAnswer;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

export interface GrowDeps {
  readonly ask: (threadId: string | undefined, watcher: AskWatcher) => Promise<CollectedAnswer>;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Asks, and shows what arrives, or that the question waits for the platform's limit; the claim is held as long.
 *
 * @throws {PlatformError} when no answer begins.
 */
export async function growAnswer(
  { holder, threadId, shown, deadlineMs }: GrowOptions,
  { ask, redact, clock, log, signal }: GrowDeps,
): Promise<CollectedAnswer> {
  let isBroken = false;
  const asked = () => asking({ deadlineMs }, { clock });
  /** The last edit shows everything; until then, one that fails holds nothing up. */
  const show = async (change: Partial<ClaimRecord>) => {
    if (isBroken) return;
    try {
      await holder.write(change);
    } catch (error) {
      isBroken = true;
      if (!signal.aborted) log.warning(`The answer could not be shown while it arrives: ${messageOf(error)}`);
    }
  };
  const edits = createLiveEdits({
    clock,
    select: (text) => finishedPart(stripInvisibleCharacters(redact(text)).text),
    async show(text) {
      Object.assign(shown, { state: "answering", text } satisfies Partial<ShownAnswer>);
      await show(asked());
    },
  });
  const onQueued = async (queuedUntil: Date) => {
    Object.assign(shown, { state: "queued", queuedUntil } satisfies Partial<ShownAnswer>);
    const leaseSeconds = Math.ceil((queuedUntil.getTime() - clock.now()) / 1000) + leases.submitting;
    await show({ state: "claimed", outcome: `queued until ${queuedUntil.toISOString()}`, leaseSeconds });
  };
  await holder.write(asked());
  try {
    return await ask(threadId, { onText: edits.update, onQueued });
  } finally {
    await edits.stop();
  }
}

/** A model may search and think for minutes before there is anything to show; a re-run of the same run need not wait. */
const longestSilenceMs = 15 * 60_000;

function asking(
  { deadlineMs }: Pick<GrowOptions, "deadlineMs">,
  { clock }: Pick<GrowDeps, "clock">,
): Partial<ClaimRecord> {
  const leftMs = Math.max(0, deadlineMs - clock.now());
  const seconds = Math.ceil(Math.min(leftMs, longestSilenceMs) / 1000);
  return { state: "submitting", leaseSeconds: Math.max(leases.submitting, seconds) };
}
