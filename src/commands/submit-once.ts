/**
 * At most one submission for each trigger, across re-runs, repeated deliveries and lost runners: claim → wait for the turn → find the
 * earlier job that the request continues → submit → record.
 *
 * The platform has no idempotency key. A run therefore writes a record before it sends the creating request. Another run that
 * finds the record resumes the job, leaves the request to the run that holds it, or reports that the response was lost.
 */
import { rateLimitDelayMs } from "../base/retry.ts";
import { checkDashboard, PlatformError } from "../client/errors.ts";
import type { StoredClaim } from "../github/claims.ts";
import { refuseUnpermitted } from "../github/gate.ts";
import { listOpenOwn, type OpeningJob, readIntroductions } from "../github/pull-requests.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { isRetryable } from "../presentation/status-comment.ts";
import {
  type AgentRun,
  type ClaimedAgentRun,
  type ConnectedAgentRun,
  cannotContinue,
  createJob,
  pullRequestPolicyOf,
  readJob,
  resolveJobOutcome,
  type SubmittedJob,
  stoppedWhileSending,
} from "./agent-job.ts";
import { ActiveRequests, type ClaimDraft, explainError, refuseInProgress } from "./claim.ts";
import type { ClaimLease } from "./claim-lease.ts";
import { refuseChangedText } from "./reply.ts";
import type { EventRequest, KeyedRequest } from "./request-from-event.ts";
import { type QueueResult, waitInBranchQueue } from "./rolling.ts";
import { rethrowInterrupted, type Skip } from "./run.ts";

export interface PreparedRequest extends KeyedRequest {
  /** Composes the prompt; it also quotes changes that were gathered while the request waited. */
  readonly composePrompt: (gathered?: readonly QuotedPiece[]) => string;
  readonly draft: ClaimDraft;
  /** The base branch of an embedded platform's new job; by default, the default branch. */
  readonly base: string | undefined;
}

/**
 * Claims a free trigger and creates its job.
 *
 * @returns the job; the error if the response to the creating request was lost; or why this run did not send the request.
 * @throws {PlatformError} when the platform rejects the request; the record then contains the reason.
 */
export async function submitOnce(
  request: PreparedRequest,
  agent: ClaimedAgentRun,
): Promise<SubmittedJob | PlatformError | Skip> {
  const { lease, inputs, run } = agent;
  try {
    const winner = await lease.acquire();
    if (winner) return refuseInProgress(winner);
    let mayResubmit = inputs.onAmbiguous === "resubmit";
    for (let attempt = 1; ; attempt += 1) {
      const queued = await waitAndMarkSubmitting(request, agent);
      if ("reason" in queued) return queued;
      const prompt = request.composePrompt(queued.gathered);
      const result = await createJob(prompt, queued.earlierJobId, agent).catch((error: unknown) => {
        if (error instanceof PlatformError) return error;
        throw error;
      });
      if (result === "busy") {
        const resumeMs = run.clock.now() + rateLimitDelayMs(0, attempt);
        const notice = "The job works on another request; waiting.";
        await lease.waitAndRenew("queued behind its job", resumeMs, notice);
      } else if (!(result instanceof PlatformError)) {
        await lease.recordJob(result);
        return result;
      } else if (!result.maybeSubmitted) await waitForRateLimit(result, attempt, agent);
      else if (!mayResubmit) {
        await lease.tryWrite({ state: "unknown", message: explainError(result) });
        return result;
      } else {
        mayResubmit = false;
        run.log.warning(`${result.message} Submitting again, because of \`on-ambiguous: resubmit\`.`);
      }
    }
  } catch (error) {
    await lease.recordInterruption(error);
    rethrowInterrupted(error, inputs, run, ...describeInterruption(lease));
  }
}

function describeInterruption(lease: ClaimLease): [message: string, advice: string] {
  return lease.hasClaim && lease.claim.record.state === "unknown"
    ? [stoppedWhileSending, checkDashboard]
    : ["Stopped before the request was sent.", "Run again to send it."];
}

/** Waits in the queue, and records that the request is about to be sent; or returns why it is not sent. */
async function waitAndMarkSubmitting(
  request: PreparedRequest,
  agent: ClaimedAgentRun,
): Promise<QueueResult | Skip> {
  const { lease, inputs, github } = agent;
  const refuse = async () =>
    (await refuseUnpermitted(inputs, github)) ?? (await refuseRequest(request, agent));
  for (;;) {
    const queued = await waitInQueue(agent);
    const refusal: QueueResult["refusal"] =
      queued.refusal ?? refuseRepeated(request, queued) ?? (lease.hasWaited ? await refuse() : undefined);
    if (refusal) {
      const { message, record = { state: "released", outcome: "skipped" } } = refusal;
      await lease.tryWrite({ message, ...record });
      return refusal;
    }
    const winner = await lease.markSubmitting();
    if (winner) return refuseInProgress(winner);
    if (lease.claim.record.state === "submitting") return queued;
  }
}

