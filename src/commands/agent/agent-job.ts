/** One agent job at the platform: created, or continued where the request was made on its own pull request; followed to its end. */
import type { Clock, Log } from "../../base/runtime.ts";
import { shorten } from "../../base/text.ts";
import { type AgentJob, endedAgentStatuses } from "../../client/contract.ts";
import { PlatformError } from "../../client/errors.ts";
import { followJob } from "../../client/follow-job.ts";
import type { PlatformClient } from "../../client/platform-client.ts";
import type { Origin } from "../../github/pull-requests.ts";

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

interface CreateJobDeps {
  readonly platform: Pick<PlatformClient, "createAgentJob" | "getAgentJob" | "messageAgentJob">;
  readonly log: Log;
}

/**
 * Sends the creating request, once: a message to the job behind `origin` where the platform offers that, a new job
 * otherwise.
 *
 * @throws {PlatformError} `maybeSubmitted` when the answer is lost or names no job.
 */
export async function createJob(
  { projectId, prompt, origin }: { projectId: string; prompt: string; origin: Origin | undefined },
  { platform, log }: CreateJobDeps,
): Promise<CreatedJob> {
  if (origin) {
    try {
      const job = await platform.messageAgentJob(projectId, origin.jobId, { prompt });
      return { jobId: origin.jobId, job, isFollowUp: true };
    } catch (error) {
      if (!(await isClosed(error, { projectId, jobId: origin.jobId }, platform))) throw error;
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
async function isClosed(
  refusal: unknown,
  { projectId, jobId }: { readonly projectId: string; readonly jobId: string },
  platform: Pick<PlatformClient, "getAgentJob">,
): Promise<boolean> {
  if (!(refusal instanceof PlatformError)) return false;
  if (noSuchEndpoint.includes(refusal.status ?? 0)) return true;
  if (refusal.code !== "conflict") return false;
  const job = await platform.getAgentJob(projectId, jobId);
  return job.status?.toLowerCase() === "archived";
}

const maxStatusLength = 100;

/** A platform may show a continued job's former end for a moment after the message. */
const formerEndMs = 15_000;

export interface FollowAgentJobOptions {
  readonly projectId: string;
  readonly jobId: string;
  /** The answer to the creating request, if this run sent it. */
  readonly created?: CreatedJob;
  /** Milliseconds since the epoch when an earlier run submitted it. */
  readonly submittedMs?: number;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

export interface FollowAgentJobDeps {
  readonly platform: Pick<PlatformClient, "getAgentJob">;
  readonly onStatus: (status: string | undefined) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Follows a job until it is completed, archived or failed.
 *
 * @throws {InterruptedError} `timed-out` at the deadline; the signal's reason when aborted.
 * @throws {PlatformError} when the platform refuses, or stays silent for too long.
 */
export async function followAgentJob(
  { projectId, jobId, created, deadlineMs, ...given }: FollowAgentJobOptions,
  deps: FollowAgentJobDeps,
): Promise<AgentJob> {
  const submittedMs = given.submittedMs ?? deps.clock.now();
  if (created && !created.isFollowUp && isEnded(created.job.status)) {
    deps.onStatus(created.job.status ?? undefined);
    return created.job;
  }
  let wasActive = false;
  return followJob(
    {
      name: `agent job ${jobId}`,
      read: () => deps.platform.getAgentJob(projectId, jobId),
      describe: ({ status }) => {
        const word = status == null ? undefined : oneWord(status);
        return { status: word, line: word ?? "without a status" };
      },
      isEnded: (status) => {
        wasActive ||= !isEnded(status);
        const isFresh = !created?.isFollowUp || wasActive || deps.clock.now() - submittedMs > formerEndMs;
        return isEnded(status) && isFresh;
      },
      goingStatuses: ["active", ...endedAgentStatuses],
      submittedMs,
      pollAtOnce: created === undefined,
      deadlineMs,
    },
    { ...deps, onState: (_job, { status }) => deps.onStatus(status) },
  );
}

/** A status as it is shown: on one line, and no longer than any that means something. */
function oneWord(status: string): string {
  return shorten(status.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim(), maxStatusLength);
}

function isEnded(status: string | null | undefined): boolean {
  return endedAgentStatuses.some((ended) => ended === status?.toLowerCase());
}
