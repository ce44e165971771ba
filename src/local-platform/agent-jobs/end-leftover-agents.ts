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
  if (process.platform !== "linux") return;
  const jobIds = new Set((await readdir(recordsFolder)).map((name) => name.replace(/\.json$/, "")));
  if (jobIds.size === 0) return;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids) {
    const jobId = await readJobOf(pid);
    if (jobId !== undefined && jobIds.has(jobId) && pid !== process.pid) endProcess(pid);
  }
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
