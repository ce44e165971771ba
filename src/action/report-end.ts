/** The one place where an end becomes outcome, annotation, summary and exit code. */
import * as core from "@actions/core";
import { reportError } from "../base/errors.ts";
import { messageOf, stackOf } from "../base/text.ts";
import type { CommandName } from "../commands/command-names.ts";
import { publicName } from "../commands/input-catalog.ts";
import { type Outcome, outcomeOfError } from "../commands/outcomes.ts";
import type { CommandEnd } from "../commands/run.ts";
import { renderFailureSummary } from "../presentation/summaries.ts";
import { actionLog } from "./action-log.ts";
import { withoutControls } from "./neutralize-commands.ts";
import type { OutputWriter } from "./write-outputs.ts";

/** GitHub keeps up to 1 MiB of summary per step. */
const maxSummaryBytes = 1024 * 1024 - 1024;

interface EndContext {
  readonly outputs: OutputWriter;
  /** Outcomes that fail the step. */
  readonly failOn: readonly string[];
}

/** Reports a command that ended with a result of its own. */
export async function reportEnd(end: CommandEnd, { outputs, failOn }: EndContext): Promise<void> {
  outputs.set("outcome", end.outcome);
  if (end.skipReason !== undefined) outputs.set("skipReason", end.skipReason);
  if (end.error !== undefined) setErrorOutputs(end.error, outputs);
  if (failOn.includes(end.outcome))
    fail(end.error === undefined ? end.message : `${end.error.message} ${end.error.hint}`);
  else if (end.error !== undefined) actionLog.warning(`${end.error.message} ${end.error.hint}`);
  else actionLog.info(end.message);
  await writeSummary(end.summary);
}

/** Reports a command that threw. */
export async function reportFailure(
  error: unknown,
  { outputs, failOn, command }: EndContext & { readonly command: CommandName | undefined },
): Promise<void> {
  const outcome = outcomeOfError(error, command);
  const report = reportError(error);
  outputs.set("outcome", outcome);
  setErrorOutputs(error, outputs);
  if (report.class === "bug" && error instanceof Error) actionLog.info(stackOf(error));
  const text = `${report.message} ${report.hint}`;
  if (isFailure(outcome, failOn)) fail(text, `Docs automation: ${report.code}`);
  else actionLog.warning(text);
  const facts = [...outputs.known].filter(
    ([key]) => !["outcome", "errorCode", "errorJson", "bundleUrl"].includes(key),
  );
  await writeSummary(
    renderFailureSummary({
      command: command ?? "docs automation",
      outcome,
      report,
      facts: facts.map(([key, value]) => ({ name: publicName(key), value })),
    }),
  );
}

function isFailure(outcome: Outcome, failOn: readonly string[]): boolean {
  return outcome === "error" || failOn.includes(outcome);
}

function fail(message: string, title?: string): void {
  core.error(withoutControls(message), title === undefined ? {} : { title });
  process.exitCode = 1;
}

function setErrorOutputs(error: unknown, outputs: OutputWriter): void {
  const report = reportError(error);
  outputs.set("errorCode", report.code);
  outputs.set("errorJson", JSON.stringify(report));
}

/** A summary is worth having, not worth failing for. */
async function writeSummary(markdown: string): Promise<void> {
  if (markdown === "") return;
  const bytes = Buffer.from(markdown);
  const text =
    bytes.length > maxSummaryBytes ? `${bytes.subarray(0, maxSummaryBytes).toString("utf8")}\n\n…` : markdown;
  try {
    await core.summary.addRaw(text, true).write();
  } catch (error) {
    core.debug(`The job summary could not be written: ${messageOf(error)}`);
  }
}
