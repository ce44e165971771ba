/**
 * At most one submission for each trigger, across re-runs, repeated deliveries and lost runners: claim → submit → record.
 *
 * The platform has no idempotency key. A run therefore writes a record before it sends the creating request. Another run that
 * finds the record resumes the job, leaves the request to the run that holds it, or reports that the response was lost.
 */
import { rateLimitDelayMs } from "../base/retry.ts";
import { PlatformError } from "../client/errors.ts";
import type { StoredClaim } from "../github/comment-claims.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import { createJob, type SubmittedJob } from "./agent-job.ts";
import { refuseRequest, waitInQueue } from "./agent-queue.ts";
import type { ClaimedAgentRun } from "./agent-run.ts";
import { type ClaimDraft, explainError } from "./claim.ts";
import type { ClaimLease } from "./claim-lease.ts";
import { refuseUnpermitted } from "./connect-github.ts";
import type { EventRequest } from "./request-from-event.ts";
import type { QueueResult } from "./rolling.ts";
import { rethrowInterrupted, type Skip } from "./run.ts";

export type Submission =
  /** This call created the job. */
  | { readonly kind: "submitted"; readonly job: SubmittedJob }
  /** Another run works on the request. */
  | { readonly kind: "other-run"; readonly claim: StoredClaim }
  /** The response to the creating request was lost. */
  | { readonly kind: "lost"; readonly error: PlatformError }
  /** The request was not sent, for the reason given. */
  | { readonly kind: "withdrawn"; readonly refusal: Skip };

export interface PreparedRequest extends EventRequest {
  /** Composes the prompt; it also quotes changes that were gathered while the request waited. */
  readonly composePrompt: (gathered?: readonly QuotedPiece[]) => string;
  readonly draft: ClaimDraft;
  /** The base branch of an embedded platform's new job; by default, the default branch. */
  readonly base: string | undefined;
}

/**
 * Claims a free trigger and creates its job.
 *
 * @throws {PlatformError} when the platform rejects the request; the record then contains the reason.
 */
export async function submitOnce(request: PreparedRequest, agent: ClaimedAgentRun): Promise<Submission> {
  const { lease, inputs, run } = agent;
  try {
    const winner = await lease.acquire();
    if (winner) return { kind: "other-run", claim: winner };
    let mayResubmit = inputs.onAmbiguous === "resubmit";
    for (let attempt = 1, hasWaited = false; ; attempt += 1) {
      const queued = await waitAndMarkSubmitting(request, hasWaited, agent);
      if ("kind" in queued) return queued;
      const result = await send(request, queued, agent).catch((error: unknown) => {
        if (error instanceof PlatformError) return error;
        throw error;
      });
      hasWaited = !(result instanceof PlatformError && result.maybeSubmitted);
      if (result === "busy") {
        const resumeMs = run.clock.now() + rateLimitDelayMs(0, attempt);
        const notice = "The job works on another request; waiting.";
        await lease.waitAndRenew("queued behind its job", resumeMs, notice);
      } else if (!(result instanceof PlatformError)) {
        await lease.recordJob(result.jobId);
        return { kind: "submitted", job: result };
      } else if (hasWaited) await waitForRateLimit(result, attempt, agent);
      else if (!mayResubmit) {
        await lease.tryWrite({ state: "unknown", message: explainError(result) });
        return { kind: "lost", error: result };
      } else {
        mayResubmit = false;
        run.log.warning(`${result.message} Submitting again, because of \`on-ambiguous: resubmit\`.`);
      }
    }
  } catch (error) {
    await lease.recordInterruption(error);
    rethrowInterrupted(error, inputs, run, describeInterruption(lease));
  }
}

function describeInterruption(lease: ClaimLease): string {
  return lease.hasClaim && lease.claim.record.state === "unknown"
    ? "Stopped while the request was sent: the platform may have started an agent job."
    : "Stopped before the request was sent.";
}

/**
 * Waits in the queue, and records that the request is about to be sent; or returns why it is not sent.
 *
 * @param hasWaited whether the request has waited before: its author may have lost the permission meanwhile
 */
async function waitAndMarkSubmitting(
  request: PreparedRequest,
  hasWaited: boolean,
  agent: ClaimedAgentRun,
): Promise<QueueResult | Submission> {
  const { lease, inputs, github } = agent;
  const refuse = async () =>
    (await refuseUnpermitted(inputs, github, "No longer permitted")) ?? (await refuseRequest(request, agent));
  for (;;) {
    const queued = await waitInQueue(agent);
    const isDelayed = queued.hasWaited || hasWaited;
    const refusal: QueueResult["refusal"] = queued.refusal ?? (isDelayed ? await refuse() : undefined);
    if (refusal) {
      const { message, record = { state: "released", outcome: "skipped" } } = refusal;
      await lease.tryWrite({ message, ...record });
      return { kind: "withdrawn", refusal };
    }
    const winner = await lease.markSubmitting();
    if (winner) return { kind: "other-run", claim: winner };
    if (lease.claim.record.state === "submitting") return queued;
  }
}

/** Sends the creating request, once; `busy` if the platform refused it because an earlier job is busy. */
async function send(
  { composePrompt }: PreparedRequest,
  { gathered, earlierJobId }: QueueResult,
  { lease, inputs, run, platform, projectId }: ClaimedAgentRun,
): Promise<SubmittedJob | "busy"> {
  const mustContinue = inputs.jobId !== undefined;
  const jobRequest = { projectId, prompt: composePrompt(gathered), earlierJobId, mustContinue };
  const job = await createJob(platform, jobRequest, run.log);
  // A new job does not continue the pull request of the earlier one.
  if (job !== "busy" && !job.isFollowUp) lease.amend({ headBefore: undefined, pullRequestUrl: undefined });
  return job;
}

/**
 * Waits for the platform's rate limit; the thread shows that.
 *
 * @throws {PlatformError} the given error, if it is another one, or the wait would exceed the run's deadline.
 */
async function waitForRateLimit(
  error: PlatformError,
  attempt: number,
  { lease, run: { clock, deadlineMs } }: ClaimedAgentRun,
): Promise<void> {
  const resumeMs = clock.now() + rateLimitDelayMs(error.retryAfterMs, attempt);
  const isLimit = error.code === "rate-limited";
  if (!isLimit || resumeMs >= deadlineMs) {
    const outcome = isLimit ? "rate-limited" : "failed";
    await lease.tryWrite({ state: "released", outcome, message: explainError(error) });
    throw error;
  }
  const outcome = `queued until ${new Date(resumeMs).toISOString()}`;
  await lease.waitAndRenew(outcome, resumeMs, `The platform's rate limit for jobs is reached; ${outcome}.`);
}
