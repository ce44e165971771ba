/** How a run of the agent ends: a claimed job is followed, its pull request adopted, and its end written down and told. */

import { type ClaimRecord, successfulOutcomes } from "../base/claim-record.ts";
import { type ActionError, InterruptedError } from "../base/errors.ts";
import { PlatformError } from "../client/errors.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import {
  createReferenceFinder,
  decoratePullRequest,
  introducePullRequest,
  type Origin,
  type PullRequest,
  warnOnGitHubError,
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
  followAgentJob,
  isJobGone,
  type JobPullRequest,
  type JobResult,
  jobFailed,
  pullInThisRepository,
  type RequestBaseline,
  recordFieldsOf,
  resolveJobOutcome,
  resultOfFoundPull,
  type SubmittedJob,
} from "./agent-job.ts";
import {
  type AgentResult,
  type AgentRun,
  type ClaimedAgentRun,
  type ConnectedAgentRun,
  ownershipOf,
  pullRequestPolicyOf,
  skipped,
} from "./agent-run.ts";
import {
  type ClaimLease,
  createOwner,
  explainError,
  hasWaitingRun,
  refuseInProgress,
  stoppedByUser,
} from "./claim.ts";
import { connectPlatform } from "./connect-platform.ts";
import type { AgentInputs } from "./inputs.ts";
import { notifyOfResult } from "./reply.ts";
import { listChangesIn, rollingBranch } from "./rolling.ts";
import type { Run } from "./run.ts";

/** Goes on with a request that an earlier run recorded: shows its end, or follows its job. */
export async function resumeRequest(claim: StoredClaim, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { lease, inputs, run, github } = agent;
  lease.resume(claim);
  if (claim.record.state === "ended") return showRecordedResult(claim, agent);
  const { jobId = "" } = claim.record;
  if (inputs.baseUrl !== "local") {
    run.log.info(`Resuming job ${jobId}, which an earlier run started.`);
    return followClaimedJob(undefined, agent);
  }
  // An embedded platform's job can be followed by its own run only, and ends with that.
  run.setOutput("jobId", jobId);
  if (hasWaitingRun(claim, createOwner(github.context))) return skipped(refuseInProgress(claim));
  const message = `Agent job ${jobId} ended with the run that started it, as jobs of the embedded platform do.`;
  return finishMissingJob(message, agent);
}

/**
 * Follows the job of the claim to its end, or leaves it running; the record is true however this ends.
 *
 * @param created the answer to the creating request, if this run sent it
 */
export async function followClaimedJob(
  created: SubmittedJob | undefined,
  agent: ClaimedAgentRun,
): Promise<AgentResult> {
  const { inputs, run, github, lease } = agent;
  const { record, ageMs } = lease.claim;
  const { jobId = "" } = record;
  run.setOutput("jobId", jobId);
  if (!inputs.wait) {
    await lease.tryWrite({ state: "working", outcome: "detached" });
    return describe("detached", lease.claim);
  }
  let end: JobResult;
  try {
    // The status names the run that waits, not the one that is gone.
    if (!created) await lease.tryWrite({ runUrl: github.context.runUrl });
    const before = { ...lease.claim.record, since: lease.claim.createdAt ?? record.claimedAt };
    const start = created ?? Date.parse(record.startedAt ?? record.claimedAt);
    end = await followToEnd(jobId, start, agent, before, createStopWatch(lease, run));
  } catch (error) {
    if (isJobGone(error, ageMs)) {
      return finishMissingJob(`The platform no longer knows agent job ${jobId}.`, agent);
    }
    await recordStoppedWaiting(error, agent);
    throw inputs.baseUrl === "local" ? withoutResumption(error) : error;
  }
  return finishRequest(end, agent);
}

/** How long after a job's end GitHub may show its last push. */
const latePushMs = 5_000;
/** How often a run that follows a job looks whether a person stopped it; each look is a request to GitHub. */
const stopWatchMs = 120_000;

/** Looks from time to time whether a person stopped the request, which ends the run. */
function createStopWatch(lease: ClaimLease, { clock }: Run): () => Promise<void> {
  let nextMs = clock.now() + stopWatchMs / 2;
  return async () => {
    if (clock.now() < nextMs) return;
    nextMs = clock.now() + stopWatchMs;
    await lease.throwIfStopped();
  };
}

/** Writes down why this run stopped waiting for a job, or that the job was stopped with its platform. */
async function recordStoppedWaiting(error: unknown, { lease, inputs }: ClaimedAgentRun): Promise<void> {
  // The job that a person stopped goes on, but for the embedded platform's.
  if (lease.claim.record.outcome === stoppedByUser && inputs.baseUrl !== "local") return;
  const reason = error instanceof InterruptedError ? error.code : "failed";
  const message = error instanceof PlatformError ? { message: explainError(error) } : {};
  const outcome = inputs.baseUrl === "local" ? "stopped" : reason;
  await lease.tryWrite({ state: "working", outcome, ...message });
}

