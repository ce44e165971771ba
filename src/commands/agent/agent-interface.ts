/** What the agent command takes and gives. */

import type { ActionError } from "../../base/errors.ts";
import type { Clock, Log } from "../../base/runtime.ts";
import type { PlatformClient } from "../../client/platform-client.ts";
import type { ClaimStore, KnownClaim } from "../../github/claim-store.ts";
import type { Origin, PullRequest } from "../../github/pull-requests.ts";
import type { TextState } from "../../github/trigger-text.ts";
import type { RequestStatus } from "../../presentation/status-comment.ts";
import type { ClaimOwner } from "../submission/judge-claims.ts";
import type { AgentRequestOptions, AgentRequestSource } from "./prepare-agent-request.ts";

export interface AgentOptions extends AgentRequestOptions {
  readonly projectId: string;
  /** Follow this job instead of starting one. */
  readonly jobId: string | undefined;
  readonly wait: boolean;
  readonly dryRun: boolean;
  readonly onAmbiguous: "stop" | "resubmit";
  readonly maxOpenPullRequests: number | undefined;
  readonly owner: ClaimOwner;
  readonly runUrl: string;
  readonly repository: { readonly owner: string; readonly name: string; readonly id: string };
  readonly serverUrl: URL;
  /** Whether the platform ends with this run, and its jobs with it. */
  readonly isEmbedded: boolean;
  /** Origin of a platform on this machine. */
  readonly localOrigin: string | undefined;
  /** Milliseconds since the epoch when to stop waiting. */
  readonly deadlineMs: number;
}

/** What the command needs of GitHub; all but preparing is used only for permitted requests. */
export interface AgentGitHub extends AgentRequestSource {
  /** Shows that the request was seen; its failure is only worth a warning. */
  readonly acknowledge: () => Promise<void>;
  readonly compareWithLiveText: () => Promise<TextState>;
  readonly openClaims: (
    trigger: string,
  ) => Promise<{ readonly claims: ClaimStore; readonly lastWords: ClaimStore }>;
  readonly countOpenOwn: (limit: number) => Promise<number>;
  /** The job whose pull request the request was made on. */
  readonly readOrigin: () => Promise<Origin | undefined>;
  readonly findByReference: (search: { wanted: string; since: string }) => Promise<PullRequest | undefined>;
  /** Looks a pull request up; `undefined` where there is none, `hidden` where the token cannot see its repository. */
  readonly readPullRequest: (address: PullRequestAddress) => Promise<PullRequest | "hidden" | undefined>;
  /** Labels, reviewers, draft, and our introduction on the pull request; failures are warnings. */
  readonly adoptPullRequest: (pull: PullRequest, origin: Origin) => Promise<void>;
  /** Labels, reviewers and draft alone, where the job behind the pull request is not known; failures are warnings. */
  readonly decoratePullRequest: (pull: PullRequest) => Promise<void>;
}

interface PullRequestAddress {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
}

/** What becomes known while the command works; each is made an output at once. */
interface AgentObserver {
  jobKnown(jobId: string): void;
  statusSeen(status: string | undefined): void;
  pullRequestKnown(pull: { readonly url: string; readonly number: number | undefined }): void;
}

export interface AgentDeps {
  readonly platform: Pick<PlatformClient, "createAgentJob" | "getAgentJob" | "messageAgentJob">;
  readonly github: AgentGitHub;
  /** The word by which a trigger's pull request is found again. */
  readonly referenceOf: (trigger: string) => string;
  readonly observer: AgentObserver;
  /** Called with every state that is written down, and with a claim before it is: for the post step. */
  readonly onRecord: (claim: KnownClaim) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export type AgentResult =
  | {
      readonly outcome: "skipped";
      readonly reason: string;
      readonly message: string;
      readonly wouldSend?: { readonly request: string; readonly prompt: string };
    }
  | {
      readonly outcome: "pull-request" | "no-pull-request" | "failed" | "archived" | "unknown" | "detached";
      readonly status: RequestStatus;
      /** Page of the status comment. */
      readonly statusUrl: string | undefined;
      readonly error?: ActionError;
    };

/** What a command needs once its request is claimed. */
export type ClaimedDeps = AgentDeps & { readonly claims: ClaimStore; readonly lastWords: ClaimStore };
