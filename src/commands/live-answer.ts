/** One comment for one question: claimed, growing while the answer arrives, and true at its end. */

import type { ClaimRecord } from "../base/claim-record.ts";
import { ActionError, type ErrorCode } from "../base/errors.ts";
import type { Clock } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import type { CollectedAnswer } from "../client/collect-answer.ts";
import { stripInvisibleCharacters } from "../github/invisible-characters.ts";
import {
  type AnswerState,
  type AskedQuestion,
  noAnswer,
  renderAnswerComment,
} from "../presentation/answer-comment.ts";
import { finishedPart } from "../presentation/sanitize-answer.ts";
import { type ClaimLease, explainError, leases, refuseInProgress } from "./claim.ts";
import type { Refusal } from "./connect-github.ts";
import type { Run } from "./run.ts";

/** A model may search and think for minutes before there is anything to show; a re-run of the same run need not wait. */
const longestSilenceMs = 15 * 60_000;

/** The comment's visible part as far as its record alone says what to show. */
export function renderRecord(asked: AskedQuestion, { state, message = "" }: ClaimRecord): string {
  const isOver = state === "released" || state === "ended";
  const failed = { state: "failed", answer: noAnswer, problem: message } as const;
  return renderAnswerComment(asked, isOver ? failed : { state: "asking" });
}

export class LiveAnswer {
  readonly #lease: ClaimLease;
  readonly #asked: AskedQuestion;
  readonly #run: Run;
  readonly #edits: LiveEdits;
  /** What the comment shows of the answer. */
  #text = "";
  #isBroken = false;

  constructor(lease: ClaimLease, asked: AskedQuestion, run: Run) {
    this.#lease = lease;
    this.#asked = asked;
    this.#run = run;
    const select = (text: string) => finishedPart(stripInvisibleCharacters(text).text);
    this.#edits = new LiveEdits(select, (text) => this.#showText(text), run.clock);
  }

  /** The answer of another run, or the run that is about to give one; to ask twice does no harm, so a lost run is ignored. */
  async findEarlier(): Promise<Refusal | undefined> {
    const situation = await this.#lease.resolve();
    if (situation.kind === "busy") return refuseInProgress(situation.claim);
    if (situation.kind === "found") {
      const message = "An earlier run answered this question.";
      return { reason: "already-answered", message, claim: situation.claim };
    }
    return undefined;
  }

  /** Says in the comment why the question is not asked now; a later run may ask it. */
  async recordRefusal(outcome: string, message: string): Promise<void> {
    await this.#lease.recordEarlierResult({ state: "released", outcome, message });
  }

  /** Takes the question, unless another run was faster, and says that it is being asked. */
  async claim(): Promise<Refusal | undefined> {
    const rival = await this.#lease.acquire();
    if (rival !== undefined) return refuseInProgress(rival);
    await this.#lease.write(this.#asking());
    return undefined;
  }

  grow(text: string): void {
    this.#edits.update(text);
  }

  /** The platform's limit is used up; the question is asked again then. */
  async queue(until: Date): Promise<void> {
    const leaseSeconds = Math.ceil((until.getTime() - this.#run.clock.now()) / 1000) + leases.submitting;
    const outcome = `queued until ${until.toISOString()}`;
    await this.#show({ state: "claimed", outcome, leaseSeconds }, { state: "queued", until });
  }

  /** The one final edit, also while the run is cancelled: the end is known by then. Returns why GitHub did not take it. */
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
      const message = "GitHub did not take the answer; the summary of the run shows it.";
      this.#lease.leaveToPostStep({ state: "released", outcome: "unshown", message });
    }
    return error;
  }

  /** Leaves the comment true where the question came to no end. */
  async fail(error: unknown): Promise<void> {
    await this.#edits.stop();
    if (!this.#lease.isHeld || ["ended", "released"].includes(this.#lease.claim.record.state)) return;
    const known = error instanceof ActionError ? error : undefined;
    const message = known ? explainFailure(known) : "The action failed on this question.";
    const shown = { state: "failed", answer: { ...noAnswer, text: this.#text }, problem: message } as const;
    const change = { state: "released", outcome: known?.code ?? "failed", message } as const;
    await this.#lease.tryWrite(change, renderAnswerComment(this.#asked, shown));
  }

  async #showText(text: string): Promise<void> {
    this.#text = text;
    await this.#show(this.#asking(), { state: "answering", answer: { ...noAnswer, text } });
  }

  /** The last edit shows everything; until then, an edit that fails holds nothing up. */
  async #show(change: Partial<ClaimRecord>, shown: AnswerState): Promise<void> {
    if (this.#isBroken) return;
    try {
      await this.#lease.write(change, renderAnswerComment(this.#asked, shown));
    } catch (error) {
      this.#isBroken = true;
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

/** The platform forgets a question that is given up: the next step is always the same. */
const givenUp: readonly ErrorCode[] = ["cancelled", "timed-out", "stream-cut"];

/** A failed answer with the next step of the person who asked. */
export function withQuestionHint(failure: ActionError): ActionError {
  if (!givenUp.includes(failure.code)) return failure;
  const hint = "Re-run the workflow, or ask again.";
  return new ActionError(failure.code, failure.message, { hint, cause: failure });
}

/** A failed answer as a record keeps it: what happened, and the next step. */
function explainFailure(failure: ActionError): string {
  return explainError(withQuestionHint(failure));
}

/** An answer at its end, as comment and summary show it. */
export function answerStateOf(answer: CollectedAnswer): AnswerState {
  const { failure } = answer;
  if (failure === undefined) return { state: "answered", answer };
  return { state: "failed", answer, problem: explainFailure(failure) };
}

/** First words soon; then GitHub's limits on edits, and readers' patience, allow one every few seconds. */
const firstAfterMs = 800;
const everyMs = 4_000;
/** A long answer is edited less and less often: GitHub counts edits by the hour as well, over all of a token's runs. */
const growth = 1.1;
const seldomMs = 20_000;

/** Shows a growing text in edits that are seconds apart, never two at once. */
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
   * @param select what of the text can be shown; an edit that would change nothing is not made
   * @param show makes one edit, and reports its failure itself
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

  /** Stops; resolves when no edit is under way any more. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      this.#nextAtMs ??= this.#clock.now() + firstAfterMs;
      await this.#pause(this.#nextAtMs - this.#clock.now());
      const startMs = this.#clock.now();
      const next = this.#select(this.#latest);
      // A text that is slow to read must not be read again with every word.
      this.#nextAtMs = startMs + 4 * (this.#clock.now() - startMs);
      if (this.#stopped.signal.aborted || next === this.#shown) return;
      this.#shown = next;
      this.#nextAtMs = this.#clock.now() + this.#pauseMs;
      this.#pauseMs = Math.min(seldomMs, this.#pauseMs * growth);
      await this.#show(next);
    }
  }

  /** Until then, or until it is stopped, which is no error here. */
  async #pause(ms: number): Promise<void> {
    try {
      await this.#clock.sleep(Math.max(0, ms), this.#stopped.signal);
    } catch (error) {
      if (!this.#stopped.signal.aborted) throw error;
    }
  }
}
