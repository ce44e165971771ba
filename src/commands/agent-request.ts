/** A permitted request for the agent: assembled, claimed, submitted as a job, and followed to its end. */
import { randomBytes } from "node:crypto";
import { successfulOutcomes } from "../base/claim-record.ts";
import { InputError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import { newestCommitBefore, readChanges } from "../github/changes.ts";
import { type ClaimStore, type StoredClaim, triggerKey } from "../github/claim-store.ts";
import { createCommentClaims, type ListedComments, type OwnershipDeps } from "../github/comment-claims.ts";
import { GitHubError } from "../github/errors.ts";
import type { RunContext } from "../github/event.ts";
import type { GitHubApi } from "../github/github-api.ts";
import { isFromOwnPullRequest, isOwn, listOpenOwn, type PullRequest } from "../github/pull-requests.ts";
import { countRecentUses } from "../github/recent-uses.ts";
import { createStatusClaims } from "../github/status-claims.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { formatCount } from "../presentation/markdown.ts";
import { describeStatus, renderStatusComment } from "../presentation/status-comment.ts";
import {
  findPullRequest,
  finishLostSubmission,
  followClaimedJob,
  followUnrecordedJob,
  resumeRequest,
  showRecordedResult,
} from "./agent-end.ts";
import { cannotContinue, createJob, followAgentJob, resolveJobOutcome } from "./agent-job.ts";
import {
  type AgentResult,
  type AgentRun,
  type ClaimedAgentRun,
  embeddedProject,
  ownershipOf,
  skipped,
} from "./agent-run.ts";
import {
  ActiveRequests,
  type ClaimDraft,
  ClaimLease,
  createOwner,
  draftRecord,
  refuseInProgress,
  submitOnce,
} from "./claim.ts";
import {
  findThreadLocation,
  type GitHubConnection,
  type Refusal,
  refuseUnpermitted,
} from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import { findEarlierJob, mayContinue, readJob, refuseOtherProject } from "./earlier-job.ts";
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
import { react, refuseChangedText, refuseOverLimit, reply, replyWithHint } from "./reply.ts";
import type { EventRequest, Keyword } from "./request-from-event.ts";
import {
  type RollingTurn,
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
  if (!inputs.dryRun) await react(github, run, "eyes");
  run.signal.throwIfAborted();
  const { keyword } = eventRequest;
  const request = await (keyword
    ? runKeyword(keyword, eventRequest, agent)
    : assembleRequest(eventRequest, prompt, agent));
  if ("reason" in request) return skipped(request);
  if (inputs.dryRun) {
    const path = `/v2/agent/${encodeURIComponent(agent.projectId)}/job`;
    return dryRunResult("agent", `POST ${path}`, request.compose());
  }
  try {
    const result = await submit(request, agent);
    const hasEnded = result.outcome !== "skipped" && result.outcome !== "detached";
    const isSuccess = successfulOutcomes.some((outcome) => outcome === result.outcome);
    if (hasEnded) await react(github, run, isSuccess ? "+1" : "confused");
    return result;
  } catch (error) {
    await react(github, run, "confused");
    throw error;
  }
}

/** Runs a keyword; for `retry`, returns the request to repeat. */
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
  const claims = location && openClaims(location, await ownershipOf(agent), await github.listComments());
  if (keyword === "stop" && claims) {
    const refusal = await stopRequests(claims, agent);
    await react(github, run, refusal.page === undefined ? "confused" : "+1");
    return refusal;
  }
  const retried = await findRequestToRetry(agent);
  if ("reason" in retried) {
    if (claims) await releaseEarlierAttempts(claims, retried.message, agent);
    if (github.event.type === "written") await reply(retried.message, github.event, github);
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
  const { github, triggerPhrases, projectId: target } = agent;
  const { event, context } = github;
  if (await isOwnChange(agent)) {
    const message = "The change comes from one of the agent's own pull requests.";
    return { reason: "own-pull-request", message };
  }
  const { family, subject, body, instruction } = request;
  const repositoryId = context.repository.id;
  const trigger = triggerKey({ repositoryId, family, subject, body, command: "agent", target });
  const changes = await quoteRelevantChanges(prompt, agent);
  if (changes === "no-match") {
    if (rollingBranch(agent) && !agent.inputs.dryRun) await recordSkippedChange(trigger, agent);
    return { reason: "paths", message: "No changed file matches `paths` and `paths-ignore`." };
  }
  const thread = await quoteRelevantThread(request.origin, agent);

  const assemble = (gathered: readonly QuotedPiece[] = []) =>
    assemblePrompt({
      instruction,
      pieces: [...changes, ...gathered, ...thread.pieces],
      nonce: randomBytes(12).toString("hex"),
      reference: agent.signer.reference(trigger),
    });
  const removed = describeRemoval(request.removed, "the request");
  const notes = [...removed, ...thread.notes, ...assemble().notes];
  const identity = {
    command: "agent",
    target,
    docsRepository: agent.inputs.docsRepository,
    trigger,
    triggerPhrase: triggerPhrases[0],
    runUrl: context.runUrl,
  } as const;
  const draft = draftRecord(identity, instruction, notes, event);
  return { ...request, compose: (gathered) => assemble(gathered).prompt, draft };
}

async function isOwnChange(agent: AgentRun): Promise<boolean> {
  const { event } = agent.github;
  if (event.type === "pull-request") {
    return isOwn({ ...event.thread, isFork: event.isFork }, await ownershipOf(agent));
  }
  return event.type === "push" && isFromOwnPullRequest(event, await ownershipOf(agent));
}

async function quoteRelevantChanges(
  prompt: string | undefined,
  { inputs: { context, paths, pathsIgnore }, github: { event, api } }: AgentRun,
): Promise<QuotedPiece[] | "no-match"> {
  const hasChanges = event.type === "written" ? event.thread.kind === "pull-request" : event.type !== "other";
  if (!hasChanges || event.type === "other") return [];
  const isFiltered =
    (event.type === "push" || event.type === "pull-request") && paths.length + pathsIgnore.length > 0;
  // Without a prompt, the change itself is the request.
  const isRequest = event.type !== "written" && prompt === undefined;
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
  if (event.type !== "written") return { pieces: [], notes: [] };
  const { quoteLocation, readThreadContext } = await import("../github/thread-context.ts");
  const isWholeThread = context === "auto" || context === "thread";
  // A label says nothing by itself: the text that it was added to is always quoted.
  if (!isWholeThread && origin !== "label") {
    return { pieces: context === "none" ? [] : quoteLocation(event), notes: [] };
  }
  const { comments, reviews } = isWholeThread ? await listComments() : { comments: [], reviews: undefined };
  const isTextTheRequest = origin === "written";
  const thread = await readThreadContext(event, comments, run, { ...reviews, isTextTheRequest });
  const { changedSince, unread } = thread;
  const notes = [
    ...describeRemoval(thread, "the thread's other texts"),
    changedSince === 0
      ? undefined
      : `Left out of the context, because they were written or edited after the request: ${formatCount(changedSince, "comment")}.`,
    unread === 0
      ? undefined
      : `Left out of the context for lack of space or time: the oldest ${formatCount(unread, "comment")}.`,
    reviews?.unread
      ? `Left out of the context: the oldest ${formatCount(reviews.unread, "review thread")}.`
      : undefined,
  ];
  return {
    pieces: [...quoteLocation(event), ...thread.pieces],
    notes: notes.filter((note) => note !== undefined),
  };
}

/** Submits a prepared request and follows its job, unless another run did or does. */
async function submit(request: PreparedRequest, agent: AgentRun): Promise<AgentResult> {
  const { inputs, github, run } = agent;
  await using connection = await connectPlatform(inputs, run, {
    agent: embeddedAgent(inputs, github.context),
  });
  // The connection is closed when this function returns: everything that uses it is awaited here.
  const { platform } = connection;
  const lease = await openLease(request.draft, agent);
  const claiming: ClaimedAgentRun = { ...agent, platform, lease };

  const resolution = await lease.resolve();
  const claimed = resolution.kind === "busy" || resolution.kind === "found" ? resolution.claim : undefined;
  if (claimed && isEditOf(claimed, github)) {
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
  if (refusal?.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
  if (refusal) {
    await lease.releaseStale(refusal.message);
    return skipped(refusal);
  }
  const overLimit = await countUse(request.draft, claiming);
  if (overLimit) return skipped(overLimit);

  const { projectId } = agent;
  let turn: AgentTurn | undefined;
  const steps = {
    awaitTurn: async () => {
      turn = await awaitTurn(claiming);
      return turn;
    },
    send: async () => {
      const prompt = request.compose(turn?.gathered);
      const mustContinue = inputs.jobId !== undefined;
      const jobRequest = { projectId, prompt, earlierJobId: turn?.earlierJobId, mustContinue };
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
      await react(github, run, "rocket");
      return await followClaimedJob(submission.job, claiming);
    case "other-run":
      return skipped(refuseInProgress(submission.claim));
    case "lost":
      return await finishLostSubmission(submission.error, claiming);
    case "withdrawn":
      return skipped(submission.refusal);
  }
}

/**
 * Counts the requests of the last hour. Refuses this one if it exceeds `limit-per-user`; one comment per user and hour says when to
 * try again.
 */
async function countUse(draft: ClaimDraft, agent: ClaimedAgentRun): Promise<Refusal | undefined> {
  const { lease, github, inputs, run } = agent;
  if (github.event.type !== "written") return undefined;
  const uses = await countRecentUses(draft, await ownershipOf(agent)).catch((error: unknown) => {
    // Without a limit, the count is only shown.
    if (inputs.limitPerUser !== undefined || !(error instanceof GitHubError)) throw error;
    run.log.debug(error.message);
    return undefined;
  });
  if (!uses) return undefined;
  lease.setUses(uses.projectUses + 1);
  const refusal = refuseOverLimit(uses, inputs.limitPerUser);
  if (!refusal) return undefined;
  if (!refusal.isNotified) {
    await lease.recordEarlierResult({ state: "released", outcome: refusal.outcome });
  }
  await react(github, run, "confused");
  return refusal;
}

/** Whether the event is an edit of a text whose request another workflow run claimed. */
function isEditOf({ record }: StoredClaim, { event, context }: GitHubConnection): boolean {
  const isEdit = event.type === "written" && event.action === "edited";
  return isEdit && !record.owner.startsWith(`${context.runId}.`);
}

function embeddedAgent(
  { agentCommand: command, githubToken: token }: AgentInputs,
  { repository: { owner, name: repository }, serverUrl, apiUrl }: RunContext,
) {
  if (command === undefined || token === undefined) return undefined;
  return { command, github: { serverUrl: serverUrl.origin, apiUrl, owner, repository, token } };
}

/**
 * Waits for earlier requests of the thread, and until the job that the request continues is idle. The record keeps the head commit of
 * that job's pull request, to compare it with the head commit at the end.
 */
async function awaitTurn(agent: ClaimedAgentRun): Promise<AgentTurn> {
  const { lease, run, github } = agent;
  const isOver = async (jobId: string) => {
    const job = await readJob(jobId, agent);
    return job?.status?.toLowerCase() !== "active";
  };
  const activeRequests = new ActiveRequests(createOwner(github.context), isOver, run.clock);
  const branch = rollingBranch(agent);
  for (let hasWaited = false; ; hasWaited = true) {
    const turn =
      branch === undefined
        ? await takeThreadTurn(activeRequests, agent)
        : await takeRollingTurn(branch, activeRequests, agent);
    if (turn.refusal) return turn;
    const job = await findEarlierJob(turn.earlier, agent);
    const refusal = job || !mayContinue(agent) ? undefined : await refuseMorePullRequests(agent);
    if (refusal) return { ...turn, refusal };
    lease.amend({ headBefore: job?.pull?.headSha, pullRequestUrl: job?.pull?.url });
    if (!job?.isBusy) return { ...turn, earlierJobId: job?.jobId, hasWaited: hasWaited || turn.hasWaited };
    const name = `job ${job.jobId}`;
    await lease.waitAndRenew(
      `queued behind ${name}`,
      () => isOver(job.jobId),
      `Agent ${name} is busy; waiting for it.`,
    );
  }
}

/** Requests are queued by thread only: the statuses of a commit contain requests of all threads. */
async function takeThreadTurn(
  activeRequests: ActiveRequests,
  { lease, github, inputs }: ClaimedAgentRun,
): Promise<RollingTurn> {
  if (github.event.type !== "written" || !inputs.statusComment) {
    return { hasWaited: false, earlier: [], gathered: [] };
  }
  return {
    hasWaited: await lease.awaitTurn(activeRequests),
    earlier: await lease.listEarlier(),
    gathered: [],
  };
}

interface AgentTurn extends RollingTurn {
  readonly earlierJobId?: string | undefined;
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
    const pull = await findPullRequest(trigger, since, agent);
    if (pull) log.info(`The pull request of an earlier run was found: #${pull.number}.`);
    return pull;
  } catch (error) {
    signal.throwIfAborted();
    log.warning(`The pull request of an earlier run could not be searched for: ${messageOf(error)}`);
    return undefined;
  }
}

/** Why a permitted request must not be sent. */
async function refuseRequest({ origin }: EventRequest, agent: AgentRun): Promise<Refusal | undefined> {
  const refusal =
    origin === "change" || origin === "label" ? undefined : await refuseChangedText(agent.github);
  return refusal || mayContinue(agent) ? refusal : refuseMorePullRequests(agent);
}

/** A request that continues no job may open another pull request. */
async function refuseMorePullRequests(agent: AgentRun): Promise<Refusal | undefined> {
  const { maxOpenPullRequests } = agent.inputs;
  if (maxOpenPullRequests === undefined) return undefined;
  let open = 0;
  for await (const _pull of listOpenOwn(await ownershipOf(agent))) {
    open += 1;
    if (open < maxOpenPullRequests) continue;
    const message = `${open} pull requests of the agent are open, and \`max-open-pull-requests\` allows no more.`;
    return { reason: "max-open-pull-requests", message };
  }
  return undefined;
}

async function openLease(draft: ClaimDraft, agent: AgentRun): Promise<ClaimLease> {
  const { github, run } = agent;
  const location = await locateClaims(agent);
  const ownership = await ownershipOf(agent);
  const listed = location.kind === "thread" ? await github.listComments() : undefined;
  const open = (api: GitHubApi) => openClaims(location, { ...ownership, api }, listed);
  const trigger = { location, claims: open(github.api), shutdownClaims: open(github.shutdownApi) };
  return new ClaimLease(trigger, createOwner(github.context), draft, run);
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
  const newest = event.type === "written" ? await newestCommitBefore(event.text.createdAt, api) : undefined;
  return { kind: "commit", sha: newest ?? context.sha };
}

/** @param listed the thread's comments, if they were already listed; otherwise comments since the request are listed */
export function openClaims(
  location: ClaimLocation,
  ownership: OwnershipDeps,
  listed?: ListedComments,
): ClaimStore {
  if (location.kind === "commit") {
    return createStatusClaims(location, { ...ownership, describe: describeStatus });
  }
  const { thread, since } = location;
  const deps = { ...ownership, render: renderStatusComment };
  return createCommentClaims({ thread, since, listed }, deps);
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
