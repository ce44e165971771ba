/** The frame of `runs.main`: inputs in, one command, and on every way out outcome, outputs, annotation, summary and exit code. */
import { setTimeout as delay } from "node:timers/promises";
import * as core from "@actions/core";
import { InterruptedError } from "../base/errors.ts";
import { systemClock } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import type { CommandName } from "../commands/command-names.ts";
import { listInputs } from "../commands/input-catalog.ts";
import {
  type Environment,
  inputText,
  isSkippedForMissingKey,
  readCommand,
  readInputs,
} from "../commands/read-inputs.ts";
import type { CommandEnd, CommandLoaders, Run } from "../commands/run.ts";
import { actionLog } from "./action-log.ts";
import { createCrashGuard } from "./crash-guard.ts";
import { createInterruption, type Interruption } from "./interruption.ts";
import { reportEnd, reportFailure } from "./report-end.ts";
import { takeSecrets } from "./take-secrets.ts";
import { createOutputWriter, type OutputWriter } from "./write-outputs.ts";

/** On cancellation the runner gives seven and a half seconds before it insists; the truth must be written by then. */
const tellTruthWithinMs = 6_500;

/** Runs the command that the inputs choose, and ends the process. */
export async function runAction(steps: CommandLoaders): Promise<never> {
  const environment = takeSecrets(process.env);
  const outputs = createOutputWriter();
  using interruption = createInterruption(process);
  using crashGuard = createCrashGuard(process);
  const command = commandOrUndefined(environment);
  const failOn = failOnText(environment);
  try {
    core.saveState("command", command ?? "");
    const end = await Promise.race([
      runStep(steps, { environment, outputs, interruption }),
      giveUpAfterCancel(interruption),
      crashGuard.crashed,
    ]);
    await reportEnd(end, { outputs, failOn });
  } catch (error) {
    await reportFailure(error, { outputs, failOn, command });
  }
  markEnded();
  return exit();
}

interface FrameRun {
  readonly environment: Environment;
  readonly outputs: OutputWriter;
  readonly interruption: Interruption;
}

async function runStep(
  steps: CommandLoaders,
  { environment, outputs, interruption }: FrameRun,
): Promise<CommandEnd> {
  const command = readCommand(environment);
  return runCommand(command, steps, { environment, outputs, interruption });
}

async function runCommand<Command extends CommandName>(
  command: Command,
  steps: CommandLoaders,
  { environment, outputs, interruption }: FrameRun,
): Promise<CommandEnd> {
  const { inputs, warnings } = readInputs(command, environment);
  for (const warning of warnings) actionLog.warning(warning);
  if (isSkippedForMissingKey(inputs)) return skippedForMissingKey(command);
  const timeoutMs = inputs.timeoutMinutes * 60_000;
  interruption.startDeadline(timeoutMs);
  const context: Run = {
    log: actionLog,
    clock: systemClock,
    random: Math.random,
    signal: interruption.signal,
    deadlineMs: systemClock.now() + timeoutMs,
    environment: Object.fromEntries(
      Object.entries(environment).filter(([name]) => !name.startsWith("INPUT_")),
    ),
    setOutput: outputs.set,
    maskSecret: core.setSecret,
    saveState: core.saveState,
  };
  const run = await steps[command]();
  return run(inputs, context);
}

function skippedForMissingKey(command: CommandName): CommandEnd {
  const message = "Skipped: this run has no `api-key` (forks and Dependabot get no secrets).";
  // `reconcile` and `doctor` have no outcome of their own for it; `skip-reason` tells it for all.
  return {
    outcome: "skipped",
    message,
    summary: `### Docs automation: ${command}\n\n${message}\n`,
    skipReason: "missing-key",
  };
}

/** Ends the run when a cancelled command does not end by itself in time. */
async function giveUpAfterCancel({ cancelled }: Interruption): Promise<never> {
  await cancelled;
  await delay(tellTruthWithinMs, undefined, { ref: false });
  throw new InterruptedError("cancelled", "The workflow was cancelled.");
}

function commandOrUndefined(environment: Environment): CommandName | undefined {
  try {
    return readCommand(environment);
  } catch {
    return undefined; // Reported with its reason when the step reads it.
  }
}

/** `fail-on` as given: it is needed even where the inputs as a whole cannot be read. */
function failOnText(environment: Environment): readonly string[] {
  const given =
    inputText("fail-on", environment) ?? listInputs().find(({ name }) => name === "fail-on")?.default;
  return (given ?? "").split(/[,\n]/).map((name) => name.trim());
}

/** Tells the post step that nothing is left to do; without the file for it there is no post step to tell. */
function markEnded(): void {
  try {
    core.saveState("ended", "true");
  } catch (error) {
    actionLog.debug(`The state could not be kept: ${messageOf(error)}`);
  }
}

/** Ends the process although sockets or timers are open: the artifact client may leave some. */
async function exit(): Promise<never> {
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit();
}
