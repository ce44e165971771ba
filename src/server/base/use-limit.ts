import { ApiError } from "./http.ts";

/** Allows a number of uses of each key within any window of that length. */
export class UseLimit {
  readonly #usesByKey = new Map<string, number[]>();
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #now: () => number;

  /** @param earlier Uses of before a restart, which count: the key, and the time in milliseconds since 1970. */
  constructor(
    limit: number,
    windowMs: number,
    now: () => number,
    earlier: readonly { readonly key: string; readonly at: number }[] = [],
  ) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#now = now;
    const inOrder = earlier.toSorted((one, other) => one.at - other.at);
    for (const { key, at } of inOrder) this.#usesByKey.set(key, [...(this.#usesByKey.get(key) ?? []), at]);
  }

  /** Uses once. @throws {ApiError} 429 with the message, and the seconds until there is room again; then nothing was used. */
  use(key: string, message: string): void {
    const time = this.#now();
    const uses = (this.#usesByKey.get(key) ?? []).filter((at) => at > time - this.#windowMs);
    const oldest = uses.at(-this.#limit);
    if (oldest !== undefined) {
      const seconds = Math.max(1, Math.ceil((oldest + this.#windowMs - time) / 1000));
      throw new ApiError(429, message, { "retry-after": String(seconds) });
    }
    this.#usesByKey.set(key, [...uses, time]);
  }
}
