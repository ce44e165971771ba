/** The agent without a request on a thread: follows the job that `job-id` names, or runs a prompt from the command line. */
import type { ClaimRecord } from "../base/claim-record.ts";
import { InputError } from "../base/errors.ts";
import { readGitHubAddresses } from "../base/runtime.ts";
import type { AgentJob } from "../client/contract.ts";
import { checkDashboard } from "../client/errors.ts";
import {
  type AgentResult,
  type AgentRun,
  type ConnectedAgentRun,
  cannotContinue,
  createJob,
  describePrompt,
  followAgentJob,
  type JobResult,
  recordFieldsOf,
  resolveJobOutcome,
  type SubmittedJob,
  stoppedWhileSending,
} from "./agent-job.ts";
import { connectPlatform } from "./connect-platform.ts";
import { resolveResult, setPullRequestOutputs, toAgentResult } from "./follow-request.ts";
import { type AgentInputs, embeddedProject } from "./inputs.ts";
import { type Run, rethrowInterrupted, type Skip } from "./run.ts";
import { readPromptInput } from "./workspace.ts";

/** Follows the job that `job-id` names, without a request: nothing is written on a thread. */
export async function followGivenJob(jobId: string, agent: AgentRun): Promise<AgentResult> {
  const { inputs, run, github } = agent;
  if (inputs.dryRun) return describeFollowing(jobId);
  await using platform = await connectPlatform(inputs, run);
  const connected = { ...agent, platform };
  const fields = { jobId, runUrl: github.context.runUrl };
  return await followUnrecordedJob(fields, undefined, connected, (job) =>
    resolveResult(jobId, job, connected, {}),
  );
}

function describeFollowing(jobId: string): Skip {
  return { reason: "dry-run", message: `Dry run: job ${jobId} would be followed; nothing was sent.` };
}

/**
 * The command-line form of `agent`, without an event or a thread. With a prompt, starts a job or sends the prompt to the job that
 * `job-id` names; without a prompt, follows that job. A reported pull request must belong to the repository that the job reports.
 *
 * @throws {InputError} with neither a prompt nor a job.
 * @throws {InterruptedError} when cancelled, or after `timeout-minutes`; the job continues.
 */
export async function runAgentDirectly(inputs: AgentInputs, run: Run): Promise<AgentResult> {
  const { projectId = embeddedProject, jobId: given = "", docsRepository, agentCommand: command } = inputs;
  const prompt = readPromptInput(inputs, run);
  if (prompt === undefined && given === "")
    throw new InputError(["`prompt` is missing: the instruction for the agent."]);
  if (inputs.dryRun)
    return prompt === undefined ? describeFollowing(given) : describePrompt(prompt, projectId, inputs.jobId);

  const options = { agent: command ? { command } : undefined, agentRetry: "unless-sent" } as const;
  await using platform = await connectPlatform(inputs, run, options);
  const connected = { inputs, run, platform, projectId };
  const created =
    prompt === undefined
      ? undefined
      : await createJob(prompt, inputs.jobId, connected).catch((error: unknown) =>
          rethrowInterrupted(error, inputs, run, stoppedWhileSending, checkDashboard),
        );
  if (created === "busy") throw cannotContinue(given, "it is still busy");
  const jobId = created?.jobId ?? given;
  let branch: string | undefined;
  const fields = { jobId, target: projectId, request: prompt };
  const result = await followUnrecordedJob(fields, created, connected, async (job) => {
    const serverUrl = new URL(readGitHubAddresses(run.environment).serverUrl);
    const policy = { docsRepository, serverUrl, platformOrigin: platform.origin };
    const jobResult = await resolveJobOutcome(jobId, job, policy);
    const { pullRequest } = jobResult;
    if (inputs.baseUrl !== "local" || pullRequest === undefined || pullRequest.number !== undefined)
      return jobResult;
    // The embedded platform's page of the pull request is gone after the run; the branch stays.
    const { branchOf } = await import(/* webpackChunkName: "platform" */ "../server/agents/agent-jobs.ts");
    branch = branchOf(jobId);
    return { outcome: "no-pull-request" };
  });
  if (branch === undefined) return result;
  const message = `The change is on the branch \`${branch}\`; \`git diff HEAD...${branch}\` shows it.`;
  return { ...result, message, summary: `### ✅ Docs agent: changed\n\n${message}\n` };
}

/** @param created the response to the request that this run sent; otherwise, the times of the job are not known */
async function followUnrecordedJob(
  fields: Partial<ClaimRecord> & { readonly jobId: string },
  created: SubmittedJob | undefined,
  agent: Pick<ConnectedAgentRun, "inputs" | "run" | "platform" | "projectId">,
  resolve: (job: AgentJob) => Promise<JobResult>,
): Promise<AgentResult> {
  const { inputs, run } = agent;
  const { jobId } = fields;
  run.setOutput("jobId", jobId);
  const claimedAt = created ? new Date(run.clock.now()).toISOString() : "";
  const status = { command: "agent", claimedAt, ...fields } as const;
  if (!inputs.wait)
    return toAgentResult("detached", { record: { ...status, state: "working", outcome: "detached" } });
  const follow = async () => resolve(await followAgentJob(agent, jobId, created));
  const message = `Stopped waiting: agent job ${jobId} continues on the platform.`;
  const result = await follow().catch((error: unknown) => rethrowInterrupted(error, inputs, run, message));
  if (result.pullRequest) setPullRequestOutputs(result.pullRequest, run);
  const { endedAt, ...ending } = recordFieldsOf(result, run.clock.now());
  const record = { ...status, ...ending, ...(created && { endedAt }), state: "ended" } as const;
  return toAgentResult(result.outcome, { record }, result.error);
}
