/** The review threads of a pull request: what was said on its diff, and what the action answers there. */

import * as z from "zod/mini";
import type { Log } from "../base/runtime.ts";
import { markerIn, type OwnershipDeps, readOwnMarkers } from "./comment-claims.ts";
import { type Comment, createThreadComments, sortByTime, type ThreadAddress } from "./comments.ts";
import { undefinedIfGone } from "./errors.ts";
import type { DiffLocation } from "./event.ts";
import { eachPage, type GitHubApi, type RouteData } from "./github-api.ts";
import { Actor, lastPageSchema, listSchema } from "./graphql-schemas.ts";
import { warnOnGitHubError } from "./pull-requests.ts";
import { isSameAccount } from "./token.ts";

/** A comment on a diff. */
export interface ReviewComment extends Comment {
  /** When others could first read it: with its review. */
  readonly publishedAt: string;
  /** When its text was last changed. */
  readonly editedAt: string;
  /** The review that it was submitted with. */
  readonly reviewId: number | undefined;
  /** Folded away by a maintainer. */
  readonly isMinimized: boolean;
}

export interface ReviewThread {
  readonly id: string;
  /** Number of the comment that opened it. */
  readonly topId: number | undefined;
  readonly openedAt: string | undefined;
  readonly isResolved: boolean;
  /** Whether later commits changed its lines. */
  readonly isOutdated: boolean;
  readonly location: DiffLocation;
  /** True where the line is one of the file as it was before the pull request. */
  readonly isOnOldSide: boolean;
  /** The newest, oldest of them first. */
  readonly comments: readonly ReviewComment[];
  /** Older ones that were not read. */
  readonly unread: number;
}

export interface ReviewThreads {
  /** Oldest first. */
  readonly threads: readonly ReviewThread[];
  /** Older threads that were not read. */
  readonly unread: number;
  /** The newest fifty reviews, as their authors introduced them; their times are those of the submission and the last edit. */
  readonly reviews: readonly Comment[];
}

/** The comments of a thread; on a pull request those on its diff, too, from the one request that reads all reviews. */
export async function listThread(thread: ThreadAddress, api: GitHubApi) {
  const threadComments = createThreadComments(thread, api);
  if (thread.kind !== "pull-request") return { comments: await threadComments.list(), reviews: undefined };
  const [conversation, reviews] = await Promise.all([
    threadComments.list({ withoutDiff: true }),
    readReviewThreads(thread.number, api),
  ]);
  const isWhole = reviews.unread === 0 && reviews.threads.every(({ unread }) => unread === 0);
  if (!isWhole) return { comments: await threadComments.list(), reviews };
  const onDiff = reviews.threads.flatMap(({ comments }) => comments);
  return { comments: sortByTime([...conversation, ...onDiff]), reviews };
}

const maxRequests = 3;
const commentsPerThread = 50;

/** GitHub's numbers of comments have outgrown the type that its older fields have. */
const BigNumber = z.pipe(
  z.nullish(z.union([z.string(), z.number()])),
  z.transform((value) => (value == null ? undefined : Number(value))),
);

const authorFields = "author { __typename login ... on User { databaseId } ... on Bot { databaseId } }";
const commentFields = `id fullDatabaseId body url createdAt updatedAt publishedAt lastEditedAt isMinimized ${authorFields}
  pullRequestReview { fullDatabaseId }`;