/** Refuses to repeat a request that another run repeated meanwhile, unless that failed or sent nothing. */
function refuseRepeated({ keyword, draft }: PreparedRequest, { earlier }: QueueResult): Skip | undefined {
  if (keyword !== "retry") return undefined;
  const same = earlier.filter(({ record }) => record.request === draft.request);
  const last = same.findLast(({ record }) => record.state !== "released" || isRetryable(record));
  if (last === undefined || isRetryable(last.record)) return undefined;
  return { reason: "retry", message: "Another run repeated this request.", page: last.url };
}

/**
 * Waits for the platform's rate limit; the thread shows that.
 *
 * @throws {PlatformError} the given error, if it is another one, or the wait would exceed the run's deadline.
 */
async function waitForRateLimit(
  error: PlatformError,
  attempt: number,
  { lease, run: { clock, deadlineMs } }: ClaimedAgentRun,
): Promise<void> {
  const resumeMs = clock.now() + rateLimitDelayMs(error.retryAfterMs, attempt);
  const isLimit = error.code === "rate-limited";
  if (!isLimit || resumeMs >= deadlineMs) {
    const until = error.retryAfterMs === undefined ? "" : ` until ${new Date(resumeMs).toISOString()}`;
    const outcome = isLimit ? `rate-limited${until}` : "failed";
    await lease.tryWrite({ state: "released", outcome, message: explainError(error) });
    throw error;
  }
  const outcome = `queued until ${new Date(resumeMs).toISOString()}`;
  await lease.waitAndRenew(outcome, resumeMs, `The platform's rate limit for jobs is reached; ${outcome}.`);
}

/**
 * Waits for earlier requests of the thread, and until the job that the request continues is idle. The record keeps the head commit of
 * that job's pull request, to compare it with the head commit at the end.
 */
async function waitInQueue(agent: ClaimedAgentRun): Promise<QueueResult> {
  const { lease, run, inputs, github, rollingBranch } = agent;
  const isOver = async (jobId: string) => (await readJob(jobId, agent))?.status?.toLowerCase() !== "active";
  const activeRequests = new ActiveRequests(github.context, isOver, run.clock);
  // Only requests of a thread wait for each other: the statuses of a commit contain requests of all threads.
  const isInThread = github.event.type === "text" && inputs.statusComment;
  const waitInThread = async () => (isInThread ? lease.waitForEarlier(activeRequests) : []);
  for (;;) {
    const queued: QueueResult = rollingBranch
      ? await waitInBranchQueue(rollingBranch, activeRequests, agent)
      : { earlier: await waitInThread() };
    if (queued.refusal) return queued;
    const job = await findEarlierJob(queued.earlier, agent);
    const refusal = job || !mayContinue(agent) ? undefined : await refuseMorePullRequests(agent);
    if (refusal) return { ...queued, refusal };
    lease.amend({ headBefore: job?.pull?.headSha, pullRequestUrl: job?.pull?.url });
    if (!job?.isBusy) return { ...queued, earlierJobId: job?.jobId };
    const name = `job ${job.jobId}`;
    const notice = `Agent ${name} is busy; waiting for it.`;
    await lease.waitAndRenew(`queued behind ${name}`, () => isOver(job.jobId), notice);
  }
}

const maxCandidates = 3;

/**
 * Finds the job that a request continues: the job that `job-id` names, or the newest job of its thread that still exists, is not
 * archived, and whose pull request is not closed or merged. A failed job is continued while its pull request is open.
 *
 * @param earlier records of earlier requests in the same store, oldest first
 * @throws {PlatformError} `conflict` if the job that `job-id` names cannot be continued.
 */
async function findEarlierJob(earlier: readonly StoredClaim[], agent: ConnectedAgentRun) {
  if (!mayContinue(agent)) return undefined;
  const { run, inputs, github, projectId, rollingBranch } = agent;
  const candidates = await listCandidates(earlier, agent);
  for (const { jobId, pullRequestUrl } of candidates.slice(0, maxCandidates)) {
    const found = await readContinuableJob(jobId, pullRequestUrl, agent);
    if (typeof found !== "string") return found;
    if (inputs.jobId !== undefined) throw cannotContinue(jobId, found);
    run.log.info(`Agent job ${jobId} is not continued: ${found}.`);
  }
  if (rollingBranch === undefined) return undefined;
  for await (const { url, openedBy } of listOpenOwn(await github.readOwnership())) {
    if (openedBy?.project !== projectId || openedBy.source !== rollingBranch) continue;
    const found = await readContinuableJob(openedBy.jobId, url, agent);
    if (typeof found !== "string") return found;
  }
  return undefined;
}

