/**
 * The promise of the agent command: over every fault at every request, and a run after it, at most one job is created, and
 * the status comment ends true. Runs that are killed or cancelled: `test/e2e/agent-replay.test.ts`.
 */
import { describe, test } from "vitest";
import { countRequests, limitOnce, strikeAndRunAgain } from "../support/agent-replay.ts";
import { isCut, isFault, listStrikes } from "../support/fault-replay.ts";

describe.concurrent("a comment's run that meets a fault and is run again", async () => {
  const strikes = listStrikes(await countRequests("comment")).filter(isFault);

  test.each(strikes)("$name", (strike) => strikeAndRunAgain("comment", strike));
});

describe.concurrent("the run of a later comment that meets a fault and is run again", async () => {
  const strikes = listStrikes(await countRequests("follow-up")).filter(isFault);

  test.each(strikes)("$name", (strike) => strikeAndRunAgain("follow-up", strike));
});

/** GraphQL is all that a discussion has; the platform is asked the same as for a comment. */
describe.concurrent("the run of a reply on a discussion whose connection is cut and that is run again", async () => {
  const strikes = listStrikes(await countRequests("reply"));
  const telling = strikes.filter((strike) => strike.server === "github" && isCut(strike));

  test.each(telling)("$name", (strike) => strikeAndRunAgain("reply", strike));
});

/** The platform is asked the same as for a comment. */
describe.concurrent("the run of a review comment whose connection is cut and that is run again", async () => {
  const strikes = listStrikes(await countRequests("review"));
  const telling = strikes.filter((strike) => strike.server === "github" && isCut(strike));

  test.each(telling)("$name", (strike) => strikeAndRunAgain("review", strike));
});

/** The record's other home is struck where it differs: around the submission. */
describe.concurrent("a push's run that meets a fault and is run again", async () => {
  const strikes = listStrikes(await countRequests("push")).filter(isFault);
  const telling = strikes.filter(({ server }) => server === "platform");

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
