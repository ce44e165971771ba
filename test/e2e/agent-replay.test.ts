/**
 * The promise of the agent command, of the built action: the process is killed or cancelled around the submission, and run again.
 * `test/commands/agent-replay.test.ts` ends it at every request of every kind of run.
 */
import { describe, test } from "vitest";
import { checkRecovery, listRequests } from "../support/agent-replay.ts";
import { isServerFault, listFaultPoints, runProcessWithFault } from "../support/fault-replay.ts";

describe.concurrent("a comment's run that is ended and run again", async () => {
  // The platform's first request is the submission.
  const points = listFaultPoints(await listRequests("comment")).filter(
    (point) => point.server === "platform" && point.request === 0 && !isServerFault(point),
  );

  test.each(points)("$name", (point) => checkRecovery("comment", point, runProcessWithFault));
});
