/** The comments of a thread: of an issue or pull request with its review comments (REST), or of a discussion (GraphQL). */
import * as z from "zod/mini";
import { type RetryDeps, retry } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { type CallPurpose, GitHubError, GraphqlFailure, isTransient, undefinedIfGone } from "./errors.ts";
import {
  type AuthoredText,
  accountOf,
  type Identity,
  isSameAccount,
  type Thread,
  type TriggerComment,
} from "./event.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { Actor, actorFields, listSchema, pageSchema } from "./graphql-schemas.ts";

/** Whether a comment is a review comment, or in the conversation. */
export interface CommentType {
  readonly isReviewComment?: boolean | undefined;
}

export interface Comment extends CommentType, AuthoredText {
  /** Increases with each comment and reply in the repository; review comments have a separate series. */
  readonly id: number;
  /** ID of the top-level comment that it replies to, in a discussion or review. */
  readonly parentId?: number;
  readonly updatedAt: string;
  readonly isMinimized?: boolean | undefined;
}

/** Identifies a comment: by ID and `isReviewComment`, or in a discussion by node ID. */
export type CommentId = Pick<Comment, "id" | "isReviewComment"> & Partial<Pick<Comment, "nodeId">>;

export interface ThreadComments {
  /**
   * All comments and replies, oldest first; with `since`, those created or changed since then (a change to an old reply may be
   * missed if its comment has more than 100 replies). `withoutDiff` omits review comments.
   */
  list(options?: { readonly since?: string; readonly withoutDiff?: boolean }): Promise<readonly Comment[]>;
  /** The current state of a comment; `undefined` if it was deleted. */
  read(comment: CommentId): Promise<Comment | undefined>;
  /** Posts a comment next to the trigger; `body` may depend on where GitHub accepts it. */
  create(body: string | ((type: CommentType) => string)): Promise<Comment>;
  update(comment: CommentId, body: string): Promise<Comment>;
  /** Deletes a comment, unless it is already deleted: by another run, or by an attempt whose response was lost. */
  remove(comment: CommentId): Promise<void>;
}

/** The part of a thread that locates its comments, and where a new one is posted. */
export type ThreadAddress = Pick<Thread, "kind" | "number" | "nodeId" | "triggerComment">;

/** The line of `permissions:` that writing on a thread needs. */
export function permissionToWrite(kind: Thread["kind"]): string {
  return kind === "pull-request" ? "pull-requests: write" : `${kind}s: write`;
}

/** The comments of a thread, through REST or GraphQL. */
export function createThreadComments(thread: ThreadAddress, api: GitHubApi): ThreadComments {
  return thread.kind === "discussion"
    ? createDiscussionComments(thread, api)
    : createRestComments(thread, api);
}

/** The part of a run that posts comments. */
export type PostingRun = Pick<RetryDeps, "clock" | "signal"> & { readonly log: Log };

/**
 * Posts a comment, unless `find` finds one by another run, or by an attempt whose response was lost. Of two runs that post at the same
 * time, the later one deletes its comment.
 */
export async function createOnce(
  body: string,
  find: () => Promise<Pick<Comment, "id"> | undefined>,
  comments: Pick<ThreadComments, "create" | "remove">,
  run: PostingRun,
): Promise<void> {
  // By then, GitHub finds a new thread, and lists a comment whose response was lost.
  const isNotFound = (error: unknown) => error instanceof GitHubError && error.code === "not-found";
  const retryAfterMs = (error: unknown) => (isTransient(error) || isNotFound(error) ? 2_000 : undefined);
  const create = async () => ((await find()) ? undefined : comments.create(body));
  const created = await retry(create, { ...run, attempts: 2, retryAfterMs });
  const first = created && (await find());
  if (first && first.id < created.id) await comments.remove(created);
}

/** An account of the REST API. */
export const RestAccount = z.pipe(
  z.nullish(z.object({ login: z.string(), id: z.number(), type: z.optional(z.string()) })),
  z.transform(accountOf),
);

/** A comment or review comment of the REST API. */
export const RestComment = z.pipe(
  z.object({
    id: z.number(),
    node_id: z.string(),
    user: RestAccount,
    body: z.nullish(z.string()),
    html_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    minimized: z.nullish(z.object({})),
    /** Of a review comment: its file, and the comment that it replies to. */
    path: z.optional(z.string()),
    in_reply_to_id: z.nullish(z.number()),
  }),
  z.transform(
    ({ id, node_id, user, body, html_url, created_at, updated_at, ...rest }): Comment => ({
      id,
      nodeId: node_id,
      author: user,
      body: body ?? "",
      url: html_url,
      createdAt: created_at,
      updatedAt: updated_at,
      ...(rest.minimized && { isMinimized: true }),
      ...(rest.path !== undefined && { isReviewComment: true }),
      ...(rest.in_reply_to_id != null && { parentId: rest.in_reply_to_id }),
    }),
  ),
);

