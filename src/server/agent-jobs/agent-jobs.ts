import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { createJobQueue } from "../job-queue.ts";
import { openRecordStore, type RecordStore } from "../storage/record-store.ts";
import { createUseLimit, type UseLimit } from "../use-limit.ts";
import { AgentJobRecord } from "./agent-job-record.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { archiveOldJobs } from "./archive-old-jobs.ts";
import type { PullRequestHost } from "./pull-request-host.ts";
import { type AgentCommandOptions, runTurn } from "./run-turn.ts";

/** The agent jobs of one platform. Disposal stops the work; a later platform resumes it. */
export interface AgentJobs extends AsyncDisposable {
  /** The limit on creating jobs and on messages, together, per project. */
  readonly uses: UseLimit;
  create(projectId: string, prompt: string): Promise<AgentJobRecord>;
  get(projectId: string, id: string): AgentJobRecord | undefined;
  /** Gives a job another prompt, which it follows after those it has. */
  message(id: string, prompt: string): Promise<AgentJobRecord>;
}

interface AgentJobsOptions {
  readonly directory: string;
  readonly agent: Omit<AgentCommandOptions, "logDirectory">;
  readonly concurrency: number;
  readonly usesPerHour: number;
  /** A job that ended is archived after this time, and forgotten after the same time again. */
  readonly archiveAfterMs: number;
}

interface AgentJobsDeps {
  readonly repository: AgentRepository;
  readonly host: PullRequestHost;
  readonly log: Log;
  readonly now: () => number;
}

const hour = 60 * 60 * 1000;

/** The folder of the jobs' records, one file named after each job. */
export function recordsFolder(directory: string): string {
  return join(directory, "jobs");
}

/** Opens the jobs of a data directory, and takes up those that were interrupted. */
export async function openAgentJobs(options: AgentJobsOptions, deps: AgentJobsDeps): Promise<AgentJobs> {
  const { directory, agent, concurrency } = options;
  const store = await openRecordStore({ directory: recordsFolder(directory), schema: AgentJobRecord }, deps);
  const logDirectory = join(directory, "logs");
  await mkdir(logDirectory, { recursive: true, mode: 0o700 });
  const archive = () => archiveOldJobs(store, { ...options, logDirectory }, deps);
  await archive();
  const worker = createAgentWorker({ ...agent, logDirectory }, { ...deps, store });
  const queue = createJobQueue({ concurrency }, { run: worker, log: deps.log });
  for (const { id } of unfinishedJobs(store)) queue.add(id);
  const timestamp = () => new Date(deps.now()).toISOString();

  return {
    uses: createUseLimit({ limit: options.usesPerHour, windowMs: hour, earlier: listUses(store) }, deps),
    create: async (projectId, prompt) => {
      await archive();
      const [id, createdAt] = [`aj_${randomBytes(8).toString("hex")}`, timestamp()];
      const job: AgentJobRecord = {
        id,
        projectId,
        status: "active",
        turns: [{ prompt, requestedAt: createdAt, state: "waiting" }],
        repository: deps.host.repository,
        branch: `docs-agent/${id}`,
        model: `agent-command/${basename(agent.command[0])}`,
        pullRequest: null,
        createdAt,
        updatedAt: createdAt,
        archivedAt: null,
      };
      await store.put(id, job);
      queue.add(id);
      return job;
    },
    get: (projectId, id) => {
      const job = store.get(id);
      return job?.projectId === projectId ? job : undefined;
    },
    message: async (id, prompt) => {
      const requestedAt = timestamp();
      const job = await store.update(id, (current) => ({
        ...current,
        status: "active",
        turns: [...current.turns, { prompt, requestedAt, state: "waiting" }],
        updatedAt: requestedAt,
        archivedAt: null,
      }));
      queue.add(id);
      return job;
    },
    [Symbol.asyncDispose]: () => queue[Symbol.asyncDispose](),
  };
}

/** Follows the waiting prompts of one job; when aborted, leaves it as it is for the next start. */
function createAgentWorker(
  options: AgentCommandOptions,
  deps: AgentJobsDeps & { store: RecordStore<AgentJobRecord> },
) {
  const { store, log, now } = deps;
  const updatedAt = () => new Date(now()).toISOString();
  const endTurn = (id: string, turn: number, ending: TurnEnd) =>
    store.update(id, (job) => ({ ...withEndedTurn(job, turn, ending), updatedAt: updatedAt() }));

  const followPrompt = async (job: AgentJobRecord, turn: number, signal: AbortSignal): Promise<void> => {
    const onStart = async (base: string) => {
      await store.update(job.id, (current) => ({ ...current, base, updatedAt: updatedAt() }));
    };
    try {
      const pullRequest = await runTurn({ job, turn }, options, { ...deps, signal, onStart });
      await endTurn(job.id, turn, { state: "done", pullRequest });
    } catch (error) {
      if (signal.aborted) return;
      const failure = describeFailure(error);
      log.warning(`Agent job ${job.id} failed: ${failure}`);
      await endTurn(job.id, turn, { state: "failed", failure });
    }
  };

  return async (id: string, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const job = store.get(id);
      const turn = job?.turns.findIndex(({ state }) => state === "waiting") ?? -1;
      if (job === undefined || turn < 0) return;
      await followPrompt(job, turn, signal);
    }
  };
}

type TurnEnd =
  | { readonly state: "done"; readonly pullRequest: string | undefined }
  | { readonly state: "failed"; readonly failure: string };

/** The job after one of its prompts; it stays active while others wait, and ends as the last one did. */
function withEndedTurn(job: AgentJobRecord, turn: number, ending: TurnEnd): AgentJobRecord {
  const { state } = ending;
  const failure = state === "failed" ? { failure: ending.failure } : {};
  const turns = job.turns.map((entry, index) => (index === turn ? { ...entry, state, ...failure } : entry));
  const isWaiting = turns.some((entry) => entry.state === "waiting");
  const ended = state === "failed" ? "failed" : "completed";
  const pullRequest = (state === "done" ? ending.pullRequest : undefined) ?? job.pullRequest;
  return { ...job, turns, pullRequest, status: isWaiting ? "active" : ended };
}

/** An expected failure in its own words; a defect with where it happened. */
function describeFailure(error: unknown): string {
  return error instanceof ActionError ? error.message : stackOf(error);
}

function unfinishedJobs(store: RecordStore<AgentJobRecord>): AgentJobRecord[] {
  const active = store.list().filter(({ status }) => status === "active");
  return active.sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
}

function listUses(store: RecordStore<AgentJobRecord>) {
  return store
    .list()
    .flatMap(({ projectId, turns }) =>
      turns.map(({ requestedAt }) => ({ key: projectId, at: Date.parse(requestedAt) })),
    );
}
