/** Reads the context of a trigger: the visible text of earlier comments on its thread and in review threads. */
import {
  type RemovedContent,
  stripInvisibleCharacters,
  toVisibleLine,
  type VisibleText,
} from "../base/invisible-characters.ts";
import { newestWithinTimeLimit } from "../base/markdown-cost.ts";
import type { Clock } from "../base/runtime.ts";
import { type Comment, orderByThread } from "./comments.ts";
import type { DiffLocation, TextEvent } from "./event.ts";
import { hasMarker } from "./may-trigger.ts";
import { isFromBefore, type ReviewComment, type ReviewThread, type ReviewThreads } from "./review-threads.ts";
import { keepVisibleText } from "./visible-text.ts";

/** An untrusted text that a prompt quotes. */
export interface QuotedPiece {
  /** Its type, such as "issue #12" or "comment". */
  readonly title: string;
  readonly author?: string | undefined;
  readonly time?: string | undefined;
  readonly url?: string | undefined;
  readonly text: string;
  /** `first` pieces are always quoted; of the `recent` pieces, sorted oldest first, the newest are kept. */
  readonly rank: "first" | "recent";
}

/** A comment to quote; a review comment with its thread. */
interface Quotable {
  readonly title: string;
  readonly comment: Comment;
  readonly thread?: ReviewThread;
}

/** Maximum characters that are read: ten times the length of a prompt. */
const maxSourceCharacters = 600_000;

/** The review threads and reviews of a pull request. `isTextTheRequest`: the event's text is the request, so it is not quoted. */
type ThreadMaterial = Partial<Pick<ReviewThreads, "threads" | "reviews">> & {
  readonly isTextTheRequest?: boolean;
};

/**
 * Reads the context of a trigger: the thread from the event, earlier comments, and unresolved review threads, all reduced to visible
 * text. Our own comments are excluded. So are the diff lines of the trigger itself: see `quoteLocation`.
 *
 * @returns as `pieces`, the issue, pull request or discussion itself, then the comments before the trigger, oldest first. In a
 *   discussion, they are sorted by thread, the trigger comment's last. Unresolved review threads are included with their lines: after
 *   the conversation if the trigger is part of a review, otherwise before it.
 * @throws the signal's reason if it aborts between two comments.
 */
export async function readThreadContext(
  event: TextEvent,
  comments: readonly Comment[],
  run: { readonly clock: Clock; readonly signal: AbortSignal },
  { threads = [], reviews = [], isTextTheRequest = true }: ThreadMaterial = {},
): Promise<RemovedContent & { readonly pieces: readonly QuotedPiece[] }> {
  const { thread, text } = event;
  const request = { requestedAt: text.changedAt, reviewId: event.reviewId };
  const inOrder = orderByThread(
    comments.filter(({ isReviewComment }) => !isReviewComment),
    thread.triggerComment,
  );
  const isQuotable = ({ nodeId, body, isMinimized }: Comment) =>
    nodeId !== text.nodeId && !isMinimized && !hasMarker(body);
  const older: readonly Quotable[] = [
    ...inOrder
      .filter(({ updatedAt }) => Date.parse(updatedAt) <= Date.parse(text.changedAt))
      .map((comment) => ({ title: titleOf(comment), comment })),
    ...reviews
      .filter((comment) => isFromBefore(comment, request))
      .map((comment) => ({ title: "review", comment })),
  ].filter(({ comment }) => isQuotable(comment));
  const inReviews = pickReviewComments(event, threads);
  const removed = { hiddenSegments: 0, invisibleCharacters: 0 };
  const countRemoved = (visible: VisibleText): string => {
    removed.hiddenSegments += visible.hiddenSegments;
    removed.invisibleCharacters += visible.invisibleCharacters;
    return visible.text;
  };
  const isSubjectTheTrigger = isTextTheRequest && (text.kind === "issue" || text.kind === "discussion");
  const subject: QuotedPiece = {
    rank: "first",
    title: `${thread.kind.replace("-", " ")} #${thread.number}`,
    author: thread.author?.login,
    time: thread.createdAt,
    url: thread.url,
    text: [
      countRemoved(stripInvisibleCharacters(thread.title)),
      ...(isSubjectTheTrigger ? [] : [countRemoved(keepVisibleText(thread.body))]),
    ].join("\n\n"),
  };
  // Reviews have a separate series of IDs, so they are sorted by time. Discussions have no reviews.
  const conversation =
    thread.kind === "discussion"
      ? older
      : older.toSorted(
          (one, other) => Date.parse(one.comment.createdAt) - Date.parse(other.comment.createdAt),
        );
  const isReview = event.reviewId !== undefined || event.location !== undefined;
  const quotable = isReview ? [...conversation, ...inReviews] : [...inReviews, ...conversation];
  const pieces: QuotedPiece[] = [];
  let remaining = maxSourceCharacters;
  let currentThread: ReviewThread | undefined;
  const addLines = () => {
    if (currentThread && !isOwnThread(currentThread, event))
      pieces.unshift(quoteHunk("lines under review", currentThread.location));
  };
  for await (const { title, comment, thread: reviewThread } of newestWithinTimeLimit(quotable, run)) {
    remaining -= comment.body.length;
    if (remaining < 0) break;
    if (reviewThread !== currentThread) addLines();
    currentThread = reviewThread;
    pieces.unshift({
      rank: "recent",
      title,
      author: comment.author?.login,
      time: comment.createdAt,
      url: comment.url,
      text: countRemoved(keepVisibleText(comment.body)),
    });
  }
  addLines();
  return { pieces: [subject, ...pieces], ...removed };
}

