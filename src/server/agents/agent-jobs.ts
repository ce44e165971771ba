import { randomBytes } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import { codeOf, messageOf, shorten, stackOf } from "../../base/text.ts";
import { beginAttempt, endJob, leavingToOthers, SupersededError } from "../base/attempt.ts";
import type { PlatformContext } from "../base/context.ts";
import { ApiError } from "../base/http.ts";
import type { Work } from "../base/storage.ts";
import { AgentJobRecord, type AgentProject, type AgentRunner, runTurn } from "./turn.ts";

/** A job that ended is archived after this time, and forgotten after the same time again. */
const archiveAfterMs = 30 * 24 * 60 * 60 * 1000;
/** Jobs looked for at the host at once: who guesses ids must not start any number of processes. */
const maxLookups = 4;
/** How often it is looked for such jobs. */
const archiveEveryMs = 60 * 60 * 1000;

export type AgentJobs = Awaited<ReturnType<typeof openAgentJobs>>;

/** Opens the agent jobs, and works on them where this process does. Disposal stops the work; a later process takes it up. */
export async function openAgentJobs(
  setup: AgentRunner,
  findProject: (projectId: string) => AgentProject,
  concurrency: number,
  deps: Pick<PlatformContext, "storage" | "works" | "log" | "observer" | "now">,
) {
  const { storage, works, log, observer, now } = deps;
  const records = await storage.records("agents/jobs", AgentJobRecord);
  const timestamp = () => new Date(now()).toISOString();

  /** Follows the last prompt of a job; when aborted, leaves the job active for the next start. */
  const run = async (id: string, signal: AbortSignal) => {
    using attempt = await beginAttempt(records, id, (job) => {
      if (job.status !== "active") throw new SupersededError("The job has ended.");
      return { ...job, updatedAt: timestamp() };
    });
    const change = (changed: (job: AgentJobRecord) => Partial<AgentJobRecord>) =>
      attempt.change((job) => ({ ...job, ...changed(job), updatedAt: timestamp() }));
    const stopped = AbortSignal.any([signal, attempt.signal]);
    const begunAt = now();
    const finish = async (changed: (job: AgentJobRecord) => Partial<AgentJobRecord>) => {
      const output = await keepOutput(attempt.record, signal);
      const last = attempt.record.turns.length - 1;
      const { status: result } = await change((job) => ({
        ...changed(job),
        turns: job.turns.map((turn, index) => (index === last ? { ...turn, ...output } : turn)),
      }));
      const seconds = (now() - begunAt) / 1000;
      log.debug(`Agent job ${id} ${result} after ${seconds} s.`);
      observer.job({ queue: "agents", result, seconds });
    };
    try {
      attempt.requireFew(attempt.record.turns.length);
      const pullRequest = await runTurn(
        attempt.record,
        { ...setup, ...findProject(attempt.record.projectId) },
        (base) => change(() => ({ base })),
        stopped,
      );
      await finish((job) => ({ status: "completed", pullRequest: pullRequest ?? job.pullRequest }));
    } catch (error) {
      if (await attempt.isForOthers(error, signal)) throw attempt.signal.reason ?? error;
      const isExpected = error instanceof ActionError;
      // Of a defect, the log says where it happened; a client has no use for that.
      log.warning(`Agent job ${id} failed: ${setup.redact(isExpected ? error.message : stackOf(error))}`);
      const reason = isExpected ? error.message : "The platform failed on this job; its log says why.";
      await finish(() => ({ status: "failed", error: toReason(setup.redact(reason)) }));
    }
  };

  /** Makes what the agent printed readable for every process, without the secrets in it. */
  const keepOutput = async ({ id, turns, attempt }: AgentJobRecord, signal: AbortSignal) => {
    const turn = `${turns.length - 1}`;
    const [path, output] = [
      join(setup.logDirectory, `${id}-${turn}.log`),
      `${outputsOf(id)}${turn}-${attempt}.txt`,
    ];
    try {
      await writeFile(path, setup.redact(await readFile(path, "utf8")));
      await storage.blobs.publish(output, path, signal);
      return { output };
    } catch (error) {
      // Without it, the job has ended all the same; a job that only had to be published has none.
      if (codeOf(error) !== "ENOENT")
        log.warning(`The output of agent job ${id} is lost: ${messageOf(error)}`);
      return {};
    } finally {
      await rm(path, { force: true });
    }
  };

  let lookups = 0;
  let archivedAt = Number.NEGATIVE_INFINITY;
  /** Archives jobs that ended long ago, without what their agents printed; forgets those archived as long ago again. */
  const archiveOldJobs = async () => {
    if (now() - archivedAt < archiveEveryMs) return;
    archivedAt = now();
    const updatedBefore = new Date(now() - archiveAfterMs + 1).toISOString();
    for (const { id, status } of await records.list({ updatedBefore })) {
      if (status === "archived") await records.remove(id);
      if (status !== "completed" && status !== "failed") continue;
      // The condition again: a message may have made the job active since.
      await records.update(id, (job) => {
        if (job.status === "active") return job;
        return { ...job, status: "archived", archivedAt: timestamp(), updatedAt: timestamp() };
      });
      await storage.blobs.removeAll(outputsOf(id));
    }
  };

  const workOf = ({ id, projectId, turns }: AgentJobRecord): Work => ({
    queue: "agents",
    // The work on a prompt may not have ended when the next one comes, and two messages may count the prompts alike.
    key: `${id}-${turns.length}-${Date.parse(turns.at(-1)?.requestedAt ?? "")}`,
    group: projectId,
    isUrgent: true,
  });
  const findUnfinished = async () => {
    const active = await records.list({ where: { status: "active" } });
    return active.toReversed().map((job) => ({ id: job.id, ...workOf(job) }));
  };
  await archiveOldJobs();
  const worker = { queue: "agents", concurrency, findUnfinished };
  const working = works ? await storage.startWork(worker, leavingToOthers(run, log)) : undefined;

  /** @throws {ApiError} when the job takes no message. */
  const requireReady = ({ status }: AgentJobRecord) => {
    if (status === "active") throw new ApiError(409, "The job is still working on its last prompt.");
    if (status === "archived") throw new ApiError(409, "The job is archived: create a new one.");
  };
  const requireOpen = async (projectId: string, pullRequest: string, signal: AbortSignal) => {
    const { host } = findProject(projectId);
    const state = await host.readState(pullRequest, signal).catch((error: unknown) => {
      // What is not known now is no reason to refuse: publishing says what is wrong, if anything still is.
      if (!(error instanceof ActionError)) throw error;
      log.warning(`Whether ${pullRequest} is open is unknown: ${setup.redact(error.message)}`);
      return "open";
    });
    if (state !== "open") throw new ApiError(409, `The job's pull request is ${state}: create a new job.`);
  };
  const add = (facts: Pick<AgentJobRecord, "id" | "projectId" | "status" | "turns" | "pullRequest">) => {
    const createdAt = timestamp();
    const job: AgentJobRecord = {
      ...facts,
      attempt: 0,
      handedBack: 0,
      repository: findProject(facts.projectId).host.repository,
      branch: branchOf(facts.id),
      model: `agent-command/${basename(setup.command[0])}`,
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
    };
    return records.put(facts.id, job, job.status === "active" ? workOf(job) : undefined);
  };
  return {
    async create(projectId: string, prompt: string): Promise<AgentJobRecord> {
      await archiveOldJobs();
      const id = `aj_${randomBytes(8).toString("hex")}`;
      const turns = [{ prompt, requestedAt: timestamp() }];
      return add({ id, projectId, status: "active", turns, pullRequest: null });
    },
    get: records.get,
    list: records.list,
    /** What the agent printed on a prompt, the first of which is 0; `undefined` before its end, and once it is archived. */
    async readOutput({ turns }: AgentJobRecord, turn: number): Promise<string | undefined> {
      const { output } = turns[turn] ?? {};
      return output === undefined ? undefined : storage.blobs.read(output);
    },
    /**
     * A job of the project. A job that the data directory does not hold goes on from its branch, if that has an open pull request:
     * the platform of a workflow run knows the jobs of earlier runs by what they left in the repository.
     */
    async find(projectId: string, id: string, signal: AbortSignal): Promise<AgentJobRecord | undefined> {
      if ((await records.get(id)) === undefined && /^aj_[0-9a-f]{16}$/.test(id)) {
        if (lookups >= maxLookups)
          throw new ApiError(503, "Other jobs are being looked for; ask again.", { "retry-after": "5" });
        lookups += 1;
        const { host } = findProject(projectId);
        const pullRequest = await host.findOpen(branchOf(id), signal).finally(() => {
          lookups -= 1;
        });
        // One after the other: what another request has made of the job meanwhile is not replaced.
        if (pullRequest !== undefined)
          await storage.exclusively(`agents/${id}`, async () => {
            if ((await records.get(id)) === undefined)
              await add({ id, projectId, status: "completed", turns: [], pullRequest });
          });
      }
      const job = await records.get(id);
      return job?.projectId === projectId ? job : undefined;
    },
    /** @throws {ApiError} 409 when it is not working on a prompt. */
    cancel: (id: string): Promise<AgentJobRecord> =>
      endJob(records, id, (job) => {
        if (job.status !== "active")
          throw new ApiError(409, `The job has ended: its status is ${job.status}.`);
        return { ...job, status: "failed", error: "The job was cancelled.", updatedAt: timestamp() };
      }),
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
      if (job.pullRequest !== null) await requireOpen(job.projectId, job.pullRequest, signal);
      await use();
      const turn = { prompt, requestedAt: timestamp() };
      const message = (current: AgentJobRecord): AgentJobRecord => {
        // Again: another message may have come first.
        requireReady(current);
        const turns = [...current.turns, turn];
        return { ...current, status: "active", turns, error: undefined, updatedAt: timestamp() };
      };
      return records.update(job.id, message, workOf({ ...job, turns: [...job.turns, turn] }));
    },
    [Symbol.asyncDispose]: async () => working?.[Symbol.asyncDispose](),
  };
}

/** Where what a job's agents printed is kept. */
const outputsOf = (jobId: string) => `agent-output/${jobId}/`;

/** The branch of a job's commits. */
export const branchOf = (jobId: string) => `docs-agent/${jobId}`;

/** A failure as one line of at most 300 characters. */
function toReason(failure: string): string {
  return shorten(failure.replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim(), 300);
}
