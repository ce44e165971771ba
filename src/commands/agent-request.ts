/** A permitted request for the agent: assembled, claimed and sent, unless an earlier run did so. */
import { randomBytes } from "node:crypto";
import { PlatformError } from "../client/errors.ts";
import { readChanges } from "../github/changes.ts";
import { type StoredClaim, triggerKey } from "../github/claims.ts";
import { warnOnGitHubError } from "../github/errors.ts";
import {
  createPullRequestFinder,
  isFromOwnPullRequest,
  isOwn,
  type PullRequest,
} from "../github/pull-requests.ts";
import { type BranchCommit, readBranch } from "../github/status-claims.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { type AgentResult, type AgentRun, type ClaimedAgentRun, describePrompt } from "./agent-job.ts";
import {
  type ClaimDraft,
  type ClaimLocation,
  draftRecord,
  findThreadLocation,
  openClaimStore,
  refuseInProgress,
  releaseEarlierAttempts,
} from "./claim.ts";
import { openClaimLease } from "./claim-lease.ts";
import { connectPlatform } from "./connect-platform.ts";
import { describeEmbeddedAgent, findBase } from "./embedded-agent.ts";
import {
  finishLostSubmission,
  followClaimedJob,
  resumeRequest,
  showRecordedResult,
} from "./follow-request.ts";
import { runKeyword } from "./keywords.ts";
import { filterByPath } from "./paths-filter.ts";
import {
  assemblePrompt,
  describeRemoval,
  type Quotes,
  quoteChanges,
  quoteDescription,
  quotesDiffs,
} from "./prompt.ts";
import { react, replyWithHint, showProgress } from "./reply.ts";
import { type EventRequest, isFixedInstruction, type KeyedRequest } from "./request-from-event.ts";
import { recordSkippedChange, rollingCommit } from "./rolling.ts";
import type { Skip } from "./run.ts";
import { type PreparedRequest, refuseRequest, submitOnce } from "./submit-once.ts";
import { applyUserLimit } from "./user-limit.ts";

/** Carries out a request whose author has the permission. */
export async function carryOutRequest(eventRequest: EventRequest, agent: AgentRun): Promise<AgentResult> {
  const { inputs, github, run, projectId: target } = agent;
  const project = { command: "agent", target } as const;
  const trigger = triggerKey({ ...eventRequest, ...project, repositoryId: github.context.repository.id });
  const request = { ...eventRequest, trigger };
  if (inputs.dryRun) return prepareAndSubmit(request, agent);
  const openStore = async () =>
    openClaimStore(await locateClaims(trigger, agent), await github.readOwnership());
  return showProgress(agent, async () => {
    const result = await prepareAndSubmit(request, agent);
    if ("reason" in result) await releaseEarlierAttempts(result, project, openStore, github.context, run);
    return result;
  });
}

async function prepareAndSubmit(received: KeyedRequest, agent: AgentRun): Promise<AgentResult> {
  const { inputs, run, projectId } = agent;
  run.signal.throwIfAborted();
  const { keyword } = received;
  const request = keyword ? await runKeyword(keyword, received, agent) : received;
  const prepared = "reason" in request ? request : await prepareRequest(request, agent);
  if ("reason" in prepared) return prepared;
  if (inputs.dryRun) return describePrompt(prepared.composePrompt(), projectId, inputs.jobId);
  return submit(prepared, agent);
}

