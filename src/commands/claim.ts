/** What the records of a trigger mean to a run: which claims are still leased, which were lost, and which requests a run still works on. */
import { randomBytes } from "node:crypto";
import type { ClaimRecord } from "../base/claim-record.ts";
import type { ActionError } from "../base/errors.ts";
import type { Clock } from "../base/runtime.ts";
import { cutText, shorten } from "../base/text.ts";
import { isOlderClaim, type StoredClaim } from "../github/claim-store.ts";
import type { GitHubEvent, RunContext } from "../github/event.ts";
import type { Skip } from "./run.ts";

/** An attempt of a workflow run. */
export type RunAttempt = Pick<RunContext, "runId" | "runAttempt">;

/** A new owner of a claim: a step of the attempt. Two steps of the same attempt are different owners. */
export function createOwner({ runId, runAttempt }: RunAttempt): string {
  return `${runId}.${runAttempt}.${randomBytes(6).toString("hex")}`;
}

/**
 * Lease in seconds, by state: for this long after its last change, the owner of a claim may still send the creating request. Where
 * GitHub responds so slowly that a claim expires first, each further claim has twice the lease.
 */
export const leases = { claimed: 15, submitting: 180 } as const;

/** Other runs respect a claim for this long after its lease: clocks differ, and a response may still be on its way. */
export const leaseGraceMs = 15_000;

/** What the existing records of a trigger mean for a run that wants to submit it. */
export type ClaimResolution =
  | { readonly kind: "free" }
  /** The record names a job. */
  | { readonly kind: "found"; readonly claim: StoredClaim }
  /** The creating request was or may have been sent, and its response is lost. */
  | { readonly kind: "lost"; readonly claim: StoredClaim }
  /** Another run may be about to submit the request. */
  | { readonly kind: "busy"; readonly claim: StoredClaim };

/** @param claims the records of one trigger, oldest first */
export function resolveClaims(
  claims: readonly StoredClaim[],
  attempt: RunAttempt,
): ClaimResolution & { readonly stale: readonly StoredClaim[] } {
  const found = claims.find(
    ({ record: { state }, isUnverifiable }) => !isUnverifiable && (state === "working" || state === "ended"),
  );
  if (found) return { kind: "found", claim: found, stale: [] };
  const unreleased = claims.filter(({ record }) => record.state !== "released");
  const isLost = (claim: StoredClaim) => {
    const { state } = claim.record;
    return (
      claim.isUnverifiable || state === "unknown" || (state === "submitting" && !isLeased(claim, attempt))
    );
  };
  const lost = unreleased.find(isLost);
  const leased = unreleased.filter((claim) => isLeased(claim, attempt));
  const stale = claims.filter((claim) => !leased.includes(claim) || isLost(claim));
  if (lost) return { kind: "lost", claim: lost, stale };
  const busy = leased.find(isElected) ?? leased[0];
  return busy ? { kind: "busy", claim: busy, stale: [] } : { kind: "free", stale };
}

/** Whether the run that owns a claim may still be waiting: to send the request, or for its job to end. */
export function hasWaitingRun(claim: StoredClaim, attempt: RunAttempt): boolean {
  const { state, outcome } = claim.record;
  return (outcome === undefined || state === "claimed") && isLeased(claim, attempt);
}

/** Whether an earlier attempt of the same workflow run owns a record. */
export function isOfEarlierAttempt(
  { owner }: Pick<ClaimRecord, "owner">,
  { runId, runAttempt }: RunAttempt,
): boolean {
  const [ownerRunId, ownerAttempt] = owner.split(".");
  return ownerRunId === runId && Number(ownerAttempt) < runAttempt;
}

/** Whether a claim's owner may still act. An earlier attempt of the same run cannot: it has ended. */
function isLeased({ record, ageMs }: StoredClaim, attempt: RunAttempt): boolean {
  return !isOfEarlierAttempt(record, attempt) && ageMs < record.leaseSeconds * 1000 + leaseGraceMs;
}

