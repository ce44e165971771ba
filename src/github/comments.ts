/** Comments of one thread: an issue's or pull request's conversation and its diff's (REST), or a discussion's (GraphQL). */

import * as z from "zod/mini";
import { type CallPurpose, GitHubError, GraphqlFailure, parseResponse, undefinedIfGone } from "./errors.ts";
import { type Account, type AuthoredText, accountOf, type Thread, type TriggerComment } from "./event.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { Actor, lastPageSchema, listSchema, pageSchema } from "./graphql-schemas.ts";
import { isSameAccount } from "./token.ts";

/** Which of a pull request's comments it is: one on its diff, or one of its conversation. */
export interface CommentLocation {
  readonly isReviewComment?: boolean | undefined;
}

/** A comment as GitHub shows it. */
export interface Comment extends CommentLocation, AuthoredText {
  /** Number that grows with every comment of the repository, replies included; comments on diffs have a series of their own. */
  readonly id: number;
  /** Number of the top-level comment that it replies to; there are replies in discussions and on diffs. */
  readonly parentId?: number;
  readonly updatedAt: string;
  /** True where a maintainer hid it. */
  readonly isMinimized?: boolean | undefined;
}

/** What finds a comment: its number and whether it is on a diff, or its global id in a discussion. */
export type CommentId = Pick<Comment, "id" | "isReviewComment"> & Partial<Pick<Comment, "nodeId">>;

export interface ThreadComments {
  /**
   * All comments and replies, oldest first; with `since`, those created or changed since then. Of more than a hundred
   * replies to one comment, a change to an old one may then be missed. `withoutDiff` leaves out those on a pull request's diff.
   */
  list(options?: { readonly since?: string; readonly withoutDiff?: boolean }): Promise<readonly Comment[]>;
  /** One comment as it is now; `undefined` where it was deleted. */
  read(comment: CommentId): Promise<Comment | undefined>;
  /** Posts a comment where the trigger stands; `body` may depend on where GitHub takes it. */
  create(body: string | ((home: CommentLocation) => string)): Promise<Comment>;
  update(comment: CommentId, body: string): Promise<Comment>;
  remove(comment: CommentId): Promise<void>;
}

/** The part of a thread that finds its comments, and where a new one belongs. */
export type ThreadAddress = Pick<Thread, "kind" | "number" | "nodeId" | "triggerComment">;

/** The `permissions:` line that writing on a thread needs. */
export function permissionToWrite(kind: Thread["kind"]): string {
  return kind === "pull-request" ? "pull-requests: write" : `${kind}s: write`;
}

/** The comments of a thread, over the API that its kind has. */
export function createThreadComments(thread: ThreadAddress, api: GitHubApi): ThreadComments {
  return thread.kind === "discussion"
    ? createDiscussionComments(thread, api)
    : createRestComments(thread, api);
}

