/** What the parts of one run of the agent share. */
import type { PlatformClient } from "../client/platform-client.ts";
import type { OwnershipDeps } from "../github/comment-claims.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import { createRecordSigner, type RecordSigner } from "../github/record-signer.ts";
import { pageLink } from "../presentation/markdown.ts";
import { renderSkipped } from "../presentation/summaries.ts";
import type { PullRequestPolicy } from "./agent-job.ts";
import type { ClaimLease } from "./claim.ts";
import type { GitHubConnection, Refusal } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import type { CommandResult, Run } from "./run.ts";

/** The embedded platform has one project; of any other, the inputs name it. */
export const embeddedProject = "local";

export interface AgentRun {
  readonly inputs: AgentInputs;
  readonly run: Run;
  readonly github: GitHubConnection;
  readonly signer: RecordSigner;
  readonly projectId: string;
  readonly triggerPhrases: TriggerPhrases;
}

export interface ConnectedAgentRun extends AgentRun {
  readonly platform: PlatformClient;
}

/** The same with a trigger to act on. */
export interface ClaimedAgentRun extends ConnectedAgentRun {
  readonly lease: ClaimLease;
}

/**
 * The signer of the agent's records. The embedded platform's key lives as long as its process; there, the account that
 * wrote a record must do, unless the workflow gives a key of its own.
 */
export function createAgentSigner(apiKey: string | undefined, { context, redact }: GitHubConnection) {
  return createRecordSigner(apiKey ?? `embedded platform of repository ${context.repository.id}`, redact);
}

/** Where the pull requests of the project's jobs are accepted from. */
export function pullRequestPolicyOf({ github, inputs, platform }: ConnectedAgentRun): PullRequestPolicy {
  const { api, context } = github;
  const { docsRepository } = inputs;
  return { api, docsRepository, serverUrl: context.serverUrl, platformOrigin: platform.origin };
}

/** What telling our pull requests and comments from others takes; only for permitted requests. */
export async function ownershipOf({ github, signer }: AgentRun): Promise<OwnershipDeps> {
  return { api: github.api, signer, identity: await github.readIdentity() };
}

export type AgentResult = CommandResult<"agent">;

/** The end of a run that left a request alone. */
export function skipped({ reason, message, page }: Refusal): AgentResult {
  const summary = renderSkipped("agent", message, pageLink("The other run", page));
  return { outcome: "skipped", message, summary, skipReason: reason };
}
