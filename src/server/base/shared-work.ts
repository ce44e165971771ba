/** Asynchronous work of concurrent calls: one after another, or shared. */
import { addAbortListener } from "node:events";

/** Creates a function that runs work one after another, in the order of the calls. A failure does not stop later work. */
export function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}

/** Wraps `work` so that concurrent calls share one run. */
export function shareWhileRunning<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Waits for work that others may be waiting for too. Aborting ends only this wait. @throws the signal's reason when it aborts. */
export async function waitForShared<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _listening = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, aborted]);
}
