/** Sends a question until an answer begins, and reads the answer to its end. */
import { ActionError, InterruptedError } from "../base/errors.ts";
import { rateLimitDelayMs } from "../base/retry.ts";
import { looksRandom } from "../base/secrets.ts";
import {
  type AssistantQuestion,
  type AssistantStream,
  openAssistantStream,
} from "../client/assistant-stream.ts";
import { type CollectedAnswer, collectAnswer } from "../client/collect-answer.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import { sanitizeAnswer } from "../presentation/sanitize-answer.ts";
import { type LiveAnswer, withQuestionHint } from "./assistant-comment.ts";
import type { Run, Skip } from "./run.ts";

export interface QuestionToSend<Refusal extends Skip = never> {
  /** Composes the request; without a thread id, it begins a new conversation. */
  readonly compose: (threadId: string | undefined) => AssistantQuestion;
  readonly threadId: string | undefined;
  /** True if `thread-id` names it: then no new conversation is begun. */
  readonly isThreadGiven: boolean;
  /** Called after each wait for the rate limit: why the question may no longer be sent. */
  readonly refuse?: () => Promise<Refusal | undefined>;
}

/**
 * Sends the question until an answer begins, and reads the answer to its end. A problem of the answer itself is its `failure`. Returns
 * a refusal if the question may no longer be sent.
 *
 * @param live shows the growing answer, and each wait for the platform's rate limit
 * @throws {PlatformError} when no answer begins; {ActionError} `timed-out` or `cancelled` when the run ends first.
 */
export async function askAssistant<Refusal extends Skip = never>(
  question: QuestionToSend<Refusal>,
  platform: Pick<PlatformClient, "open">,
  live: Pick<LiveAnswer, "showText" | "showQueued"> | undefined,
  run: Run,
): Promise<CollectedAnswer | Refusal> {
  const stream = await openWithinRateLimit(question, platform, live, run).catch((error: unknown) => {
    throw error instanceof ActionError ? withQuestionHint(error) : error;
  });
  if ("reason" in stream) return stream;
  if (stream.threadKey !== undefined && looksRandom(stream.threadKey)) run.maskIssued(stream.threadKey);
  using deadline = startDeadline(run);
  const onText = (text: string) => live?.showText(text);
  return removeInvisible(await collectAnswer(stream, { onText, signal: deadline.signal }));
}

/**
 * Opens the stream; waits for the platform's rate limit within the run's deadline.
 *
 * @throws {PlatformError} when the wait would exceed the deadline, or the request fails for another reason.
 */
async function openWithinRateLimit<Refusal extends Skip>(
  question: QuestionToSend<Refusal>,
  platform: Pick<PlatformClient, "open">,
  live: Pick<LiveAnswer, "showQueued"> | undefined,
  run: Run,
): Promise<AssistantStream | Refusal> {
  const { compose, isThreadGiven } = question;
  let { threadId } = question;
  for (let refusals = 1; ; ) {
    try {
      return await openAssistantStream(compose(threadId), platform);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (error.code === "not-found" && threadId !== undefined && !isThreadGiven) {
        run.log.info("The platform does not continue the thread's conversation; beginning a new one.");
        threadId = undefined;
        continue;
      }
      await waitForRateLimit(error, refusals, live, run);
      const refusal = await question.refuse?.();
      if (refusal !== undefined) return refusal;
      refusals += 1;
    }
  }
}

/** @throws {PlatformError} the given error, if it is another one, or the wait would exceed the deadline. */
async function waitForRateLimit(
  error: PlatformError,
  refusals: number,
  live: Pick<LiveAnswer, "showQueued"> | undefined,
  { clock, log, signal, deadlineMs }: Run,
): Promise<void> {
  const waitMs = rateLimitDelayMs(error.retryAfterMs, refusals);
  if (error.code !== "rate-limited" || clock.now() + waitMs >= deadlineMs) throw error;
  const until = new Date(clock.now() + waitMs);
  const time = until.toISOString();
  log.notice(`The platform's rate limit for questions is reached; trying again at ${time}.`);
  await live?.showQueued(until);
  await clock.sleep(waitMs, signal);
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
  const hint = "Ask again in other words. If there is still no answer, contact the platform's operator.";
  const failure = new PlatformError("unexpected-response", message, { hint });
  return { ...answer, text: "", failure };
}
