/** The frame of `runs.post`: tells the truth where the main step was killed before it could. */
import { setTimeout as delay } from "node:timers/promises";
import * as core from "@actions/core";
import { InterruptedError } from "../base/errors.ts";
import { messageOf } from "../base/text.ts";
import type { CommandName } from "../commands/command-names.ts";
import type { Finisher, PostRun } from "../commands/run.ts";
import { actionLog } from "./action-log.ts";
import { takeSecrets } from "./take-secrets.ts";

export type FinisherLoaders = { readonly [Command in CommandName]?: () => Promise<Finisher> };

/** The runner gives a cancelled job's post steps little time. */
const timeLimitMs = 6_500;

/** Runs the command's finisher if the main step was cut off; a post step never fails the job. */
export async function runPost(finishers: FinisherLoaders): Promise<never> {
  const environment = takeSecrets(process.env);
  const command = core.getState("command");
  const isUnsettled = core.getState("ended") !== "true" || core.getState("unsettled") === "true";
  const isCutOff = command !== "" && isUnsettled;
  const load = Object.entries(finishers).find(([name]) => name === command)?.[1];
  if (isCutOff && load !== undefined) {
    try {
      const timeIsUp = new AbortController();
      const finish = await load();
      const context: PostRun = {
        environment,
        log: actionLog,
        signal: timeIsUp.signal,
        state: core.getState,
        maskSecret: core.setSecret,
      };
      await Promise.race([finish(context), giveUp(timeIsUp)]);
    } catch (error) {
      actionLog.warning(messageOf(error));
    }
  }
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit(0);
}

/** Ends what listens to the signal when the time is over, and leaves behind what does not. */
async function giveUp(timeIsUp: AbortController): Promise<never> {
  await delay(timeLimitMs);
  const message =
    "The time of the post step is over; the status comment may be behind. A re-run puts it right.";
  const reason = new InterruptedError("timed-out", message);
  timeIsUp.abort(reason);
  await delay(500);
  throw reason;
}
