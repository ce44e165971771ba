/**
 * At most one submission for a trigger, over re-runs, second deliveries and dead runners: claim → submit → record.
 *
 * The platform has no idempotency key, so what was about to be done is written down before it is done. A run that finds
 * such a record resumes the job, waits for the run that is at it, or leaves a lost answer alone.
 */
import { PlatformError } from "../../client/errors.ts";
import { explain } from "../explain-error.ts";
import { ClaimHolder } from "./claim-holder.ts";
import { queueOrThrow } from "./queue-for-limit.ts";
import type { Submission, SubmitOnceDeps, SubmitOnceOptions } from "./submission.ts";
import { watchOthers } from "./watch-others.ts";

/**
 * Creates a job for a trigger unless one was, or may have been, created before.
 *
 * @throws {PlatformError} when the platform turned the request away for good; the record then says so.
 */
export async function submitOnce<Job>(
  options: SubmitOnceOptions,
  deps: SubmitOnceDeps<Job>,
): Promise<Submission<Job>> {
  const earlier = await watchOthers<Job>(options, deps);
  if (earlier.kind !== "free") return earlier.submission;
  const holder = new ClaimHolder(options, deps);
  const end = await deps.findEnd();
  if (end) return { kind: "found", claim: await holder.recordEnd(end, earlier.leftovers) };
  const objection = await deps.objection();
  if (objection) return { kind: "withdrawn", objection };
  await deps.onFree();
  try {
    const rival = await holder.claim(earlier.leftovers);
    if (rival) return { kind: "other-run", claim: rival };
    return await submitClaimed(holder, options, deps);
  } catch (error) {
    await holder.settleInterrupted(error);
    throw error;
  }
}

async function submitClaimed<Job>(
  holder: ClaimHolder,
  options: SubmitOnceOptions,
  deps: SubmitOnceDeps<Job>,
): Promise<Submission<Job>> {
  let resubmissions = options.onAmbiguous === "resubmit" ? 1 : 0;
  for (let attempt = 1; ; attempt += 1) {
    await holder.announce();
    const error = await trySubmitting(holder, deps);
    if (!(error instanceof PlatformError)) return error;
    if (!error.maybeSubmitted) {
      const objection = await queueOrThrow({ error, attempt, holder }, options, deps);
      if (objection) return { kind: "withdrawn", objection };
    } else if (resubmissions > 0) {
      resubmissions -= 1;
      deps.log.warning(`${error.message} Submitting once more, as \`on-ambiguous: resubmit\` asks.`);
    } else {
      return {
        kind: "lost",
        claim: await holder.write({ state: "unknown", message: explain(error) }),
        error,
      };
    }
  }
}

async function trySubmitting<Job>(
  holder: ClaimHolder,
  { submit }: SubmitOnceDeps<Job>,
): Promise<Submission<Job> | PlatformError> {
  try {
    const { jobId, job } = await submit();
    return { kind: "submitted", claim: await holder.recordJob(jobId), job };
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
}
