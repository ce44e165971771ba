/** The answer to one question: the conversation that it continues, its stream, and the comment in which it grows. */
import { type ClaimRecord, isOver } from "../base/claim-record.ts";
import { ActionError, type ErrorCode, InterruptedError } from "../base/errors.ts";
import { newestWithinTimeLimit } from "../base/markdown-cost.ts";
import { rateLimitDelayMs } from "../base/retry.ts";
import type { Clock } from "../base/runtime.ts";
import { looksRandom } from "../base/secrets.ts";
import { messageOf, shorten } from "../base/text.ts";
import {
  type AssistantQuestion,
  type AssistantStream,
  openAssistantStream,
} from "../client/assistant-stream.ts";
import { askAgainHint, type CollectedAnswer, collectAnswer } from "../client/collect-answer.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { readClaims } from "../github/comment-claims.ts";
import { filterUnedited, pickConversation } from "../github/comments.ts";
import { GitHubError } from "../github/errors.ts";
import type { Thread } from "../github/event.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import { normalizeLineEndings } from "../github/may-trigger.ts";
import { keepVisibleText } from "../github/visible-text.ts";
import {
  type AnswerState,
  type AskedQuestion,
  noAnswer,
  readShownAnswer,
  renderAnswerComment,
} from "../presentation/answer-comment.ts";
import { finishedPart, sanitizeAnswer } from "../presentation/sanitize-answer.ts";
import { explainError, leases, refuseInProgress } from "./claim.ts";
import type { ClaimLease } from "./claim-lease.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { Run, Skip } from "./run.ts";

/** An earlier question and its answer. */
export interface Turn {
  /** Constant: the same question has the same id in every request. */
  readonly id: string;
  readonly question: string;
  readonly answer: string;
}

export interface Conversation {
  readonly threadId: string | undefined;
  /** Oldest first. */
  readonly turns: readonly Turn[];
}

/** Only the newest turns are sent, so that a model does not lose the question. */
const maxTurns = 10;
const maxCharacters = 40_000;
const maxAnswerLength = 8_000;

/**
 * Reads the nearest conversation among the comments of a thread, because the platform may no longer have it. The assistant key is public,
 * so only comments of the action's own account count: answers whose record says `answered`, which proves that the question passed the
 * permission check, and that no other account edited. The question is the one that was answered, even if its comment was edited later.
 *
 * @param site the domain; answers about other domains are left out
 */
export async function readConversation(
  thread: Thread,
  site: string,
  { listComments, readOwnership }: Pick<GitHubConnection, "listComments" | "readOwnership">,
  run: Pick<Run, "clock" | "log" | "signal">,
): Promise<Conversation> {
  const { comments } = await listComments();
  const ownership = await readOwnership();
  const nearest = pickConversation(comments, thread.triggerComment);
  const ofSite = readClaims(nearest, thread, ownership).filter(
    ({ record, isUnverifiable }) =>
      !isUnverifiable && record.command === "assistant" && record.target === site,
  );
  const threadId = ofSite.findLast(({ record }) => record.threadId !== undefined)?.record.threadId;
  const answered = ofSite
    .filter(({ record }) => record.state === "ended" && record.outcome === "answered")
    .slice(-maxTurns);
  try {
    const unedited = answered.length > 0 ? await filterUnedited(answered, thread, ownership) : [];
    return { threadId, turns: await readNewestTurns(unedited, run) };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    run.log.warning(`The question is sent without the earlier questions of its thread: ${error.message}`);
    return { threadId, turns: [] };
  }
}

/** The newest turns within the limits, without content that GitHub does not show. */
async function readNewestTurns(
  claims: readonly StoredClaim[],
  run: Pick<Run, "clock" | "signal">,
): Promise<Turn[]> {
  const turns: Turn[] = [];
  let room = maxCharacters;
  for await (const { record, body = "" } of newestWithinTimeLimit(claims, run)) {
    const { request = "", trigger } = record;
    const question = keepVisibleText(request).text;
    const shown = readShownAnswer(record, normalizeLineEndings(body)) ?? "";
    const answer = keepVisibleText(shorten(shown, maxAnswerLength)).text;
    if (question === "" || answer === "") continue;
    room -= question.length + answer.length;
    if (room < 0) break;
    turns.unshift({ id: trigger.slice(0, 24), question, answer });
  }
  return turns;
}

