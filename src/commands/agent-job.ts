/** One agent job at the platform: creates it or sends it a message, follows it to its end, and verifies its pull request. */
import { type ClaimRecord, isOtherRequest, PullSummary } from "../base/claim-record.ts";
import { ActionError, JobFailedError } from "../base/errors.ts";
import { isLoopback } from "../base/network.ts";
import { messageOf, shorten, toOneLine } from "../base/text.ts";
import type { AgentJob } from "../client/contract.ts";
import { describeFailureReason, isJobGone, PlatformError } from "../client/errors.ts";
import { followJob } from "../client/follow-job.ts";
import { agentJobPath, type PlatformClient } from "../client/platform-client.ts";
import { isOlderClaim, type StoredClaim } from "../github/claims.ts";
import type { GitHubApi } from "../github/github-api.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import { type PullRequest, readPullRequest } from "../github/pull-requests.ts";
import type { ClaimLease } from "./claim-lease.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import { type CommandResult, describeDryRun, type Run, type Skip } from "./run.ts";

/** What the modules of one `agent` run share. */
export interface AgentRun {
  readonly inputs: AgentInputs;
  readonly run: Run;
  readonly github: GitHubConnection;
  readonly projectId: string;
  readonly triggerPhrases: TriggerPhrases;
  /** The branch (`refs/heads/…`) whose changes share a pull request; `undefined` if each request has its own. */
  readonly rollingBranch: string | undefined;
}

export interface ConnectedAgentRun extends AgentRun {
  readonly platform: PlatformClient;
}

/** A connected run with the lease of its trigger. */
export interface ClaimedAgentRun extends ConnectedAgentRun {
  readonly lease: ClaimLease;
}

export type AgentResult = CommandResult<"agent"> | Skip;

/** A dry run: the request that would carry the prompt, to a new job or to the one that `job-id` names. */
export function describePrompt(prompt: string, projectId: string, jobId: string | undefined): Skip {
  const path = agentJobPath(projectId, jobId) + (jobId === undefined ? "" : "/message");
  return describeDryRun("agent", `POST ${path}`, prompt);
}

/** The part of a run that sends prompts to jobs, and polls them. `jobId`: no new job is created instead of this one. */
export interface JobRun extends Pick<ConnectedAgentRun, "projectId" | "run"> {
  readonly platform: Pick<PlatformClient, "createAgentJob" | "getAgentJob" | "messageAgentJob">;
  readonly inputs: Pick<AgentInputs, "baseUrl" | "jobId">;
}

export interface SubmittedJob {
  readonly jobId: string;
  readonly job: AgentJob;
  /** True if an existing job got a message: its former status must not be taken for the new one. */
  readonly isFollowUp: boolean;
}

/** Statuses of a platform without an endpoint for messages to jobs. */
const noEndpointStatuses: readonly (number | undefined)[] = [404, 405, 410];

/** The error if the job that `job-id` names accepts no message; nothing was sent. */
export function cannotContinue(jobId: string, reason: string): PlatformError {
  const hint = "Nothing was sent. Leave `job-id` out to start a new job.";
  return new PlatformError("conflict", `Agent job ${jobId} cannot be continued: ${reason}.`, { hint });
}

/** What is known if a run is interrupted during the creating request. */
export const stoppedWhileSending =
  "Stopped while the request was sent: the platform may have started an agent job.";

/**
 * Sends the creating request, once: a message to the earlier job if the platform supports that, otherwise a new job. The outputs have the
 * job at once, because GitHub may take long to record it, or fail.
 *
 * @returns `busy` if the earlier job works on another request.
 * @throws {PlatformError} `maybeSubmitted` when the response is lost or contains no job.
 */
