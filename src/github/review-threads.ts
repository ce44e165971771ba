/** The review threads of a pull request: reads them, and replies to those that a commit addressed. */
import * as z from "zod/mini";
import type { Log } from "../base/runtime.ts";
import { RestComparison } from "./changes.ts";
import { markerIn, type OwnershipDeps, readOwnMarkers } from "./claims.ts";
import { type Comment, createThreadComments, sortByTime, type ThreadAddress } from "./comments.ts";
import { warnOnGitHubError } from "./errors.ts";
import { isSameAccount } from "./event.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { Actor, actorFields, BigNumber, listSchema, pageSchema } from "./graphql-schemas.ts";

/** A review comment, or the text of a review. */
export interface ReviewComment extends Comment {
  /** Time of its publication, together with its review. */
  readonly publishedAt: string;
  readonly editedAt: string | undefined;
  /** ID of the review that it was submitted with, or that it is the text of. */
  readonly reviewId: number | undefined;
}

/** When, and with which review, a review comment was published. */
type Publication = Pick<ReviewComment, "publishedAt" | "reviewId">;

export interface ReviewThreads {
  /** Oldest first. */
  readonly threads: readonly ReviewThread[];
  /** Number of older threads that were not read. */
  readonly unread: number;
  /** The texts of the newest 50 reviews. */
  readonly reviews: readonly ReviewComment[];
  /** Whether the token's account has a review that is not submitted. It and its comments are not listed. */
  readonly hasDraft: boolean;
}

/** Lists the comments of a thread. For a pull request, the review comments come from the request that reads all review threads. */
export async function listThread(thread: ThreadAddress, api: GitHubApi) {
  const threadComments = createThreadComments(thread, api);
  if (thread.kind !== "pull-request") return { comments: await threadComments.list(), reviews: undefined };
  const [conversation, reviews] = await Promise.all([
    threadComments.list({ withoutDiff: true }),
    readReviewThreads(thread.number, api),
  ]);
  const isComplete = reviews.unread === 0 && reviews.threads.every(({ unread }) => unread === 0);
  if (!isComplete) return { comments: await threadComments.list(), reviews };
  const reviewComments = reviews.threads.flatMap(({ comments }) => comments);
  return { comments: sortByTime([...conversation, ...reviewComments]), reviews };
}

const maxThreads = 300;
const commentsPerThread = 50;

const textFields = `id fullDatabaseId body url createdAt updatedAt publishedAt lastEditedAt isMinimized
  author { ${actorFields} }`;
const commentFields = `${textFields} pullRequestReview { fullDatabaseId state }`;

const publication = {
  fullDatabaseId: BigNumber,
  createdAt: z.string(),
  publishedAt: z.nullish(z.string()),
  pullRequestReview: z.nullish(z.object({ fullDatabaseId: BigNumber, state: z.optional(z.string()) })),
};

/** The state of a review that only its author sees, and of the comments in it. */
const draft = "PENDING";

/** Values that are not `undefined`, which stands for a draft. */
const published = <Value>(values: readonly (Value | undefined)[]) =>
  values.filter((value) => value !== undefined);

const ReviewText = z.pipe(
  z.object({
    ...publication,
    id: z.string(),
    body: z.string(),
    url: z.string(),
    updatedAt: z.string(),
    lastEditedAt: z.nullish(z.string()),
    author: Actor,
    isMinimized: z.optional(z.boolean()),
    state: z.optional(z.string()),
  }),
  z.transform((found): ReviewComment | undefined => {
    const { id, fullDatabaseId, publishedAt, lastEditedAt, pullRequestReview, state, ...rest } = found;
    if ((pullRequestReview?.state ?? state) === draft) return undefined;
    return {
      ...rest,
      id: fullDatabaseId ?? 0,
      nodeId: id,
      isReviewComment: pullRequestReview !== undefined,
      publishedAt: publishedAt ?? rest.createdAt,
      editedAt: lastEditedAt ?? undefined,
      reviewId: pullRequestReview === undefined ? fullDatabaseId : pullRequestReview?.fullDatabaseId,
    };
  }),
);

