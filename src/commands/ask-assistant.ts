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
  /** Composes the request; without a thread id, it begins a new conversation. */
  readonly compose: (threadId: string | undefined) => AssistantQuestion;
  readonly threadId: string | undefined;
  /** True if `thread-id` names it: then no new conversation is begun. */
  readonly isThreadGiven: boolean;
}

/**
 * Sends the question until an answer begins, and reads the answer to its end. A problem of the answer itself is its `failure`.
 *
 * @param watcher shows the growing answer, and each wait for the platform's rate limit
 * @throws {PlatformError} when no answer begins.
 */
export async function askAssistant(
  question: ThreadQuestion,
  platform: Pick<PlatformClient, "open">,
  watcher: Pick<LiveAnswer, "showText" | "showQueued"> | undefined,
  run: Run,
): Promise<CollectedAnswer> {
  const stream = await openInTurn(question, platform, watcher, run);
  if (stream.threadKey !== undefined && looksRandom(stream.threadKey)) run.maskIssued(stream.threadKey);
  using deadline = startDeadline(run);
  const answer = await collectAnswer(stream, {
    onText: (text) => watcher?.showText(text),
    signal: deadline.signal,
  });
  return removeInvisible(answer);
}

/**
 * Opens the stream; waits for the platform's rate limit within the run's deadline.
 *
 * @throws {PlatformError} when the wait would exceed the deadline, or the request fails for another reason.
 */
async function openInTurn(
  question: ThreadQuestion,
  platform: Pick<PlatformClient, "open">,
  watcher: Pick<LiveAnswer, "showText" | "showQueued"> | undefined,
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
      log.notice(
        `The platform's rate limit for questions is reached; trying again at ${until.toISOString()}.`,
      );
      await watcher?.showQueued(until);
      await clock.sleep(waitMs, signal);
    }
  }
}

/** Continues the conversation, or begins a new one if the platform no longer has it or refuses access to it. */
async function openConversation(
  { compose, threadId, isThreadGiven }: ThreadQuestion,
  platform: Pick<PlatformClient, "open">,
  { log }: Run,
): Promise<AssistantStream> {
  try {
    return await openAssistantStream(compose(threadId), platform);
  } catch (error) {
    const isMissing = error instanceof PlatformError && error.code === "not-found";
    if (!isMissing || threadId === undefined || isThreadGiven) throw error;
    log.info("The platform does not continue the thread's conversation; beginning a new one.");
    return openAssistantStream(compose(undefined), platform);
  }
}

/** The run's signal, which also aborts at the deadline, with a message for the requester. */
function startDeadline({ clock, signal, deadlineMs }: Run): { readonly signal: AbortSignal } & Disposable {
  const deadline = new AbortController();
  const ended = AbortSignal.any([signal, deadline.signal]);
  const message = "`timeout-minutes` passed while the assistant answered.";
  // The wait ends at the deadline, or is aborted when the answer has ended; neither is an error.
  clock.sleep(Math.max(0, deadlineMs - clock.now()), ended).then(
    () => deadline.abort(new InterruptedError("timed-out", message)),
    () => undefined,
  );
  return { signal: ended, [Symbol.dispose]: () => deadline.abort() };
}

/** Removes invisible characters, which a prompt injection may have produced; an answer without visible text is a failure. */
function removeInvisible(answer: CollectedAnswer): CollectedAnswer {
  const { text } = stripInvisibleCharacters(answer.text);
  const isShown = sanitizeAnswer(text, { baseUrl: undefined, allowed: [] }, 1000).markdown !== "";
  if (isShown || answer.failure !== undefined) return { ...answer, text };
  const message = "The assistant finished without any text that can be shown.";
  const failure = new PlatformError("unexpected-response", message, { hint: askAgainHint });
  return { ...answer, text: "", failure };
}
