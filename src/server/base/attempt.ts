import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { withLogFields } from "./log.ts";
import { type Dated, type Records, StorageUnavailableError } from "./storage.ts";

/** Record fields that count the attempts to process a job. Only the latest attempt may change the record. */
export const attemptFields = {
  /** Number of attempts started; cancelling the job increases it too. */
  attempt: z._default(z.int(), 0),
  /** Attempts that were handed back unfinished because the process ended or storage was unavailable. */
  handedBack: z._default(z.int(), 0),
};

interface Attempted extends Dated {
  readonly attempt: number;
  readonly handedBack: number;
}

/** Another worker has started an attempt, or the job was cancelled: the work of this attempt is discarded. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";
}

/** Limits retries of a job that crashes its worker each time. */
const maxAttempts = 10;
/** How often an attempt checks whether it was superseded. */
const checkEveryMs = 2000;

/**
 * Starts an attempt to process a record. The attempt can change the record until another attempt starts.
 *
 * @param change Applied together with the new attempt number; throws a SupersededError if there is nothing to do.
 */
export async function beginAttempt<Value extends Attempted>(
  records: Records<Value>,
  id: string,
  change: (value: Value) => Value,
) {
  const record = await records.update(id, (value) => ({ ...change(value), attempt: value.attempt + 1 }));
  const { attempt, handedBack } = record;
  const superseded = new AbortController();
  const requireCurrent = (value: Attempted | undefined) => {
    if (value?.attempt === attempt) return;
    const error = new SupersededError(`Attempt ${attempt} was superseded.`);
    superseded.abort(error);
    throw error;
  };
  // Errors are ignored: `requireCurrent` has aborted the signal, or the record could not be read this time.
  const check = () =>
    records
      .get(id)
      .then(requireCurrent)
      .catch(() => undefined);
  const checking = setInterval(check, checkEveryMs).unref();
  return {
    record,
    /** Aborts when another attempt has started, or the job was cancelled. */
    signal: superseded.signal,
    /**
     * @param tasks Number of tasks that the record has had so far; each may use `maxAttempts`.
     * @throws {JobFailedError} if no attempts are left.
     */
    requireAttemptsLeft(tasks = 1): void {
      if (attempt - handedBack <= maxAttempts * tasks) return;
      throw new JobFailedError(`The job was interrupted ${maxAttempts} times and is not retried again.`);
    },
    /** @throws {SupersededError} if another attempt has started. */
    change: (changed: (value: Value) => Value) =>
      records.update(id, (value) => {
        requireCurrent(value);
        return changed(value);
      }),
    /**
     * Hands the job back for another attempt if the error is not the job's fault: the process is shutting down, storage is
     * unavailable, or another attempt has started.
     *
     * @param signal Aborts when the process shuts down.
     * @returns whether the job was handed back.
     */
    async handBack(error: unknown, signal: AbortSignal): Promise<boolean> {
      if (superseded.signal.aborted) return true;
      if (!signal.aborted && !(error instanceof StorageUnavailableError)) return false;
      const recorded = records.update(id, (value) => {
        requireCurrent(value);
        return { ...value, handedBack: value.handedBack + 1 };
      });
      // If this cannot be recorded, the attempt counts as a failed one.
      await recorded.catch(() => undefined);
      return true;
    },
    [Symbol.dispose]: () => clearInterval(checking),
  };
}

/** Cancels a job; a worker that is processing it stops. If `end` throws, the job stays unchanged. */
export function cancelJob<Value extends Attempted>(
  records: Records<Value>,
  id: string,
  end: (value: Value) => Value,
): Promise<Value> {
  return records.update(id, (value) => ({ ...end(value), attempt: value.attempt + 1 }));
}

/** Adds the job id to the log lines of `run`. A superseded attempt is logged and is not an error. */
export function withJobLog(run: (id: string, signal: AbortSignal) => Promise<void>, log: Log) {
  return async (id: string, signal: AbortSignal): Promise<void> => {
    try {
      await withLogFields({ jobId: id }, () => run(id, signal));
    } catch (error) {
      if (signal.aborted) return log.debug(`Job ${id} was handed back.`);
      if (!(error instanceof SupersededError)) throw error;
      log.info(`Stopped processing job ${id}: ${error.message}`);
    }
  };
}
