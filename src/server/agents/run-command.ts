/** Running an agent command: its command line, environment, process, output, and leftover processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { addAbortListener, once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { InputError, JobFailedError } from "../../base/errors.ts";
import type { Environment } from "../../base/runtime.ts";
import { codeOf, joinLastLines } from "../../base/text.ts";

/** A word of a command line, and the parts of a word that have quotes or a backslash. */
const word = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/gsu;
const quoted = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gsu;

/**
 * Splits a command line into program and arguments like a shell, without expansion. Words are separated by white space. `'…'` is
 * literal. A backslash escapes `"` and `\` in `"…"`, and any character elsewhere. `$`, `*`, `~`, `|`, `;` and `>` are ordinary characters.
 *
 * @throws {InputError} if the command is empty or a quote is not closed.
 */
export function splitCommand(command: string): [program: string, ...argv: string[]] {
  const open = command.replaceAll(word, (text) => " ".repeat(text.length)).search(/\S/);
  if (open !== -1)
    throw new InputError([`\`agent-command\`: the quote at character ${open + 1} is not closed.`]);
  const unquote = (_: string, single?: string, double?: string, escaped = "") =>
    single ?? double?.replaceAll(/\\(["\\])/g, "$1") ?? escaped;
  const words = command.match(word) ?? [];
  const [program, ...argv] = words.map((text) => text.replaceAll(quoted, unquote));
  if (program === undefined || program === "") throw new InputError(["`agent-command` names no program."]);
  return [program, ...argv];
}

/** Variables that programs need for files, network and language. None contains a secret of the platform. */
const inheritedVariables =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|XDG_\w+_(?:HOME|DIRS|DIR)|LD_LIBRARY_PATH|NIX_LD(?:_LIBRARY_PATH)?|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|NODE_USE_SYSTEM_CA|RUNNER_TRACKING_ID|(?:https?|no|all)_proxy|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|Program(?:Data|W6432|Files(?:\(x86\))?)|NoDefaultCurrentDirectoryInExePath)$/i;

/** Variables with the platform's own keys and tokens. Agents never get them, even if the operator names them. */
const reservedVariables = /^(?:DOCS_PLATFORM_\w+|INPUT_.*|ACTIONS_\w+|GITHUB_TOKEN|GH_TOKEN)$/i;

/** `DOCS_AGENT_ENV_NAME` becomes `NAME` for agents. Workflows use it instead of `--agent-env`. */
const agentVariable = /^DOCS_AGENT_ENV_(?<name>\w+)$/;

/**
 * Creates the environment of an agent command from an allow-list and the variables that the operator named.
 *
 * @throws {InputError} if the operator named a reserved variable.
 */
export function createAgentEnvironment(
  environment: Environment,
  names: readonly string[],
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const requested = agentVariable.exec(name)?.groups?.["name"] ?? (names.includes(name) ? name : undefined);
    if (requested !== undefined && reservedVariables.test(requested)) {
      throw new InputError([
        `\`agent-env\`: ${requested} belongs to the platform and is not passed to agents.`,
      ]);
    }
    if (value === undefined) continue;
    if (requested !== undefined) passed[requested] = value;
    else if (inheritedVariables.test(name)) passed[name] ??= value;
  }
  return passed;
}

/** The values of variables that the operator named for agents, such as keys of models. They are redacted as secrets. */
export function listAgentSecrets(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) =>
    inheritedVariables.test(name) ? [] : [value],
  );
}

export interface AgentCommand {
  /** Program and arguments; no shell is used. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** Standard input of the command. User text is never an argument. */
  readonly prompt: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
  /** Time between SIGTERM and SIGKILL; defaults to 5 s. */
  readonly graceMs?: number;
  /** Receives standard output and standard error, without colours, when the command has ended. */
  readonly onOutput: (output: string) => void;
}

/** How long to wait for remaining output. A process that left the group can keep the pipes open. */
const outputGraceMs = 1000;

/**
 * Runs an agent command, and kills its process group afterwards.
 *
 * @throws {JobFailedError} if it cannot be started, fails or exceeds the time limit; the signal's reason if aborted.
 */
