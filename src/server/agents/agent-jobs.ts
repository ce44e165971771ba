import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import { JobQueue } from "../base/job-queue.ts";
import type { RecordStore } from "../base/records.ts";
import { type AgentJobRecord, type AgentSetup, runTurn } from "./turn.ts";

type TurnEnd =
  | { readonly state: "done"; readonly pullRequest: string | undefined }
  | { readonly state: "failed"; readonly failure: string };

/** A job that ended is archived after this time, and forgotten after the same time again. */
const archiveAfterMs = 30 * 24 * 60 * 60 * 1000;

/** The agent jobs of one platform. Disposal stops the work; a later platform resumes it. */
export class AgentJobs implements AsyncDisposable {
  readonly #store: RecordStore<AgentJobRecord>;
  readonly #setup: AgentSetup;
  readonly #queue: JobQueue;
  readonly #log: Log;
  readonly #now: () => number;

  /** Takes up the jobs that were interrupted. */
  constructor(
    store: RecordStore<AgentJobRecord>,
    setup: AgentSetup,
    concurrency: number,
    { log, now }: { readonly log: Log; readonly now: () => number },
  ) {
    this.#store = store;
    this.#setup = setup;
    this.#log = log;
    this.#now = now;
    this.#queue = new JobQueue(concurrency, (id, signal) => this.#run(id, signal), log);
    const active = store.list().filter(({ status }) => status === "active");
    const byAge = active.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
    for (const { id } of byAge) this.#queue.add(id);
  }

  async create(projectId: string, prompt: string): Promise<AgentJobRecord> {
    await this.archiveOldJobs();
    const [id, createdAt] = [`aj_${randomBytes(8).toString("hex")}`, this.#timestamp()];
    const job = await this.#store.put(id, {
      id,
      projectId,
      status: "active",
      turns: [{ prompt, requestedAt: createdAt, state: "waiting" }],
      repository: this.#setup.host.repository,
      branch: `docs-agent/${id}`,
      model: `agent-command/${basename(this.#setup.command[0])}`,
      pullRequest: null,
      createdAt,
      updatedAt: createdAt,
      archivedAt: null,
    });
    this.#queue.add(id);
    return job;
  }

  get(projectId: string, id: string): AgentJobRecord | undefined {
    const job = this.#store.get(id);
    return job?.projectId === projectId ? job : undefined;
  }

  /** Gives a job another prompt, which it follows after those it has. */
  async message(id: string, prompt: string): Promise<AgentJobRecord> {
    const requestedAt = this.#timestamp();
    const job = await this.#change(id, ({ turns }) => ({
      status: "active",
      turns: [...turns, { prompt, requestedAt, state: "waiting" }],
      archivedAt: null,
    }));
    this.#queue.add(id);
    return job;
  }

  /** Archives jobs that ended long ago, without what their agents printed; forgets those archived as long ago again. */
  async archiveOldJobs(): Promise<void> {
    const time = this.#now();
    const isOld = (since: string) => Date.parse(since) + archiveAfterMs <= time;
    for (const job of this.#store.list()) {
      if (job.status === "archived" && isOld(job.archivedAt ?? job.updatedAt))
        await this.#store.remove(job.id);
      if (job.status !== "completed" && job.status !== "failed") continue;
      if (!isOld(job.updatedAt)) continue;
      const archivedAt = new Date(time).toISOString();
      // The condition again: a message may have made the job active since.
      await this.#store.update(job.id, (current) =>
        current.status === "active" ? current : { ...current, status: "archived", archivedAt },
      );
      for (const turn of job.turns.keys()) {
        await rm(join(this.#setup.logDirectory, `${job.id}-${turn}.log`), { force: true });
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#queue[Symbol.asyncDispose]();
  }

  /** Follows the waiting prompts of one job; when aborted, leaves it as it is for the next start. */
  async #run(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const job = this.#store.get(id);
      const turn = job?.turns.findIndex(({ state }) => state === "waiting") ?? -1;
      if (job === undefined || turn < 0) return;
      try {
        const onStart = (base: string) => this.#change(id, () => ({ base }));
        const pullRequest = await runTurn(job, turn, this.#setup, onStart, signal);
        await this.#change(id, (current) => endTurn(current, turn, { state: "done", pullRequest }));
      } catch (error) {
        if (signal.aborted) return;
        // An expected failure in its own words; a defect with where it happened.
        const failure = error instanceof ActionError ? error.message : stackOf(error);
        this.#log.warning(`Agent job ${id} failed: ${failure}`);
        await this.#change(id, (current) => endTurn(current, turn, { state: "failed", failure }));
      }
    }
  }

  #change(id: string, change: (job: AgentJobRecord) => Partial<AgentJobRecord>): Promise<AgentJobRecord> {
    return this.#store.update(id, (job) => ({ ...job, ...change(job), updatedAt: this.#timestamp() }));
  }

  #timestamp(): string {
    return new Date(this.#now()).toISOString();
  }
}

/** What changes in a job after one of its prompts; it stays active while others wait, and ends as the last one did. */
function endTurn(job: AgentJobRecord, turn: number, end: TurnEnd): Partial<AgentJobRecord> {
  const { state } = end;
  const failure = state === "failed" ? { failure: end.failure } : {};
  const turns = job.turns.map((entry, index) => (index === turn ? { ...entry, state, ...failure } : entry));
  const isWaiting = turns.some((entry) => entry.state === "waiting");
  const ended = state === "failed" ? "failed" : "completed";
  const pullRequest = (state === "done" ? end.pullRequest : undefined) ?? job.pullRequest;
  return { turns, pullRequest, status: isWaiting ? "active" : ended };
}
