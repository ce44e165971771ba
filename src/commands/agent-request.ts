/** A permitted request for the agent, from top to bottom: assembled, claimed, sent in its turn, followed to its end, reported. */
import { randomBytes } from "node:crypto";
import { type ClaimRecord, successfulOutcomes } from "../base/claim-record.ts";
import { ActionError, InputError, InterruptedError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import { PlatformError } from "../client/errors.ts";
import { newestCommitBefore, readChanges } from "../github/changes.ts";
import { type ClaimStore, type StoredClaim, triggerKey } from "../github/claim-store.ts";
import {
  createCommentClaimStore,
  type ListedComments,
  type OwnershipDeps,
} from "../github/comment-claims.ts";
import { mayPass } from "../github/errors.ts";
import {
  createPullRequestFinder,
  decoratePullRequest,
  introducePullRequest,
  isFromOwnPullRequest,
  isOwn,
  listOpenOwn,
  type Origin,
  type PullRequest,
  readOrigins,
  warnOnGitHubError,
} from "../github/pull-requests.ts";
import { replyToReviewThreads } from "../github/review-threads.ts";
import { createStatusClaimStore } from "../github/status-claims.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import type { Reaction } from "../github/trigger-text.ts";
import {
  describeStatus,
  pullNumberOf,
  type RequestStatus,
  renderAddressedReply,
  renderAgentSummary,
  renderPullRequestIntroduction,
  renderStatusComment,
} from "../presentation/status-comment.ts";
import {
  cannotContinue,
  createJob,
  followAgentJob,
  isJobGone,
  type JobResult,
  jobFailed,
  pullInThisRepository,
  type RequestBaseline,
  readJob,
  recordFieldsOf,
  resolveJobOutcome,
  resultOfFoundPull,
  type SubmittedJob,
} from "./agent-job.ts";
import {
  type AgentResult,
  type AgentRun,
  type ClaimedAgentRun,
  type ConnectedAgentRun,
  embeddedProject,
  pullRequestPolicyOf,
  skipped,
} from "./agent-run.ts";
import {
  ActiveRequests,
  type ClaimDraft,
  ClaimLease,
  draftRecord,
  explainError,
  githubPauseMs,
  hasWaitingRun,
  openTriggerStores,
  refuseInProgress,
  stoppedByUser,
  submitOnce,
} from "./claim.ts";
import { findThreadLocation, type Refusal, refuseUnpermitted } from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import type { AgentInputs } from "./inputs.ts";
import {
  findRequestToRetry,
  releaseEarlierAttempts,
  replyWithHelp,
  replyWithStatus,
  stopRequests,
} from "./keywords.ts";
import { filterPaths } from "./paths-filter.ts";
import { assemblePrompt, describeRemoval, quoteChanges, quoteRelease } from "./prompt.ts";
import { notifyOfResult, react, refuseChangedText, reply, replyWithHint } from "./reply.ts";
import type { EventRequest, Keyword } from "./request-from-event.ts";
import { countUse } from "./request-limit.ts";
import {
  type AgentTurn,
  listChangesIn,
  recordSkippedChange,
  rollingBranch,
  rollingCommit,
  takeRollingTurn,
} from "./rolling.ts";
import { dryRunResult, type Run } from "./run.ts";
import type { ClaimLocation } from "./saved-claim.ts";
import { readPromptInput } from "./workspace.ts";

interface PreparedRequest extends EventRequest {
  /** Composes the prompt; it also quotes changes that were gathered while the request waited. */
  readonly compose: (gathered?: readonly QuotedPiece[]) => string;
  readonly draft: ClaimDraft;
}

/** Carries out a request whose author has the permission. */
export async function carryOutRequest(
  eventRequest: EventRequest,
  prompt: string | undefined,
  agent: AgentRun,
): Promise<AgentResult> {
  const { inputs, github, run } = agent;
  const show = async (reaction: Reaction) => inputs.dryRun || react(github, run, reaction);
  await show("EYES");
  run.signal.throwIfAborted();
  try {
    const { keyword } = eventRequest;
    const request = await (keyword
      ? runKeyword(keyword, eventRequest, agent)
      : assembleRequest(eventRequest, prompt, agent));
    if ("reason" in request) return skipped(request);
    if (inputs.dryRun) {
      const path = `/v2/agent/${encodeURIComponent(agent.projectId)}/job`;
      return dryRunResult("agent", `POST ${path}`, request.compose());
    }
    const result = await submit(request, agent);
    const hasEnded = result.outcome !== "skipped" && result.outcome !== "detached";
    const isSuccess = successfulOutcomes.some((outcome) => outcome === result.outcome);
    if (hasEnded) await show(isSuccess ? "THUMBS_UP" : "CONFUSED");
    return result;
  } catch (error) {
    await show("CONFUSED");
    throw error;
  }
}

async function runKeyword(
  keyword: Keyword,
  request: EventRequest,
  agent: AgentRun,
): Promise<PreparedRequest | Refusal> {
  const { inputs, github, run } = agent;
  if (keyword === "help") return replyWithHelp(agent);
  if (inputs.dryRun) return { reason: "dry-run", message: `Dry run: \`${keyword}\` would be carried out.` };
  if (keyword === "status") return replyWithStatus(agent);
  const location = findThreadLocation(github);
  const store =
    location && openClaimStore(location, await github.readOwnership(), await github.listComments());
  if (keyword === "stop" && store) {
    const refusal = await stopRequests(store, agent);
    await react(github, run, refusal.page === undefined ? "CONFUSED" : "THUMBS_UP");
    return refusal;
  }
  const retried = await findRequestToRetry(agent);
  if ("reason" in retried) {
    if (store) await releaseEarlierAttempts(store, retried.message, agent);
    if (github.event.type === "text") await reply(retried.message, github.event, github);
    return retried;
  }
  return assembleRequest({ ...request, instruction: retried.request ?? "" }, undefined, agent);
}

/** Adds the quoted context to a request; or returns why there is nothing to do. */
async function assembleRequest(
  request: EventRequest,
  prompt: string | undefined,
  agent: AgentRun,
): Promise<PreparedRequest | Refusal> {
  const { inputs, github, triggerPhrases, projectId: target } = agent;
  const { event, context } = github;
  if (await isOwnChange(github)) {
    const message = "The change comes from one of the agent's own pull requests.";
    return { reason: "own-pull-request", message };
  }
  const { instruction } = request;
  const trigger = triggerKey({ ...request, repositoryId: context.repository.id, command: "agent", target });
  const changes = await quoteRelevantChanges(prompt, agent);
  if (changes === "no-match") {
    if (rollingBranch(agent) && !inputs.dryRun) await recordSkippedChange(trigger, agent);
    return { reason: "paths", message: "No changed file matches `paths` and `paths-ignore`." };
  }
  const thread = await quoteRelevantThread(request.origin, agent);
  const assemble = (gathered: readonly QuotedPiece[] = []) =>
    assemblePrompt({
      instruction,
      pieces: [...changes, ...gathered, ...thread.pieces],
      nonce: randomBytes(12).toString("hex"),
      reference: github.signer.reference(trigger),
    });
  const notes = [...describeRemoval(request.removed, "the request"), ...thread.notes];
  const identity = {
    command: "agent",
    target,
    docsRepository: inputs.docsRepository,
    trigger,
    triggerPhrase: triggerPhrases[0],
    runUrl: context.runUrl,
  } as const;
  const draft = draftRecord(identity, instruction, notes, event);
  return { ...request, compose: assemble, draft };
}

async function isOwnChange({ event, readOwnership }: AgentRun["github"]): Promise<boolean> {
  if (event.type === "pull-request") {
    return isOwn({ ...event.thread, isFork: event.isFork }, await readOwnership());
  }
  return event.type === "push" && isFromOwnPullRequest(event, await readOwnership());
}

async function quoteRelevantChanges(
  prompt: string | undefined,
  { inputs: { context, paths, pathsIgnore }, github: { event, api } }: AgentRun,
): Promise<QuotedPiece[] | "no-match"> {
  if (event.type === "other" || (event.type === "text" && event.thread.kind !== "pull-request")) return [];
  const isFiltered =
    (event.type === "push" || event.type === "pull-request") && paths.length + pathsIgnore.length > 0;
  // Without a prompt, the change itself is the request.
  const isRequest = event.type !== "text" && prompt === undefined;
  const isQuoted = context === "auto" || context === "changes" || isRequest;
  if (!isQuoted && !isFiltered) return [];
  const changes = await readChanges(event, api);
  const all = changes.files.map(({ path }) => path);
  const matching = isFiltered ? filterPaths(all, { paths, pathsIgnore }) : all;
  // An incomplete list does not prove that nothing matches.
  if (isFiltered && matching.length === 0 && changes.isComplete) return "no-match";
  return isQuoted ? [quoteChanges(changes, matching), ...(await quoteRelease(event))] : [];
}

async function quoteRelevantThread(
  origin: EventRequest["origin"],
  { inputs: { context }, run, github: { event, listComments } }: AgentRun,
): Promise<{ pieces: QuotedPiece[]; notes: string[] }> {
  if (event.type !== "text") return { pieces: [], notes: [] };
  const { quoteLocation, readThreadContext } = await import("../github/thread-context.ts");
  const isWholeThread = context === "auto" || context === "thread";
  // A label says nothing by itself: the text that it was added to is always quoted.
  if (!isWholeThread && origin !== "label") {
    return { pieces: context === "none" ? [] : quoteLocation(event), notes: [] };
  }
  const { comments, reviews } = isWholeThread ? await listComments() : { comments: [], reviews: undefined };
  const isTextTheRequest = origin === "text";
  const thread = await readThreadContext(event, comments, run, { ...reviews, isTextTheRequest });
  return {
    pieces: [...quoteLocation(event), ...thread.pieces],
    notes: describeRemoval(thread, "the thread's other texts"),
  };
}

/** Submits a prepared request and follows its job, unless another run did or does. */
async function submit(request: PreparedRequest, agent: AgentRun): Promise<AgentResult> {
  const { inputs, github, run, projectId } = agent;
  await using connection = await connectPlatform(inputs, run, { agent: embeddedAgent(agent) });
  // The connection is closed when this function returns: everything that uses it is awaited here.
  const { platform } = connection;
  const lease = await openLease(request.draft, agent);
  const claiming: ClaimedAgentRun = { ...agent, platform, lease };

  const resolution = await lease.resolve();
  if ((resolution.kind === "busy" || resolution.kind === "found") && isEditOf(resolution.claim, agent)) {
    return skipped({ reason: "edited", message: "The text was edited after its request was claimed." });
  }
  if (resolution.kind === "busy") return skipped(refuseInProgress(resolution.claim));
  if (resolution.kind === "found") return await resumeRequest(resolution.claim, claiming);
  if (resolution.kind === "lost" && inputs.onAmbiguous === "stop") {
    lease.resume(resolution.claim);
    return await finishLostSubmission(undefined, claiming);
  }
  const earlier = await findEarlierPullRequest(request.draft.trigger, agent);
  if (earlier) {
    await lease.recordEarlierResult({ outcome: "pull-request", pullRequestUrl: earlier.url });
    return showRecordedResult(lease.claim, agent);
  }
  const refusal = (await refuseOtherProject(agent)) ?? (await refuseRequest(request, agent));
  if (refusal) {
    if (refusal.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
    await lease.releaseStale(refusal.message);
    return skipped(refusal);
  }
  const overLimit = await countUse(request.draft, lease, agent);
  if (overLimit) return skipped(overLimit);

  const steps = {
    awaitTurn: () => awaitTurn(claiming),
    send: async ({ gathered, earlierJobId }: AgentTurn) => {
      const prompt = request.compose(gathered);
      const mustContinue = inputs.jobId !== undefined;
      const jobRequest = { projectId, prompt, earlierJobId, mustContinue };
      const job = await createJob(platform, jobRequest, run.log);
      // A new job does not continue the pull request of the earlier one.
      if (job !== "busy" && !job.isFollowUp)
        lease.amend({ headBefore: undefined, pullRequestUrl: undefined });
      return job;
    },
    // The author may have lost the permission while the request waited.
    refuse: async () =>
      (await refuseUnpermitted(inputs, github, "No longer permitted")) ??
      (await refuseRequest(request, agent)),
    resubmissions: inputs.onAmbiguous === "resubmit" ? 1 : 0,
  };
  const submission = await submitOnce(lease, steps, run);
  switch (submission.kind) {
    case "submitted":
      await react(github, run, "ROCKET");
      return await followClaimedJob(submission.job, claiming);
    case "other-run":
      return skipped(refuseInProgress(submission.claim));
    case "lost":
      return await finishLostSubmission(submission.error, claiming);
    case "withdrawn":
      return skipped(submission.refusal);
  }
}

function embeddedAgent({ inputs, github: { context } }: AgentRun) {
  const { agentCommand: command, githubToken: token } = inputs;
  const { repository, serverUrl, apiUrl } = context;
  if (command === undefined || token === undefined) return undefined;
  const { owner, name } = repository;
  return { command, github: { serverUrl: serverUrl.origin, apiUrl, owner, repository: name, token } };
}

async function openLease(draft: ClaimDraft, agent: AgentRun): Promise<ClaimLease> {
  const { github, run } = agent;
  const location = await locateClaims(agent);
  const listed = location.kind === "thread" ? await github.listComments() : undefined;
  const open = (ownership: OwnershipDeps) => openClaimStore(location, ownership, listed);
  return new ClaimLease(await openTriggerStores(location, github, open), github.context, draft, run);
}

/**
 * The location of a request's records: comments of its thread, or statuses of a commit. With `status-comment: false` it is the
 * commit that was newest when the text was written, so that a repeated delivery finds the record after later pushes.
 */
async function locateClaims(agent: AgentRun): Promise<ClaimLocation> {
  const { inputs, github } = agent;
  const { event, api, context } = github;
  if (rollingBranch(agent)) return { kind: "commit", sha: rollingCommit(github) ?? context.sha };
  const location = findThreadLocation(github);
  if (location && inputs.statusComment) return location;
  const newest = event.type === "text" ? await newestCommitBefore(event.text.createdAt, api) : undefined;
  return { kind: "commit", sha: newest ?? context.sha };
}

/** @param listed the thread's comments, if they were already listed; otherwise comments since the request are listed */
export function openClaimStore(
  location: ClaimLocation,
  ownership: OwnershipDeps,
  listed?: ListedComments,
): ClaimStore {
  return location.kind === "commit"
    ? createStatusClaimStore(location, { ...ownership, describe: describeStatus })
    : createCommentClaimStore({ ...location, listed }, { ...ownership, render: renderStatusComment });
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
async function findEarlierPullRequest(trigger: string, agent: AgentRun): Promise<PullRequest | undefined> {
  const { clock, log, signal } = agent.run;
  const { since } = findThreadLocation(agent.github) ?? {};
  // Commit statuses cannot be deleted.
  if (since === undefined) return undefined;
  const isFirst = agent.github.context.runAttempt === 1;
  if (isFirst && clock.now() - Date.parse(since) < soonestPullRequestMs) return undefined;
  try {
    const pull = await createPullRequestFinder(agent.github)(trigger, since);
    if (pull) log.info(`The pull request of an earlier run was found: #${pull.number}.`);
    return pull;
  } catch (error) {
    signal.throwIfAborted();
    log.warning(`The pull request of an earlier run could not be searched for: ${messageOf(error)}`);
    return undefined;
  }
}

async function refuseOtherProject(agent: AgentRun): Promise<Refusal | undefined> {
  const projects = (await listOrigins(agent)).map(({ project }) => project);
  if (projects.length === 0 || projects.includes(agent.projectId)) return undefined;
  const message = `A job of another project (${projects[0]}) opened the pull request.`;
  return { reason: "other-project", message };
}

/** The jobs that the action's own comments on the event's pull request name. */
async function listOrigins(agent: AgentRun): Promise<Origin[]> {
  const { event, listComments, readOwnership } = agent.github;
  if (event.type !== "text" || event.thread.kind !== "pull-request") return [];
  const { comments } = await listComments();
  const origins = readOrigins(comments, event.thread.number, await readOwnership());
  return origins.map(({ origin }) => origin);
}

async function refuseRequest({ origin }: EventRequest, agent: AgentRun): Promise<Refusal | undefined> {
  const isText = origin !== "change" && origin !== "label";
  const refusal = isText ? await refuseChangedText(agent.github) : undefined;
  return refusal || mayContinue(agent) ? refusal : refuseMorePullRequests(agent);
}

async function refuseMorePullRequests({ inputs, github }: AgentRun): Promise<Refusal | undefined> {
  const { maxOpenPullRequests } = inputs;
  if (maxOpenPullRequests === undefined) return undefined;
  let open = 0;
  for await (const _pull of listOpenOwn(await github.readOwnership())) {
    open += 1;
    if (open < maxOpenPullRequests) continue;
    const message = `Open pull requests of the agent: ${open}; \`max-open-pull-requests\` allows no more.`;
    return { reason: "max-open-pull-requests", message, hint: `Not started. ${message}` };
  }
  return undefined;
}

/**
 * Waits for earlier requests of the thread, and until the job that the request continues is idle. The record keeps the head commit of
 * that job's pull request, to compare it with the head commit at the end.
 */
async function awaitTurn(agent: ClaimedAgentRun): Promise<AgentTurn> {
  const { lease, run, github } = agent;
  const isOver = async (jobId: string) => (await readJob(jobId, agent))?.status?.toLowerCase() !== "active";
  const activeRequests = new ActiveRequests(github.context, isOver, run.clock);
  const branch = rollingBranch(agent);
  for (let hasWaited = false; ; hasWaited = true) {
    const turn = branch
      ? await takeRollingTurn(branch, activeRequests, agent)
      : await takeThreadTurn(activeRequests, agent);
    if (turn.refusal) return turn;
    const job = await findEarlierJob(turn.earlier, agent);
    const refusal = job || !mayContinue(agent) ? undefined : await refuseMorePullRequests(agent);
    if (refusal) return { ...turn, refusal };
    lease.amend({ headBefore: job?.pull?.headSha, pullRequestUrl: job?.pull?.url });
    if (!job?.isBusy) return { ...turn, earlierJobId: job?.jobId, hasWaited: hasWaited || turn.hasWaited };
    const name = `job ${job.jobId}`;
    const notice = `Agent ${name} is busy; waiting for it.`;
    await lease.waitAndRenew(`queued behind ${name}`, () => isOver(job.jobId), notice);
  }
}

/** Requests are queued by thread only: the statuses of a commit contain requests of all threads. */
async function takeThreadTurn(
  activeRequests: ActiveRequests,
  { lease, github, inputs }: ClaimedAgentRun,
): Promise<AgentTurn> {
  const isQueued = github.event.type === "text" && inputs.statusComment;
  const hasWaited = isQueued && (await lease.waitForEarlier(activeRequests));
  return { hasWaited, earlier: isQueued ? await lease.listEarlier() : [], gathered: [] };
}

interface EarlierJob {
  readonly jobId: string;
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
async function findEarlierJob(
  earlier: readonly StoredClaim[],
  agent: ConnectedAgentRun,
): Promise<EarlierJob | undefined> {
  if (!mayContinue(agent)) return undefined;
  const { run, inputs, github, projectId } = agent;
  const candidates = await listCandidates(earlier, agent);
  for (const { jobId, pullRequestUrl } of candidates.slice(0, maxCandidates)) {
    const found = await checkJob(jobId, pullRequestUrl, agent);
    if (typeof found !== "string") return found;
    if (inputs.jobId !== undefined) throw cannotContinue(jobId, found);
    run.log.info(`Agent job ${jobId} is not continued: ${found}.`);
  }
  const branch = rollingBranch(agent);
  if (branch === undefined) return undefined;
  for await (const { url, origin } of listOpenOwn(await github.readOwnership())) {
    if (origin?.project !== projectId || origin.source !== branch) continue;
    const found = await checkJob(origin.jobId, url, agent);
    if (typeof found !== "string") return found;
  }
  return undefined;
}

function mayContinue(agent: AgentRun): boolean {
  const { inputs, github } = agent;
  const isLater = github.event.type === "text" && inputs.followUp === "continue";
  return inputs.jobId !== undefined || isLater || rollingBranch(agent) !== undefined;
}

async function listCandidates(earlier: readonly StoredClaim[], agent: AgentRun) {
  const { inputs, projectId, github } = agent;
  if (inputs.jobId !== undefined) return [{ jobId: inputs.jobId, pullRequestUrl: undefined }];
  const pullRequestUrl = github.event.type === "text" ? github.event.thread.url : undefined;
  const origins = (await listOrigins(agent)).filter(({ project }) => project === projectId);
  const recorded = earlier.filter(({ isUnverifiable }) => !isUnverifiable).map(({ record }) => record);
  const found = [...origins.map(({ jobId }) => ({ jobId, pullRequestUrl })), ...recorded].reverse();
  return [...Map.groupBy(found, ({ jobId }) => jobId)].flatMap(([jobId, ofJob]) => {
    const { pullRequestUrl } = ofJob.find((each) => each.pullRequestUrl !== undefined) ?? {};
    return jobId === undefined ? [] : { jobId, pullRequestUrl };
  });
}

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

/** Continues a request that an earlier run recorded: shows its result, or follows its job. */
async function resumeRequest(claim: StoredClaim, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { lease, inputs, run, github } = agent;
  lease.resume(claim);
  if (claim.record.state === "ended") return showRecordedResult(claim, agent);
  const { jobId = "" } = claim.record;
  if (inputs.baseUrl !== "local") {
    run.log.info(`Resuming job ${jobId}, which an earlier run started.`);
    return followClaimedJob(undefined, agent);
  }
  // Only the run that started a job of the embedded platform can follow it; the job ends with that run.
  run.setOutput("jobId", jobId);
  if (hasWaitingRun(claim, github.context)) return skipped(refuseInProgress(claim));
  const message = `Agent job ${jobId} ended with the run that started it, as jobs of the embedded platform do.`;
  return finishMissingJob(message, agent);
}

/**
 * Follows the job of the claim to its end. With `wait: false`, or if the run ends early, the record states why nothing waits for the job.
 *
 * @param created the response to the creating request, if this run sent it
 */
async function followClaimedJob(
  created: SubmittedJob | undefined,
  agent: ClaimedAgentRun,
): Promise<AgentResult> {
  const { inputs, run, github, lease } = agent;
  const { record } = lease.claim;
  const { jobId = "" } = record;
  run.setOutput("jobId", jobId);
  if (!inputs.wait) {
    await lease.tryWrite({ state: "working", outcome: "detached" });
    return toAgentResult("detached", lease.claim);
  }
  let result: JobResult;
  try {
    // The status links the run that waits now.
    if (!created) await lease.tryWrite({ runUrl: github.context.runUrl });
    const baseline = { ...lease.claim.record, since: lease.claim.createdAt ?? record.claimedAt };
    const start = created ?? Date.parse(record.startedAt ?? record.claimedAt);
    result = await followToEnd(jobId, start, agent, baseline, {
      onPoll: createStopCheck(lease, run),
      // If this run ends before the result is known, the status must not say that the job is still running.
      onEnd: () => lease.amend({ endedAt: new Date(run.clock.now()).toISOString() }),
    });
  } catch (error) {
    if (isJobGone(error)) return finishMissingJob(`The platform no longer knows agent job ${jobId}.`, agent);
    await recordStoppedWaiting(error, agent);
    throw inputs.baseUrl === "local" ? withoutResumption(error) : error;
  }
  return finishRequest(result, agent);
}

/** How often a run that follows a job checks whether a user stopped it; each check is a request to GitHub. */
const stopCheckMs = 120_000;

/** Returns a function that checks, at most every `stopCheckMs`, whether a user stopped the request; if so, it throws. */
function createStopCheck(lease: ClaimLease, { clock, log }: Run): () => Promise<void> {
  let nextMs = clock.now() + stopCheckMs / 2;
  return async () => {
    if (clock.now() < nextMs) return;
    nextMs = clock.now() + stopCheckMs;
    await lease.throwIfStopped().catch((error: unknown) => {
      if (!mayPass(error)) throw error;
      log.debug(`It could not be checked whether a user stopped the request: ${messageOf(error)}`);
    });
  };
}

/** GitHub may show a job's last push this long after the job's end. */
const latePushMs = 5_000;

async function followToEnd(
  jobId: string,
  start: SubmittedJob | number,
  agent: ConnectedAgentRun,
  baseline: RequestBaseline,
  { onPoll, onEnd }: { readonly onPoll?: () => Promise<void>; readonly onEnd?: () => void } = {},
): Promise<JobResult> {
  const { run, projectId: project, platform } = agent;
  const job = await followAgentJob(platform, { projectId: project, jobId }, start, { ...run, onPoll });
  onEnd?.();
  const resolve = () =>
    outlastGitHub(() => resolveJobOutcome(jobId, job, pullRequestPolicyOf(agent), baseline), run);
  let result = await resolve();
  if (result.outcome === "unchanged") {
    await run.clock.sleep(latePushMs, run.signal);
    result = await resolve();
  }
  const pull = pullInThisRepository(result);
  const isContinued = result.outcome === "updated" || result.outcome === "unchanged";
  if (pull && !isContinued)
    await setUpPullRequest(pull, { project, jobId, source: rollingBranch(agent) }, agent);
  return result;
}

/** Repeats a call after failures of GitHub that may pass, until the run's deadline. */
async function outlastGitHub<Result>(
  call: () => Promise<Result>,
  { clock, log, signal, deadlineMs }: Run,
): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!mayPass(error) || clock.now() + githubPauseMs >= deadlineMs) throw error;
      log.notice(`${messageOf(error)} Trying again in a minute.`);
      await clock.sleep(githubPauseMs, signal);
    }
  }
}

