/** Threads of review comments: GitHub keeps the comments, and a thread is the ones that follow the same first one. */

import { ancestry, pullCommits } from "./history.ts";
import {
  type GitHubState,
  type PullFacts,
  type Review,
  type ReviewComment,
  shaOf,
  startWriting,
} from "./state.ts";

export interface ReviewThread {
  /** That of the first comment, also where it was deleted. */
  readonly id: number;
  /** Oldest first. */
  readonly comments: readonly [ReviewComment, ...ReviewComment[]];
}

const threadIdOf = ({ id, inReplyTo }: ReviewComment): number => inReplyTo ?? id;

/** All threads of the repository that an account sees, oldest first. */
export function listReviewThreads({ reviewComments, reviews }: GitHubState, login: string): ReviewThread[] {
  const threads = new Map<number, [ReviewComment, ...ReviewComment[]]>();
  for (const comment of reviewComments.values()) {
    if (!isShown(comment.reviewId === undefined ? undefined : reviews.get(comment.reviewId), login)) continue;
    const comments = threads.get(threadIdOf(comment));
    if (comments === undefined) threads.set(threadIdOf(comment), [comment]);
    else comments.push(comment);
  }
  return [...threads].map(([id, comments]) => ({ id, comments }));
}

/** Whether an account sees a review. */
export const isShown = (review: Review | undefined, login: string): boolean =>
  review?.state !== "PENDING" || review.author === login;

/** The comments of the repository without those of pending reviews. */
export function listSubmittedComments({ reviewComments, reviews }: GitHubState): ReviewComment[] {
  return [...reviewComments.values()].filter(
    ({ reviewId }) => reviewId === undefined || reviews.get(reviewId)?.state !== "PENDING",
  );
}

/** The review that an account has not submitted: it takes up the account's replies, too. */
export function findDraft(pullNumber: number, author: string, { reviews }: GitHubState): Review | undefined {
  return [...reviews.values()].find(
    (review) => review.state === "PENDING" && review.author === author && review.pullNumber === pullNumber,
  );
}

/** Whether a later commit of the pull request changed the line; the file, where the scene says nothing of its lines. */
export function isOutdated(
  { pullNumber, path, line, commitSha }: ReviewComment,
  context: { readonly state: GitHubState },
): boolean {
  const pull = context.state.issues.get(pullNumber)?.pull;
  if (pull === undefined || commitSha === undefined) return false;
  const known = new Set(ancestry(commitSha, context.state).map(({ sha }) => sha));
  return pullCommits(pull, context).some(
    ({ sha, files }) =>
      !known.has(sha) &&
      files.some(
        ({ filename, patch }) =>
          filename === path && (patch === undefined || removedLines(patch).some((each) => each === line)),
      ),
  );
}

/** Numbers of the lines that a patch takes away. */
function removedLines(patch: string): number[] {
  let next = 0;
  return patch.split("\n").flatMap((line) => {
    const [, start] = /^@@ -(\d+)/.exec(line) ?? [];
    if (start !== undefined) next = Number(start);
    if (start !== undefined || line.startsWith("+")) return [];
    next += 1;
    return line.startsWith("-") ? [next - 1] : [];
  });
}

export interface NewReviewComment {
  readonly pull: number;
  readonly author: string;
  readonly body: string;
  readonly path?: string;
  /** None for a comment on the whole file. */
  readonly line?: number | undefined;
  readonly side?: "LEFT" | "RIGHT";
  readonly diffHunk?: string;
  readonly review?: number;
  /** First comment of the thread; what it is about is then that comment's. */
  readonly inReplyTo?: number;
}

/** Adds a comment; around one that stands alone, GitHub makes a review without text. */
export function addReviewComment(state: GitHubState, options: NewReviewComment): ReviewComment {
  const first = options.inReplyTo === undefined ? undefined : state.reviewComments.get(options.inReplyTo);
  const review: Review = {
    ...startWriting(state, { author: options.author, body: "" }),
    pullNumber: options.pull,
    state: "COMMENTED",
  };
  if (options.review === undefined) state.reviews.set(review.id, review);
  const comment: ReviewComment = {
    ...startWriting(state, options),
    pullNumber: options.pull,
    path: options.path ?? first?.path ?? "README.md",
    line: "line" in options ? options.line : first === undefined ? 1 : first.line,
    side: options.side ?? first?.side ?? "RIGHT",
    diffHunk: options.diffHunk ?? first?.diffHunk ?? "@@ -1 +1 @@",
    commitSha: first?.commitSha ?? headOf(state.issues.get(options.pull)?.pull, state),
    reviewId: options.review ?? review.id,
    inReplyTo: options.inReplyTo,
  };
  state.reviewComments.set(comment.id, comment);
  return comment;
}

const headOf = (pull: PullFacts | undefined, state: GitHubState) => pull && shaOf(pull.head, { state });