/** Adds the quoted context to a request; or returns why there is nothing to do. */
async function prepareRequest(request: KeyedRequest, agent: AgentRun): Promise<PreparedRequest | Skip> {
  const { inputs, github, triggerPhrases, projectId: target } = agent;
  const { event, context } = github;
  if (await isOwnChange(agent)) {
    const message = "The change comes from one of the agent's own pull requests.";
    return { reason: "own-pull-request", message };
  }
  const { instruction, trigger } = request;
  const changes = await quoteRelevantChanges(request, agent);
  if (changes === "no-match") {
    if (agent.rollingBranch && !inputs.dryRun) await recordSkippedChange(trigger, agent);
    return { reason: "paths", message: "No changed file matches `paths` and `paths-ignore`." };
  }
  const thread = await quoteRelevantThread(request, agent);
  const { base, note } = inputs.baseUrl === "local" ? await findBase(agent) : {};
  const composePrompt = (gathered: readonly QuotedPiece[] = []) =>
    assemblePrompt({
      instruction: note === undefined ? instruction : `${instruction}\n\n${note}`,
      pieces: [...changes.pieces, ...gathered, ...thread.pieces],
      nonce: randomBytes(12).toString("hex"),
      reference: github.signer.reference(trigger),
    });
  const notes = [
    ...describeRemoval(request.removed, "the request"),
    ...changes.notes,
    ...thread.notes,
    ...(note === undefined ? [] : [note]),
  ];
  const identity = {
    command: "agent",
    target,
    docsRepository: inputs.docsRepository,
    trigger,
    triggerPhrase: triggerPhrases[0],
    runUrl: context.runUrl,
  } as const;
  const draft = draftRecord(identity, instruction, notes, event);
  return { ...request, composePrompt, draft, base };
}

async function isOwnChange({ github: { event, readOwnership }, run }: AgentRun): Promise<boolean> {
  if (event.type === "pull-request") {
    return isOwn({ ...event.thread, isFork: event.isFork }, await readOwnership());
  }
  return event.type === "push" && isFromOwnPullRequest(event, await readOwnership(), run);
}

async function quoteRelevantChanges(
  { source }: EventRequest,
  { inputs, github: { event, api } }: AgentRun,
): Promise<Quotes | "no-match"> {
  const { context, paths, pathsIgnore } = inputs;
  const nothing = { pieces: [], notes: [] };
  if (event.type === "other" || (event.type === "text" && event.thread.kind !== "pull-request"))
    return nothing;
  const isFiltered =
    (event.type === "push" || event.type === "pull-request") && paths.length + pathsIgnore.length > 0;
  const isQuoted = context === "auto" || context === "changes" || source === "change";
  if (!isQuoted && !isFiltered) return nothing;
  const changes = await readChanges(event, api);
  const files = isFiltered ? filterByPath(changes.files, inputs) : changes.files;
  // An incomplete list does not prove that nothing matches.
  if (isFiltered && files.length === 0 && changes.isComplete) return "no-match";
  if (!isQuoted) return nothing;
  const { pieces, notes } = await quoteDescription(event);
  return { pieces: [...pieces, ...quoteChanges({ ...changes, files }, quotesDiffs(inputs))], notes };
}

async function quoteRelevantThread(
  { source, instruction }: EventRequest,
  { inputs: { context }, run, github: { event, listComments } }: AgentRun,
): Promise<Quotes> {
  if (event.type !== "text") return { pieces: [], notes: [] };
  const { quoteLocation, readThreadContext } = await import("../github/thread-context.ts");
  const isWholeThread = context === "auto" || context === "thread";
  // The fixed instruction of a label or a bare phrase says nothing by itself: the thread's own text is always quoted.
  if (!isWholeThread && !isFixedInstruction(instruction)) {
    return { pieces: context === "none" ? [] : quoteLocation(event), notes: [] };
  }
  const { comments, reviews } = isWholeThread ? await listComments() : { comments: [], reviews: undefined };
  const isTextTheRequest = source === "text";
  const thread = await readThreadContext(event, comments, run, { ...reviews, isTextTheRequest });
  return {
    pieces: [...quoteLocation(event), ...thread.pieces],
    notes: describeRemoval(thread, "the thread's other texts"),
  };
}

