import { readdir, readFile } from "node:fs/promises";

/** The variable by which an agent and whatever it started can be told to belong to a job. */
export const jobVariable = "DOCS_AGENT_JOB_ID";

/**
 * Ends agents that outlived a platform which was killed: their work is done again, and nobody would limit their time. They
 * are known by their environment, which other systems than Linux do not show; there, they end by themselves.
 *
 * @param recordsFolder Holds one file named after each job.
 */
export async function endLeftoverAgents(recordsFolder: string): Promise<void> {
  await endProcessesOf((await readdir(recordsFolder)).map((name) => name.replace(/\.json$/, "")));
}

/** Others may be started while those found are ended; what starts faster than this is not caught. */
const maxRounds = 20;

/** Ends every process that belongs to one of the jobs, also one that left its process group; on Linux only. */
export async function endProcessesOf(jobIds: readonly string[]): Promise<void> {
  if (process.platform !== "linux" || jobIds.length === 0) return;
  const wanted = new Set(jobIds);
  for (let round = 1, left = 1; left > 0 && round <= maxRounds; round += 1) {
    const pids = await findProcesses(wanted);
    pids.forEach(endProcess);
    left = pids.length;
  }
}

async function findProcesses(jobIds: ReadonlySet<string>): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const jobId = await readJobOf(pid);
    if (jobId !== undefined && jobIds.has(jobId)) found.push(pid);
  }
  return found;
}

async function readJobOf(pid: number): Promise<string | undefined> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`, "utf8");
    const variable = environment.split("\0").find((entry) => entry.startsWith(`${jobVariable}=`));
    return variable?.slice(jobVariable.length + 1);
  } catch (error) {
    // It has ended, or belongs to somebody else.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}
