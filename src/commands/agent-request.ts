/** A request of people who may ask the agent: its word or its job, from what the agent is told to the end of the run. */
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
  /** The prompt, with what was gathered since quoted as well. */
  readonly compose: (gathered?: readonly QuotedPiece[]) => string;
  readonly draft: ClaimDraft;
}

/** Carries out the request of people who may ask. */
export async function carryOutRequest(
  asked: EventRequest,
  prompt: string | undefined,
  agent: AgentRun,
): Promise<AgentResult> {
  const { inputs, github, run } = agent;
  if (!inputs.dryRun) await react(github, run, "eyes");
  run.signal.throwIfAborted();
  const { word } = asked;
  const request = await (word ? runKeyword(word, asked, agent) : assembleRequest(asked, prompt, agent));
  if ("reason" in request) return skipped(request);
  if (inputs.dryRun) {
    const path = `/v2/agent/${encodeURIComponent(agent.projectId)}/job`;
    return dryRunResult("agent", `POST ${path}`, request.compose());
  }
  try {
    const end = await submit(request, agent);
    const isEnd = end.outcome !== "skipped" && end.outcome !== "detached";
    if (isEnd)
      await react(github, run, successfulOutcomes.some((each) => each === end.outcome) ? "+1" : "confused");
    return end;
  } catch (error) {
    await react(github, run, "confused");
    throw error;
  }
}

/** Carries out a word about the thread's requests; of "retry" comes a request. */
async function runKeyword(
  word: Keyword,
  request: EventRequest,
  agent: AgentRun,
): Promise<PreparedRequest | Refusal> {
  const { inputs, github, run } = agent;
  if (word === "help") return replyWithHelp(agent);
  if (inputs.dryRun) return { reason: "dry-run", message: `Dry run: \`${word}\` would be followed.` };
  if (word === "status") return replyWithStatus(agent);
  const location = findThreadLocation(github);
  const claims = location && openClaims(location, await ownershipOf(agent), await github.listComments());
  if (word === "stop" && claims) {
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

/** Adds to a permitted request what else the agent should know; or says why there is nothing to do. */
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
  const facts = {
    command: "agent",
    target,
    docsRepository: agent.inputs.docsRepository,
    trigger,
    triggerPhrase: triggerPhrases[0],
    runUrl: context.runUrl,
  } as const;
  const draft = draftRecord(facts, instruction, notes, event);
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
  // A request that only says "this changed" is nothing without the change.
  const saysOnlyThat = event.type !== "written" && prompt === undefined;
  const isQuoted = context === "auto" || context === "changes" || saysOnlyThat;
  if (!isQuoted && !isFiltered) return [];
  const changes = await readChanges(event, api);
  const all = changes.files.map(({ path }) => path);
  const matching = isFiltered ? filterPaths(all, { paths, pathsIgnore }) : all;
  // A cut list does not prove that nothing matches.
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
  // Without the text that got the label, the request would be about nothing.
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
      : `Left out of the context, because they came or changed after the request: ${formatCount(changedSince, "comment")}.`,
    unread === 0
      ? undefined
      : `Left out of the context for want of room or time: the oldest ${formatCount(unread, "comment")}.`,
    reviews?.unread
      ? `Left out of the context: the oldest ${formatCount(reviews.unread, "review thread")}.`
      : undefined,
  ];
  return {
    pieces: [...quoteLocation(event), ...thread.pieces],
    notes: notes.filter((note) => note !== undefined),
  };
}

