/** The main step: reads the inputs, runs one command, and reports its result or error. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { InterruptedError } from "../base/errors.ts";
import { createRunClock, type Environment } from "../base/runtime.ts";
import { splitList } from "../base/text.ts";
import { inputsByCommand } from "../commands/inputs.ts";
import type { CommandName } from "../commands/outputs.ts";
import { inputText, readCommand, readInputs } from "../commands/read-inputs.ts";
import type { CommandResult, Run, RunCommand } from "../commands/run.ts";
import { RunOutputs, reportFailure, reportResult } from "./report.ts";
import { logGroup, maskIssued, maskSecret, redact, runnerLog, saveState } from "./runner.ts";

/** Loads each command when it is chosen. */
export type Commands = { readonly [Command in CommandName]: () => Promise<RunCommand<Command>> };

/** The commands of a workflow step. */
export const stepCommands: Commands = {
  agent: async () => (await import(/* webpackChunkName: "gate" */ "../commands/agent.ts")).runAgent,
  assistant: async () =>
    (await import(/* webpackChunkName: "gate" */ "../commands/assistant.ts")).runAssistant,
  export: async () => (await import("../commands/export.ts")).runExport,
  reconcile: async () =>
    (await import(/* webpackChunkName: "permitted" */ "../commands/reconcile.ts")).runReconcile,
  doctor: async () => (await import("../commands/doctor.ts")).runDoctor,
};

/** After the deadline, a command has this long to end by itself; then the signal aborts everything that still waits. */
const graceAfterDeadlineMs = 20_000;

/** On cancellation, the runner sends SIGTERM after seven and a half seconds; the result must be written by then. */
const cancelGraceMs = 6_500;

/** Runs the command that the inputs name. Afterwards, the caller ends the process with `exit`. */
export async function runCommand(environment: Environment, commands = stepCommands): Promise<void> {
  const outputs = new RunOutputs();
  using interruption = createInterruption(process, commands === stepCommands ? "workflow" : "command");
  using crashGuard = createCrashGuard(process);
  let command: CommandName | undefined;
  const failOn = readFailOn(environment);
  try {
    command = readCommand(environment);
    const result = await Promise.race([
      runChosen(command, commands, environment, outputs, interruption),
      giveUpAfterAbort(interruption.signal),
      crashGuard.crashed,
    ]);
    reportResult(result, outputs, failOn);
  } catch (error) {
    reportFailure(error, command, outputs, failOn);
  }
  saveState("ended", "true");
}

async function runChosen<Command extends CommandName>(
  command: Command,
  commands: Commands,
  environment: Environment,
  outputs: RunOutputs,
  interruption: ReturnType<typeof createInterruption>,
): Promise<CommandResult> {
  const { inputs, warnings } = readInputs(command, environment);
  for (const warning of warnings) runnerLog.warning(warning);
  const { baseUrl, apiKey, onMissingKey, timeoutMinutes } = inputs;
  if (baseUrl !== "local" && apiKey === undefined && onMissingKey === "skip")
    return skippedForMissingKey(command);
  const timeoutMs = timeoutMinutes * 60_000;
  interruption.startDeadline(timeoutMs);
  const clock = createRunClock(environment);
  const run: Run = {
    log: runnerLog,
    logGroup,
    clock,
    random: Math.random,
    signal: interruption.signal,
    deadlineMs: clock.now() + timeoutMs,
    environment: Object.fromEntries(
      Object.entries(environment).filter(([name]) => !name.startsWith("INPUT_")),
    ),
    setOutput: outputs.set,
    maskSecret,
    maskIssued,
    redact,
    saveState,
  };
  const start = await commands[command]();
  return start(inputs, run);
}

/** `reconcile` and `doctor` have this outcome only here. */
function skippedForMissingKey(command: CommandName): CommandResult {
  const message = "Skipped: this run has no `api-key` (forks and Dependabot get no secrets).";
  const summary = `### Docs automation: ${command}\n\n${message}\n`;
  return { outcome: "skipped", message, summary, skipReason: "missing-key" };
}

/** Aborts the run on cancellation, when a terminal is closed (SIGHUP), and after the deadline. */
export function createInterruption(process: NodeJS.EventEmitter, subject = "workflow") {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    // Commands that follow a job add that the job continues.
    const hint = "Run it again to get a result.";
    controller.abort(new InterruptedError("cancelled", `The ${subject} was cancelled.`, { hint }));
  };
  process.on("SIGINT", cancel).on("SIGTERM", cancel).on("SIGHUP", cancel);
  return {
    /** The signal for every wait and request: aborts on these signals and, as a last resort, after the deadline. */
    signal: controller.signal,
    /** Starts the deadline; until then, only signals abort. */
    startDeadline(afterMs: number): void {
      // Not every command has a job, and a job may have ended.
      const hint = "Run again, or raise `timeout-minutes`.";
      const reason = new InterruptedError("timed-out", "`timeout-minutes` has passed.", { hint });
      timer = setTimeout(() => controller.abort(reason), afterMs + graceAfterDeadlineMs).unref();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      process.off("SIGINT", cancel).off("SIGTERM", cancel).off("SIGHUP", cancel);
    },
  };
}

/** Until it is disposed of, catches uncaught exceptions, and the end of a process in which nothing can settle the run any more. */
export function createCrashGuard(process: NodeJS.EventEmitter) {
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  // A rejection that nothing awaits must not be a second uncaught error.
  crashed.catch(() => undefined);
  // Otherwise Node would end the process with exit code 0.
  const onIdle = () => reject(new Error("The command waits for something that cannot happen any more."));
  process.on("uncaughtException", reject).on("beforeExit", onIdle);
  return {
    /** Rejects with the error, so that the run still reports an outcome and a summary; never resolves. */
    crashed,
    [Symbol.dispose]: () => void process.off("uncaughtException", reject).off("beforeExit", onIdle),
  };
}

/** Rejects if an aborted command does not end by itself in time. */
export async function giveUpAfterAbort(signal: AbortSignal, graceMs = cancelGraceMs): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  await delay(graceMs, undefined, { ref: false });
  throw signal.reason;
}

/** Reads `fail-on` separately, because it is needed even if the inputs are invalid. */
function readFailOn(environment: Environment): readonly string[] {
  return splitList(inputText("fail-on", environment) ?? inputsByCommand.export.failOn.default);
}
