/** Finds our records all over the repository: in comments of threads, in statuses of commits. */
import type { ClaimRecord } from "./claim-record.ts";
import type { ClaimStore, StoredClaim } from "./claim-store.ts";
import { listCommentRecords } from "./comment-records.ts";
import { listDiscussionRecords } from "./discussion-records.ts";
import { GitHubError, isRefusal } from "./errors.ts";
import type { Account } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import type { Seal } from "./seal.ts";
import { listStatusRecords } from "./status-records.ts";

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

/** Each kind of place, in words that begin a sentence. */
const places = [
  ["Comments on issues and pull requests", listCommentRecords],
  ["Discussions", listDiscussionRecords],
  ["Commit statuses", listStatusRecords],
] as const;

/**
 * Lists genuine records that were written or changed since a time (ISO 8601). What the token may not read is left out,
 * and said.
 *
 * @throws {GitHubError} when it may read neither comments nor statuses, and there is nothing in discussions.
 */
export async function listRecords(since: string, deps: OpenRecordsDeps): Promise<RecordSearch> {
  const records: FoundRecord[] = [];
  const unseen: string[] = [];
  const failures: GitHubError[] = [];
  const refusals: GitHubError[] = [];
  for (const [name, list] of places) {
    const found = await orGitHubError(list(since, deps));
    if (!(found instanceof GitHubError)) {
      records.push(...found.records);
      unseen.push(...found.unseen);
    } else if (isRefusal(found)) {
      refusals.push(found);
      unseen.push(`${name} were not looked at: ${found.message} ${found.hint}`);
    } else failures.push(found);
  }
  const [first] = refusals;
  // A repository without discussions has none to refuse.
  if (first && records.length === 0 && refusals.length >= places.length - 1) throw first;
  return { records, unseen, failures };
}

async function orGitHubError<Found>(search: Promise<Found>): Promise<Found | GitHubError> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof GitHubError) return error;
    throw error;
  }
}
