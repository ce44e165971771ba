import * as z from "zod/mini";
import { JobFailedError } from "../../base/errors.ts";
import type { Log } from "../../base/runtime.ts";
import { withLogFields } from "./log.ts";
import type { Dated, Records } from "./storage.ts";

/** How often work on a record was begun: the field by which a worker that was taken for dead is told from its successor. */
export const attempts = z._default(z.int(), 0);

/** Another worker has begun with the record, or it was ended: what this one does is of no use any more. */
export class SupersededError extends Error {
  override readonly name = "SupersededError";
}

/** Work is not begun more often: what ends its worker each time would go on for ever. */
const maxAttempts = 10;

/**
 * Begins to work on a record. Every change that the attempt makes afterwards needs the record to be still its own.
 *
 * @param change What else changes with the beginning. It throws a SupersededError where there is nothing to do.
 */
export async function beginAttempt<Value extends Dated & { readonly attempt: number }>(
  records: Records<Value>,
  id: string,
  change: (value: Value) => Value,
) {
  const record = await records.update(id, (value) => ({ ...change(value), attempt: value.attempt + 1 }));
  const { attempt } = record;
  return {
    record,
    /**
     * @param pieces How many pieces of work the record has brought so far.
     * @throws {JobFailedError} when work on this was begun too often.
     */
    requireFew(pieces = 1): void {
      if (attempt <= maxAttempts * pieces) return;
      throw new JobFailedError(`The work was interrupted ${maxAttempts} times, and is not begun again.`);
    },
    /** @throws {SupersededError} when another attempt has begun. */
    change: (changed: (value: Value) => Value) =>
      records.update(id, (value) => {
        if (value.attempt !== attempt) throw new SupersededError(`Attempt ${attempt} was superseded.`);
        return changed(value);
      }),
  };
}

/** The same work, whose log lines name the job; that it was superseded is no failure, and is in the log only. */
export function unlessSuperseded(run: (id: string, signal: AbortSignal) => Promise<void>, log: Log) {
  return async (id: string, signal: AbortSignal): Promise<void> => {
    try {
      await withLogFields({ jobId: id }, () => run(id, signal));
    } catch (error) {
      if (!(error instanceof SupersededError)) throw error;
      log.info(`${id} is not worked on any further here: ${error.message}`);
    }
  };
}