export async function createJob(
  prompt: string,
  earlierJobId: string | undefined,
  agent: JobRun,
): Promise<SubmittedJob | "busy"> {
  const { platform, projectId, inputs, run } = agent;
  const { log, setOutput } = run;
  if (earlierJobId !== undefined) {
    const response = await sendMessage(prompt, earlierJobId, agent);
    if (response === "busy") return response;
    if (response !== "refused") {
      log.info(`The request was sent to agent job ${earlierJobId} as a message.`);
      setOutput("jobId", earlierJobId);
      return { jobId: earlierJobId, job: response, isFollowUp: true };
    }
    if (inputs.jobId !== undefined) throw cannotContinue(earlierJobId, "it accepts no further messages");
    log.info(`Agent job ${earlierJobId} accepts no further messages; starting a new job.`);
  }
  const job = await platform.createAgentJob(projectId, { prompt });
  if (job.id) {
    log.info(`Agent job ${job.id} is created.`);
    setOutput("jobId", job.id);
    if (job.status != null) setOutput("status", job.status);
    return { jobId: job.id, job, isFollowUp: false };
  }
  throw new PlatformError(
    "unexpected-response",
    "The platform accepted the request, but its response contains no job. The job may run; it is not started again.",
    { maybeSubmitted: true },
  );
}

/**
 * Sends a message to a job. `busy`: the job accepts the message later. `refused`: the platform has no endpoint for messages, or the
 * job has ended and accepts none.
 */
async function sendMessage(
  prompt: string,
  jobId: string,
  agent: JobRun,
): Promise<AgentJob | "busy" | "refused"> {
  const { platform, projectId } = agent;
  for (let attempt = 1; ; attempt += 1) {
    const response = await platform.messageAgentJob(projectId, jobId, { prompt }).catch(classifyRefusal);
    if (response !== "conflict") return response;
    const job = await readJob(jobId, agent);
    if (job !== undefined && !isEndedStatus(job.status)) return "busy";
    // The job may have ended between the two requests: only an ended job that refuses twice accepts no messages.
    if (job === undefined || job.status?.toLowerCase() === "archived" || attempt === 2) return "refused";
  }
}

/** @throws the given error, if it is neither a conflict nor a missing endpoint. */
function classifyRefusal(error: unknown): "conflict" | "refused" {
  if (error instanceof PlatformError && noEndpointStatuses.includes(error.status)) return "refused";
  if (error instanceof PlatformError && error.code === "conflict") return "conflict";
  throw error;
}

const maxBranchLength = 100;
const maxOutputLength = 300;

/** For this long after a message, a platform may report the job's former status. */
const formerStatusMs = 15_000;

/** Whether a job is completed without a pull request: the platform may add the link a moment later. */
export function lacksLink({ status, prLink }: AgentJob): boolean {
  return status?.toLowerCase() === "completed" && !prLink;
}

/**
 * Follows a job until it is completed, archived or failed; each new status becomes the output `status`. A job that is
 * completed without a pull request is polled once more.
 *
 * @param start the response to the creating request, or when an earlier run sent it (milliseconds since the epoch), if that is known
 * @param onPoll called after every poll; an error that it throws ends the waiting
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} when the platform refuses, or does not respond for too long.
 */
export async function followAgentJob(
  { platform, projectId, inputs, run }: JobRun,
  jobId: string,
  start: SubmittedJob | number | undefined,
  onPoll?: () => Promise<void>,
): Promise<AgentJob> {
  const created = typeof start === "object" ? start : undefined;
  const submittedMs = typeof start === "object" ? run.clock.now() : start;
  let wasActive = false;
  const follow = (pollAtOnce: boolean) =>
    followJob(
      {
        name: `agent job ${jobId}`,
        read: () => platform.getAgentJob(projectId, jobId),
        describe: (job) => {
          const status = job.status ?? undefined;
          return { status, line: status ?? "without a status" };
        },
        isEnded: (status) => {
          wasActive ||= !isEndedStatus(status);
          const isFresh =
            !created?.isFollowUp || wasActive || run.clock.now() - (submittedMs ?? 0) > formerStatusMs;
          return isEndedStatus(status) && isFresh;
        },
        runningStatuses: ["active", ...endedStatuses],
        submittedMs,
        pollAtOnce,
        isEmbedded: inputs.baseUrl === "local",
        deadlineMs: run.deadlineMs,
      },
      {
        ...run,
        onState: (_job, { status }) => {
          if (status !== undefined) run.setOutput("status", status);
          return onPoll?.();
        },
      },
    );
  const hasEnded = created && !created.isFollowUp && isEndedStatus(created.job.status);
  const job = hasEnded ? created.job : await follow(created === undefined);
  if (!lacksLink(job) || run.clock.now() >= run.deadlineMs) return job;
  run.log.info(`Agent job ${jobId} is completed without a pull request; polling once more.`);
  return follow(false);
}