const Reply = z.pipe(
  z.object({
    id: z.string(),
    fullDatabaseId: BigNumber,
    body: z.string(),
    url: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
    publishedAt: z.nullish(z.string()),
    lastEditedAt: z.nullish(z.string()),
    isMinimized: z.boolean(),
    author: Actor,
    pullRequestReview: z.nullish(z.object({ fullDatabaseId: BigNumber })),
  }),
  z.transform((found): ReviewComment => {
    const { id, fullDatabaseId, publishedAt, lastEditedAt, pullRequestReview, ...rest } = found;
    return {
      ...rest,
      id: fullDatabaseId ?? 0,
      nodeId: id,
      isReviewComment: true,
      publishedAt: publishedAt ?? rest.createdAt,
      editedAt: lastEditedAt ?? rest.createdAt,
      reviewId: pullRequestReview?.fullDatabaseId,
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
    opening: listSchema(z.object({ fullDatabaseId: BigNumber, createdAt: z.string(), diffHunk: z.string() })),
    comments: z.extend(listSchema(Reply), { totalCount: z.number() }),
  }),
  z.transform((found): ReviewThread => {
    const { id, isResolved, isOutdated, diffSide, path, line, originalLine, opening, comments } = found;
    const [first] = opening.nodes;
    const topId = first?.fullDatabaseId;
    const parent = topId === undefined ? {} : { parentId: topId };
    return {
      id,
      topId,
      openedAt: first?.createdAt,
      isResolved,
      isOutdated,
      isOnOldSide: diffSide === "LEFT",
      location: { path, line: line ?? originalLine ?? undefined, hunk: first?.diffHunk ?? "" },
      comments: comments.nodes.map((comment) => (comment.id === topId ? comment : { ...comment, ...parent })),
      unread: comments.totalCount - comments.nodes.length,
    };
  }),
);

const Review = z.object({
  id: z.string(),
  fullDatabaseId: BigNumber,
  body: z.string(),
  url: z.string(),
  submittedAt: z.nullable(z.string()),
  lastEditedAt: z.nullish(z.string()),
  author: Actor,
});

function toComments(reviews: readonly z.output<typeof Review>[]): Comment[] {
  return reviews.flatMap(({ id, fullDatabaseId, submittedAt, lastEditedAt, author, body, url }) => {
    if (submittedAt === null || body === "") return [];
    const times = { createdAt: submittedAt, updatedAt: lastEditedAt ?? submittedAt };
    return [{ id: fullDatabaseId ?? 0, nodeId: id, author, body, url, ...times }];
  });
}

const FoundThreads = z.object({
  repository: z.object({
    pullRequest: z.object({ reviewThreads: lastPageSchema(Thread), reviews: listSchema(Review) }),
  }),
});

const threadsQuery = `query ($owner: String!, $name: String!, $number: Int!, $cursor: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviews(last: 50) { nodes { id fullDatabaseId body url submittedAt lastEditedAt ${authorFields} } }
    reviewThreads(last: 100, before: $cursor) { totalCount pageInfo { hasPreviousPage startCursor } nodes {
      id isResolved isOutdated diffSide path line originalLine
      opening: comments(first: 1) { nodes { fullDatabaseId createdAt diffHunk } }
      comments(last: ${commentsPerThread}) { totalCount nodes { ${commentFields} } } } } } } }`;

/**
 * Reads what reviews say: their introductions, and the newest 300 threads on the diff with their newest 50 comments each.
 * One request for each hundred threads.
 */
export async function readReviewThreads(number: number, api: GitHubApi): Promise<ReviewThreads> {
  const { owner, name } = api.repository;
  const purpose = { doing: `read the review threads of #${number}`, permission: "pull-requests: read" };
  let reviews: readonly Comment[] = [];
  const pages = eachPage(async (cursor) => {
    const answer = await api.graphql(purpose, threadsQuery, { owner, name, number, cursor }, FoundThreads);
    const { pullRequest } = answer.repository;
    reviews = toComments(pullRequest.reviews.nodes);
    return pullRequest.reviewThreads;
  });
  const threads: ReviewThread[] = [];
  let requests = 0;
  let unread = 0;
  for await (const { nodes, totalCount = 0 } of pages) {
    threads.unshift(...nodes);
    unread = Math.max(0, totalCount - threads.length);
    requests += 1;
    if (requests === maxRequests) break;
  }
  return { threads, reviews, unread };
}

/** A request that has led to commits on a pull request. */
export interface AddressedRequest {
  readonly pullNumber: number;
  /** Time of the request, ISO 8601. What was said later was not told to the agent. */
  readonly requestedAt: string;
  /** The pull request's head before and after. */
  readonly headBefore: string;
  readonly headAfter: string;
  /** Whether addressed threads are resolved. */
  readonly resolve: boolean;
  /** The visible text of a reply. */
  readonly describe: (commit: AddressedThread["commit"]) => string;
}

/** The commit that a reply of ours names, and the thread that the reply is for. */
const Addressed = z.object({ thread: z.string(), commit: z.string() });

const maxThreadsPerRequest = 20;

/**
 * Tells the review threads that a request's commits have addressed which commit did: those that were open and older than
 * the request, whose file the commits changed, and whose lines they touched or GitHub shows as outdated. Each thread is
 * told once of a commit, also where two runs do it or one is repeated; on request it is resolved, unless people have said
 * more in it since. Every failure is a warning.
 *
 * Costs one request where no thread is open, two where none is addressed, and otherwise up to five, with one more for
 * each further twenty threads.
 */
export async function replyToReviewThreads(
  request: AddressedRequest,
  deps: OwnershipDeps,
  log: Log,
): Promise<void> {
  const { pullNumber, requestedAt } = request;
  await warnOnGitHubError(pullNumber, log, async () => {
    const requestedMs = Date.parse(requestedAt);
    const { threads } = await readReviewThreads(pullNumber, deps.api);
    const open = threads.filter(
      ({ isResolved, openedAt = "" }) => !isResolved && Date.parse(openedAt) <= requestedMs,
    );
    if (open.length === 0) return;
    const addressed = await findAddressed(open, request, deps.api);
    const unanswered = addressed.filter((each) => findAnswers(each, pullNumber, deps).length === 0);
    for (let start = 0; start < addressed.length; start += maxThreadsPerRequest) {
      const batch = addressed.slice(start, start + maxThreadsPerRequest);
      await warnOnGitHubError(pullNumber, log, () => answerBatch(batch, unanswered, request, deps));
    }
    if (unanswered.length > 0) await removeDuplicates(unanswered, pullNumber, deps);
  });
}

interface AddressedThread {
  readonly thread: ReviewThread;
  readonly commit: { readonly sha: string; readonly url: string };
}

type Comparison = RouteData<"GET /repos/{owner}/{repo}/compare/{basehead}">;
type ComparedFile = NonNullable<Comparison["files"]>[number];

/** The threads that commits between two heads addressed, each with the last of these commits that changed its file. */
async function findAddressed(
  threads: readonly ReviewThread[],
  { headBefore, headAfter }: AddressedRequest,
  api: GitHubApi,
): Promise<AddressedThread[]> {
  const purpose = { doing: "compare the pull request's heads", permission: "contents: read" };
  const route = "GET /repos/{owner}/{repo}/compare/{basehead}";
  const { files = [], commits } = await api.request(purpose, route, {
    basehead: `${headBefore}...${headAfter}`,
  });
  const found = threads.flatMap((thread) => {
    const { path } = thread.location;
    const file = files.find(({ filename, previous_filename }) =>
      [filename, previous_filename].includes(path),
    );
    return file && touches(file, thread) ? [{ thread, path: file.filename }] : [];
  });
  const paths = commits.length > 1 ? [...new Set(found.map(({ path }) => path))] : [];
  const shas = paths.length > 0 ? await findLastCommits(paths, headAfter, api) : undefined;
  return found.flatMap(({ thread, path }) => {
    // What the request's commits did not bring, such as a change that was merged in, is told of the newest of them.
    const commit = commits.find(({ sha }) => sha === shas?.get(path)) ?? commits.at(-1);
    return commit ? [{ thread, commit: { sha: commit.sha, url: commit.html_url } }] : [];
  });
}

/** Whether a file's change concerns a thread's lines. */
function touches({ patch = "" }: ComparedFile, { isOutdated, isOnOldSide, location }: ReviewThread): boolean {
  const { line } = location;
  if (isOutdated || line === undefined) return true;
  if (isOnOldSide) return false;
  // A moment after a push, GitHub updates a thread's line; until then it is one of the old side.
  const hunks = patch.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm);
  const isWithin = (start = "", count = "1") => line >= Number(start) && line < Number(start) + Number(count);
  return [...hunks].some(
    ([, oldStart, oldCount, start, count]) => isWithin(oldStart, oldCount) || isWithin(start, count),
  );
}

