import { type ClaimRecord, isSettled } from "../github/claim-record.ts";
import type { ClaimStore } from "../github/claim-store.ts";
import type { Log } from "../log.ts";

/**
 * Makes the record of a killed run true: what was not sent is released, what may have been sent is unknown, what runs
 * goes on without anybody waiting.
 */
export async function finishClaim(
  saved: { readonly id: number; readonly record: ClaimRecord },
  { claims, log }: { readonly claims: ClaimStore; readonly log: Log },
): Promise<void> {
  const claim = (await claims.list()).find(({ id }) => id === saved.id);
  if (!claim || claim.isUnverifiable) return;
  // The main step may have known the job before it could write it down; otherwise what is written is further than what is saved.
  const known = saved.record.jobId === undefined ? claim.record : { ...claim.record, ...saved.record };
  const truth = isSettled(saved.record) ? saved.record : truthOf(known);
  if (!truth || isSettled(claim.record)) return;
  await claims.update(claim, truth);
  log.info(`The status of the interrupted request was corrected: ${truth.state}.`);
}

function truthOf(record: ClaimRecord): ClaimRecord | undefined {
  switch (record.state) {
    case "claimed":
      return { ...record, state: "released", outcome: "interrupted" };
    case "submitting":
      return { ...record, state: "unknown" };
    case "working":
      return record.outcome === undefined ? { ...record, outcome: "interrupted" } : undefined;
    default:
      return undefined;
  }
}
