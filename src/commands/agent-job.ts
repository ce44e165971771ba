/** One agent job at the platform: created, or continued with a message; followed to its end; its pull request verified. */

import { type ClaimRecord, PullSummary } from "../base/claim-record.ts";
import { ActionError, JobFailedError } from "../base/errors.ts";
import { isLoopback } from "../base/network.ts";
import type { Log } from "../base/runtime.ts";
import { shorten } from "../base/text.ts";
import type { AgentJob } from "../client/contract.ts";
import { describeFailureReason } from "../client/error-message.ts";
import { PlatformError } from "../client/errors.ts";
import { followJob } from "../client/follow-job.ts";
import { endedAgentStatuses } from "../client/job-fields.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import type { GitHubApi } from "../github/github-api.ts";
import { type PullRequest, readPullRequest } from "../github/pull-requests.ts";
import type { Run } from "./run.ts";

export type AgentPlatform = Pick<PlatformClient, "createAgentJob" | "getAgentJob" | "messageAgentJob">;

export interface SubmittedJob {
  readonly jobId: string;
  readonly job: AgentJob;
  /** True where an existing job was given more to do: its old end must not be taken for the new one. */
  readonly isFollowUp: boolean;
}

/** Longer identifiers would not fit into a record. */
const maxJobIdLength = 500;

/** The platform's ways to say that it has no messages to jobs. */
const noSuchEndpoint = [404, 405, 410];

interface JobRequest {
  readonly projectId: string;
  readonly prompt: string;
  readonly earlierJobId: string | undefined;
  /** Whether that job was named: no other takes its place. */
  readonly mustContinue: boolean;
}

/** The error of a named job that takes no message; nothing was sent. */
export function cannotContinue(jobId: string, reason: string): PlatformError {
  const hint = "Nothing was sent. Leave `job-id` out to start a new job.";
  return new PlatformError("conflict", `Agent job ${jobId} cannot be continued: ${reason}.`, { hint });
}

/**
 * Sends the creating request, once: a message to an earlier job where the platform offers that, a new job otherwise.
 *
 * @returns `busy` where the earlier job works on another request.
 * @throws {PlatformError} `maybeSubmitted` when the answer is lost or names no job.
 */
export async function createJob(
  platform: AgentPlatform,
  { projectId, prompt, earlierJobId, mustContinue }: JobRequest,
  log: Log,
): Promise<SubmittedJob | "busy"> {
  if (earlierJobId !== undefined) {
    const answer = await sendMessage(platform, { projectId, jobId: earlierJobId, prompt });
    if (answer === "busy") return answer;
    if (answer !== "refused") {
      log.info(`Agent job ${earlierJobId} has got the request as a message.`);
      return { jobId: earlierJobId, job: answer, isFollowUp: true };
    }
    if (mustContinue) throw cannotContinue(earlierJobId, "it takes no further messages");
    log.info(`Job ${earlierJobId} takes no further messages; starting a new one.`);
  }
  const job = await platform.createAgentJob(projectId, { prompt });
  if (job.id && job.id.length <= maxJobIdLength) {
    log.info(`Agent job ${job.id} is created.`);
    return { jobId: job.id, job, isFollowUp: false };
  }
  throw new PlatformError(
    "unexpected-response",
    "The platform took the request, but its answer names no job. The job may run; it is not started again.",
    { maybeSubmitted: true },
  );
}

/**
 * Sends a message to a job. A job that is `busy` takes it later; one that has refused it takes none: the platform has no
 * messages, or the job has ended for good.
 */
async function sendMessage(
  platform: AgentPlatform,
  { projectId, jobId, prompt }: { projectId: string; jobId: string; prompt: string },
): Promise<AgentJob | "busy" | "refused"> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await platform
      .messageAgentJob(projectId, jobId, { prompt })
      .catch((error: unknown) => classifyRefusal(error));
    if (answer !== "conflict") return answer;
    const { status } = await platform.getAgentJob(projectId, jobId);
    if (!isEndedStatus(status)) return "busy";
    // It may have ended just now: only a job that refuses a message when it is idle takes none.
    if (status?.toLowerCase() === "archived" || attempt === 2) return "refused";
  }
}

