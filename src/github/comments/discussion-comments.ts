/** Comments of a discussion and the replies to them, over GraphQL: the REST API has none. */
import { z } from "zod";
import type { AskingComment } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";
import {
  type Comment,
  permissionToWrite,
  type ThreadAddress,
  type ThreadComments,
  unlessGone,
} from "./comment.ts";
import { unlessReplyIsRefused } from "./refused-reply.ts";

const commentShape = {
  id: z.string(),
  databaseId: z.number(),
  author: z
    .object({ __typename: z.string(), login: z.string(), databaseId: z.number().nullish() })
    .nullable(),
  body: z.string(),
  url: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  replyTo: z.object({ databaseId: z.number() }).nullish(),
};

function toComment({
  id,
  databaseId,
  author,
  replyTo,
  ...rest
}: z.output<z.ZodObject<typeof commentShape>>): Comment {
  const isBot = author?.__typename === "Bot";
  // GraphQL drops the suffix that the REST API and people know.
  const login = isBot && !author?.login.endsWith("[bot]") ? `${author?.login}[bot]` : (author?.login ?? "");
  return {
    ...rest,
    id: databaseId,
    nodeId: id,
    ...(replyTo ? { parentId: replyTo.databaseId } : {}),
    author: author ? { login, id: author.databaseId ?? 0, isBot } : undefined,
  };
}

const DiscussionComment = z.object(commentShape).transform(toComment);

const commentFields = `id databaseId body url createdAt updatedAt replyTo { databaseId }
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }`;

/** Replies, newest page first: ours are among the newest. */
const ReplyPage = z.object({
  nodes: z.array(DiscussionComment),
  pageInfo: z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() }),
});
type ReplyPage = z.output<typeof ReplyPage>;

const replyFields = `nodes { ${commentFields} } pageInfo { hasPreviousPage startCursor }`;

/** A server that knows no replies has none. */
const TopComment = z
  .object({ ...commentShape, replies: ReplyPage.nullish() })
  .transform(({ replies, ...comment }) => ({ comment: toComment(comment), replies: replies ?? undefined }));

