/** The hold of one run on a request: writes, renews and withdraws its claim, also while it waits. */
import { type ClaimRecord, isOtherRequest, stoppedByUser, updateRecord } from "../base/claim-record.ts";
import { ActionError, InterruptedError, messageWithHint } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import { type ClaimStore, isOlderClaim, type StoredClaim } from "../github/claims.ts";
import { GitHubError, isTransient, undefinedIfGone } from "../github/errors.ts";
import type { GitHubApi } from "../github/github-api.ts";
import {
  type ActiveRequests,
  type ClaimDraft,
  type ClaimLocation,
  type ClaimResolution,
  createOwner,
  explainError,
  hasWaitingRun,
  isOlderCandidate,
  leaseGraceMs,
  leases,
  openClaimStore,
  type RunAttempt,
  releaseEarlierAttempts,
  resolveClaims,
  saveClaim,
} from "./claim.ts";
import type { GitHubConnection } from "./connect-github.ts";
import type { Run, Skip } from "./run.ts";

export interface ClaimStores {
  readonly location: ClaimLocation;
  readonly store: ClaimStore;
  /** The same store, over the API client that a cancelled run uses. */
  readonly shutdownStore: ClaimStore;
}

/**
 * Opens the lease of a request; claims nothing yet.
 *
 * @param render renders the visible part of a comment from its record
 */
export async function openClaimLease(
  draft: ClaimDraft,
  location: ClaimLocation,
  { listComments, readOwnership, shutdownApi, context }: GitHubConnection,
  run: ClaimRun,
  render?: (record: ClaimRecord) => string,
): Promise<ClaimLease> {
  const listed = location.kind === "thread" ? await listComments() : undefined;
  const ownership = await readOwnership();
  const open = (api: GitHubApi) => openClaimStore(location, { ...ownership, api }, listed, render);
  const stores = { location, store: open(ownership.api), shutdownStore: open(shutdownApi) };
  return new ClaimLease(stores, context, draft, run);
}

/** Pause before records are listed again because the listing is out of date, and how often a new claim is looked for in it. */
export const listAgainMs = 2_000;
export const maxListings = 4;

/** How often a run claims the request if its claims expire before it may send it. */
const maxElections = 4;

const renewAfterMs = 3 * 60_000;

/** Pause of a waiting run after a failure of GitHub, or when its rate limit is used up. */
export const githubPauseMs = 60_000;

export type ClaimRun = Pick<Run, "clock" | "log" | "signal" | "deadlineMs" | "saveState">;

/** One run's hold on a trigger: its own claim or the claim that it resumes, with the current state of the record. */
export class ClaimLease {
  readonly #stores: ClaimStores;
  readonly #attempt: RunAttempt;
  #owner: string;
  #draft: ClaimDraft;
  readonly #run: ClaimRun;
  #claim: StoredClaim | undefined;
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
  /** Whether the request has waited: its author may have lost the permission meanwhile. */
  hasWaited = false;

  constructor(stores: ClaimStores, attempt: RunAttempt, draft: ClaimDraft, run: ClaimRun) {
    this.#stores = stores;
    this.#attempt = attempt;
    this.#owner = createOwner(attempt);
    this.#draft = draft;
    this.#run = run;
  }

