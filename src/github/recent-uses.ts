/** How much was asked for in the last hour, as the records in our own comments tell it. */
import type { ClaimRecord } from "../base/claim-record.ts";
import type { OwnershipDeps } from "./comment-claims.ts";
import { listCommentClaims } from "./open-records.ts";

export const hourMs = 3_600_000;

/** What the outcome of a request begins with that its person's limit held back. */
export const limitOutcome = "limit-per-user";

export interface RecentUses {
  /** When the person's requests were made, in milliseconds since the epoch, oldest first; without those held back. */
  readonly userRequestTimes: readonly number[];
  /** Jobs and messages of the project or domain, of all people. */
  readonly projectUses: number;
  /** Whether a comment already told the person within this hour that the limit is reached. */
  readonly isNotified: boolean;
}

/** Pages of a hundred comments; a repository in which more change within an hour has counts that are too low. */
const maxPages = 10;

/**
 * Counts the requests of the last hour, without the one that asks, from one listing of the repository's comments on issues
 * and pull requests: as a rule one request. Requests in discussions, in review threads and without a status comment are not
 * among them, nor those of other repositories with the same project.
 */
export async function countRecentUses(
  draft: Pick<ClaimRecord, "command" | "target" | "trigger" | "requester">,
  deps: OwnershipDeps,
): Promise<RecentUses> {
  const sinceMs = deps.api.serverNow() - hourMs;
  const since = new Date(sinceMs).toISOString();
  const { claims } = await listCommentClaims("conversation", since, deps, maxPages);
  const { command, target, trigger, requester } = draft;
  const records = claims
    .filter(({ claim }) => !claim.isUnverifiable)
    .map(({ claim: { record } }) => record)
    .filter((record) => record.command === command && record.target === target && record.trigger !== trigger)
    .filter(({ claimedAt }) => Date.parse(claimedAt) > sinceMs);
  const isOurs = (record: ClaimRecord) =>
    requester !== undefined && record.requester?.toLowerCase() === requester.toLowerCase();
  return {
    userRequestTimes: records
      .filter((record) => record.state !== "released" && isOurs(record))
      .map(({ claimedAt }) => Date.parse(claimedAt))
      .sort((one, other) => one - other),
    projectUses: records.filter(({ state }) => state !== "released" && state !== "claimed").length,
    isNotified: records.some((record) => isOurs(record) && record.outcome?.startsWith(limitOutcome)),
  };
}
