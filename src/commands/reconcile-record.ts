/** One record whose runner may be gone: what the platform and the pull requests say of it, and what is written down. */

import { type AgentJob, endedAgentStatuses } from "../client/contract.ts";
import { PlatformError } from "../client/errors.ts";
import type { PlatformClient } from "../client/platform-client.ts";
import type { ClaimRecord } from "../github/claim-store.ts";
import type { FoundRecord } from "../github/open-records.ts";
import type { AgentGitHub } from "./agent/agent-interface.ts";
import { judgeJob } from "./agent/conclude-agent.ts";
import { isJobGone } from "./agent/is-job-gone.ts";
import type { JobEnd } from "./agent/job-end.ts";
import type { VerifyOptions } from "./agent/verify-pull-request.ts";
import { explain } from "./explain-error.ts";

export interface ReconcileRecordDeps {
  readonly platform: Pick<PlatformClient, "getAgentJob">;
  readonly github: Pick<AgentGitHub, "findByReference" | "readPullRequest" | "adoptPullRequest">;
  readonly referenceOf: (trigger: string) => string;
}

/** What is the case with a record. */
export interface RecordFinding {
  readonly kind: "finished" | "running" | "unknown" | "released";
  /** The outcome, or what it waits for. */
  readonly detail: string;
}

/** While a run may still be waiting for its job, its record is left to it. */
const leaveAloneMs = 10 * 60_000;
/** Submitting takes minutes at most. */
const submissionOverMs = 30 * 60_000;

/** Finds out what became of a record's request and writes it down. */
export async function reconcileRecord(
  found: FoundRecord,
  options: VerifyOptions,
  deps: ReconcileRecordDeps,
): Promise<RecordFinding> {
  const { record, ageMs } = found.claim;
  switch (record.state) {
    case "working":
      return reconcileJob(found, options, deps);
    case "claimed":
      if (ageMs < record.leaseSeconds * 1000 + leaveAloneMs) return running("a run is about to submit it");
      return change(
        found,
        { state: "released", outcome: "interrupted" },
        { kind: "released", detail: "nothing was sent" },
      );
    default:
      if (record.state === "submitting" && ageMs < submissionOverMs) return running("a run is submitting it");
      return lookForLost(found, deps);
  }
}

function running(detail: string): RecordFinding {
  return { kind: "running", detail };
}

async function reconcileJob(
  found: FoundRecord,
  options: VerifyOptions,
  deps: ReconcileRecordDeps,
): Promise<RecordFinding> {
  const { record, ageMs } = found.claim;
  const jobId = record.jobId ?? "";
  const hasWaitingRun = record.outcome === undefined && ageMs < leaveAloneMs;
  if (hasWaitingRun) return running("a run waits for it");
  const job = await readJob({ jobId, ageMs }, options, deps);
  if (job === "gone") {
    const isNew = ageMs < leaveAloneMs;
    return isNew ? running("the platform does not know it yet") : finishGone(found, options, deps);
  }
  if (endedAgentStatuses.some((status) => status === job.status?.toLowerCase()))
    return finish(found, await judgeJob({ jobId, job }, options, deps));
  const status = running(job.status ?? "without a status");
  // Until its lease is over, a run may be waiting: the comment is its to write.
  const isAbandoned = record.outcome === undefined && ageMs >= record.leaseSeconds * 1000;
  return isAbandoned ? change(found, { outcome: "interrupted" }, status) : status;
}

/** A job, or that there is none any more; a proxy's "not found" says nothing about a job at first. */
async function readJob(
  { jobId, ageMs }: { readonly jobId: string; readonly ageMs: number },
  { projectId }: VerifyOptions,
  { platform }: ReconcileRecordDeps,
): Promise<AgentJob | "gone"> {
  try {
    return await platform.getAgentJob(projectId, jobId);
  } catch (error) {
    if (isJobGone(error, ageMs)) return "gone";
    throw error;
  }
}

/** A job that the platform has forgotten; its pull request may be there all the same. */
async function finishGone(
  found: FoundRecord,
  { projectId }: VerifyOptions,
  { github, referenceOf }: ReconcileRecordDeps,
): Promise<RecordFinding> {
  const { trigger, claimedAt, jobId = "" } = found.claim.record;
  const pull = await github.findByReference({ wanted: referenceOf(trigger), since: claimedAt });
  if (!pull) {
    const error = new PlatformError("not-found", `The platform no longer knows job ${jobId}.`);
    return finish(found, { outcome: "failed", error });
  }
  await github.adoptPullRequest(pull, { project: projectId, jobId });
  return finish(found, { outcome: "pull-request", url: pull.url, number: pull.number });
}

function finish(found: FoundRecord, end: JobEnd): Promise<RecordFinding> {
  const facts: Partial<ClaimRecord> = {
    state: "ended",
    outcome: end.outcome,
    ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url.slice(0, 500) } : {}),
    ...(end.outcome === "failed" ? { message: explain(end.error) } : {}),
  };
  return change(found, facts, { kind: "finished", detail: end.outcome });
}

async function lookForLost(
  found: FoundRecord,
  { github, referenceOf }: ReconcileRecordDeps,
): Promise<RecordFinding> {
  const { record } = found.claim;
  const pull = await github.findByReference({ wanted: referenceOf(record.trigger), since: record.claimedAt });
  if (pull) return finish(found, { outcome: "pull-request", url: pull.url, number: pull.number });
  const unknown = {
    kind: "unknown",
    detail: "its answer was lost; no pull request carries its reference",
  } as const;
  return record.state === "unknown" ? unknown : change(found, { state: "unknown" }, unknown);
}

/**
 * Writes a change down, unless somebody else did: the record was listed a while ago, and its run may be alive after all.
 * GitHub has no way to compare and swap; a write in the moment in between is mended by the next reconcile.
 */
async function change(
  { claim, claims, reread }: FoundRecord,
  facts: Partial<ClaimRecord>,
  finding: RecordFinding,
): Promise<RecordFinding> {
  const now = await reread();
  if (!now) return running("its record was deleted");
  if (JSON.stringify(now.record) !== JSON.stringify(claim.record))
    return running("a run has just written something else");
  const { outcome: _outcome, message: _message, ...rest } = claim.record;
  await claims.update(claim, { ...rest, ...facts });
  return finding;
}
