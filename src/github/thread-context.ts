/** What was said on a thread, and on a pull request's diff, before the trigger, reduced to what GitHub shows of it. */
import { newestWithinTimeLimit } from "../base/markdown-cost.ts";
import type { Clock } from "../base/runtime.ts";
import { type Comment, orderByThread } from "./comments.ts";
import type { DiffLocation, WrittenEvent } from "./event.ts";
import {
  type RemovedContent,
  stripInvisibleCharacters,
  toVisibleLine,
  type VisibleText,
} from "./invisible-characters.ts";
import { hasMarker } from "./may-trigger.ts";
import type { ReviewComment, ReviewThread, ReviewThreads } from "./review-threads.ts";
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
   * by thread, the trigger comment's last. Unresolved review threads come with their lines: after the conversation if the
   * trigger is part of a review, otherwise before it.
   */
  readonly pieces: readonly QuotedPiece[];
  /** Comments left out because they came, or were changed, after the trigger. */
  readonly changedSince: number;
  /** Older comments that were not read, because the newer ones are long enough, or took long enough to read. */
  readonly unread: number;
}

/** A comment to quote, with what it is; one on a diff with its thread. */
interface Quotable {
  readonly title: string;
  readonly comment: Comment;
  readonly thread?: ReviewThread;
  /** True where it was submitted with the trigger, which GitHub may publish a moment earlier. */
  readonly isPartOfTrigger?: boolean;
}

/** Ten times what a prompt has room for; reading more would only cost time. */
const maxSourceCharacters = 600_000;

/** What there is besides the thread's comments, and whether the text of the event is quoted like any other. */
type ThreadMaterial = Partial<Pick<ReviewThreads, "threads" | "reviews">> & {
  readonly isTextTheRequest?: boolean;
};

/**
 * Reads the context of a trigger: the thread as the event told it, the comments that were there before it, and those of
 * unresolved review threads; of all of them once what people wrote and GitHub shows. The lines that the trigger itself
 * stands on are not among them: see `quoteLocation`.
 *
 * @throws the signal's reason when it aborts, between two comments.
 */
export async function readThreadContext(
  event: WrittenEvent,
  comments: readonly Comment[],
  run: { readonly clock: Clock; readonly signal: AbortSignal },
  { threads = [], reviews = [], isTextTheRequest = true }: ThreadMaterial = {},
): Promise<ThreadContext> {
  const { thread, text } = event;
  const triggerMs = Date.parse(text.changedAt);
  const inOrder = orderByThread(
    comments.filter(({ isReviewComment }) => !isReviewComment),
    thread.triggerComment,
  );
  const others = [
    ...inOrder.map((comment): Quotable => ({ title: titleOf(comment), comment })),
    ...reviews.map((comment): Quotable => {
      const isAsSubmitted = comment.updatedAt === comment.createdAt;
      return { title: "review", comment, isPartOfTrigger: isAsSubmitted && comment.id === event.reviewId };
    }),
  ].filter(
    ({ comment: { nodeId, body, isMinimized } }) =>
      nodeId !== text.nodeId && !isMinimized && !hasMarker(body),
  );
  // A comment without a readable time is not known to be older.
  const { older = [], newer = [] } = Object.groupBy(others, ({ comment, isPartOfTrigger }) =>
    isPartOfTrigger || Date.parse(comment.updatedAt) <= triggerMs ? "older" : "newer",
  );
  const onDiff = pickReviewComments(event, threads);
  const removed = { hiddenSegments: 0, invisibleCharacters: 0 };
  const show = (visible: VisibleText): string => {
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
      show(stripInvisibleCharacters(thread.title)),
      ...(isSubjectTheTrigger ? [] : [show(keepVisibleText(thread.body))]),
    ].join("\n\n"),
  };
  // Reviews have numbers of their own; a discussion has no reviews, and keeps its threads together.
  const conversation =
    thread.kind === "discussion"
      ? older
      : older.toSorted(
          (one, other) => Date.parse(one.comment.createdAt) - Date.parse(other.comment.createdAt),
        );
  const isReview = event.reviewId !== undefined || event.location !== undefined;
  const quotable = isReview ? [...conversation, ...onDiff.older] : [...onDiff.older, ...conversation];
  const shown: QuotedPiece[] = [];
  let read = 0;
  let room = maxSourceCharacters;
  let under: ReviewThread | undefined;
  const showLines = () => {
    if (under && !isOwnThread(under, event)) shown.unshift(quoteLines("lines under review", under.location));
  };
  for await (const { title, comment, thread: on } of newestWithinTimeLimit(quotable, run)) {
    room -= comment.body.length;
    if (room < 0) break;
    if (on !== under) showLines();
    under = on;
    read += 1;
    shown.unshift({
      rank: "recent",
      title,
      author: comment.author?.login,
      time: comment.createdAt,
      url: comment.url,
      text: show(keepVisibleText(comment.body)),
    });
  }
  showLines();
  return {
    pieces: [subject, ...shown],
    changedSince: newer.length + onDiff.changedSince,
    unread: quotable.length - read + onDiff.unread,
    ...removed,
  };
}