export interface ThreadQuestion<Refusal extends Skip = never> {
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
  question: ThreadQuestion<Refusal>,
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
  question: ThreadQuestion<Refusal>,
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
  const failure = new PlatformError("unexpected-response", message, { hint: askAgainHint });
  return { ...answer, text: "", failure };
}

/** A model may work for this long before it sends text; until then, other runs respect the claim. */
const longestSilenceMs = 15 * 60_000;

/** Renders the comment from its record only. */
export function renderRecord(asked: AskedQuestion, record: ClaimRecord): string {
  const failed = { state: "failed", answer: noAnswer, problem: record.message ?? "" } as const;
  return renderAnswerComment(asked, isOver(record) ? failed : { state: "asking" });
}

/** The comment of one question: claims the question, shows the growing answer, and at the end the whole answer or the failure. */
export class LiveAnswer {
  readonly #lease: ClaimLease;
  readonly #asked: AskedQuestion;
  readonly #run: Run;
  readonly #edits: LiveEdits;
  /** The part of the answer that the comment shows. */
  #text = "";
  #hasFailedEdit = false;

  constructor(lease: ClaimLease, asked: AskedQuestion, run: Run) {
    this.#lease = lease;
    this.#asked = asked;
    this.#run = run;
    const select = (text: string) => finishedPart(stripInvisibleCharacters(text).text);
    const show = (text: string) => {
      this.#text = text;
      return this.#show(this.#asking(), { state: "answering", answer: { ...noAnswer, text } });
    };
    this.#edits = new LiveEdits(select, show, run.clock);
  }

  /** Refuses the question if another run answered it or is answering it. Asking twice does no harm, so lost runs are ignored. */
  async findEarlier(): Promise<Skip | undefined> {
    const resolution = await this.#lease.resolve();
    if (resolution.kind === "busy") return refuseInProgress(resolution.claim);
    if (resolution.kind !== "found") return undefined;
    const message = "An earlier run answered this question.";
    return { reason: "already-answered", message, claim: resolution.claim };
  }

  /** Claims the question, unless another run was faster, and shows that it is being asked. */
  async claim(): Promise<Skip | undefined> {
    const winner = await this.#lease.acquire();
    if (winner !== undefined) return refuseInProgress(winner);
    await this.#lease.write(this.#asking());
    return undefined;
  }

  showText(text: string): void {
    this.#edits.update(text);
  }

