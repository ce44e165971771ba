import { spawn } from "node:child_process";
import { once } from "node:events";

/** A program that runs beside the tests, with all that it has written. */
export interface WatchedProcess extends AsyncDisposable {
  readonly pid: number;
  /** What it has written to standard output and standard error so far. */
  readonly output: () => string;
  /** The same, each by itself. */
  readonly written: { readonly stdout: string; readonly stderr: string };
  /** The first match in what it writes, or has written. @throws {Error} with its output when it ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Sends a signal and waits for the end; the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>;
  /** The exit code of a process that ends by itself, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

export interface ProcessOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Signals reach the program and all that it started, as Ctrl+C in a terminal does. */
  readonly withChildren?: boolean;
}

/** Starts a program; disposal kills it, and waits for its end. */
export function startProcess(
  command: string,
  args: readonly string[],
  { env = process.env, cwd, withChildren = false }: ProcessOptions = {},
): WatchedProcess {
  const child = spawn(command, args, {
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
    cwd,
    detached: withChildren,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid ?? 0;
  const kill = (signal: NodeJS.Signals) => {
    if (!withChildren || pid === 0) return void child.kill(signal);
    // The group exists as long as one of them runs; what has ended needs no signal.
    if (child.exitCode === null && child.signalCode === null) process.kill(-pid, signal);
  };
  let output = "";
  const watchers = new Set<() => void>();
  const settle = () => {
    for (const watcher of watchers) watcher();
  };
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output += text;
      written[name] += text;
      settle();
    });
  let isOver = false;
  const waitForEnd = async (): Promise<number | string> => {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    isOver = true;
    settle();
    return code ?? signal ?? "";
  };
  const ended = waitForEnd();
  // Callers that wait for the program report that it cannot be started.
  ended.catch(() => undefined);
  const end = async (signal: NodeJS.Signals) => {
    kill(signal);
    return ended;
  };
  return {
    pid,
    output: () => output,
    written,
    async waitFor(pattern) {
      const found = Promise.withResolvers<RegExpExecArray>();
      const look = () => {
        const match = pattern.exec(output);
        if (match) found.resolve(match);
        else if (isOver) found.reject(new Error(`${command} ended without ${pattern}:\n${output}`));
      };
      watchers.add(look);
      look();
      return Promise.race([found.promise, ended.then(() => found.promise)]).finally(() =>
        watchers.delete(look),
      );
    },
    signal: kill,
    end,
    ended,
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL");
    },
  };
}
