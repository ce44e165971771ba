/**
 * At most one submission for each trigger, across re-runs, repeated deliveries and lost runners: claim → submit → record.
 *
 * The platform has no idempotency key. A run therefore writes a record before it sends the creating request. Another run that
 * finds the record resumes the job, leaves the request to the run that holds it, or reports that the response was lost.
 */
import { randomBytes } from "node:crypto";
import { type ClaimRecord, isOtherRequest, updateRecord } from "../base/claim-record.ts";
import { ActionError, InterruptedError } from "../base/errors.ts";
import type { Clock } from "../base/runtime.ts";
import { cutText, messageOf, shorten } from "../base/text.ts";
import { PlatformError } from "../client/errors.ts";
import { type ClaimStore, isOlderClaim, type StoredClaim } from "../github/claim-store.ts";
import type { OwnershipDeps } from "../github/comment-claims.ts";
import { GitHubError, mayPass } from "../github/errors.ts";
import type { GitHubEvent, RunContext } from "../github/event.ts";
import type { GitHubConnection, Refusal } from "./connect-github.ts";
import type { Run } from "./run.ts";
import { type ClaimLocation, saveClaim } from "./saved-claim.ts";

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
const leaseGraceMs = 15_000;

/** Pause before records are listed again because one of them is gone. */
const listAgainMs = 2_000;

/** A run that follows a job records the job's end within this time. */
const recordEndWithinMs = 90_000;

