import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { shorten, stackOf } from "../../base/text.ts";
import { ApiError } from "../base/http.ts";
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

  /** Follows the last prompt of a job; when aborted, leaves the job active for the next start. */
  const run = async (id: string, signal: AbortSignal) => {
    const job = store.get(id);
    if (job?.status !== "active" || signal.aborted) return;
    try {
      const pullRequest = await runTurn(job, setup, (base) => change(id, () => ({ base })), signal);
      await change(id, (current) => ({
        status: "completed",
        pullRequest: pullRequest ?? current.pullRequest,
      }));
    } catch (error) {
      if (signal.aborted) return;
      const isExpected = error instanceof ActionError;
      // Of a defect, the log says where it happened; a client has no use for that.
      log.warning(`Agent job ${id} failed: ${setup.redact(isExpected ? error.message : stackOf(error))}`);
      const reason = isExpected ? error.message : "The platform failed on this job; its log says why.";
      await change(id, () => ({ status: "failed", error: toReason(setup.redact(reason)) }));
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

  /** @throws {ApiError} when the job takes no message. */
  const requireReady = ({ status }: AgentJobRecord) => {
    if (status === "active") throw new ApiError(409, "The job is still working on its last prompt.");
    if (status === "archived") throw new ApiError(409, "The job is archived: create a new one.");
  };
  const requireOpen = async (pullRequest: string, signal: AbortSignal) => {
    const state = await setup.host.readState(pullRequest, signal).catch((error: unknown) => {
      // What is not known now is no reason to refuse: publishing says what is wrong, if anything still is.
      if (!(error instanceof ActionError)) throw error;
      log.warning(`Whether ${pullRequest} is open is unknown: ${setup.redact(error.message)}`);
      return "open";
    });
    if (state !== "open") throw new ApiError(409, `The job's pull request is ${state}: create a new job.`);
  };
  const add = (facts: Pick<AgentJobRecord, "id" | "projectId" | "status" | "turns" | "pullRequest">) => {
    const createdAt = timestamp();
    return store.put(facts.id, {
      ...facts,
      repository: setup.host.repository,
      branch: branchOf(facts.id),
      model: `agent-command/${basename(setup.command[0])}`,
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
    });
  };
  return {
    async create(projectId: string, prompt: string): Promise<AgentJobRecord> {
      await archiveOldJobs();
      const id = `aj_${randomBytes(8).toString("hex")}`;
      const turns = [{ prompt, requestedAt: timestamp() }];
      const job = await add({ id, projectId, status: "active", turns, pullRequest: null });
      queue.add(id);
      return job;
    },
    /**
     * A job of the project. A job that the data directory does not hold goes on from its branch, if that has an open pull request:
     * the platform of a workflow run knows the jobs of earlier runs by what they left in the repository.
     */
    async find(projectId: string, id: string, signal: AbortSignal): Promise<AgentJobRecord | undefined> {
      if (store.get(id) === undefined && /^aj_[0-9a-f]{16}$/.test(id)) {
        const pullRequest = await setup.host.findOpen(branchOf(id), signal);
        if (pullRequest !== undefined && store.get(id) === undefined)
          await add({ id, projectId, status: "completed", turns: [], pullRequest });
      }
      const job = store.get(id);
      return job?.projectId === projectId ? job : undefined;
    },
    /**
     * Gives a job that ended its next prompt.
     *
     * @param use Counts the message; called when nothing else is in its way.
     * @throws {ApiError} 409 for a job that is active or archived, or whose pull request is not open any more.
     */
    async message(
      job: AgentJobRecord,
      prompt: string,
      use: () => Promise<void>,
      signal: AbortSignal,
    ): Promise<AgentJobRecord> {
      requireReady(job);
      if (job.pullRequest !== null) await requireOpen(job.pullRequest, signal);
      await use();
      const turn = { prompt, requestedAt: timestamp() };
      const messaged = await change(job.id, (current) => {
        // Again: another message may have come first.
        requireReady(current);
        return { status: "active", turns: [...current.turns, turn], error: undefined };
      });
      queue.add(job.id);
      return messaged;
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

const branchOf = (jobId: string) => `docs-agent/${jobId}`;

/** A failure as one line of at most 300 characters. */
function toReason(failure: string): string {
  return shorten(failure.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim(), 300);
}
