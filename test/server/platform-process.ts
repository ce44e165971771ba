import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

/** The platform as a process of its own, started as `npm run platform` starts it. */
export interface PlatformProcess extends AsyncDisposable {
  readonly pid: number;
  /** What it has written to standard output and standard error so far. */
  readonly output: () => string;
  /** Its address, once it listens. @throws {Error} with its output when it ends before. */
  readonly url: Promise<string>;
  /** Sends a signal and waits for the end; the exit code, or the signal that ended it. */
  end(signal: NodeJS.Signals): Promise<number | string>;
  /** The exit code of a process that ends by itself. */
  readonly ended: Promise<number | string>;
}

/** Starts the platform's command line on a free port. */
export function startPlatformProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
): PlatformProcess {
  const child = spawn(process.execPath, [main, "platform", "--port", "0", ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const announced = /^Documentation (?:platform|site): (?<url>\S+)$/m.exec(output)?.groups?.["url"];
      if (announced !== undefined) url.resolve(announced);
    });
  }
  const ended = waitForEnd(child);
  void ended.then(() => url.reject(new Error(`The platform ended early: ${output}`)));
  // A test may never ask for the address.
  url.promise.catch(() => undefined);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    pid: child.pid ?? 0,
    output: () => output,
    url: url.promise,
    ended,
    end,
    [Symbol.asyncDispose]: async () => {
      await end("SIGKILL");
    },
  };
}

async function waitForEnd(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return code ?? signal ?? "";
}

/** Whether a process that was told to end still runs; one that has ended but that was not waited for does not. */
export async function isRunning(pid: number): Promise<boolean> {
  for (let polls = 0; polls < 100; polls += 1) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "State:\tX");
    if (/^State:\s+[XZ]/m.test(status)) return false;
    await delay(10);
  }
  return true;
}
