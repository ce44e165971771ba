/**
 * At most one submission for a trigger, over re-runs, second deliveries and lost runners: claim → submit → record.
 *
 * The platform has no idempotency key, so what is about to be done is written down before it is done. A run that finds
 * such a record resumes the job, leaves the request to the run that works on it, or leaves a lost answer alone.
 */
import { randomBytes } from "node:crypto";
import { type ClaimRecord, updateRecord } from "../base/claim-record.ts";
import { type ActionError, InterruptedError } from "../base/errors.ts";
import type { Clock } from "../base/runtime.ts";
import { cutText, messageOf, shorten } from "../base/text.ts";
import { PlatformError } from "../client/errors.ts";
import { type ClaimStore, isOlderClaim, type KnownClaim, type StoredClaim } from "../github/claim-store.ts";
import type { GitHubEvent, RunContext } from "../github/event.ts";
import type { Refusal } from "./connect-github.ts";
import type { Run } from "./run.ts";
import { type ClaimLocation, saveClaim } from "./saved-claim.ts";

/** Who may act on a claim. */
export interface ClaimOwner {
  readonly runId: string;
  readonly runAttempt: number;
  /** Tells two steps of one attempt apart. */
  readonly word: string;
}

export function createOwner({ runId, runAttempt }: Pick<RunContext, "runId" | "runAttempt">): ClaimOwner {
  return { runId, runAttempt, word: createNonce() };
}

function createNonce(): string {
  return randomBytes(6).toString("hex");
}

/** Seconds after its last change during which the owner of a claim may still send the creating request. */
export const leases = { claimed: 15, submitting: 180 } as const;

/** Clocks differ, and answers may be under way: for so long after its lease a claim is still left alone. */
const leaseGraceMs = 15_000;

/** A run that waits for a job notices its end, and writes it down, within this time. */
const noticeEndMs = 90_000;

/** How often a run stands for election whose claim runs out meanwhile. */
const maxElections = 4;

/** What the records of a trigger mean for a run that wants to submit; `stale` are records of runs that sent nothing. */
export type ClaimResolution =
  | { readonly kind: "free"; readonly stale: readonly StoredClaim[] }
  /** The job is known. */
  | { readonly kind: "found"; readonly claim: StoredClaim }
  /** A creating request was sent, or may have been, and its answer is lost. */
  | { readonly kind: "lost"; readonly claim: StoredClaim; readonly stale: readonly StoredClaim[] }
  /** Another run may be about to submit. */
  | { readonly kind: "busy"; readonly claim: StoredClaim };

/** Resolves the records of one trigger, given oldest first. */
function resolveClaims(claims: readonly StoredClaim[], owner: ClaimOwner): ClaimResolution {
  const isHeld = (claim: StoredClaim) => claim.record.state !== "released" && isLeased(claim, owner);
  const isLost = (claim: StoredClaim) =>
    claim.record.state !== "released" &&
    (claim.isUnverifiable ||
      claim.record.state === "unknown" ||
      (claim.record.state === "submitting" && !isLeased(claim, owner)));
  const isFound = ({ record: { state }, isUnverifiable }: StoredClaim) =>
    !isUnverifiable && (state === "working" || state === "ended");
  const found = claims.find(isFound);
  if (found) return { kind: "found", claim: found };
  const lost = claims.find(isLost);
  const stale = claims.filter((claim) => isLost(claim) || !isHeld(claim));
  if (lost) return { kind: "lost", claim: lost, stale };
  const activeRequests = claims.filter(isHeld);
  const busy = activeRequests.find(isElected) ?? activeRequests[0];
  return busy ? { kind: "busy", claim: busy } : { kind: "free", stale };
}

/** Whether the run of a request may still be waiting: to send it, or for its job. */
export function hasWaitingRun(claim: StoredClaim, owner: ClaimOwner): boolean {
  const { state, outcome } = claim.record;
  return (outcome === undefined || state === "claimed") && isLeased(claim, owner);
}

