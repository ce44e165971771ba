/** Finds the job that a later request of a thread continues. */
import { messageOf } from "../base/text.ts";
import type { AgentJob } from "../client/contract.ts";
import { PlatformError } from "../client/errors.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import { listOpenOwn, type Origin, type PullRequest, readOrigins } from "../github/pull-requests.ts";
import { cannotContinue, resolveJobOutcome } from "./agent-job.ts";
import { type AgentRun, type ConnectedAgentRun, ownershipOf, pullRequestPolicyOf } from "./agent-run.ts";
import type { Refusal } from "./connect-github.ts";
import { rollingBranch } from "./rolling.ts";

export interface EarlierJob {
  readonly jobId: string;
  /** Whether it still works on an earlier request. */
  readonly isBusy: boolean;
  /** Its open pull request, if the token can read it. */
  readonly pull: PullRequest | undefined;
}

/** How many jobs of a thread are checked, newest first. */
const maxCandidates = 3;

/**
 * Finds the job that a request continues: the job that `job-id` names, or the newest job of its thread that still exists, is not
 * archived, and whose pull request is not closed or merged. A failed job is continued while its pull request is open.
 *
 * @param earlier records of earlier requests in the same store, oldest first
 * @throws {PlatformError} `conflict` if the job that `job-id` names cannot be continued.
 */
export async function findEarlierJob(
  earlier: readonly StoredClaim[],
  agent: ConnectedAgentRun,
): Promise<EarlierJob | undefined> {
  if (!mayContinue(agent)) return undefined;
  const { run, inputs } = agent;
  const branch = rollingBranch(agent);
  const candidates = await listCandidates(earlier, agent);
  for (const { jobId, pullRequestUrl } of candidates.slice(0, maxCandidates)) {
    const found = await checkJob(jobId, pullRequestUrl, agent);
    if (typeof found !== "string") return found;
    if (inputs.jobId !== undefined) throw cannotContinue(jobId, found);
    run.log.info(`Agent job ${jobId} is not continued: ${found}.`);
  }
  if (branch === undefined) return undefined;
  for await (const { url, origin } of listOpenOwn(await ownershipOf(agent))) {
    if (origin?.project !== agent.projectId || origin.source !== branch) continue;
    const found = await checkJob(origin.jobId, url, agent);
    if (typeof found !== "string") return found;
  }
  return undefined;
}

/** Whether the request continues an earlier job, if there is one. */
export function mayContinue(agent: AgentRun): boolean {
  const { inputs, github } = agent;
  const isLater = github.event.type === "written" && inputs.followUp === "continue";
  return inputs.jobId !== undefined || isLater || rollingBranch(agent) !== undefined;
}

/** Refuses a request on a pull request that a job of another project opened. */
export async function refuseOtherProject(agent: AgentRun): Promise<Refusal | undefined> {
  const projects = (await listOrigins(agent)).map(({ project }) => project);
  if (projects.length === 0 || projects.includes(agent.projectId)) return undefined;
  return {
    reason: "other-project",
    message: `A job of another project (${projects[0]}) opened the pull request.`,
  };
}

/** Jobs that the request may continue, with their pull requests, newest first. */
async function listCandidates(earlier: readonly StoredClaim[], agent: AgentRun) {
  const { inputs, projectId, github } = agent;
  if (inputs.jobId !== undefined) return [{ jobId: inputs.jobId, pullRequestUrl: undefined }];
  const pullRequestUrl = github.event.type === "written" ? github.event.thread.url : undefined;
  const origins = (await listOrigins(agent)).filter(({ project }) => project === projectId);
  const recorded = earlier.filter(({ isUnverifiable }) => !isUnverifiable).map(({ record }) => record);
  const found = [...origins.map(({ jobId }) => ({ jobId, pullRequestUrl })), ...recorded].reverse();
  return [...Map.groupBy(found, ({ jobId }) => jobId)].flatMap(([jobId, ofJob]) => {
    const { pullRequestUrl } = ofJob.find((each) => each.pullRequestUrl !== undefined) ?? {};
    return jobId === undefined ? [] : { jobId, pullRequestUrl };
  });
}

/** The jobs that the action's own comments on the pull request name. */
async function listOrigins(agent: AgentRun): Promise<Origin[]> {
  const { event, listComments } = agent.github;
  if (event.type !== "written" || event.thread.kind !== "pull-request") return [];
  const { comments } = await listComments();
  const origins = readOrigins(comments, event.thread.number, await ownershipOf(agent));
  return origins.map(({ origin }) => origin);
}

/** Returns the job, or why it cannot be continued. */
async function checkJob(
  jobId: string,
  pullRequestUrl: string | undefined,
  agent: ConnectedAgentRun,
): Promise<EarlierJob | string> {
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

/** Reads a job; `undefined` if it does not exist. Other failures return an empty job: the response to the message then decides. */
export async function readJob(
  jobId: string,
  { projectId, run, platform }: Pick<ConnectedAgentRun, "projectId" | "run" | "platform">,
): Promise<AgentJob | undefined> {
  try {
    return await platform.getAgentJob(projectId, jobId);
  } catch (error) {
    if (!(error instanceof PlatformError) || ["unauthorized", "forbidden"].includes(error.code)) throw error;
    if (error.code === "not-found") return undefined;
    run.log.info(`The status of agent job ${jobId} could not be read: ${messageOf(error)}`);
    return {};
  }
}
