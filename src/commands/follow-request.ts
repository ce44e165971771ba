/** The second half of a request to the agent: follows its job to the end, and reports the result on the thread. */
import { stoppedByUser, successfulOutcomes } from "../base/claim-record.ts";
import { ActionError, InterruptedError } from "../base/errors.ts";
import { retry } from "../base/retry.ts";
import { messageOf } from "../base/text.ts";
import type { AgentJob } from "../client/contract.ts";
import { isJobGone, PlatformError } from "../client/errors.ts";
import type { StoredClaim } from "../github/claims.ts";
import { isTransient, warnOnGitHubError } from "../github/errors.ts";
import {
  createPullRequestFinder,
  decoratePullRequest,
  introducePullRequest,
  type OpeningJob,
  type PullRequest,
} from "../github/pull-requests.ts";
import { replyToReviewThreads } from "../github/review-threads.ts";
import {
  describeStatus,
  pullNumberOf,
  type RequestStatus,
  renderAddressedReply,
  renderAgentSummary,
  renderPullRequestIntroduction,
} from "../presentation/status-comment.ts";
import {
  type AgentResult,
  type AgentRun,
  type ClaimedAgentRun,
  type ConnectedAgentRun,
  findNextHead,
  followAgentJob,
  type JobPullRequest,
  type JobResult,
  jobFailed,
  pullInThisRepository,
  pullRequestPolicyOf,
  type RequestBaseline,
  recordFieldsOf,
  resolveJobOutcome,
  resultOfFoundPull,
  type SubmittedJob,
} from "./agent-job.ts";
import { explainError, hasWaitingRun, refuseInProgress } from "./claim.ts";
import { type ClaimLease, githubPauseMs } from "./claim-lease.ts";
import { notifyOfResult } from "./reply.ts";
import { listChangesIn } from "./rolling.ts";
import { type Run, rethrowInterrupted } from "./run.ts";

/** Continues a request that an earlier run recorded: shows its result, or follows its job. */
export async function resumeRequest(claim: StoredClaim, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { lease, inputs, run, github } = agent;
  lease.resume(claim);
  const { state, jobId = "", isMismatch } = claim.record;
  // With another `docs-repository`, the pull request may be accepted.
  const mayChange = isMismatch && inputs.baseUrl !== "local";
  if (state === "ended" && !mayChange) return showRecordedResult(claim, agent);
  if (inputs.baseUrl !== "local") {
    run.log.info(`Resuming job ${jobId}, which an earlier run started.`);
    return followClaimedJob(undefined, agent);
  }
  // Only the run that started a job of the embedded platform can follow it; the job ends with that run.
  run.setOutput("jobId", jobId);
  if (hasWaitingRun(claim, github.context)) return refuseInProgress(claim);
  const message = `Agent job ${jobId} ended with the run that started it, as jobs of the embedded platform do.`;
  return finishMissingJob(message, agent);
}

/**
 * Follows the job of the claim to its end. With `wait: false`, or if the run ends early, the record states why nothing waits for the job.
 *
 * @param created the response to the creating request, if this run sent it
 */
export async function followClaimedJob(
  created: SubmittedJob | undefined,
  agent: ClaimedAgentRun,
): Promise<AgentResult> {
  const { inputs, run, github, lease } = agent;
  const { record } = lease.claim;
  const { jobId = "" } = record;
  run.setOutput("jobId", jobId);
  if (!inputs.wait) {
    await lease.tryWrite({ state: "working", outcome: "detached" });
    return toAgentResult("detached", lease.claim);
  }
  let result: JobResult;
  try {
    // The status links the run that waits now. A result that was not accepted is resolved again.
    if (!created) await lease.tryWrite({ state: "working", runUrl: github.context.runUrl });
    const baseline = { ...lease.claim.record, since: lease.claim.createdAt ?? record.claimedAt };
    const start = created ?? Date.parse(record.startedAt ?? record.claimedAt);
    const job = await followAgentJob(agent, jobId, start, createStopCheck(lease, run));
    // If this run ends before the result is known, the status must not say that the job is still running.
    lease.leaveToPostStep({ endedAt: new Date(run.clock.now()).toISOString() });
    const nextHead = created ? undefined : await readNextHead(agent);
    result = await resolveResult(jobId, job, agent, { ...baseline, nextHead });
    // Before the record contains the result: after that, a re-run replies to nothing.
    await replyToThreads(result, agent);
  } catch (error) {
    if (isJobGone(error)) return finishMissingJob(`The platform no longer knows agent job ${jobId}.`, agent);
    await recordStoppedWaiting(error, agent);
    const { endedAt } = lease.claim.record;
    const state =
      endedAt === undefined ? "continues on the platform" : "has ended; its result is not recorded";
    const advice = "Re-run the workflow to get its result. No new job is started.";
    rethrowInterrupted(error, inputs, run, `Stopped waiting: agent job ${jobId} ${state}.`, advice);
  }
  return finishRequest(result, agent);
}

