import type { ClaimRecord } from "../../src/base/claim-record.ts";
import type { ClaimStore, StoredClaim } from "../../src/github/claims.ts";

/** A place for records in memory, with a clock of its own, shared by the runs of one test. */
export interface MemoryClaims extends ClaimStore {
  /** Records as they stand, oldest first. */
  readonly records: () => readonly ClaimRecord[];
  /** Every state that was written, in order. */
  readonly history: readonly string[];
}

/** Makes a store; `now` in milliseconds tells the age of records. */
export function createMemoryClaims(now: () => number): MemoryClaims {
  const kept = new Map<number, { record: ClaimRecord; changedMs: number }>();
  const history: string[] = [];
  let lastId = 0;
  const stored = (
    id: number,
    { record, changedMs }: { record: ClaimRecord; changedMs: number },
  ): StoredClaim => ({
    id,
    record,
    url: `https://github.example/comments/${id}`,
    ageMs: now() - changedMs,
  });
  const put = (id: number, record: ClaimRecord): StoredClaim => {
    const entry = { record, changedMs: now() };
    kept.set(id, entry);
    history.push(record.outcome === undefined ? record.state : `${record.state}: ${record.outcome}`);
    return stored(id, entry);
  };
  return {
    history,
    records: () => [...kept.values()].map(({ record }) => record),
    list: async () => [...kept].map(([id, entry]) => stored(id, entry)),
    async reread({ id }) {
      const entry = kept.get(id);
      return entry && stored(id, entry);
    },
    async create(record) {
      lastId += 1;
      return put(lastId, record);
    },
    update: async ({ id }, record) => put(id, record),
    async remove({ id }) {
      kept.delete(id);
    },
  };
}
