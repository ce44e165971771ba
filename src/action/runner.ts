/**
 * The runner's protocol ("Workflow commands for GitHub Actions"): commands on standard output, files for outputs, state and
 * summary. Secrets are taken out of whatever is written here. It imports next to nothing, because a run that has nothing to do
 * ends after these few calls.
 */
import { appendFileSync, writeSync } from "node:fs";
import type { Environment, Log } from "../base/runtime.ts";
import { SecretRedactor } from "../base/secrets.ts";

/** Inputs that hold a secret, as the runner names them. */
const secretInputs = ["INPUT_API-KEY", "INPUT_GITHUB-TOKEN"];

/**
 * Masks the secrets among the inputs before anything else happens, and takes them out of the process's environment, so
 * that no child process inherits them.
 *
 * @returns the environment as it was.
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

/** What takes the runner's place on a command line; all that it is given is without secrets. */
export interface Terminal {
  log(level: "debug" | "info" | "notice" | "warning" | "error", message: string, percent?: number): void;
  setOutput(name: string, value: string): void;
  writeSummary(markdown: string): void;
}

let terminal: Terminal | undefined;

/** Has everything told to a terminal from now on: no workflow commands, no summary, no outputs for later steps. */
export function useTerminal(used: Terminal): void {
  terminal = used;
}

const secrets = new SecretRedactor();

/** Text without the secrets known by now; for what is written elsewhere than here. */
export const { redact } = secrets;

/** Keeps a credential of this run out of everything that is written from now on. */
export function maskSecret(value: string): void {
  secrets.addCredential(value);
  addMask(value);
}

/** Keeps a secret that an answer brought out of everything that is written from now on. */
export function maskIssued(value: string): void {
  secrets.addIssuedSecret(value);
  addMask(value);
}

/** Has the runner mask a secret, too; a terminal shows nothing that is not redacted. */
function addMask(value: string): void {
  if (terminal === undefined) writeLog(`::add-mask::${escapeData(value)}\n`);
}

/** Sets an output at once, so that it is kept even if the process is killed. */
export function setOutput(name: string, value: string): void {
  // The link is this output's purpose; the runner masks it wherever it is shown.
  const shown = redact(value, { credentialsOnly: name === "bundle-url" });
  if (terminal === undefined) appendPair("GITHUB_OUTPUT", name, shown);
  else terminal.setOutput(name, shown);
}

/** Keeps a value for the post step. */
export function saveState(name: string, value: string): void {
  appendPair("GITHUB_STATE", name, redact(value));
}

/** What the main step kept under a name; empty where it kept nothing. */
export function readState(name: string): string {
  return process.env[`STATE_${name}`] ?? "";
}

/** GitHub keeps up to 1 MiB of summary per step. */
const maxSummaryBytes = 1024 * 1024 - 1024;

/** Adds Markdown to the job summary. A summary is worth having, not worth failing for. */
export function writeSummary(markdown: string): void {
  terminal?.writeSummary(redact(markdown));
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

/** An annotation that marks what failed the step; the exit code is its caller's. */
export function annotateError(message: string, title?: string): void {
  issueCommand("error", message, title && redact(title));
}

/** The log of a command, written to the job's log; no text in it can act as a workflow command. */
export const runnerLog: Log = {
  debug: (message) => issueCommand("debug", message),
  info(message, percent) {
    if (terminal === undefined) writeLog(`${redact(neutralizeCommands(message))}\n`);
    else terminal.log("info", redact(withoutControls(message)), percent);
  },
  notice: (message) => issueCommand("notice", message),
  warning: (message) => issueCommand("warning", message),
};

/** Ends the process although sockets or timers are open, once everything written has left it. */
export async function exit(): Promise<never> {
  await new Promise((resolve) => process.stdout.write("", resolve));
  process.exit();
}

/** Control characters but tab and line ends, and bidirectional ones: they colour, overwrite or reorder the log. */
const controls = /(?![\t\n\r\u0085])\p{Cc}|\p{Bidi_Control}/gu;

/** Text without characters that steer a terminal or the direction of writing. */
export function withoutControls(text: string): string {
  return text.replace(controls, "");
}

/**
 * Makes text safe for the job's log: the runner obeys a line that starts with `::` (after white space) and a
 * `##[command]` anywhere in one, whatever its source. A zero-width space in the middle takes the meaning, not the look.
 */
export function neutralizeCommands(text: string): string {
  return withoutControls(text)
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => line.replace(/^(\s*):(?=:)/, "$1:\u200b").replace(/##(?=\[)/g, "#\u200b#"))
    .join("\n");
}

function issueCommand(command: Exclude<keyof Log, "info"> | "error", message: string, title?: string): void {
  const shown = redact(withoutControls(message));
  const property = title === undefined ? "" : ` title=${escapeProperty(title)}`;
  if (terminal !== undefined) terminal.log(command, shown);
  else writeLog(`::${command}${property}::${escapeData(shown)}\n`);
}

/**
 * Writes to the job's log at once. Node's stream would do the same, but loading it takes a run that has nothing to do as long as
 * all else; it is for an output that cannot be written to at the moment.
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

/** Writes `name=value` to one of the runner's files, between delimiters that no value can know. */
function appendPair(file: "GITHUB_OUTPUT" | "GITHUB_STATE", name: string, value: string): void {
  const path = process.env[file];
  if (!path) return; // Outside a runner nothing reads it.
  // Loading `crypto` would cost as much as the rest of a run that has nothing to do.
  let delimiter: string;
  do delimiter = `end-${Math.random().toString(36).slice(2)}`;
  while (value.includes(delimiter));
  appendFileSync(path, `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
}