/** Has a prepared request carried out, unless another run did or does. */
async function submit(request: PreparedRequest, agent: AgentRun): Promise<AgentResult> {
  const { inputs, github, run } = agent;
  await using connection = await connectPlatform(inputs, run, {
    agent: embeddedAgent(inputs, github.context),
  });
  // The connection lasts until this function returns: what uses it is awaited here.
  const { platform } = connection;
  const lease = await openLease(request.draft, agent);
  const claiming: ClaimedAgentRun = { ...agent, platform, lease };

  const situation = await lease.resolve();
  const known = situation.kind === "busy" || situation.kind === "found" ? situation.claim : undefined;
  if (known && isEditOf(known, github)) {
    return skipped({ reason: "edited", message: "The text was edited after its request was taken." });
  }
  if (situation.kind === "busy") return skipped(refuseInProgress(situation.claim));
  if (situation.kind === "found") return await resumeRequest(situation.claim, claiming);
  if (situation.kind === "lost" && inputs.onAmbiguous === "stop") {
    lease.resume(situation.claim);
    return await finishLostSubmission(undefined, claiming);
  }
  const earlier = await findEarlierPullRequest(request.draft.trigger, agent);
  if (earlier) {
    await lease.recordEarlierEnd({ outcome: "pull-request", pullRequestUrl: earlier.url }, situation.stale);
    return showRecordedResult(lease.claim, agent);
  }
  const refusal = (await refuseOtherProject(agent)) ?? (await refuseRequest(request, agent));
  if (refusal?.hint !== undefined) await replyWithHint(refusal.hint, inputs, github, run);
  if (refusal) {
    await lease.release(situation.stale, refusal.message);
    return skipped(refusal);
  }
  const overLimit = await countUse(request.draft, situation.stale, claiming);
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
      const asked = { projectId, prompt, earlierJobId: turn?.earlierJobId, mustContinue };
      const job = await createJob(platform, asked, run.log);
      // The pull request of another job says nothing about this one.
      if (job !== "busy" && !job.isFollowUp) lease.note({ headBefore: undefined, pullRequestUrl: undefined });
      return job;
    },
    // In an hour, a permission may have been taken away.
    refuse: async () =>
      (await refuseUnpermitted(inputs, github, "Not permitted any more")) ??
      (await refuseRequest(request, agent)),
    resubmissions: inputs.onAmbiguous === "resubmit" ? 1 : 0,
  };
  const submission = await submitOnce(lease, situation.stale, steps, run);
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
 * Counts a request among those of the last hour. Where it is one too many, one comment for each person says when to come back.
 */
async function countUse(
  draft: ClaimDraft,
  stale: readonly StoredClaim[],
  agent: ClaimedAgentRun,
): Promise<Refusal | undefined> {
  const { lease, github, inputs, run } = agent;
  if (github.event.type !== "written") return undefined;
  const uses = await countRecentUses(draft, await ownershipOf(agent)).catch((error: unknown) => {
    // Without a limit, the count is only something to show.
    if (inputs.limitPerUser !== undefined || !(error instanceof GitHubError)) throw error;
    run.log.debug(error.message);
    return undefined;
  });
  if (!uses) return undefined;
  lease.describe({ uses: uses.ofProject + 1 });
  const refusal = refuseOverLimit(uses, inputs.limitPerUser);
  if (!refusal) return undefined;
  if (!refusal.isTold) {
    await lease.recordEarlierEnd({ state: "released", outcome: refusal.outcome }, stale);
  }
  await react(github, run, "confused");
  return refusal;
}

/** Whether an event tells of a change to a text whose request another workflow run took before. */
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
 * Waits until the request may be sent: behind earlier requests of its thread, and until the job that it continues is idle.
 * What its pull request is like then is kept in the record, for the comparison at the end.
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
    lease.note({ headBefore: job?.pull?.headSha, pullRequestUrl: job?.pull?.url });
    if (!job?.isBusy) return { ...turn, earlierJobId: job?.jobId, hasWaited: hasWaited || turn.hasWaited };
    const name = `job ${job.jobId}`;
    await lease.hold(
      `queued behind ${name}`,
      () => isOver(job.jobId),
      `Agent ${name} works; waiting for it.`,
    );
  }
}

/** Only the requests of a thread continue one another; a commit's statuses hold those of all threads. */
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

/** No pull request is opened sooner after the text that asks for it. */
const soonestPullRequestMs = 2 * 60_000;

/**
 * The pull request of an earlier run's request whose record is gone: comments can be deleted or edited by others. Where it
 * cannot be looked up, the record alone counts.
 */
