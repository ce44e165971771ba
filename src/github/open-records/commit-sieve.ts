/** Tells the commits with an open record of the agent from all others, by what GraphQL says of their statuses. */
import { z } from "zod";
import { isOpenAgentStatus } from "../claims/status-claims.ts";

/** The fields of `MarkedCommit`, as a selection. */
export const commitFields = "id oid committedDate status { contexts { context state createdAt } }";

/** A commit with the newest status of each context. */
export const MarkedCommit = z.object({
  id: z.string(),
  oid: z.string(),
  committedDate: z.string(),
  status: z
    .object({
      contexts: z.array(z.object({ context: z.string(), state: z.string(), createdAt: z.string() })),
    })
    .nullable(),
});
export type MarkedCommit = z.infer<typeof MarkedCommit>;

/** Commits seen so far, and those of them with an open record since a time. */
export class CommitSieve {
  readonly #sinceMs: number;
  readonly #seen = new Set<string>();
  readonly #marked: string[] = [];

  constructor(since: string) {
    this.#sinceMs = Date.parse(since);
  }

  /** Commits with an open record, in the order in which they were seen. */
  get marked(): readonly string[] {
    return this.#marked;
  }

  isRecent(time: string): boolean {
    return Date.parse(time) >= this.#sinceMs;
  }

  /** Looks at a commit; false for one that was seen before. */
  take({ oid, status }: MarkedCommit): boolean {
    if (this.#seen.has(oid)) return false;
    this.#seen.add(oid);
    const isOpen = status?.contexts.some(
      (status) => isOpenAgentStatus(status) && this.isRecent(status.createdAt),
    );
    if (isOpen) this.#marked.push(oid);
    return true;
  }
}
