/**
 * The promise of the agent command, of the built action: the process is killed or cancelled around the submission and at every
 * second other request, and run again. `test/commands/agent-replay.test.ts` ends it at every request of every kind of run.
 */
import { describe, test } from "vitest";
import { countRequests, strikeAndRunAgain } from "../support/agent-replay.ts";
import { listStrikes, runStruckProcess, type Strike } from "../support/fault-replay.ts";

const endings = [
  ["kill", "before"],
  ["cancel", "before"],
  ["kill", "after"],
  ["cancel", "after"],
];

/** The submission is the platform's first request; elsewhere the ways to end take turns. */
function isTelling({ server, request, misfortune }: Strike): boolean {
  if (misfortune.kind === "fault") return false;
  if (server === "platform") return request === 0;
  const [kind, when] = endings[(request / 2) % endings.length] ?? [];
  return misfortune.kind === kind && misfortune.when === when;
}

describe.concurrent("a comment's run that is ended and run again", async () => {
  const strikes = listStrikes(await countRequests("comment")).filter(isTelling);

  test.each(strikes)("$name", (strike) => strikeAndRunAgain("comment", strike, runStruckProcess));
});
