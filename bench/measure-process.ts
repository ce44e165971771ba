import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** What a process cost from its start to its end. */
export interface ProcessCost {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMegabytes: number;
  readonly stdout: string;
}

const sampleEveryMs = 4;
const clockTicksPerSecond = 100;

/**
 * Runs a program to its end. CPU time and peak memory are what Linux last said of it under `/proc`, a few milliseconds
 * before it ended; programs that a shell starts in turn are not seen, so it must be the program itself.
 *
 * @throws when it fails
 */
export async function measureProcess(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<ProcessCost> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  let isRunning = true;
  const ended = once(child, "close").finally(() => {
    isRunning = false;
  });
  let last = { cpuMs: 0, peakMegabytes: 0 };
  const sampling = (async () => {
    while (isRunning) {
      last = (await sample(child.pid)) ?? last;
      await delay(sampleEveryMs);
    }
  })();
  const [code] = (await ended) as [number | null];
  const wallMs = performance.now() - startedAt;
  await sampling;
  if (code !== 0) throw new Error(`${command} ended with ${code}.`);
  return { wallMs, ...last, stdout };
}

async function sample(
  pid: number | undefined,
): Promise<{ cpuMs: number; peakMegabytes: number } | undefined> {
  const [status, stat] = await Promise.all([read(pid, "status"), read(pid, "stat")]);
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  // The fields behind the program's name, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  if (peak === undefined || Number.isNaN(user + system)) return undefined;
  return { cpuMs: ((user + system) * 1000) / clockTicksPerSecond, peakMegabytes: Number(peak) / 1024 };
}

async function read(pid: number | undefined, file: string): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, "utf8");
  } catch (error) {
    // Gone, or about to be: the sample before is the last.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH"))
      return "";
    throw error;
  }
}
