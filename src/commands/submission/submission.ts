/** What a submission takes, and how it can end. */
import type { Clock, Log } from "../../base/runtime.ts";
import type { PlatformError } from "../../client/errors.ts";
import type { ClaimRecord, ClaimStore, KnownClaim, StoredClaim } from "../../github/claim-store.ts";
import type { ClaimDraft } from "./draft-record.ts";
import type { ClaimOwner } from "./judge-claims.ts";

export interface SubmitOnceOptions {
  readonly owner: ClaimOwner;
  /** What is known before the claim; the protocol adds the rest. */
  readonly draft: ClaimDraft;
  readonly onAmbiguous: "stop" | "resubmit";
  /** Milliseconds since the epoch when waiting ends. */
  readonly deadlineMs: number;
}

export interface SubmitOnceDeps<Job> {
  readonly claims: ClaimStore;
  /** The same store for the last words of a cancelled run. */
  readonly lastWords: ClaimStore;
  /** How an earlier run's request ended where no record tells of it any more: a comment can be deleted. */
  readonly findEnd: () => Promise<Partial<ClaimRecord> | undefined>;
  /** Called once nobody else holds the trigger, before anything is written down. */
  readonly onFree: () => Promise<void>;
  /** Asked directly before the creating request: why it must not be sent any more. */
  readonly objection: () => Promise<Objection | undefined>;
  /** Sends the creating request, once. */
  readonly submit: () => Promise<{ readonly jobId: string; readonly job: Job }>;
  /** Called with every state that is written down, and with a claim before it is. */
  readonly onRecord: (claim: KnownClaim) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Why a request that was permitted is not sent all the same. */
export interface Objection {
  /** Value of the output `skip-reason`. */
  readonly reason: string;
  readonly message: string;
}

export type Submission<Job> =
  /** The job was created by this call. */
  | { readonly kind: "submitted"; readonly claim: StoredClaim; readonly job: Job }
  /** An earlier run created the job: its id is in the record. */
  | { readonly kind: "found"; readonly claim: StoredClaim }
  /** Another run is at it. */
  | { readonly kind: "other-run"; readonly claim: StoredClaim }
  /** The answer to a creating request was lost, now or earlier. */
  | { readonly kind: "lost"; readonly claim: StoredClaim; readonly error: PlatformError | undefined }
  /** The request was taken back before it was sent. */
  | { readonly kind: "withdrawn"; readonly objection: Objection };
