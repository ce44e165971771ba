/** Jobs, which workers process in attempts. Only the latest attempt can change a job's record. */
import { randomBytes } from "node:crypto";
import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { PlatformContext } from "./context.ts";
import { ApiError } from "./http.ts";
import { withLogFields } from "./log.ts";
import { shareWhileRunning } from "./shared-work.ts";
import { type Records, StorageUnavailableError, type Work } from "./storage.ts";

/** Fields of each job's record. */
export const jobFields = {
  /** Why the job failed; shown to clients. */
  error: z.optional(z.string()),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  /** Number of attempts started; cancelling the job increases it too. */
  attempt: z._default(z.int(), 0),
  /** Attempts for earlier prompts, and those that were handed back because the process ended or storage was unavailable. */
  uncountedAttempts: z._default(z.int(), 0),
};

type JobRecord = { readonly status: string } & z.infer<z.ZodMiniObject<typeof jobFields>>;

interface JobKind<Job extends JobRecord> {
  readonly records: Records<Job>;
  /** What clients call such a job. */
  readonly noun: string;
  readonly queue: string;
  /** The statuses of jobs that wait or are being processed; those that a worker continues first come last. */
  readonly unfinished: readonly Job["status"][];
  readonly workOf: (job: Job) => Work & { readonly id: string };
}

/** What processing jobs depends on. */
export type JobDeps = Pick<PlatformContext, "storage" | "runsJobs" | "log" | "observer" | "now">;

/** An attempt to process a job. */
export type Attempt<Job extends JobRecord> = Awaited<ReturnType<typeof beginAttempt<Job>>>;

/** The job was cancelled or has ended, or another worker has started an attempt: the work of this attempt is discarded. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";
}

/** Limits retries of a job that crashes its worker each time. */
const maxAttempts = 10;
/** How often an attempt checks whether it was superseded. */
const checkEveryMs = 2000;

/**
 * Processes the jobs of a kind until disposal, if this process runs jobs. Those that an earlier process left unfinished are continued.
 *
 * @param started Fields that a job has as soon as an attempt starts.
 * @param run Processes a job and records its end. It throws if the job was handed back.
 */
export async function startJobs<Job extends JobRecord>(
  kind: JobKind<Job>,
  concurrency: number,
  started: Partial<Job>,
  run: (attempt: Attempt<Job>) => Promise<void>,
  deps: JobDeps,
): Promise<AsyncDisposable | undefined> {
  const { queue, records, unfinished, workOf } = kind;
  const { storage, runsJobs, log } = deps;
  if (!runsJobs) return undefined;
  const findUnfinished = async () => {
    const found = unfinished.map((status) => records.list({ where: { status } as Partial<Job> }));
    return (await Promise.all(found)).flat().toReversed().map(workOf);
  };
  const runOne = async (id: string, signal: AbortSignal) => {
    try {
      using attempt = await beginAttempt(id, kind, started, signal, deps);
      await run(attempt);
    } catch (error) {
      if (signal.aborted) return log.debug(`Job ${id} was handed back.`);
      if (error instanceof StorageUnavailableError)
        log.warning(`Job ${id} is continued later: ${error.message}`);
      if (!(error instanceof SupersededError)) throw error;
      log.info(`Stopped processing job ${id}: ${error.message}`);
    }
  };
  return storage.startWork({ queue, concurrency, findUnfinished }, (id, signal) =>
    withLogFields({ jobId: id }, () => runOne(id, signal)),
  );
}

/** Cancels a job; a worker that is processing it stops. @throws {ApiError} 409 if it has ended. */
export function cancelJob<Job extends JobRecord>(
  id: string,
  { records, noun, unfinished }: JobKind<Job>,
  { now }: JobDeps,
): Promise<Job> {
  return records.update(id, (job) => {
    if (!unfinished.includes(job.status))
      throw new ApiError(409, `The ${noun} has ended: its status is ${job.status}.`);
    const updatedAt = new Date(now()).toISOString();
    return {
      ...job,
      status: "failed",
      error: `The ${noun} was cancelled.`,
      attempt: job.attempt + 1,
      updatedAt,
    };
  });
}

/**
 * Starts an attempt to process a job. The attempt can change the job until another attempt starts or the job ends.
 *
 * @param ending Aborts when the process shuts down.
 */
async function beginAttempt<Job extends JobRecord>(
  id: string,
  { queue, records, unfinished }: JobKind<Job>,
  started: Partial<Job>,
  ending: AbortSignal,
  { log, observer, now }: JobDeps,
) {
  const superseded = new AbortController();
  const withTime = (job: Job): Job => ({ ...job, updatedAt: new Date(now()).toISOString() });
  const requireUnfinished = ({ status }: Job) => {
    if (!unfinished.includes(status)) throw new SupersededError("The job has ended.");
  };
  const job = await records.update(id, (current) => {
    requireUnfinished(current);
    return withTime({ ...current, ...started, attempt: current.attempt + 1 });
  });
  const startedAt = now();
  const requireCurrent = (current: Job | undefined) => {
    if (current?.attempt === job.attempt) return;
    superseded.abort(new SupersededError(`Attempt ${job.attempt} was superseded.`));
    superseded.signal.throwIfAborted();
  };
  // Errors are ignored: `requireCurrent` has aborted the signal, or the record could not be read this time.
  const check = shareWhileRunning(async () => requireCurrent(await records.get(id)));
  const checking = setInterval(() => check().catch(() => undefined), checkEveryMs).unref();
  const change = (changed: (current: Job) => Job) =>
    records.update(id, (current) => {
      requireCurrent(current);
      requireUnfinished(current);
      return withTime(changed(current));
    });
  return {
    job,
    /** Name of the attempt's files. It is unique, also if the records were restored from a backup and attempts are counted again. */
    name: `${job.attempt}-${randomBytes(4).toString("hex")}`,
    /** Aborts when another attempt has started, the job was cancelled, or the process shuts down. */
    signal: AbortSignal.any([ending, superseded.signal]),
    isSuperseded: () => superseded.signal.aborted,
    /** @throws {JobFailedError} if no attempts are left. */
    requireAttemptsLeft(): void {
      if (job.attempt - job.uncountedAttempts <= maxAttempts) return;
      throw new JobFailedError(`The job was interrupted ${maxAttempts} times and is not retried again.`);
    },
    /** @throws if another attempt has started, or the job has ended. */
    change,
    /** Like `change`, for the change that ends the job. */
    async end(changed: (current: Job) => Job): Promise<void> {
      const { status: result } = await change(changed);
      const seconds = (now() - startedAt) / 1000;
      log.debug(`Job ${id} of the queue ${queue} ${result} after ${seconds} s.`);
      observer.job({ queue, result, seconds });
    },
    /**
     * Hands the job back for another attempt if the error is not the job's fault: the process is shutting down, storage is
     * unavailable, or another attempt has started.
     *
     * @throws if the job was handed back.
     */
    async handBack(error: unknown): Promise<void> {
      superseded.signal.throwIfAborted();
      if (!ending.aborted && !(error instanceof StorageUnavailableError)) return;
      const recorded = records.update(id, (current) => {
        requireCurrent(current);
        return { ...current, uncountedAttempts: current.uncountedAttempts + 1 };
      });
      // If this cannot be recorded, the attempt counts as a failed one.
      await recorded.catch(() => undefined);
      superseded.signal.throwIfAborted();
      throw error;
    },
    [Symbol.dispose]: () => clearInterval(checking),
  };
}
