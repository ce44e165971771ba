/**
 * At most one submission for each trigger, across re-runs, repeated deliveries and lost runners: claim → submit → record.
 *
 * The platform has no idempotency key. A run therefore writes a record before it sends the creating request. Another run that
 * finds the record resumes the job, leaves the request to the run that holds it, or reports that the response was lost.
 */
import type { ClaimRecord } from "../base/claim-record.ts";
import { rateLimitDelayMs } from "../base/retry.ts";
import { PlatformError } from "../client/errors.ts";
import type { StoredClaim } from "../github/claim-store.ts";
import type { QuotedPiece } from "../github/thread-context.ts";
import type { SubmittedJob } from "./agent-job.ts";
import { explainError } from "./claim.ts";
import type { ClaimLease, ClaimRun } from "./claim-lease.ts";
import type { Skip } from "./run.ts";

export type Submission =
  /** This call created the job. */
  | { readonly kind: "submitted"; readonly job: SubmittedJob }
  /** Another run works on the request. */
  | { readonly kind: "other-run"; readonly claim: StoredClaim }
  /** The response to the creating request was lost. */
  | { readonly kind: "lost"; readonly error: PlatformError }
  /** The request was not sent, for the reason given. */
  | { readonly kind: "withdrawn"; readonly refusal: Skip };

/** The end of the wait in the queue, and what the request is then sent with. */
export interface QueueResult {
  readonly hasWaited: boolean;
  /** Why the request is not sent after all, and what its record then contains. */
  readonly refusal?: (Skip & { readonly record?: Partial<ClaimRecord> }) | undefined;
  /** Requests whose jobs it may continue, oldest first. */
  readonly earlier: readonly StoredClaim[];
  readonly earlierJobId?: string | undefined;
  /** Changes that the prompt quotes in addition to its own. */
  readonly gathered: readonly QuotedPiece[];
}

export interface SubmitSteps {
  readonly waitInQueue: () => Promise<QueueResult>;
  /** Sends the creating request, once; `busy` if the platform refused it because an earlier job is busy. */
  readonly send: (queued: QueueResult) => Promise<SubmittedJob | "busy">;
  /** Called after each wait: why the request may no longer be sent. */
  readonly refuse: () => Promise<Skip | undefined>;
  /** How often the request is sent again after a lost response. */
  readonly resubmissions: number;
}

/**
 * Claims a free trigger and creates its job.
 *
 * @throws {PlatformError} when the platform rejects the request; the record then contains the reason.
 */
export async function submitOnce(lease: ClaimLease, steps: SubmitSteps, run: ClaimRun): Promise<Submission> {
  try {
    const winner = await lease.acquire();
    if (winner) return { kind: "other-run", claim: winner };
    let { resubmissions } = steps;
    for (let attempt = 1, hasWaited = false; ; attempt += 1) {
      const queued = await waitAndMarkSubmitting(lease, steps, hasWaited);
      if ("kind" in queued) return queued;
      const result = await steps.send(queued).catch((error: unknown) => {
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
      } else if (hasWaited) await waitForRateLimit(lease, result, attempt, run);
      else if (resubmissions === 0) {
        await lease.tryWrite({ state: "unknown", message: explainError(result) });
        return { kind: "lost", error: result };
      } else {
        resubmissions -= 1;
        run.log.warning(`${result.message} Submitting again, because of \`on-ambiguous: resubmit\`.`);
      }
    }
  } catch (error) {
    await lease.recordInterruption(error);
    throw error;
  }
}

/**
 * Waits in the queue, and records that the request is about to be sent; or returns why it is not sent.
 *
 * @param hasWaited whether the request has waited before: its author may have lost the permission meanwhile
 */
async function waitAndMarkSubmitting(
  lease: ClaimLease,
  { waitInQueue, refuse }: SubmitSteps,
  hasWaited: boolean,
): Promise<QueueResult | Submission> {
  for (;;) {
    const queued = await waitInQueue();
    const isDelayed = queued.hasWaited || hasWaited;
    if (isDelayed) await lease.throwIfStopped();
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

/**
 * Waits for the platform's rate limit; the thread shows that.
 *
 * @throws {PlatformError} the given error, if it is another one, or the wait would exceed the run's deadline.
 */
async function waitForRateLimit(
  lease: ClaimLease,
  error: PlatformError,
  attempt: number,
  { clock, deadlineMs }: ClaimRun,
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