export async function runAgentCommand(run: AgentCommand, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const [program, ...argv] = run.command;
  const child = spawn(program, argv, {
    cwd: run.cwd,
    env: { ...run.environment },
    // Creates a process group, which can be killed as a whole.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const readOutput = collectOutput(child);
  // Ignore EPIPE: an agent does not have to read its prompt.
  child.stdin.on("error", () => undefined).end(run.prompt);
  const timeLimit = AbortSignal.timeout(run.timeLimitMs);
  const result = await waitForEnd(child, AbortSignal.any([signal, timeLimit]), run.graceMs ?? 5000);
  const output = readOutput();
  run.onOutput(output);
  signal.throwIfAborted();
  if (timeLimit.aborted) {
    const seconds = run.timeLimitMs / 1000;
    const limit = seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
    throw new JobFailedError(`The agent command was stopped after ${limit}.`);
  }
  if (result instanceof Error) {
    const message = `The agent command ${program} cannot be started: ${result.message}`;
    throw new JobFailedError(message, { cause: result });
  }
  if (result === 0) return;
  const printed = joinLastLines(output.trim().slice(-maxShownTail), 5);
  throw new JobFailedError(`The agent command ended with ${result}. ${printed}`.trimEnd());
}

/** Waits for the exit code, the signal that ended the process, or the spawn error. On `stop`, sends SIGTERM, then SIGKILL. */
async function waitForEnd(child: ChildProcess, stop: AbortSignal, graceMs: number) {
  let killTimer: NodeJS.Timeout | undefined;
  const end = () => {
    endGroup(child, "SIGTERM");
    killTimer = setTimeout(() => endGroup(child, "SIGKILL"), graceMs);
  };
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  using _listening = addAbortListener(stop, end);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // Processes that it left running must not write to the worktree.
    endGroup(child, "SIGKILL");
    await Promise.race([closed, delay(outputGraceMs, undefined, { ref: false })]);
    return code ?? signal ?? "an unknown status";
  } catch (error) {
    return error as Error;
  } finally {
    clearTimeout(killTimer);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** Sends a signal to all processes of the group that the process leads; on Windows, ends a running process with those that it started. */
export function endGroup({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  if (process.platform !== "win32") endProcess(-pid, signal);
  else if (exitCode === null)
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" }).on("error", () => undefined);
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process has ended, or it is sudo running as root, which ends with its command.
    if (!["ESRCH", "EPERM"].includes(codeOf(error) ?? "")) throw error;
  }
}

/** Of a longer output, the end is kept: agents print their result last. */
const maxOutputBytes = 1024 * 1024;
const maxShownTail = 2000;

/** Collects the output of a process. Returns a function that reads it. */
function collectOutput(child: ChildProcess): () => string {
  let chunks: Buffer[] = [];
  let length = 0;
  const readEnd = () => Buffer.concat(chunks).subarray(-maxOutputBytes);
  const collect = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= 2 * maxOutputBytes) return;
    chunks = [readEnd()];
    length = maxOutputBytes;
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", collect);
  return () => stripVTControlCharacters(readEnd().toString("utf8"));
}

/** Environment variable that marks an agent and its child processes with the name of their worktree. */
export const worktreeVariable = "DOCS_AGENT_WORKTREE";

/** New processes may start while others are killed, so the search is repeated, up to this limit. */
const maxRounds = 20;

/**
 * Kills all processes of the worktrees, including those that left their process group. The processes are found by their environment, which
 * only Linux shows; on other systems this does nothing.
 */
export async function endProcessesOf(worktrees: readonly string[]): Promise<void> {
  if (process.platform !== "linux" || worktrees.length === 0) return;
  const entries = new Set(worktrees.map((name) => `${worktreeVariable}=${name}`));
  for (let round = 1, killed = 1; killed > 0 && round <= maxRounds; round += 1) {
    const pids = await findProcesses(entries);
    for (const pid of pids) endProcess(pid, "SIGKILL");
    killed = pids.length;
  }
}

/** Finds processes with one of these entries in their environment, except this process. */
async function findProcesses(entries: ReadonlySet<string>): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).map(Number)) {
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch((error: unknown) => {
      // The process has ended, or belongs to another user.
      if (codeOf(error) !== undefined) return "";
      throw error;
    });
    if (environment.split("\0").some((entry) => entries.has(entry))) found.push(pid);
  }
  return found;
}