/** Whether a claim's owner was elected: it sends the creating request, or waits to send it. */
function isElected({ record }: StoredClaim): boolean {
  return record.state === "submitting" || (record.state === "claimed" && record.outcome !== undefined);
}

/** A record without the fields that change with its state. */
export type ClaimDraft = Omit<ClaimRecord, "state" | "owner" | "claimedAt" | "leaseSeconds">;

/** A record keeps this much of a request, so that `retry` can repeat it. */
const maxRequestLength = 4_000;
/** Limits of the record's schema. */
const maxNotes = 8;
const maxNoteLength = 300;

/** Drafts the record of a request, cut to the limits of the record's schema. */
export function draftRecord(
  identity: ClaimDraft,
  request: string,
  notes: readonly string[],
  event: GitHubEvent,
): ClaimDraft {
  // The sender, not the text's author: a label or a checkbox may be set on another user's text.
  const requester = event.sender?.login;
  const keptNotes = notes.slice(0, maxNotes).map((note) => cutText(note, maxNoteLength));
  return {
    ...identity,
    request: shorten(request, maxRequestLength),
    ...(requester === undefined ? {} : { requester }),
    ...(keptNotes.length === 0 ? {} : { notes: keptNotes }),
  };
}

/** Whether a record contains only the start of its request. */
export function isShortenedRequest(request: string): boolean {
  return request.length >= maxRequestLength - 1 && request.endsWith("…");
}

/** An error's message and hint, cut to the length that a record can store. */
export function explainError(error: ActionError): string {
  return shorten(`${error.message} ${error.hint}`, 1000);
}

/** Why this run leaves a request alone: another run works on it. */
export function refuseInProgress(claim: StoredClaim): Skip {
  const page = claim.record.runUrl || claim.url;
  const run = page === undefined ? "" : `: ${page}`;
  const message = `In progress: another run works on this request${run}`;
  return { reason: "other-run", message, page, claim };
}

/** Outcome of the record of a request that a user stopped; the run that owns it stops waiting when it reads this. */
export const stoppedByUser = "stopped-by-user";

/** Of two claims that are not elected, the older wins. A run that sees an elected claim yields even if its own is older. */
export function isOlderCandidate(own: StoredClaim, resolution: ClaimResolution): boolean {
  return resolution.kind === "busy" && !isElected(resolution.claim) && isOlderClaim(own, resolution.claim);
}

/** A run that follows a job records the job's end within this time. */
const recordEndWithinMs = 90_000;

/** Distinguishes requests that a run still works on from requests whose run is gone. */
export class ActiveRequests {
  readonly #attempt: RunAttempt;
  readonly #hasJobEnded: (jobId: string) => Promise<boolean>;
  readonly #clock: Clock;
  /** By owner: when its job was first seen to have ended although the record did not contain that yet. */
  readonly #endSeenMs = new Map<string, number>();

  /** @param hasJobEnded reads the job from the platform */
  constructor(attempt: RunAttempt, hasJobEnded: (jobId: string) => Promise<boolean>, clock: Clock) {
    this.#attempt = attempt;
    this.#hasJobEnded = hasJobEnded;
    this.#clock = clock;
  }

  /** The last of the requests whose run waits, submits, or follows its job. */
  async findLast(claims: readonly StoredClaim[]): Promise<StoredClaim | undefined> {
    for (const claim of claims.toReversed()) if (await this.#isActive(claim)) return claim;
    return undefined;
  }

  async #isActive(claim: StoredClaim): Promise<boolean> {
    const { state, outcome, jobId, owner } = claim.record;
    const isFollowing = state === "working" && outcome === undefined;
    if (state !== "claimed" && state !== "submitting" && !isFollowing) return false;
    if (claim.isUnverifiable || !isLeased(claim, this.#attempt)) return false;
    if (!isFollowing || jobId === undefined || !(await this.#hasJobEnded(jobId))) return true;
    const nowMs = this.#clock.now();
    const sinceMs = this.#endSeenMs.get(owner) ?? nowMs;
    this.#endSeenMs.set(owner, sinceMs);
    return nowMs - sinceMs < recordEndWithinMs;
  }
}
