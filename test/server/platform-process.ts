import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { startProcess, type WatchedProcess } from "../support/watched-process.ts";

/** The platform as a process, started like `npm run platform`. */
export interface PlatformProcess extends WatchedProcess {
  /** Waits for its URL. @throws {Error} with its output if it ends before. */
  readonly url: Promise<string>;
}

/** Starts the platform from its sources on a free port. */
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
  // A test does not have to await the URL.
  url.catch(() => undefined);
  return { ...started, url };
}

/** Whether a process still runs. A zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  for (let polls = 0; polls < 100; polls += 1) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "State:\tX");
    if (/^State:\s+[XZ]/m.test(status)) return false;
    await delay(10);
  }
  return true;
}