async function findEarlierPullRequest(trigger: string, agent: AgentRun): Promise<PullRequest | undefined> {
  const { clock, log, signal } = agent.run;
  const { since } = findThreadLocation(agent.github) ?? {};
  // A commit's statuses cannot be taken away.
  if (since === undefined) return undefined;
  const isFirst = agent.github.context.runAttempt === 1;
  if (isFirst && clock.now() - Date.parse(since) < soonestPullRequestMs) return undefined;
  try {
    const pull = await findPullRequest(trigger, since, agent);
    if (pull) log.info(`An earlier run's pull request was found: #${pull.number}.`);
    return pull;
  } catch (error) {
    signal.throwIfAborted();
    log.warning(`Whether an earlier run led to a pull request could not be looked up: ${messageOf(error)}`);
    return undefined;
  }
}

/** Why a permitted request must not be sent all the same. */
async function refuseRequest({ origin }: EventRequest, agent: AgentRun): Promise<Refusal | undefined> {
  const refusal =
    origin === "change" || origin === "label" ? undefined : await refuseChangedText(agent.github);
  return refusal || mayContinue(agent) ? refusal : refuseMorePullRequests(agent);
}

/** A request that continues no job may lead to one more pull request. */
async function refuseMorePullRequests(agent: AgentRun): Promise<Refusal | undefined> {
  const { maxOpenPullRequests } = agent.inputs;
  if (maxOpenPullRequests === undefined) return undefined;
  let open = 0;
  for await (const _pull of listOpenOwn(await ownershipOf(agent))) {
    open += 1;
    if (open === maxOpenPullRequests) break;
  }
  if (open < maxOpenPullRequests) return undefined;
  return {
    reason: "max-open-pull-requests",
    message: `${open} pull requests of the agent are open, and \`max-open-pull-requests\` allows no more.`,
  };
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
 * Where a request's records are kept: in comments of its thread, or in the statuses of a commit. For a text without a status
 * comment that is the commit that was newest when it was written, so that a second delivery finds the record although the
 * branch has moved on.
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

/** @param listed what is known of the thread; without it, what changed since the request */
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
 * For the person at a command line, without an event and a thread: starts an agent job, continues the one that `job-id` names, or
 * without a prompt follows it. Its pull request is shown as the platform reports it, if it is one of the repository that the job works on.
 *
 * @throws {InputError} with neither a prompt nor a job.
 * @throws {InterruptedError} when cancelled or out of time; the job goes on.
 */
export async function runAgentDirectly(inputs: AgentInputs, run: Run): Promise<AgentResult> {
  const { projectId = embeddedProject, jobId: given, docsRepository, agentCommand: command } = inputs;
  const prompt = readPromptInput(inputs, run);
  if (prompt === undefined && given === undefined)
    throw new InputError(["`prompt` is missing: what the agent shall do."]);
  if (inputs.dryRun) return skipped({ reason: "dry-run", message: "Dry run: nothing was sent." });

  await using connection = await connectPlatform(inputs, run, { agent: command ? { command } : undefined });
  const { platform } = connection;
  const asked = { projectId, earlierJobId: given, mustContinue: given !== undefined };
  const created = prompt === undefined ? undefined : await createJob(platform, { ...asked, prompt }, run.log);
  if (created === "busy") throw cannotContinue(given ?? "", "it is still at work");
  const jobId = created?.jobId ?? given ?? "";
  const startedMs = run.clock.now();
  let branch: string | undefined;
  const facts = { jobId, target: projectId, request: prompt };
  const end = await followUnrecordedJob(facts, inputs, run, async () => {
    const job = await followAgentJob(platform, { projectId, jobId }, created ?? startedMs, run);
    const serverUrl = new URL(run.environment["GITHUB_SERVER_URL"] || "https://github.com");
    const home = { docsRepository, serverUrl, platformOrigin: platform.origin };
    const resolved = await resolveJobOutcome(jobId, job, home);
    const { pullRequest } = resolved;
    if (inputs.baseUrl !== "local" || pullRequest === undefined || pullRequest.number !== undefined)
      return resolved;
    // The embedded platform's page of a pull request ends with it; the branch stays.
    const { branchOf } = await import(/* webpackChunkName: "platform" */ "../server/agents/agent-jobs.ts");
    branch = branchOf(jobId);
    return { outcome: "no-pull-request" };
  });
  if (branch === undefined) return end;
  const message = `The change is on the branch \`${branch}\`; \`git diff HEAD...${branch}\` shows it.`;
  return { ...end, message, summary: `### ✅ Docs agent: changed\n\n${message}\n` };
}
