/**
 * The promise of the agent command, of the built action: the process is killed or cancelled around the submission and at every
 * second other request, and run again. `test/commands/agent-replay.test.ts` ends it at every request of every kind of run.
 */
import { describe, test } from "vitest";
import { countRequests, strikeAndRunAgain } from "../support/agent-replay.ts";
import { isEndedInTurn, isFault, listStrikes, runStruckProcess } from "../support/fault-replay.ts";

describe.concurrent("a comment's run that is ended and run again", async () => {
  const strikes = listStrikes(await countRequests("comment")).filter((strike) => !isFault(strike));
  // The platform's first request is the submission.
  const telling = strikes.filter((strike) =>
    strike.server === "platform" ? strike.request === 0 : isEndedInTurn(strike),
  );

  test.each(telling)("$name", (strike) => strikeAndRunAgain("comment", strike, runStruckProcess));
});
