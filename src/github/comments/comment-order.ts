/** How the replies of a discussion stand to each other, and to the comment that asks; elsewhere there are only comments. */
import type { AskingComment } from "../event/event.ts";
import type { Comment } from "./comment.ts";

type Place = Pick<Comment, "id" | "parentId">;

/** Each comment with its replies after it, the thread of the comment that asks last; otherwise oldest first. */
export function orderByThread<Item extends Place>(
  comments: readonly Item[],
  asking: AskingComment | undefined,
): Item[] {
  const isNear = (comment: Item) => Number(topOf(comment) === asking?.topId);
  return comments.toSorted(
    (one, other) => isNear(one) - isNear(other) || topOf(one) - topOf(other) || one.id - other.id,
  );
}

/**
 * The comments whose conversation a question may go on with, the nearest last: those that answer the discussion itself,
 * then those of the question's own thread. What was said in other threads is not among them.
 */
export function pickConversation<Item extends Place>(
  comments: readonly Item[],
  asking: AskingComment | undefined,
): Item[] {
  const isNear = (comment: Item) => topOf(comment) === asking?.topId;
  const isTop = ({ parentId }: Item) => parentId === undefined;
  return [...comments.filter((comment) => isTop(comment) && !isNear(comment)), ...comments.filter(isNear)];
}

function topOf({ id, parentId = id }: Place): number {
  return parentId;
}