/** A comment of an issue or pull request, or on a diff, as the REST API shows it, in our terms. */
export const RestComment = z.pipe(
  z.object({
    id: z.number(),
    node_id: z.string(),
    user: z.nullish(z.object({ login: z.string(), id: z.number(), type: z.optional(z.string()) })),
    body: z.nullish(z.string()),
    html_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    minimized: z.nullish(z.object({})),
    /** Of a comment on a diff: its file, and the comment that it replies to. */
    path: z.optional(z.string()),
    in_reply_to_id: z.nullish(z.number()),
  }),
  z.transform(
    ({ id, node_id, user, body, html_url, created_at, updated_at, ...rest }): Comment => ({
      id,
      nodeId: node_id,
      author: accountOf(user),
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

/** Comments of a conversation and those on a diff have routes of their own; a repository lists all of each kind at once. */
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
 * What a request to reply led to; `undefined` where GitHub refused it and posted nothing: the comment to reply to is gone,
 * or takes no replies. A failure after which the reply may stand is thrown.
 */
async function unlessReplyIsRefused(request: Promise<Comment>): Promise<Comment | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const isRefused = ["missing-permission", "not-found", "rejected"].includes(error.code);
    // Of a mutation that was not carried out, the field is null.
    const answered = error.cause instanceof GraphqlFailure ? Object.values(error.cause.data ?? {}) : [];
    if (isRefused && answered.every((field) => field === null)) return undefined;
    throw error;
  }
}

/**
 * The comments of an issue, or of a pull request with those on its diff. A new one replies in the thread on the diff where
 * the trigger stands; where GitHub refuses that (the thread is gone), or the trigger stands elsewhere, it joins the conversation.
 */
function createRestComments({ kind, number, triggerComment }: ThreadAddress, api: GitHubApi): ThreadComments {
  const to = (doing: string): CallPurpose => ({
    doing: `${doing} #${number}`,
    permission: permissionToWrite(kind),
  });
  const homeOf = ({ isReviewComment }: CommentLocation) =>
    isReviewComment ? commentRoutes.diff : commentRoutes.conversation;
  const listConversation = async (since: { readonly since?: string }) => {
    const purpose = to("list the comments of");
    const route = "GET /repos/{owner}/{repo}/issues/{issue_number}/comments";
    const listed = await api.list(purpose, route, { issue_number: number, ...since });
    return parseResponse(z.array(RestComment), listed, purpose);
  };
  const listDiff = async (since: { readonly since?: string }) => {
    const purpose = to("list the review comments of");
    const route = "GET /repos/{owner}/{repo}/pulls/{pull_number}/comments";
    const listed = await api.list(purpose, route, { pull_number: number, ...since });
    return parseResponse(z.array(RestComment), listed, purpose);
  };
  const reply = async (comment_id: number, body: string): Promise<Comment> => {
    const purpose = to("reply to a review comment on");
    const route = "POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies";
    const created = await api.request(purpose, route, { pull_number: number, comment_id, body });
    return parseResponse(RestComment, created, purpose);
  };
  return {
    async list({ since, withoutDiff = kind !== "pull-request" } = {}) {
      const changed = since === undefined ? {} : { since };
      const lists = [listConversation(changed), ...(withoutDiff ? [] : [listDiff(changed)])];
      return sortByTime((await Promise.all(lists)).flat());
    },
    async read(comment) {
      const { route, name } = homeOf(comment);
      const purpose = to(`read its ${name} on`);
      const found = await undefinedIfGone(api.request(purpose, `GET ${route}`, { comment_id: comment.id }));
      return found && parseResponse(RestComment, found, purpose);
    },
    async create(write) {
      const bodyFor = (home: CommentLocation) => (typeof write === "string" ? write : write(home));
      if (kind === "pull-request" && triggerComment !== undefined) {
        const replying = reply(triggerComment.topId, bodyFor({ isReviewComment: true }));
        const replied = await unlessReplyIsRefused(replying);
        if (replied) return replied;
      }
      const purpose = to("comment on");
      const route = "POST /repos/{owner}/{repo}/issues/{issue_number}/comments";
      const created = await api.request(purpose, route, { issue_number: number, body: bodyFor({}) });
      return parseResponse(RestComment, created, purpose);
    },
    async update(comment, body) {
      const { route, name } = homeOf(comment);
      const purpose = to(`edit its ${name} on`);
      const updated = await api.request(purpose, `PATCH ${route}`, { comment_id: comment.id, body });
      return parseResponse(RestComment, updated, purpose);
    },
    async remove(comment) {
      const { route, name } = homeOf(comment);
      await api.request(to(`delete its ${name} on`), `DELETE ${route}`, { comment_id: comment.id });
    },
  };
}

/** Oldest first, also where comments have numbers of different series. */
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
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }`;

/** Replies, newest page first: ours are among the newest. */
const ReplyPage = lastPageSchema(DiscussionComment);
type ReplyPage = z.output<typeof ReplyPage>;

const replyFields = `nodes { ${commentFields} } pageInfo { hasPreviousPage startCursor }`;

/** A server that knows no replies has none. */
const TopComment = z.pipe(
  z.object({ ...graphqlComment, replies: z.nullish(ReplyPage) }),
  z.transform(({ replies, ...comment }) => ({ comment: toComment(comment), replies: replies ?? undefined })),
);

const CommentPage = z.object({ node: z.object({ comments: pageSchema(TopComment) }) });

const OlderReplies = z.object({ node: z.nullable(z.object({ replies: ReplyPage })) });
const Parent = z.object({
  node: z.nullable(z.object({ replyTo: z.nullable(z.object({ id: z.string() })) })),
});
const Found = z.object({ node: z.nullable(DiscussionComment) });
const Added = z.object({ addDiscussionComment: z.object({ comment: DiscussionComment }) });
const Updated = z.object({ updateDiscussionComment: z.object({ comment: DiscussionComment }) });

/** A discussion's comments; a new one replies in the thread of the comment that triggered, where there is one. */
function createDiscussionComments(thread: ThreadAddress, api: GitHubApi): ThreadComments {
  const { nodeId, number, triggerComment } = thread;
  const to = (doing: string): CallPurpose => ({
    doing: `${doing} discussion #${number}`,
    permission: permissionToWrite("discussion"),
  });

  const add = async (body: string, replyTo?: string): Promise<Comment> => {
    const query = `mutation ($id: ID!, $body: String!, $replyTo: ID) {
      addDiscussionComment(input: { discussionId: $id, body: $body, replyToId: $replyTo }) {
        comment { ${commentFields} } } }`;
    const answer = await api.graphql(to("comment on"), query, { id: nodeId, body, replyTo }, Added);
    return answer.addDiscussionComment.comment;
  };

  /** Node id of the top-level comment in whose thread a comment stands; `undefined` where the comment is gone. */
  const findParent = async ({ id, nodeId, topId }: TriggerComment): Promise<string | undefined> => {
    if (id === topId) return nodeId;
    const query = "query ($id: ID!) { node(id: $id) { ... on DiscussionComment { replyTo { id } } } }";
    const purpose = to("find the thread of the trigger comment on");
    return (await undefinedIfGone(api.graphql(purpose, query, { id: nodeId }, Parent)))?.node?.replyTo?.id;
  };

  /** The replies to a comment, from the newest page back until a page begins before `sinceMs`. */
  const listReplies = async (id: string, newest: ReplyPage | undefined, sinceMs: number) => {
    const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on DiscussionComment {
      replies(last: 100, before: $cursor) { ${replyFields} } } } }`;
    const replies: Comment[] = [];
    for (let page = newest; page !== undefined; ) {
      replies.push(...page.nodes);
      const { hasMore, cursor } = page.pageInfo;
      const [oldest] = page.nodes;
      if (!hasMore || (oldest !== undefined && Date.parse(oldest.createdAt) < sinceMs)) break;
      const older = await undefinedIfGone(
        api.graphql(to("list the replies on"), query, { id, cursor }, OlderReplies),
      );
      page = older?.node?.replies;
    }
    return replies;
  };

  return {
    async list({ since } = {}) {
      const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on Discussion {
        comments(first: 100, after: $cursor) { nodes { ${commentFields} replies(last: 100) { ${replyFields} } }
          pageInfo { hasNextPage endCursor } } } } }`;
      const sinceMs = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
      const purpose = to("list the comments of");
      const pages = eachPage(async (cursor) => {
        const variables = { id: nodeId, cursor };
        return (await api.graphql(purpose, query, variables, CommentPage)).node.comments;
      });
      const comments: Comment[] = [];
      for await (const { nodes } of pages) {
        for (const { comment, replies } of nodes)
          comments.push(comment, ...(await listReplies(comment.nodeId, replies, sinceMs)));
      }
      // A comment without a readable time is not known to be older.
      return comments
        .filter(({ updatedAt }) => !(Date.parse(updatedAt) < sinceMs))
        .sort((a, b) => a.id - b.id);
    },
    async read({ nodeId: id }) {
      const query = `query ($id: ID!) { node(id: $id) { ... on DiscussionComment { ${commentFields} } } }`;
      const answer = await undefinedIfGone(api.graphql(to("read its comment on"), query, { id }, Found));
      return answer?.node ?? undefined;
    },
    async create(write) {
      const body = typeof write === "string" ? write : write({});
      const parent = triggerComment && (await findParent(triggerComment));
      const reply = parent === undefined ? undefined : await unlessReplyIsRefused(add(body, parent));
      return reply ?? add(body);
    },
    async update({ nodeId: id }, body) {
      const query = `mutation ($id: ID!, $body: String!) {
        updateDiscussionComment(input: { commentId: $id, body: $body }) { comment { ${commentFields} } } }`;
      const answer = await api.graphql(to("edit its comment on"), query, { id, body }, Updated);
      return answer.updateDiscussionComment.comment;
    },
    async remove({ nodeId: id }) {
      const query = "mutation ($id: ID!) { deleteDiscussionComment(input: { id: $id }) { comment { id } } }";
      await api.graphql(to("delete its comment on"), query, { id }, z.unknown());
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
 * Of comments that an account wrote, at most a hundred, those that are as it last wrote them: a comment's author stays when
 * others edit it. Comments that GitHub folds away are not among them.
 *
 * @throws {GitHubError} where GitHub does not say it.
 */
export async function filterUnedited<Item extends { readonly nodeId?: string; readonly body?: string }>(
  comments: readonly Item[],
  { kind, number }: ThreadAddress,
  { api, identity }: { readonly api: GitHubApi; readonly identity: Account },
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
    // The account of an editor may be gone since.
    return node.lastEditedAt === null || isSameAccount(node.editor, identity.login);
  });
}

type ReplyLink = Pick<Comment, "id" | "parentId">;

/** Each comment with its replies after it, the trigger comment's thread last; otherwise oldest first. */
export function orderByThread<Item extends ReplyLink>(
  comments: readonly Item[],
  trigger: TriggerComment | undefined,
): Item[] {
  const isNear = (comment: Item) => Number(topOf(comment) === trigger?.topId);
  return comments.toSorted(
    (one, other) => isNear(one) - isNear(other) || topOf(one) - topOf(other) || one.id - other.id,
  );
}

/**
 * The comments whose conversation a question may continue, the nearest last: those that answer the discussion itself,
 * then those of the question's own thread. What was said in other threads is not among them.
 */
export function pickConversation<Item extends ReplyLink>(
  comments: readonly Item[],
  trigger: TriggerComment | undefined,
): Item[] {
  const isNear = (comment: Item) => topOf(comment) === trigger?.topId;
  const isTop = ({ parentId }: Item) => parentId === undefined;
  return [...comments.filter((comment) => isTop(comment) && !isNear(comment)), ...comments.filter(isNear)];
}

function topOf({ id, parentId = id }: ReplyLink): number {
  return parentId;
}