/** While nothing waited for the job, a later request may have been sent to it. */
async function readNextHead({ lease }: ClaimedAgentRun): Promise<string | undefined> {
  const { claim } = lease;
  return claim.record.headBefore === undefined ? undefined : findNextHead(claim, await lease.listEarlier());
}

/** How often a run that follows a job checks whether a user stopped it; each check is a request to GitHub. */
const stopCheckMs = 120_000;

/** Returns a function that checks, at most every `stopCheckMs`, whether a user stopped the request; if so, it throws. */
function createStopCheck(lease: ClaimLease, { clock, log }: Run): () => Promise<void> {
  let nextMs = clock.now() + stopCheckMs / 2;
  return async () => {
    if (clock.now() < nextMs) return;
    nextMs = clock.now() + stopCheckMs;
    await lease.throwIfStopped().catch((error: unknown) => {
      if (!isTransient(error)) throw error;
      log.debug(`It could not be checked whether a user stopped the request: ${messageOf(error)}`);
    });
  };
}

/** GitHub may show a job's last push, or its new pull request, this long after the job's end. */
const latePushMs = 5_000;

/** Determines the result of an ended job, also after an outage of GitHub, and sets up a pull request that the job opened. */
export async function resolveResult(
  jobId: string,
  job: AgentJob,
  agent: ConnectedAgentRun,
  baseline: RequestBaseline,
): Promise<JobResult> {
  const { run, projectId: project, rollingBranch: source } = agent;
  const resolve = () =>
    retry(() => resolveJobOutcome(jobId, job, pullRequestPolicyOf(agent), baseline), {
      ...run,
      attempts: Number.POSITIVE_INFINITY,
      retryAfterMs: (error) => (isTransient(error) ? githubPauseMs : undefined),
      onRetry: (error) => run.log.notice(`${messageOf(error)} Trying again in a minute.`),
    });
  let result = await resolve();
  if (result.outcome === "unchanged" || result.error?.code === "pull-request-mismatch") {
    await run.clock.sleep(latePushMs, run.signal);
    result = await resolve();
  }
  const pull = pullInThisRepository(result);
  const isContinued = baseline.headBefore !== undefined && pull?.url === baseline.pullRequestUrl;
  if (pull && !isContinued) await setUpPullRequest(pull, { project, jobId, source }, agent);
  return result;
}

/** Records why this run stopped waiting for the job, or that the job ended with the embedded platform. */
async function recordStoppedWaiting(error: unknown, { lease, inputs }: ClaimedAgentRun): Promise<void> {
  // The record already says so; the embedded platform's job, however, ends now.
  if (lease.claim.record.outcome === stoppedByUser && inputs.baseUrl !== "local") return;
  const reason = error instanceof InterruptedError ? error.code : "failed";
  const message = error instanceof PlatformError ? { message: explainError(error) } : {};
  const outcome = inputs.baseUrl === "local" ? "stopped" : reason;
  await lease.tryWrite({ state: "working", outcome, ...message });
}

/** Sets labels, reviewers and draft state, and comments which job opened the pull request, if known. A failure is only a warning. */
async function setUpPullRequest(
  pull: PullRequest,
  openedBy: OpeningJob | undefined,
  agent: AgentRun,
): Promise<void> {
  const { inputs, run, github, triggerPhrases } = agent;
  const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
  await decoratePullRequest(pull, { labels, reviewers, draft }, github.api, run.log);
  if (!openedBy || !inputs.statusComment) return;
  const page = github.event.type === "text" ? github.event.thread.url : undefined;
  const text = renderPullRequestIntroduction(openedBy.jobId, page, triggerPhrases[0]);
  await introducePullRequest({ number: pull.number, text, openedBy }, await github.readOwnership(), run);
}

async function finishRequest(result: JobResult, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { lease, run, rollingBranch: branch, github, inputs } = agent;
  const { event } = github;
  if (result.pullRequest) setPullRequestOutputs(result.pullRequest, run);
  const pull = pullInThisRepository(result);
  await lease.tryWrite(recordFieldsOf(result, run.clock.now()));
  if (branch && pull) await warnOnGitHubError(run.log, () => listChangesIn(pull, branch, agent));
  if (event.type === "text" && inputs.statusComment)
    await notifyOfResult(lease.claim, event.thread, await github.readOwnership(), run);
  return toAgentResult(result.outcome, lease.claim, result.error);
}