/** @throws what says neither that a job is busy nor that it takes no messages. */
function classifyRefusal(error: unknown): "conflict" | "refused" {
  if (!(error instanceof PlatformError)) throw error;
  if (noSuchEndpoint.includes(error.status ?? 0)) return "refused";
  if (error.code !== "conflict") throw error;
  return "conflict";
}

const maxStatusLength = 100;

/** A platform may show a continued job's former end for a moment after the message. */
const formerEndMs = 15_000;

/** Whether a job is completed and names no pull request: it may name one a moment later. */
export function lacksLink({ status, prLink }: AgentJob): boolean {
  return status?.toLowerCase() === "completed" && !prLink;
}

/**
 * Follows a job until it is completed, archived or failed; each new status becomes the output `status`. A job that is
 * completed without a pull request is polled once more.
 *
 * @param start the answer to the creating request, or when an earlier run sent it (milliseconds since the epoch)
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} when the platform refuses, or stays silent for too long.
 */
export async function followAgentJob(
  platform: Pick<AgentPlatform, "getAgentJob">,
  { projectId, jobId }: { readonly projectId: string; readonly jobId: string },
  start: SubmittedJob | number,
  run: Pick<Run, "clock" | "random" | "log" | "signal" | "deadlineMs" | "setOutput"> & {
    /** Called with every answer; what it throws ends the waiting. */
    readonly onPoll?: (() => Promise<void>) | undefined;
  },
): Promise<AgentJob> {
  const created = typeof start === "number" ? undefined : start;
  const submittedMs = typeof start === "number" ? start : run.clock.now();
  let wasActive = false;
  const follow = (pollAtOnce: boolean) =>
    followJob(
      {
        name: `agent job ${jobId}`,
        read: () => platform.getAgentJob(projectId, jobId),
        describe: (job) => {
          const word = job.status == null ? undefined : toOneLine(job.status);
          return { status: word, line: word ?? "without a status" };
        },
        isEnded: (status) => {
          wasActive ||= !isEndedStatus(status);
          const isFresh = !created?.isFollowUp || wasActive || run.clock.now() - submittedMs > formerEndMs;
          return isEndedStatus(status) && isFresh;
        },
        runningStatuses: ["active", ...endedAgentStatuses],
        submittedMs,
        pollAtOnce,
        deadlineMs: run.deadlineMs,
      },
      {
        ...run,
        onState: (_job, { status }) => {
          if (status !== undefined) run.setOutput("status", status);
          return run.onPoll?.();
        },
      },
    );
  const hasEnded = created && !created.isFollowUp && isEndedStatus(created.job.status);
  if (hasEnded) run.setOutput("status", created.job.status ?? "");
  const job = hasEnded ? created.job : await follow(created === undefined);
  if (!lacksLink(job) || run.clock.now() >= run.deadlineMs) return job;
  run.log.info(`Agent job ${jobId} is completed, and names no pull request yet; polling once more.`);
  return follow(false);
}

/** A status as it is shown: on one line, and no longer than any that means something. */
function toOneLine(status: string): string {
  return shorten(status.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim(), maxStatusLength);
}

export function isEndedStatus(status: string | null | undefined): boolean {
  return endedAgentStatuses.some((ended) => ended === status?.toLowerCase());
}

/** How long a "not found" that is not in the API's own words is taken for a wrong address and not for a lost job. */
const believeProxyAfterMs = 24 * 60 * 60_000;

/** Whether a failed poll says that there is no such job any more; `ageMs` is the time since its record last changed. */
export function isJobGone(error: unknown, ageMs: number): boolean {
  const isNotFound = error instanceof PlatformError && error.code === "not-found";
  return isNotFound && (error.isFromApi || ageMs >= believeProxyAfterMs);
}

/** A verified pull request of a job. */
export interface JobPullRequest {
  readonly url: string;
  readonly number?: number | undefined;
  /** The pull request, where the token can see it. */
  readonly pull?: PullRequest | undefined;
  /** Whether it is one of another repository. */
  readonly isInOtherRepository?: boolean;
}