/** The routes of comments and of review comments. `listRoute` lists those of the whole repository. */
export const commentRoutes = {
  conversation: {
    listRoute: "GET /repos/{owner}/{repo}/issues/comments",
    listName: "comments on issues and pull requests",
    route: "/repos/{owner}/{repo}/issues/comments/{comment_id}",
    permission: "issues: write",
    name: "comment",
  },
  diff: {
    listRoute: "GET /repos/{owner}/{repo}/pulls/comments",
    listName: "review comments",
    route: "/repos/{owner}/{repo}/pulls/comments/{comment_id}",
    permission: "pull-requests: write",
    name: "review comment",
  },
} as const;

/**
 * The posted reply; `undefined` if GitHub refused it because the comment was deleted or accepts no replies. Throws if the reply
 * may have been posted.
 */
async function undefinedIfRefused(request: Promise<Comment>): Promise<Comment | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const isRefused = ["missing-permission", "not-found", "rejected"].includes(error.code);
    // The field of a mutation that was not executed is null.
    const results = error.cause instanceof GraphqlFailure ? Object.values(error.cause.data ?? {}) : [];
    if (isRefused && results.every((field) => field === null)) return undefined;
    throw error;
  }
}

/**
 * The comments of an issue, or of a pull request with its review comments. A new comment is a reply in the review thread of the
 * trigger. If there is none, or GitHub refuses the reply, it is posted in the conversation.
 */
function createRestComments({ kind, number, triggerComment }: ThreadAddress, api: GitHubApi): ThreadComments {
  const purposeOf = (doing: string): CallPurpose => ({
    doing: `${doing} #${number}`,
    permission: permissionToWrite(kind),
  });
  const routesOf = ({ isReviewComment }: CommentType) =>
    isReviewComment ? commentRoutes.diff : commentRoutes.conversation;
  return {
    async list({ since, withoutDiff = kind !== "pull-request" } = {}) {
      const changed = since === undefined ? {} : { since };
      const purpose = purposeOf("list the comments of");
      const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
      const lists = [api.list(purpose, route, { issue_number: number, ...changed }, RestComment)];
      if (!withoutDiff) {
        const purpose = purposeOf("list the review comments of");
        const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
        lists.push(api.list(purpose, route, { pull_number: number, ...changed }, RestComment));
      }
      return sortByTime((await Promise.all(lists)).flat());
    },
    async read(comment) {
      const { route, name } = routesOf(comment);
      const purpose = purposeOf(`read its ${name} on`);
      const parameters = { comment_id: comment.id };
      return undefinedIfGone(api.request(purpose, `GET ${route}`, parameters, RestComment));
    },
    async create(write) {
      const bodyFor = (type: CommentType) => (typeof write === "string" ? write : write(type));
      if (kind === "pull-request" && triggerComment !== undefined) {
        const purpose = purposeOf("reply to a review comment on");
        const route = "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies";
        const reply = { comment_id: triggerComment.topId, body: bodyFor({ isReviewComment: true }) };
        const request = api.request(purpose, route, { pull_number: number, ...reply }, RestComment);
        const replied = await undefinedIfRefused(request);
        if (replied) return replied;
      }
      const purpose = purposeOf("comment on");
      const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
      return api.request(purpose, route, { issue_number: number, body: bodyFor({}) }, RestComment);
    },
    async update(comment, body) {
      const { route, name } = routesOf(comment);
      const purpose = purposeOf(`edit its ${name} on`);
      return api.request(purpose, `PATCH ${route}`, { comment_id: comment.id, body }, RestComment);
    },
    async remove(comment) {
      const { route, name } = routesOf(comment);
      const purpose = purposeOf(`delete its ${name} on`);
      await undefinedIfGone(api.request(purpose, `DELETE ${route}`, { comment_id: comment.id }));
    },
  };
}

/** Oldest first, also if comments and review comments are mixed. */
export function sortByTime(comments: readonly Comment[]): Comment[] {
  return comments.toSorted(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt) || one.id - other.id,
  );
}

