/** What reconciling does with the repository's records: it searches those that are open, asks about their jobs, and finishes them. */
import { type ClaimRecord, updateRecord } from "../base/claim-record.ts";
import { ActionError } from "../base/errors.ts";
import type { AgentJob } from "../client/contract.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import type { OwnershipDeps } from "../github/comment-claims.ts";
import { type FoundRecord, listRecords, type RecordSearch } from "../github/open-records.ts";
import { createReferenceFinder, introducePullRequest, type PullRequest } from "../github/pull-requests.ts";
import { formatCount } from "../presentation/markdown.ts";
import {
  describeStatus,
  renderPullRequestIntroduction,
  renderStatusComment,
} from "../presentation/status-comment.ts";
import { type ReconciledRow, renderReconcileSummary } from "../presentation/summaries.ts";
import {
  type AgentPlatform,
  isEndedStatus,
  isJobGone,
  type JobResult,
  lacksLink,
  type PullRequestPolicy,
  pullInThisRepository,
  recordFieldsOf,
  resolveJobOutcome,
  resultOfFoundPull,
} from "./agent-job.ts";
import { explainError } from "./claim.ts";
import { notifyOfResult } from "./reply.ts";
import type { CommandResult, Run } from "./run.ts";

/** Older requests are not searched any more. */
const searchBackMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Searches the repository for open records of the project, asks the platform what became of their jobs, and finishes them.
 *
 * @throws {PlatformError} when the platform does not take the key; what it or GitHub failed with, where nothing could be checked.
 */
export async function reconcileRepository(
  asked: Omit<ReconcileContext, "home" | "findPull"> & { readonly platform: PlatformClient },
  serverUrl: URL,
): Promise<CommandResult<"reconcile">> {
  const { dryRun, ownership, platform, clock, log } = asked;
  const since = new Date(clock.now() - searchBackMs).toISOString();
  const search = await listRecords(since, {
    ...ownership,
    render: renderStatusComment,
    describe: describeStatus,
  });
  const home = { api: ownership.api, serverUrl, platformOrigin: platform.origin };
  const findPull = createReferenceFinder(ownership.api);
  const { rows, notes, failure } = await reconcileRecords(search, { ...asked, home, findPull });
  for (const note of notes) log.warning(note);
  const finished = rows.filter(({ kind }) => kind === "finished").length;
  const verb = dryRun ? "would be finished (dry run)" : "finished";
  const message = `${formatCount(rows.length, "open request")} checked, ${finished} ${verb}.`;
  if (!failure) return { outcome: "reconciled", message, summary: renderReconcileSummary(rows, notes) };
  log.info(message);
  throw failure;
}

export interface ReconcileContext extends Pick<Run, "log" | "signal" | "clock"> {
  readonly projectId: string;
  /** Finds out, and changes nothing. */
  readonly dryRun: boolean;
  readonly platform: Pick<AgentPlatform, "getAgentJob">;
  readonly home: PullRequestPolicy;
  readonly ownership: OwnershipDeps;
  readonly findPull: ReturnType<typeof createReferenceFinder>;
}

/** So many failures in a row are one outage: the next run goes on. */
const maxFailuresInARow = 5;

/**
 * Reconciles the open records of a project one after the other; one that cannot be checked does not keep the others from
 * it, an outage does.
 *
 * @returns a row for each record that was checked; what was not searched or left for the next run, one sentence each; and
 *   why the run has not done its work, although it may have done a part of it.
 * @throws {PlatformError} when the platform does not take the key: it would not for any record.
 */
export async function reconcileRecords(search: RecordSearch, reconciler: ReconcileContext) {
  const { log, signal } = reconciler;
  const open = search.records.filter(({ claim: { record } }) => {
    const isOurs = record.command === "agent" && record.target === reconciler.projectId;
    return isOurs && record.state !== "ended" && record.state !== "released";
  });
  const verified = open.filter(({ claim }) => !claim.isUnverifiable);
  const rows: ReconciledRow[] = [];
  const errors: ActionError[] = [];
  let failuresInARow = 0;
  for (const found of verified) {
    const { where, claim } = found;
    const facts = { where, url: claim.url, jobId: claim.record.jobId };
    try {
      const finding = await checkRecord(claim, reconciler);
      const { kind, detail } = await writeFinding(found, finding, reconciler);
      rows.push({ ...facts, kind, detail });
      failuresInARow = 0;
    } catch (error) {
      signal.throwIfAborted();
      const isKeyRefused =
        error instanceof PlatformError && ["unauthorized", "forbidden"].includes(error.code);
      if (!(error instanceof ActionError) || isKeyRefused) throw error;
      rows.push({ ...facts, kind: "failed-to-check", detail: error.message });
      errors.push(error);
      failuresInARow += 1;
      log.warning(`${where}: ${explainError(error)}`);
      if (error.code === "rate-limited" || failuresInARow === maxFailuresInARow) break;
    }
  }
  const notes = [
    ...search.notSearched,
    ...noteCount("Signed with another `api-key`, so their end is unknown", open.length - verified.length),
    ...noteCount("Left for the next run", verified.length - rows.length),
  ];
  const isAllFailed = rows.length === errors.length;
  return { rows, notes, failure: search.failures[0] ?? (isAllFailed ? errors[0] : undefined) };
}

function noteCount(what: string, count: number): string[] {
  return count === 0 ? [] : [`${what}: ${formatCount(count, "open request")}.`];
}