/** Records why this run stopped waiting for the job, or that the job ended with the embedded platform. */
async function recordStoppedWaiting(error: unknown, { lease, inputs }: ClaimedAgentRun): Promise<void> {
  // The record already says so; the embedded platform's job, however, ends now.
  if (lease.claim.record.outcome === stoppedByUser && inputs.baseUrl !== "local") return;
  const reason = error instanceof InterruptedError ? error.code : "failed";
  const message = error instanceof PlatformError ? { message: explainError(error) } : {};
  const outcome = inputs.baseUrl === "local" ? "stopped" : reason;
  await lease.tryWrite({ state: "working", outcome, ...message });
}

/** Replaces the hint of an interruption: a job of the embedded platform ends with its run and cannot be resumed. */
function withoutResumption(error: unknown): unknown {
  if (!(error instanceof InterruptedError)) return error;
  const hint = "Jobs of the embedded platform end with their run. Write a new request to start another job.";
  return new InterruptedError(error.code, error.message, { hint, retryable: false, cause: error });
}

/** Sets labels, reviewers and draft state, and comments which job opened the pull request, if known. A failure is only a warning. */
async function setUpPullRequest(
  pull: PullRequest,
  origin: Origin | undefined,
  agent: AgentRun,
): Promise<void> {
  const { inputs, run, github, triggerPhrases } = agent;
  const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
  await decoratePullRequest(pull, { labels, reviewers, draft }, github.api, run.log);
  if (!origin || !inputs.statusComment) return;
  const page = github.event.type === "text" ? github.event.thread.url : undefined;
  const text = renderPullRequestIntroduction(origin.jobId, page, triggerPhrases[0]);
  await introducePullRequest({ number: pull.number, text, origin }, await github.readOwnership(), run.log);
}