const graphqlComment = {
  id: z.string(),
  databaseId: z.number(),
  author: Actor,
  body: z.string(),
  url: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  isMinimized: z.optional(z.boolean()),
  replyTo: z.nullish(z.object({ databaseId: z.number() })),
};

function toComment(found: z.output<z.ZodMiniObject<typeof graphqlComment>>): Comment {
  const { id, databaseId, replyTo, ...rest } = found;
  return {
    ...rest,
    id: databaseId,
    nodeId: id,
    ...(replyTo ? { parentId: replyTo.databaseId } : {}),
  };
}

const DiscussionComment = z.pipe(z.object(graphqlComment), z.transform(toComment));

const commentFields = `id databaseId body url createdAt updatedAt isMinimized replyTo { databaseId }
  author { ${actorFields} }`;

/** Replies, newest page first, because ours are among the newest. */
const ReplyPage = pageSchema(DiscussionComment);
type ReplyPage = z.output<typeof ReplyPage>;

const replyFields = `nodes { ${commentFields} } pageInfo { hasPreviousPage startCursor }`;

const TopComment = z.pipe(
  z.object({ ...graphqlComment, replies: ReplyPage }),
  z.transform(({ replies, ...comment }) => ({ comment: toComment(comment), replies })),
);

const CommentPage = z.object({ node: z.object({ comments: pageSchema(TopComment) }) });
const OlderReplies = z.object({ node: z.nullable(z.object({ replies: ReplyPage })) });
const Parent = z.object({
  node: z.nullable(z.object({ replyTo: z.nullable(z.object({ id: z.string() })) })),
});
const Found = z.object({ node: z.nullable(DiscussionComment) });
const Added = z.object({ addDiscussionComment: z.object({ comment: DiscussionComment }) });
const Updated = z.object({ updateDiscussionComment: z.object({ comment: DiscussionComment }) });

/** The comments of a discussion. A new comment is a reply in the trigger comment's thread, if there is one. */
function createDiscussionComments(thread: ThreadAddress, api: GitHubApi): ThreadComments {
  const { nodeId, number, triggerComment } = thread;
  const purposeOf = (doing: string): CallPurpose => ({
    doing: `${doing} discussion #${number}`,
    permission: permissionToWrite("discussion"),
  });

  const add = async (body: string, replyTo?: string): Promise<Comment> => {
    const query = `mutation ($id: ID!, $body: String!, $replyTo: ID) {
      addDiscussionComment(input: { discussionId: $id, body: $body, replyToId: $replyTo }) {
        comment { ${commentFields} } } }`;
    const response = await api.graphql(purposeOf("comment on"), query, { id: nodeId, body, replyTo }, Added);
    return response.addDiscussionComment.comment;
  };

  /** Node ID of the top-level comment of a comment's thread; `undefined` if the comment was deleted. */
  const findParent = async ({ id, nodeId, topId }: TriggerComment): Promise<string | undefined> => {
    if (id === topId) return nodeId;
    const query = "query ($id: ID!) { node(id: $id) { ... on DiscussionComment { replyTo { id } } } }";
    const purpose = purposeOf("find the thread of the trigger comment on");
    return (await undefinedIfGone(api.graphql(purpose, query, { id: nodeId }, Parent)))?.node?.replyTo?.id;
  };

  /** The replies to a comment, page by page from the newest, until a page starts before `sinceMs`. */
  const listReplies = async (id: string, newest: ReplyPage, sinceMs: number) => {
    const query = `query ($id: ID!, $cursor: String, $size: Int!) { node(id: $id) { ... on DiscussionComment {
      replies(last: $size, before: $cursor) { ${replyFields} } } } }`;
    const pages = eachPage(async (cursor, size) => {
      if (cursor === null) return newest;
      const purpose = purposeOf("list the replies on");
      const older = await undefinedIfGone(api.graphql(purpose, query, { id, cursor, size }, OlderReplies));
      return older?.node?.replies;
    });
    const replies: Comment[] = [];
    for await (const { nodes } of pages) {
      replies.push(...nodes);
      const [oldest] = nodes;
      if (oldest !== undefined && Date.parse(oldest.createdAt) < sinceMs) break;
    }
    return replies;
  };

  return {
    async list({ since } = {}) {
      const query = `query ($id: ID!, $cursor: String, $size: Int!) { node(id: $id) { ... on Discussion {
        comments(first: $size, after: $cursor) { nodes { ${commentFields} replies(last: 100) { ${replyFields} } }
          pageInfo { hasNextPage endCursor } } } } }`;
      const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
      const purpose = purposeOf("list the comments of");
      const pages = eachPage(async (cursor, size) => {
        const variables = { id: nodeId, cursor, size };
        return (await api.graphql(purpose, query, variables, CommentPage)).node.comments;
      });
      const comments: Comment[] = [];
      for await (const { nodes } of pages) {
        for (const { comment, replies } of nodes)
          comments.push(comment, ...(await listReplies(comment.nodeId, replies, sinceMs)));
      }
      // A comment with an unreadable time is kept.
      return comments
        .filter(({ updatedAt }) => !(Date.parse(updatedAt) < sinceMs))
        .sort((a, b) => a.id - b.id);
    },
    async read({ nodeId: id }) {
      const query = `query ($id: ID!) { node(id: $id) { ... on DiscussionComment { ${commentFields} } } }`;
      const response = await undefinedIfGone(
        api.graphql(purposeOf("read its comment on"), query, { id }, Found),
      );
      return response?.node ?? undefined;
    },
    async create(write) {
      const body = typeof write === "string" ? write : write({});
      const parent = triggerComment && (await findParent(triggerComment));
      const reply = parent === undefined ? undefined : await undefinedIfRefused(add(body, parent));
      return reply ?? add(body);
    },
    async update({ nodeId: id }, body) {
      const query = `mutation ($id: ID!, $body: String!) {
        updateDiscussionComment(input: { commentId: $id, body: $body }) { comment { ${commentFields} } } }`;
      const response = await api.graphql(purposeOf("edit its comment on"), query, { id, body }, Updated);
      return response.updateDiscussionComment.comment;
    },
    async remove({ nodeId: id }) {
      const query = "mutation ($id: ID!) { deleteDiscussionComment(input: { id: $id }) { comment { id } } }";
      await undefinedIfGone(api.graphql(purposeOf("delete its comment on"), query, { id }, z.unknown()));
    },
  };
}

