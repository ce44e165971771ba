import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProcess, type WatchedProcess } from "../support/watched-process.ts";

/** The platform as a process of its own, started as `npm run platform` starts it. */
export interface PlatformProcess extends WatchedProcess {
  /** Its address, once it listens. @throws {Error} with its output when it ends before. */
  readonly url: Promise<string>;
}

/** Starts the platform's command line on a free port, from the sources. */
export function startPlatformProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
  entry = "src/main.ts",
): PlatformProcess {
  const main = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  const started = startProcess(process.execPath, [main, "platform", "--port", "0", ...args], {
    env: { PATH: process.env["PATH"], ...environment },
  });
  const url = started
    .waitFor(/^Documentation (?:platform|site): (\S+)$/m)
    .then(([, address = ""]) => address);
  // A test may never ask for the address.
  url.catch(() => undefined);
  return { ...started, url };
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