/** How a job ended, before it is written down. */
export interface JobResult {
  readonly outcome: "pull-request" | "updated" | "unchanged" | "no-pull-request" | "archived" | "failed";
  /** A job that failed may have opened one before. */
  readonly pullRequest?: JobPullRequest | undefined;
  /** Why it is `archived` or `failed`. */
  readonly error?: ActionError;
  /** What the outcome does not say. */
  readonly note?: string;
}

/** An end as it is written down. */
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
  };
}

export function jobFailed(message: string): JobFailedError {
  return new JobFailedError(message, {
    hint: "The platform's log or dashboard may say more. Ask again to start a new job; a re-run shows the same end.",
  });
}

/** Where the pull requests of a project's jobs are accepted from. */
export interface PullRequestPolicy {
  /** Without it, what a job reports is not looked up. */
  readonly api?: GitHubApi | undefined;
  /** `owner/name` of the repository that the agent changes, where a job does not say it. */
  readonly docsRepository?: string | undefined;
  /** GitHub's address, such as `https://github.com`. */
  readonly serverUrl: URL;
  /** Origin of the platform; on this machine it may serve pull requests as pages of its own. */
  readonly platformOrigin: string;
}

/** What was known when a request was made. */
export interface RequestBaseline {
  /** Time of the request, ISO 8601: a pull request that is older and not `pullRequestUrl` is none of the job's. */
  readonly since?: string | undefined;
  /** The pull request that the request continues, and its head commit then. */
  readonly pullRequestUrl?: string | undefined;
  readonly headBefore?: string | undefined;
}

/**
 * The outcome of an ended job. A reported pull request counts, whatever the job's status, if it is one of the job's
 * repository and GitHub knows it; one that was there before counts as updated only if its head has moved.
 */
export async function resolveJobOutcome(
  jobId: string,
  job: AgentJob,
  home: PullRequestPolicy,
  before: RequestBaseline = {},
): Promise<JobResult> {
  const status = job.status?.toLowerCase();
  // A platform may report a pull request only where the last request changed it.
  const link = job.prLink || before.pullRequestUrl;
  const { pullRequest, problem } = link ? await readReported(link, job, home, before) : {};
  const refusal = problem && `The pull request it reports is not accepted: ${problem}.`;
  if (status === "failed") {
    const said = `Agent job ${jobId} failed${describeFailureReason(job)}`;
    return { outcome: "failed", error: jobFailed([said, refusal].filter(Boolean).join(" ")), pullRequest };
  }
  if (pullRequest !== undefined) {
    const note = status === "archived" ? { note: `Job ${jobId} is archived at the platform.` } : {};
    return { outcome: compareHeads(pullRequest, before), pullRequest, ...note };
  }
  const isArchived = status === "archived";
  if (refusal !== undefined) {
    const message = `Agent job ${jobId} is ${isArchived ? "archived" : "completed"}. ${refusal}`;
    const error = new ActionError("pull-request-mismatch", message);
    return { outcome: isArchived ? "archived" : "failed", error };
  }
  // The branch alone: the link may lead anywhere.
  const pushed = job.compareLink && job.source?.ref;
  const note = pushed ? { note: `Its changes are on the branch ${toOneLine(pushed)}.` } : {};
  if (!isArchived) return { outcome: "no-pull-request", ...note };
  return {
    outcome: "archived",
    error: jobFailed(`Agent job ${jobId} is archived${describeFailureReason(job)}`),
  };
}

function compareHeads({ url, pull }: JobPullRequest, { pullRequestUrl, headBefore }: RequestBaseline) {
  if (headBefore === undefined || pull === undefined || url !== pullRequestUrl) return "pull-request";
  return pull.headSha === headBefore ? "unchanged" : "updated";
}