const Thread = z.pipe(
  z.object({
    id: z.string(),
    isResolved: z.boolean(),
    isOutdated: z.boolean(),
    diffSide: z.nullish(z.string()),
    path: z.string(),
    line: z.nullish(z.number()),
    originalLine: z.nullish(z.number()),
    opening: listSchema(z.object({ ...publication, diffHunk: z.string() })),
    comments: z.extend(listSchema(ReviewText), { totalCount: z.number() }),
  }),
  z.transform((found) => {
    const { id, isResolved, isOutdated, diffSide, path, line, originalLine, opening, comments } = found;
    const [first] = opening.nodes;
    if (first?.pullRequestReview?.state === draft) return undefined;
    const topId = first?.fullDatabaseId;
    const parent = topId === undefined ? {} : { parentId: topId };
    return {
      id,
      topId,
      /** The publication of its first comment. */
      opening: first && {
        publishedAt: first.publishedAt ?? first.createdAt,
        reviewId: first.pullRequestReview?.fullDatabaseId,
      },
      isResolved,
      /** Whether later commits changed its lines. */
      isOutdated,
      /** True if the line is in the old version of the file. */
      isOnOldSide: diffSide === "LEFT",
      location: { path, line: line ?? originalLine ?? undefined, hunk: first?.diffHunk ?? "" },
      /** The newest comments, oldest first. */
      comments: published(comments.nodes).map((comment) =>
        comment.id === topId ? comment : { ...comment, ...parent },
      ),
      /** Number of older comments that were not read. */
      unread: comments.totalCount - comments.nodes.length,
    };
  }),
);

export type ReviewThread = Readonly<NonNullable<z.output<typeof Thread>>>;

const FoundThreads = z.object({
  repository: z.object({
    pullRequest: z.object({ reviewThreads: pageSchema(Thread), reviews: listSchema(ReviewText) }),
  }),
});

const threadsQuery = `query ($owner: String!, $name: String!, $number: Int!, $cursor: String, $size: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviews(last: 50) { nodes { state ${textFields} } }
    reviewThreads(last: $size, before: $cursor) { totalCount pageInfo { hasPreviousPage startCursor } nodes {
      id isResolved isOutdated diffSide path line originalLine
      opening: comments(first: 1) { nodes {
        fullDatabaseId createdAt publishedAt diffHunk pullRequestReview { fullDatabaseId state } } }
      comments(last: ${commentsPerThread}) { totalCount nodes { ${commentFields} } } } } } } }`;

/**
 * Reads the texts of reviews, and the newest 300 review threads with their newest 50 comments each. 100 threads take one request,
 * or more if they are large.
 */
export async function readReviewThreads(number: number, api: GitHubApi): Promise<ReviewThreads> {
  const { owner, name } = api.repository;
  const purpose = { doing: `read the review threads of #${number}`, permission: "pull-requests: read" };
  let reviews: readonly (ReviewComment | undefined)[] = [];
  const pages = eachPage(async (cursor, size) => {
    const variables = { owner, name, number, cursor, size };
    const response = await api.graphql(purpose, threadsQuery, variables, FoundThreads);
    const { pullRequest } = response.repository;
    reviews = pullRequest.reviews.nodes;
    return pullRequest.reviewThreads;
  });
  const threads: ReviewThread[] = [];
  let read = 0;
  let unread = 0;
  for await (const { nodes, totalCount = 0 } of pages) {
    threads.unshift(...published(nodes));
    read += nodes.length;
    unread = Math.max(0, totalCount - read);
    if (read >= maxThreads) break;
  }
  const texts = published(reviews).filter(({ body }) => body !== "");
  return { threads, reviews: texts, unread, hasDraft: reviews.includes(undefined) };
}

/**
 * Whether a review's text was published, and not edited since, when the request was made. What was submitted with the request
 * counts as earlier, although GitHub publishes it slightly later. A text with an unreadable time counts as later.
 */
export function isFromBefore(
  { publishedAt, reviewId, editedAt }: Publication & Partial<Pick<ReviewComment, "editedAt">>,
  request: Pick<AddressedRequest, "requestedAt" | "reviewId">,
): boolean {
  const isSubmittedWith = request.reviewId !== undefined && reviewId === request.reviewId;
  const times = [editedAt, isSubmittedWith ? undefined : publishedAt].filter((time) => time !== undefined);
  return times.every((time) => Date.parse(time) <= Date.parse(request.requestedAt));
}