async function finishRequest(result: JobResult, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { lease, run } = agent;
  if (result.pullRequest) setPullRequestOutputs(result.pullRequest, run);
  await lease.tryWrite(recordFieldsOf(result, run.clock.now()));
  const branch = rollingBranch(agent);
  const pull = pullInThisRepository(result);
  if (branch && pull) await warnOnGitHubError(pull.number, run.log, () => listChangesIn(pull, branch, agent));
  await reportOnThread(result, agent);
  return toAgentResult(result.outcome, lease.claim, result.error);
}

/** Replies to the review threads that the new commits addressed; after a long wait, notifies the requester. */
async function reportOnThread(result: JobResult, agent: ClaimedAgentRun): Promise<void> {
  const { lease, run, github, inputs } = agent;
  const { event } = github;
  if (event.type !== "text") return;
  const ownership = await github.readOwnership();
  const pull = pullInThisRepository(result);
  const { headBefore } = lease.claim.record;
  const isOnPull = event.thread.kind === "pull-request";
  if (result.outcome === "updated" && isOnPull && pull && headBefore !== undefined) {
    const update = {
      pullNumber: pull.number,
      requestedAt: event.text.changedAt,
      headBefore,
      headAfter: pull.headSha,
      resolve: inputs.resolveThreads,
      describe: renderAddressedReply,
    };
    await replyToReviewThreads(update, ownership, run.log);
  }
  if (inputs.statusComment) await notifyOfResult(lease.claim, event.thread, ownership, run);
}

