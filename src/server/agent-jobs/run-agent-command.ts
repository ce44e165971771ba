import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { JobFailedError } from "../../base/errors.ts";
import { capOutput } from "./cap-output.ts";

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
  /** Between the request to end and the end by force. */
  readonly graceMs: number;
  /** File that receives what it writes to standard output and standard error, up to a limit. */
  readonly logFile: string;
}

/** How long output is waited for that a process which left the group keeps open. */
const lingeringOutputMs = 1000;

/**
 * Runs an agent's program to its end, and ends whatever it started with it.
 *
 * @throws {JobFailedError} when it cannot be started, fails, or takes too long; the signal's reason when it is aborted.
 */
export async function runAgentCommand(run: AgentRun, { signal }: { signal: AbortSignal }): Promise<void> {
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
  // An agent that does not read its prompt closes the pipe; that is its own affair.
  child.stdin.on("error", () => undefined).end(run.prompt);
  const timeLimit = AbortSignal.timeout(run.timeLimitMs);
  const ended = await waitForEnd(child, { stop: AbortSignal.any([signal, timeLimit]), graceMs: run.graceMs });
  signal.throwIfAborted();
  if (timeLimit.aborted) {
    const seconds = run.timeLimitMs / 1000;
    const limit = seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
    throw new JobFailedError(`The agent command was stopped after ${limit}.`);
  }
  if (ended instanceof Error) {
    throw new JobFailedError(`The agent command ${program} cannot be started: ${ended.message}`, {
      cause: ended,
    });
  }
  if (ended !== 0)
    throw new JobFailedError(`The agent command ended with ${ended}. ${output.tail()}`.trimEnd());
}

/** Exit code, ending signal, or why there was no process; when stopped, first asks and then forces it to end. */
async function waitForEnd(
  child: ChildProcess,
  { stop, graceMs }: { stop: AbortSignal; graceMs: number },
): Promise<number | string | Error> {
  let force: NodeJS.Timeout | undefined;
  const end = () => {
    endGroup(child, "SIGTERM");
    force = setTimeout(() => endGroup(child, "SIGKILL"), graceMs);
  };
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  stop.addEventListener("abort", end, { once: true });
  try {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // What it left running must not write to the worktree any more.
    endGroup(child, "SIGKILL");
    await Promise.race([closed, delay(lingeringOutputMs, undefined, { ref: false })]);
    return code ?? signal ?? "an unknown end";
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  } finally {
    stop.removeEventListener("abort", end);
    clearTimeout(force);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}

/** Writes a child's output to a file, up to a limit, until it is disposed of; knows its last lines. */
function recordOutput(child: ChildProcess, path: string): { tail: () => string } & AsyncDisposable {
  const file = createWriteStream(path, { mode: 0o600 });
  // A log that cannot be written is no reason to lose the agent's work.
  file.on("error", () => undefined);
  const output = capOutput({ write: (chunk) => file.write(chunk) });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", output.add);
  return {
    tail: output.tail,
    [Symbol.asyncDispose]: async () => {
      file.end();
      if (!file.closed) await once(file, "close");
    },
  };
}
