/** What a program and all programs that it starts cost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessCost } from "./measure-process.ts";

const sampleEveryMs = 50;
const clockTicksPerSecond = 100;
const pageBytes = 4096;

/** Runs a program of Node to its end; what Linux says of it and its descendants is read every 50 ms. The peak is of all of them at one time. @throws when it fails */
export async function measureTree(
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<ProcessCost> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4000);
  });
  const ended = once(child, "close");
  const cpuByProcess = new Map<number, number>();
  let peakMegabytes = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const tree = descendantsOf(child.pid ?? 0, await listProcesses());
    for (const { id, cpuMs } of tree) cpuByProcess.set(id, cpuMs);
    peakMegabytes = Math.max(
      peakMegabytes,
      tree.reduce((sum, { megabytes }) => sum + megabytes, 0),
    );
    await Promise.race([ended, delay(sampleEveryMs)]);
  }
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}.\n${stdout.slice(-2000)}${stderr}`);
  const cpuMs = [...cpuByProcess.values()].reduce((sum, ms) => sum + ms, 0);
  return { wallMs: performance.now() - startedAt, cpuMs, peakMegabytes, stdout };
}

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly cpuMs: number;
  readonly megabytes: number;
}

async function listProcesses(): Promise<Process[]> {
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const processes = ids.map(async (id): Promise<Process[]> => {
    const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    if (stat === "") return [];
    // The fields behind the program's name, which may hold anything: proc_pid_stat(5), from the third on.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, pages = 0] = [1, 11, 12, 21].map((at) => fields[at]);
    const cpuMs = ((user + system) * 1000) / clockTicksPerSecond;
    return [{ id: Number(id), parent, cpuMs, megabytes: (pages * pageBytes) / 2 ** 20 }];
  });
  return (await Promise.all(processes)).flat();
}

function descendantsOf(root: number, processes: readonly Process[]): Process[] {
  const own = processes.filter(({ id }) => id === root);
  const below = (parent: number): Process[] =>
    processes.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.id)]);
  return [...own, ...below(root)];
}
