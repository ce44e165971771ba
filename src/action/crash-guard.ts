/** Turns an exception that nobody caught into a rejection, so that such a run, too, ends with outcome and summary. */
export interface CrashGuard extends Disposable {
  /** Never resolves; rejects with the exception. */
  readonly crashed: Promise<never>;
}

/** Watches until it is disposed of; an exception that a narrower guard listens for is left to that guard. */
export function createCrashGuard(process: NodeJS.EventEmitter): CrashGuard {
  const { promise: crashed, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it rejects: that is no second crash.
  crashed.catch(() => undefined);
  const onCrash = (error: unknown) => {
    if (process.listenerCount("uncaughtException") === 1) reject(error);
  };
  process.on("uncaughtException", onCrash);
  return { crashed, [Symbol.dispose]: () => void process.off("uncaughtException", onCrash) };
}
