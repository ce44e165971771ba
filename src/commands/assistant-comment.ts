/** The comment of one question, in which the answer grows. */
import { type ClaimRecord, isOver } from "../base/claim-record.ts";
import { ActionError, messageWithHint } from "../base/errors.ts";
import { stripInvisibleCharacters } from "../base/invisible-characters.ts";
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

/** The first text is shown early. A text that is not ready to be shown is looked at again after this time. */
const firstAfterMs = 800;
/** GitHub's rate limits allow an edit every few seconds. */
const everyMs = 4_000;

/** A model may work for this long before it sends text; until then, other runs respect the claim. */
const asking = { state: "submitting", leaseSeconds: 15 * 60 } as const;

/** Renders the comment from its record only: it shows no answer, and thus no links. */
export function renderRecord(record: ClaimRecord): string {
  const { triggerPhrase } = record;
  const asked = { ...record, links: { baseUrl: undefined, allowed: [] }, triggerPhrase };
  const failed = { state: "failed", answer: noAnswer, problem: record.message ?? "" } as const;
  return renderAnswerComment(asked, isOver(record) ? failed : { state: "asking" });
}

/** The comment of one question: claims the question, shows the growing answer, and at the end the whole answer or the failure. */
export class LiveAnswer {
  readonly #lease: ClaimLease;
  readonly #asked: AskedQuestion;
  readonly #run: Run;
  readonly #stopped = new AbortController();
  /** The text that was received, and the part of it that is shown. */
  #received = "";
  #shown = "";
  #nextEditMs: number | undefined;
  /** Edits never overlap. */
  #edits: Promise<void> | undefined;
  #hasFailedEdit = false;

  constructor(lease: ClaimLease, asked: AskedQuestion, run: Run) {
    this.#lease = lease;
    this.#asked = asked;
    this.#run = run;
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
    await this.#lease.write(asking);
    return undefined;
  }

  /** Shows a growing text, in edits that are seconds apart. */
  showText(text: string): void {
    this.#received = text;
    this.#edits ??= this.#showParts().finally(() => {
      this.#edits = undefined;
    });
  }

  /** Makes edits until there is no new part that can be shown. */
  async #showParts(): Promise<void> {
    const { clock } = this.#run;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      this.#nextEditMs ??= clock.now() + firstAfterMs;
      await clock.sleep(Math.max(0, this.#nextEditMs - clock.now()), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
      const text = finishedPart(stripInvisibleCharacters(this.#received).text);
      const isNew = text !== this.#shown;
      this.#nextEditMs = clock.now() + (isNew ? everyMs : firstAfterMs);
      if (signal.aborted || !isNew) return;
      this.#shown = text;
      await this.#show(asking, { state: "answering", answer: { ...noAnswer, text } });
    }
  }

  /** Stops the edits; resolves when none is in progress. */
  async #stopEdits(): Promise<void> {
    this.#stopped.abort();
    await this.#edits;
  }

  /** Shows that the platform's rate limit is reached, and when the question is sent again. */
  async showQueued(until: Date): Promise<void> {
    const leaseSeconds = Math.ceil((until.getTime() - this.#run.clock.now()) / 1000) + leases.submitting;
    const outcome = `queued until ${until.toISOString()}`;
    await this.#show({ state: "claimed", outcome, leaseSeconds }, { state: "queued", until });
  }

  /** Makes the final edit, even while the run is cancelled. Returns the error if GitHub does not accept it. */
  async end(answer: CollectedAnswer): Promise<unknown> {
    await this.#stopEdits();
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
    await this.#stopEdits();
    if (!this.#lease.hasClaim || isOver(this.#lease.claim.record)) return;
    const failure = error instanceof ActionError ? error : undefined;
    const message = failure ? explainError(failure) : "The action failed on this question.";
    const shown = { state: "failed", answer: { ...noAnswer, text: this.#shown }, problem: message } as const;
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
      this.#run.log.warning(`The answer could not be shown while it arrives: ${messageWithHint(error)}`);
    }
  }
}

/** The final state of an answer, for comment and summary. */
export function answerStateOf(answer: CollectedAnswer): AnswerState {
  const { failure } = answer;
  if (failure === undefined) return { state: "answered", answer };
  return { state: "failed", answer, problem: explainError(failure) };
}
