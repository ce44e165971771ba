import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { withLogFields } from "./log.ts";
import { type Dated, type Records, StorageUnavailableError } from "./storage.ts";

/** The fields by which work on a record is told apart from earlier work on it. */
export const attemptFields = {
  /** How often work on it was begun, or ended by others. */
  attempt: z._default(z.int(), 0),
  /** How often work on it was given back undone, through no fault of its own. */
  handedBack: z._default(z.int(), 0),
};

interface Attempted extends Dated {
  readonly attempt: number;
  readonly handedBack: number;
}

/** Another worker has begun with the record, or it was ended: what this one does is of no use any more. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";
}

/** Work is not begun more often: what ends its worker each time would go on for ever. */
const maxAttempts = 10;
/** How soon a worker finds that it was superseded while it changes nothing. */
const checkEveryMs = 2000;

/**
 * Begins to work on a record. Every change that the attempt makes afterwards needs the record to be still its own.
 *
 * @param change What else changes with the beginning. It throws a SupersededError where there is nothing to do.
 */
export async function beginAttempt<Value extends Attempted>(
  records: Records<Value>,
  id: string,
  change: (value: Value) => Value,
) {
  const record = await records.update(id, (value) => ({ ...change(value), attempt: value.attempt + 1 }));
  const { attempt, handedBack } = record;
  const superseded = new AbortController();
  const requireOwn = (value: Attempted | undefined) => {
    if (value?.attempt === attempt) return;
    const error = new SupersededError(`Attempt ${attempt} was superseded.`);
    superseded.abort(error);
    throw error;
  };
  // Where the record cannot be read, nothing is known; and that it is another's is what the signal tells.
  const check = () =>
    records
      .get(id)
      .then(requireOwn)
      .catch(() => undefined);
  const checking = setInterval(check, checkEveryMs).unref();
  return {
    record,
    /** Aborts when another attempt has begun, or the job was ended. */
    signal: superseded.signal,
    /**
     * @param pieces How many pieces of work the record has brought so far.
     * @throws {JobFailedError} when work on this was begun too often.
     */
    requireFew(pieces = 1): void {
      if (attempt - handedBack <= maxAttempts * pieces) return;
      throw new JobFailedError(`The work was interrupted ${maxAttempts} times, and is not begun again.`);
    },
    /** @throws {SupersededError} when another attempt has begun. */
    change: (changed: (value: Value) => Value) =>
      records.update(id, (value) => {
        requireOwn(value);
        return changed(value);
      }),
    /**
     * Whether an error says nothing of the work itself: the process ends, the storage is away, or another attempt has begun. Then the work
     * is left to others.
     *
     * @param signal Aborts when the process ends.
     */
    async isForOthers(error: unknown, signal: AbortSignal): Promise<boolean> {
      if (superseded.signal.aborted) return true;
      if (!signal.aborted && !(error instanceof StorageUnavailableError)) return false;
      const noted = records.update(id, (value) => {
        requireOwn(value);
        return { ...value, handedBack: value.handedBack + 1 };
      });
      // Where it cannot be noted, the attempt counts.
      await noted.catch(() => undefined);
      return true;
    },
    [Symbol.dispose]: () => clearInterval(checking),
  };
}

/** Ends a job from outside: a worker that is on it stops. What `end` throws leaves the job as it is. */
export function endJob<Value extends Attempted>(
  records: Records<Value>,
  id: string,
  end: (value: Value) => Value,
): Promise<Value> {
  return records.update(id, (value) => ({ ...end(value), attempt: value.attempt + 1 }));
}

/** The same work, whose log lines name the job; that it was left to others is no failure. */
export function leavingToOthers(run: (id: string, signal: AbortSignal) => Promise<void>, log: Log) {
  return async (id: string, signal: AbortSignal): Promise<void> => {
    try {
      await withLogFields({ jobId: id }, () => run(id, signal));
    } catch (error) {
      if (signal.aborted) return log.debug(`${id} is handed back.`);
      if (!(error instanceof SupersededError)) throw error;
      log.info(`${id} is not worked on any further here: ${error.message}`);
    }
  };
}