/** Final statuses (specification §3.1). */
const endedStatuses = ["completed", "archived", "failed"];

export function isEndedStatus(status: string | null | undefined): boolean {
  return endedStatuses.some((ended) => ended === status?.toLowerCase());
}

/** Reads a job; `undefined` if it does not exist. Other failures return an empty job: the response to the message then decides. */
export async function readJob(
  jobId: string,
  { platform, projectId, run }: JobRun,
): Promise<AgentJob | undefined> {
  try {
    return await platform.getAgentJob(projectId, jobId);
  } catch (error) {
    if (!(error instanceof PlatformError) || ["unauthorized", "forbidden"].includes(error.code)) throw error;
    if (isJobGone(error)) return undefined;
    run.log.info(`The status of agent job ${jobId} could not be read: ${messageOf(error)}`);
    return {};
  }
}

/** A verified pull request of a job. */
export interface JobPullRequest {
  readonly url: string;
  readonly number?: number | undefined;
  /** The pull request, if the token can read it. */
  readonly pull?: PullRequest | undefined;
}

/** How a job ended. */
export interface JobResult {
  readonly outcome: "pull-request" | "updated" | "unchanged" | "no-pull-request" | "archived" | "failed";
  /** A failed job may have a pull request too. */
  readonly pullRequest?: JobPullRequest | undefined;
  /** Why it is `archived` or `failed`. */
  readonly error?: ActionError;
  readonly note?: string | undefined;
}

/** The result of a job as fields of its record. */
export function recordFieldsOf(
  { outcome, pullRequest, error, note }: JobResult,
  nowMs: number,
): Partial<ClaimRecord> {
  const message = error?.message ?? note;
  const pull = pullRequest?.pull;
  return {
    state: "ended",
    outcome,
    endedAt: new Date(nowMs).toISOString(),
    ...(pullRequest === undefined ? {} : { pullRequestUrl: pullRequest.url.slice(0, 500) }),
    ...(pull === undefined ? {} : { headAfter: pull.headSha, pull: PullSummary.parse(pull) }),
    ...(message === undefined ? {} : { message: shorten(message, 1000) }),
    ...(error?.code === "pull-request-mismatch" ? { isMismatch: true } : {}),
  };
}

export function jobFailed(message: string): JobFailedError {
  return new JobFailedError(message, {
    hint: "If the message gives no reason, the platform's log or dashboard may. Make a new request to start a new job. In a workflow, a re-run shows the same result.",
  });
}

/** Decides which reported pull requests are accepted. */
export interface PullRequestPolicy {
  /** Without it, a reported pull request is not looked up. */
  readonly api?: GitHubApi | undefined;
  /** `owner/name` of the repository that the agent changes, if the job does not report it. */
  readonly docsRepository?: string | undefined;
  /** GitHub's address, such as `https://github.com`. */
  readonly serverUrl: URL;
  /** Origin of the platform; a platform on this machine may serve its own pages as pull requests. */
  readonly platformOrigin: string;
}

/** Which pull requests are accepted from the project's jobs. */
export function pullRequestPolicyOf({ github, inputs, platform }: ConnectedAgentRun): PullRequestPolicy {
  const { api, context } = github;
  const { docsRepository } = inputs;
  return { api, docsRepository, serverUrl: context.serverUrl, platformOrigin: platform.origin };
}

/** The state when the request was made, for the comparison at the end. */
export interface RequestBaseline {
  /** Time of the request, ISO 8601. An older pull request is accepted only if it is `pullRequestUrl`. */
  readonly since?: string | undefined;
  /** The pull request that the request continues, and its head commit at that time. */
  readonly pullRequestUrl?: string | undefined;
  readonly headBefore?: string | undefined;
  /** The head commit when the next request was sent, if that was before this comparison: later commits are of that request. */
  readonly nextHead?: string | undefined;
}

