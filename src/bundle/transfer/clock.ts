/** Time as the transfer needs it; waits are a dependency so that tests can make them short. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** @throws the signal's reason when it aborts */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
