/** What the parts of one run of the agent share. */
import type { PlatformClient } from "../client/platform-client.ts";
import type { OwnershipDeps } from "../github/comment-claims.ts";
import type { GitHubApi } from "../github/github-api.ts";
import type { TriggerPhrases } from "../github/may-trigger.ts";
import type { RecordSigner } from "../github/record-signer.ts";
import type { JobHome } from "./agent-job.ts";
import type { ClaimLease } from "./claim.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { AgentInputs } from "./inputs.ts";
import type { Run } from "./run.ts";

export interface Agent {
  readonly inputs: AgentInputs;
  readonly run: Run;
  readonly github: GitHubConnection;
  readonly signer: RecordSigner;
  readonly projectId: string;
  readonly triggerPhrases: TriggerPhrases;
}

/** The same once there is a platform, and a trigger to act on. */
export interface ClaimingAgent extends Agent {
  readonly platform: PlatformClient;
  readonly lease: ClaimLease;
}

/** Where the pull requests of the project's jobs are accepted from. */
export function homeOf(
  { github, inputs }: Agent,
  { origin }: { readonly origin: string },
): JobHome & { readonly api: GitHubApi } {
  const { api, context } = github;
  const { docsRepository } = inputs;
  return { api, docsRepository, serverUrl: context.serverUrl, platformOrigin: origin };
}

/** What telling our pull requests and comments from others takes; only for permitted requests. */
export async function ownershipOf({ github, signer }: Agent): Promise<OwnershipDeps> {
  return { api: github.api, signer, identity: await github.readIdentity() };
}
