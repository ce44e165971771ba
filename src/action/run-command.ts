/**
 * The main step: reads the inputs, runs one command, and reports its result or error; and the post step, which completes the records of a
 * main step that was killed.
 */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { InputError, InterruptedError, messageWithHint, toErrorReport } from "../base/errors.ts";
import { createRunClock, type Environment } from "../base/runtime.ts";
import { splitList, stackOf } from "../base/text.ts";
import { userAgent } from "../base/version.ts";
import { inputsByCommand } from "../commands/inputs.ts";
import { type CommandName, type Outcome, type OutputKey, outcomeOfError } from "../commands/outputs.ts";
import { inputText, publicName, readCommand, readInputs } from "../commands/read-inputs.ts";
import {
  type CommandResult,
  type PostRun,
  type Run,
  type RunCommand,
  type Skip,
  toResult,
} from "../commands/run.ts";
import { renderFailureSummary } from "../presentation/summaries.ts";
import {
  annotateError,
  logGroup,
  maskIssued,
  maskSecret,
  readState,
  redact,
  runnerLog,
  saveState,
  setOutput,
  writeSummary,
} from "./runner.ts";

/** Loads each command when it is chosen. */
export type Commands = { readonly [Command in CommandName]: () => Promise<RunCommand<Command>> };

const loadAgent = () => import(/* webpackChunkName: "gate" */ "../commands/agent.ts");
const loadAssistant = () => import(/* webpackChunkName: "gate" */ "../commands/assistant.ts");
const loadExport = () => import("../commands/export.ts");

/** The commands of a workflow step. */
export const stepCommands: Commands = {
  agent: async () => (await loadAgent()).runAgent,
  assistant: async () => (await loadAssistant()).runAssistant,
  export: async () => (await loadExport()).runExport,
  reconcile: async () =>
    (await import(/* webpackChunkName: "permitted" */ "../commands/reconcile.ts")).runReconcile,
  doctor: async () => (await import("../commands/doctor.ts")).runDoctor,
};