/** A request that resulted in commits on a pull request. */
export interface AddressedRequest {
  readonly pullNumber: number;
  /** Time of the request (ISO 8601). The agent did not see later comments, except those of the request's own review. */
  readonly requestedAt: string;
  /** The review that the request is, or is part of. */
  readonly reviewId?: number | undefined;
  /** The pull request's head before and after. */
  readonly headBefore: string;
  readonly headAfter: string;
  /** Whether addressed threads are resolved. */
  readonly resolve: boolean;
  /** Renders the visible text of a reply. */
  readonly describe: (commit: AddressedThread["commit"]) => string;
}

/** The value of the marker in our replies: the thread, and the commit that addressed it. */
const Addressed = z.object({ thread: z.string(), commit: z.string() });

/** GitHub limits what it does for one request: of thirty replies, it posted thirteen. A thread may need a reply and a resolution. */
const maxThreadsPerRequest = 5;
const maxPathsPerRequest = 10;

/**
 * Replies to the review threads that a request's commits addressed, and names the commit. A thread is addressed if it was open and
 * published before the request, the commits changed its file, and they changed its lines or GitHub marks it as outdated. Each thread gets
 * one reply per commit, even if a run is repeated. With `resolve`, a thread is resolved unless users commented
 * in it since the request. Every failure is logged as a warning.
 *
 * It takes one API request if no thread is open, two if none is addressed, and otherwise up to four, plus one for every further
 * {@link maxThreadsPerRequest} threads and {@link maxPathsPerRequest} files.
 */
export async function replyToReviewThreads(
  request: AddressedRequest,
  deps: OwnershipDeps,
  log: Log,
): Promise<void> {
  const { pullNumber } = request;
  const subject = `Pull request #${pullNumber}: `;
  const reply = async () => {
    const { threads, hasDraft } = await readReviewThreads(pullNumber, deps.api);
    const open = threads.filter(
      ({ isResolved, opening }) => !isResolved && opening && isFromBefore(opening, request),
    );
    if (open.length === 0) return;
    const addressed = await findAddressed(open, request, deps.api);
    if (addressed.length > 0 && hasDraft) {
      // GitHub would add the replies to it, and show them only to that account.
      log.warning(
        `${subject}the addressed review threads get no reply, because @${deps.identity.login} has a review that is not submitted: submit or discard it.`,
      );
      return;
    }
    for (let start = 0; start < addressed.length; start += maxThreadsPerRequest) {
      const batch = addressed.slice(start, start + maxThreadsPerRequest);
      await warnOnGitHubError(log, () => updateBatch(batch, request, deps), subject);
    }
  };
  await warnOnGitHubError(log, reply, subject);
}

interface AddressedThread {
  readonly thread: ReviewThread;
  readonly commit: { readonly sha: string; readonly url: string };
}

type ComparedFile = z.output<typeof RestComparison>["files"][number];

/** The threads that the commits between two heads addressed, each with the last commit that changed its file. */
async function findAddressed(
  threads: readonly ReviewThread[],
  { headBefore, headAfter }: AddressedRequest,
  api: GitHubApi,
): Promise<AddressedThread[]> {
  const purpose = { doing: "compare the pull request's heads", permission: "contents: read" };
  const route = "GET /repos/{owner}/{repo}/compare/{basehead}";
  const basehead = `${headBefore}...${headAfter}`;
  const { status, files, commits } = await api.request(purpose, route, { basehead }, RestComparison);
  const found = threads.flatMap((thread) => {
    const { path } = thread.location;
    const file = files.find((file) => [file.path, file.previousPath].includes(path));
    // If the push rewrote the commits, GitHub compares with their common ancestor, so it shows the earlier changes again.
    const isAddressed = file && (status === "ahead" ? touches(file, thread) : thread.isOutdated);
    return isAddressed ? [{ thread, path: file.path }] : [];
  });
  const paths = commits.length > 1 ? [...new Set(found.map(({ path }) => path))] : [];
  const shas = paths.length > 0 ? await findLastCommits(paths, headAfter, api) : undefined;
  return found.flatMap(({ thread, path }) => {
    // If none of the commits changed the file itself, such as for a merge, the newest commit is named.
    const commit = commits.find(({ sha }) => sha === shas?.get(path)) ?? commits.at(-1);
    return commit ? [{ thread, commit: { sha: commit.sha, url: commit.html_url } }] : [];
  });
}

