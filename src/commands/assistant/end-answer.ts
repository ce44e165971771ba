/** The last edit of an answer's comment. */
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import type { CollectedAnswer } from "../../client/collect-answer.ts";
import type { ClaimRecord, KnownClaim, StoredClaim } from "../../github/claim-store.ts";
import { GitHubError } from "../../github/errors.ts";
import type { AnswerStores, ShownAnswer } from "./answer-interface.ts";
import { explainFailure } from "./explain-failure.ts";

export interface EndDeps {
  readonly stores: Pick<AnswerStores, "claims" | "lastWords">;
  readonly onRecord: (claim: KnownClaim) => void;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface End {
  readonly latest: StoredClaim | undefined;
  readonly shown: ShownAnswer;
}

/** The one final edit; an answer that cannot be shown is not lost for it. */
export async function showEnd(
  { answer, latest, shown }: End & { readonly answer: CollectedAnswer },
  { stores, signal, onRecord }: Omit<EndDeps, "log">,
): Promise<{ readonly commentUrl: string | undefined; readonly unshown: GitHubError | undefined }> {
  if (latest === undefined) return { commentUrl: undefined, unshown: undefined };
  const { failure, threadId, text } = answer;
  const state = failure === undefined ? "answered" : "failed";
  Object.assign(shown, { state, text, answer } satisfies ShownAnswer);
  const thread = threadId === undefined || threadId.length > 500 ? {} : { threadId };
  const { outcome: _outcome, message: _message, ...record } = latest.record;
  const end: Partial<ClaimRecord> =
    failure === undefined
      ? { state: "ended", outcome: "answered" }
      : { state: "released", outcome: failure.code, message: explainFailure(failure) };
  const whole: ClaimRecord = { ...record, ...thread, ...end };
  try {
    const claim = await update(latest, whole, { stores, signal });
    onRecord(claim);
    return { commentUrl: claim.url, unshown: undefined };
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const left: ClaimRecord = { ...record, state: "released", outcome: "unshown", message: unshownMessage };
    onRecord({ ...latest, record: left, isPending: true });
    return { commentUrl: undefined, unshown: error };
  }
}

/** Also when the workflow is cancelled meanwhile: the end is known by then. */
async function update(
  latest: StoredClaim,
  record: ClaimRecord,
  { stores: { claims, lastWords }, signal }: Pick<EndDeps, "stores" | "signal">,
): Promise<StoredClaim> {
  if (signal.aborted) return lastWords.update(latest, record);
  try {
    return await claims.update(latest, record);
  } catch (error) {
    if (!signal.aborted) throw error;
    return lastWords.update(latest, record);
  }
}

const unshownMessage = "GitHub did not take the answer; the summary of the run shows it.";

/** Leaves the comment true where no answer began. */
export async function showFailure(
  { error, latest, shown }: End & { readonly error: unknown },
  { stores, log, onRecord }: Omit<EndDeps, "signal">,
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
