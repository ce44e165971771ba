/** The reconcile command: finishes the records of requests whose runner is gone. It asks and writes; it never submits. */
import type { ClaimRecord } from "../github/claim-record.ts";
import type { FoundRecord } from "../github/list-open-records.ts";
import type { Log } from "../log.ts";
import type { PlatformClient } from "../platform/client.ts";
import { type AgentJob, endedAgentStatuses } from "../platform/contract.ts";
import { PlatformError } from "../platform/errors.ts";
import type { AgentGitHub } from "./agent-interface.ts";
import { type JobEnd, judgeJob } from "./conclude-agent.ts";
import { explain } from "./submit-once.ts";
import type { VerifyOptions } from "./verify-pull-request.ts";

export type ReconcileOptions = VerifyOptions;

export interface ReconcileDeps {
  readonly platform: Pick<PlatformClient, "getAgentJob">;
  readonly github: Pick<AgentGitHub, "findByReference" | "readPullRequest" | "adoptPullRequest">;
  /** Every genuine record of the repository. */
  readonly listRecords: () => Promise<readonly FoundRecord[]>;
  readonly referenceOf: (trigger: string) => string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** What became of one record. */
interface ReconciledRecord {
  readonly where: string;
  readonly url: string | undefined;
  readonly jobId: string | undefined;
  readonly kind: "finished" | "running" | "unknown" | "released" | "failed-to-check";
  /** The outcome, or why it could not be checked. */
  readonly detail: string;
}

export interface ReconcileResult {
  readonly records: readonly ReconciledRecord[];
}

/** While a run may still be waiting for its job, its record is left to it. */
const leaveAloneMs = 10 * 60_000;
/** Submitting takes minutes at most. */
const submissionOverMs = 30 * 60_000;

/** Looks at every open record of the project, asks the platform, and finishes what is over. */
export async function reconcile(options: ReconcileOptions, deps: ReconcileDeps): Promise<ReconcileResult> {
  const records: ReconciledRecord[] = [];
  for (const found of await deps.listRecords()) {
    const { record, isUnverifiable } = found.claim;
    const isOurs = record.command === "agent" && record.target === options.projectId && !isUnverifiable;
    if (!isOurs || record.state === "ended" || record.state === "released") continue;
    records.push(await reconcileGuarded(found, options, deps));
  }
  return { records };
}

/** One record that cannot be checked does not keep the others from it. */
async function reconcileGuarded(
  found: FoundRecord,
  options: ReconcileOptions,
  deps: ReconcileDeps,
): Promise<ReconciledRecord> {
  const { where, claim } = found;
  const facts = { where, url: claim.url, jobId: claim.record.jobId };
  try {
    return { ...facts, ...(await reconcileRecord(found, options, deps)) };
  } catch (error) {
    deps.signal.throwIfAborted();
    if (!(error instanceof Error)) throw error;
    deps.log.warning(`${where}: ${error.message}`);
    return { ...facts, kind: "failed-to-check", detail: error.message };
  }
}

type Finding = Pick<ReconciledRecord, "kind" | "detail">;

async function reconcileRecord(
  found: FoundRecord,
  options: ReconcileOptions,
  deps: ReconcileDeps,
): Promise<Finding> {
  const { record, ageMs } = found.claim;
  switch (record.state) {
    case "working":
      return reconcileJob(found, options, deps);
    case "claimed":
      if (ageMs < record.leaseSeconds * 1000 + leaveAloneMs) return running("a run is about to submit it");
      await change(found, { state: "released", outcome: "interrupted" });
      return { kind: "released", detail: "nothing was sent" };
    default:
      if (record.state === "submitting" && ageMs < submissionOverMs) return running("a run is submitting it");
      return lookForLost(found, deps);
  }
}

function running(detail: string): Finding {
  return { kind: "running", detail };
}

async function reconcileJob(
  found: FoundRecord,
  options: ReconcileOptions,
  deps: ReconcileDeps,
): Promise<Finding> {
  const { record, ageMs } = found.claim;
  const jobId = record.jobId ?? "";
  const hasWaitingRun = record.outcome === undefined && ageMs < leaveAloneMs;
  if (hasWaitingRun) return running("a run waits for it");
  const job = await readJob(jobId, options, deps);
  if (job === "gone")
    return finish(found, {
      outcome: "failed",
      error: new PlatformError("not-found", `The platform no longer knows job ${jobId}.`),
    });
  if (!endedAgentStatuses.some((status) => status === job.status?.toLowerCase())) {
    // Until its lease is over, a run may be waiting: the comment is its to write.
    const isAbandoned = record.outcome === undefined && ageMs >= record.leaseSeconds * 1000;
    if (isAbandoned) await change(found, { outcome: "interrupted" });
    return running(job.status ?? "without a status");
  }
  return finish(found, await judgeJob({ jobId, job }, options, deps));
}

async function readJob(
  jobId: string,
  { projectId }: ReconcileOptions,
  { platform }: ReconcileDeps,
): Promise<AgentJob | "gone"> {
  try {
    return await platform.getAgentJob(projectId, jobId);
  } catch (error) {
    if (error instanceof PlatformError && error.code === "not-found") return "gone";
    throw error;
  }
}

async function finish(found: FoundRecord, end: JobEnd): Promise<Finding> {
  await change(found, {
    state: "ended",
    outcome: end.outcome,
    ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url } : {}),
    ...(end.outcome === "failed" ? { message: explain(end.error) } : {}),
  });
  return { kind: "finished", detail: end.outcome };
}

async function lookForLost(found: FoundRecord, { github, referenceOf }: ReconcileDeps): Promise<Finding> {
  const { record } = found.claim;
  const pull = await github.findByReference({ wanted: referenceOf(record.trigger), since: record.claimedAt });
  if (pull) return finish(found, { outcome: "pull-request", url: pull.url, number: pull.number });
  if (record.state !== "unknown") await change(found, { state: "unknown" });
  return { kind: "unknown", detail: "its answer was lost; no pull request carries its reference" };
}

async function change({ claim, claims }: FoundRecord, facts: Partial<ClaimRecord>): Promise<void> {
  const { outcome: _outcome, message: _message, ...rest } = claim.record;
  await claims.update(claim, { ...rest, ...facts });
}
