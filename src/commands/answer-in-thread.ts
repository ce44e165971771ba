/** One comment for one question, whichever run answers it: claimed, growing, and true at its end. */
import type { Clock } from "../clock.ts";
import { ActionError } from "../errors.ts";
import type { ClaimRecord } from "../github/claim-record.ts";
import type { ClaimStore, KnownClaim, StoredClaim } from "../github/claim-store.ts";
import type { Log } from "../log.ts";
import type { CollectedAnswer } from "../platform/collect-answer.ts";
import { finishedPart } from "../presentation/sanitize-answer.ts";
import { ClaimHolder } from "./claim-holder.ts";
import { explainFailure } from "./explain-failure.ts";
import { type ClaimOwner, leases } from "./judge-claims.ts";
import { createLiveEdits } from "./live-edits.ts";
import { watchOthers } from "./submit-once.ts";

export type AnswerDraft = Pick<
  ClaimRecord,
  "command" | "target" | "trigger" | "requester" | "request" | "runUrl" | "notes"
>;

/** What the comment shows beside its record; the store's `render` reads it. */
export interface ShownAnswer {
  state: "asking" | "answering" | "answered" | "failed";
  text: string;
  answer: CollectedAnswer | undefined;
}

export interface AnswerStores {
  /** Records of this question. */
  readonly claims: ClaimStore;
  /** The same store for the last words of a cancelled run. */
  readonly lastWords: ClaimStore;
  /** Records of every question and request on the thread. */
  readonly conversation: Pick<ClaimStore, "list">;
}

export interface AnswerInThreadOptions {
  readonly owner: ClaimOwner;
  readonly draft: AnswerDraft;
  readonly shown: ShownAnswer;
}

export interface AnswerInThreadDeps {
  readonly stores: AnswerStores;
  /** Called once nobody else answers, before anything is written; returns why not to answer. */
  readonly onFree: () => Promise<{ readonly reason: string; readonly message: string } | undefined>;
  readonly ask: (threadId: string | undefined, onText: (text: string) => void) => Promise<CollectedAnswer>;
  readonly onRecord: (claim: KnownClaim) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type ThreadAnswer =
  | { readonly kind: "skipped"; readonly reason: string; readonly message: string }
  | { readonly kind: "ended"; readonly answer: CollectedAnswer; readonly commentUrl: string | undefined };

/**
 * Answers a question in one comment of its thread, unless that was done before or is being done.
 *
 * @throws {PlatformError} when no answer begins; the comment then says why.
 */
export async function answerInThread(
  options: AnswerInThreadOptions,
  deps: AnswerInThreadDeps,
): Promise<ThreadAnswer> {
  const { claims } = deps.stores;
  // To ask twice does no harm, so a run that died while it asked is simply followed by another.
  const earlier = await watchOthers({ owner: options.owner, onAmbiguous: "resubmit" }, { ...deps, claims });
  if (earlier.kind === "taken") return describeTaken(earlier.submission.kind);
  const objection = await deps.onFree();
  if (objection !== undefined) return { kind: "skipped", ...objection };
  const threadId = await findConversation(options.draft, deps.stores.conversation);
  let latest: StoredClaim | undefined;
  const onRecord = (claim: KnownClaim) => {
    if (claim.id !== undefined) latest = claim;
    deps.onRecord(claim);
  };
  const holder = new ClaimHolder(options, { ...deps, ...deps.stores, onRecord });
  if ((await holder.claim(earlier.leftovers)) !== undefined) return describeTaken("other-run");
  try {
    await holder.write({ state: "submitting", leaseSeconds: leases.submitting });
    const answer = await growAnswer({ holder, threadId, shown: options.shown }, deps);
    return {
      kind: "ended",
      answer,
      commentUrl: await finish({ answer, latest, shown: options.shown }, deps, onRecord),
    };
  } catch (error) {
    await recordFailure({ error, latest, shown: options.shown }, deps, onRecord);
    throw error;
  }
}

function describeTaken(kind: string): ThreadAnswer {
  return kind === "found"
    ? { kind: "skipped", reason: "already-answered", message: "An earlier run answered this question." }
    : { kind: "skipped", reason: "other-run", message: "Another run answers this question." };
}

/** The conversation of the newest answer on the thread from the same site. */
async function findConversation(
  { target }: AnswerDraft,
  conversation: Pick<ClaimStore, "list">,
): Promise<string | undefined> {
  const records = await conversation.list();
  return records.findLast(
    ({ record, isUnverifiable }) =>
      isUnverifiable !== true &&
      record.command === "assistant" &&
      record.target === target &&
      record.threadId !== undefined,
  )?.record.threadId;
}

async function growAnswer(
  { holder, threadId, shown }: { holder: ClaimHolder; threadId: string | undefined; shown: ShownAnswer },
  { ask, clock, log, signal }: AnswerInThreadDeps,
): Promise<CollectedAnswer> {
  let isBroken = false;
  const edits = createLiveEdits({
    clock,
    select: finishedPart,
    async show(text) {
      if (isBroken) return;
      shown.state = "answering";
      shown.text = text;
      try {
        await holder.write({ state: "submitting", leaseSeconds: leases.submitting });
      } catch (error) {
        // The last edit shows everything; until then the answer goes on arriving.
        isBroken = true;
        if (!signal.aborted)
          log.warning(`The answer could not be shown while it arrives: ${messageOf(error)}`);
      }
    },
  });
  try {
    return await ask(threadId, edits.update);
  } finally {
    await edits.stop();
  }
}

interface End {
  readonly latest: StoredClaim | undefined;
  readonly shown: ShownAnswer;
}

/** The one final edit; returns the comment's page. */
async function finish(
  { answer, latest, shown }: End & { readonly answer: CollectedAnswer },
  { stores, signal }: AnswerInThreadDeps,
  onRecord: (claim: KnownClaim) => void,
): Promise<string | undefined> {
  if (latest === undefined) return undefined;
  const { failure, threadId, text } = answer;
  Object.assign(shown, {
    state: failure === undefined ? "answered" : "failed",
    text,
    answer,
  } satisfies ShownAnswer);
  const thread = threadId === undefined || threadId.length > 500 ? {} : { threadId };
  const end: Partial<ClaimRecord> =
    failure === undefined
      ? { state: "ended", outcome: "answered" }
      : { state: "released", outcome: failure.code, message: explainFailure(failure) };
  const store = signal.aborted ? stores.lastWords : stores.claims;
  const claim = await store.update(latest, { ...latest.record, ...thread, ...end });
  onRecord(claim);
  return claim.url;
}

/** Leaves the comment true where no answer began. */
async function recordFailure(
  { error, latest, shown }: End & { readonly error: unknown },
  { stores, log }: AnswerInThreadDeps,
  onRecord: (claim: KnownClaim) => void,
): Promise<void> {
  if (latest === undefined || latest.record.state === "ended" || latest.record.state === "released") return;
  shown.state = "failed";
  const known = error instanceof ActionError ? error : undefined;
  const message = known === undefined ? "The action failed on this question." : explainFailure(known);
  try {
    const record: ClaimRecord = {
      ...latest.record,
      state: "released",
      outcome: known?.code ?? "failed",
      message,
    };
    onRecord(await stores.lastWords.update(latest, record));
  } catch (cause) {
    log.warning(`The comment could not be corrected: ${messageOf(cause)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