/** Whether a file's change affects a thread's lines. */
function touches({ patch = "" }: ComparedFile, { isOutdated, isOnOldSide, location }: ReviewThread): boolean {
  const { line } = location;
  if (isOutdated || line === undefined) return true;
  if (isOnOldSide) return false;
  // GitHub updates a thread's line shortly after a push, so it may be a line of the old or the new version.
  const hunks = patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm);
  const isWithin = (start = "", count = "1") => line >= Number(start) && line < Number(start) + Number(count);
  return [...hunks].some(
    ([, oldStart, oldCount, start, count]) => isWithin(oldStart, oldCount) || isWithin(start, count),
  );
}

const FoundCommits = z.record(z.string(), listSchema(z.object({ oid: z.string() })));
const LastCommits = z.object({ repository: z.object({ object: z.nullable(FoundCommits) }) });

/** For each path, the newest commit that changed it. */
async function findLastCommits(
  paths: readonly string[],
  head: string,
  api: GitHubApi,
): Promise<Map<string, string | undefined>> {
  const { owner, name } = api.repository;
  const purpose = { doing: "find the commits that changed reviewed files", permission: "contents: read" };
  const shas = new Map<string, string | undefined>();
  for (let start = 0; start < paths.length; start += maxPathsPerRequest) {
    const batch = [...paths.slice(start, start + maxPathsPerRequest).entries()];
    const query = `query ($owner: String!, $name: String!, $head: GitObjectID!, ${batch.map(([index]) => `$path${index}: String!`).join(", ")}) {
      repository(owner: $owner, name: $name) { object(oid: $head) { ... on Commit {
        ${batch.map(([index]) => `commit${index}: history(first: 1, path: $path${index}) { nodes { oid } }`).join(" ")} } } } }`;
    const variables = Object.fromEntries(batch.map(([index, path]) => [`path${index}`, path]));
    const response = await api.graphql(purpose, query, { owner, name, head, ...variables }, LastCommits);
    const { object } = response.repository;
    for (const [index, path] of batch) shas.set(path, object?.[`commit${index}`]?.nodes[0]?.oid);
  }
  return shas;
}

/** Replies to threads and resolves them, in one request. */
async function updateBatch(
  batch: readonly AddressedThread[],
  request: AddressedRequest,
  deps: OwnershipDeps,
): Promise<void> {
  const { pullNumber, resolve, describe } = request;
  const location = { ...reviewLocation(pullNumber), comment: "new" } as const;
  const variables: Record<string, string> = {};
  const fields = batch.flatMap((addressed, index) => {
    const { thread, commit } = addressed;
    const actions: string[] = [];
    if (!hasReply(addressed, pullNumber, deps)) {
      const value = { thread: thread.id, commit: commit.sha };
      variables[`body${index}`] = describe(commit) + markerIn(location, "addressed", value, deps);
      actions.push(
        `reply${index}: addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread${index}, body: $body${index} }) { clientMutationId }`,
      );
    }
    const hasNoNewComment = thread.comments.every(
      (comment) => isSameAccount(comment.author, deps.identity.login) || isFromBefore(comment, request),
    );
    if (resolve && hasNoNewComment) {
      actions.push(
        `resolve${index}: resolveReviewThread(input: { threadId: $thread${index} }) { clientMutationId }`,
      );
    }
    if (actions.length > 0) variables[`thread${index}`] = thread.id;
    return actions;
  });
  if (fields.length === 0) return;
  const purpose = {
    doing: `reply to the review threads of #${pullNumber}`,
    // GitHub requires the contents permission to resolve a thread, although only the pull request changes.
    permission: resolve ? "contents: write" : "pull-requests: write",
  };
  const declared = Object.keys(variables).map(
    (name) => `$${name}: ${name.startsWith("body") ? "String!" : "ID!"}`,
  );
  const query = `mutation (${declared.join(", ")}) { ${fields.join("\n")} }`;
  await deps.api.graphql(purpose, query, variables, z.unknown());
}

/** Whether one of our replies in a thread names the commit. */
function hasReply({ thread, commit }: AddressedThread, pullNumber: number, deps: OwnershipDeps): boolean {
  const marker = { kind: "addressed", schema: Addressed } as const;
  return readOwnMarkers(thread.comments, reviewLocation(pullNumber).thread, marker, deps).some(
    ({ value }) => value.thread === thread.id && value.commit === commit.sha,
  );
}

function reviewLocation(number: number) {
  return { thread: { kind: "pull-request", number }, isReviewComment: true } as const;
}
