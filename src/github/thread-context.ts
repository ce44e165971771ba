/** What was said on a thread before the trigger, reduced to what GitHub shows of it. */
import { newestInTime } from "../base/markdown-cost.ts";
import type { Clock } from "../base/runtime.ts";
import { type Comment, orderByThread } from "./comments.ts";
import type { WrittenEvent } from "./event.ts";
import { type RemovedContent, stripInvisibleCharacters, type VisibleText } from "./invisible-characters.ts";
import { hasMarker } from "./record-signer.ts";
import { keepVisibleText } from "./visible-text.ts";

/** Material from people or from the repository, as a prompt quotes it. */
export interface QuotedPiece {
  /** What it is: "issue #12", "comment". */
  readonly title: string;
  readonly author?: string | undefined;
  readonly time?: string | undefined;
  readonly url?: string | undefined;
  readonly text: string;
  /** `first` pieces are always there; of `recent` ones, given oldest first, the newest are kept. */
  readonly rank: "first" | "recent";
}

export interface ThreadContext extends RemovedContent {
  /**
   * The issue, pull request or discussion itself, and comments older than the trigger, oldest first; in a discussion thread
   * by thread, the trigger comment's last.
   */
  readonly pieces: readonly QuotedPiece[];
  /** Comments left out because they came, or were changed, after the trigger. */
  readonly changedSince: number;
  /** Older comments that were not read, because the newer ones are long enough, or took long enough to read. */
  readonly unread: number;
}

/** Ten times what a prompt has room for; reading more would only cost time. */
const maxSourceCharacters = 600_000;

/**
 * Reads the context of a trigger: the thread as the event told it, and the comments that were there before it.
 *
 * @throws the signal's reason when it aborts, between two comments.
 */
export async function readThreadContext(
  event: WrittenEvent,
  comments: readonly Comment[],
  run: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<ThreadContext> {
  const { thread, text } = event;
  const triggerMs = Date.parse(text.changedAt);
  const others = comments.filter(({ nodeId, body }) => nodeId !== text.nodeId && !hasMarker(body));
  // A comment without a readable time is not known to be older.
  const older = others.filter(({ updatedAt }) => Date.parse(updatedAt) <= triggerMs);
  const removed = { hiddenSegments: 0, invisibleCharacters: 0 };
  const show = (visible: VisibleText): string => {
    removed.hiddenSegments += visible.hiddenSegments;
    removed.invisibleCharacters += visible.invisibleCharacters;
    return visible.text;
  };
  const isSubjectTheTrigger = text.kind === "issue" || text.kind === "discussion";
  const subject: QuotedPiece = {
    rank: "first",
    title: `${thread.kind.replace("-", " ")} #${thread.number}`,
    author: thread.author?.login,
    time: thread.createdAt,
    url: thread.url,
    text: [
      show(stripInvisibleCharacters(thread.title)),
      ...(isSubjectTheTrigger ? [] : [show(keepVisibleText(thread.body))]),
    ].join("\n\n"),
  };
  const shown: QuotedPiece[] = [];
  let room = maxSourceCharacters;
  const inOrder = orderByThread(older, thread.triggerComment);
  for await (const { author, createdAt, url, body, parentId } of newestInTime(inOrder, run)) {
    room -= body.length;
    if (room < 0) break;
    shown.unshift({
      rank: "recent",
      // A discussion's comment has its number at the end of its address.
      title: parentId === undefined ? "comment" : `reply to comment ${parentId}`,
      author: author?.login,
      time: createdAt,
      url,
      text: show(keepVisibleText(body)),
    });
  }
  const changedSince = others.length - older.length;
  return { pieces: [subject, ...shown], changedSince, unread: older.length - shown.length, ...removed };
}
