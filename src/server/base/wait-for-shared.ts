import { addAbortListener } from "node:events";

/** Waits for work that others may be waiting for too. Aborting ends only this wait. @throws the signal's reason when it aborts. */
export async function waitForShared<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _listening = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, aborted]);
}