/** A submission whose response was lost: searches the pull requests opened since; it is not sent again. */
async function finishLostSubmission(
  error: PlatformError | undefined,
  agent: ClaimedAgentRun,
): Promise<AgentResult> {
  const { lease, run, github } = agent;
  const { isUnverifiable, record } = lease.claim;
  const pull = await createPullRequestFinder(github)(record.trigger, record.claimedAt);
  if (pull) {
    run.log.info(`The lost submission's pull request was found: #${pull.number}.`);
    return finishFoundPull(pull, agent);
  }
  const updated = isUnverifiable ? undefined : await findUpdate(record, agent);
  if (updated) return finishRequest(updated, agent);
  if (!isUnverifiable && record.state !== "unknown") await lease.tryWrite({ state: "unknown" });
  const message = isUnverifiable
    ? "An earlier run's record is signed with another key, so it is unknown whether the request was submitted."
    : "An earlier run may have submitted this request, and the platform's response was lost; it is not sent again.";
  const hint = "Look for the job on the platform's dashboard. To start a new job, write a new comment.";
  const cause = error ?? new PlatformError("unexpected-response", message, { maybeSubmitted: true, hint });
  return toAgentResult("unknown", lease.claim, cause);
}

/** The result of a message whose response was lost, if the pull request that it continues has new commits. */
async function findUpdate(record: ClaimRecord, agent: ClaimedAgentRun): Promise<JobResult | undefined> {
  if (record.headBefore === undefined) return undefined;
  const result = await resolveJobOutcome("", { status: "completed" }, pullRequestPolicyOf(agent), record);
  return result.outcome === "updated" ? result : undefined;
}

