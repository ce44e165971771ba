import type { Clock, Log } from "../../base/runtime.ts";
import type { ClaimStore, StoredClaim } from "../../github/claim-store.ts";
import { type ClaimRecord, isSettled } from "../../github/claim-store.ts";

export interface FinishClaimDeps {
  readonly claims: Pick<ClaimStore, "list" | "update">;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** A claim that was on its way when its run ended may appear a little later: looks, and the time between two. */
const lateLooks = { times: 3, everyMs: 1_500 };

/**
 * Makes the record of a killed run true: what was not sent is released, what may have been sent is unknown, what runs
 * goes on without anybody waiting, or ended with its embedded platform.
 */
export async function finishClaim(
  { saved, isEmbedded }: { readonly saved: ClaimRecord; readonly isEmbedded: boolean },
  deps: FinishClaimDeps,
): Promise<void> {
  const { claims, log } = deps;
  const claim = await findClaim(saved, deps);
  if (!claim || claim.isUnverifiable) return;
  // The main step may have known the job before it could write it down; otherwise what is written is further than what is saved.
  const known = saved.jobId === undefined ? claim.record : { ...claim.record, ...saved };
  const truth = isSettled(saved) ? saved : truthOf(known, { isEmbedded });
  if (!truth || isSettled(claim.record)) return;
  await claims.update(claim, truth);
  log.info(`The status of the interrupted request was corrected: ${truth.state}.`);
}

/** The record that the run held, told by its owner. */
async function findClaim(
  { owner, state }: ClaimRecord,
  { claims, clock, signal }: FinishClaimDeps,
): Promise<StoredClaim | undefined> {
  const looks = state === "claimed" ? lateLooks.times : 1;
  for (let look = 1; ; look += 1) {
    const claim = (await claims.list()).find(({ record }) => record.owner === owner);
    if (claim || look === looks) return claim;
    await clock.sleep(lateLooks.everyMs, signal);
  }
}

function truthOf(record: ClaimRecord, { isEmbedded }: { isEmbedded: boolean }): ClaimRecord | undefined {
  switch (record.state) {
    case "claimed":
      return { ...record, state: "released", outcome: "interrupted" };
    case "submitting":
      return { ...record, state: "unknown" };
    case "working":
      return record.outcome === undefined
        ? { ...record, outcome: isEmbedded ? "stopped" : "interrupted" }
        : undefined;
    default:
      return undefined;
  }
}
