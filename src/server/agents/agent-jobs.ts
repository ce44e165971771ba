import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { cachePerObject } from "../../base/cache-per-object.ts";
import { ActionError } from "../../base/errors.ts";
import { messageOf, shorten, stackOf, toOneLine } from "../../base/text.ts";
import type { PlatformContext } from "../base/context.ts";
import { ApiError } from "../base/http.ts";
import { type Attempt, cancelJob, type JobDeps, startJobs } from "../base/jobs.ts";
import { createSequence } from "../base/shared-work.ts";
import type { PullRequestHost } from "./published-change.ts";
import { AgentJobRecord, type AgentProject, type AgentRunner, runTurn } from "./turn.ts";

/** An ended job is archived after this time, and removed after the same time again. */
const archiveAfterMs = 30 * 24 * 60 * 60 * 1000;
const maxLineLength = 300;
/** Clients wait for a response for a minute. */
const defaultStateTimeoutMs = 20_000;

export type AgentJobs = Awaited<ReturnType<typeof openAgentJobs>>;

/** Opens the agent jobs, and processes them if this process runs jobs. Disposal stops the processing; the next process resumes it. */
export async function openAgentJobs(
  setup: AgentRunner,
  findProject: (projectId: string) => Promise<AgentProject>,
  concurrency: number,
  deps: JobDeps & Pick<PlatformContext, "dataDir" | "everyHour">,
) {
  const { storage, dataDir, log, now } = deps;
  const records = await storage.records("agents/jobs", AgentJobRecord);
  const timestamp = () => new Date(now()).toISOString();
  const kind = {
    records,
    noun: "job",
    queue: "agents",
    unfinished: ["active"] as const,
    workOf: ({ id, projectId, turns }: AgentJobRecord) => ({
      id,
      queue: "agents",
      // The count alone is not unique: two concurrent messages can have the same number.
      key: `${id}-${turns.length}-${Date.parse(turns.at(-1)?.requestedAt ?? "")}`,
      group: projectId,
    }),
  };

  /** Processes the last prompt of a job. When aborted, leaves the job active for the next attempt. */
  const run = async (attempt: Attempt<AgentJobRecord>) => {
    const { job, change, signal } = attempt;
    let printed: string | undefined;
    const onOutput = (text: string) => {
      printed = text;
      setup.onOutput?.(text);
    };
    const end = async (changed: (current: AgentJobRecord) => Partial<AgentJobRecord>) => {
      // There is no output if only publishing was left to do.
      const { output, lastOutput } = printed === undefined ? {} : await publishOutput(attempt, printed);
      const last = job.turns.length - 1;
      await attempt.end((current) => ({
        ...current,
        ...changed(current),
        lastOutput,
        turns: current.turns.map((turn, index) => (index === last ? { ...turn, output } : turn)),
      }));
    };
    try {
      attempt.requireAttemptsLeft();
      const project = await findProject(job.projectId);
      const onStart = (base: string) => {
        if (job.base !== undefined && job.base !== base)
          log.warning(`The branch ${job.base} no longer exists: agent job ${job.id} works on ${base}.`);
        return change((current) => ({ ...current, base }));
      };
      const pullRequest = await runTurn(job, { ...setup, ...project, onOutput }, onStart, signal);
      await end((current) => ({ status: "completed", pullRequest: pullRequest ?? current.pullRequest }));
    } catch (error) {
      await attempt.handBack(error);
      const isExpected = error instanceof ActionError;
      // The log has the stack of an unexpected error; the client gets a general message.
      log.warning(`Agent job ${job.id} failed: ${setup.redact(isExpected ? error.message : stackOf(error))}`);
      const reason = isExpected
        ? error.message
        : "The platform failed to process this job; its log has the reason.";
      await end(() => ({
        status: "failed",
        // Of a long one, 40 characters of the start and 257 of the end are kept: programs print the reason last.
        error: toOneLine(setup.redact(reason)).replace(/^(.{40}).+(.{257})$/u, "$1 … $2"),
      }));
    }
  };

  const publishOutput = async ({ job, name, signal }: Attempt<AgentJobRecord>, text: string) => {
    const path = join(dataDir, "work", `${job.id}-${name}.txt`);
    try {
      const output = `${outputsOf(job.id)}${job.turns.length - 1}-${name}.txt`;
      await mkdir(join(dataDir, "work"), { recursive: true, mode: 0o700 });
      await writeFile(path, text);
      await storage.blobs.publish(output, path, signal);
      const [lastParagraph = ""] = text
        .trim()
        .split(/\n\s*\n/)
        .slice(-1);
      return { output, lastOutput: shorten(toOneLine(lastParagraph), maxLineLength) };
    } catch (error) {
      // The job ends without its output.
      log.warning(`The output of agent job ${job.id} could not be stored: ${messageOf(error)}`);
      return {};
    } finally {
      await rm(path, { force: true });
    }
  };

  /** Archives a job, unless a message has reactivated it meanwhile. */
  const archive = async (id: string): Promise<boolean> => {
    const { status } = await records.update(id, (job) => {
      if (job.status === "active") return job;
      return { ...job, status: "archived", archivedAt: timestamp(), updatedAt: timestamp() };
    });
    return status === "archived";
  };
  /** Archives jobs that ended long ago and removes their output; removes jobs that were archived long ago. */
  const archiveOldJobs = async () => {
    const updatedBefore = new Date(now() - archiveAfterMs + 1).toISOString();
    for (const { id, status } of await records.list({ updatedBefore })) {
      if (status === "active") continue;
      // Again for an archived job: the first time, storage may have been unavailable.
      if (status === "archived" || (await archive(id))) await storage.blobs.removeAll(outputsOf(id));
      if (status === "archived") await records.remove(id);
    }
  };

  if (deps.runsJobs) await deps.everyHour(archiveOldJobs);
  const working = await startJobs(kind, concurrency, {}, run, deps);

  /** @throws {ApiError} 409 if the job cannot receive a message. */
  const requireIdle = ({ status }: AgentJobRecord) => {
    if (status === "active") throw new ApiError(409, "The job is still working on its last prompt.");
    if (status === "archived") throw new ApiError(409, "The job is archived: create a new one.");
  };
  const requireOpenPullRequest = async (job: AgentJobRecord, signal: AbortSignal) => {
    const { host } = await findProject(job.projectId);
    const timeout = AbortSignal.timeout(setup.stateTimeoutMs ?? defaultStateTimeoutMs);
    const reading = host.readState(job, AbortSignal.any([signal, timeout]));
    const state = await reading.catch((error: unknown) => {
      // Accept the message anyway: publishing reports the problem if it persists.
      if (!timeout.aborted && !(error instanceof ActionError)) throw error;
      log.warning(`The state of ${job.pullRequest} is unknown: ${setup.redact(messageOf(error))}`);
      return "open";
    });
    if (state !== "open") throw new ApiError(409, `The job's pull request is ${state}: create a new job.`);
  };
  const createRecord = async (
    fields: Pick<AgentJobRecord, "id" | "projectId" | "status" | "turns" | "pullRequest" | "base">,
  ): Promise<AgentJobRecord> => {
    const { host } = await findProject(fields.projectId);
    const createdAt = timestamp();
    return {
      ...fields,
      attempt: 0,
      uncountedAttempts: 0,
      repository: host.repository,
      branch: branchOf(fields.id),
      model: `agent-command/${basename(setup.command[0])}`,
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
    };
  };
  // One at a time, because each lookup starts git processes, and anyone with a key can ask for unknown ids. Another host may respond.
  const lookUpAt = cachePerObject((_host: PullRequestHost) => createSequence());
  return {
    async create(projectId: string, prompt: string): Promise<AgentJobRecord> {
      const id = `aj_${randomBytes(8).toString("hex")}`;
      const turns = [{ prompt, requestedAt: timestamp() }];
      const { base } = setup.request ?? {};
      const job = await createRecord({ id, projectId, status: "active", turns, pullRequest: null, base });
      return records.put(id, job, kind.workOf(job));
    },
    get: records.get,
    list: records.list,
    /** The agent's output for a prompt, counted from 0; `undefined` before the prompt ends and after the job is archived. */
    async readOutput({ turns }: AgentJobRecord, turn: number): Promise<string | undefined> {
      const { output } = turns[turn] ?? {};
      return output === undefined ? undefined : storage.blobs.read(output);
    },
    /**
     * Finds a job of the project. A job without a record is restored if its branch has an open pull request: the embedded platform of a
     * workflow run has no records of earlier runs.
     */
    async find(projectId: string, id: string, signal: AbortSignal): Promise<AgentJobRecord | undefined> {
      let job = await records.get(id);
      if (job === undefined && /^aj_[0-9a-f]{16}$/.test(id)) {
        const { host } = await findProject(projectId);
        const found = await lookUpAt(host)(() => host.findOpen(branchOf(id), signal));
        if (found === undefined) return undefined;
        const restored = await createRecord({ id, projectId, status: "completed", turns: [], ...found });
        // Another request may have restored it meanwhile.
        job = await records.upsert(id, (current) => current ?? restored);
      }
      return job?.projectId === projectId ? job : undefined;
    },
    cancel: (id: string) => cancelJob(id, kind, deps),
    /**
     * Adds a prompt to an ended job.
     *
     * @param use Counts the message toward the rate limit; called after all other checks.
     * @throws {ApiError} 409 if the job is active or archived, or its pull request is no longer open.
     */
    async message(
      job: AgentJobRecord,
      prompt: string,
      use: () => Promise<void>,
      signal: AbortSignal,
    ): Promise<AgentJobRecord> {
      requireIdle(job);
      if (job.pullRequest !== null) await requireOpenPullRequest(job, signal);
      await use();
      const turn = { prompt, requestedAt: timestamp() };
      const message = (current: AgentJobRecord): AgentJobRecord => {
        // Check again: another message may have been faster.
        requireIdle(current);
        const turns = [...current.turns, turn];
        const fields = { turns, uncountedAttempts: current.attempt, updatedAt: timestamp() };
        return { ...current, ...fields, status: "active", error: undefined };
      };
      return records.update(job.id, message, kind.workOf({ ...job, turns: [...job.turns, turn] }));
    },
    [Symbol.asyncDispose]: async () => working?.[Symbol.asyncDispose](),
  };
}

const outputsOf = (jobId: string) => `agent-output/${jobId}/`;

/** Name of the job's branch. */
export const branchOf = (jobId: string) => `docs-agent/${jobId}`;