/** The head commit of a pull request when the request after `claim` was sent to it; `undefined` if there is none yet. */
export function findNextHead(claim: StoredClaim, others: readonly StoredClaim[]): string | undefined {
  const [next] = others
    .filter((other) => {
      const { state, pullRequestUrl, headBefore } = other.record;
      const isSent = state !== "claimed" && state !== "released" && headBefore !== undefined;
      const isOnSamePull = pullRequestUrl === claim.record.pullRequestUrl && !other.isUnverifiable;
      return (
        isSent && isOnSamePull && isOtherRequest(other.record, claim.record) && isOlderClaim(claim, other)
      );
    })
    .toSorted((one, other) => (isOlderClaim(one, other) ? -1 : 1));
  return next?.record.headBefore;
}

/**
 * The outcome of an ended job. A reported pull request counts, whatever the job's status, if it belongs to the job's repository and
 * exists at GitHub. An existing pull request counts as updated only if its head commit changed.
 */
export async function resolveJobOutcome(
  jobId: string,
  job: AgentJob,
  policy: PullRequestPolicy,
  baseline: RequestBaseline = {},
): Promise<JobResult> {
  const status = job.status?.toLowerCase();
  // A platform may report a continued pull request only if the last message changed it.
  const link = job.prLink || baseline.pullRequestUrl;
  const { pullRequest, problem } = link ? await readReported(link, job, policy, baseline) : {};
  const refusal = problem && `The pull request it reports is not accepted: ${problem}.`;
  if (status === "failed") {
    const message = `Agent job ${jobId} failed${describeFailureReason(job)}`;
    return { outcome: "failed", error: jobFailed([message, refusal].filter(Boolean).join(" ")), pullRequest };
  }
  if (pullRequest !== undefined) {
    const outcome = compareHeads(pullRequest, baseline);
    const said = outcome === "unchanged" ? describeOutput(job) : undefined;
    const note = status === "archived" ? `Job ${jobId} is archived at the platform.` : said;
    return { outcome, pullRequest, note };
  }
  const isArchived = status === "archived";
  if (refusal !== undefined) {
    const message = `Agent job ${jobId} is ${isArchived ? "archived" : "completed"}. ${refusal}`;
    const error = new ActionError("pull-request-mismatch", message);
    return { outcome: isArchived ? "archived" : "failed", error };
  }
  if (!isArchived) return { outcome: "no-pull-request", note: explainMissing(job) };
  return {
    outcome: "archived",
    error: jobFailed(`Agent job ${jobId} is archived${describeFailureReason(job)}`),
  };
}

/** Why a completed job has no pull request, as far as the embedded platform says so. */
function explainMissing(job: AgentJob): string | undefined {
  // Only the branch is shown: the link may lead anywhere.
  if (job.compareLink !== undefined && job.source?.ref)
    return `Its changes are on the branch ${shorten(toOneLine(job.source.ref), maxBranchLength)}.`;
  return describeOutput(job);
}

function describeOutput({ lastOutput }: AgentJob): string | undefined {
  const line = shorten(toOneLine(lastOutput ?? ""), maxOutputLength);
  return line === "" ? undefined : `The agent's last output: ${line}`;
}

function compareHeads({ url, pull }: JobPullRequest, { pullRequestUrl, headBefore }: RequestBaseline) {
  if (headBefore === undefined || pull === undefined || url !== pullRequestUrl) return "pull-request";
  return pull.headSha === headBefore ? "unchanged" : "updated";
}

/** Reads the pull request that a reported link leads to, or returns why it is not accepted. */
async function readReported(
  reported: string,
  { source }: AgentJob,
  policy: PullRequestPolicy,
  { since, pullRequestUrl, nextHead }: RequestBaseline,
): Promise<{ readonly pullRequest?: JobPullRequest; readonly problem?: string }> {
  const link = verifyPullRequestLink(reported, source?.repository ?? undefined, policy);
  if (link.kind === "mismatch") return { problem: link.reason };
  if (link.kind === "local-page") return { pullRequest: { url: link.url } };
  const { url, number } = link;
  const found = policy.api === undefined ? "hidden" : await readPullRequest(number, policy.api, link);
  if (found === undefined) return { problem: "it does not exist at GitHub" };
  if (found === "hidden") return { pullRequest: { url, number } };
  const isOlder = since !== undefined && Date.parse(found.createdAt) < Date.parse(since) - clockToleranceMs;
  // GitHub's address: the platform may write the repository's name in another case.
  if (isOlder && found.url !== pullRequestUrl) return { problem: "it is older than the job" };
  return { pullRequest: { url: found.url, number, pull: withHead(nextHead, found) } };
}