/** The pull request behind a reported link, or why it is not accepted. */
async function readReported(
  reported: string,
  { source }: AgentJob,
  home: PullRequestPolicy,
  { since, pullRequestUrl }: RequestBaseline,
): Promise<{ readonly pullRequest?: JobPullRequest; readonly problem?: string }> {
  const link = verifyPullRequestLink(reported, source?.repository ?? undefined, home);
  if (link.kind === "mismatch") return { problem: link.reason };
  if (link.kind === "local-page") return { pullRequest: { url: link.url } };
  const { url, number } = link;
  const found = home.api === undefined ? "hidden" : await readPullRequest(number, home.api, link);
  if (found === undefined) return { problem: "GitHub knows no such pull request" };
  if (found === "hidden") return { pullRequest: { url, number } };
  const sinceMs = since === undefined ? 0 : Date.parse(since) - toleranceMs;
  const isOlder = Date.parse(found.createdAt) < sinceMs;
  if (isOlder && url !== pullRequestUrl) return { problem: "it was there before the job" };
  const isInOtherRepository = `${link.owner}/${link.name}`.toLowerCase() !== slugOf(home.api)?.toLowerCase();
  return { pullRequest: { url, number, pull: found, isInOtherRepository } };
}

/** `owner/name`. */
function slugOf(api: GitHubApi | undefined): string | undefined {
  return api && `${api.repository.owner}/${api.repository.name}`;
}

/** The pull request of a job, where it is one of this repository: in another one, the action changes nothing. */
export function pullInThisRepository({ pullRequest }: JobResult) {
  return pullRequest?.isInOtherRepository ? undefined : pullRequest?.pull;
}

/** How far a runner's clock may be ahead of GitHub's. */
const toleranceMs = 120_000;

/** The end of a job whose pull request was found by the request's reference. */
export function resultOfFoundPull(pull: PullRequest): JobResult {
  return { outcome: "pull-request", pullRequest: { url: pull.url, number: pull.number, pull } };
}

type PullRequestLink =
  | { kind: "pull-request"; owner: string; name: string; number: number; url: string }
  /** A page of a platform on this machine. */
  | { kind: "local-page"; url: string }
  | { kind: "mismatch"; reason: string };

/**
 * Whether a reported link is a pull request of the right repository; its query and fragment are dropped.
 *
 * @param source the job's `source.repository`: an address or `owner/name`
 */
export function verifyPullRequestLink(
  link: string,
  source: string | undefined,
  { api, docsRepository, serverUrl, platformOrigin }: PullRequestPolicy,
): PullRequestLink {
  const refuse = (reason: string): PullRequestLink => ({ kind: "mismatch", reason });
  const url = URL.parse(link);
  if (url === null) return refuse("it is not an address");
  if (url.origin === platformOrigin && isLoopback(url)) {
    return { kind: "local-page", url: `${url.origin}${url.pathname}` };
  }
  if (url.protocol !== "https:" && url.protocol !== serverUrl.protocol) return refuse("it is not https");
  if (url.username !== "" || url.password !== "") return refuse("it holds a user name");
  if (url.host !== serverUrl.host) return refuse(`it is not on ${serverUrl.host}`);
  const [, owner = "", name = "", digits = ""] =
    /^\/([\w.-]+)\/([\w.-]+)\/pull\/((?!0+\/?$)\d{1,10})\/?$/.exec(url.pathname) ?? [];
  if (digits === "") return refuse("it is not the address of a pull request");
  const own = docsRepository ?? slugOf(api);
  const allowed = [own, repositoryOf(source, serverUrl)].filter((each) => each !== undefined);
  const isAllowed = allowed.some((each) => each.toLowerCase() === `${owner}/${name}`.toLowerCase());
  if (!isAllowed && allowed.length > 0) return refuse("it belongs to another repository than the job");
  const number = Number(digits);
  return { kind: "pull-request", owner, name, number, url: `${url.origin}/${owner}/${name}/pull/${number}` };
}

/** `owner/name`, an address of the server with or without its scheme, or one that git takes: `git@host:owner/name.git`. */
const sourceForms =
  /^(?:(?:(?:https?|ssh|git):\/\/)?(?:[^@/\s]+@)?(?<host>[\w.-]+(?::\d+)?)[/:])?(?<name>[\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/i;

function repositoryOf(source: string | undefined, { host, hostname }: URL): string | undefined {
  const found = sourceForms.exec(source?.trim() ?? "")?.groups;
  const sourceHost = found?.["host"]?.toLowerCase();
  const isHere = sourceHost === undefined || sourceHost === host || sourceHost === hostname;
  return isHere ? found?.["name"] : undefined;
}
