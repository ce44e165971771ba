import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));

/** The platform as a process of its own, started as `npm run platform` starts it. */
export interface PlatformProcess extends AsyncDisposable {
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
  const child = spawn(process.execPath, [main, "--port", "0", ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const url = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const announced = /^Documentation platform: (?<url>\S+)$/m.exec(output)?.groups?.["url"];
      if (announced !== undefined) url.resolve(announced);
    });
  }
  const ended = waitForEnd(child);
  void ended.then(() => url.reject(new Error(`The platform ended early: ${output}`)));
  // Who never asks for the address does not care that there is none.
  url.promise.catch(() => undefined);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
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