/** Whether an earlier attempt of a workflow run owns a record. */
export function isOfEarlierAttempt(
  { owner }: Pick<ClaimRecord, "owner">,
  { runId, runAttempt }: Pick<ClaimOwner, "runId" | "runAttempt">,
): boolean {
  const [ownerRunId, ownerAttempt] = owner.split(".");
  return ownerRunId === runId && Number(ownerAttempt) < runAttempt;
}

/** An owner as a record names it. */
export function formatOwner({ runId, runAttempt, word }: ClaimOwner): string {
  return `${runId}.${runAttempt}.${word}`;
}

/** Whether a claim's owner may still act; an earlier attempt of the same run is known to be gone. */
function isLeased({ record, ageMs }: StoredClaim, owner: ClaimOwner): boolean {
  return !isOfEarlierAttempt(record, owner) && ageMs < record.leaseSeconds * 1000 + leaseGraceMs;
}

/** Whether a claim's owner has won its election: it is sending the creating request, or waits to do so. */
function isElected({ record }: StoredClaim): boolean {
  return record.state === "submitting" || (record.state === "claimed" && record.outcome !== undefined);
}

export type ClaimDraft = Pick<
  ClaimRecord,
  | "command"
  | "target"
  | "docsRepository"
  | "trigger"
  | "triggerPhrase"
  | "requester"
  | "request"
  | "runUrl"
  | "notes"
  | "uses"
>;

/** As much of a request as a record keeps, from which it can be made again. */
const maxRequestLength = 4_000;
/** The record's own limits. */
const maxNotes = 8;
const maxNoteLength = 300;

/** The draft of a request's record: what is known of it, cut to the record's limits, and who asked. */
export function draftRecord(
  facts: Pick<ClaimRecord, "command" | "target" | "docsRepository" | "trigger" | "triggerPhrase" | "runUrl">,
  request: string,
  notes: readonly string[],
  event: GitHubEvent,
): ClaimDraft {
  // The author of a text that asks is its sender; a label and a box are set on the texts of others.
  const requester = event.sender?.login;
  const kept = notes.slice(0, maxNotes).map((note) => cutText(note, maxNoteLength));
  return {
    ...facts,
    request: shorten(request, maxRequestLength),
    ...(requester === undefined ? {} : { requester }),
    ...(kept.length === 0 ? {} : { notes: kept }),
  };
}

/** An error as a record keeps it. */
export function explainError(error: ActionError): string {
  return shorten(`${error.message} ${error.hint}`, 1000);
}

/** How a second run leaves a request to the run that works on it. */
export function refuseInProgress(claim: StoredClaim): Refusal {
  const page = claim.record.runUrl || claim.url;
  const run = page === undefined ? "" : `: ${page}`;
  const message = `In progress: another run works on this request${run}`;
  return { reason: "other-run", message, page, claim };
}

export interface TriggerClaims {
  readonly location: ClaimLocation;
  readonly claims: ClaimStore;
  /** The same store over the API for a run that is being cancelled. */
  readonly shutdownClaims: ClaimStore;
}

export type ClaimRun = Pick<Run, "clock" | "log" | "signal" | "deadlineMs" | "saveState">;

/** One run's hold on a trigger: its own claim, or the one that it resumes, and the latest that is true of it. */
export class ClaimLease {
  readonly #trigger: TriggerClaims;
  #owner: ClaimOwner;
  #draft: ClaimDraft;
  readonly #run: ClaimRun;
  #held: StoredClaim | undefined;
  /** What was last listed, while no time has passed since. */
  #listed: readonly StoredClaim[] | undefined;
  /** When the request that last wrote the claim began: its lease runs from then at the earliest. */
  #writtenMs = 0;

  constructor(trigger: TriggerClaims, owner: ClaimOwner, draft: ClaimDraft, run: ClaimRun) {
    this.#trigger = trigger;
    this.#owner = owner;
    this.#draft = draft;
    this.#run = run;
  }