/** What was found out about a record; `detail` is the outcome, or what it waits for. */
interface Finding {
  readonly kind: "finished" | "running" | "unknown" | "released";
  readonly detail: string;
  readonly change?: Partial<ClaimRecord>;
}

/** While a run may still be waiting for its job, its record is left to it. */
const leaveAloneMs = 10 * 60_000;
/** Submitting takes minutes at most. */
const submissionOverMs = 30 * 60_000;
/** How long a pull request may take to appear in a job that is completed. */
const lateLinkMs = 5_000;

async function checkRecord(claim: StoredClaim, reconciler: ReconcileContext): Promise<Finding> {
  const { record, ageMs } = claim;
  if (record.state === "working") return checkJob(claim, reconciler);
  if (record.state === "claimed") {
    if (ageMs < record.leaseSeconds * 1000 + leaveAloneMs) return running("a run is about to submit it");
    const change = { state: "released", outcome: "interrupted" } as const;
    return { kind: "released", detail: "nothing was sent", change };
  }
  if (record.state === "submitting" && ageMs < submissionOverMs) return running("a run is submitting it");
  const pull = await findPull(record, reconciler);
  if (pull) return finished(resultOfFoundPull(pull), reconciler);
  const detail = "its answer was lost; no pull request carries its reference";
  return { kind: "unknown", detail, ...(record.state !== "unknown" && { change: { state: "unknown" } }) };
}

async function checkJob(claim: StoredClaim, reconciler: ReconcileContext): Promise<Finding> {
  const { record, ageMs } = claim;
  const { jobId = "", outcome } = record;
  const { clock, signal } = reconciler;
  if (outcome === undefined && ageMs < leaveAloneMs) return running("a run waits for it");
  let job = await readJob(jobId, ageMs, reconciler);
  if (job && lacksLink(job)) {
    await clock.sleep(lateLinkMs, signal);
    job = await readJob(jobId, ageMs, reconciler);
  }
  if (!job && ageMs < leaveAloneMs) return running("the platform does not know it yet");
  if (!job || isEndedStatus(job.status))
    return finished(await resolveEnd(claim, job, reconciler), reconciler);
  const status = running(job.status ?? "without a status");
  // Until its lease is over, a run may be waiting: the comment is its to write.
  const isAbandoned = outcome === undefined && ageMs >= record.leaseSeconds * 1000;
  return isAbandoned ? { ...status, change: { outcome: "interrupted" } } : status;
}

/** How a job ended, or one that is gone; its pull request is introduced. */
async function resolveEnd(
  { record, createdAt = record.claimedAt }: StoredClaim,
  job: AgentJob | undefined,
  reconciler: ReconcileContext,
): Promise<JobResult> {
  const { jobId = "", docsRepository } = record;
  const home = { ...reconciler.home, docsRepository };
  const end = job
    ? await resolveJobOutcome(jobId, job, home, { ...record, since: createdAt })
    : await resultOfMissingJob(record, reconciler);
  const pull = pullInThisRepository(end);
  if (pull) await introduce(pull, jobId, reconciler);
  return end;
}

function running(detail: string): Finding {
  return { kind: "running", detail };
}

/** A job; `undefined` where there is none any more. A proxy's "not found" says nothing about a job at first. */
async function readJob(jobId: string, ageMs: number, { projectId, platform }: ReconcileContext) {
  try {
    return await platform.getAgentJob(projectId, jobId);
  } catch (error) {
    if (isJobGone(error, ageMs)) return undefined;
    throw error;
  }
}

/** How a job ended that the platform has forgotten; its pull request may be there all the same. */
async function resultOfMissingJob(record: ClaimRecord, reconciler: ReconcileContext): Promise<JobResult> {
  const pull = await findPull(record, reconciler);
  if (pull) return resultOfFoundPull(pull);
  const error = new PlatformError("not-found", `The platform no longer knows job ${record.jobId}.`);
  return { outcome: "failed", error };
}

function findPull({ trigger, claimedAt: since }: ClaimRecord, { ownership, findPull }: ReconcileContext) {
  return findPull({ reference: ownership.signer.reference(trigger), since });
}

/** Labels and reviewers are the business of the workflow that asked; which phrase calls the agent only it knows. */
async function introduce(
  { number }: PullRequest,
  jobId: string,
  { dryRun, projectId, ownership, log }: ReconcileContext,
): Promise<void> {
  if (dryRun) return;
  const text = renderPullRequestIntroduction(jobId, undefined, undefined);
  await introducePullRequest({ number, text, origin: { project: projectId, jobId } }, ownership, log);
}

function finished(end: JobResult, { clock }: ReconcileContext): Finding {
  return { kind: "finished", detail: end.outcome, change: recordFieldsOf(end, clock.now()) };
}

/**
 * Writes a change down unless another run did: the record was listed a while ago, and its run may be alive after all. GitHub
 * has no way to compare and swap; a write in the moment in between is corrected by the next reconcile.
 */
async function writeFinding(
  { claim, claims, thread }: FoundRecord,
  finding: Finding,
  reconciler: ReconcileContext,
): Promise<Finding> {
  if (!finding.change) return finding;
  const now = await claims.reread(claim);
  if (!now) return running("its record was deleted");
  if (JSON.stringify(now.record) !== JSON.stringify(claim.record))
    return running("a run has just written something else");
  if (reconciler.dryRun) return finding;
  const written = await claims.update(claim, updateRecord(claim.record, finding.change));
  if (thread) await notifyOfResult(written, thread, reconciler.ownership, reconciler);
  return finding;
}
