/** From a known job to its end: waiting, or leaving it to run. */
import { InterruptedError } from "../../base/errors.ts";
import type { ClaimRecord, StoredClaim } from "../../github/claim-store.ts";
import { hasWaitingRun } from "../submission/judge-claims.ts";
import type { AgentDeps, AgentOptions, AgentResult, ClaimedDeps } from "./agent-interface.ts";
import { type CreatedJob, followAgentJob } from "./agent-job.ts";
import { concludeEnd, concludeGone, judgeJob, recordChange, recordPause } from "./conclude-agent.ts";
import { isJobGone } from "./is-job-gone.ts";

/** Follows the job of a claim; the record tells the truth however this ends. */
export async function followClaimed(
  { claim, created }: { readonly claim: StoredClaim; readonly created: CreatedJob | undefined },
  options: AgentOptions,
  deps: ClaimedDeps,
): Promise<AgentResult> {
  const jobId = claim.record.jobId ?? "";
  deps.observer.jobKnown(jobId);
  if (!options.wait) return leaveRunning(claim, deps);
  try {
    // Whoever reads the status finds this run, not the one that is gone.
    const current = created ? claim : await recordChange(claim, { runUrl: options.runUrl }, deps);
    const job = await followAgentJob(
      { ...options, jobId, ...(created ? { created } : { submittedMs: Date.parse(claim.record.claimedAt) }) },
      { ...deps, onStatus: (status) => deps.observer.statusSeen(status) },
    );
    return await concludeEnd(current, await judgeJob({ jobId, job }, options, deps), deps);
  } catch (error) {
    if (isJobGone(error, claim.ageMs)) {
      return concludeGone({ claim, message: `The platform no longer knows agent job ${jobId}.` }, deps);
    }
    await recordPause({ claim, error, isEmbedded: options.isEmbedded }, deps);
    throw options.isEmbedded ? withoutResumption(error) : error;
  }
}

/** The interruption of a run whose job ended with it: there is nothing to resume. */
function withoutResumption(error: unknown): unknown {
  if (!(error instanceof InterruptedError)) return error;
  const hint = "The embedded platform's jobs end with their run. Ask again to start a new one.";
  return new InterruptedError(error.code, error.message, { hint, retryable: false, cause: error });
}

/** A job that another run started on its embedded platform: nobody else can follow it, and it ends with that run. */
export async function concludeElsewhere(
  claim: StoredClaim,
  { owner }: Pick<AgentOptions, "owner">,
  deps: ClaimedDeps,
): Promise<AgentResult> {
  const { jobId = "" } = claim.record;
  deps.observer.jobKnown(jobId);
  if (hasWaitingRun(claim, owner)) return otherRun;
  const message = `Agent job ${jobId} ended with the run that started it, as jobs of the embedded platform do.`;
  return concludeGone({ claim, message }, deps);
}

/** The result of a run that leaves a request to another one. */
export const otherRun: AgentResult = {
  outcome: "skipped",
  reason: "other-run",
  message: "Another run works on this request.",
};

async function leaveRunning(claim: StoredClaim, deps: ClaimedDeps): Promise<AgentResult> {
  const { record, url } = await recordChange(claim, { state: "working", outcome: "detached" }, deps);
  return { outcome: "detached", status: record, statusUrl: url };
}

/** Follows a job that the workflow names; there is no request and nothing is written on any thread. */
export async function followGivenJob(
  jobId: string,
  options: AgentOptions,
  deps: AgentDeps,
): Promise<AgentResult> {
  deps.observer.jobKnown(jobId);
  const status = {
    command: "agent",
    jobId,
    runUrl: options.runUrl,
    claimedAt: new Date(deps.clock.now()).toISOString(),
  } as const;
  if (!options.wait) {
    return {
      outcome: "detached",
      status: { ...status, state: "working", outcome: "detached" },
      statusUrl: undefined,
    };
  }
  const job = await followAgentJob(
    { ...options, jobId },
    { ...deps, onStatus: (seen) => deps.observer.statusSeen(seen) },
  );
  const end = await judgeJob({ jobId, job }, options, deps);
  if (end.outcome === "pull-request") deps.observer.pullRequestKnown(end);
  const shown: Pick<ClaimRecord, "state" | "outcome"> = { state: "ended", outcome: end.outcome };
  return {
    outcome: end.outcome,
    status: { ...status, ...shown, ...(end.outcome === "pull-request" ? { pullRequestUrl: end.url } : {}) },
    statusUrl: undefined,
    ...(end.outcome === "failed" ? { error: end.error } : {}),
  };
}
