/** The agent command: an event becomes one job at the platform, and the job's pull request appears where it was asked for. */
import { type ActionError, InterruptedError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import { newestCommitBefore } from "../github/changes.ts";
import type { ClaimRecord, ClaimStore, StoredClaim } from "../github/claim-store.ts";
import {
  createCommentClaims,
  type ListedComments,
  markerIn,
  type OwnershipDeps,
} from "../github/comment-claims.ts";
import { createThreadComments } from "../github/comments.ts";
import type { RunContext } from "../github/event.ts";
import type { GitHubApi } from "../github/github-api.ts";
import { readPhrases } from "../github/may-trigger.ts";
import { listOpenOwn } from "../github/open-pull-requests.ts";
import {
  decoratePullRequest,
  findByReference,
  introducePullRequest,
  type ListedPullRequest,
  type Origin,
  readPullRequest,
  warnIfRefused,
} from "../github/pull-requests.ts";
import { countRecentUses } from "../github/recent-uses.ts";
import { answerReviewThreads } from "../github/review-threads.ts";
import { createStatusClaims } from "../github/status-claims.ts";
import { pageLink } from "../presentation/markdown.ts";
import {
  addressedText,
  describeStatus,
  introducePullRequestText,
  pullNumberOf,
  type RequestStatus,
  renderAgentDryRun,
  renderAgentSummary,
  renderEndNotice,
  renderStatusComment,
} from "../presentation/status-comment.ts";
import { renderSkipped } from "../presentation/summaries.ts";
import {
  type BeforeJob,
  type CreatedJob,
  createAgentSigner,
  createJob,
  followAgentJob,
  foundEnd,
  homePullOf,
  isJobGone,
  type JobEnd,
  type JobPullRequest,
  jobFailed,
  recordOf,
  resolveJobOutcome,
  verifyPullRequestLink,
} from "./agent-job.ts";
import { assembleRequest, type PreparedRequest, prepareRequest, type WordRequest } from "./agent-request.ts";
import { type Agent, type ClaimingAgent, homeOf, ownershipOf } from "./agent-run.ts";
import {
  type ClaimDraft,
  ClaimLease,
  createOwner,
  explainError,
  hasWaitingRun,
  leaveToOtherRun,
  Rivals,
  stoppedByUser,
  submitOnce,
} from "./claim.ts";
import {
  connectGitHub,
  findThread,
  type GitHubConnection,
  type Refusal,
  react,
  refuseChangedText,
  refuseOverLimit,
  refusePeople,
} from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import { findEarlierJob, mayContinue, readJob, refuseOtherProject } from "./earlier-job.ts";
import type { AgentInputs } from "./inputs.ts";
import { readGivenPrompt } from "./inside-workspace.ts";
import { inputText } from "./read-inputs.ts";
import { giveHint, reply } from "./reply.ts";
import type { EventRequest } from "./request-from-event.ts";
import { listChangesIn, type RollingTurn, rollingBranch, rollingCommit, takeRollingTurn } from "./rolling.ts";
import type { CommandEnd, PostRun, Run } from "./run.ts";
import { type ClaimLocation, correctRecord, readSavedClaim } from "./saved-claim.ts";
import { findRetried, stopRequests, tellStatus } from "./words.ts";

type AgentEnd = CommandEnd<"agent">;

/**
 * Runs the agent for an event, or follows the job that `job-id` names.
 *
 * @throws {InterruptedError} when cancelled or out of time; the record then says that the job goes on.
 * @throws {PlatformError} when the platform turned the request away, or cannot be read any more.
 */
export async function runAgent(inputs: AgentInputs, run: Run): Promise<AgentEnd> {
  const prompt = await readGivenPrompt(inputs, run);
  const github = await connectGitHub(inputs, run);
  const agent = createAgent(inputs, github, run);
  if (inputs.jobId !== undefined && prompt === undefined) return followGivenJob(inputs.jobId, agent);

  const prepared = await prepareRequest(prompt, agent);
  const request = prepared.kind === "word" ? await followWord(prepared, agent) : prepared;
  if (request.kind === "skip") return skipped(request);
  if (inputs.dryRun) return describeDryRun(request.prompt, agent);
  try {
    const end = await carryOut(request, agent);
    const isEnd = end.outcome !== "skipped" && end.outcome !== "detached";
    if (isEnd) await react(github, run, successes.some((each) => each === end.outcome) ? "+1" : "confused");
    return end;
  } catch (error) {
    await react(github, run, "confused");
    throw error;
  }
}

/** Carries out a word about the thread's requests; of "retry" comes a request. */
async function followWord(
  { word, ...request }: WordRequest,
  agent: Agent,
): Promise<PreparedRequest | (Refusal & { readonly kind: "skip" })> {
  const { inputs, github, run } = agent;
  const skip = (refusal: Refusal) => ({ kind: "skip", ...refusal }) as const;
  if (inputs.dryRun) return skip({ reason: "dry-run", message: `Dry run: \`${word}\` would be followed.` });
  if (word === "status") return skip(await tellStatus(agent));
  const location = findThread(github);
  if (word === "stop" && location) {
    const claims = openClaims(location, await ownershipOf(agent), await github.listComments());
    const refusal = await stopRequests(claims, agent);
    await react(github, run, refusal.page === undefined ? "confused" : "+1");
    return skip(refusal);
  }
  const retried = await findRetried(agent);
  if ("reason" in retried) {
    if (github.event.type === "written") await reply(retried.message, github.event, github);
    return skip(retried);
  }
  return assembleRequest(
    { ...request, kind: "request", instruction: retried.request ?? "" },
    undefined,
    agent,
  );
}

/** Has a prepared request carried out, unless another run did or does. */
async function carryOut(request: PreparedRequest, agent: Agent): Promise<AgentEnd> {
  const { inputs, github, run } = agent;
  await using connection = await connectPlatform(inputs, run, {
    agent: embeddedAgent(inputs, github.context),
  });
  // The connection lasts until this function returns: what uses it is awaited here.
  const { platform } = connection;
  const lease = await openLease(request.draft, agent);
  const claiming: ClaimingAgent = { ...agent, platform, lease };

  const situation = await lease.resolve();
  const known = situation.kind === "busy" || situation.kind === "found" ? situation.claim : undefined;
  if (known && isEditOf(known, github)) {
    return skipped({ reason: "edited", message: "The text was edited after its request was taken." });
  }
  if (situation.kind === "busy") return skipped(leaveToOtherRun(situation.claim));
  if (situation.kind === "found") return await resumeRequest(situation.claim, claiming);
  if (situation.kind === "lost" && inputs.onAmbiguous === "stop") {
    lease.resume(situation.claim);
    return await concludeLost(undefined, claiming);
  }
  const earlier = await findEarlierPullRequest(request.draft.trigger, agent);
  if (earlier) {
    await lease.recordEarlierEnd({ outcome: "pull-request", pullRequestUrl: earlier.url }, situation.stale);
    return showRecordedEnd(lease.claim, agent);
  }
  const refusal = (await refuseOtherProject(agent)) ?? (await refuseRequest(request, agent));
  if (refusal?.hint !== undefined) await giveHint(refusal.hint, inputs, github, run);
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
      const { gathered = [], earlierJobId } = turn ?? {};
      const prompt = gathered.length === 0 ? request.prompt : request.compose(gathered);
      const job = await createJob(platform, { projectId, prompt, earlierJobId }, run.log);
      // The pull request of another job says nothing about this one.
      if (job !== "busy" && !job.isFollowUp) lease.note({ headBefore: undefined, pullRequestUrl: undefined });
      return job;
    },
    // In an hour, a permission may have been taken away.
    refuse: async () =>
      (await refusePeople(inputs, github, "Not permitted any more")) ?? (await refuseRequest(request, agent)),
    resubmissions: inputs.onAmbiguous === "resubmit" ? 1 : 0,
  };
  const submission = await submitOnce(lease, situation.stale, steps, run);
  switch (submission.kind) {
    case "submitted":
      await react(github, run, "rocket");
      return await followClaimedJob(submission.job, claiming);
    case "other-run":
      return skipped(leaveToOtherRun(submission.claim));
    case "lost":
      return await concludeLost(submission.error, claiming);
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
  agent: ClaimingAgent,
): Promise<Refusal | undefined> {
  const { lease, github, inputs, run } = agent;
  if (github.event.type !== "written") return undefined;
  const uses = await countRecentUses(draft, await ownershipOf(agent));
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

/** Corrects the record of a request whose run was killed; the post step. */
export async function finishAgent(run: PostRun): Promise<void> {
  const { environment } = run;
  const saved = readSavedClaim(run.state);
  if (!saved) return;
  const input = (name: string) => inputText(name, environment)?.trim();
  const github = await connectGitHub({ githubToken: input("github-token") }, run);
  const signer = createAgentSigner(input("api-key"), github);
  const ownership = { api: github.api, signer, identity: await github.readIdentity() };
  const claims = openClaims(saved.location, ownership);
  await correctRecord(saved.record, input("base-url") === "local", claims, run);
}

/** The embedded platform has one project; of any other, the inputs name it. */
const embeddedProject = "local";

function createAgent(inputs: AgentInputs, github: GitHubConnection, run: Run): Agent {
  const { projectId = embeddedProject } = inputs;
  const triggerPhrases = readPhrases("agent", inputs.triggerPhrase);
  const signer = createAgentSigner(inputs.apiKey, github);
  return { inputs, run, github, signer, projectId, triggerPhrases };
}

/** The program that the embedded platform runs as its agent. */
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
async function awaitTurn(agent: ClaimingAgent): Promise<AgentTurn> {
  const { lease, platform, run, github } = agent;
  const isOver = async (jobId: string) => {
    const job = await readJob(jobId, platform, agent);
    return job?.status?.toLowerCase() !== "active";
  };
  const rivals = new Rivals(createOwner(github.context), isOver, run.clock);
  const branch = rollingBranch(agent);
  for (let hasWaited = false; ; hasWaited = true) {
    const turn =
      branch === undefined
        ? await takeThreadTurn(rivals, agent)
        : await takeRollingTurn(branch, rivals, agent);
    if (turn.refusal) return turn;
    const job = await findEarlierJob(turn.earlier, platform, agent);
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
  rivals: Rivals,
  { lease, github, inputs }: ClaimingAgent,
): Promise<RollingTurn> {
  if (github.event.type !== "written" || !inputs.statusComment) {
    return { hasWaited: false, earlier: [], gathered: [] };
  }
  return { hasWaited: await lease.awaitTurn(rivals), earlier: await lease.listEarlier(), gathered: [] };
}

interface AgentTurn extends RollingTurn {
  /** The job that the request continues. */
  readonly earlierJobId?: string | undefined;
}

/** No pull request is opened sooner after the text that asks for it. */
const soonestPullRequestMs = 2 * 60_000;

/**
 * The pull request of an earlier run's request whose record is gone: comments can be deleted or edited by others. Where it
 * cannot be looked up, the record alone counts.
 */
async function findEarlierPullRequest(trigger: string, agent: Agent): Promise<ListedPullRequest | undefined> {
  const { clock, log, signal } = agent.run;
  const { since } = findThread(agent.github) ?? {};
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

function findPullRequest(
  trigger: string,
  since: string,
  { signer, github }: Agent,
): Promise<ListedPullRequest | undefined> {
  return findByReference({ reference: signer.reference(trigger), since }, github.api);
}

/** Why a permitted request must not be sent all the same. */
async function refuseRequest({ origin }: EventRequest, agent: Agent): Promise<Refusal | undefined> {
  const refusal =
    origin === "change" || origin === "label" ? undefined : await refuseChangedText(agent.github);
  return refusal || mayContinue(agent) ? refusal : refuseMorePullRequests(agent);
}

/** A request that continues no job may lead to one more pull request. */
async function refuseMorePullRequests(agent: Agent): Promise<Refusal | undefined> {
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

async function openLease(draft: ClaimDraft, agent: Agent): Promise<ClaimLease> {
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
async function locateClaims(agent: Agent): Promise<ClaimLocation> {
  const { inputs, github } = agent;
  const { event, api, context } = github;
  if (rollingBranch(agent)) return { kind: "commit", sha: rollingCommit(github) ?? context.sha };
  const location = findThread(github);
  if (location && inputs.statusComment) return location;
  const newest = event.type === "written" ? await newestCommitBefore(event.text.createdAt, api) : undefined;
  return { kind: "commit", sha: newest ?? context.sha };
}

/** @param listed what is known of the thread; without it, what changed since the request */
function openClaims(location: ClaimLocation, ownership: OwnershipDeps, listed?: ListedComments): ClaimStore {
  if (location.kind === "commit") {
    return createStatusClaims(location, { ...ownership, describe: describeStatus });
  }
  const { thread, since } = location;
  const deps = { ...ownership, render: renderStatusComment };
  return createCommentClaims({ thread, ...(listed ? { listed } : { since }) }, deps);
}

/** Goes on with a request that an earlier run recorded: shows its end, or follows its job. */
async function resumeRequest(claim: StoredClaim, agent: ClaimingAgent): Promise<AgentEnd> {
  const { lease, inputs, run, github } = agent;
  lease.resume(claim);
  if (claim.record.state === "ended") return showRecordedEnd(claim, agent);
  const { jobId = "" } = claim.record;
  if (inputs.baseUrl !== "local") {
    run.log.info(`Resuming job ${jobId}, which an earlier run started.`);
    return followClaimedJob(undefined, agent);
  }
  // An embedded platform's job can be followed by its own run only, and ends with that.
  run.setOutput("jobId", jobId);
  if (hasWaitingRun(claim, createOwner(github.context))) return skipped(leaveToOtherRun(claim));
  const message = `Agent job ${jobId} ended with the run that started it, as jobs of the embedded platform do.`;
  return concludeGone(message, agent);
}

/**
 * Follows the job of the claim to its end, or leaves it running; the record is true however this ends.
 *
 * @param created the answer to the creating request, if this run sent it
 */
async function followClaimedJob(created: CreatedJob | undefined, agent: ClaimingAgent): Promise<AgentEnd> {
  const { inputs, run, github, lease, platform } = agent;
  const { record, ageMs } = lease.claim;
  const { jobId = "" } = record;
  run.setOutput("jobId", jobId);
  if (!inputs.wait) {
    await lease.record({ state: "working", outcome: "detached" });
    return describe("detached", lease.claim);
  }
  let end: JobEnd;
  try {
    // The status names the run that waits, not the one that is gone.
    if (!created) await lease.record({ runUrl: github.context.runUrl });
    const before = { ...lease.claim.record, since: lease.claim.createdAt ?? record.claimedAt };
    const start = created ?? Date.parse(record.startedAt ?? record.claimedAt);
    end = await followToEnd(jobId, start, platform, agent, before, createStopWatch(lease, run));
  } catch (error) {
    if (isJobGone(error, ageMs)) {
      return concludeGone(`The platform no longer knows agent job ${jobId}.`, agent);
    }
    await recordPause(error, agent);
    throw inputs.baseUrl === "local" ? withoutResumption(error) : error;
  }
  return concludeEnd(end, agent);
}

/** How long after a job's end GitHub may show its last push. */
const latePushMs = 5_000;
/** How often a run that follows a job looks whether a person stopped it; each look is a request to GitHub. */
const stopWatchMs = 120_000;

/** Looks from time to time whether a person stopped the request, which ends the run. */
function createStopWatch(lease: ClaimLease, { clock }: Run): () => Promise<void> {
  let nextMs = clock.now() + stopWatchMs / 2;
  return async () => {
    if (clock.now() < nextMs) return;
    nextMs = clock.now() + stopWatchMs;
    await lease.requireUnstopped();
  };
}

/** Writes down why this run stopped waiting for a job, or that the job was stopped with its platform. */
async function recordPause(error: unknown, { lease, inputs }: ClaimingAgent): Promise<void> {
  // The job that a person stopped goes on, but for the embedded platform's.
  if (lease.claim.record.outcome === stoppedByUser && inputs.baseUrl !== "local") return;
  const reason = error instanceof InterruptedError ? error.code : "failed";
  const message = error instanceof PlatformError ? { message: explainError(error) } : {};
  const outcome = inputs.baseUrl === "local" ? "stopped" : reason;
  await lease.record({ state: "working", outcome, ...message });
}

/** The interruption of a run whose job ended with it: there is nothing to resume. */
function withoutResumption(error: unknown): unknown {
  if (!(error instanceof InterruptedError)) return error;
  const hint = "The embedded platform's jobs end with their run. Ask again to start a new one.";
  return new InterruptedError(error.code, error.message, { hint, retryable: false, cause: error });
}

/** Labels, reviewers, draft, and where its job is known the comment that says so; a failure is only worth a warning. */
async function adoptPullRequest(
  pull: ListedPullRequest,
  origin: Origin | undefined,
  agent: Agent,
): Promise<void> {
  const { inputs, run, github, triggerPhrases } = agent;
  const { pullRequestLabels: labels, pullRequestReviewers: reviewers, pullRequestDraft: draft } = inputs;
  await decoratePullRequest(pull, { labels, reviewers, draft }, github.api, run.log);
  if (!origin || !inputs.statusComment) return;
  const page = github.event.type === "written" ? github.event.thread.url : undefined;
  const text = introducePullRequestText(origin.jobId, page, triggerPhrases[0]);
  await introducePullRequest({ number: pull.number, text, origin }, await ownershipOf(agent), run.log);
}

/** Follows a job that the workflow names; there is no request, and nothing is written on any thread. */
async function followGivenJob(jobId: string, agent: Agent): Promise<AgentEnd> {
  const { inputs, run, github } = agent;
  if (inputs.dryRun) {
    const message = `Dry run: job ${jobId} would be followed; nothing was sent.`;
    return skipped({ reason: "dry-run", message });
  }
  await using connection = await connectPlatform(inputs, run);
  const { platform } = connection;
  run.setOutput("jobId", jobId);
  const status = {
    command: "agent",
    jobId,
    runUrl: github.context.runUrl,
    claimedAt: new Date(run.clock.now()).toISOString(),
  } as const;
  if (!inputs.wait) {
    return describe("detached", { record: { ...status, state: "working", outcome: "detached" } });
  }
  const end = await followToEnd(jobId, run.clock.now(), platform, agent, {});
  const { outcome, pullRequest, error } = end;
  if (pullRequest) setPullRequest(pullRequest, run);
  const record = { ...status, ...recordOf(end, run.clock.now()), state: "ended" } as const;
  return describe(outcome, { record }, error);
}

/** Follows a job to its end, and adopts its pull request. */
async function followToEnd(
  jobId: string,
  start: CreatedJob | number,
  platform: PlatformClient,
  agent: Agent,
  before: BeforeJob,
  onPoll?: () => Promise<void>,
): Promise<JobEnd> {
  const { run, projectId: project } = agent;
  const job = await followAgentJob(platform, { projectId: project, jobId }, start, { ...run, onPoll });
  const resolve = () => resolveJobOutcome(jobId, job, homeOf(agent, platform), before);
  let end = await resolve();
  if (end.outcome === "unchanged") {
    // The platform may say that it is done a moment before GitHub shows what it pushed.
    await run.clock.sleep(latePushMs, run.signal);
    end = await resolve();
  }
  const pull = homePullOf(end);
  const isKnown = end.outcome === "updated" || end.outcome === "unchanged";
  if (pull && !isKnown) await adoptPullRequest(pull, { project, jobId, source: rollingBranch(agent) }, agent);
  return end;
}

/** Writes an end down and makes it the command's. */
async function concludeEnd(end: JobEnd, agent: ClaimingAgent): Promise<AgentEnd> {
  const { lease, run } = agent;
  if (end.pullRequest) setPullRequest(end.pullRequest, run);
  await lease.record(recordOf(end, run.clock.now()));
  const branch = rollingBranch(agent);
  const pull = homePullOf(end);
  if (branch && pull) await warnIfRefused(pull.number, run.log, () => listChangesIn(pull, branch, agent));
  await answerThread(end, agent);
  return describe(end.outcome, lease.claim, end.error);
}

/** So long after its start, people do not look any more: an edit of the status notifies nobody of the end. */
const noticeAfterMs = 10 * 60_000;

/** Tells the review threads which commit addressed them, and after a long wait the person who asked that it is over. */
async function answerThread(end: JobEnd, agent: ClaimingAgent): Promise<void> {
  const { lease, run, github, inputs } = agent;
  const { event } = github;
  const { record, url } = lease.claim;
  if (event.type !== "written") return;
  const ownership = await ownershipOf(agent);
  const pull = homePullOf(end);
  const { headBefore } = record;
  const isOnPull = event.thread.kind === "pull-request";
  if (end.outcome === "updated" && isOnPull && pull && headBefore !== undefined) {
    const request = { pullNumber: pull.number, requestedAt: event.text.changedAt, headBefore };
    const answer = { headAfter: pull.headSha, resolve: inputs.resolveThreads, describe: addressedText };
    await answerReviewThreads({ ...request, ...answer }, ownership, run.log);
  }
  const startedAt = record.startedAt ?? record.claimedAt;
  if (!inputs.statusComment || run.clock.now() - Date.parse(startedAt) < noticeAfterMs) return;
  const marker = markerIn({ thread: event.thread, comment: "new" }, "notice", record.trigger, ownership);
  const notice = createThreadComments(event.thread, github.api).create(renderEndNotice(record, url) + marker);
  await notice.catch((error: unknown) => run.log.warning(messageOf(error)));
}

/** A submission whose answer was lost: searched among the pull requests opened since, and otherwise left alone. */
async function concludeLost(error: PlatformError | undefined, agent: ClaimingAgent): Promise<AgentEnd> {
  const { lease, run } = agent;
  const { isUnverifiable, record } = lease.claim;
  const pull = await findPullRequest(record.trigger, record.claimedAt, agent);
  if (pull) {
    run.log.info(`The lost submission's pull request was found: #${pull.number}.`);
    return concludeFound(pull, agent);
  }
  const updated = isUnverifiable ? undefined : await findUpdate(record, agent);
  if (updated) return concludeEnd(updated, agent);
  if (!isUnverifiable && record.state !== "unknown") await lease.record({ state: "unknown" });
  const message = isUnverifiable
    ? "An earlier run's record is signed with another key, so what became of its submission is unknown."
    : "An earlier run may have submitted this request, and the platform's answer was lost; it is not sent again.";
  const hint = "Look for the job on the platform's dashboard; comment again to start all the same.";
  const cause = error ?? new PlatformError("unexpected-response", message, { maybeSubmitted: true, hint });
  return describe("unknown", lease.claim, cause);
}

/** The end of a message whose answer was lost, where the pull request that it continues has moved since. */
async function findUpdate(
  { headBefore, pullRequestUrl = "" }: ClaimRecord,
  agent: ClaimingAgent,
): Promise<JobEnd | undefined> {
  const home = homeOf(agent, agent.platform);
  const link = verifyPullRequestLink(pullRequestUrl, undefined, home);
  if (headBefore === undefined || link.kind !== "pull-request") return undefined;
  const pull = await readPullRequest(link.number, home.api, link);
  if (typeof pull !== "object" || pull.headSha === headBefore) return undefined;
  return { outcome: "updated", pullRequest: { url: pull.url, number: pull.number, pull } };
}

/** A job that is gone, and why; its pull request may be there all the same. */
async function concludeGone(message: string, agent: ClaimingAgent): Promise<AgentEnd> {
  const { trigger, claimedAt } = agent.lease.claim.record;
  const pull = await findPullRequest(trigger, claimedAt, agent);
  if (pull) return concludeFound(pull, agent);
  return concludeEnd({ outcome: "failed", error: jobFailed(message) }, agent);
}

/** A pull request found by its reference: adopted like a reported one, as far as its job is known. */
async function concludeFound(pull: ListedPullRequest, agent: ClaimingAgent): Promise<AgentEnd> {
  const { jobId, target: project } = agent.lease.claim.record;
  await adoptPullRequest(pull, jobId === undefined ? undefined : { project, jobId }, agent);
  return concludeEnd(foundEnd(pull), agent);
}

/** The end that an earlier run wrote down, shown once more. */
function showRecordedEnd(claim: StoredClaim, { run }: Agent): AgentEnd {
  const { outcome, jobId, pullRequestUrl, message } = claim.record;
  if (jobId !== undefined) run.setOutput("jobId", jobId);
  if (pullRequestUrl !== undefined) {
    setPullRequest({ url: pullRequestUrl, number: Number(pullNumberOf(pullRequestUrl)) || undefined }, run);
  }
  const success = successes.find((each) => each === outcome);
  if (success) return describe(success, claim);
  const end = outcome === "archived" ? outcome : "failed";
  const error = jobFailed(message ?? `Agent job ${jobId} ended without success (${end}).`);
  return describe(end, claim, error);
}

function setPullRequest({ url, number }: Omit<JobPullRequest, "pull">, { setOutput }: Run): void {
  setOutput("pullRequestUrl", url);
  if (number !== undefined) setOutput("pullRequestNumber", String(number));
}

type JobOutcome = JobEnd["outcome"] | "unknown" | "detached";

const successes = ["pull-request", "updated", "unchanged", "no-pull-request"] as const;

const messages: Readonly<Record<JobOutcome, string>> = {
  "pull-request": "The agent opened a pull request.",
  updated: "The agent updated its pull request.",
  unchanged: "The agent completed the job; its pull request has no new commit.",
  "no-pull-request": "The agent completed the job; there is no pull request.",
  failed: "The agent failed.",
  archived: "The job was archived before it was completed.",
  unknown: "It is unknown whether the request was taken; it is not sent again.",
  detached: "The job is started; this run does not wait for it.",
};

function describe(
  outcome: JobOutcome,
  { record, url }: { readonly record: RequestStatus; readonly url?: string | undefined },
  error?: ActionError,
): AgentEnd {
  const summary = renderAgentSummary(record, url);
  return { outcome, message: messages[outcome], summary, ...(error === undefined ? {} : { error }) };
}

function describeDryRun(prompt: string, { projectId }: Agent): AgentEnd {
  const request = `POST /v2/agent/${encodeURIComponent(projectId)}/job`;
  const summary = renderAgentDryRun(request, prompt);
  return { outcome: "skipped", message: "Dry run: nothing was sent.", summary, skipReason: "dry-run" };
}

function skipped({ reason, message, page }: Refusal): AgentEnd {
  const summary = renderSkipped("agent", message, pageLink("The other run", page));
  return { outcome: "skipped", message, summary, skipReason: reason };
}