/** The newest commit of a history that changed each of the paths, in one request. */
async function findLastCommits(
  paths: readonly string[],
  head: string,
  api: GitHubApi,
): Promise<Map<string, string | undefined>> {
  const { owner, name } = api.repository;
  const purpose = { doing: "find the commits that changed reviewed files", permission: "contents: read" };
  const query = `query ($owner: String!, $name: String!, $head: GitObjectID!, ${paths.map((_, index) => `$path${index}: String!`).join(", ")}) {
    repository(owner: $owner, name: $name) { object(oid: $head) { ... on Commit {
      ${paths.map((_, index) => `commit${index}: history(first: 1, path: $path${index}) { nodes { oid } }`).join(" ")} } } } }`;
  const variables = Object.fromEntries(paths.map((path, index) => [`path${index}`, path]));
  const History = listSchema(z.object({ oid: z.string() }));
  const Answer = z.object({
    repository: z.object({ object: z.nullable(z.record(z.string(), History)) }),
  });
  const { repository } = await api.graphql(purpose, query, { owner, name, head, ...variables }, Answer);
  return new Map(
    paths.map((path, index) => [path, repository.object?.[`commit${index}`]?.nodes[0]?.oid] as const),
  );
}

/** Replies and resolutions of up to twenty threads, in one request. */
async function answerBatch(
  batch: readonly AddressedThread[],
  unanswered: readonly AddressedThread[],
  { pullNumber, requestedAt, resolve, describe }: AddressedRequest,
  deps: OwnershipDeps,
): Promise<void> {
  const place = { ...placeIn(pullNumber), comment: "new" } as const;
  const variables: Record<string, string> = {};
  const fields = batch.flatMap((addressed, index) => {
    const { thread, commit } = addressed;
    const actions: string[] = [];
    if (unanswered.includes(addressed)) {
      const value = { thread: thread.id, commit: commit.sha };
      variables[`body${index}`] = describe(commit) + markerIn(place, "addressed", value, deps);
      actions.push(
        `reply${index}: addPullRequestReviewThreadReply(input: { pullRequestReviewThreadId: $thread${index}, body: $body${index} }) { clientMutationId }`,
      );
    }
    const isQuiet = thread.comments.every(
      ({ author, publishedAt, editedAt }) =>
        isSameAccount(author, deps.identity.login) ||
        [publishedAt, editedAt].every((time) => Date.parse(time) <= Date.parse(requestedAt)),
    );
    if (resolve && isQuiet) {
      actions.push(
        `resolve${index}: resolveReviewThread(input: { threadId: $thread${index} }) { clientMutationId }`,
      );
    }
    if (actions.length > 0) variables[`thread${index}`] = thread.id;
    return actions;
  });
  if (fields.length === 0) return;
  const purpose = {
    doing: `answer the review threads of #${pullNumber}`,
    // GitHub asks for the contents permission to resolve a thread, although only the pull request changes.
    permission: resolve ? "contents: write" : "pull-requests: write",
  };
  const declared = Object.keys(variables).map(
    (name) => `$${name}: ${name.startsWith("body") ? "String!" : "ID!"}`,
  );
  const query = `mutation (${declared.join(", ")}) { ${fields.join("\n")} }`;
  await deps.api.graphql(purpose, query, variables, z.unknown());
}

