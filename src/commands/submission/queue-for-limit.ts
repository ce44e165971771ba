/** A request that the platform's limit holds back: visibly queued, and asked again when there may be room. */
import type { PlatformError } from "../../client/errors.ts";
import { explain } from "../explain-error.ts";
import type { ClaimHolder } from "./claim-holder.ts";
import { leases } from "./judge-claims.ts";
import type { Objection, SubmitOnceDeps, SubmitOnceOptions } from "./submission.ts";

/** How often a queued run renews its claim: a run that watches sees within its time whether the other is gone. */
const renewAfterMs = 3 * 60_000;

interface QueueTurn {
  readonly error: PlatformError;
  readonly attempt: number;
  readonly holder: ClaimHolder;
}

/**
 * Waits for the platform's limit, visibly; returns why the request must not be sent any more.
 *
 * @throws {PlatformError} the refusal, where waiting does not mend it or would take too long.
 */
export async function queueOrThrow<Job>(
  { error, attempt, holder }: QueueTurn,
  { deadlineMs }: SubmitOnceOptions,
  { clock, log, signal, objection }: SubmitOnceDeps<Job>,
): Promise<Objection | undefined> {
  if (error.code !== "rate-limited") {
    await holder.write({ state: "released", outcome: "failed", message: explain(error) });
    throw error;
  }
  const waitMs = queueDelayMs(error.retryAfterMs, attempt);
  const resumeMs = clock.now() + waitMs;
  if (resumeMs >= deadlineMs) {
    await holder.write({ state: "released", outcome: "rate-limited", message: explain(error) });
    throw error;
  }
  await waitInQueue({ holder, resumeMs }, { clock, log, signal });
  const found = await objection();
  if (found) await holder.write({ state: "released", outcome: "skipped", message: found.message });
  return found;
}

/** What the platform asks for, but longer with each refusal: it may name a time that is over, or none at all. */
function queueDelayMs(retryAfterMs: number | undefined, attempt: number): number {
  const patience = 2 ** (attempt - 1);
  return retryAfterMs === undefined
    ? Math.min(60_000 * patience, 600_000)
    : Math.max(retryAfterMs, Math.min(1_000 * patience, 60_000));
}

/** Holds the claim until it is time to ask again, renewing it on the way. */
async function waitInQueue(
  { holder, resumeMs }: { readonly holder: ClaimHolder; readonly resumeMs: number },
  { clock, log, signal }: Pick<SubmitOnceDeps<unknown>, "clock" | "log" | "signal">,
): Promise<void> {
  const outcome = `queued until ${new Date(resumeMs).toISOString()}`;
  for (let turn = 0, leftMs = resumeMs - clock.now(); leftMs > 0; turn += 1) {
    const stepMs = Math.min(leftMs, renewAfterMs);
    const leaseSeconds = Math.ceil(stepMs / 1000) + leases.claimed;
    await holder.write({ state: "claimed", outcome, leaseSeconds });
    if (turn === 0) log.notice(`The platform's limit of jobs is used up; ${outcome}.`);
    await clock.sleep(stepMs, signal);
    leftMs = resumeMs - clock.now();
  }
}
