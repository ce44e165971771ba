/** The agent command: request → claim → job → pull request, exactly once. */
import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { ActionError } from "../errors.ts";
import { type ClaimRecord, triggerKey } from "../github/claim-record.ts";
import type { ClaimStore, StoredClaim } from "../github/claim-store.ts";
import type { TextState } from "../github/live-text.ts";
import type { Origin, PullRequest } from "../github/pull-requests.ts";
import type { Log } from "../log.ts";
import type { PlatformClient } from "../platform/client.ts";
import type { RequestStatus } from "../presentation/status-comment.ts";
import { type CreatedJob, createJob } from "./agent-job.ts";
import { concludeLost, concludeRecorded } from "./conclude-agent.ts";
import { followClaimed, followGivenJob } from "./follow-claimed.ts";
import type { ClaimOwner } from "./judge-claims.ts";
import {
  type AgentRequestOptions,
  type AgentRequestSource,
  finishPrompt,
  type PreparedRequest,
  prepareAgentRequest,
} from "./prepare-agent-request.ts";
import { type Objection, type Submission, submitOnce } from "./submit-once.ts";

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
}

export interface PullRequestAddress {
  readonly owner: string;
  readonly name: string;
  readonly number: number;
}

/** What becomes known while the command works; each is made an output at once. */
export interface AgentObserver {
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
  /** Called with every state that is written down, for the post step. */
  readonly onRecord: (claim: StoredClaim) => void;
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

/**
 * Runs the agent for an event, or follows an existing job.
 *
 * @throws {InterruptedError} when cancelled or out of time; the record then says that the job goes on.
 * @throws {PlatformError} when the platform turned the request away, or cannot be read any more.
 */
export async function runAgent(options: AgentOptions, deps: AgentDeps): Promise<AgentResult> {
  if (options.jobId !== undefined) return followGivenJob(options.jobId, options, deps);
  const prepared = await prepareAgentRequest(options, deps.github);
  if (prepared.kind === "skip") return { outcome: "skipped", ...pick(prepared) };
  const trigger = identify(prepared, options);
  const nonce = randomBytes(12).toString("hex");
  const { prompt, notes } = finishPrompt(prepared, { nonce, reference: deps.referenceOf(trigger) });
  if (options.dryRun) return showRequest(options.projectId, prompt);
  const origin = await readOrigin(options, deps);
  const { claims, lastWords } = await deps.github.openClaims(trigger);
  const submission = await submitOnce(
    {
      owner: options.owner,
      draft: draftRecord({ prepared, trigger, notes }, options),
      onAmbiguous: options.onAmbiguous,
      deadlineMs: options.deadlineMs,
    },
    {
      ...deps,
      claims,
      lastWords,
      onFree: () => acknowledge(deps),
      objection: () => objectTo(prepared, options, deps),
      async submit() {
        const job = await createJob({ projectId: options.projectId, prompt, origin }, deps);
        return { jobId: job.jobId, job };
      },
    },
  );
  return concludeSubmission(submission, options, { ...deps, claims, lastWords });
}

function pick({ reason, message }: { reason: string; message: string }) {
  return { reason, message };
}

function showRequest(projectId: string, prompt: string): AgentResult {
  const wouldSend = { request: `POST /v2/agent/${encodeURIComponent(projectId)}/job`, prompt };
  return { outcome: "skipped", reason: "dry-run", message: "Dry run: nothing was sent.", wouldSend };
}

function identify({ request }: PreparedRequest, { repository, projectId }: AgentOptions): string {
  const { family, subject, body } = request;
  return triggerKey({
    repositoryId: repository.id,
    family,
    subject,
    body,
    command: "agent",
    target: projectId,
  });
}

function draftRecord(
  { prepared, trigger, notes }: { prepared: PreparedRequest; trigger: string; notes: readonly string[] },
  { event, projectId, runUrl }: AgentOptions,
): Pick<ClaimRecord, "command" | "target" | "trigger" | "requester" | "request" | "runUrl" | "notes"> {
  const requester = event.type === "written" ? event.text.author?.login : event.sender?.login;
  const all = [...prepared.notes, ...notes].map((note) => note.slice(0, 300)).slice(0, 8);
  const { instruction } = prepared.request;
  return {
    command: "agent",
    target: projectId,
    trigger,
    runUrl,
    request:
      instruction.length > 600
        ? `${instruction.slice(0, 600).replace(/[\uD800-\uDBFF]$/, "")}…`
        : instruction,
    ...(requester === undefined ? {} : { requester }),
    ...(all.length === 0 ? {} : { notes: all }),
  };
}

async function acknowledge({ github, log, signal }: AgentDeps): Promise<void> {
  try {
    await github.acknowledge();
  } catch (error) {
    signal.throwIfAborted();
    log.warning(error instanceof Error ? error.message : String(error));
  }
}

/** Why a permitted request must not be sent all the same. */
async function objectTo(
  { request }: PreparedRequest,
  { maxOpenPullRequests }: AgentOptions,
  { github }: AgentDeps,
): Promise<Objection | undefined> {
  if (request.family !== "run" && request.origin !== "change") {
    const state = await github.compareWithLiveText();
    if (state !== "unchanged") {
      return {
        reason: `text-${state}`,
        message: `The text that asked was ${state} after the event; ask again.`,
      };
    }
  }
  if (maxOpenPullRequests === undefined) return undefined;
  const open = await github.countOpenOwn(maxOpenPullRequests);
  if (open < maxOpenPullRequests) return undefined;
  return {
    reason: "max-open-pull-requests",
    message: `${open} pull requests of the agent are open, and \`max-open-pull-requests\` allows no more.`,
  };
}

async function readOrigin(
  { event, projectId }: AgentOptions,
  { github }: AgentDeps,
): Promise<Origin | undefined> {
  if (event.type !== "written" || event.thread.kind !== "pull-request") return undefined;
  const origin = await github.readOrigin();
  return origin?.project === projectId ? origin : undefined;
}

/** What a command needs once its request is claimed. */
export type ClaimedDeps = AgentDeps & { readonly claims: ClaimStore; readonly lastWords: ClaimStore };

async function concludeSubmission(
  submission: Submission<CreatedJob>,
  options: AgentOptions,
  deps: ClaimedDeps,
): Promise<AgentResult> {
  switch (submission.kind) {
    case "withdrawn":
      return { outcome: "skipped", ...submission.objection };
    case "other-run": {
      const message = "Another run works on this request.";
      return { outcome: "skipped", reason: "other-run", message };
    }
    case "lost":
      return concludeLost(submission, deps);
    case "found":
      if (submission.claim.record.state === "ended") return concludeRecorded(submission.claim, deps);
      deps.log.info(`Resuming job ${submission.claim.record.jobId}, which an earlier run started.`);
      return followClaimed({ claim: submission.claim, created: undefined }, options, deps);
    case "submitted":
      return followClaimed({ claim: submission.claim, created: submission.job }, options, deps);
  }
}
