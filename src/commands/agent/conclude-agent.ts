/** How an agent request ends: the job's end verified, written down and shown, also when nobody can wait for it any more. */
import { InterruptedError, JobFailedError } from "../../base/errors.ts";
import { messageOf, shorten } from "../../base/text.ts";
import type { AgentJob } from "../../client/contract.ts";
import { PlatformError } from "../../client/errors.ts";
import type { ClaimRecord, StoredClaim } from "../../github/claim-store.ts";
import type { PullRequest } from "../../github/pull-requests.ts";
import { explain } from "../explain-error.ts";
import type { AgentResult, ClaimedDeps } from "./agent-interface.ts";
import type { JobEnd } from "./job-end.ts";
import { type VerifyDeps, type VerifyOptions, verifyPullRequest } from "./verify-pull-request.ts";

type EndDeps = Pick<ClaimedDeps, "claims" | "onRecord" | "log" | "observer" | "signal">;

/** Writes a change of the record down; the change is true whether or not that succeeds. */
export async function recordChange(
  claim: StoredClaim,
  change: Partial<ClaimRecord>,
  { claims, onRecord, log, signal }: Pick<ClaimedDeps, "claims" | "onRecord" | "log" | "signal">,
): Promise<StoredClaim> {
  const { outcome: _outcome, message: _message, ...rest } = claim.record;
  const changed = { ...claim, record: { ...rest, ...change } };
  onRecord({ ...changed, isPending: true });
  try {
    const written = await claims.update(claim, changed.record);
    onRecord(written);
    return written;
  } catch (error) {
    signal.throwIfAborted();
    log.warning(`The status could not be written: ${messageOf(error)}`);
    return changed;
  }
}

function jobFailed(message: string): JobFailedError {
  return new JobFailedError(message, {
    hint: "The platform's dashboard may say more. Ask again to start a new job; a re-run shows the same end.",
  });
}

/** Judges an ended job; its pull request is looked up and adopted. */
export async function judgeJob(
  { jobId, job }: { jobId: string; job: AgentJob },
  options: VerifyOptions,
  deps: VerifyDeps,
): Promise<JobEnd> {
  const status = job.status?.toLowerCase();
  if (status === "failed") {
    return {
      outcome: "failed",
      error: jobFailed(`Agent job ${jobId} failed; the platform gives no reason.`),
    };
  }
  if (status === "archived") return { outcome: "archived" };
  return job.prLink
    ? verifyPullRequest({ jobId, link: job.prLink, source: job.source?.repository }, options, deps)
    : { outcome: "no-pull-request" };
}

/** Writes an end down and makes it the command's result. */
export async function concludeEnd(claim: StoredClaim, end: JobEnd, deps: EndDeps): Promise<AgentResult> {
  const change: Partial<ClaimRecord> = {
    state: "ended",
    outcome: end.outcome,
    ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url.slice(0, 500) } : {}),
    ...(end.outcome === "failed" ? { message: shorten(end.error.message, 1000) } : {}),
  };
  if (end.outcome === "pull-request") deps.observer.pullRequestKnown(end);
  const { record, url } = await recordChange(claim, change, deps);
  const error = end.outcome === "failed" ? { error: end.error } : {};
  return { outcome: end.outcome, status: record, statusUrl: url, ...error };
}

/** The end that an earlier run wrote down, shown once more. */
export function concludeRecorded(
  { record, url }: StoredClaim,
  { observer }: Pick<ClaimedDeps, "observer">,
): AgentResult {
  const { outcome, jobId, pullRequestUrl, message } = record;
  if (jobId !== undefined) observer.jobKnown(jobId);
  const shown = { status: record, statusUrl: url };
  if (outcome === "pull-request" && pullRequestUrl !== undefined) {
    const digits = /\/pull\/(\d+)$/.exec(pullRequestUrl)?.[1];
    observer.pullRequestKnown({
      url: pullRequestUrl,
      number: digits === undefined ? undefined : Number(digits),
    });
    return { outcome, ...shown };
  }
  if (outcome === "no-pull-request" || outcome === "archived") return { outcome, ...shown };
  return { outcome: "failed", ...shown, error: jobFailed(message ?? `Agent job ${jobId} failed.`) };
}

/** A submission whose answer was lost: looked for among the pull requests opened since, and otherwise left alone. */
export async function concludeLost(
  { claim, error }: { readonly claim: StoredClaim; readonly error: PlatformError | undefined },
  deps: ClaimedDeps,
): Promise<AgentResult> {
  const { trigger, claimedAt } = claim.record;
  const pull = await deps.github.findByReference({ wanted: deps.referenceOf(trigger), since: claimedAt });
  if (pull) {
    deps.log.info(`The lost submission's pull request was found: #${pull.number}.`);
    return concludeFound(claim, pull, deps);
  }
  const message = claim.isUnverifiable
    ? "An earlier run's record is signed with another key; it cannot be told what became of its submission."
    : "An earlier run may have submitted this request, and the platform's answer was lost; it is not sent again.";
  const hint = "Look for the job on the platform's dashboard; comment again to start all the same.";
  const cause = error ?? new PlatformError("unexpected-response", message, { maybeSubmitted: true, hint });
  const detail = error ? { message: explain(error) } : {};
  const { record, url } = claim.isUnverifiable
    ? claim
    : await recordChange(claim, { state: "unknown", ...detail }, deps);
  return { outcome: "unknown", status: record, statusUrl: url, error: cause };
}

/** A job that nobody works on any more, and why that is so; its pull request may be there all the same. */
export async function concludeGone(
  { claim, message }: { readonly claim: StoredClaim; readonly message: string },
  deps: ClaimedDeps,
): Promise<AgentResult> {
  const { trigger, claimedAt } = claim.record;
  const pull = await deps.github.findByReference({ wanted: deps.referenceOf(trigger), since: claimedAt });
  if (pull) return concludeFound(claim, pull, deps);
  return concludeEnd(claim, { outcome: "failed", error: jobFailed(message) }, deps);
}

/** A pull request found by its reference: adopted like a reported one, as far as its job is known. */
async function concludeFound(claim: StoredClaim, pull: PullRequest, deps: ClaimedDeps): Promise<AgentResult> {
  const { jobId, target: project } = claim.record;
  try {
    await (jobId === undefined
      ? deps.github.decoratePullRequest(pull)
      : deps.github.adoptPullRequest(pull, { project, jobId }));
  } catch (error) {
    deps.signal.throwIfAborted();
    deps.log.warning(`Pull request #${pull.number}: ${messageOf(error)}`);
  }
  return concludeEnd(claim, { outcome: "pull-request", url: pull.url, number: pull.number }, deps);
}

/** Writes down why nobody waits for a job any more, or that it was stopped with its platform; works on a cancelled run too. */
export async function recordPause(
  { claim, error, isEmbedded }: { claim: StoredClaim; error: unknown; isEmbedded: boolean },
  { lastWords, onRecord, log }: Pick<ClaimedDeps, "lastWords" | "onRecord" | "log">,
): Promise<void> {
  const reason = error instanceof InterruptedError ? error.code : "failed";
  const outcome = isEmbedded ? "stopped" : reason;
  const message = error instanceof PlatformError ? { message: explain(error) } : {};
  const { message: _message, ...rest } = claim.record;
  const record: ClaimRecord = { ...rest, state: "working", outcome, ...message };
  onRecord({ ...claim, record, isPending: true });
  try {
    onRecord(await lastWords.update(claim, record));
  } catch (cause) {
    log.warning(`The status could not be written: ${messageOf(cause)}`);
  }
}
