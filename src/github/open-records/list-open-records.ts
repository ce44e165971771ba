/** Finds our records all over the repository: in comments of threads, in statuses of commits. */
import { GitHubError, isRefusal } from "../errors.ts";
import { listCommentRecords } from "./comment-records.ts";
import { listDiscussionRecords } from "./discussion-records.ts";
import type { FoundRecord, OpenRecordsDeps, RecordSearch } from "./found-record.ts";
import { listStatusRecords } from "./status-records.ts";

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
