import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toErrorReport } from "../../src/base/errors.ts";
import type { InputsOf } from "../../src/commands/inputs.ts";
import { type CommandName, outcomeOfError } from "../../src/commands/outputs.ts";
import { publicName, readInputs } from "../../src/commands/read-inputs.ts";
import {
  type CommandResult,
  type PostRun,
  type Run,
  type RunCommand,
  toResult,
} from "../../src/commands/run.ts";
import { createPatientClock } from "./fake-clock.ts";
import { createRecordingRun, type RecordingRun } from "./recording-run.ts";
import { createRunnerFolders, runnerVariables, type WorkflowRun } from "./runner-environment.ts";
import { createTemporaryFolder, writeFiles } from "./temporary-folder.ts";

/** What people and later steps get from a command, by the public names. */
export interface StepInProcess {
  readonly outputs: Readonly<Record<string, string>>;
  readonly log: string;
  readonly summary: string;
  /** Log and summary together. */
  readonly visibleText: string;
}

/** Runs a command as `runInProcess` does, with outcome, error and summary as the frame reports them. */
export async function runStepInProcess<Command extends CommandName>(
  name: Command,
  command: RunCommand<Command>,
  workflowRun: WorkflowRun,
  inputs: Readonly<Record<string, string>>,
  changes: Partial<Omit<Run, "log">> = {},
): Promise<StepInProcess> {
  const { end, log, outputs, redact } = await runInProcess(name, command, workflowRun, inputs, changes);
  const ended = end instanceof Error ? undefined : (end as CommandResult);
  const error = ended === undefined ? toErrorReport(end) : ended.error && toErrorReport(ended.error);
  const lines = redact(
    [...log.lines, ended?.message ?? "", error ? `${error.message} ${error.hint}` : ""].join("\n"),
  );
  const summary = redact(ended?.summary ?? "");
  return {
    outputs: {
      ...Object.fromEntries(Object.entries(outputs).map(([key, value]) => [publicName(key), value])),
      outcome: ended?.outcome ?? outcomeOfError(end, name),
      ...(ended?.skipReason !== undefined && { "skip-reason": ended.skipReason }),
      ...(error && { "error-code": error.code, "error-json": redact(JSON.stringify(error)) }),
    },
    log: lines,
    summary,
    visibleText: `${lines}\n${summary}`,
  };
}

/** What the post step of a run is given. */
export function postOf(inputs: InputsOf<CommandName>, run: RecordingRun): PostRun {
  const given = Object.entries(inputs).filter(([, value]) => typeof value === "string");
  const variables = given.map(([key, value]) => [`INPUT_${publicName(key).toUpperCase()}`, value]);
  const prefixOf = (name: string) => `state:${name}=`;
  return {
    ...run,
    environment: { ...run.environment, ...Object.fromEntries(variables) },
    signal: new AbortController().signal,
    state: (name) =>
      run.facts.findLast((fact) => fact.startsWith(prefixOf(name)))?.slice(prefixOf(name).length) ?? "",
  };
}

export interface InProcessResult extends Pick<RecordingRun, "log" | "outputs" | "facts" | "redact"> {
  /** How the command ended, or what it threw. */
  readonly end: unknown;
}

/** The embedded platform's agent works on what is committed. */
async function commitDocuments(folder: string): Promise<void> {
  const author = ["-c", "user.name=mona", "-c", "user.email=mona@example.com"];
  const steps = [
    ["init", "--quiet"],
    ["add", "."],
    [...author, "commit", "--quiet", "--message", "Documents"],
  ];
  for (const step of steps) await promisify(execFile)("git", step, { cwd: folder });
}

/**
 * Runs a command in this process as the frame does, on a workspace with one document (committed, for an agent). Its waits pass at once; its deadline,
 * a day away, does not come.
 */
export async function runInProcess<Command extends CommandName>(
  name: Command,
  command: RunCommand<Command>,
  workflowRun: WorkflowRun,
  inputs: Readonly<Record<string, string>>,
  changes: Partial<Omit<Run, "log">> = {},
): Promise<InProcessResult> {
  await using folder = await createTemporaryFolder();
  const folders = createRunnerFolders(folder.path, workflowRun.event);
  await writeFiles(folders.workspace, { "docs/index.md": "# Home\n" });
  if (inputs["agent-command"] !== undefined) await commitDocuments(folders.workspace);
  const environment = runnerVariables(workflowRun, { folders, actionFolder: folder.path });
  const given = { command: name, "github-token": workflowRun.token, ...inputs };
  const variables = Object.entries(given).map(([input, value]) => [`INPUT_${input.toUpperCase()}`, value]);
  const { clock, deadlineMs } = createPatientClock();
  const run = createRecordingRun({ clock, deadlineMs, environment, ...changes });
  run.maskSecret(workflowRun.token);
  const reading = readInputs(name, { ...environment, ...Object.fromEntries(variables) });
  const end: unknown = await command(reading.inputs, run).then(
    (ended) => toResult(name, ended),
    (error: unknown) => error,
  );
  return { end, log: run.log, outputs: run.outputs, facts: run.facts, redact: run.redact };
}