/** The interruption of a run whose job ended with it: there is nothing to resume. */
function withoutResumption(error: unknown): unknown {
  if (!(error instanceof InterruptedError)) return error;
  const hint = "The embedded platform's jobs end with their run. Ask again to start a new one.";
  return new InterruptedError(error.code, error.message, { hint, retryable: false, cause: error });
}

/** Labels, reviewers, draft, and where its job is known the comment that says so; a failure is only worth a warning. */
async function adoptPullRequest(
  pull: PullRequest,
  origin: Origin | undefined,
  agent: AgentRun,
): Promise<void> {
  const { inputs, run, github, triggerPhrases } = agent;
  const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
  await decoratePullRequest(pull, { labels, reviewers, draft }, github.api, run.log);
  if (!origin || !inputs.statusComment) return;
  const page = github.event.type === "written" ? github.event.thread.url : undefined;
  const text = renderPullRequestIntroduction(origin.jobId, page, triggerPhrases[0]);
  await introducePullRequest({ number: pull.number, text, origin }, await ownershipOf(agent), run.log);
}

/** Follows a job that the workflow names; there is no request, and nothing is written on any thread. */
export async function followGivenJob(jobId: string, agent: AgentRun): Promise<AgentResult> {
  const { inputs, run, github } = agent;
  if (inputs.dryRun) {
    const message = `Dry run: job ${jobId} would be followed; nothing was sent.`;
    return skipped({ reason: "dry-run", message });
  }
  await using connection = await connectPlatform(inputs, run);
  const { platform } = connection;
  const startedMs = run.clock.now();
  const follow = () => followToEnd(jobId, startedMs, { ...agent, platform }, {});
  return await followUnrecordedJob({ jobId, runUrl: github.context.runUrl }, inputs, run, follow);
}

/** Follows a job of which no record is kept, unless this run does not wait for it. */
export async function followUnrecordedJob(
  facts: Partial<ClaimRecord> & { readonly jobId: string },
  { wait }: Pick<AgentInputs, "wait">,
  run: Run,
  follow: () => Promise<JobResult>,
): Promise<AgentResult> {
  run.setOutput("jobId", facts.jobId);
  const status = { ...facts, command: "agent", claimedAt: new Date(run.clock.now()).toISOString() } as const;
  if (!wait) return describe("detached", { record: { ...status, state: "working", outcome: "detached" } });
  const end = await follow();
  if (end.pullRequest) setPullRequest(end.pullRequest, run);
  const record = { ...status, ...recordFieldsOf(end, run.clock.now()), state: "ended" } as const;
  return describe(end.outcome, { record }, end.error);
}

/** Follows a job to its end, and adopts its pull request. */
async function followToEnd(
  jobId: string,
  start: SubmittedJob | number,
  agent: ConnectedAgentRun,
  before: RequestBaseline,
  onPoll?: () => Promise<void>,
): Promise<JobResult> {
  const { run, projectId: project, platform } = agent;
  const job = await followAgentJob(platform, { projectId: project, jobId }, start, { ...run, onPoll });
  const resolve = () => resolveJobOutcome(jobId, job, pullRequestPolicyOf(agent), before);
  let end = await resolve();
  if (end.outcome === "unchanged") {
    // The platform may say that it is done a moment before GitHub shows what it pushed.
    await run.clock.sleep(latePushMs, run.signal);
    end = await resolve();
  }
  const pull = pullInThisRepository(end);
  const isKnown = end.outcome === "updated" || end.outcome === "unchanged";
  if (pull && !isKnown) await adoptPullRequest(pull, { project, jobId, source: rollingBranch(agent) }, agent);
  return end;
}

/** Writes an end down and makes it the command's. */
async function finishRequest(end: JobResult, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { lease, run } = agent;
  if (end.pullRequest) setPullRequest(end.pullRequest, run);
  await lease.tryWrite(recordFieldsOf(end, run.clock.now()));
  const branch = rollingBranch(agent);
  const pull = pullInThisRepository(end);
  if (branch && pull) await warnOnGitHubError(pull.number, run.log, () => listChangesIn(pull, branch, agent));
  await answerThread(end, agent);
  return describe(end.outcome, lease.claim, end.error);
}

