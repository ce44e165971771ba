import * as core from "@actions/core";
import type { Log } from "../base/runtime.ts";
import { neutralizeCommands, withoutControls } from "./neutralize-commands.ts";

/** The log of a command, written to the job's log; no text in it can act as a workflow command. */
export const actionLog: Log = {
  debug: (message) => core.debug(withoutControls(message)),
  info: (message) => core.info(neutralizeCommands(message)),
  notice: (message) => core.notice(withoutControls(message)),
  warning: (message) => core.warning(withoutControls(message)),
};