  /** The claim as it was last written, or as it would be if GitHub had taken the change. */
  get claim(): StoredClaim {
    if (!this.#held) throw new Error("There is no claim.");
    return this.#held;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** What earlier records leave this run to do. */
  async resolve(): Promise<ClaimResolution> {
    // Who takes the request lists the records once more.
    const known = this.#trigger.claims.listed?.().filter(({ record }) => this.#isOwn(record));
    return resolveClaims(known ?? (await this.#listOwn()), this.#owner);
  }

  async #listOwn(): Promise<readonly StoredClaim[]> {
    this.#listed = await this.#trigger.claims.list();
    return this.#listed.filter(({ record }) => this.#isOwn(record));
  }

  #isOwn({ trigger }: ClaimRecord): boolean {
    return trigger === this.#draft.trigger;
  }

  /** Records of other requests to the same target in the same place that come before this one, oldest first. */
  async listEarlier(): Promise<readonly StoredClaim[]> {
    const { command, target, trigger } = this.#draft;
    const isEarlier = (claim: StoredClaim) =>
      claim.record.command === command &&
      claim.record.target === target &&
      claim.record.trigger !== trigger &&
      (this.#held === undefined || isOlderClaim(claim, this.#held) || claim.record.state !== "claimed");
    this.#listed ??= await this.#trigger.claims.list();
    return this.#listed.filter(isEarlier);
  }

  /**
   * Waits until no run works on an earlier request of the same place any more; returns whether that took time. Two requests
   * that come at the same time are thus sent in the order of their records.
   *
   * @throws {InterruptedError} where the run's own time is over, or a person stopped the request.
   */
  async awaitTurn(activeRequests: ActiveRequests): Promise<boolean> {
    for (let hasWaited = false; ; hasWaited = true) {
      const ahead = await activeRequests.findLast(await this.listEarlier());
      if (ahead === undefined) return hasWaited;
      const name = ahead.url || "an earlier request";
      const isOver = async () => {
        const now = await this.#trigger.claims.reread(ahead);
        return now === undefined || (await activeRequests.findLast([now])) === undefined;
      };
      await this.hold(`queued behind ${name}`, isOver, `An earlier request comes first: ${name}`);
    }
  }

  /** Goes on with a claim that an earlier run made. */
  resume(claim: StoredClaim): void {
    this.#held = claim;
  }

  /** Writes a claim and stands for election; returns the claim that won instead. */
  async take(stale: readonly StoredClaim[]): Promise<StoredClaim | undefined> {
    const { claims } = this.#trigger;
    for (let turn = 1, left = stale; ; turn += 1, left = []) {
      const held = await this.#create();
      const others = (await this.#listOwn()).filter(({ id }) => id !== held.id);
      const situation = resolveClaims(
        others.filter(({ id }) => !left.some((each) => each.id === id)),
        this.#owner,
      );
      if (situation.kind !== "free" && !isOlderCandidate(held, situation)) {
        await claims.remove(held);
        this.#held = undefined;
        this.#save({ ...held, record: { ...held.record, state: "released" } });
        return situation.claim;
      }
      for (const claim of left) await claims.remove(claim);
      if (left.length > 0)
        this.#run.log.info("An earlier run took this request but sent nothing; starting again.");
      if (turn === maxElections || this.#run.clock.now() <= this.#leaseEndsMs) return undefined;
      await this.#withdraw();
    }
  }

  /** Writes down how a request ended that this run does not send, in place of the stale records. */
  async recordEarlierEnd(end: Partial<ClaimRecord>, stale: readonly StoredClaim[]): Promise<void> {
    const { claims } = this.#trigger;
    this.#held = await claims.create({ ...this.#newRecord(), state: "ended", ...end });
    for (const claim of stale) await claims.remove(claim);
  }

  /** Writes down that nothing comes of the claims of runs that are gone, where this run does not take the request. */
  async release(stale: readonly StoredClaim[], message: string): Promise<void> {
    for (const claim of stale.filter(({ record }) => record.state === "claimed")) {
      const change = { state: "released", outcome: "skipped", message } as const;
      await this.#trigger.claims.update(claim, updateRecord(claim.record, change));
    }
  }

  /**
   * Writes down that the creating request is about to be sent, as the record's state then says; where GitHub took too long for
   * that, the request is taken once more. Returns the claim of the run that sends it instead.
   *
   * @throws {InterruptedError} where the run's own time is over.
   */
  async markSubmitting(): Promise<StoredClaim | undefined> {
    await this.#requireTime();
    const takenAfterMs = this.#leaseEndsMs + leaseGraceMs;
    await this.write({ state: "submitting", leaseSeconds: leases.submitting });
    if (this.#run.clock.now() < takenAfterMs) return undefined;
    return this.reacquire();
  }

  /** Whether another run may have taken the request by now. */
  get isExpired(): boolean {
    return this.#run.clock.now() > this.#leaseEndsMs;
  }

  /** Takes the request once more, in place of a claim that is no longer valid; returns the claim that won instead. */
  async reacquire(): Promise<StoredClaim | undefined> {
    await this.#withdraw();
    return this.take([]);
  }

  /**
   * Writes a change down before anything else happens.
   *
   * @param body what the comment shows, where the record alone does not say it
   * @throws {GitHubError} where that fails.
   */
  async write(change: Partial<ClaimRecord>, body?: string): Promise<void> {
    const { claim } = this;
    this.#writtenMs = this.#run.clock.now();
    this.#held = await this.#trigger.claims.update(claim, updateRecord(claim.record, change), body);
    this.#save(this.#held);
  }

  /**
   * Writes down what is true whether or not that succeeds, also while the run is being cancelled; a failure is a warning,
   * and left to the post step. Returns what kept GitHub from taking it.
   */
  async record(change: Partial<ClaimRecord>, body?: string): Promise<unknown> {
    this.leave(change);
    try {
      this.#held = await this.#update(this.claim, body);
      this.#save(this.#held);
      return undefined;
    } catch (error) {
      this.#run.log.warning(`The status could not be written: ${messageOf(error)}`);
      return error;
    }
  }

  /** Adds to what is known of the request before it is claimed. */
  describe(facts: Pick<ClaimDraft, "uses">): void {
    this.#draft = { ...this.#draft, ...facts };
  }

  /** Adds to the record what is written with its next change. */
  note(facts: Partial<ClaimRecord>): void {
    this.#held = { ...this.claim, record: { ...this.claim.record, ...facts } };
  }

  /** Leaves a change to the post step to write down. */
  leave(change: Partial<ClaimRecord>): void {
    this.#held = { ...this.claim, record: updateRecord(this.claim.record, change) };
    this.#save({ ...this.#held, isPending: true });
  }

  /** The job exists from now on; until the deadline its record is this run's to write. */
  recordJob(jobId: string): Promise<unknown> {
    const leftMs = this.#run.deadlineMs - this.#run.clock.now();
    const startedAt = new Date(this.#run.clock.now()).toISOString();
    const leaseSeconds = Math.max(0, Math.ceil(leftMs / 1000));
    return this.record({ state: "working", jobId, startedAt, leaseSeconds });
  }

  /** Leaves a true record behind where the run is cancelled, or breaks, before a job is known. */
  async recordInterruption(error: unknown): Promise<void> {
    const { state, outcome: known } = this.#held?.record ?? {};
    if (known === stoppedByUser) return;
    if (state !== "claimed" && state !== "submitting") return;
    const outcome = error instanceof InterruptedError ? error.code : "failed";
    await this.record({ state: state === "submitting" ? "unknown" : "released", outcome });
  }

  /**
   * Keeps the claim while the request waits, renewing it on the way: other runs see whether this one is still there.
   *
   * @param outcome what it waits for
   * @param until a time in milliseconds since the epoch, or asked after each wait, which are 3 s at first and 30 s at last
   * @param notice said in the log once people can see it on the thread, too
   * @throws {InterruptedError} where the run's own time is over, or a person stopped the request.
   */
  async hold(outcome: string, until: number | (() => Promise<boolean>), notice: string): Promise<void> {
    const { clock, log, signal, deadlineMs } = this.#run;
    const untilMs = typeof until === "number" ? until : undefined;
    const isOver = typeof until === "number" ? async () => clock.now() >= until : until;
    let renewMs = clock.now();
    for (let pollMs = 3_000; ; pollMs = Math.min(30_000, Math.round(pollMs * 1.3))) {
      const restMs = Math.min(renewAfterMs, (untilMs ?? Number.POSITIVE_INFINITY) - clock.now());
      const stepMs = untilMs === undefined ? pollMs : restMs;
      if (clock.now() + stepMs > renewMs) {
        renewMs = clock.now() + restMs;
        await this.#renew(outcome, renewMs);
        if (pollMs === 3_000) log.notice(notice);
      }
      await clock.sleep(Math.max(0, Math.min(stepMs, deadlineMs - clock.now())), signal);
      this.#listed = undefined;
      if (await isOver()) return this.throwIfStopped();
      await this.#requireTime();
    }
  }

  /** Takes the request back where the run's own time is over. */
  async #requireTime(): Promise<void> {
    if (this.#run.clock.now() < this.#run.deadlineMs) return;
    await this.write({ state: "released", outcome: "timed-out" });
    throw new InterruptedError("timed-out", "`timeout-minutes` passed before anything was sent.");
  }

  /** Keeps the claim of a request that waits until a time, unless a person stopped it. */
  async #renew(outcome: string, untilMs: number): Promise<void> {
    if (this.claim.record.outcome !== undefined) await this.throwIfStopped();
    const nowMs = this.#run.clock.now();
    const leaseSeconds = Math.ceil((untilMs - nowMs) / 1000) + leases.claimed;
    const renewedAt = new Date(nowMs).toISOString();
    await this.write({ state: "claimed", outcome, leaseSeconds, renewedAt });
  }

  /**
   * Looks whether a person has stopped the request meanwhile, by a word on the thread.
   *
   * @throws {InterruptedError} `cancelled` if so; the record stays as that person's run wrote it.
   */
  async throwIfStopped(): Promise<void> {
    const now = await this.#trigger.claims.reread(this.claim);
    if (now?.record.outcome !== stoppedByUser) return;
    const { jobId } = this.claim.record;
    if (jobId !== undefined && now.record.jobId === undefined) {
      // Who stopped it read the record before the job was in it.
      await this.record({ state: "working", outcome: stoppedByUser });
    } else {
      this.#held = now;
      this.#save(now);
    }
    const hint = jobId === undefined ? "Nothing was sent." : `Job ${jobId} goes on at the platform.`;
    throw new InterruptedError("cancelled", "A person stopped this request.", { hint, retryable: false });
  }

  /**
   * Takes back a claim that GitHub kept waiting for longer than it holds: another run may not have counted it. The next one
   * is another owner's, and younger than every claim that is there by now.
   */
  async #withdraw(): Promise<void> {
    await this.#trigger.claims.remove(this.claim);
    this.#owner = { ...this.#owner, word: createNonce() };
  }

  /** Until then no other run takes the request, whatever this one does. */
  get #leaseEndsMs(): number {
    return this.#writtenMs + this.claim.record.leaseSeconds * 1000;
  }

  #newRecord(): ClaimRecord {
    return {
      ...this.#draft,
      state: "claimed",
      owner: formatOwner(this.#owner),
      claimedAt: new Date(this.#run.clock.now()).toISOString(),
      leaseSeconds: leases.claimed,
    };
  }

  async #create(): Promise<StoredClaim> {
    const { claims, shutdownClaims } = this.#trigger;
    const { clock, signal } = this.#run;
    const record = this.#newRecord();
    this.#writtenMs = clock.now();
    this.#save({ record });
    try {
      this.#held = await claims.create(record);
    } catch (error) {
      // The answer may have been lost on its way back; nothing was submitted yet, so the claim may be searched.
      const listed = await (signal.aborted ? shutdownClaims : claims).list();
      this.#held = listed.find((claim) => claim.record.owner === record.owner);
      signal.throwIfAborted();
      if (!this.#held) {
        this.#save({ record: { ...record, state: "released" } });
        throw error;
      }
    }
    this.#save(this.#held);
    return this.#held;
  }

  async #update(claim: StoredClaim, body?: string): Promise<StoredClaim> {
    const { claims, shutdownClaims } = this.#trigger;
    const { signal } = this.#run;
    if (!signal.aborted) {
      try {
        return await claims.update(claim, claim.record, body);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
    return shutdownClaims.update(claim, claim.record, body);
  }

  #save(claim: KnownClaim): void {
    saveClaim(this.#trigger.location, claim, this.#run.saveState);
  }
}

/** What a record says that a person stopped: the run behind it stops waiting when it reads that. */
export const stoppedByUser = "stopped-by-user";

/** Tells the requests that a run is at from those whose run is gone. */
export class ActiveRequests {
  readonly #owner: ClaimOwner;
  readonly #isJobOver: (jobId: string) => Promise<boolean>;
  readonly #clock: Clock;
  /** When a job was first seen to have ended whose run has not written that down. */
  readonly #overSinceMs = new Map<string, number>();

  /** @param isJobOver whether the platform says that a job has ended */
  constructor(owner: ClaimOwner, isJobOver: (jobId: string) => Promise<boolean>, clock: Clock) {
    this.#owner = owner;
    this.#isJobOver = isJobOver;
    this.#clock = clock;
  }

  /** The last of some requests that a run is at: it waits, submits, or follows its job. */
  async findLast(claims: readonly StoredClaim[]): Promise<StoredClaim | undefined> {
    for (const claim of claims.toReversed()) if (await this.#isWorkedOn(claim)) return claim;
    return undefined;
  }

  async #isWorkedOn(claim: StoredClaim): Promise<boolean> {
    const { state, outcome, jobId, owner } = claim.record;
    const isFollowing = state === "working" && outcome === undefined;
    if (state !== "claimed" && state !== "submitting" && !isFollowing) return false;
    if (claim.isUnverifiable || !isLeased(claim, this.#owner)) return false;
    if (!isFollowing || jobId === undefined || !(await this.#isJobOver(jobId))) return true;
    const nowMs = this.#clock.now();
    const sinceMs = this.#overSinceMs.get(owner) ?? nowMs;
    this.#overSinceMs.set(owner, sinceMs);
    return nowMs - sinceMs < noticeEndMs;
  }
}

/** Of two that have only claimed, the older claim wins; who sees it late still yields to one that is elected. */
function isOlderCandidate(held: StoredClaim, situation: ClaimResolution): boolean {
  return situation.kind === "busy" && !isElected(situation.claim) && isOlderClaim(held, situation.claim);
}

export type Submission<Job> =
  /** The job was created by this call. */
  | { readonly kind: "submitted"; readonly job: Job }
  /** Another run is at it. */
  | { readonly kind: "other-run"; readonly claim: StoredClaim }
  /** The answer to the creating request was lost. */
  | { readonly kind: "lost"; readonly error: PlatformError }
  /** The request was taken back before it was sent. */
  | { readonly kind: "withdrawn"; readonly refusal: Refusal };

export interface Turn {
  /** Whether waiting for it took time. */
  readonly hasWaited: boolean;
  /** Why the request is not sent when it is its turn, and what its record then says. */
  readonly refusal?: Refusal & { readonly record?: Partial<ClaimRecord> };
}

export interface SubmitSteps<Job> {
  /** Waits until the request may be sent. */
  readonly awaitTurn: () => Promise<Turn>;
  /** Sends the creating request, once; `busy` where it was refused because it has to wait. */
  readonly send: () => Promise<Job | "busy">;
  /** Asked after each wait: why the request must not be sent any more. */
  readonly refuse: () => Promise<Refusal | undefined>;
  /** How often a lost answer may be followed by another request. */
  readonly resubmissions: number;
}

/**
 * Takes a free trigger and creates its job.
 *
 * @throws {PlatformError} when the platform turned the request away for good; the record then says so.
 */
export async function submitOnce<Job extends { readonly jobId: string }>(
  lease: ClaimLease,
  stale: readonly StoredClaim[],
  steps: SubmitSteps<Job>,
  run: ClaimRun,
): Promise<Submission<Job>> {
  try {
    const rival = await lease.take(stale);
    if (rival) return { kind: "other-run", claim: rival };
    let { resubmissions } = steps;
    for (let attempt = 1, hasWaited = false; ; attempt += 1) {
      const end = await prepareSubmission(lease, steps, hasWaited);
      if (end) return end;
      const result = await steps.send().catch((error: unknown) => {
        if (error instanceof PlatformError) return error;
        throw error;
      });
      hasWaited = !(result instanceof PlatformError && result.maybeSubmitted);
      if (result === "busy") {
        const resumeMs = run.clock.now() + rateLimitDelayMs(0, attempt);
        await lease.hold("queued behind its job", resumeMs, "The job works on another request; waiting.");
      } else if (!(result instanceof PlatformError)) {
        await lease.recordJob(result.jobId);
        return { kind: "submitted", job: result };
      } else if (hasWaited) await waitForRateLimit(lease, result, attempt, run);
      else if (resubmissions === 0) {
        await lease.record({ state: "unknown", message: explainError(result) });
        return { kind: "lost", error: result };
      } else {
        resubmissions -= 1;
        run.log.warning(`${result.message} Submitting once more, as \`on-ambiguous: resubmit\` asks.`);
      }
    }
  } catch (error) {
    await lease.recordInterruption(error);
    throw error;
  }
}

/**
 * Waits for the turn of a request and writes down that it is about to be sent; returns why it is not sent instead.
 *
 * @param hasWaited whether the request has waited before: what permitted it may be different by now
 */
async function prepareSubmission(
  lease: ClaimLease,
  { awaitTurn, refuse }: Pick<SubmitSteps<never>, "awaitTurn" | "refuse">,
  hasWaited: boolean,
): Promise<Submission<never> | undefined> {
  for (;;) {
    const turn: Turn = await awaitTurn();
    const isLate = turn.hasWaited || hasWaited;
    if (isLate) await lease.throwIfStopped();
    const refusal: Turn["refusal"] = turn.refusal ?? (isLate ? await refuse() : undefined);
    if (refusal) {
      const { message, record = { state: "released", outcome: "skipped" } } = refusal;
      await lease.record({ message, ...record });
      return { kind: "withdrawn", refusal };
    }
    const rival = lease.isExpired ? await lease.reacquire() : await lease.markSubmitting();
    if (rival) return { kind: "other-run", claim: rival };
    if (lease.claim.record.state === "submitting") return undefined;
  }
}

/** How often a queued run renews its claim. */
const renewAfterMs = 3 * 60_000;

/**
 * Waits for the platform's limit, visibly.
 *
 * @throws {PlatformError} the refusal, where waiting does not help or would take too long.
 */
async function waitForRateLimit(
  lease: ClaimLease,
  error: PlatformError,
  attempt: number,
  { clock, deadlineMs }: ClaimRun,
): Promise<void> {
  const message = explainError(error);
  if (error.code !== "rate-limited") {
    await lease.record({ state: "released", outcome: "failed", message });
    throw error;
  }
  const resumeMs = clock.now() + rateLimitDelayMs(error.retryAfterMs, attempt);
  if (resumeMs >= deadlineMs) {
    await lease.record({ state: "released", outcome: "rate-limited", message });
    throw error;
  }
  const time = new Date(resumeMs).toISOString();
  const outcome = `queued until ${time}`;
  await lease.hold(outcome, resumeMs, `The platform's limit of jobs is used up; ${outcome}.`);
}

/** What the platform asks for, but longer with each refusal: it may name a time that is over, or none at all. */
export function rateLimitDelayMs(retryAfterMs: number | undefined, attempt: number): number {
  const factor = 2 ** (attempt - 1);
  return retryAfterMs === undefined
    ? Math.min(60_000 * factor, 600_000)
    : Math.max(retryAfterMs, Math.min(1_000 * factor, 60_000));
}
