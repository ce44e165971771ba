/** One comment for one question, whichever run answers it: claimed, growing, and true at its end. */
import type { Clock, Log } from "../../base/runtime.ts";
import type { CollectedAnswer } from "../../client/collect-answer.ts";
import type { ClaimStore, KnownClaim, StoredClaim } from "../../github/claim-store.ts";
import type { GitHubError } from "../../github/errors.ts";
import { ClaimHolder } from "../submission/claim-holder.ts";
import type { ClaimDraft } from "../submission/draft-record.ts";
import type { ClaimOwner } from "../submission/judge-claims.ts";
import type { Objection, Submission } from "../submission/submission.ts";
import { watchOthers } from "../submission/watch-others.ts";
import type { AnswerStores, ShownAnswer } from "./answer-interface.ts";
import { showEnd, showFailure } from "./end-answer.ts";
import { type AskWatcher, growAnswer } from "./grow-answer.ts";

export interface AnswerInThreadOptions {
  readonly owner: ClaimOwner;
  readonly draft: ClaimDraft;
  readonly shown: ShownAnswer;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

export interface AnswerInThreadDeps {
  readonly stores: AnswerStores;
  /** Called once nobody else answers, before anything is written; returns why not to answer. */
  readonly onFree: () => Promise<Objection | undefined>;
  readonly ask: (threadId: string | undefined, watcher: AskWatcher) => Promise<CollectedAnswer>;
  /** Takes secrets out of a text that is about to be shown. */
  readonly redact: (text: string) => string;
  readonly onRecord: (claim: KnownClaim) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type ThreadAnswer =
  | {
      readonly kind: "skipped";
      readonly reason: string;
      readonly message: string;
      /** The comment that answers, or will. */
      readonly claim?: StoredClaim;
    }
  | {
      readonly kind: "ended";
      readonly answer: CollectedAnswer;
      readonly commentUrl: string | undefined;
      /** Why the comment does not show how it ended. */
      readonly unshown: GitHubError | undefined;
    };

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
  const { shown } = options;
  // To ask twice does no harm, so a run that died while it asked is simply followed by another.
  const earlier = await watchOthers({ owner: options.owner, onAmbiguous: "resubmit" }, { ...deps, claims });
  if (earlier.kind === "taken") return describeTaken(earlier.submission);
  const objection = await deps.onFree();
  if (objection !== undefined) return { kind: "skipped", ...objection };
  const threadId = await findConversation(options.draft, deps.stores.conversation);
  let latest: StoredClaim | undefined;
  const onRecord = (claim: KnownClaim) => {
    if (claim.id !== undefined) latest = claim;
    deps.onRecord(claim);
  };
  const holder = new ClaimHolder(options, { ...deps, ...deps.stores, onRecord });
  try {
    const rival = await holder.claim(earlier.leftovers);
    if (rival !== undefined) return describeTaken({ kind: "other-run", claim: rival });
    const answer = await growAnswer({ ...options, holder, threadId }, deps);
    return { kind: "ended", answer, ...(await showEnd({ answer, latest, shown }, { ...deps, onRecord })) };
  } catch (error) {
    await showFailure({ error, latest, shown }, { ...deps, onRecord });
    throw error;
  }
}

function describeTaken(taken: Submission<unknown>): ThreadAnswer {
  const { reason, message } =
    taken.kind === "found"
      ? { reason: "already-answered", message: "An earlier run answered this question." }
      : { reason: "other-run", message: "Another run answers this question." };
  return { kind: "skipped", reason, message, ...("claim" in taken && { claim: taken.claim }) };
}

/** The conversation of the nearest answer from the same site: the newest one on the thread. */
async function findConversation(
  { target }: ClaimDraft,
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