/** A pull request as it was at an earlier head commit, as far as its commits tell; unchanged without one. */
function withHead(headSha: string | undefined, pull: PullRequest): PullRequest {
  if (headSha === undefined) return pull;
  const { commits = [] } = pull;
  return { ...pull, headSha, commits: commits.slice(0, commits.findIndex(({ sha }) => sha === headSha) + 1) };
}

/** The job's pull request, if it belongs to this repository: the action changes nothing in another one. */
export function pullInThisRepository({ pullRequest }: JobResult) {
  return pullRequest?.pull?.isInOtherRepository ? undefined : pullRequest?.pull;
}

/** A runner's clock may be this far ahead of GitHub's. */
const clockToleranceMs = 120_000;

/** The result of a job whose pull request was found by the reference of the request. */
export function resultOfFoundPull(found: PullRequest, baseline: RequestBaseline): JobResult {
  const { url, number } = found;
  const pullRequest = { url, number, pull: withHead(baseline.nextHead, found) };
  return { outcome: compareHeads(pullRequest, baseline), pullRequest };
}

/**
 * Checks that a reported link is a pull request of an allowed repository, or a page of a platform on this machine; its query and
 * fragment are dropped.
 *
 * @param source the job's `source.repository`: an address or `owner/name`
 */
export function verifyPullRequestLink(
  link: string,
  source: string | undefined,
  { api, docsRepository, serverUrl, platformOrigin }: PullRequestPolicy,
) {
  const refuse = (reason: string) => ({ kind: "mismatch", reason }) as const;
  const url = URL.parse(link);
  if (url === null) return refuse("it is not an address");
  if (url.origin === platformOrigin && isLoopback(url)) {
    return { kind: "local-page", url: `${url.origin}${url.pathname}` } as const;
  }
  if (url.protocol !== "https:" && url.protocol !== serverUrl.protocol) return refuse("it is not https");
  if (url.username !== "" || url.password !== "") return refuse("it holds a user name");
  if (url.host !== serverUrl.host) return refuse(`it is not on ${serverUrl.host}`);
  const [, owner = "", name = "", digits = ""] =
    /^\/([\w.-]+)\/([\w.-]+)\/pull\/((?!0+\/?$)\d{1,10})\/?$/.exec(url.pathname) ?? [];
  if (digits === "") return refuse("it is not the address of a pull request");
  const own = docsRepository ?? (api && `${api.repository.owner}/${api.repository.name}`);
  const allowed = [...new Set([own, repositoryOf(source, serverUrl)])].filter((each) => each !== undefined);
  const isAllowed = allowed.some((each) => each.toLowerCase() === `${owner}/${name}`.toLowerCase());
  if (!isAllowed && allowed.length > 0) {
    return refuse(`it belongs to ${owner}/${name}, not to ${allowed.join(" or ")}`);
  }
  const number = Number(digits);
  const address = `${url.origin}/${owner}/${name}/pull/${number}`;
  return { kind: "pull-request", owner, name, number, url: address } as const;
}

/** `owner/name`, an address of the server with or without its scheme, or a git address: `git@host:owner/name.git`. */
const sourceForms =
  /^(?:(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]+@)?(?<host>[\w.-]+(?::\d+)?)[/:])?(?<name>[\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;

function repositoryOf(source: string | undefined, { host, hostname }: URL): string | undefined {
  const found = sourceForms.exec(source?.trim() ?? "")?.groups;
  const sourceHost = found?.["host"]?.toLowerCase();
  const isHere = sourceHost === undefined || sourceHost === host || sourceHost === hostname;
  return isHere ? found?.["name"] : undefined;
}