function mayContinue({ inputs, github, rollingBranch }: AgentRun): boolean {
  const isLater = github.event.type === "text" && inputs.followUp === "continue";
  return inputs.jobId !== undefined || isLater || rollingBranch !== undefined;
}

async function listCandidates(earlier: readonly StoredClaim[], agent: AgentRun) {
  const { inputs, projectId, github } = agent;
  if (inputs.jobId !== undefined) return [{ jobId: inputs.jobId, pullRequestUrl: undefined }];
  const pullRequestUrl = github.event.type === "text" ? github.event.thread.url : undefined;
  const jobs = (await listOpeningJobs(agent)).filter(({ project }) => project === projectId);
  const recorded = earlier.filter(({ isUnverifiable }) => !isUnverifiable).map(({ record }) => record);
  const found = [...jobs.map(({ jobId }) => ({ jobId, pullRequestUrl })), ...recorded].reverse();
  return [...Map.groupBy(found, ({ jobId }) => jobId)].flatMap(([jobId, ofJob]) => {
    const { pullRequestUrl } = ofJob.find((each) => each.pullRequestUrl !== undefined) ?? {};
    return jobId === undefined ? [] : { jobId, pullRequestUrl };
  });
}

/** A job with its open pull request, if the token can read it; or why the job cannot be continued. */
async function readContinuableJob(
  jobId: string,
  pullRequestUrl: string | undefined,
  agent: ConnectedAgentRun,
) {
  const job = await readJob(jobId, agent);
  if (job === undefined) return "the platform no longer knows it";
  const status = job.status?.toLowerCase();
  if (status === "archived") return "it is archived";
  const reported = { ...job, prLink: pullRequestUrl ?? job.prLink };
  const { pullRequest } = await resolveJobOutcome(jobId, reported, pullRequestPolicyOf(agent));
  const pull = pullRequest?.pull;
  const isOpen = pull?.state === "open" || pull?.state === "draft";
  if (pull && !isOpen) return `its pull request is ${pull.state}`;
  if (status === "failed" && !isOpen) return "it failed";
  return { jobId, isBusy: status === "active", pull: isOpen ? pull : undefined };
}

/** The jobs that the action's own comments on the event's pull request name. */
async function listOpeningJobs(agent: AgentRun): Promise<OpeningJob[]> {
  const { event, listComments, readOwnership } = agent.github;
  if (event.type !== "text" || event.thread.kind !== "pull-request") return [];
  const { comments } = await listComments();
  const jobs = readIntroductions(comments, event.thread.number, await readOwnership());
  return jobs.map(({ openedBy }) => openedBy);
}

/** Why a request may not be sent now: another project's pull request, a changed text, or one pull request too many. */
export async function refuseRequest(
  { source }: Pick<EventRequest, "source">,
  agent: AgentRun,
): Promise<Skip | undefined> {
  const projects = (await listOpeningJobs(agent)).map(({ project }) => project);
  if (projects.length > 0 && !projects.includes(agent.projectId)) {
    const message = `A job of another project (${projects[0]}) opened the pull request.`;
    return { reason: "other-project", message };
  }
  const isText = source !== "change" && source !== "label";
  const refusal = isText ? await refuseChangedText(agent.github) : undefined;
  return refusal || mayContinue(agent) ? refusal : refuseMorePullRequests(agent);
}

/** Refuses a new job while the agent has as many open pull requests as `max-open-pull-requests` allows. */
async function refuseMorePullRequests({ inputs, github }: AgentRun): Promise<Skip | undefined> {
  const { maxOpenPullRequests } = inputs;
  if (maxOpenPullRequests === undefined) return undefined;
  let open = 0;
  for await (const _pull of listOpenOwn(await github.readOwnership(), inputs.docsRepository)) {
    open += 1;
    if (open < maxOpenPullRequests) continue;
    const message = `Open pull requests of the agent: ${open}; \`max-open-pull-requests\` allows no more until one is merged or closed.`;
    return { reason: "max-open-pull-requests", message, hint: `Not started. ${message}` };
  }
  return undefined;
}
