/**
 * The promise of the agent command: killed or cancelled at every request, and run again, it creates at most one job, and the
 * status comment ends true. Faults of the servers: `test/commands/agent-replay.test.ts`.
 */
import { describe, test } from "vitest";
import { countRequests, strikeAndRunAgain } from "../support/agent-replay.ts";
import { isFault, listStrikes } from "../support/fault-replay.ts";

describe.concurrent("a comment's run that is ended and run again", async () => {
  const strikes = listStrikes(await countRequests("comment")).filter((strike) => !isFault(strike));

  test.each(strikes)("$name", (strike) => strikeAndRunAgain("comment", strike));
});

/** A message is as final as a job: what is struck around it matters. */
describe.concurrent("a later comment's run that is ended and run again", async () => {
  const strikes = listStrikes(await countRequests("follow-up")).filter((strike) => !isFault(strike));
  const telling = strikes.filter(({ server }) => server === "platform");

  test.each(telling)("$name", (strike) => strikeAndRunAgain("follow-up", strike));
});

/** GraphQL is all that a discussion has; the platform is asked the same as for a comment. */
describe.concurrent("the run of a reply on a discussion that is ended and run again", async () => {
  const strikes = listStrikes(await countRequests("reply")).filter((strike) => !isFault(strike));
  const telling = strikes.filter(({ server }) => server === "github");

  test.each(telling)("$name", (strike) => strikeAndRunAgain("reply", strike));
});

/** The record's other home is struck where it differs: around the submission, and by kills everywhere. */
describe.concurrent("a push's run that is ended and run again", async () => {
  const strikes = listStrikes(await countRequests("push")).filter((strike) => !isFault(strike));
  const telling = strikes.filter(
    ({ server, misfortune }) => server === "platform" || misfortune.kind === "kill",
  );

  test.each(telling)("$name", (strike) => strikeAndRunAgain("push", strike));
});