/** How often a run claims the request if its claims expire before it may send it. */
const maxElections = 4;

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
function resolveClaims(
  claims: readonly StoredClaim[],
  attempt: RunAttempt,
): ClaimResolution & { readonly stale: readonly StoredClaim[] } {
  const found = claims.find(
    ({ record: { state }, isUnverifiable }) => !isUnverifiable && (state === "working" || state === "ended"),
  );
  if (found) return { kind: "found", claim: found, stale: [] };
  const standing = claims.filter(({ record }) => record.state !== "released");
  const isLost = (claim: StoredClaim) => {
    const { state } = claim.record;
    return (
      claim.isUnverifiable || state === "unknown" || (state === "submitting" && !isLeased(claim, attempt))
    );
  };
  const lost = standing.find(isLost);
  const held = standing.filter((claim) => isLeased(claim, attempt));
  const stale = claims.filter((claim) => !held.includes(claim) || isLost(claim));
  if (lost) return { kind: "lost", claim: lost, stale };
  const busy = held.find(isElected) ?? held[0];
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
export function refuseInProgress(claim: StoredClaim): Refusal {
  const page = claim.record.runUrl || claim.url;
  const run = page === undefined ? "" : `: ${page}`;
  const message = `In progress: another run works on this request${run}`;
  return { reason: "other-run", message, page, claim };
}

export interface TriggerStores {
  readonly location: ClaimLocation;
  readonly store: ClaimStore;
  /** The same store, over the API client that a cancelled run uses. */
  readonly shutdownStore: ClaimStore;
}

/**
 * Opens the store of a trigger's records, also for a cancelled run.
 *
 * @param open opens the store with one of the two API clients
 */
export async function openTriggerStores(
  location: ClaimLocation,
  { readOwnership, shutdownApi }: GitHubConnection,
  open: (ownership: OwnershipDeps) => ClaimStore,
): Promise<TriggerStores> {
  const ownership = await readOwnership();
  return { location, store: open(ownership), shutdownStore: open({ ...ownership, api: shutdownApi }) };
}

export type ClaimRun = Pick<Run, "clock" | "log" | "signal" | "deadlineMs" | "saveState">;

/** One run's hold on a trigger: its own claim or the claim that it resumes, with the current state of the record. */
export class ClaimLease {
  readonly #stores: TriggerStores;
  readonly #attempt: RunAttempt;
  #owner: string;
  #draft: ClaimDraft;
  readonly #run: ClaimRun;
  #held: StoredClaim | undefined;
  /** Claims of this trigger whose runs are gone and sent nothing, or whose response was lost; `acquire` removes them. */
  #stale: readonly StoredClaim[] = [];
  /** The last listing, until this run waits. */
  #listed: readonly StoredClaim[] | undefined;
  /** When the request that last wrote the claim began: its lease starts then at the earliest. */
  #writtenMs = 0;
  /** Whether the lease ended before GitHub responded to a change: another run may have claimed the request before it was visible. */
  #mayBeTaken = false;
  /** Number of this run's claims that expired before the request could be sent. */
  #expiredClaims = 0;

  constructor(stores: TriggerStores, attempt: RunAttempt, draft: ClaimDraft, run: ClaimRun) {
    this.#stores = stores;
    this.#attempt = attempt;
    this.#owner = createOwner(attempt);
    this.#draft = draft;
    this.#run = run;
  }

  /** The claim as last written, or as it would be if GitHub had accepted the last change. */
  get claim(): StoredClaim {
    if (!this.#held) throw new Error("There is no claim.");
    return this.#held;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Reads the existing records of the trigger. */
  async resolve(): Promise<ClaimResolution> {
    // A listing from the start of the run is enough here: `acquire` lists the records again.
    const listed = this.#store.listed?.().filter(({ record }) => this.#isOfTrigger(record));
    const resolution = resolveClaims(listed ?? (await this.#listOfTrigger()), this.#attempt);
    this.#stale = resolution.stale;
    return resolution;
  }

  async #listOfTrigger(): Promise<readonly StoredClaim[]> {
    this.#listed = await this.#store.list();
    return this.#listed.filter(({ record }) => this.#isOfTrigger(record));
  }

  #isOfTrigger({ trigger }: ClaimRecord): boolean {
    return trigger === this.#draft.trigger;
  }

  /** Records of other requests in the same store for the same project that come before this request, oldest first. */
  async listEarlier(): Promise<readonly StoredClaim[]> {
    const isEarlier = (claim: StoredClaim) =>
      isOtherRequest(claim.record, this.#draft) &&
      (this.#held === undefined || isOlderClaim(claim, this.#held) || claim.record.state !== "claimed");
    this.#listed ??= await this.#store.list();
    return this.#listed.filter(isEarlier);
  }

  /**
   * Waits until no run works on an earlier request in the same store; returns whether it had to wait. Two requests that
   * arrive at the same time are thus sent in the order of their records.
   *
   * @throws {InterruptedError} when `timeout-minutes` has passed, or a user stopped the request.
   */
  async waitForEarlier(activeRequests: ActiveRequests): Promise<boolean> {
    for (let hasWaited = false; ; hasWaited = true) {
      let earlier = await this.listEarlier();
      const countRuns = () => earlier.filter((claim) => hasWaitingRun(claim, this.#attempt)).length;
      const ahead = await activeRequests.findLast(earlier);
      if (ahead === undefined) return hasWaited;
      const name = ahead.url || "an earlier request";
      const isOver = async () => {
        if (countRuns() > 1) earlier = await this.listEarlier();
        else {
          const current = await this.#store.reread(ahead);
          earlier = current === undefined ? [] : [current];
        }
        const own = this.#listed?.find(({ id }) => id === this.claim.id);
        const isStopped = own?.record.outcome === stoppedByUser;
        return isStopped || (await activeRequests.findLast(earlier)) === undefined;
      };
      const notice = `An earlier request comes first: ${name}`;
      await this.waitAndRenew(`queued behind ${name}`, isOver, notice, countRuns);
    }
  }

  /** Continues with a claim that an earlier run made. */
  resume(claim: StoredClaim): void {
    this.#held = claim;
  }

  /** Writes a claim and takes part in the election; returns the winning claim if this run lost. */
  async acquire(): Promise<StoredClaim | undefined> {
    for (;;) {
      const held = await this.#create();
      await this.#requireTime();
      const winner = await this.#findWinner(held);
      if (winner) {
        await this.#store.remove(held);
        this.#held = undefined;
        this.#save({ ...held.record, state: "released" });
        // Read only now: the other run may have withdrawn its claim because of the one that is removed.
        const current = await this.#store.reread(winner);
        if (current && current.record.state !== "released") return winner;
        // GitHub may list a deleted comment for a moment.
        await this.#sleep(listAgainMs);
        this.#owner = createOwner(this.#attempt);
        continue;
      }
      const stale = this.#stale;
      this.#stale = [];
      for (const claim of stale) await this.#store.remove(claim);
      if (stale.length > 0)
        this.#run.log.info("An earlier run claimed this request but sent nothing; starting again.");
      if (!this.#isExpired) return undefined;
      await this.#withdraw();
    }
  }

  /** The claim of another run that comes before the created one. */
  async #findWinner(created: StoredClaim): Promise<StoredClaim | undefined> {
    const claims = await this.#listOfTrigger();
    // A status that had to be written again has the ID of its first attempt, which other runs see.
    const held = claims.find(({ record }) => record.owner === created.record.owner) ?? created;
    // A claim that changed was not stale: its owner has written it since.
    const stale = new Set(this.#stale.map((claim) => `${claim.id} ${JSON.stringify(claim.record)}`));
    const others = claims.filter(
      ({ id, record }) => id !== held.id && !stale.has(`${id} ${JSON.stringify(record)}`),
    );
    const resolution = resolveClaims(others, this.#attempt);
    return resolution.kind === "free" || isOlderCandidate(held, resolution) ? undefined : resolution.claim;
  }

  /** Records, in place of the stale claims, how a request ended that this run does not send. */
  async recordEarlierResult(result: Partial<ClaimRecord>): Promise<void> {
    this.#held = await this.#store.create({ ...this.#newRecord(), state: "ended", ...result });
    for (const claim of this.#stale) await this.#store.remove(claim);
  }

  /** Releases the claims of runs that are gone, because this run does not send the request either. */
  async releaseStale(message: string): Promise<void> {
    for (const claim of this.#stale.filter(({ record }) => record.state === "claimed")) {
      const change = { state: "released", outcome: "skipped", message } as const;
      await this.#store.update(claim, updateRecord(claim.record, change));
    }
  }

  /**
   * Records that the creating request is about to be sent: afterwards, the state of the record is `submitting`. If the lease
   * ended first, the request is claimed again instead, and the state is `claimed`. Returns another run's claim if that run
   * won the new election.
   *
   * @throws {InterruptedError} when `timeout-minutes` has passed.
   * @throws {GitHubError} when GitHub responds too slowly.
   */
  async markSubmitting(): Promise<StoredClaim | undefined> {
    if (this.#isExpired) return this.#reacquire();
    await this.#requireTime();
    await this.write({ state: "submitting", leaseSeconds: leases.submitting });
    return this.#mayBeTaken ? this.#reacquire() : undefined;
  }

  /** Whether another run may have claimed the request by now. */
  get #isExpired(): boolean {
    return this.#mayBeTaken || this.#run.clock.now() > this.#leaseEndsMs;
  }

  /** Replaces a claim that is no longer valid; returns the winning claim if this run lost. */
  async #reacquire(): Promise<StoredClaim | undefined> {
    await this.#withdraw();
    return this.acquire();
  }

  /**
   * Writes a change to GitHub before anything else happens.
   *
   * @param body what the comment shows, if it is more than the record contains
   * @throws {GitHubError} when GitHub does not accept the change.
   */
  async write(change: Partial<ClaimRecord>, body?: string): Promise<void> {
    const { claim } = this;
    const takenAfterMs = this.#leaseEndsMs + leaseGraceMs;
    this.#writtenMs = this.#run.clock.now();
    this.#hold(await this.#store.update(claim, updateRecord(claim.record, change), body));
    this.#mayBeTaken ||= this.#run.clock.now() >= takenAfterMs;
  }

  /**
   * Writes a change that is a fact whether or not GitHub accepts it, also while the run is being cancelled. A failure is a
   * warning, and the post step tries again. Returns the error.
   */
  async tryWrite(change: Partial<ClaimRecord>, body?: string): Promise<unknown> {
    this.leaveToPostStep(change);
    const write = () => this.#workingStore.update(this.claim, this.claim.record, body);
    try {
      const written = await write().catch((error: unknown) => {
        if (!this.#run.signal.aborted) throw error;
        return write();
      });
      this.#hold(written);
      return undefined;
    } catch (error) {
      this.#run.log.warning(`The status could not be written: ${messageOf(error)}`);
      return error;
    }
  }

  /** Adds fields that are written with the claim, or with its record's next change. */
  amend(fields: Partial<ClaimRecord>): void {
    if (this.#held) this.#held = { ...this.#held, record: { ...this.#held.record, ...fields } };
    else this.#draft = { ...this.#draft, ...fields };
  }

  /** Leaves a change for the post step to write. */
  leaveToPostStep(change: Partial<ClaimRecord>): void {
    this.#hold({ ...this.claim, record: updateRecord(this.claim.record, change) }, true);
  }

  /** Records the job; its record belongs to this run until the deadline. */
  recordJob(jobId: string): Promise<unknown> {
    const leftMs = this.#run.deadlineMs - this.#run.clock.now();
    const startedAt = new Date(this.#run.clock.now()).toISOString();
    const leaseSeconds = Math.max(0, Math.ceil(leftMs / 1000));
    return this.tryWrite({ state: "working", jobId, startedAt, leaseSeconds });
  }

  /** Records that the run was cancelled or failed before a job was known. */
  async recordInterruption(error: unknown): Promise<void> {
    const { state, outcome: recorded } = this.#held?.record ?? {};
    if (recorded === stoppedByUser) return;
    if (state !== "claimed" && state !== "submitting") return;
    const isInterrupted = error instanceof InterruptedError;
    const outcome = isInterrupted ? error.code : "failed";
    const reason = error instanceof ActionError && !isInterrupted ? { message: explainError(error) } : {};
    await this.tryWrite({ state: state === "submitting" ? "unknown" : "released", outcome, ...reason });
  }

  /**
   * Waits, and renews the claim meanwhile, so that other runs know that this run still exists.
   *
   * @param outcome what the request waits for
   * @param until a time in milliseconds since the epoch, or a condition, which is polled every 3 s at first and every 30 s at last
   * @param notice logged after the thread shows that the request waits
   * @param countRuns how many runs come first: the more, the rarer are polls and renewals, because all share GitHub's rate limit
   * @throws {InterruptedError} when `timeout-minutes` has passed, or a user stopped the request.
   */
  async waitAndRenew(
    outcome: string,
    until: number | (() => Promise<boolean>),
    notice: string,
    countRuns = () => 1,
  ): Promise<void> {
    const { clock, deadlineMs } = this.#run;
    const untilMs = typeof until === "number" ? until : undefined;
    const isOver = typeof until === "number" ? async () => clock.now() >= until : until;
    let renewMs = clock.now();
    for (let pollMs = 3_000; ; pollMs = Math.min(30_000, Math.round(pollMs * 1.3))) {
      const factor = Math.max(1, countRuns());
      const restMs = Math.min(renewAfterMs * factor, (untilMs ?? deadlineMs) - clock.now());
      const stepMs = untilMs === undefined ? pollMs * factor : restMs;
      try {
        if (clock.now() + stepMs > renewMs) {
          renewMs = clock.now() + restMs;
          await this.#renew(outcome, renewMs, notice);
        }
        await this.#sleep(stepMs);
        this.#listed = undefined;
        if (await isOver()) return await this.throwIfStopped();
      } catch (error) {
        await this.#outlast(error, githubPauseMs * factor);
        renewMs = clock.now();
      }
      await this.#requireTime();
    }
  }

  /** Pauses after a failure of GitHub that may pass; throws any other error. */
  async #outlast(error: unknown, pauseMs: number): Promise<void> {
    if (!mayPass(error)) throw error;
    this.#run.log.notice(`${messageOf(error)} The request stays queued.`);
    await this.#sleep(pauseMs);
  }

  /** Sleeps, but not beyond the run's deadline. */
  #sleep(ms: number): Promise<void> {
    const { clock, signal, deadlineMs } = this.#run;
    return clock.sleep(Math.max(0, Math.min(ms, deadlineMs - clock.now())), signal);
  }

  /** Releases the request at the run's deadline. */
  async #requireTime(): Promise<void> {
    if (this.#run.clock.now() < this.#run.deadlineMs) return;
    await this.write({ state: "released", outcome: "timed-out" });
    throw new InterruptedError("timed-out", "`timeout-minutes` passed before anything was sent.");
  }

  /** Renews the claim until a time, unless a user stopped the request. */
  async #renew(outcome: string, untilMs: number, notice: string): Promise<void> {
    const { outcome: shown } = this.claim.record;
    if (shown !== undefined) await this.throwIfStopped();
    const nowMs = this.#run.clock.now();
    // GitHub's last response may have come later than that time.
    const leaseSeconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000)) + this.claimSeconds;
    const renewedAt = new Date(nowMs).toISOString();
    await this.write({ state: "claimed", outcome, leaseSeconds, renewedAt });
    if (shown !== outcome) this.#run.log.notice(notice);
  }

  /**
   * Checks whether a user has stopped the request with `stop` on the thread.
   *
   * @throws {InterruptedError} `cancelled` if so; the record stays as the run of `stop` wrote it.
   */
  async throwIfStopped(): Promise<void> {
    const current = await this.#store.reread(this.claim);
    if (current?.record.outcome !== stoppedByUser) return;
    const { jobId } = this.claim.record;
    if (jobId !== undefined && current.record.jobId === undefined) {
      // The run of `stop` read the record before it contained the job.
      await this.tryWrite({ state: "working", outcome: stoppedByUser });
    } else this.#hold(current);
    const hint = jobId === undefined ? "Nothing was sent." : `Job ${jobId} continues on the platform.`;
    throw new InterruptedError("cancelled", "A user stopped this request.", { hint, retryable: false });
  }

  /**
   * Removes a claim whose lease ended before GitHub responded: another run may have ignored it. The next claim has a new owner
   * and is younger than every claim that exists by now.
   */
  async #withdraw(): Promise<void> {
    this.#expiredClaims += 1;
    if (this.#expiredClaims === maxElections) {
      const message =
        "GitHub responds too slowly: nothing was sent, because another run could have sent it, too.";
      throw new GitHubError("unavailable", message, { hint: "Run again later." });
    }
    await this.#store.remove(this.claim);
    this.#owner = createOwner(this.#attempt);
  }

  /** Until then, no other run claims the request. */
  get #leaseEndsMs(): number {
    return this.#writtenMs + this.claim.record.leaseSeconds * 1000;
  }

  #newRecord(): ClaimRecord {
    return {
      ...this.#draft,
      state: "claimed",
      owner: this.#owner,
      claimedAt: new Date(this.#run.clock.now()).toISOString(),
      leaseSeconds: this.claimSeconds,
    };
  }

  /** Lease of this run's next claim, in seconds. */
  get claimSeconds(): number {
    return leases.claimed * 2 ** this.#expiredClaims;
  }

  async #create(): Promise<StoredClaim> {
    const { clock, signal } = this.#run;
    const record = this.#newRecord();
    this.#writtenMs = clock.now();
    this.#mayBeTaken = false;
    this.#save(record);
    try {
      this.#held = await this.#store.create(record);
    } catch (error) {
      // GitHub may have written the claim although its response was lost.
      const listed = await this.#workingStore.list().catch((failure: unknown) => {
        signal.throwIfAborted();
        throw failure;
      });
      this.#held = listed.find((claim) => claim.record.owner === record.owner);
      signal.throwIfAborted();
      if (!this.#held) {
        this.#save({ ...record, state: "released" });
        throw error;
      }
    }
    this.#save(this.#held.record);
    return this.#held;
  }

  get #store(): ClaimStore {
    return this.#stores.store;
  }

  /** The store that works now: a cancelled run needs the one that is not cancelled with it. */
  get #workingStore(): ClaimStore {
    return this.#run.signal.aborted ? this.#stores.shutdownStore : this.#store;
  }

  #hold(claim: StoredClaim, isPending = false): void {
    this.#held = claim;
    this.#save(claim.record, isPending);
  }

  /** Saves the record for the post step. */
  #save(record: ClaimRecord, isPending = false): void {
    saveClaim({ location: this.#stores.location, record }, isPending, this.#run.saveState);
  }
}

