/**
 * At most one submission for a trigger, over re-runs, second deliveries and dead runners: claim → submit → record.
 *
 * The platform has no idempotency key, so what was about to be done is written down before it is done. A run that finds
 * such a record resumes the job, waits for the run that is at it, or leaves a lost answer alone.
 */
import type { StoredClaim } from "../../github/claims/claim-store.ts";
import { PlatformError } from "../../platform/errors.ts";
import { explain } from "../explain-error.ts";
import { ClaimHolder } from "./claim-holder.ts";
import { type ClaimSituation, judgeClaims } from "./judge-claims.ts";
import { queueOrThrow } from "./queue-for-limit.ts";
import type { Submission, SubmitOnceDeps, SubmitOnceOptions } from "./submission.ts";

/** How often a run that found another at work looks again, and how long it does so at most. */
const lookAgainMs = 3_000;
const maxWatchMs = 4 * 60_000;

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

/** What earlier records leave a run to do. */
export type Earlier<Job> =
  | { readonly kind: "free"; readonly leftovers: readonly StoredClaim[] }
  | { readonly kind: "taken"; readonly submission: Submission<Job> };

/** Looks at earlier records until none is in a state that its owner is about to change. */
export async function watchOthers<Job>(
  { owner, onAmbiguous }: Pick<SubmitOnceOptions, "owner" | "onAmbiguous">,
  { claims, clock, signal, log }: Pick<SubmitOnceDeps<Job>, "claims" | "clock" | "signal" | "log">,
): Promise<Earlier<Job>> {
  const untilMs = clock.now() + maxWatchMs;
  for (let looks = 0; ; looks += 1) {
    const situation = judgeClaims(await claims.list(), owner);
    const isHopeless = situation.kind === "busy" && clock.now() + situation.freeInMs > untilMs;
    if (situation.kind !== "busy" || isHopeless) {
      return conclude(situation, { isFirstLook: looks === 0, onAmbiguous });
    }
    if (looks === 0) log.info("Another run has just taken this request; watching whether it goes on.");
    await clock.sleep(Math.min(lookAgainMs, situation.freeInMs), signal);
  }
}

function conclude<Job>(
  situation: ClaimSituation,
  { isFirstLook, onAmbiguous }: { isFirstLook: boolean; onAmbiguous: "stop" | "resubmit" },
): Earlier<Job> {
  if (situation.kind === "free") return situation;
  const { claim } = situation;
  if (situation.kind === "lost") {
    return onAmbiguous === "resubmit"
      ? { kind: "free", leftovers: situation.leftovers }
      : { kind: "taken", submission: { kind: "lost", claim, error: undefined } };
  }
  // A job that appeared while we watched has its own run waiting for it.
  const kind = situation.kind === "found" && isFirstLook ? "found" : "other-run";
  return { kind: "taken", submission: { kind, claim } };
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
