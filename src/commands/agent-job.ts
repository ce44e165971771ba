/** One agent job at the platform: created, or continued with a message; followed to its end; its pull request verified. */
import { ActionError, JobFailedError } from "../base/errors.ts";
import { isLoopback } from "../base/network.ts";
import type { Log } from "../base/runtime.ts";
import { shorten, withStop } from "../base/text.ts";
import { type AgentJob, endedAgentStatuses } from "../client/contract.ts";
import { readReason } from "../client/error-message.ts";
import { PlatformError } from "../client/errors.ts";
import { followJob } from "../client/follow-job.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import type { ClaimRecord } from "../github/claim-store.ts";
import type { GitHubApi } from "../github/github-api.ts";
import {
  type ListedPullRequest,
  type Origin,
  type PullRequest,
  readPullRequest,
  summarizePull,
} from "../github/pull-requests.ts";
import { createRecordSigner } from "../github/record-signer.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { Run } from "./run.ts";

export type AgentPlatform = Pick<PlatformClient, "createAgentJob" | "getAgentJob" | "messageAgentJob">;

/**
 * The signer of the agent's records. The embedded platform's key lives as long as its process; there, the account that
 * wrote a record must do.
 */
export function createAgentSigner(apiKey: string | undefined, { context, redact }: GitHubConnection) {
  return createRecordSigner(apiKey ?? `embedded platform of repository ${context.repository.id}`, redact);
}

export interface CreatedJob {
  readonly jobId: string;
  /** The platform's answer. */
  readonly job: AgentJob;
  /** True where an existing job was given more to do: its old end must not be taken for the new one. */
  readonly isFollowUp: boolean;
}

/** Longer identifiers would not fit into a record. */
const maxJobIdLength = 500;

/** The platform's ways to say that it has no messages to jobs. */
const noSuchEndpoint = [404, 405, 410];

/**
 * Sends the creating request, once: a message to the job behind `origin` where the platform offers that, a new job
 * otherwise.
 *
 * @throws {PlatformError} `maybeSubmitted` when the answer is lost or names no job.
 */