const CommentPage = z.object({
  node: z.object({
    comments: z.object({
      nodes: z.array(TopComment),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  }),
});

const OlderReplies = z.object({ node: z.object({ replies: ReplyPage }).nullable() });
const Parent = z.object({ node: z.object({ replyTo: z.object({ id: z.string() }).nullable() }).nullable() });
const Found = z.object({ node: DiscussionComment.nullable() });
const Added = z.object({ addDiscussionComment: z.object({ comment: DiscussionComment }) });
const Updated = z.object({ updateDiscussionComment: z.object({ comment: DiscussionComment }) });

interface Question<Schema extends z.ZodType> {
  readonly doing: string;
  readonly query: string;
  readonly schema: Schema;
}

type Send = <Schema extends z.ZodType>(
  question: Question<Schema>,
  variables: Readonly<Record<string, unknown>>,
) => Promise<z.output<Schema>>;

/** A discussion's comments; a new one replies in the thread of the comment that asked, where there is one. */
export function createDiscussionComments(
  { nodeId, number, asking }: ThreadAddress,
  api: GitHubApi,
): ThreadComments {
  const permission = permissionToWrite("discussion");
  const where = `discussion #${number}`;
  const send: Send = ({ doing, query, schema }, variables) =>
    api.call({ doing: `${doing} ${where}`, permission }, async (octokit) =>
      schema.parse(await octokit.graphql<unknown>(query, variables)),
    );
  const add = async (body: string, replyTo?: string) => {
    const query = `mutation ($id: ID!, $body: String!, $replyTo: ID) {
      addDiscussionComment(input: { discussionId: $id, body: $body, replyToId: $replyTo }) {
        comment { ${commentFields} } } }`;
    const variables = { id: nodeId, body, ...(replyTo === undefined ? {} : { replyTo }) };
    return (await send({ doing: "comment on", query, schema: Added }, variables)).addDiscussionComment
      .comment;
  };

  return {
    list: ({ since } = {}) =>
      listComments({ nodeId, sinceMs: since === undefined ? undefined : Date.parse(since) }, send),
    async read({ nodeId: id }) {
      const query = `query ($id: ID!) { node(id: $id) { ... on DiscussionComment { ${commentFields} } } }`;
      const answer = await unlessGone(send({ doing: "read its comment on", query, schema: Found }, { id }));
      return answer?.node ?? undefined;
    },
    async create(body) {
      const parent = asking && (await findParent(asking, send));
      const reply = parent === undefined ? undefined : await unlessReplyIsRefused(add(body, parent));
      return reply ?? add(body);
    },
    async update({ nodeId: id }, body) {
      const query = `mutation ($id: ID!, $body: String!) {
        updateDiscussionComment(input: { commentId: $id, body: $body }) { comment { ${commentFields} } } }`;
      const answer = await send({ doing: "edit its comment on", query, schema: Updated }, { id, body });
      return answer.updateDiscussionComment.comment;
    },
    async remove({ nodeId: id }) {
      const query = "mutation ($id: ID!) { deleteDiscussionComment(input: { id: $id }) { comment { id } } }";
      await send({ doing: "delete its comment on", query, schema: z.unknown() }, { id });
    },
  };
}

/** Node id of the top-level comment in whose thread a comment stands; `undefined` where the comment is gone. */
async function findParent({ id, nodeId, topId }: AskingComment, send: Send): Promise<string | undefined> {
  if (id === topId) return nodeId;
  const query = "query ($id: ID!) { node(id: $id) { ... on DiscussionComment { replyTo { id } } } }";
  const doing = "find the thread of the comment that asked on";
  const answer = await unlessGone(send({ doing, query, schema: Parent }, { id: nodeId }));
  return answer?.node?.replyTo?.id;
}

interface ListOptions {
  readonly nodeId: string;
  readonly sinceMs: number | undefined;
}

async function listComments({ nodeId, sinceMs }: ListOptions, send: Send): Promise<Comment[]> {
  const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on Discussion {
    comments(first: 100, after: $cursor) { nodes { ${commentFields} replies(last: 100) { ${replyFields} } }
      pageInfo { hasNextPage endCursor } } } } }`;
  const comments: Comment[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: z.output<typeof CommentPage> = await send(
      { doing: "list the comments of", query, schema: CommentPage },
      { id: nodeId, cursor },
    );
    const { nodes, pageInfo } = page.node.comments;
    for (const { comment, replies } of nodes) {
      comments.push(
        comment,
        ...(await listReplies({ nodeId: comment.nodeId, newest: replies, sinceMs }, send)),
      );
    }
    if (!pageInfo.hasNextPage) break;
    cursor = pageInfo.endCursor;
  }
  const isRecent = ({ updatedAt }: Comment) => sinceMs === undefined || Date.parse(updatedAt) >= sinceMs;
  return comments.filter(isRecent).sort((a, b) => a.id - b.id);
}

/** The replies to a comment, from the newest page back, as far as there may be any that are wanted. */
async function listReplies(
  { nodeId, newest, sinceMs }: ListOptions & { readonly newest: ReplyPage | undefined },
  send: Send,
): Promise<Comment[]> {
  const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on DiscussionComment {
    replies(last: 100, before: $cursor) { ${replyFields} } } } }`;
  const replies: Comment[] = [];
  for (let page = newest; page !== undefined; ) {
    replies.push(...page.nodes);
    const { hasPreviousPage, startCursor } = page.pageInfo;
    const oldest = page.nodes[0];
    const isFarEnough =
      sinceMs !== undefined && oldest !== undefined && Date.parse(oldest.createdAt) < sinceMs;
    if (!hasPreviousPage || isFarEnough) break;
    const question = { doing: "list the replies on", query, schema: OlderReplies };
    const older = await unlessGone(send(question, { id: nodeId, cursor: startCursor }));
    page = older?.node?.replies;
  }
  return replies;
}
