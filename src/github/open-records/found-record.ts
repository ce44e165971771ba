/** What a search for our records works with, and what it finds. */
import type { ClaimRecord } from "../claims/claim-record.ts";
import type { ClaimStore, StoredClaim } from "../claims/claim-store.ts";
import type { Seal } from "../claims/seal.ts";
import type { GitHubError } from "../errors.ts";
import type { Account } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";

export interface OpenRecordsDeps {
  readonly api: GitHubApi;
  readonly identity: Account;
  readonly seal: Seal;
  readonly render: (record: ClaimRecord) => string;
  readonly describe: (record: ClaimRecord) => string;
}

/** A record and what can change it. */
export interface FoundRecord {
  readonly claim: StoredClaim;
  readonly claims: Pick<ClaimStore, "update">;
  /** The record as it is now; `undefined` where it was taken away. */
  readonly reread: () => Promise<StoredClaim | undefined>;
  /** Where it stands, for people: `#12`, or a commit. */
  readonly where: string;
}

/** What one kind of place holds. */
export interface FoundRecords {
  readonly records: readonly FoundRecord[];
  /** What there is and was not looked at, one sentence each. */
  readonly unseen: readonly string[];
}

export interface RecordSearch extends FoundRecords {
  /** Why a kind of place could not be read that the token may read. */
  readonly failures: readonly GitHubError[];
}