/** Outcome of the record of a request that a user stopped; the run that owns it stops waiting when it reads this. */
export const stoppedByUser = "stopped-by-user";

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

/** Of two claims that are not elected, the older wins. A run that sees an elected claim yields even if its own is older. */
function isOlderCandidate(held: StoredClaim, resolution: ClaimResolution): boolean {
  return resolution.kind === "busy" && !isElected(resolution.claim) && isOlderClaim(held, resolution.claim);
}

export type Submission<Job> =
  /** This call created the job. */
  | { readonly kind: "submitted"; readonly job: Job }
  /** Another run works on the request. */
  | { readonly kind: "other-run"; readonly claim: StoredClaim }
  /** The response to the creating request was lost. */
  | { readonly kind: "lost"; readonly error: PlatformError }
  /** The request was not sent, for the reason given. */
  | { readonly kind: "withdrawn"; readonly refusal: Refusal };

/** The moment when a queued request may be sent. */
export interface QueueTurn {
  readonly hasWaited: boolean;
  /** Why the request is not sent after all, and what its record then contains. */
  readonly refusal?: (Refusal & { readonly record?: Partial<ClaimRecord> }) | undefined;
}

export interface SubmitSteps<Job, Turn extends QueueTurn> {
  /** Waits until the request may be sent. */
  readonly awaitTurn: () => Promise<Turn>;
  /** Sends the creating request, once; `busy` if the platform refused it because an earlier job is busy. */
  readonly send: (turn: Turn) => Promise<Job | "busy">;
  /** Called after each wait: why the request may no longer be sent. */
  readonly refuse: () => Promise<Refusal | undefined>;
  /** How often the request is sent again after a lost response. */
  readonly resubmissions: number;
}

