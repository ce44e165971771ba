/** The input `limit-per-user`: counts the requests of the last hour from the records in the action's own comments. */
import { type ClaimRecord, isOtherRequest } from "../base/claim-record.ts";
import { formatCount } from "../base/text.ts";
import type { OwnershipDeps } from "../github/claims.ts";
import { GitHubError } from "../github/errors.ts";
import { listCommentClaims } from "../github/open-records.ts";
import { formatTime } from "../presentation/markdown.ts";
import type { AgentRun } from "./agent-job.ts";
import type { ClaimDraft } from "./claim.ts";
import type { ClaimLease } from "./claim-lease.ts";
import type { AgentInputs } from "./inputs.ts";
import { react } from "./reply.ts";
import type { Skip } from "./run.ts";

const hourMs = 3_600_000;

/** Pages of 100 comments. The counts are too low if more comments change within an hour. */
const maxPages = 10;

/** The start of the outcome of a request that `limit-per-user` refused. */
const limitOutcome = "limit-per-user";

type LimitInputs = Pick<AgentInputs, "baseUrl" | "limitPerUser">;

/**
 * Counts the requests of the last hour. Refuses this one if it exceeds `limit-per-user`: with one comment per user and hour that says
 * when to try again, and a reaction each time.
 */
export async function applyUserLimit(
  draft: ClaimDraft,
  lease: ClaimLease,
  { inputs, github, run }: Pick<AgentRun, "github" | "run"> & { readonly inputs: LimitInputs },
): Promise<Skip | undefined> {
  const { limitPerUser, baseUrl } = inputs;
  const isAgent = draft.command === "agent";
  // Only the agent's status comment shows the count, and an embedded platform's limit ends with the run.
  const isShown = isAgent && baseUrl !== "local";
  if (github.event.type !== "text" || (limitPerUser === undefined && !isShown)) return undefined;
  const uses = await countRecentUses(draft, await github.readOwnership()).catch((error: unknown) => {
    // Without a limit, the count is only shown.
    if (limitPerUser !== undefined || !(error instanceof GitHubError)) throw error;
    run.log.debug(error.message);
    return undefined;
  });
  if (!uses) return undefined;
  const refusal = refuseOverLimit(uses.userRequestTimes, limitPerUser);
  if (!refusal && isShown) lease.amend({ uses: uses.projectUses + 1 });
  if (!refusal) return undefined;
  const { outcome, message } = refusal;
  if (!uses.isNotified) {
    // The agent's status comment explains the outcome itself.
    await lease.recordEarlierResult({ state: "released", outcome, ...(isAgent ? {} : { message }) });
  }
  await react(github, run, "CONFUSED");
  return refusal;
}

/**
 * Counts the requests of the last hour, except the current one, from the repository's comments on issues and pull requests. This
 * usually takes one API request. Not counted: requests in discussions and review threads, without a status comment, or from other
 * repositories with the same project.
 *
 * @returns when the requester's accepted requests were made (milliseconds since the epoch, oldest first); the number of jobs and
 *   messages of the project or domain, by all users; and whether a comment told the requester that the limit is reached.
 */
export async function countRecentUses(
  request: Pick<ClaimRecord, "command" | "target" | "trigger" | "requester">,
  ownership: OwnershipDeps,
) {
  const sinceMs = ownership.api.serverNow() - hourMs;
  const { claims } = await listCommentClaims(
    "conversation",
    new Date(sinceMs).toISOString(),
    ownership,
    maxPages,
  );
  const records = claims
    .filter(({ claim }) => !claim.isUnverifiable && isOtherRequest(claim.record, request))
    .map(({ claim: { record, createdAt = record.claimedAt } }) => ({
      ...record,
      createdMs: Date.parse(createdAt),
    }))
    .filter(({ createdMs }) => createdMs > sinceMs);
  const requester = request.requester?.toLowerCase();
  const ofRequester = records.filter((record) => record.requester?.toLowerCase() === requester);
  return {
    userRequestTimes: ofRequester
      .filter(({ state }) => state !== "released")
      .map(({ createdMs }) => createdMs)
      .sort((one, other) => one - other),
    projectUses: records.filter(({ state }) => state !== "released" && state !== "claimed").length,
    isNotified: ofRequester.some(({ outcome }) => outcome?.startsWith(limitOutcome)),
  };
}

/** Refuses the request if the user has reached the limit; `outcome` is the outcome of its `released` record. */
export function refuseOverLimit(
  userRequestTimes: readonly number[],
  limit: number | undefined,
): (Skip & { readonly outcome: string }) | undefined {
  if (limit === undefined) return undefined;
  const countedMs = userRequestTimes.at(-limit);
  if (countedMs === undefined) return undefined;
  // Rounded up to a minute, as the message shows it.
  const until = new Date(Math.ceil((countedMs + hourMs) / 60_000) * 60_000);
  const message = `The limit of ${formatCount(limit, "request")} per user and hour is reached; ask again at ${formatTime(until)}.`;
  return { reason: limitOutcome, message, outcome: `${limitOutcome} until ${until.toISOString()}` };
}
