/** An agent's program: its words, its environment, one run of it, and the processes that it leaves behind. */
import { type ChildProcess, spawn } from "node:child_process";
import { addAbortListener, once } from "node:events";
import { createWriteStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { InputError, JobFailedError } from "../../base/errors.ts";
import type { Environment } from "../../base/runtime.ts";
import { codeOf } from "../../base/text.ts";

const token =
  /'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\.)*)"|\\(?<escaped>.)|(?<plain>[^\s'"\\]+)|(?<space>\s+)/gsuy;

/**
 * Splits a command line into program and arguments as a shell would, without being one: words are separated by white space,
 * `'…'` is taken literally, in `"…"` a backslash escapes `"` and `\`, elsewhere any character. Nothing is expanded: `$`, `*`,
 * `~`, `|`, `;` and `>` mean themselves.
 *
 * @throws {InputError} for an empty command and for a quote that is not closed.
 */
export function splitCommand(command: string): [program: string, ...argv: string[]] {
  const words: string[] = [];
  let word: string | undefined;
  let end = 0;
  for (const match of command.matchAll(token)) {
    end = match.index + match[0].length;
    const { single, double, escaped, plain, space } = match.groups ?? {};
    if (space === undefined) {
      word = (word ?? "") + (single ?? double?.replaceAll(/\\(["\\])/g, "$1") ?? escaped ?? plain ?? "");
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  if (end < command.length) {
    throw new InputError([`agent-command: the quote at character ${end + 1} is not closed`]);
  }
  const [program, ...argv] = words;
  if (program === undefined || program === "") throw new InputError(["agent-command: names no program"]);
  return [program, ...argv];
}

/** What programs need to find their files, the network and the terminal's language; none of these is a secret of ours. */
const passedOn =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|TEMP|TMP|XDG_\w+_(?:HOME|DIRS|DIR)|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS|(?:https?|no|all)_proxy|SystemRoot|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE)$/i;

/** Where our own keys and tokens stand: they are never given to an agent, also not by name. */
const ours = /^(?:DOCS_PLATFORM_\w+|INPUT_.*|ACTIONS_\w+|GITHUB_TOKEN|GH_TOKEN)$/i;

/** `DOCS_AGENT_ENV_NAME` reaches agents as `NAME`: the way for a workflow, which has no command line. */
const forAgents = /^DOCS_AGENT_ENV_(?<name>\w+)$/;

/**
 * The environment of an agent command: an allow-list, and the variables that the operator named.
 *
 * @throws {InputError} when one of the names is kept from agents.
 */
export function createAgentEnvironment(
  environment: Environment,
  names: readonly string[],
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    const asked = forAgents.exec(name)?.groups?.["name"] ?? (names.includes(name) ? name : undefined);
    if (asked !== undefined && ours.test(asked)) {
      throw new InputError([`agent-env: ${asked} belongs to the platform and is kept from agents`]);
    }
    if (value === undefined) continue;
    if (asked !== undefined) passed[asked] = value;
    else if (passedOn.test(name)) passed[name] ??= value;
  }
  return passed;
}

/** What of an agent's environment the operator named for it: keys of models, mostly. */
export function valuesForAgents(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).flatMap(([name, value]) => (passedOn.test(name) ? [] : [value]));
}

/** One run of an agent's program. */
export interface AgentRun {
  /** Program and arguments; no shell reads them. */
  readonly command: readonly [string, ...string[]];
  /** The worktree it edits. */
  readonly cwd: string;
  /** What it is to do: its standard input, so that no text of a person is ever an argument. */
  readonly prompt: string;
  /** All of its environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly timeLimitMs: number;
  /** Between the request to end and the end by force; usually 5 s. */
  readonly graceMs?: number;
  /** File that receives what it writes to standard output and standard error, up to a limit. */
  readonly logFile: string;
}

/** How long to wait for output that a process which left the group keeps open. */
const lingeringOutputMs = 1000;

/**
 * Runs an agent's program to its end, and ends the process group that it started.
 *
 * @throws {JobFailedError} when it cannot be started, fails, or takes too long; the signal's reason when it is aborted.
 */
export async function runAgentCommand(run: AgentRun, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const [program, ...argv] = run.command;
  const child = spawn(program, argv, {
    cwd: run.cwd,
    env: { ...run.environment },
    // A process group of its own: what it starts is ended with it.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  await using output = recordOutput(child, run.logFile);
  // An agent that does not read its prompt closes the pipe, and may.
  child.stdin.on("error", () => undefined).end(run.prompt);
  const timeLimit = AbortSignal.timeout(run.timeLimitMs);
  const ended = await waitForEnd(child, AbortSignal.any([signal, timeLimit]), run.graceMs ?? 5000);
  signal.throwIfAborted();
  if (timeLimit.aborted) {
    const seconds = run.timeLimitMs / 1000;
    const limit = seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
    throw new JobFailedError(`The agent command was stopped after ${limit}.`);
  }
  if (ended instanceof Error) {
    const message = `The agent command ${program} cannot be started: ${ended.message}`;
    throw new JobFailedError(message, { cause: ended });
  }
  if (ended !== 0)
    throw new JobFailedError(`The agent command ended with ${ended}. ${output.tail()}`.trimEnd());
}

/** Exit code, ending signal, or why there was no process; when stopped, first asks and then forces it to end. */
async function waitForEnd(child: ChildProcess, stop: AbortSignal, graceMs: number) {
  let force: NodeJS.Timeout | undefined;
  const end = () => {
    endGroup(child, "SIGTERM");
    force = setTimeout(() => endGroup(child, "SIGKILL"), graceMs);
  };
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  using _listening = addAbortListener(stop, end);
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // What it left running must not write to the worktree any more.
    endGroup(child, "SIGKILL");
    await Promise.race([closed, delay(lingeringOutputMs, undefined, { ref: false })]);
    return code ?? signal ?? "an unknown end";
  } catch (error) {
    return error as Error;
  } finally {
    clearTimeout(force);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) endProcess(process.platform === "win32" ? pid : -pid, signal);
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It has ended already, or is root's: sudo ends when its command does.
    if (!["ESRCH", "EPERM"].includes(codeOf(error) ?? "")) throw error;
  }
}

/** How much of an agent's output is kept, and of its end shown. */
const maxOutputBytes = 1024 * 1024;
const tailBytes = 2000;

/** Writes a child's output to a file, up to a limit, until it is disposed of; knows its last lines. */
function recordOutput(child: ChildProcess, path: string) {
  const file = createWriteStream(path, { mode: 0o600 });
  // A log that cannot be written is no reason to lose the agent's work.
  file.on("error", () => undefined);
  let total = 0;
  let end = Buffer.alloc(0);
  const record = (chunk: Buffer) => {
    const room = Math.max(0, maxOutputBytes - total);
    if (room > 0) file.write(chunk.subarray(0, room));
    if (room > 0 && chunk.length > room)
      file.write(`\n[output beyond ${maxOutputBytes} bytes is left out]\n`);
    total += chunk.length;
    end = Buffer.concat([end, chunk]).subarray(-tailBytes);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", record);
  return {
    tail(): string {
      const text = end.toString("utf8").trim();
      return text
        .split(/\s*\n\s*/)
        .slice(-5)
        .join(" / ");
    },
    async [Symbol.asyncDispose]() {
      file.end();
      if (!file.closed) await once(file, "close");
    },
  };
}

/** The variable by which an agent and all that it started belong to a job. */
export const jobVariable = "DOCS_AGENT_JOB_ID";

/** Others may be started while those found are ended; what starts faster than this is not caught. */
const maxRounds = 20;

/**
 * Ends every process that belongs to one of the jobs, also one that left its process group. They are known by their
 * environment, which other systems than Linux do not show; there, they end by themselves.
 */
export async function endProcessesOf(jobIds: readonly string[]): Promise<void> {
  if (process.platform !== "linux" || jobIds.length === 0) return;
  const entries = new Set(jobIds.map((id) => `${jobVariable}=${id}`));
  for (let round = 1, left = 1; left > 0 && round <= maxRounds; round += 1) {
    const pids = await findProcesses(entries);
    for (const pid of pids) endProcess(pid, "SIGKILL");
    left = pids.length;
  }
}

/** Processes with one of these entries in their environment, without this one. */
async function findProcesses(entries: ReadonlySet<string>): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir("/proc")).map(Number)) {
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch((error: unknown) => {
      // It has ended, or belongs to another user.
      if (codeOf(error) !== undefined) return "";
      throw error;
    });
    if (environment.split("\0").some((entry) => entries.has(entry))) found.push(pid);
  }
  return found;
}
