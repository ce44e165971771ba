/** The objects that the modules of one `agent` run share. */
import type { PlatformClient } from "../client/platform-client.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import type { PullRequestPolicy } from "./agent-job.ts";
import type { ClaimLease } from "./claim-lease.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import { type CommandResult, describeDryRun, type Run, type Skip } from "./run.ts";

/** The only project of the embedded platform. */
export const embeddedProject = "local";

export interface AgentRun {
  readonly inputs: AgentInputs;
  readonly run: Run;
  readonly github: GitHubConnection;
  readonly projectId: string;
  readonly triggerPhrases: TriggerPhrases;
}

export interface ConnectedAgentRun extends AgentRun {
  readonly platform: PlatformClient;
}

/** A connected run with the lease of its trigger. */
export interface ClaimedAgentRun extends ConnectedAgentRun {
  readonly lease: ClaimLease;
}

/**
 * The key that signs the agent's records. The embedded platform creates a new key for each run, so without an `api-key` a fixed
 * string takes its place, and only the account that wrote a record proves where it is from.
 */
export function agentSigningKey(apiKey: string | undefined) {
  return (repositoryId: string) => apiKey ?? `embedded platform of repository ${repositoryId}`;
}

/** Which pull requests are accepted from the project's jobs. */
export function pullRequestPolicyOf({ github, inputs, platform }: ConnectedAgentRun): PullRequestPolicy {
  const { api, context } = github;
  const { docsRepository } = inputs;
  return { api, docsRepository, serverUrl: context.serverUrl, platformOrigin: platform.origin };
}

export type AgentResult = CommandResult<"agent"> | Skip;

/** A dry run: the request that would carry the prompt, to a new job or to the one that `job-id` names. */
export function describePrompt(prompt: string, { projectId = embeddedProject, jobId }: AgentInputs): Skip {
  const jobs = `/v2/agent/${encodeURIComponent(projectId)}/job`;
  const path = jobId === undefined ? jobs : `${jobs}/${encodeURIComponent(jobId)}/message`;
  return describeDryRun("agent", `POST ${path}`, prompt);
}
