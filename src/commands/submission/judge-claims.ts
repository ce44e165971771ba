/** What the records of a trigger mean for a run that wants to submit. */
import type { StoredClaim } from "../../github/claim-store.ts";

/** Who may act on a claim. */
export interface ClaimOwner {
  readonly runId: string;
  readonly runAttempt: number;
  /** Tells two steps of one attempt apart. */
  readonly word: string;
}

/** Seconds after its last change during which the owner of a claim may still send the creating request. */
export const leases = { claimed: 15, submitting: 180 } as const;

/** Clocks, and answers under way: after its lease a claim is left alone for this long. */
const graceMs = 15_000;

export type ClaimSituation =
  /** Nobody holds the trigger; `leftovers` are records of runs that sent nothing. */
  | { readonly kind: "free"; readonly leftovers: readonly StoredClaim[] }
  /** The job is known. */
  | { readonly kind: "found"; readonly claim: StoredClaim }
  /** A creating request was sent, or may have been, and its answer is lost. */
  | { readonly kind: "lost"; readonly claim: StoredClaim; readonly leftovers: readonly StoredClaim[] }
  /** Another run may be about to submit; if it says nothing more, the trigger is free in so many milliseconds. */
  | { readonly kind: "busy"; readonly claim: StoredClaim; readonly freeInMs: number };

export function ownerWord({ runId, runAttempt, word }: ClaimOwner): string {
  return `${runId}.${runAttempt}.${word}`;
}

/** Judges the records of one trigger, oldest first. */
export function judgeClaims(claims: readonly StoredClaim[], owner: ClaimOwner): ClaimSituation {
  const live = claims.filter(({ record }) => record.state !== "released");
  const found = live.find(
    ({ record, isUnverifiable }) =>
      !isUnverifiable && (record.state === "working" || record.state === "ended"),
  );
  if (found) return { kind: "found", claim: found };
  const lost = live.find((claim) => isLost(claim, owner));
  const leftovers = claims.filter((claim) => isLost(claim, owner) || !isLive(claim, owner));
  if (lost) return { kind: "lost", claim: lost, leftovers };
  const rivals = live.filter((claim) => isLive(claim, owner));
  const busy = rivals.find(isElected) ?? rivals[0];
  if (busy) return { kind: "busy", claim: busy, freeInMs: freeIn(busy, owner) };
  return { kind: "free", leftovers };
}

/** Whether a claim's owner has won its election: it is sending the creating request, or waits to do so. */
export function isElected({ record }: StoredClaim): boolean {
  return record.state === "submitting" || (record.state === "claimed" && record.outcome !== undefined);
}

/** Whether the run that started a job may still be waiting for it. */
export function hasWaitingRun(claim: StoredClaim, owner: ClaimOwner): boolean {
  return claim.record.outcome === undefined && freeIn(claim, owner) > 0;
}

function isLive(claim: StoredClaim, owner: ClaimOwner): boolean {
  return claim.record.state !== "released" && freeIn(claim, owner) > 0;
}

function isLost(claim: StoredClaim, owner: ClaimOwner): boolean {
  if (claim.isUnverifiable || claim.record.state === "unknown") return true;
  return claim.record.state === "submitting" && freeIn(claim, owner) === 0;
}

/** Milliseconds until the claim's owner can no longer act; 0 where it is known to be gone. */
function freeIn({ record, ageMs }: StoredClaim, owner: ClaimOwner): number {
  const [runId, runAttempt] = record.owner.split(".");
  const isEarlierAttempt = runId === owner.runId && Number(runAttempt) < owner.runAttempt;
  return isEarlierAttempt ? 0 : Math.max(0, record.leaseSeconds * 1000 + graceMs - ageMs);
}