/** Finishes the request of a job that no longer exists; its pull request may exist. */
async function finishMissingJob(message: string, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { trigger, claimedAt } = agent.lease.claim.record;
  const pull = await createPullRequestFinder(agent.github)(trigger, claimedAt);
  if (pull) return finishFoundPull(pull, agent);
  return finishRequest({ outcome: "failed", error: jobFailed(message) }, agent);
}

async function finishFoundPull(pull: PullRequest, agent: ClaimedAgentRun): Promise<AgentResult> {
  const { jobId, target: project } = agent.lease.claim.record;
  await setUpPullRequest(pull, jobId === undefined ? undefined : { project, jobId }, agent);
  return finishRequest(resultOfFoundPull(pull), agent);
}

function showRecordedResult(claim: StoredClaim, { run }: AgentRun): AgentResult {
  const { outcome, jobId, pullRequestUrl: url, message, isMismatch } = claim.record;
  if (jobId !== undefined) run.setOutput("jobId", jobId);
  if (url !== undefined) setPullRequestOutputs({ url, number: Number(pullNumberOf(url)) || undefined }, run);
  const success = successfulOutcomes.find((each) => each === outcome);
  if (success) return toAgentResult(success, claim);
  const failure = outcome === "archived" ? outcome : "failed";
  const reason = message ?? `Agent job ${jobId} ended without success (${failure}).`;
  const error = isMismatch ? new ActionError("pull-request-mismatch", reason) : jobFailed(reason);
  return toAgentResult(failure, claim, error);
}