function titleOf({ parentId }: Comment): string {
  // The URL of a discussion comment ends in its ID.
  return parentId === undefined ? "comment" : `reply to comment ${parentId}`;
}

/** Whether the trigger is in a review thread. */
function isOwnThread({ topId, comments }: ReviewThread, { location, thread, text }: TextEvent): boolean {
  if (!location) return false;
  return topId === thread.triggerComment?.topId || comments.some(({ id }) => id === text.id);
}

/**
 * The comments of unresolved review threads and of the trigger's own thread, sorted by thread: the thread with the newest comment is
 * last, except for the trigger's own, which comes after it.
 */
function pickReviewComments(event: TextEvent, threads: readonly ReviewThread[]) {
  const { text, location, reviewId } = event;
  const request = { requestedAt: text.changedAt, reviewId };
  const isQuotable = ({ id, body, isMinimized }: ReviewComment) =>
    !(location && id === text.id) && !isMinimized && !hasMarker(body);
  const picked = threads
    .filter((thread) => !thread.isResolved || isOwnThread(thread, event))
    .map((thread) => {
      const older = thread.comments.filter(
        (comment) => isQuotable(comment) && isFromBefore(comment, request),
      );
      const lastMs = isOwnThread(thread, event)
        ? Number.POSITIVE_INFINITY
        : Date.parse(older.at(-1)?.publishedAt ?? "");
      return { thread, older, lastMs };
    });
  return picked
    .filter(({ older }) => older.length > 0)
    .sort((one, other) => one.lastMs - other.lastMs)
    .flatMap(({ older, thread }) => {
      const title = `review comment on ${describeLocation(thread.location)}`;
      return older.map((comment): Quotable => ({ title, comment, thread }));
    });
}

/** The diff lines of a review comment that triggered the run. */
export function quoteLocation({ location }: TextEvent): QuotedPiece[] {
  return location
    ? [{ ...quoteHunk("the lines that the review comment is about", location), rank: "first" }]
    : [];
}

function quoteHunk(title: string, location: DiffLocation): QuotedPiece {
  const [head = "", ...lines] = location.hunk.split("\n");
  // A hunk ends at the commented line.
  const end = lines.length <= maxHunkLines ? lines : ["…", ...lines.slice(-maxHunkLines)];
  const hunk = stripInvisibleCharacters([head, ...end].join("\n")).text;
  return { title, text: `${describeLocation(location)}\n\n${hunk}`, rank: "recent" };
}

function describeLocation({ path, line }: DiffLocation): string {
  return `${toVisibleLine(path)}${line === undefined ? "" : `, line ${line}`}`;
}

/** Maximum lines of a hunk up to the commented line; GitHub shows four. */
const maxHunkLines = 60;