const EditedNode = z.object({
  body: z.string(),
  isMinimized: z.boolean(),
  lastEditedAt: z.nullable(z.string()),
  editor: Actor,
});

/**
 * Returns those of our own comments (at most 100) that no other user edited or hid. An edit by another user does not change
 * a comment's author.
 *
 * @throws {GitHubError} if the edits cannot be read.
 */
export async function filterUnedited<Item extends { readonly nodeId?: string; readonly body?: string }>(
  comments: readonly Item[],
  { kind, number }: ThreadAddress,
  { api, identity }: { readonly api: GitHubApi; readonly identity: Identity },
): Promise<readonly Item[]> {
  const fields = "body isMinimized lastEditedAt editor { __typename login }";
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    ... on IssueComment { ${fields} } ... on DiscussionComment { ${fields} }
    ... on PullRequestReviewComment { ${fields} } } }`;
  const permission = permissionToWrite(kind);
  const purpose = { doing: `read who edited its comments on #${number}`, permission };
  const ids = comments.map(({ nodeId }) => nodeId);
  const { nodes } = await api.graphql(purpose, query, { ids }, listSchema(z.nullable(EditedNode)));
  return comments.filter(({ body }, index) => {
    const node = nodes[index];
    if (!node || node.isMinimized || node.body !== body) return false;
    // The editor is null if the account was deleted.
    return node.lastEditedAt === null || isSameAccount(node.editor, identity.login);
  });
}

type ReplyLink = Pick<Comment, "id" | "parentId">;

/** Sorts comments thread by thread, oldest first, with the trigger comment's thread last. */
export function orderByThread<Item extends ReplyLink>(
  comments: readonly Item[],
  trigger: TriggerComment | undefined,
): Item[] {
  const isInTriggerThread = (comment: Item) => Number(topOf(comment) === trigger?.topId);
  return comments.toSorted(
    (one, other) =>
      isInTriggerThread(one) - isInTriggerThread(other) || topOf(one) - topOf(other) || one.id - other.id,
  );
}

/**
 * The comments whose assistant conversation a question may continue: the other top-level comments, then those of the question's
 * own thread. Replies in other threads are excluded.
 */
export function pickConversation<Item extends ReplyLink>(
  comments: readonly Item[],
  trigger: TriggerComment | undefined,
): Item[] {
  const isInTriggerThread = (comment: Item) => topOf(comment) === trigger?.topId;
  const isTop = ({ parentId }: Item) => parentId === undefined;
  return [
    ...comments.filter((comment) => isTop(comment) && !isInTriggerThread(comment)),
    ...comments.filter(isInTriggerThread),
  ];
}

function topOf({ id, parentId = id }: ReplyLink): number {
  return parentId;
}
