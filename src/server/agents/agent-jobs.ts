import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { createJobQueue } from "../base/job-queue.ts";
import type { RecordStore } from "../base/records.ts";
import { type AgentJobRecord, type AgentSetup, runTurn } from "./turn.ts";

/** A job that ended is archived after this time, and forgotten after the same time again. */
const archiveAfterMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens the agent jobs of a store, and takes up those that were interrupted. Disposal stops the work; a later platform resumes
 * it.
 */
export async function openAgentJobs(
  store: RecordStore<AgentJobRecord>,
  setup: AgentSetup,
  concurrency: number,
  { log, now }: { readonly log: Log; readonly now: () => number },
) {
  const timestamp = () => new Date(now()).toISOString();
  const change = (id: string, changed: (job: AgentJobRecord) => Partial<AgentJobRecord>) =>
    store.update(id, (job) => ({ ...job, ...changed(job), updatedAt: timestamp() }));

  const followPrompt = async (job: AgentJobRecord, turn: number, signal: AbortSignal) => {
    try {
      const onStart = (base: string) => change(job.id, () => ({ base }));
      const pullRequest = await runTurn(job, turn, setup, onStart, signal);
      await change(job.id, (current) => endTurn(current, turn, { state: "done" }, pullRequest));
    } catch (error) {
      if (signal.aborted) return;
      // An expected failure in its own words; a defect with where it happened.
      const failure = error instanceof ActionError ? error.message : stackOf(error);
      log.warning(`Agent job ${job.id} failed: ${failure}`);
      await change(job.id, (current) => endTurn(current, turn, { state: "failed", failure }));
    }
  };
  /** Follows the waiting prompts of one job; when aborted, leaves it as it is for the next start. */
  const run = async (id: string, signal: AbortSignal) => {
    while (!signal.aborted) {
      const job = store.get(id);
      const turn = job?.turns.findIndex(({ state }) => state === "waiting") ?? -1;
      if (job === undefined || turn < 0) return;
      await followPrompt(job, turn, signal);
    }
  };

  /** Archives jobs that ended long ago, without what their agents printed; forgets those archived as long ago again. */
  const archiveOldJobs = async () => {
    const isOld = (since: string) => Date.parse(since) + archiveAfterMs <= now();
    for (const { id, status, archivedAt, updatedAt, turns } of store.list()) {
      if (status === "archived" && isOld(archivedAt ?? updatedAt)) await store.remove(id);
      if ((status !== "completed" && status !== "failed") || !isOld(updatedAt)) continue;
      // The condition again: a message may have made the job active since.
      await store.update(id, (job) =>
        job.status === "active" ? job : { ...job, status: "archived", archivedAt: timestamp() },
      );
      for (const turn of turns.keys())
        await rm(join(setup.logDirectory, `${id}-${turn}.log`), { force: true });
    }
  };

  await archiveOldJobs();
  const queue = createJobQueue(concurrency, run, log);
  const active = store.list().filter(({ status }) => status === "active");
  for (const { id } of active.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))) queue.add(id);
  return {
    async create(projectId: string, prompt: string): Promise<AgentJobRecord> {
      await archiveOldJobs();
      const [id, createdAt] = [`aj_${randomBytes(8).toString("hex")}`, timestamp()];
      const job = await store.put(id, {
        id,
        projectId,
        status: "active",
        turns: [{ prompt, requestedAt: createdAt, state: "waiting" }],
        repository: setup.host.repository,
        branch: `docs-agent/${id}`,
        model: `agent-command/${basename(setup.command[0])}`,
        pullRequest: null,
        createdAt,
        updatedAt: createdAt,
        archivedAt: null,
      });
      queue.add(id);
      return job;
    },
    get(projectId: string, id: string): AgentJobRecord | undefined {
      const job = store.get(id);
      return job?.projectId === projectId ? job : undefined;
    },
    /** Gives a job another prompt, which it follows after those it has. */
    async message(id: string, prompt: string): Promise<AgentJobRecord> {
      const turn = { prompt, requestedAt: timestamp(), state: "waiting" as const };
      const job = await change(id, ({ turns }) => ({
        status: "active",
        turns: [...turns, turn],
        archivedAt: null,
      }));
      queue.add(id);
      return job;
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

/** What changes in a job after one of its prompts; it stays active while others wait, and ends as the last one did. */
function endTurn(
  job: AgentJobRecord,
  turn: number,
  end: Pick<AgentJobRecord["turns"][number], "state" | "failure">,
  pullRequest = job.pullRequest,
): Partial<AgentJobRecord> {
  const turns = job.turns.map((entry, index) => (index === turn ? { ...entry, ...end } : entry));
  const isWaiting = turns.some(({ state }) => state === "waiting");
  const ended = end.state === "failed" ? "failed" : "completed";
  return { turns, pullRequest, status: isWaiting ? "active" : ended };
}
