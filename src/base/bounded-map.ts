/** A map with a maximum total size. When it is exceeded, the oldest entries are removed. */
export class BoundedMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly size: number }>();
  readonly #maxSize: number;
  #size = 0;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value;
  }

  set(key: string, value: Value, size: number): void {
    this.#size += size - (this.#entries.get(key)?.size ?? 0);
    // A map keeps the order of insertion: deleting the key first makes it the newest.
    this.#entries.delete(key);
    this.#entries.set(key, { value, size });
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#maxSize) return;
      this.#entries.delete(oldest);
      this.#size -= entry.size;
    }
  }
}
