import { InterruptedError } from "../../base/errors.ts";
import { messageOf } from "../../base/text.ts";
import type { ClaimRecord, ClaimStore, StoredClaim } from "../../github/claim-store.ts";
import { type ClaimSituation, isElected, judgeClaims, leases, ownerWord } from "./judge-claims.ts";
import type { SubmitOnceDeps, SubmitOnceOptions } from "./submission.ts";

type ClaimHolderOptions = Pick<SubmitOnceOptions, "owner" | "draft"> &
  Partial<Pick<SubmitOnceOptions, "deadlineMs">>;
type ClaimHolderDeps = Pick<
  SubmitOnceDeps<unknown>,
  "claims" | "lastWords" | "onRecord" | "clock" | "log" | "signal"
>;

/** Our own claim, and the latest thing that is true of it. */
export class ClaimHolder {
  readonly #options: ClaimHolderOptions;
  readonly #deps: ClaimHolderDeps;
  #held: StoredClaim | undefined;
  /** When the request that last wrote the record began: its lease runs from then at the earliest. */
  #writtenMs = 0;

  constructor(options: ClaimHolderOptions, deps: ClaimHolderDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Writes a claim and stands for election; returns the claim that won instead. */
  async claim(leftovers: readonly StoredClaim[]): Promise<StoredClaim | undefined> {
    const { claims, log } = this.#deps;
    const held = await this.#create();
    const others = (await claims.list()).filter(({ id }) => id !== held.id);
    const situation = judgeClaims(
      others.filter(({ id }) => !leftovers.some((leftover) => leftover.id === id)),
      this.#options.owner,
    );
    if (situation.kind !== "free" && !isOlderCandidate(held, situation)) {
      await claims.remove(held);
      this.#held = undefined;
      this.#deps.onRecord({ ...held, record: { ...held.record, state: "released" } });
      return situation.claim;
    }
    await this.#requireLease();
    for (const leftover of leftovers) await claims.remove(leftover);
    if (leftovers.length > 0) log.info("An earlier run took this request but sent nothing; starting anew.");
    return undefined;
  }

  #draftRecord(): ClaimRecord {
    const { draft, owner } = this.#options;
    return {
      ...draft,
      state: "claimed",
      owner: ownerWord(owner),
      claimedAt: new Date(this.#deps.clock.now()).toISOString(),
      leaseSeconds: leases.claimed,
    };
  }

  async #create(): Promise<StoredClaim> {
    const { claims, lastWords, clock, signal, onRecord } = this.#deps;
    const record = this.#draftRecord();
    this.#writtenMs = clock.now();
    onRecord({ record });
    try {
      this.#held = await claims.create(record);
    } catch (error) {
      // The answer may have been lost on its way back; nothing was submitted yet, so looking is safe.
      this.#held = await findOwn(record.owner, signal.aborted ? lastWords : claims);
      signal.throwIfAborted();
      if (!this.#held) {
        onRecord({ record: { ...record, state: "released" } });
        throw error;
      }
    }
    onRecord(this.#held);
    return this.#held;
  }

  /** Writes down how a request ended of which no record tells any more, in the place of `leftovers`. */
  async recordEnd(end: Partial<ClaimRecord>, leftovers: readonly StoredClaim[]): Promise<StoredClaim> {
    const { claims } = this.#deps;
    const claim = await claims.create({ ...this.#draftRecord(), ...end, state: "ended" });
    for (const leftover of leftovers) await claims.remove(leftover);
    return claim;
  }

  /**
   * Writes down that the creating request is about to be sent.
   *
   * @throws {InterruptedError} where the run's own time is over, or the lease: another run may have taken the claim for
   * abandoned.
   */
  async announce(): Promise<void> {
    await this.#requireTime();
    await this.#requireLease();
    await this.write({ state: "submitting", leaseSeconds: leases.submitting });
  }

  async #requireTime(): Promise<void> {
    const { deadlineMs = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#deps.clock.now() < deadlineMs) return;
    await this.write({ state: "released", outcome: "timed-out" });
    throw new InterruptedError("timed-out", "`timeout-minutes` passed before anything was sent.");
  }

  async #requireLease(): Promise<void> {
    const { leaseSeconds } = this.#need().record;
    if (this.#deps.clock.now() - this.#writtenMs <= leaseSeconds * 1000) return;
    await this.write({ state: "released", outcome: "failed" });
    const message = "The claim on this request ran out before it could be submitted; nothing was sent.";
    throw new InterruptedError("timed-out", message);
  }

  /** Writes a change down before anything else happens. */
  async write(change: Partial<ClaimRecord>): Promise<StoredClaim> {
    const held = this.#need();
    this.#writtenMs = this.#deps.clock.now();
    const { outcome: _outcome, message: _message, ...record } = held.record;
    const next = { ...record, ...change };
    this.#held = await this.#deps.claims.update(held, next);
    this.#deps.onRecord(this.#held);
    return this.#held;
  }

  /** How long the run may wait for the job: until then its record is its own to write. */
  #waitingLease(): Pick<ClaimRecord, "leaseSeconds"> | undefined {
    const { deadlineMs } = this.#options;
    if (deadlineMs === undefined) return undefined;
    return { leaseSeconds: Math.max(0, Math.ceil((deadlineMs - this.#deps.clock.now()) / 1000)) };
  }

  /** The job exists from now on, whether or not that can be written down. */
  async recordJob(jobId: string): Promise<StoredClaim> {
    const held = this.#need();
    const { outcome: _outcome, message: _message, ...record } = held.record;
    const known = {
      ...held,
      record: { ...record, state: "working", jobId, ...this.#waitingLease() } as const,
    };
    this.#held = known;
    this.#deps.onRecord({ ...known, isPending: true });
    try {
      return await this.#deps.claims.update(held, known.record);
    } catch (error) {
      const reason = messageOf(error);
      this.#deps.log.warning(`Job ${jobId} runs, but that could not be written down: ${reason}`);
      return known;
    }
  }

  /** Leaves a true record behind when the run is cancelled or breaks while it holds the claim. */
  async settleInterrupted(error: unknown): Promise<void> {
    const held = this.#held;
    if (!held || held.record.state === "released" || held.record.jobId !== undefined) return;
    const outcome = error instanceof InterruptedError ? error.code : "failed";
    const state = held.record.state === "submitting" ? "unknown" : "released";
    const left = { ...held, record: { ...held.record, state, outcome } as const };
    this.#deps.onRecord({ ...left, isPending: true });
    try {
      this.#deps.onRecord(await this.#deps.lastWords.update(held, left.record));
    } catch (cause) {
      const reason = messageOf(cause);
      this.#deps.log.warning(`The interruption could not be written down: ${reason}`);
    }
  }

  #need(): StoredClaim {
    if (!this.#held) throw new Error("There is no claim to write to.");
    return this.#held;
  }
}

/** Of two that have only claimed, the older claim wins; who sees it late still yields to one that is elected. */
function isOlderCandidate(held: StoredClaim, situation: ClaimSituation): boolean {
  return situation.kind === "busy" && !isElected(situation.claim) && held.id < situation.claim.id;
}

async function findOwn(owner: string, claims: Pick<ClaimStore, "list">): Promise<StoredClaim | undefined> {
  return (await claims.list()).find(({ record }) => record.owner === owner);
}
