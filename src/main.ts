/** The only entry, for `runs.main` and `runs.post`: ends at once when there is nothing to do, else loads what it needs. */
import { basename } from "node:path";
import { type Environment, exit, readState, saveState, takeSecrets } from "./action/runner.ts";

const environment = takeSecrets(process.env);
// Not told by a saved state: a main step that is cancelled before it can save one must not be run again by its post step.
const isPost = /^post\.[jt]s$/.test(basename(process.argv[1] ?? ""));
await (isPost ? runPostPhase(environment) : runMainPhase(environment));

async function runMainPhase(environment: Environment): Promise<void> {
  saveState("command", environment["INPUT_COMMAND"]?.trim() ?? "");
  const { runCommand } = await import("./action/run-command.ts");
  await runCommand(environment);
}

/** Completes what a main step left open: one that was cut off, or that ended without settling its record. */
async function runPostPhase(environment: Environment): Promise<void> {
  const command = readState("command");
  if (command !== "" && (readState("ended") !== "true" || readState("unsettled") === "true")) {
    const { runPost } = await import("./action/run-post.ts");
    await runPost(command, environment);
  }
  await exit();
}
