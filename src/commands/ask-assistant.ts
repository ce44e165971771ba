/** Sends a question and reads its answer to the end. */
import { InterruptedError } from "../base/errors.ts";
import { looksRandom } from "../base/secrets.ts";
import {
  type AssistantQuestion,
  type AssistantStream,
  openAssistantStream,
} from "../client/assistant-stream.ts";
import { askAgainHint, type CollectedAnswer, collectAnswer } from "../client/collect-answer.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import { sanitizeAnswer } from "../presentation/sanitize-answer.ts";
import { rateLimitDelayMs } from "./claim.ts";
import type { LiveAnswer } from "./live-answer.ts";
import type { Run } from "./run.ts";

export interface ThreadQuestion {
  /** Composes the request; without a thread it begins a new conversation. */
  readonly compose: (threadId: string | undefined) => AssistantQuestion;
  readonly threadId: string | undefined;
  /** True where a user named it: then another conversation is not what was asked for. */
  readonly isThreadGiven: boolean;
}

/**
 * Asks until an answer begins, and reads it to its end; what is wrong with the answer itself is its `failure`.
 *
 * @param watcher shows the answer while it arrives, and before each wait for the platform's limit that there is one
 * @throws {PlatformError} when no answer begins.
 */
export async function askAssistant(
  question: ThreadQuestion,
  platform: Pick<PlatformClient, "open">,
  watcher: Pick<LiveAnswer, "grow" | "queue"> | undefined,
  run: Run,
): Promise<CollectedAnswer> {
  const stream = await openInTurn(question, platform, watcher, run);
  if (stream.threadKey !== undefined && looksRandom(stream.threadKey)) run.maskIssued(stream.threadKey);
  using deadline = startDeadline(run);
  const answer = await collectAnswer(stream, {
    onText: (text) => watcher?.grow(text),
    signal: deadline.signal,
  });
  return withoutInvisible(answer);
}

/**
 * Waits out the platform's limit, as long as the deadline allows.
 *
 * @throws {PlatformError} the refusal, where the wait would take too long; whatever else fails.
 */
async function openInTurn(
  question: ThreadQuestion,
  platform: Pick<PlatformClient, "open">,
  watcher: Pick<LiveAnswer, "grow" | "queue"> | undefined,
  run: Run,
): Promise<AssistantStream> {
  const { clock, log, signal, deadlineMs } = run;
  for (let refusals = 1; ; refusals += 1) {
    try {
      return await openConversation(question, platform, run);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== "rate-limited") throw error;
      const waitMs = rateLimitDelayMs(error.retryAfterMs, refusals);
      const until = new Date(clock.now() + waitMs);
      if (until.getTime() >= deadlineMs) throw error;
      log.notice(`The platform's limit of questions is used up; asking again at ${until.toISOString()}.`);
      await watcher?.queue(until);
      await clock.sleep(waitMs, signal);
    }
  }
}

/** Continues the conversation, or begins a new one where the platform has forgotten it or asks for a key to it. */
async function openConversation(
  { compose, threadId, isThreadGiven }: ThreadQuestion,
  platform: Pick<PlatformClient, "open">,
  { log }: Run,
): Promise<AssistantStream> {
  try {
    return await openAssistantStream(compose(threadId), platform);
  } catch (error) {
    const isForgotten = error instanceof PlatformError && error.code === "not-found";
    if (!isForgotten || threadId === undefined || isThreadGiven) throw error;
    log.info("The platform does not continue the thread's conversation; beginning a new one.");
    return openAssistantStream(compose(undefined), platform);
  }
}

/** The run's signal, which also aborts at the deadline, in words for the person who asked. */
function startDeadline({ clock, signal, deadlineMs }: Run): { readonly signal: AbortSignal } & Disposable {
  const deadline = new AbortController();
  const ended = AbortSignal.any([signal, deadline.signal]);
  const message = "`timeout-minutes` passed while the assistant answered.";
  // The wait ends at the deadline, or is given up when the answer has ended: neither is an error.
  clock.sleep(Math.max(0, deadlineMs - clock.now()), ended).then(
    () => deadline.abort(new InterruptedError("timed-out", message)),
    () => undefined,
  );
  return { signal: ended, [Symbol.dispose]: () => deadline.abort() };
}

/** Without what is invisible, which a model may have been made to write; an answer of nothing else is none. */
function withoutInvisible(answer: CollectedAnswer): CollectedAnswer {
  const { text } = stripInvisibleCharacters(answer.text);
  const isShown = sanitizeAnswer(text, { baseUrl: undefined, allowed: [] }, 1000).markdown !== "";
  if (isShown || answer.failure !== undefined) return { ...answer, text };
  const message = "The assistant finished without a word that can be shown.";
  const failure = new PlatformError("unexpected-response", message, { hint: askAgainHint });
  return { ...answer, text: "", failure };
}