const postSteps = new Map<string, () => Promise<(run: PostRun) => Promise<void>>>([
  ["agent", async () => (await loadAgent()).finishAgent],
  ["assistant", async () => (await loadAssistant()).finishAssistant],
  ["export", async () => (await loadExport()).finishExport],
]);

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
  // Needed even if the inputs are invalid.
  const failOn = splitList(inputText("fail-on", environment) ?? inputsByCommand.export.failOn.default);
  try {
    command = readCommand(environment);
    const result = await Promise.race([
      runChosen(command, commands, environment, outputs, interruption),
      giveUpAfterAbort(interruption.signal).catch((error: unknown) => {
        throw nameJob(error, environment, outputs);
      }),
      crashGuard.crashed,
    ]);
    reportEnd(toResult(command, result), outputs, failOn);
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
): Promise<CommandResult | Skip> {
  const read = (name: string) => inputText(name, environment);
  // First: a fork's pull request has no variables either, from which the other inputs come.
  if (read("api-key") === undefined && read("on-missing-key") === "skip" && read("base-url") !== "local") {
    const message = "Skipped: this run has no `api-key` (forks and Dependabot get no secrets).";
    return { reason: "missing-key", message };
  }
  const { inputs, warnings } = readInputs(command, environment);
  for (const warning of warnings) runnerLog.warning(warning);
  const timeoutMs = inputs.timeoutMinutes * 60_000;
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

/** Adds the job to the error of a command that did not end by itself and so did not say what becomes of its job. */
function nameJob(error: unknown, environment: Environment, { values }: RunOutputs): unknown {
  const jobId = values.get("jobId");
  // A job of the embedded platform ends with the run.
  if (jobId === undefined || inputText("base-url", environment) === "local") return error;
  if (!(error instanceof InterruptedError)) return error;
  const message = `${error.message} Stopped waiting: job ${jobId} may continue on the platform.`;
  const hint = "Re-run the workflow, or set `job-id`, to continue with it.";
  return new InterruptedError(error.code, message, { hint, cause: error });
}

/** Writes each output once, and keeps all outputs for the summary of a failure. */
export class RunOutputs {
  readonly values = new Map<OutputKey, string>();

  readonly set = (key: OutputKey, value: string): void => {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    setOutput(publicName(key), value);
  };
}

interface RunEnd extends Omit<CommandResult, "outcome" | "error"> {
  readonly outcome: Outcome;
  /** The error behind the outcome, or any other thrown value. */
  readonly error?: unknown;
}

/** Reports outcome, outputs, annotation, summary and exit code; `failOn` lists the outcomes that fail the step. */
function reportEnd(end: RunEnd, outputs: RunOutputs, failOn: readonly string[]): void {
  const { outcome, error, skipReason } = end;
  outputs.set("outcome", outcome);
  if (skipReason !== undefined) outputs.set("skipReason", skipReason);
  const report = error === undefined ? undefined : toErrorReport(error);
  if (report !== undefined) {
    outputs.set("errorCode", report.code);
    outputs.set("errorJson", JSON.stringify(report));
  }
  const text = report ? `${report.message} ${report.hint} More: ${report.docsUrl}` : end.message;
  if (end.isFailure || failOn.includes(outcome)) {
    runnerLog.info(`Versions: ${describeVersions()}`);
    annotateError(text, report && `Docs automation: ${report.code}`);
    process.exitCode = 1;
  } else if (report) runnerLog.warning(text);
  else runnerLog.info(text);
  writeSummary(end.summary);
}

/** Reports a command that threw. */
export function reportFailure(
  error: unknown,
  command: CommandName | undefined,
  outputs: RunOutputs,
  failOn: readonly string[],
): void {
  const outcome = outcomeOfError(error, command);
  const report = toErrorReport(error);
  if (report.class === "bug" && error instanceof Error) runnerLog.info(stackOf(error));
  const facts = [...outputs.values].filter(([key]) => key !== "bundleUrl");
  const summary = renderFailureSummary({
    command: command ?? "docs automation",
    outcome,
    problems: error instanceof InputError ? error.problems : [report.message],
    report,
    outputs: facts.map(([key, value]) => ({ name: publicName(key), value })),
    versions: describeVersions(),
  });
  const end = { outcome, message: report.message, summary, error, isFailure: outcome === "error" };
  reportEnd(end, outputs, failOn);
}

/** The versions that a bug report needs. A runner does not report its own version; hosted runners report their image version. */
function describeVersions(): string {
  const { RUNNER_ENVIRONMENT, RUNNER_OS, RUNNER_ARCH, ImageOS, ImageVersion } = process.env;
  const runner = [RUNNER_ENVIRONMENT, RUNNER_OS, RUNNER_ARCH, ImageOS, ImageVersion].filter(Boolean);
  return [userAgent, `Node ${process.version}`, runner.length > 0 && `runner: ${runner.join(" ")}`]
    .filter(Boolean)
    .join(", ");
}

/** The runner limits the time of a cancelled job's post steps. */
const postStepLimitMs = 6_500;

/** Runs the post step of the command. Errors are warnings: a post step never fails the job. */
export async function runPost(command: string, environment: Environment): Promise<void> {
  const load = postSteps.get(command);
  if (load === undefined) return;
  try {
    const timeIsUp = new AbortController();
    const message = "The post step reached its time limit; the status comment may be out of date.";
    const reason = new InterruptedError("timed-out", message, { hint: "A re-run corrects it." });
    setTimeout(() => timeIsUp.abort(reason), postStepLimitMs);
    const clock = createRunClock(environment);
    const { signal } = timeIsUp;
    const finish = await load();
    await finish({ environment, clock, log: runnerLog, signal, state: readState, redact });
  } catch (error) {
    runnerLog.warning(messageWithHint(error));
  }
}