/**
 * Claims a free trigger and creates its job.
 *
 * @throws {PlatformError} when the platform rejects the request; the record then contains the reason.
 */
export async function submitOnce<Job extends { readonly jobId: string }, Turn extends QueueTurn>(
  lease: ClaimLease,
  steps: SubmitSteps<Job, Turn>,
  run: ClaimRun,
): Promise<Submission<Job>> {
  try {
    const winner = await lease.acquire();
    if (winner) return { kind: "other-run", claim: winner };
    let { resubmissions } = steps;
    for (let attempt = 1, hasWaited = false; ; attempt += 1) {
      const turn: Turn | Submission<never> = await markSubmittingInTurn(lease, steps, hasWaited);
      if ("kind" in turn) return turn;
      const result: Job | "busy" | PlatformError = await steps.send(turn).catch((error: unknown) => {
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
 * Waits for the turn of a request, and records that it is about to be sent; or returns why it is not sent.
 *
 * @param hasWaited whether the request has waited before: its author may have lost the permission meanwhile
 */
async function markSubmittingInTurn<Turn extends QueueTurn>(
  lease: ClaimLease,
  { awaitTurn, refuse }: Pick<SubmitSteps<never, Turn>, "awaitTurn" | "refuse">,
  hasWaited: boolean,
): Promise<Turn | Submission<never>> {
  for (;;) {
    const turn = await awaitTurn();
    const isDelayed = turn.hasWaited || hasWaited;
    if (isDelayed) await lease.throwIfStopped();
    const refusal: QueueTurn["refusal"] = turn.refusal ?? (isDelayed ? await refuse() : undefined);
    if (refusal) {
      const { message, record = { state: "released", outcome: "skipped" } } = refusal;
      await lease.tryWrite({ message, ...record });
      return { kind: "withdrawn", refusal };
    }
    const winner = await lease.markSubmitting();
    if (winner) return { kind: "other-run", claim: winner };
    if (lease.claim.record.state === "submitting") return turn;
  }
}

/** How often a waiting run renews its claim. */
const renewAfterMs = 3 * 60_000;

/** Pause of a waiting run after a failure of GitHub, or when its rate limit is used up. */
export const githubPauseMs = 60_000;

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

/** The platform's `Retry-After`, but longer with each refusal: the header may be missing or name a time that has passed. */
export function rateLimitDelayMs(retryAfterMs: number | undefined, attempt: number): number {
  const factor = 2 ** (attempt - 1);
  return retryAfterMs === undefined
    ? Math.min(60_000 * factor, 600_000)
    : Math.max(retryAfterMs, Math.min(1_000 * factor, 60_000));
}
