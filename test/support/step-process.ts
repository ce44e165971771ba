/** One phase of an action (`main` or `post`) as a process of its own, watched as the runner watches it. */

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { type CommandEffects, createCommandProcessor, plainText } from "./command-processor.ts";
import { createCommandFiles, type FileCommandResults } from "./file-commands.ts";
import { createLineReader } from "./line-reader.ts";
import type { SecretMasker } from "./secret-masker.ts";

/** All that a phase leaves behind. What people see on GitHub is masked; `raw…` is what the process really wrote. */
export interface StepResult extends FileCommandResults, Omit<CommandEffects, "log"> {
  /** `null` if a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly log: string;
  readonly rawLog: string;
  /** Log, annotations and summary together: everything a person may read. */
  readonly visibleText: string;
}

/** A phase that is under way. */
export interface RunningStep {
  readonly pid: number;
  /** Settles when the process has ended and its files are read. */
  readonly result: Promise<StepResult>;
  signal(name: NodeJS.Signals): void;
  /** What `cancel` had to send before the process ended. */
  readonly sentSignals: readonly NodeJS.Signals[];
  /** Ends the step as the runner does on a cancelled workflow: SIGINT, after 7.5 s SIGTERM, after 2.5 s SIGKILL. */
  cancel(): Promise<StepResult>;
  /** Resolves with the first log line that matches; rejects if the step ends without one. */
  waitForLog(pattern: RegExp): Promise<string>;
}

interface StepOptions {
  readonly node: string;
  readonly script: string;
  readonly cwd: string;
  readonly fileCommandsFolder: string;
  readonly environment: Readonly<Record<string, string>>;
}

type StepProcess = ChildProcessByStdio<null, Readable, Readable>;

const CANCEL_STEPS = [
  { afterMs: 7_500, signal: "SIGTERM" },
  { afterMs: 2_500, signal: "SIGKILL" },
] as const;

/** Starts one phase; the environment is exactly the given one, plus the files of its commands. */
export async function startStep(options: StepOptions, masker: SecretMasker): Promise<RunningStep> {
  const files = await createCommandFiles(options.fileCommandsFolder);
  const child = spawn(options.node, [options.script], {
    cwd: options.cwd,
    env: { ...options.environment, ...files.variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = collectOutput(child, masker);

  const finish = async (): Promise<StepResult> => {
    const end = await closeOf(child);
    const [injected] = output.effects.deprecatedCommands;
    if (injected)
      throw new Error(`The step's output contains the command ${injected.name}: ${injected.data}`);
    const written = await files.read(masker);
    const log = plainText(output.effects.log);
    const messages = output.effects.annotations.map(({ message }) => message);
    const visibleText = [log, ...messages, written.summary].join("\n");
    return { ...output.effects, ...written, ...end, log, rawLog: output.rawLog(), visibleText };
  };
  const result = finish();
  const sentSignals: NodeJS.Signals[] = [];
  // A test that only kills the step need not look at its result.
  result.catch(() => undefined);

  return {
    pid: child.pid ?? 0,
    result,
    signal: (name) => child.kill(name),
    sentSignals,
    cancel: async () => {
      const send = (name: NodeJS.Signals) => {
        sentSignals.push(name);
        child.kill(name);
      };
      await cancelStep(send, result);
      return result;
    },
    waitForLog: (pattern) => waitForLine(pattern, { ...output, result }),
  };
}

function closeOf(child: StepProcess): Promise<Pick<StepResult, "exitCode" | "signal">> {
  // A grandchild that outlives the step may hold its pipes open; the runner does not wait for it either.
  const closePipes = () => [child.stdout, child.stderr].map((pipe) => pipe.destroy());
  child.once("exit", () => setTimeout(closePipes, 2_000).unref());
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function collectOutput(child: StepProcess, masker: SecretMasker) {
  const { effects, readLine } = createCommandProcessor(masker);
  const lines = new EventEmitter().setMaxListeners(0);
  let rawLog = "";
  for (const stream of [child.stdout, child.stderr]) {
    const reader = createLineReader((line) => {
      const before = effects.log.length;
      readLine(line);
      for (const shown of effects.log.slice(before)) lines.emit("line", shown);
    });
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      rawLog += chunk;
      reader.push(chunk);
    });
    stream.once("close", () => reader.end());
  }
  return { effects, lines, rawLog: () => rawLog };
}

interface WatchedOutput {
  readonly effects: CommandEffects;
  readonly lines: EventEmitter;
  readonly result: Promise<StepResult>;
}

function waitForLine(pattern: RegExp, { effects, lines, result }: WatchedOutput): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const onLine = (line: string) => pattern.test(line) && resolve(line);
  lines.on("line", onLine);
  for (const line of effects.log) onLine(line);
  result.then(({ log }) => reject(new Error(`The step ended without ${pattern}:\n${log}`)), reject);
  return promise.finally(() => lines.off("line", onLine));
}

async function cancelStep(send: (signal: NodeJS.Signals) => void, result: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  result.then(end, end);
  send("SIGINT");
  for (const { afterMs, signal } of CANCEL_STEPS) {
    await delay(afterMs, undefined, { signal: ended.signal }).catch(() => undefined);
    if (ended.signal.aborted) return;
    send(signal);
  }
}
