/** Claim records, through which a run finds out what an earlier run did for the same trigger, and what stores them. */
import { createHash } from "node:crypto";
import type { ClaimRecord } from "../base/claim-record.ts";
import type { Identity } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { normalizeLineEndings } from "./may-trigger.ts";
import type { RecordSigner } from "./record-signer.ts";

/** A claim record that is stored on GitHub. */
export interface StoredClaim {
  /** Increases with each claim in the same store. */
  readonly id: number;
  /** GitHub's node ID of the comment that contains it. */
  readonly nodeId?: string;
  /** True if it is in a review comment, whose IDs form a separate series. */
  readonly isReviewComment?: boolean | undefined;
  /** Creation time by GitHub's clock, if it is known. */
  readonly createdAt?: string | undefined;
  readonly record: ClaimRecord;
  /** URL of the comment or run, and the comment's text. */
  readonly url: string | undefined;
  readonly body?: string;
  /** Milliseconds since its last change, by GitHub's clock. */
  readonly ageMs: number;
  /** True if it is signed with a key that was replaced since: it must be neither trusted nor ignored. */
  readonly isUnverifiable?: boolean;
}

/** Whether a record was created before another. Every run gets the same order. */
export function isOlderClaim(one: StoredClaim, other: StoredClaim): boolean {
  const differenceMs = Date.parse(one.createdAt ?? "") - Date.parse(other.createdAt ?? "");
  return differenceMs ? differenceMs < 0 : one.id < other.id;
}

/** Stores records in the comments of a thread or in the statuses of a commit. */
export interface ClaimStore {
  /** All genuine records, of any trigger, oldest first. */
  list(): Promise<readonly StoredClaim[]>;
  /** The records at the start of the run, if they were read then. */
  readonly listed?: (() => readonly StoredClaim[]) | undefined;
  /** The current state of a record; `undefined` if it was deleted. */
  reread(claim: StoredClaim): Promise<StoredClaim | undefined>;
  create(record: ClaimRecord): Promise<StoredClaim>;
  /** Changes a record; `body` is the visible part of the comment, by default rendered from the record. */
  update(claim: StoredClaim, record: ClaimRecord, body?: string): Promise<StoredClaim>;
  /** Deletes a record that is not needed any more. */
  remove(claim: StoredClaim): Promise<void>;
}

/** Two runs with the same values have the same trigger. */
export interface TriggerIdentity {
  readonly repositoryId: string;
  /** The type of event without its action: an edit that leaves the text unchanged is the same trigger. */
  readonly eventKind: string;
  /** Node ID of the text, pull request or release; the commit of a push; otherwise the run's ID. */
  readonly subject: string;
  readonly body: string;
  readonly command: string;
  readonly target: string;
}

/** The trigger's key: 64 hexadecimal digits. */
export function triggerKey(identity: TriggerIdentity): string {
  const { repositoryId, eventKind, subject, body, command, target } = identity;
  const bodyHash = createHash("sha256").update(normalizeLineEndings(body)).digest("hex");
  const parts = [repositoryId, eventKind, subject, bodyHash, command, target];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** What identifies our own comments, statuses and pull requests. */
export interface OwnershipDeps {
  readonly api: GitHubApi;
  readonly identity: Identity;
  readonly signer: RecordSigner;
}