function setPullRequestOutputs(
  { url, number }: { readonly url: string; readonly number?: number | undefined },
  { setOutput }: Run,
): void {
  setOutput("pullRequestUrl", url);
  if (number !== undefined) setOutput("pullRequestNumber", String(number));
}

function toAgentResult(
  outcome: JobResult["outcome"] | "unknown" | "detached",
  { record, url }: { readonly record: RequestStatus; readonly url?: string | undefined },
  error?: ActionError,
): AgentResult {
  return {
    outcome,
    message: `${describeStatus(record)}.`,
    summary: renderAgentSummary(record, url),
    error,
  };
}

/** Follows the job that `job-id` names, without a request: nothing is written on a thread. */
export async function followGivenJob(jobId: string, agent: AgentRun): Promise<AgentResult> {
  const { inputs, run, github } = agent;
  if (inputs.dryRun) {
    const message = `Dry run: job ${jobId} would be followed; nothing was sent.`;
    return skipped({ reason: "dry-run", message });
  }
  await using connection = await connectPlatform(inputs, run);
  const { platform } = connection;
  const startedMs = run.clock.now();
  const follow = () => followToEnd(jobId, startedMs, { ...agent, platform }, {});
  return await followUnrecordedJob({ jobId, runUrl: github.context.runUrl }, inputs, run, follow);
}

