/**
 * The promise of the agent command: whatever request fails by a fault, a kill or a cancellation, and run again, it creates at most
 * one job, and the status comment ends true. A process that is killed or cancelled: `test/e2e/agent-replay.test.ts`.
 */
import { describe, test } from "vitest";
import { checkRecovery, limitOnce, listRequests } from "../support/agent-replay.ts";
import {
  type FaultPoint,
  isConnectionCut,
  isServerFault,
  listFaultPoints,
  type SentRequests,
} from "../support/fault-replay.ts";
import { isChange } from "../support/github-stand-in.ts";

/**
 * Faults of the platform where a command differs: around the submission all of them. A poll that got no answer is the same to every
 * command whatever came instead, which the comment's run shows; one kind stands for them.
 */
function isPlatformFault({ platform }: SentRequests, point: FaultPoint): boolean {
  const sent = platform[point.request];
  if (point.server !== "platform" || sent === undefined) return false;
  return isChange(sent) || !isServerFault(point) || isConnectionCut(point);
}

describe.concurrent("a comment's run that fails at one request and is run again", async () => {
  const points = listFaultPoints(await listRequests("comment"));

  test.each(points)("$name", (point) => checkRecovery("comment", point));
});

/** A message is as final as a job: what ends a run around it matters, and of GitHub's failures whether its record was written. */
describe.concurrent("the run of a later comment that fails at one request and is run again", async () => {
  const sent = await listRequests("follow-up");
  const selected = listFaultPoints(sent).filter(
    (point) => isConnectionCut(point) || isPlatformFault(sent, point),
  );

  test.each(selected)("$name", (point) => checkRecovery("follow-up", point));
});

/** GraphQL is all that a discussion has; the platform is asked the same as for a comment. */
describe.concurrent("the run of a reply on a discussion that is cut off and run again", async () => {
  const points = listFaultPoints(await listRequests("reply"));
  const selected = points.filter(
    (point) => point.server === "github" && (isConnectionCut(point) || !isServerFault(point)),
  );

  test.each(selected)("$name", (point) => checkRecovery("reply", point));
});

/** The platform is asked the same as for a comment. */
describe.concurrent("the run of a review comment whose connection is cut and that is run again", async () => {
  const points = listFaultPoints(await listRequests("review"));
  const selected = points.filter((point) => point.server === "github" && isConnectionCut(point));

  test.each(selected)("$name", (point) => checkRecovery("review", point));
});

/** The other location of the record: faults where it differs, around the submission, and kills everywhere. */
describe.concurrent("a push's run that fails at one request and is run again", async () => {
  const sent = await listRequests("push");
  const selected = listFaultPoints(sent).filter(
    (point) => point.failure.kind === "kill" || isPlatformFault(sent, point),
  );

  test.each(selected)("$name", (point) => checkRecovery("push", point));
});

/** Of each way to keep the record: without `Retry-After` GitHub means minutes, longer than a claim holds. */
describe.concurrent.each(["comment", "follow-up", "reply", "review", "push"] as const)(
  "a %s's run that meets GitHub's secondary rate limit",
  async (kind) => {
    const { github } = await listRequests(kind);
    // The comment's run shows that every request waits; in the others, those that write the record differ.
    const selected = github.flatMap((sent, request) =>
      kind === "comment" || isChange(sent) ? [request] : [],
    );

    test.each(selected)("at request %i waits, and ends as if nothing had been", (request) =>
      limitOnce(kind, request),
    );
  },
);
