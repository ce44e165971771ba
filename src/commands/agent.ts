/**
 * The agent command: an event becomes one job at the platform, and the job's pull request is linked where it was requested. This
 * module runs up to the permission check; everything else is loaded afterwards, in `agent-request.ts`.
 */
import type { GitHubEvent } from "../github/event.ts";
import { readPhrases } from "../github/may-trigger.ts";
import type { AgentResult } from "./agent-job.ts";
import { connectGitHub } from "./connect-github.ts";
import { type AgentInputs, embeddedProject } from "./inputs.ts";
import { readPermittedRequest } from "./request-from-event.ts";
import type { PostRun, Run } from "./run.ts";
import { readPromptInput } from "./workspace.ts";

/**
 * Runs the agent for an event, or follows the job that `job-id` names.
 *
 * @throws {InputError} when neither the inputs nor the event contain a request.
 * @throws {InterruptedError} when cancelled, or after `timeout-minutes`; the record then states that the job continues.
 * @throws {PlatformError} when the platform rejects the request, or can no longer be reached.
 */
export async function runAgent(inputs: AgentInputs, run: Run): Promise<AgentResult> {
  const prompt = readPromptInput(inputs, run);
  const github = connectGitHub("agent", inputs, run);
  const triggerPhrases = readPhrases("agent", inputs.triggerPhrase);
  const projectId = inputs.projectId ?? embeddedProject;
  const rollingBranch = findRollingBranch(inputs, github.event, run);
  const agent = { inputs, run, github, projectId, triggerPhrases, rollingBranch };
  if (inputs.jobId !== undefined && prompt === undefined) {
    const { followGivenJob } = await import(/* webpackChunkName: "permitted" */ "./run-agent-directly.ts");
    return followGivenJob(inputs.jobId, agent);
  }
  const options = { triggerPhrases, prompt, requestType: "job" } as const;
  const request = await readPermittedRequest(inputs, github, options, run);
  if ("reason" in request) return request;
  const { carryOutRequest } = await import(/* webpackChunkName: "permitted" */ "./agent-request.ts");
  return carryOutRequest(request, agent);
}

/** The branch (`refs/heads/…`) whose changes share a pull request; `undefined` if each request has its own. */
export function findRollingBranch(
  { pullRequestMode }: Pick<AgentInputs, "pullRequestMode">,
  event: GitHubEvent,
  { environment }: Pick<Run, "environment">,
): string | undefined {
  if (pullRequestMode !== "rolling" || event.type === "text" || event.type === "release") return undefined;
  const ref = event.type === "pull-request" ? `refs/heads/${event.base.ref}` : environment["GITHUB_REF"];
  return ref?.startsWith("refs/heads/") ? ref : undefined;
}

/** The post step: corrects the record of a request whose run was killed. */
export async function finishAgent(run: PostRun): Promise<void> {
  const { correctSavedClaim } = await import(/* webpackChunkName: "permitted" */ "./claim.ts");
  await correctSavedClaim("agent", run);
}
