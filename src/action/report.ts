/** Reports the end of a run: outcome, outputs, annotation, summary and exit code. Nothing else sets the exit code. */
import { type ErrorReport, InputError, InterruptedError, toErrorReport } from "../base/errors.ts";
import { stackOf } from "../base/text.ts";
import { userAgent } from "../base/version.ts";
import { type CommandName, type Outcome, type OutputKey, outcomeOfError } from "../commands/outputs.ts";
import { publicName } from "../commands/read-inputs.ts";
import type { CommandResult } from "../commands/run.ts";
import { renderFailureSummary } from "../presentation/summaries.ts";
import { annotateError, reword, runnerLog, setOutput, writeSummary } from "./runner.ts";

/** Writes each output once, and keeps all outputs for the summary of a failure. */
export class RunOutputs {
  readonly values = new Map<OutputKey, string>();

  readonly set = (key: OutputKey, value: string): void => {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    setOutput(publicName(key), value);
  };
}

/** Reports a command that returned a result; `failOn` lists the outcomes that fail the step. */
export function reportResult(end: CommandResult, outputs: RunOutputs, failOn: readonly string[]): void {
  outputs.set("outcome", end.outcome);
  if (end.skipReason !== undefined) outputs.set("skipReason", end.skipReason);
  const report = end.error && reportOf(end.error);
  if (report !== undefined) setErrorOutputs(report, outputs);
  const explanation = report && explain(report);
  if (end.isFailure || failOn.includes(end.outcome))
    fail(explanation ?? end.message, report && titleOf(report));
  else if (explanation !== undefined) runnerLog.warning(explanation);
  else runnerLog.info(end.message);
  writeSummary(end.summary);
}

/** Reports a command that threw. */
export function reportFailure(
  error: unknown,
  command: CommandName | undefined,
  outputs: RunOutputs,
  failOn: readonly string[],
): void {
  const outcome: Outcome = outcomeOfError(error, command);
  const report = reportOf(error);
  outputs.set("outcome", outcome);
  setErrorOutputs(report, outputs);
  if (report.class === "bug" && error instanceof Error) runnerLog.info(stackOf(error));
  const text = explain(report);
  if (outcome === "error" || failOn.includes(outcome)) fail(text, titleOf(report));
  else runnerLog.warning(text);
  const repeated: readonly OutputKey[] = ["outcome", "errorCode", "errorJson", "bundleUrl"];
  const facts = [...outputs.values]
    .filter(([key]) => !repeated.includes(key))
    .map(([key, value]) => ({ name: publicName(key), value }));
  const versions = describeVersions();
  writeSummary(
    renderFailureSummary({
      command: command ?? "docs automation",
      outcome,
      problems: error instanceof InputError ? error.problems.map(reword) : [report.message],
      report,
      outputs: facts,
      versions,
    }),
  );
}

function titleOf({ code }: ErrorReport): string {
  return `Docs automation: ${code}`;
}

/** A hint and these messages are our own words; other messages may quote a platform, an agent or a file. */
function reportOf(error: unknown): ErrorReport {
  const report = toErrorReport(error);
  const isOwn = error instanceof InputError || error instanceof InterruptedError;
  return { ...report, hint: reword(report.hint), ...(isOwn && { message: reword(report.message) }) };
}

function explain({ message, hint, docsUrl }: ErrorReport): string {
  return `${message} ${hint} More: ${docsUrl}`;
}

/** The versions that a bug report needs. A runner does not report its own version; hosted runners report their image version. */
function describeVersions(): string {
  const { RUNNER_ENVIRONMENT, RUNNER_OS, RUNNER_ARCH, ImageOS, ImageVersion } = process.env;
  const runner = [RUNNER_ENVIRONMENT, RUNNER_OS, RUNNER_ARCH, ImageOS, ImageVersion].filter(Boolean);
  return [userAgent, `Node ${process.version}`, runner.length > 0 && `runner: ${runner.join(" ")}`]
    .filter(Boolean)
    .join(", ");
}

function fail(message: string, title?: string): void {
  runnerLog.info(`Versions: ${describeVersions()}`);
  annotateError(message, title);
  process.exitCode = 1;
}

function setErrorOutputs(report: ErrorReport, outputs: RunOutputs): void {
  outputs.set("errorCode", report.code);
  outputs.set("errorJson", JSON.stringify(report));
}
