/**
 * The runner's protocol ("Workflow commands for GitHub Actions"): commands on standard output; files for outputs, state and summary.
 * Secrets are removed from everything that is written here. This module imports almost nothing, because it delays the start of every run.
 */
import { appendFileSync, writeSync } from "node:fs";
import type { Environment, Log } from "../base/runtime.ts";
import { SecretRedactor } from "../base/secrets.ts";

const secretInputs = ["INPUT_API-KEY", "INPUT_GITHUB-TOKEN"];

/**
 * Masks the secrets among the inputs before anything else happens, and removes them from the environment of the process, so that no
 * child process inherits them.
 *
 * @returns the environment with the secrets.
 */
export function takeSecrets(processEnvironment: NodeJS.ProcessEnv): Environment {
  const environment = { ...processEnvironment };
  for (const name of secretInputs) {
    const secret = environment[name]?.trim();
    if (secret) maskSecret(secret);
    delete processEnvironment[name];
  }
  return environment;
}

/** Replaces the runner on a command line. It gets only texts without secrets. */
export interface Terminal {
  log(level: "debug" | "info" | "notice" | "warning" | "error", message: string, percent?: number): void;
  setOutput(name: string, value: string): void;
  writeSummary(markdown: string): void;
}

let terminal: Terminal | undefined;

/** From now on, writes everything to a terminal: no workflow commands, no summary file, no outputs for later steps. */
export function useTerminal(used: Terminal): void {
  terminal = used;
}

const secrets = new SecretRedactor();

/** Removes all secrets that are known so far from a text that is written elsewhere. */
export const { redact } = secrets;

/** Masks a credential of this run in everything that is written from now on. */
export function maskSecret(value: string): void {
  secrets.addCredential(value);
  addMask(value);
}

/** Masks a secret that a response contained in everything that is written from now on. */
export function maskIssued(value: string): void {
  secrets.addIssuedSecret(value);
  addMask(value);
}

/** Also lets the runner mask a secret; a terminal gets only redacted text. */
function addMask(value: string): void {
  if (terminal === undefined) writeLog(`::add-mask::${escapeData(value)}\n`);
}

/** Sets an output immediately, so that it is kept even if the process is killed. */
export function setOutput(name: string, value: string): void {
  // `bundle-url` must contain the link; the runner masks it in logs.
  const shown = redact(value, { credentialsOnly: name === "bundle-url" });
  if (terminal === undefined) appendPair("GITHUB_OUTPUT", name, shown);
  else terminal.setOutput(name, shown);
}

/** Saves a value for the post step. */
export function saveState(name: string, value: string): void {
  appendPair("GITHUB_STATE", name, redact(value));
}

/** Reads a value that the main step saved; empty if it saved none. */
export function readState(name: string): string {
  return process.env[`STATE_${name}`] ?? "";
}

/** GitHub accepts up to 1 MiB of summary per step. */
const maxSummaryBytes = 1024 * 1024 - 1024;

/** Adds Markdown to the job summary; a failure is only a debug message. */
export function writeSummary(markdown: string): void {
  terminal?.writeSummary(redact(neutralizeCommands(markdown)));
  const path = process.env["GITHUB_STEP_SUMMARY"];
  if (markdown === "" || !path) return;
  const shown = redact(markdown);
  const bytes = Buffer.from(shown);
  const text =
    bytes.length > maxSummaryBytes ? `${bytes.subarray(0, maxSummaryBytes).toString("utf8")}\n\n…` : shown;
  try {
    appendFileSync(path, `${text}\n`);
  } catch (error) {
    runnerLog.debug(`The job summary could not be written: ${String(error)}`);
  }
}

/** Writes an error annotation; the caller sets the exit code. */
export function annotateError(message: string, title?: string): void {
  issueCommand("error", message, { title });
}

/** Writes a command's log to the job's log; no text in it is executed as a workflow command. */
export const runnerLog: Log = {
  debug: (message) => issueCommand("debug", message),
  info(message, percent) {
    const shown = redact(neutralizeCommands(message));
    if (terminal === undefined) writeLog(`${shown}\n`);
    else terminal.log("info", shown, percent);
  },
  notice: (message) => issueCommand("notice", message),
  warning: (message, place) => issueCommand("warning", message, { ...place }),
};

/** Writes a text of many lines to the job's log, which shows it folded under the title. The title is an own text. */
export function logGroup(title: string, text: string): void {
  if (terminal !== undefined) runnerLog.info(`${title}:\n${text}`);
  else writeLog(`::group::${title}\n${redact(neutralizeCommands(text))}\n::endgroup::\n`);
}

/** Ends the process after all output is flushed, even if sockets or timers are open. */
export async function exit(): Promise<never> {
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit();
}

/** Control characters except tab and line ends, and bidirectional controls: they colour, overwrite or reorder the log. */
const controls = /(?![\t\n\r\u0085])\p{Cc}|\p{Bidi_Control}/gu;

/** Removes characters that control a terminal or the text direction. */
export function withoutControls(text: string): string {
  return text.replace(controls, "");
}

/**
 * Makes text safe for the job's log: the runner executes a line that starts with `::` (after white space) and a `##[command]`
 * anywhere in a line, whatever its source. An inserted zero-width space prevents that and is not visible.
 */
export function neutralizeCommands(text: string): string {
  return withoutControls(text)
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => line.replace(/^(\s*):(?=:)/, "$1:\u200b").replace(/##(?=\[)/g, "#\u200b#"))
    .join("\n");
}

function issueCommand(
  command: Exclude<keyof Log, "info"> | "error",
  message: string,
  properties: Readonly<Record<string, string | number | undefined>> = {},
): void {
  const list = Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(redact(withoutControls(String(value))))}`);
  // A command line may run in a step of a workflow, too.
  if (terminal !== undefined) terminal.log(command, redact(neutralizeCommands(message)));
  else
    writeLog(
      `::${[command, list.join(",")].join(" ").trimEnd()}::${escapeData(redact(withoutControls(message)))}\n`,
    );
}

/**
 * Writes to the job's log synchronously. Loading Node's stream would double the time of a run that has nothing to do, so the stream is
 * used only if a synchronous write fails.
 */
function writeLog(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch {
    process.stdout.write(bytes.subarray(written));
  }
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/**
 * Appends a value to one of the runner's files, between delimiters that do not occur in the value. If that fails, for example because the
 * disk is full, the step fails at its end, after it has reported its result.
 */
function appendPair(file: "GITHUB_OUTPUT" | "GITHUB_STATE", name: string, value: string): void {
  const path = process.env[file];
  if (!path) return; // Not on a runner.
  // Not `crypto`: loading it would double the time of a run that has nothing to do.
  let delimiter: string;
  do delimiter = `end-${Math.random().toString(36).slice(2)}`;
  while (value.includes(delimiter));
  try {
    appendFileSync(path, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
  } catch (error) {
    process.exitCode = 1;
    annotateError(`\`${name}\` could not be written to the runner's file: ${String(error)}`);
  }
}