/** Tells the review threads which commit addressed them, and after a long wait the person who asked that it is over. */
async function answerThread(end: JobResult, agent: ClaimedAgentRun): Promise<void> {
  const { lease, run, github, inputs } = agent;
  const { event } = github;
  if (event.type !== "written") return;
  const ownership = await ownershipOf(agent);
  const pull = pullInThisRepository(end);
  const { headBefore } = lease.claim.record;
  const isOnPull = event.thread.kind === "pull-request";
  if (end.outcome === "updated" && isOnPull && pull && headBefore !== undefined) {
    const request = { pullNumber: pull.number, requestedAt: event.text.changedAt, headBefore };
    const answer = {
      headAfter: pull.headSha,
      resolve: inputs.resolveThreads,
      describe: renderAddressedReply,
    };
    await replyToReviewThreads({ ...request, ...answer }, ownership, run.log);
  }
  if (inputs.statusComment) await notifyOfResult(lease.claim, event.thread, ownership, run);
}

/** A submission whose answer was lost: searched among the pull requests opened since, and otherwise left alone. */
export async function finishLostSubmission(
  error: PlatformError | undefined,
  agent: ClaimedAgentRun,
): Promise<AgentResult> {
  const { lease, run } = agent;
  const { isUnverifiable, record } = lease.claim;
  const pull = await findPullRequest(record.trigger, record.claimedAt, agent);
  if (pull) {
    run.log.info(`The lost submission's pull request was found: #${pull.number}.`);
    return finishFoundPull(pull, agent);
  }
  const updated = isUnverifiable ? undefined : await findUpdate(record, agent);
  if (updated) return finishRequest(updated, agent);
  if (!isUnverifiable && record.state !== "unknown") await lease.tryWrite({ state: "unknown" });
  const message = isUnverifiable
    ? "An earlier run's record is signed with another key, so what became of its submission is unknown."
    : "An earlier run may have submitted this request, and the platform's answer was lost; it is not sent again.";
  const hint = "Look for the job on the platform's dashboard; comment again to start all the same.";
  const cause = error ?? new PlatformError("unexpected-response", message, { maybeSubmitted: true, hint });
  return describe("unknown", lease.claim, cause);
}

/** The end of a message whose answer was lost, where the pull request that it continues has moved since. */
async function findUpdate(record: ClaimRecord, agent: ClaimedAgentRun): Promise<JobResult | undefined> {
  if (record.headBefore === undefined) return undefined;
  const end = await resolveJobOutcome("", { status: "completed" }, pullRequestPolicyOf(agent), record);
  return end.outcome === "updated" ? end : undefined;
}

/** A job that is gone, and why; its pull request may be there all the same. */
async function finishMissingJob(message: string, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { trigger, claimedAt } = agent.lease.claim.record;
  const pull = await findPullRequest(trigger, claimedAt, agent);
  if (pull) return finishFoundPull(pull, agent);
  return finishRequest({ outcome: "failed", error: jobFailed(message) }, agent);
}

/** A pull request found by its reference: adopted like a reported one, as far as its job is known. */
async function finishFoundPull(pull: PullRequest, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { jobId, target: project } = agent.lease.claim.record;
  await adoptPullRequest(pull, jobId === undefined ? undefined : { project, jobId }, agent);
  return finishRequest(resultOfFoundPull(pull), agent);
}

/** The end that an earlier run wrote down, shown once more. */
export function showRecordedResult(claim: StoredClaim, { run }: AgentRun): AgentResult {
  const { outcome, jobId, pullRequestUrl, message } = claim.record;
  if (jobId !== undefined) run.setOutput("jobId", jobId);
  if (pullRequestUrl !== undefined) {
    setPullRequest({ url: pullRequestUrl, number: Number(pullNumberOf(pullRequestUrl)) || undefined }, run);
  }
  const success = successfulOutcomes.find((each) => each === outcome);
  if (success) return describe(success, claim);
  const end = outcome === "archived" ? outcome : "failed";
  const error = jobFailed(message ?? `Agent job ${jobId} ended without success (${end}).`);
  return describe(end, claim, error);
}

function setPullRequest({ url, number }: Omit<JobPullRequest, "pull">, { setOutput }: Run): void {
  setOutput("pullRequestUrl", url);
  if (number !== undefined) setOutput("pullRequestNumber", String(number));
}

function describe(
  outcome: JobResult["outcome"] | "unknown" | "detached",
  { record, url }: { readonly record: RequestStatus; readonly url?: string | undefined },
  error?: ActionError,
): AgentResult {
  const summary = renderAgentSummary(record, url);
  return { outcome, message: `${describeStatus(record)}.`, summary, error };
}

/** The pull request of this repository, opened since a time, that carries a trigger's reference. */
export function findPullRequest(
  trigger: string,
  since: string,
  { signer, github }: AgentRun,
): Promise<PullRequest | undefined> {
  return createReferenceFinder(github.api)({ reference: signer.reference(trigger), since });
}
