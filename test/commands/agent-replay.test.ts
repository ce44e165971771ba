/**
 * The promise of the agent command: struck at every request by a fault, a kill or a cancellation, and run again, it creates at most
 * one job, and the status comment ends true. A process that is killed or cancelled: `test/e2e/agent-replay.test.ts`.
 */
import { describe, test } from "vitest";
import { countRequests, limitOnce, strikeAndRunAgain } from "../support/agent-replay.ts";
import { isCut, isFault, listStrikes } from "../support/fault-replay.ts";

describe.concurrent("a comment's run that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests("comment"));

  test.each(strikes)("$name", (strike) => strikeAndRunAgain("comment", strike));
});

/** A message is as final as a job: what ends a run around it matters. */
describe.concurrent("the run of a later comment that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests("follow-up"));
  const telling = strikes.filter((strike) => isFault(strike) || strike.server === "platform");

  test.each(telling)("$name", (strike) => strikeAndRunAgain("follow-up", strike));
});

/** GraphQL is all that a discussion has; the platform is asked the same as for a comment. */
describe.concurrent("the run of a reply on a discussion that is cut off and run again", async () => {
  const strikes = listStrikes(await countRequests("reply"));
  const telling = strikes.filter(
    (strike) => strike.server === "github" && (isCut(strike) || !isFault(strike)),
  );

  test.each(telling)("$name", (strike) => strikeAndRunAgain("reply", strike));
});

/** The platform is asked the same as for a comment. */
describe.concurrent("the run of a review comment whose connection is cut and that is run again", async () => {
  const strikes = listStrikes(await countRequests("review"));
  const telling = strikes.filter((strike) => strike.server === "github" && isCut(strike));

  test.each(telling)("$name", (strike) => strikeAndRunAgain("review", strike));
});

/** The record's other home is struck where it differs: around the submission, and by kills everywhere. */
describe.concurrent("a push's run that is struck and run again", async () => {
  const strikes = listStrikes(await countRequests("push"));
  const telling = strikes.filter(
    ({ server, misfortune }) => server === "platform" || misfortune.kind === "kill",
  );

  test.each(telling)("$name", (strike) => strikeAndRunAgain("push", strike));
});

/** Of each way to keep the record: without `Retry-After` GitHub means minutes, longer than a claim holds. */
describe.concurrent.each(["comment", "follow-up", "reply", "review", "push"] as const)(
  "a %s's run that meets GitHub's secondary rate limit",
  async (kind) => {
    const { github } = await countRequests(kind);
    const requests = Array.from({ length: github }, (_, request) => request);

    test.each(requests)("at request %i waits, and ends as if nothing had been", (request) =>
      limitOnce(kind, request),
    );
  },
);
