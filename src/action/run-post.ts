/** The post step: completes the records of a main step that was killed. */
import { InterruptedError } from "../base/errors.ts";
import { createRunClock, type Environment } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import type { PostRun } from "../commands/run.ts";
import { readState, redact, runnerLog } from "./runner.ts";

/** The post step of each command that has one. */
const finishers: ReadonlyMap<string, () => Promise<(run: PostRun) => Promise<void>>> = new Map([
  ["agent", async () => (await import(/* webpackChunkName: "gate" */ "../commands/agent.ts")).finishAgent],
  [
    "assistant",
    async () => (await import(/* webpackChunkName: "gate" */ "../commands/assistant.ts")).finishAssistant,
  ],
  ["export", async () => (await import("../commands/export.ts")).finishExport],
]);

/** The runner limits the time of a cancelled job's post steps. */
const timeLimitMs = 6_500;

/** Runs the post step of the command. Errors are warnings: a post step never fails the job. */
export async function runPost(command: string, environment: Environment): Promise<void> {
  const load = finishers.get(command);
  if (load === undefined) return;
  try {
    const timeIsUp = new AbortController();
    const message =
      "The post step reached its time limit; the status comment may be out of date. A re-run corrects it.";
    setTimeout(() => timeIsUp.abort(new InterruptedError("timed-out", message)), timeLimitMs);
    const finish = await load();
    const run = {
      environment,
      clock: createRunClock(environment),
      log: runnerLog,
      signal: timeIsUp.signal,
      state: readState,
      redact,
    };
    await finish(run);
  } catch (error) {
    runnerLog.warning(messageOf(error));
  }
}