function titleOf({ parentId }: Comment): string {
  // A discussion's comment has its number at the end of its address.
  return parentId === undefined ? "comment" : `reply to comment ${parentId}`;
}

/** Whether the trigger stands in a review thread. */
function isOwnThread({ topId, comments }: ReviewThread, { location, thread, text }: WrittenEvent): boolean {
  if (!location) return false;
  return topId === thread.triggerComment?.topId || comments.some(({ id }) => id === text.id);
}

/**
 * What people wrote in unresolved review threads, and in the trigger's own: thread by thread, the one with the newest
 * comment last, but for the trigger's own.
 */
function pickReviewComments(event: WrittenEvent, threads: readonly ReviewThread[]) {
  const { text, location } = event;
  const isQuotable = ({ id, body, isMinimized }: ReviewComment) =>
    !(location && id === text.id) && !isMinimized && !hasMarker(body);
  const picked = threads
    .filter((thread) => !thread.isResolved || isOwnThread(thread, event))
    .map((thread) => {
      const others = thread.comments.filter(isQuotable);
      const older = others.filter((comment) => isFromBefore(comment, event));
      const lastMs = isOwnThread(thread, event)
        ? Number.POSITIVE_INFINITY
        : Date.parse(older.at(-1)?.publishedAt ?? "");
      return { thread, older, lastMs, changedSince: others.length - older.length };
    });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return {
    older: picked
      .filter(({ older }) => older.length > 0)
      .sort((one, other) => one.lastMs - other.lastMs)
      .flatMap(({ older, thread }) => {
        const title = `review comment on ${describeLocation(thread.location)}`;
        return older.map((comment): Quotable => ({ title, comment, thread }));
      }),
    changedSince: sum(picked.map(({ changedSince }) => changedSince)),
    unread: sum(picked.map(({ thread }) => thread.unread)),
  };
}

/**
 * Whether others could read a review comment, as it is now, before the trigger was written. What was submitted with the
 * trigger is part of it, although GitHub publishes it a moment later.
 */
function isFromBefore(comment: ReviewComment, { text, reviewId }: WrittenEvent): boolean {
  const { createdAt, publishedAt, editedAt } = comment;
  const isSubmittedWith = reviewId !== undefined && comment.reviewId === reviewId;
  const times = isSubmittedWith ? [createdAt, editedAt] : [publishedAt, editedAt];
  return times.every((time) => Date.parse(time) <= Date.parse(text.changedAt));
}

/** Where in a diff a review comment stands. */
export function quoteLocation({ location }: WrittenEvent): QuotedPiece[] {
  return location
    ? [{ ...quoteLines("the lines that the review comment is about", location), rank: "first" }]
    : [];
}

function quoteLines(title: string, location: DiffLocation): QuotedPiece {
  const hunk = stripInvisibleCharacters(shortenHunk(location.hunk)).text;
  return { title, text: `${describeLocation(location)}\n\n${hunk}`, rank: "recent" };
}

function describeLocation({ path, line }: DiffLocation): string {
  return `${toVisibleLine(path)}${line === undefined ? "" : `, line ${line}`}`;
}

/** Lines above the commented one; GitHub itself shows four. */
const maxHunkLines = 60;

/** The head of a hunk and its last lines: it ends at the line that it is about. */
function shortenHunk(hunk: string): string {
  const [head = "", ...lines] = hunk.split("\n");
  return lines.length <= maxHunkLines ? hunk : [head, "…", ...lines.slice(-maxHunkLines)].join("\n");
}