/** Another run may have told the same: the oldest reply stays. */
async function removeDuplicates(
  answered: readonly AddressedThread[],
  pullNumber: number,
  deps: OwnershipDeps,
): Promise<void> {
  const { threads } = await readReviewThreads(pullNumber, deps.api);
  const comments = createThreadComments({ ...placeIn(pullNumber).thread, nodeId: "" }, deps.api);
  for (const {
    thread: { id },
    commit,
  } of answered) {
    const thread = threads.find((each) => each.id === id);
    const answers = thread ? findAnswers({ thread, commit }, pullNumber, deps) : [];
    for (const answer of answers.slice(1)) await undefinedIfGone(comments.remove(answer));
  }
}

/** Our replies in a thread that name a commit, oldest first. */
function findAnswers(
  { thread, commit }: AddressedThread,
  pullNumber: number,
  deps: OwnershipDeps,
): Comment[] {
  const marker = { kind: "addressed", schema: Addressed } as const;
  return readOwnMarkers(thread.comments, placeIn(pullNumber).thread, marker, deps)
    .filter(({ value }) => value.thread === thread.id && value.commit === commit.sha)
    .map(({ comment }) => comment)
    .sort((one, other) => one.id - other.id);
}

function placeIn(number: number) {
  return { thread: { kind: "pull-request", number }, isReviewComment: true } as const;
}
