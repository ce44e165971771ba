/** The objects that the modules of one `agent` run share. */
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

/** The only project of the embedded platform. */
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

/** A connected run with the lease of its trigger. */
export interface ClaimedAgentRun extends ConnectedAgentRun {
  readonly lease: ClaimLease;
}

/**
 * The signer of the agent's records. The embedded platform creates a new key for each run, so without an `api-key` a fixed
 * string takes its place, and only the account that wrote a record proves where it is from.
 */
export function createAgentSigner(apiKey: string | undefined, { context, redact }: GitHubConnection) {
  return createRecordSigner(apiKey ?? `embedded platform of repository ${context.repository.id}`, redact);
}

/** Which pull requests are accepted from the project's jobs. */
export function pullRequestPolicyOf({ github, inputs, platform }: ConnectedAgentRun): PullRequestPolicy {
  const { api, context } = github;
  const { docsRepository } = inputs;
  return { api, docsRepository, serverUrl: context.serverUrl, platformOrigin: platform.origin };
}

/** What distinguishes the action's own pull requests and comments; reads the token's account, so only for permitted requests. */
export async function ownershipOf({ github, signer }: AgentRun): Promise<OwnershipDeps> {
  return { api: github.api, signer, identity: await github.readIdentity() };
}

export type AgentResult = CommandResult<"agent">;

/** The result of a run that does not send the request. */
export function skipped({ reason, message, page }: Refusal): AgentResult {
  const summary = renderSkipped("agent", message, pageLink("The other run", page));
  return { outcome: "skipped", message, summary, skipReason: reason };
}