/** Replies to the review threads that the new commits addressed. */
async function replyToThreads(
  result: JobResult,
  { lease, run, github: { event, readOwnership }, inputs }: ClaimedAgentRun,
): Promise<void> {
  const { headBefore } = lease.claim.record;
  const pull = result.outcome === "updated" ? pullInThisRepository(result) : undefined;
  if (!pull || headBefore === undefined || event.type !== "text" || event.thread.kind !== "pull-request")
    return;
  const update = {
    pullNumber: pull.number,
    requestedAt: event.text.changedAt,
    reviewId: event.reviewId,
    headBefore,
    headAfter: pull.headSha,
    resolve: inputs.resolveThreads,
    describe: renderAddressedReply,
  };
  await replyToReviewThreads(update, await readOwnership(), run.log);
}

/** A submission whose response was lost: searches for its pull request, or its commits in an earlier one; it is not sent again. */
export async function finishLostSubmission(
  error: PlatformError | undefined,
  agent: ClaimedAgentRun,
): Promise<AgentResult> {
  const { lease, run } = agent;
  const { isUnverifiable, record } = lease.claim;
  // Even if GitHub does not respond either, a job may exist.
  const found = await warnOnGitHubError(run.log, () => finishWithoutJob(agent));
  if (found) return found;
  if (!isUnverifiable && record.state !== "unknown") await lease.tryWrite({ state: "unknown" });
  const message = isUnverifiable
    ? "An earlier run's record is signed with another key, so it is unknown whether the request was submitted."
    : "An earlier run may have submitted this request, and the platform's response was lost; it is not sent again.";
  const hint = "Look for the job on the platform's dashboard. To start a new job, write a new comment.";
  const cause = error ?? new PlatformError("unexpected-response", message, { maybeSubmitted: true, hint });
  return toAgentResult("unknown", lease.claim, cause);
}

/** Finishes the request of a job that no longer exists; its pull request may exist. */
async function finishMissingJob(message: string, agent: ClaimedAgentRun): Promise<AgentResult> {
  const failed = { outcome: "failed", error: jobFailed(message) } as const;
  return (await finishWithoutJob(agent)) ?? finishRequest(failed, agent);
}

/** Finishes the request with its pull request: the one with its reference, or the one that it continues, if that has new commits. */
async function finishWithoutJob(agent: ClaimedAgentRun): Promise<AgentResult | undefined> {
  const { record } = agent.lease.claim;
  const found = await createPullRequestFinder(agent.github)(record);
  const baseline = { ...record, nextHead: await readNextHead(agent) };
  const result = found ? resultOfFoundPull(found, baseline) : await findUpdate(baseline, agent);
  if (!result) return undefined;
  agent.run.log.info(`The pull request of the request was found: ${result.pullRequest?.url}`);
  const { jobId, target: project } = record;
  const pull = pullInThisRepository(result);
  if (pull && result.outcome === "pull-request")
    await setUpPullRequest(pull, jobId === undefined ? undefined : { project, jobId }, agent);
  await replyToThreads(result, agent);
  return finishRequest(result, agent);
}

async function findUpdate(baseline: RequestBaseline, agent: ClaimedAgentRun): Promise<JobResult | undefined> {
  if (baseline.headBefore === undefined || agent.lease.claim.isUnverifiable) return undefined;
  const result = await resolveJobOutcome("", { status: "completed" }, pullRequestPolicyOf(agent), baseline);
  return result.outcome === "updated" ? result : undefined;
}

export function showRecordedResult(claim: StoredClaim, { run }: AgentRun): AgentResult {
  const { outcome, jobId, pullRequestUrl: url, message, isMismatch } = claim.record;
  if (jobId !== undefined) run.setOutput("jobId", jobId);
  if (url !== undefined) setPullRequestOutputs({ url, number: Number(pullNumberOf(url)) || undefined }, run);
  const success = successfulOutcomes.find((each) => each === outcome);
  if (success) return toAgentResult(success, claim);
  const failure = outcome === "archived" ? outcome : "failed";
  const reason = message ?? `Agent job ${jobId} ended without success (${failure}).`;
  const error = isMismatch ? new ActionError("pull-request-mismatch", reason) : jobFailed(reason);
  return toAgentResult(failure, claim, error);
}

export function setPullRequestOutputs({ url, number }: JobPullRequest, { setOutput }: Run): void {
  setOutput("pullRequestUrl", url);
  if (number !== undefined) setOutput("pullRequestNumber", String(number));
}

export function toAgentResult(
  outcome: JobResult["outcome"] | "unknown" | "detached",
  { record, url }: { readonly record: RequestStatus; readonly url?: string | undefined },
  error?: ActionError,
): AgentResult {
  return {
    outcome,
    message: `${describeStatus(record)}.`,
    summary: renderAgentSummary(record, url),
    error,
  };
}
