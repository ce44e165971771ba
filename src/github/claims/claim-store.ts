/** Where the record of a trigger is kept; a thread's comment or a commit's status implements it. */
import type { ClaimRecord } from "./claim-record.ts";

/** A record of ours that is written down somewhere. */
export interface StoredClaim {
  /** Grows with every claim of the same store. */
  readonly id: number;
  /** GitHub's global id of what holds it, where there is one. */
  readonly nodeId?: string;
  readonly record: ClaimRecord;
  /** Page that shows it. */
  readonly url: string | undefined;
  /** Milliseconds since its last change, by the clock of the store. */
  readonly ageMs: number;
  /** True where it is ours, but signed with a key that has since been replaced: it cannot be believed nor ignored. */
  readonly isUnverifiable?: boolean;
  /** True while the record is known but not yet written down. */
  readonly isPending?: boolean;
}

/** A record as its run knows it; without an id it is on its way, and may be written down whether or not an answer arrives. */
export type KnownClaim =
  | StoredClaim
  | { readonly id?: undefined; readonly record: ClaimRecord; readonly isPending?: undefined };

export interface ClaimStore {
  /** Genuine records of this trigger, oldest first. */
  list(): Promise<readonly StoredClaim[]>;
  create(record: ClaimRecord): Promise<StoredClaim>;
  update(claim: StoredClaim, record: ClaimRecord): Promise<StoredClaim>;
  /** Takes a record away that leads nowhere. */
  remove(claim: StoredClaim): Promise<void>;
}
