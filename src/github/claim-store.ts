/** Where records of triggers are kept, so that another run knows what the first one did, and what makes a trigger. */
import { createHash } from "node:crypto";
import type { ClaimRecord } from "../base/claim-record.ts";

/** A record of ours that is written down. */
export interface StoredClaim {
  /** Grows with every claim of the same store. */
  readonly id: number;
  /** GitHub's global id of what holds it, where there is one. */
  readonly nodeId?: string;
  /** True where it is in a comment on a pull request's diff: the ids of those are of another series. */
  readonly isReviewComment?: boolean | undefined;
  /** When it was first written, by GitHub's clock, where ids alone do not tell what came first. */
  readonly createdAt?: string;
  readonly record: ClaimRecord;
  /** Page that shows it, and the text there, where it has one. */
  readonly url: string | undefined;
  readonly body?: string;
  /** Milliseconds since its last change, by GitHub's clock. */
  readonly ageMs: number;
  /** True where it is ours, but signed with a key that has since been replaced: neither to be believed nor ignored. */
  readonly isUnverifiable?: boolean;
  /** True while the record is known but not yet written down. */
  readonly isPending?: boolean;
}

/** Whether a record was written down before another: every run sees the same order. */
export function isOlderClaim(one: StoredClaim, other: StoredClaim): boolean {
  const apartMs = Date.parse(one.createdAt ?? "") - Date.parse(other.createdAt ?? "");
  return apartMs ? apartMs < 0 : one.id < other.id;
}

/** A record as its run knows it: it may be on its way, and written down whether or not an answer arrives. */
export type KnownClaim = Pick<StoredClaim, "record" | "isPending">;

/** Where records are kept: in a thread's comments, or in a commit's statuses. */
export interface ClaimStore {
  /** Genuine records that are kept there, of any trigger, oldest first. */
  list(): Promise<readonly StoredClaim[]>;
  /** The same as they were when the run began, where they are known from then. */
  readonly listed?: (() => readonly StoredClaim[]) | undefined;
  /** A record as it is now; `undefined` where it was taken away. */
  reread(claim: StoredClaim): Promise<StoredClaim | undefined>;
  create(record: ClaimRecord): Promise<StoredClaim>;
  /** Changes a record; `body` is what a comment shows of it, where the record alone does not say it. */
  update(claim: StoredClaim, record: ClaimRecord, body?: string): Promise<StoredClaim>;
  /** Takes a record away that leads nowhere. */
  remove(claim: StoredClaim): Promise<void>;
}

/** What makes two runs runs of the same trigger; the run's own id is not among it. */
export interface TriggerIdentity {
  readonly repositoryId: string;
  /** Kind of event, not its action: an edit that changes nothing is the same trigger. */
  readonly family: string;
  /** Node id of the text, pull request or release; commit of a push; run id where nothing else stands behind a run. */
  readonly subject: string;
  /** The text that asks. */
  readonly body: string;
  readonly command: string;
  readonly target: string;
}

/** The trigger's key: 64 hexadecimal digits. */
export function triggerKey(identity: TriggerIdentity): string {
  const { repositoryId, family, subject, body, command, target } = identity;
  const bodyHash = createHash("sha256").update(body.replace(/\r\n?/g, "\n")).digest("hex");
  const parts = [repositoryId, family, subject, bodyHash, command, target];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}