/** Submits a prepared request and follows its job, unless another run did or does. */
async function submit(request: PreparedRequest, agent: AgentRun): Promise<AgentResult> {
  const { inputs, github, run } = agent;
  await using platform = await connectPlatform(inputs, run, { agent: describeEmbeddedAgent(request, agent) });
  // The client is closed when this function returns: everything that uses it is awaited here.
  const location = await locateClaims(request.trigger, agent);
  const lease = await openClaimLease(request.draft, location, github, run);
  const claiming: ClaimedAgentRun = { ...agent, platform, lease };

  const resolution = await lease.resolve();
  if ((resolution.kind === "busy" || resolution.kind === "found") && isEditOf(resolution.claim, agent)) {
    return { reason: "edited", message: "The text was edited after its request was claimed." };
  }
  if (resolution.kind === "busy") return refuseInProgress(resolution.claim);
  if (resolution.kind === "found") return await resumeRequest(resolution.claim, claiming);
  if (resolution.kind === "lost" && inputs.onAmbiguous === "stop") {
    lease.resume(resolution.claim);
    return await finishLostSubmission(undefined, claiming);
  }
  const earlier = await findEarlierPullRequest(request.draft, agent);
  if (earlier) {
    await lease.recordEarlierResult({ outcome: "pull-request", pullRequestUrl: earlier.url });
    return showRecordedResult(lease.claim, agent);
  }
  const refusal = await refuseRequest(request, agent);
  if (refusal) {
    if (refusal.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
    return refusal;
  }
  const overLimit = await applyUserLimit(request.draft, lease, agent);
  if (overLimit) return overLimit;

  const submitted = await submitOnce(request, claiming);
  if (submitted instanceof PlatformError) return await finishLostSubmission(submitted, claiming);
  if ("reason" in submitted) return submitted;
  await react(github, run, "ROCKET");
  return await followClaimedJob(submitted, claiming);
}

/**
 * The location of a request's records: comments of its thread, or statuses of a commit. With `status-comment: false` it is a
 * commit from before the text was written, so that a repeated delivery finds the record after later pushes: the one with the record,
 * or the newest. A later merge may have added newer ones.
 */
async function locateClaims(
  trigger: string,
  { inputs, github, rollingBranch }: AgentRun,
): Promise<ClaimLocation> {
  const { event, context } = github;
  if (rollingBranch) return { kind: "commit", sha: rollingCommit(github) ?? context.sha };
  const location = findThreadLocation(github.event);
  if (location && inputs.statusComment) return location;
  const commits =
    event.type === "text" ? await readBranch("HEAD", await github.readOwnership(), event.text.createdAt) : [];
  const hasRecord = ({ claims }: BranchCommit) => claims.some(({ record }) => record.trigger === trigger);
  const commit = commits.find(hasRecord) ?? commits[0];
  return { kind: "commit", sha: commit?.sha ?? context.sha };
}

/** Whether the event is an edit of a text whose request another workflow run claimed. */
function isEditOf({ record }: StoredClaim, { github: { event, context } }: AgentRun): boolean {
  const isEdit = event.type === "text" && event.action === "edited";
  return isEdit && !record.owner.startsWith(`${context.runId}.`);
}

/** No agent opens a pull request sooner than this after the request was written. */
const soonestPullRequestMs = 2 * 60_000;

/**
 * The pull request of an earlier run of the same request, if its record is gone: users can delete and edit comments. If the
 * search fails, only the records count.
 */
async function findEarlierPullRequest(draft: ClaimDraft, agent: AgentRun): Promise<PullRequest | undefined> {
  const { github, run } = agent;
  const { since } = findThreadLocation(github.event) ?? {};
  // Commit statuses cannot be deleted.
  if (since === undefined) return undefined;
  const isFirst = github.context.runAttempt === 1;
  if (isFirst && run.clock.now() - Date.parse(since) < soonestPullRequestMs) return undefined;
  const findPull = createPullRequestFinder(github);
  const pull = await warnOnGitHubError(run.log, () => findPull({ ...draft, claimedAt: since }));
  if (pull) run.log.info(`The pull request of an earlier run was found: #${pull.number}.`);
  return pull;
}
