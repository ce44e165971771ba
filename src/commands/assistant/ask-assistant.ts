/** Sends a question and reads its answer to the end. */

import { InterruptedError } from "../../base/errors.ts";
import type { Clock, Log } from "../../base/runtime.ts";
import type { AssistantQuestion, AssistantStream } from "../../client/assistant-stream.ts";
import { askAgainHint, type CollectedAnswer, collectAnswer } from "../../client/collect-answer.ts";
import { PlatformError } from "../../client/errors.ts";
import { stripInvisibleCharacters } from "../../github/invisible-characters.ts";
import { sanitizeAnswer } from "../../presentation/sanitize-answer.ts";

export interface AskDeps {
  readonly openStream: (question: AssistantQuestion) => Promise<AssistantStream>;
  /** Keeps a credential out of every log, and of what `redact` lets through. */
  readonly keepSecret: (secret: string) => void;
  /** Takes credentials out of a text that is about to be shown: masks cover logs only. */
  readonly redact: (text: string) => string;
  readonly onText: (text: string) => void;
  /** The platform's limit is used up: called before each wait, with its end. */
  readonly onQueued: (until: Date) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export interface AskAttempt {
  /** Composes the request; without a thread it begins a new conversation. */
  readonly compose: (threadId: string | undefined) => AssistantQuestion;
  /** The conversation to go on with. */
  readonly threadId: string | undefined;
  /** True where a user named it: then another conversation is not what was asked for. */
  readonly isThreadGiven: boolean;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

/**
 * Asks, and reads what arrives; an answer that fails on its way is a result, not an error.
 *
 * @throws {PlatformError} when no answer begins.
 */
export async function askAssistant(attempt: AskAttempt, deps: AskDeps): Promise<CollectedAnswer> {
  const stream = await openInTurn(attempt, deps);
  const { threadKey } = stream;
  if (threadKey !== undefined) deps.keepSecret(threadKey);
  using deadline = startDeadline(attempt.deadlineMs, deps);
  const { onText, redact } = deps;
  const answer = await collectAnswer(stream, { onText, redact, signal: deadline.signal });
  return visible(answer);
}

/**
 * Waits out the platform's limit, as long as the deadline allows.
 *
 * @throws {PlatformError} the refusal, where the wait would take too long; whatever else fails.
 */
async function openInTurn(attempt: AskAttempt, deps: AskDeps): Promise<AssistantStream> {
  const { clock, log, signal, onQueued } = deps;
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await openConversation(attempt, deps);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== "rate-limited") throw error;
      const waitMs = Math.max(1_000, error.retryAfterMs ?? Math.min(60_000 * 2 ** refusals, 600_000));
      const until = new Date(clock.now() + waitMs);
      if (until.getTime() >= attempt.deadlineMs) throw error;
      log.notice(`The platform's limit of questions is used up; asking again at ${until.toISOString()}.`);
      await onQueued(until);
      await clock.sleep(waitMs, signal);
    }
  }
}

/** Goes on with the conversation, or begins a new one where the platform has forgotten it or asks for a key to it. */
async function openConversation(
  { compose, threadId, isThreadGiven }: AskAttempt,
  { openStream, log }: AskDeps,
): Promise<AssistantStream> {
  try {
    return await openStream(compose(threadId));
  } catch (error) {
    const isForgotten = error instanceof PlatformError && error.code === "not-found";
    if (!isForgotten || threadId === undefined || isThreadGiven) throw error;
    log.info("The platform does not go on with the thread's conversation; beginning a new one.");
    return openStream(compose(undefined));
  }
}

/** The signal, which also aborts at the deadline, in the words that a person reads. */
function startDeadline(
  deadlineMs: number,
  { clock, signal }: Pick<AskDeps, "clock" | "signal">,
): { readonly signal: AbortSignal } & Disposable {
  const deadline = new AbortController();
  const over = new AbortController();
  const expire = () =>
    deadline.abort(
      new InterruptedError("timed-out", "`timeout-minutes` passed while the assistant answered."),
    );
  // Either the deadline passes, or the wait is given up: both are what it is for.
  clock
    .sleep(Math.max(0, deadlineMs - clock.now()), AbortSignal.any([signal, over.signal]))
    .then(expire, () => undefined);
  return {
    signal: AbortSignal.any([signal, deadline.signal]),
    [Symbol.dispose]: () => over.abort(),
  };
}

/** Without what nobody sees, and a model may have been made to write; an answer of nothing else is none. */
function visible(answer: CollectedAnswer): CollectedAnswer {
  const { text } = stripInvisibleCharacters(answer.text);
  const links = { baseUrl: undefined, allowed: [] };
  const isEmpty = answer.failure === undefined && sanitizeAnswer(text, links, 1000).markdown === "";
  if (!isEmpty) return { ...answer, text };
  const message = "The assistant finished without a word that can be shown.";
  return {
    ...answer,
    text: "",
    failure: new PlatformError("unexpected-response", message, { hint: askAgainHint }),
  };
}