  /** The claim as last written, or as it would be if GitHub had accepted the last change. */
  get claim(): StoredClaim {
    if (!this.#claim) throw new Error("There is no claim.");
    return this.#claim;
  }

  get hasClaim(): boolean {
    return this.#claim !== undefined;
  }

  async resolve(): Promise<ClaimResolution> {
    // A listing from the start of the run is enough here: `acquire` lists the records again.
    const listed = this.#store.listedAtStart?.().filter(({ record }) => this.#isOfTrigger(record));
    // In a deleted thread, the text of the request is missing, too.
    const goneStatuses = this.#stores.location.kind === "thread" ? [404, 410] : [];
    const claims = listed ?? (await undefinedIfGone(this.#listOfTrigger(), goneStatuses)) ?? [];
    const resolution = resolveClaims(claims, this.#attempt);
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

  /** Records of other requests in the same store for the same project that are older than this one or no longer claims, oldest first. */
  async listEarlier(): Promise<readonly StoredClaim[]> {
    const isEarlier = (claim: StoredClaim) =>
      isOtherRequest(claim.record, this.#draft) &&
      (isOlderClaim(claim, this.claim) || claim.record.state !== "claimed");
    this.#listed ??= await this.#store.list();
    return this.#listed.filter(isEarlier);
  }

  /**
   * Waits until no run works on an earlier request in the same store, and returns these requests, oldest first. Two requests that
   * arrive at the same time are thus sent in the order of their records.
   *
   * @throws {InterruptedError} when `timeout-minutes` has passed, or a user stopped the request.
   */
  async waitForEarlier(activeRequests: ActiveRequests): Promise<readonly StoredClaim[]> {
    for (;;) {
      let earlier = await this.listEarlier();
      const countRuns = () => earlier.filter((claim) => hasWaitingRun(claim, this.#attempt)).length;
      const ahead = await activeRequests.findLast(earlier);
      if (ahead === undefined) return earlier;
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

  resume(claim: StoredClaim): void {
    this.#claim = claim;
  }

  /** Writes a claim and takes part in the election; returns the winning claim if this run lost. */
  async acquire(): Promise<StoredClaim | undefined> {
    for (;;) {
      const created = await this.#create();
      this.#requireTime();
      const winner = await this.#findWinner(created);
      if (winner) {
        await this.#store.remove(this.claim);
        this.#claim = undefined;
        this.#save({ ...created.record, state: "released" });
        // Read only now: the other run may have withdrawn its claim because of the one that is removed.
        const current = await this.#store.reread(winner);
        if (current && current.record.state !== "released") return winner;
        // GitHub may list a deleted comment for a moment.
        await this.#sleep(listAgainMs);
        this.#owner = createOwner(this.#attempt);
        continue;
      }
      for (const claim of this.#stale) await this.#store.remove(claim);
      if (this.#stale.length > 0)
        this.#run.log.info("An earlier run claimed this request but sent nothing; starting again.");
      if (!this.#isExpired) return undefined;
      await this.#withdraw();
    }
  }

  /** The claim of another run that comes before the created one. */
  async #findWinner(created: StoredClaim): Promise<StoredClaim | undefined> {
    const isOwn = ({ record }: StoredClaim) => record.owner === created.record.owner;
    let claims = await this.#listOfTrigger();
    // A listing without the created claim is older than that, and may lack an older claim, too.
    const hasCreated = () => claims.some((claim) => isOwn(claim) && claim.id === created.id);
    for (let listings = 1; listings < maxListings && !hasCreated(); listings += 1) {
      await this.#sleep(listAgainMs);
      claims = await this.#listOfTrigger();
    }
    // GitHub may have written a claim that had to be written again. Other runs see the first one.
    const [own = created, ...copies] = claims.filter(isOwn);
    this.#claim = own;
    await this.throwIfStopped(own);
    for (const copy of copies) await this.#store.remove(copy);
    // A claim that changed was not stale: its owner has written it since.
    const stale = new Set(this.#stale.map((claim) => `${claim.id} ${JSON.stringify(claim.record)}`));
    const others = claims.filter(
      ({ id, record }) => record.owner !== own.record.owner && !stale.has(`${id} ${JSON.stringify(record)}`),
    );
    const resolution = resolveClaims(others, this.#attempt);
    return resolution.kind === "free" || isOlderCandidate(own, resolution) ? undefined : resolution.claim;
  }

  /** Records, in place of the stale claims, how a request ended that this run does not send. */
  async recordEarlierResult(result: Partial<ClaimRecord>): Promise<void> {
    this.#claim = await this.#store.create({ ...this.#newRecord(), state: "ended", ...result });
    for (const claim of this.#stale) await this.#store.remove(claim);
  }

  /** Releases what earlier attempts of the run left of this request, which is now refused. */
  releaseEarlierAttempts(refusal: Skip): Promise<void> {
    return releaseEarlierAttempts(refusal, this.#draft, async () => this.#store, this.#attempt, this.#run);
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
    this.#requireTime();
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
    this.#keep(await this.#store.update(claim, updateRecord(claim.record, change), body));
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
      this.#keep(written);
      return undefined;
    } catch (error) {
      this.#run.log.warning(`The status could not be written: ${messageWithHint(error)}`);
      return error;
    }
  }

  /** Adds fields that are written with the claim, or with its record's next change. */
  amend(fields: Partial<ClaimRecord>): void {
    if (this.#claim) this.#claim = { ...this.#claim, record: { ...this.#claim.record, ...fields } };
    else this.#draft = { ...this.#draft, ...fields };
  }

  leaveToPostStep(change: Partial<ClaimRecord>): void {
    this.#keep({ ...this.claim, record: updateRecord(this.claim.record, change) }, true);
  }

  /** Records the job; its record belongs to this run until the deadline. */
  recordJob({ jobId, isFollowUp }: { jobId: string; isFollowUp: boolean }): Promise<unknown> {
    const leftMs = this.#run.deadlineMs - this.#run.clock.now();
    const startedAt = new Date(this.#run.clock.now()).toISOString();
    const leaseSeconds = Math.max(0, Math.ceil(leftMs / 1000));
    // A new job does not continue the pull request of the earlier one.
    const continued = isFollowUp ? {} : { headBefore: undefined, pullRequestUrl: undefined };
    return this.tryWrite({ state: "working", jobId, startedAt, leaseSeconds, ...continued });
  }

  /** Records that the run was cancelled or failed before a job was known. */
  async recordInterruption(error: unknown): Promise<void> {
    const { state, outcome: recorded } = this.#claim?.record ?? {};
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
    const { clock, deadlineMs, log } = this.#run;
    this.hasWaited = true;
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
        if (!isTransient(error)) throw error;
        log.notice(`${messageOf(error)} The request stays queued.`);
        await this.#sleep(githubPauseMs * factor);
        renewMs = clock.now();
      }
      this.#requireTime();
    }
  }

  #sleep(ms: number): Promise<void> {
    const { clock, signal, deadlineMs } = this.#run;
    return clock.sleep(Math.max(0, Math.min(ms, deadlineMs - clock.now())), signal);
  }

  #requireTime(): void {
    if (this.#run.clock.now() < this.#run.deadlineMs) return;
    const hint = "Run again, or raise `timeout-minutes`.";
    throw new InterruptedError("timed-out", "`timeout-minutes` passed before anything was sent.", { hint });
  }

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
   * @param listed the current claim, if it was just listed
   * @throws {InterruptedError} `cancelled` if so; the record stays as the run of `stop` wrote it.
   */
  async throwIfStopped(listed?: StoredClaim): Promise<void> {
    const current = listed ?? (await this.#store.reread(this.claim));
    if (current?.record.outcome !== stoppedByUser) return;
    const { jobId } = this.claim.record;
    if (jobId !== undefined && current.record.jobId === undefined) {
      // The run of `stop` read the record before it contained the job.
      await this.tryWrite({ state: "working", outcome: stoppedByUser });
    } else this.#keep(current);
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

  get claimSeconds(): number {
    return leases.claimed * 2 ** this.#expiredClaims;
  }

  async #create(isRepeated = false): Promise<StoredClaim> {
    const { clock, signal } = this.#run;
    const record = this.#newRecord();
    this.#writtenMs = clock.now();
    this.#mayBeTaken = false;
    this.#save(record);
    try {
      this.#claim = await this.#store.create(record);
    } catch (error) {
      // GitHub may have written the claim although its response was lost.
      const listed = await this.#workingStore.list().catch((failure: unknown) => {
        signal.throwIfAborted();
        throw failure;
      });
      this.#claim = listed.find((claim) => claim.record.owner === record.owner);
      signal.throwIfAborted();
      if (!this.#claim) {
        this.#save({ ...record, state: "released" });
        if (isRepeated || !isTransient(error)) throw error;
        // If the first claim appears later, the election keeps one of the two.
        await this.#sleep(listAgainMs);
        return this.#create(true);
      }
    }
    return this.#claim;
  }

  get #store(): ClaimStore {
    return this.#stores.store;
  }

  /** The store that works now: a cancelled run needs the one that is not cancelled with it. */
  get #workingStore(): ClaimStore {
    return this.#run.signal.aborted ? this.#stores.shutdownStore : this.#store;
  }

  #keep(claim: StoredClaim, isPending = false): void {
    this.#claim = claim;
    this.#save(claim.record, isPending);
  }

  #save(record: ClaimRecord, isPending = false): void {
    const { signal, saveState } = this.#run;
    // GitHub may still execute a change that the cancellation cut off, after a later one.
    saveClaim({ location: this.#stores.location, record }, isPending || signal.aborted, saveState);
  }
}
