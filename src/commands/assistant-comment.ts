/** The comment of one question, in which the answer grows. */
import { type ClaimRecord, isOver } from "../base/claim-record.ts";
import { ActionError } from "../base/errors.ts";
import { stripInvisibleCharacters } from "../base/invisible-characters.ts";
import type { Clock } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import type { CollectedAnswer } from "../client/collect-answer.ts";
import {
  type AnswerState,
  type AskedQuestion,
  noAnswer,
  renderAnswerComment,
} from "../presentation/answer-comment.ts";
import { finishedPart } from "../presentation/sanitize-answer.ts";
import { explainError, leases, refuseInProgress } from "./claim.ts";
import type { ClaimLease } from "./claim-lease.ts";
import type { Run, Skip } from "./run.ts";

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
    const { record, url: page } = resolution.claim;
    if (record.threadId !== undefined) this.#run.setOutput("threadId", record.threadId);
    return { reason: "already-answered", message: "An earlier run answered this question.", page };
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
      ? { state: "released", outcome: failure.code, message: explainError(failure) }
      : { state: "ended", outcome: "answered" };
    const body = renderAnswerComment(this.#asked, answerStateOf(answer));
    const error = await this.#lease.tryWrite({ ...thread, ...end }, body);
    if (error !== undefined) {
      const message = "GitHub did not accept the answer; the job summary of the run shows it.";
      this.#lease.leaveToPostStep({ state: "released", outcome: "unshown", message });
    }
    return error;
  }

  async withdraw({ message }: Skip): Promise<void> {
    await this.#lease.tryWrite({ state: "released", outcome: "skipped", message });
  }

  async fail(error: unknown): Promise<void> {
    await this.#edits.stop();
    if (!this.#lease.hasClaim || isOver(this.#lease.claim.record)) return;
    const failure = error instanceof ActionError ? error : undefined;
    const message = failure ? explainError(failure) : "The action failed on this question.";
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

/** The final state of an answer, for comment and summary. */
export function answerStateOf(answer: CollectedAnswer): AnswerState {
  const { failure } = answer;
  if (failure === undefined) return { state: "answered", answer };
  return { state: "failed", answer, problem: explainError(failure) };
}

/** The first text is shown early. A text that is not ready to be shown is looked at again after this time. */
const firstAfterMs = 800;
/** GitHub's rate limits allow an edit every few seconds. */
const everyMs = 4_000;

/** Shows a growing text in edits that are seconds apart; edits never overlap. */
export class LiveEdits {
  readonly #select: (text: string) => string;
  readonly #show: (text: string) => Promise<void>;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  #latest = "";
  #shown = "";
  #nextAtMs: number | undefined;
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
      const next = this.#select(this.#latest);
      const isNew = next !== this.#shown;
      this.#nextAtMs = this.#clock.now() + (isNew ? everyMs : firstAfterMs);
      if (signal.aborted || !isNew) return;
      this.#shown = next;
      await this.#show(next);
    }
  }
}