export async function createJob(
  platform: AgentPlatform,
  { projectId, prompt, origin }: { projectId: string; prompt: string; origin: Origin | undefined },
  log: Log,
): Promise<CreatedJob> {
  if (origin) {
    try {
      const job = await platform.messageAgentJob(projectId, origin.jobId, { prompt });
      return { jobId: origin.jobId, job, isFollowUp: true };
    } catch (error) {
      if (!(await takesNoMessages(error, () => platform.getAgentJob(projectId, origin.jobId)))) throw error;
      log.info(`Job ${origin.jobId} takes no further messages; starting a new one.`);
    }
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

/** Whether a refused message means that the job takes none: the platform has no messages, or the job is archived. */
async function takesNoMessages(refusal: unknown, readJob: () => Promise<AgentJob>): Promise<boolean> {
  if (!(refusal instanceof PlatformError)) return false;
  if (noSuchEndpoint.includes(refusal.status ?? 0)) return true;
  return refusal.code === "conflict" && (await readJob()).status?.toLowerCase() === "archived";
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
  start: CreatedJob | number,
  run: Pick<Run, "clock" | "random" | "log" | "signal" | "deadlineMs" | "setOutput">,
): Promise<AgentJob> {
  const created = typeof start === "number" ? undefined : start;
  const submittedMs = typeof start === "number" ? start : run.clock.now();
  if (created && !created.isFollowUp && isEndedStatus(created.job.status)) {
    run.setOutput("status", created.job.status ?? "");
    if (!lacksLink(created.job)) return created.job;
  }
  let wasActive = false;
  let answersWithoutLink = created && !created.isFollowUp && lacksLink(created.job) ? 1 : 0;
  return followJob(
    {
      name: `agent job ${jobId}`,
      read: () => platform.getAgentJob(projectId, jobId),
      describe: (job) => {
        answersWithoutLink = lacksLink(job) ? answersWithoutLink + 1 : 0;
        const word = job.status == null ? undefined : toOneLine(job.status);
        const isPolledAgain = answersWithoutLink === 1 && run.clock.now() < run.deadlineMs;
        return {
          status: word,
          line: `${word ?? "without a status"}${isPolledAgain ? ", no pull request yet" : ""}`,
        };
      },
      isEnded: (status) => {
        wasActive ||= !isEndedStatus(status);
        const isFresh = !created?.isFollowUp || wasActive || run.clock.now() - submittedMs > formerEndMs;
        const isSettled = answersWithoutLink !== 1 || run.clock.now() >= run.deadlineMs;
        return isEndedStatus(status) && isFresh && isSettled;
      },
      goingStatuses: ["active", ...endedAgentStatuses],
      submittedMs,
      pollAtOnce: created === undefined,
      deadlineMs: run.deadlineMs,
    },
    {
      ...run,
      onState: (_job, { status }) => {
        if (status !== undefined) run.setOutput("status", status);
      },
    },
  );
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
  /** The pull request, where it is one of this repository that the token can see. */
  readonly pull?: PullRequest | ListedPullRequest | undefined;
}

/** How a job ended, before it is written down. */
export interface JobEnd {
  readonly outcome: "pull-request" | "no-pull-request" | "archived" | "failed";
  /** A job that failed may have opened one before. */
  readonly pullRequest?: JobPullRequest | undefined;
  /** Why it is `archived` or `failed`. */
  readonly error?: ActionError;
  /** What the outcome does not say. */
  readonly note?: string;
}

/** An end as it is written down. */
export function recordOf({ outcome, pullRequest, error, note }: JobEnd): Partial<ClaimRecord> {
  const message = error?.message ?? note;
  const pull = pullRequest?.pull;
  return {
    state: "ended",
    outcome,
    ...(pullRequest === undefined ? {} : { pullRequestUrl: pullRequest.url.slice(0, 500) }),
    ...(pull && "files" in pull ? { pull: summarizePull(pull) } : {}),
    ...(message === undefined ? {} : { message: shorten(message, 1000) }),
  };
}

export function jobFailed(message: string): JobFailedError {
  return new JobFailedError(message, {
    hint: "The platform's dashboard may say more. Ask again to start a new job; a re-run shows the same end.",
  });
}

/** Where the pull requests of a project's jobs are accepted from. */
export interface JobHome {
  readonly api: GitHubApi;
  /** GitHub's address, such as `https://github.com`. */
  readonly serverUrl: URL;
  /** Origin of the platform; on this machine it may serve pull requests as pages of its own. */
  readonly platformOrigin: string;
}

/**
 * The outcome of an ended job. A reported pull request counts, whatever the job's status, if it is one of the job's
 * repository and GitHub knows it.
 */
export async function resolveJobOutcome(jobId: string, job: AgentJob, home: JobHome): Promise<JobEnd> {
  const status = job.status?.toLowerCase();
  const { pullRequest, problem } = job.prLink ? await readReported(job.prLink, job, home) : {};
  const refusal = problem && `The pull request it reports is not accepted: ${problem}.`;
  if (status === "failed") {
    const said = `Agent job ${jobId} failed${quoteReason(job)}`;
    return { outcome: "failed", error: jobFailed([said, refusal].filter(Boolean).join(" ")), pullRequest };
  }
  if (pullRequest !== undefined) {
    const note = status === "archived" ? { note: `Job ${jobId} is archived at the platform.` } : {};
    return { outcome: "pull-request", pullRequest, ...note };
  }
  const isArchived = status === "archived";
  if (refusal !== undefined) {
    const message = `Agent job ${jobId} is ${isArchived ? "archived" : "completed"}. ${refusal}`;
    const error = new ActionError("pull-request-mismatch", message);
    return { outcome: isArchived ? "archived" : "failed", error };
  }
  if (!isArchived) return { outcome: "no-pull-request" };
  return { outcome: "archived", error: jobFailed(`Agent job ${jobId} is archived${quoteReason(job)}`) };
}

function quoteReason(job: AgentJob): string {
  const reason = readReason(job);
  return reason === undefined ? "; the platform gives no reason." : `: ${withStop(reason)}`;
}

/** The pull request behind a reported link, or why it is not accepted. */
async function readReported(
  reported: string,
  { source }: AgentJob,
  home: JobHome,
): Promise<{ readonly pullRequest?: JobPullRequest; readonly problem?: string }> {
  const link = verifyPullRequestLink(reported, source?.repository ?? undefined, home);
  if (link.kind === "mismatch") return { problem: link.reason };
  if (link.kind === "local-page") return { pullRequest: { url: link.url } };
  const { url, number } = link;
  const { owner, name } = home.api.repository;
  const isHome = `${link.owner}/${link.name}`.toLowerCase() === `${owner}/${name}`.toLowerCase();
  if (!isHome) return { pullRequest: { url, number } };
  const found = await readPullRequest(number, home.api);
  if (found === undefined) return { problem: "GitHub knows no such pull request" };
  return { pullRequest: { url, number, pull: found === "hidden" ? undefined : found } };
}

/** The end of a job whose pull request was found by the request's reference. */
export function foundEnd(pull: ListedPullRequest): JobEnd {
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
  { api: { repository }, serverUrl, platformOrigin }: JobHome,
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
  const allowed = [`${repository.owner}/${repository.name}`, repositoryOf(source, serverUrl)];
  const isAllowed = allowed.some((each) => each?.toLowerCase() === `${owner}/${name}`.toLowerCase());
  if (!isAllowed) return refuse("it belongs to another repository than the job");
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