async function followUnrecordedJob(
  fields: Partial<ClaimRecord> & { readonly jobId: string },
  { wait }: Pick<AgentInputs, "wait">,
  run: Run,
  follow: () => Promise<JobResult>,
): Promise<AgentResult> {
  run.setOutput("jobId", fields.jobId);
  const status = { ...fields, command: "agent", claimedAt: new Date(run.clock.now()).toISOString() } as const;
  if (!wait)
    return toAgentResult("detached", { record: { ...status, state: "working", outcome: "detached" } });
  const result = await follow();
  if (result.pullRequest) setPullRequestOutputs(result.pullRequest, run);
  const record = { ...status, ...recordFieldsOf(result, run.clock.now()), state: "ended" } as const;
  return toAgentResult(result.outcome, { record }, result.error);
}

/**
 * The command-line form of `agent`, without an event or a thread. With a prompt, starts a job or sends the prompt to the job that
 * `job-id` names; without a prompt, follows that job. A reported pull request must belong to the repository that the job reports.
 *
 * @throws {InputError} with neither a prompt nor a job.
 * @throws {InterruptedError} when cancelled, or after `timeout-minutes`; the job continues.
 */
export async function runAgentDirectly(inputs: AgentInputs, run: Run): Promise<AgentResult> {
  const { projectId = embeddedProject, jobId: given, docsRepository, agentCommand: command } = inputs;
  const prompt = readPromptInput(inputs, run);
  if (prompt === undefined && given === undefined)
    throw new InputError(["`prompt` is missing: the instruction for the agent."]);
  if (inputs.dryRun) return skipped({ reason: "dry-run", message: "Dry run: nothing was sent." });

  await using connection = await connectPlatform(inputs, run, { agent: command ? { command } : undefined });
  const { platform } = connection;
  const jobRequest = { projectId, earlierJobId: given, mustContinue: given !== undefined };
  const created =
    prompt === undefined ? undefined : await createJob(platform, { ...jobRequest, prompt }, run.log);
  if (created === "busy") throw cannotContinue(given ?? "", "it is still busy");
  const jobId = created?.jobId ?? given ?? "";
  const startedMs = run.clock.now();
  let branch: string | undefined;
  const status = { jobId, target: projectId, request: prompt };
  const result = await followUnrecordedJob(status, inputs, run, async () => {
    const job = await followAgentJob(platform, { projectId, jobId }, created ?? startedMs, run);
    const serverUrl = new URL(run.environment["GITHUB_SERVER_URL"] || "https://github.com");
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