  /** Shows that the platform's rate limit is reached, and when the question is sent again. */
  async showQueued(until: Date): Promise<void> {
    const leaseSeconds = Math.ceil((until.getTime() - this.#run.clock.now()) / 1000) + leases.submitting;
    const outcome = `queued until ${until.toISOString()}`;
    await this.#show({ state: "claimed", outcome, leaseSeconds }, { state: "queued", until });
  }

  /** Makes the final edit, even while the run is cancelled. Returns the error if GitHub does not accept it. */
  async end(answer: CollectedAnswer): Promise<unknown> {
    await this.#edits.stop();
    const { failure, threadId } = answer;
    const thread = threadId === undefined || threadId.length > 500 ? {} : { threadId };
    const end: Partial<ClaimRecord> = failure
      ? { state: "released", outcome: failure.code, message: explainFailure(failure) }
      : { state: "ended", outcome: "answered" };
    const body = renderAnswerComment(this.#asked, answerStateOf(answer));
    const error = await this.#lease.tryWrite({ ...thread, ...end }, body);
    if (error !== undefined) {
      const message = "GitHub did not accept the answer; the job summary of the run shows it.";
      this.#lease.leaveToPostStep({ state: "released", outcome: "unshown", message });
    }
    return error;
  }

  /** Shows that the question is not sent after all. */
  async withdraw({ message }: Skip): Promise<void> {
    await this.#lease.tryWrite({ state: "released", outcome: "skipped", message });
  }

  async fail(error: unknown): Promise<void> {
    await this.#edits.stop();
    if (!this.#lease.hasClaim || isOver(this.#lease.claim.record)) return;
    const failure = error instanceof ActionError ? error : undefined;
    const message = failure ? explainFailure(failure) : "The action failed on this question.";
    const shown = { state: "failed", answer: { ...noAnswer, text: this.#text }, problem: message } as const;
    const change = { state: "released", outcome: failure?.code ?? "failed", message } as const;
    await this.#lease.tryWrite(change, renderAnswerComment(this.#asked, shown));
  }

  /** Makes an edit before the final one; after a failure, no more are made. */
  async #show(change: Partial<ClaimRecord>, shown: AnswerState): Promise<void> {
    if (this.#hasFailedEdit) return;
    try {
      await this.#lease.write(change, renderAnswerComment(this.#asked, shown));
    } catch (error) {
      this.#hasFailedEdit = true;
      if (this.#run.signal.aborted) return;
      this.#run.log.warning(`The answer could not be shown while it arrives: ${messageOf(error)}`);
    }
  }

  #asking(): Partial<ClaimRecord> {
    const leftMs = Math.max(0, this.#run.deadlineMs - this.#run.clock.now());
    const seconds = Math.ceil(Math.min(leftMs, longestSilenceMs) / 1000);
    return { state: "submitting", leaseSeconds: Math.max(leases.submitting, seconds) };
  }
}

/** Failures after which the question has to be asked again: the platform does not keep it. A cancellation has a hint of its own. */
const askAgainCodes: readonly ErrorCode[] = ["timed-out", "stream-cut"];

/** The failure with a hint for the requester. */
export function withQuestionHint(failure: ActionError): ActionError {
  if (!askAgainCodes.includes(failure.code)) return failure;
  return new ActionError(failure.code, failure.message, { hint: "Ask again.", cause: failure });
}

function explainFailure(failure: ActionError): string {
  return explainError(withQuestionHint(failure));
}

/** The final state of an answer, for comment and summary. */
export function answerStateOf(answer: CollectedAnswer): AnswerState {
  const { failure } = answer;
  if (failure === undefined) return { state: "answered", answer };
  return { state: "failed", answer, problem: explainFailure(failure) };
}

/** The first edit is early; after it, GitHub's rate limits allow one every few seconds. */
const firstAfterMs = 800;
const everyMs = 4_000;
/** The pause grows with each edit: GitHub also limits the edits of a token per hour, across all runs. */
const pauseGrowth = 1.1;
const maxPauseMs = 20_000;

/** Shows a growing text in edits that are seconds apart; edits never overlap. */
export class LiveEdits {
  readonly #select: (text: string) => string;
  readonly #show: (text: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  #latest = "";
  #shown = "";
  #nextAtMs: number | undefined;
  #pauseMs = everyMs;
  #loop: Promise<void> | undefined;

  /**
   * @param select returns the part of the text that can be shown; if it has not changed, no edit is made
   * @param show makes one edit, and handles its own errors
   */
  constructor(select: (text: string) => string, show: (text: string) => Promise<void>, clock: Clock) {
    this.#select = select;
    this.#show = show;
    this.#clock = clock;
  }

  update(text: string): void {
    this.#latest = text;
    this.#loop ??= this.#run().finally(() => {
      this.#loop = undefined;
    });
  }

  /** Stops; resolves when no edit is in progress. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      this.#nextAtMs ??= this.#clock.now() + firstAfterMs;
      const waitMs = Math.max(0, this.#nextAtMs - this.#clock.now());
      await this.#clock.sleep(waitMs, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      const startMs = this.#clock.now();
      const next = this.#select(this.#latest);
      // A text that is slow to process is processed less often.
      this.#nextAtMs = startMs + 4 * (this.#clock.now() - startMs);
      if (signal.aborted || next === this.#shown) return;
      this.#shown = next;
      this.#nextAtMs = this.#clock.now() + this.#pauseMs;
      this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs * pauseGrowth);
      await this.#show(next);
    }
  }
}
