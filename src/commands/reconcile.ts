/** The reconcile command: finishes the records of requests and questions whose run is gone. It never submits a job. */
import { type ClaimRecord, isOver, updateRecord } from "../base/claim-record.ts";
import { ActionError, InputError } from "../base/errors.ts";
import { formatCount } from "../base/text.ts";
import type { AgentJob } from "../client/contract.ts";
import { isJobGone, PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import type { OwnershipDeps, StoredClaim } from "../github/claims.ts";
import { GitHubError } from "../github/errors.ts";
import { type FoundRecord, listRecords, type RecordSearch } from "../github/open-records.ts";
import { createPullRequestFinder, introducePullRequest } from "../github/pull-requests.ts";
import { createRecordSigner } from "../github/record-signer.ts";
import {
  describeStatus,
  renderPullRequestIntroduction,
  renderStatusComment,
} from "../presentation/status-comment.ts";
import { type ReconciledRow, renderReconcileSummary } from "../presentation/summaries.ts";
import {
  findNextHead,
  isEndedStatus,
  type JobResult,
  lacksLink,
  pullInThisRepository,
  type RequestBaseline,
  recordFieldsOf,
  resolveJobOutcome,
  resultOfFoundPull,
} from "./agent-job.ts";
import { renderRecord } from "./assistant-comment.ts";
import { explainError, unanswered } from "./claim.ts";
import { connectGitHub, signingKeyOf } from "./connect-github.ts";
import { connectPlatform } from "./connect-platform.ts";
import type { InputsOf } from "./inputs.ts";
import { notifyOfResult } from "./reply.ts";
import type { CommandResult, Run } from "./run.ts";

/** Older requests are not searched. */
const searchBackMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Searches the repository for open records of the project and of questions, reads the jobs, and finishes the records.
 *
 * @throws {PlatformError} when the platform rejects the key; the first error, if nothing could be checked.
 */
export async function runReconcile(
  inputs: InputsOf<"reconcile">,
  run: Run,
): Promise<CommandResult<"reconcile">> {
  const { projectId, dryRun } = inputs;
  if (inputs.baseUrl === "local") {
    throw new InputError(["`base-url: local` has nothing to reconcile: its jobs end with their run."]);
  }
  if (projectId === undefined) throw new InputError(["`project-id` is missing."]);
  const github = connectGitHub("agent", inputs, run);
  await using platform = await connectPlatform(inputs, run);
  const ownership = await github.readOwnership();
  const since = new Date(run.clock.now() - searchBackMs).toISOString();
  const assistantKey = signingKeyOf("assistant", undefined, github.context.repository.id);
  const search = await listRecords(since, {
    ...ownership,
    render: renderStatusComment,
    describe: describeStatus,
    assistant: { signer: createRecordSigner(assistantKey, run.redact), render: renderRecord },
  });
  const findPull = createPullRequestFinder(ownership);
  const { serverUrl } = github.context;
  const context = { ...run, projectId, dryRun, platform, ownership, serverUrl, findPull };
  const { rows, notes, failure } = await reconcileRecords(search, context);
  for (const note of notes) run.log.warning(note);
  const finished = rows.filter(({ kind }) => kind === "finished").length;
  const verb = dryRun ? "would be finished (dry run)" : "finished";
  const message = `${formatCount(rows.length, "open request")} checked, ${finished} ${verb}.`;
  if (!failure) return { outcome: "reconciled", message, summary: renderReconcileSummary(rows, notes) };
  run.log.info(message);
  throw failure;
}

export interface ReconcileContext extends Pick<Run, "log" | "signal" | "clock"> {
  readonly projectId: string;
  readonly dryRun: boolean;
  readonly platform: Pick<PlatformClient, "getAgentJob" | "origin">;
  readonly ownership: OwnershipDeps;
  readonly serverUrl: URL;
  readonly findPull: ReturnType<typeof createPullRequestFinder>;
}

/** This many failures in a row are an outage: the remaining records are left for the next run. */
const maxFailuresInARow = 5;

/**
 * Reconciles the open records of a project, one after the other. If one record cannot be checked, the others still are; an outage
 * ends the run, and a locked conversation does not count as a failure.
 *
 * @returns a row for each checked record; notes on what was not searched or is left for the next run; and `failure`, the error of
 *   a run that searched incompletely or could check nothing.
 * @throws {PlatformError} when the platform rejects the key, because it would for every record.
 */
export async function reconcileRecords(search: RecordSearch, context: ReconcileContext) {
  const open = search.records.filter(({ claim: { record } }) => {
    const isOurs = record.command === "assistant" || record.target === context.projectId;
    return isOurs && !isOver(record);
  });
  const verified = open.filter(({ claim }) => !claim.isUnverifiable);
  const claims = search.records.map(({ claim }) => claim);
  const rows: ReconciledRow[] = [];
  let firstError: ActionError | undefined;
  let failuresInARow = 0;
  for (const found of verified) {
    const { name, claim } = found;
    const checked = await tryCheck(found, { ...context, claims });
    const isChecked = !(checked instanceof ActionError);
    const { kind, detail } = isChecked
      ? checked
      : { kind: "failed-to-check" as const, detail: checked.message };
    rows.push({ name, url: claim.url, jobId: claim.record.jobId, kind, detail });
    if (isChecked) failuresInARow = 0;
    // A locked conversation is no failure.
    else if (!(checked instanceof GitHubError && checked.code === "conflict")) {
      firstError ??= checked;
      failuresInARow += 1;
      if (checked.code === "rate-limited" || failuresInARow === maxFailuresInARow) break;
    }
  }
  const notes = [
    ...search.notSearched,
    ...noteCount("Signed with another `api-key`, so their result is unknown", open.length - verified.length),
    ...noteCount("Left for the next run", verified.length - rows.length),
  ];
  const isAllFailed = rows.every(({ kind }) => kind === "failed-to-check");
  return { rows, notes, failure: search.failures[0] ?? (isAllFailed ? firstError : undefined) };
}

/** Checks a record and writes the result. A failure that concerns only this record is logged and returned. */
async function tryCheck(found: FoundRecord, context: CheckContext): Promise<RecordCheck | ActionError> {
  const { claim, store, thread } = found;
  try {
    const check = await checkRecord(found, context);
    if (!check.change) return check;
    // GitHub has no compare-and-swap: a change between this read and the write is overwritten, and the next reconcile corrects it.
    const current = await store.reread(claim);
    if (!current) return running("its record was deleted");
    if (current.isUnverifiable || JSON.stringify(current.record) !== JSON.stringify(claim.record))
      return running("another run has just changed the record");
    if (context.dryRun) return check;
    const written = await store.update(claim, updateRecord(claim.record, check.change));
    if (thread) await notifyOfResult(written, thread, context.ownership, context);
    return check;
  } catch (error) {
    context.signal.throwIfAborted();
    const isKeyRefused = error instanceof PlatformError && ["unauthorized", "forbidden"].includes(error.code);
    if (!(error instanceof ActionError) || isKeyRefused) throw error;
    context.log.warning(`${found.name}: ${explainError(error)}`);
    return error;
  }
}

function noteCount(what: string, count: number): string[] {
  return count === 0 ? [] : [`${what}: ${formatCount(count, "open request")}.`];
}

/** The result of a check; `detail` is the outcome, or what the record waits for. */
interface RecordCheck {
  readonly kind: "finished" | "running" | "unknown" | "released";
  readonly detail: string;
  readonly change?: Partial<ClaimRecord>;
}

interface CheckContext extends ReconcileContext {
  /** All records that were found, also those of requests that are over. */
  readonly claims: readonly StoredClaim[];
}

/** A record that changed this recently is left to its run. */
const leaveAloneMs = 10 * 60_000;
/** A submission has ended after this time. */
const submissionOverMs = 30 * 60_000;
/** A completed job may get its pull request link this much later. */
const lateLinkMs = 5_000;

async function checkRecord(found: FoundRecord, context: CheckContext): Promise<RecordCheck> {
  const { record, ageMs } = found.claim;
  const mayHaveRun = ageMs < record.leaseSeconds * 1000 + leaveAloneMs;
  if (record.command === "assistant") {
    if (mayHaveRun) return running("a run is answering it");
    return { kind: "released", detail: "its run ended early", change: unanswered };
  }
  if (record.state === "working") return checkJob(found, context);
  if (record.state === "claimed") {
    if (mayHaveRun) return running("a run is about to submit it");
    const change = { state: "released", outcome: "interrupted" } as const;
    return { kind: "released", detail: "nothing was sent", change };
  }
  if (record.state === "submitting" && ageMs < submissionOverMs) return running("a run is submitting it");
  const pull = await context.findPull(record);
  const nextHead = findNextHead(found.claim, context.claims);
  if (pull) return finished(resultOfFoundPull(pull, { ...record, nextHead }), context);
  const detail = "its response was lost; no pull request contains its reference";
  return { kind: "unknown", detail, ...(record.state !== "unknown" && { change: { state: "unknown" } }) };
}

async function checkJob(found: FoundRecord, context: CheckContext): Promise<RecordCheck> {
  const { record, ageMs } = found.claim;
  const { jobId = "", outcome } = record;
  const { clock, signal, platform, projectId } = context;
  if (outcome === undefined && ageMs < leaveAloneMs) return running("a run waits for it");
  const read = () =>
    platform.getAgentJob(projectId, jobId).catch((error: unknown) => {
      if (!isJobGone(error)) throw error;
      return undefined;
    });
  let job = await read();
  if (job && lacksLink(job)) {
    await clock.sleep(lateLinkMs, signal);
    job = await read();
  }
  if (!job && ageMs < leaveAloneMs) return running("the platform does not list it yet");
  if (!job || isEndedStatus(job.status)) return finishJob(found, job, context);
  const status = running(job.status ?? "without a status");
  // Until the lease ends, a run may wait for the job and write the record itself.
  const isAbandoned = outcome === undefined && ageMs >= record.leaseSeconds * 1000;
  return isAbandoned ? { ...status, change: { outcome: "interrupted" } } : status;
}

/**
 * Resolves how a job ended, and comments on its pull request which job opened it. Labels, reviewers and the trigger phrase are inputs
 * of the other workflow. `job` is `undefined` if it no longer exists.
 */
async function finishJob(
  { claim, store }: FoundRecord,
  job: AgentJob | undefined,
  context: CheckContext,
): Promise<RecordCheck> {
  const { record } = claim;
  // A commit's status is listed without the time of the owner's first one.
  const { createdAt = record.claimedAt } = claim.createdAt ? claim : ((await store.reread(claim)) ?? claim);
  const { jobId = "", docsRepository } = record;
  const { dryRun, projectId, ownership, serverUrl, platform } = context;
  const policy = { api: ownership.api, serverUrl, platformOrigin: platform.origin, docsRepository };
  const nextHead = findNextHead(claim, context.claims);
  const baseline = { ...record, since: createdAt, nextHead };
  // Without the job, the pull request that the request continues shows whether it was updated.
  const ended = await resolveJobOutcome(jobId, job ?? { status: "completed" }, policy, baseline);
  const result = job || ended.outcome === "updated" ? ended : await resultOfMissingJob(baseline, context);
  const pull = pullInThisRepository(result);
  if (pull && !dryRun) {
    const text = renderPullRequestIntroduction(jobId, undefined, undefined);
    const openedBy = { project: projectId, jobId };
    await introducePullRequest({ number: pull.number, text, openedBy }, ownership, context);
  }
  return finished(result, context);
}

function running(detail: string): RecordCheck {
  return { kind: "running", detail };
}

/** The result of a job that no longer exists; its pull request may exist. */
async function resultOfMissingJob(
  record: ClaimRecord & RequestBaseline,
  context: ReconcileContext,
): Promise<JobResult> {
  const pull = await context.findPull(record);
  if (pull) return resultOfFoundPull(pull, record);
  const error = new PlatformError("not-found", `The platform no longer knows job ${record.jobId}.`);
  return { outcome: "failed", error };
}

function finished(result: JobResult, { clock }: ReconcileContext): RecordCheck {
  return { kind: "finished", detail: result.outcome, change: recordFieldsOf(result, clock.now()) };
}
