/** Counts the requests of the last hour from the records in our own comments. */
import type { ClaimRecord } from "../base/claim-record.ts";
import type { OwnershipDeps } from "./comment-claims.ts";
import { listCommentClaims } from "./open-records.ts";

export const hourMs = 3_600_000;

/** The start of the outcome of a request that `limit-per-user` refused. */
export const limitOutcome = "limit-per-user";

export interface RecentUses {
  /** Times of the requester's accepted requests, in milliseconds since the epoch, oldest first. */
  readonly userRequestTimes: readonly number[];
  /** Jobs and messages of the project or domain, by all users. */
  readonly projectUses: number;
  /** Whether a comment notified the requester within the last hour that the limit is reached. */
  readonly isNotified: boolean;
}

/** Pages of 100 comments. The counts are too low if more comments change within an hour. */
const maxPages = 10;

/**
 * Counts the requests of the last hour, except the current one, from the repository's comments on issues and pull requests. This
 * usually takes one API request. Not counted: requests in discussions and review threads, without a status comment, or from other
 * repositories with the same project.
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
  const isByRequester = (record: ClaimRecord) =>
    requester !== undefined && record.requester?.toLowerCase() === requester.toLowerCase();
  return {
    userRequestTimes: records
      .filter((record) => record.state !== "released" && isByRequester(record))
      .map(({ claimedAt }) => Date.parse(claimedAt))
      .sort((one, other) => one - other),
    projectUses: records.filter(({ state }) => state !== "released" && state !== "claimed").length,
    isNotified: records.some((record) => isByRequester(record) && record.outcome?.startsWith(limitOutcome)),
  };
}
