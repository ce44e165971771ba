/** Comments of one thread, whatever its kind: an issue's or pull request's conversation, or a discussion. */
import { statusOfCause } from "../errors.ts";
import type { Account, Thread } from "../event/event.ts";

/** A comment as GitHub shows it. */
export interface Comment {
  /** Number that grows with every comment of the repository, replies included. */
  readonly id: number;
  readonly nodeId: string;
  /** Number of the top-level comment that it replies to; only discussions have replies. */
  readonly parentId?: number;
  readonly author: Account | undefined;
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ThreadComments {
  /**
   * All comments and replies, oldest first; with `since`, those created or changed since then. Of more than a hundred
   * replies to one comment, a change to an old one may then go unseen.
   */
  list(options?: { readonly since?: string }): Promise<readonly Comment[]>;
  /** One comment as it is now; `undefined` where it was deleted. */
  read(comment: Pick<Comment, "id" | "nodeId">): Promise<Comment | undefined>;
  create(body: string): Promise<Comment>;
  update(comment: Pick<Comment, "id" | "nodeId">, body: string): Promise<Comment>;
  remove(comment: Pick<Comment, "id" | "nodeId">): Promise<void>;
}

/** The part of a thread that finds its comments, and the place of a new one. */
export type ThreadAddress = Pick<Thread, "kind" | "number" | "nodeId" | "asking">;

/** The `permissions:` line that writing on a thread needs. */
export function permissionToWrite(kind: Thread["kind"]): string {
  return { issue: "issues: write", "pull-request": "pull-requests: write", discussion: "discussions: write" }[
    kind
  ];
}

/** What a request found; `undefined` where GitHub says that it is not there. */
export async function unlessGone<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    if (statusOfCause(error) === 404) return undefined;
    throw error;
  }
}
