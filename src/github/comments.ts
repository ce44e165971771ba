/** Comments of one thread, whatever its kind: an issue's or pull request's conversation, or a discussion. */
import { z } from "zod";
import { statusOfCause } from "./errors.ts";
import type { Account, Thread } from "./event/event.ts";
import type { GitHubApi } from "./github-api.ts";

/** A comment as GitHub shows it. */
export interface Comment {
  /** Number that grows with every comment. */
  readonly id: number;
  readonly nodeId: string;
  readonly author: Account | undefined;
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ThreadComments {
  /** All comments, oldest first; with `since`, those created or changed since then. */
  list(options?: { readonly since?: string }): Promise<readonly Comment[]>;
  /** One comment as it is now; `undefined` where it was deleted. */
  read(comment: Pick<Comment, "id" | "nodeId">): Promise<Comment | undefined>;
  create(body: string): Promise<Comment>;
  update(comment: Pick<Comment, "id" | "nodeId">, body: string): Promise<Comment>;
  remove(comment: Pick<Comment, "id" | "nodeId">): Promise<void>;
}

/** The part of a thread that finds its comments. */
export type ThreadAddress = Pick<Thread, "kind" | "number" | "nodeId">;

export function createThreadComments(thread: ThreadAddress, api: GitHubApi): ThreadComments {
  return thread.kind === "discussion" ? discussionComments(thread, api) : issueComments(thread, api);
}

/** The `permissions:` line that writing on a thread needs. */
function permissionToWrite(kind: Thread["kind"]): string {
  return { issue: "issues: write", "pull-request": "pull-requests: write", discussion: "discussions: write" }[
    kind
  ];
}

/** A comment of an issue or pull request, as the REST API shows it, in our terms. */
export const RestComment = z
  .object({
    id: z.number(),
    node_id: z.string(),
    user: z.object({ login: z.string(), id: z.number(), type: z.string() }).nullish(),
    body: z.string().nullish(),
    html_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .transform(
    ({ id, node_id, user, body, html_url, created_at, updated_at }): Comment => ({
      id,
      nodeId: node_id,
      author: user ? { login: user.login, id: user.id, isBot: user.type === "Bot" } : undefined,
      body: body ?? "",
      url: html_url,
      createdAt: created_at,
      updatedAt: updated_at,
    }),
  );

/** What a request found; `undefined` where GitHub says that it is not there. */
async function unlessGone<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    if (statusOfCause(error) === 404) return undefined;
    throw error;
  }
}

function issueComments({ kind, number }: ThreadAddress, api: GitHubApi): ThreadComments {
  const permission = permissionToWrite(kind);
  return {
    list: ({ since } = {}) =>
      api.call({ doing: `list the comments of #${number}`, permission }, async (octokit, target) => {
        const parameters = { ...target, issue_number: number, per_page: 100, ...(since ? { since } : {}) };
        const comments = await octokit.paginate(octokit.rest.issues.listComments, parameters);
        return z
          .array(RestComment)
          .parse(comments)
          .sort((a, b) => a.id - b.id);
      }),
    read: ({ id }) =>
      unlessGone(
        api.call({ doing: `read its comment on #${number}`, permission }, async (octokit, target) => {
          const { data } = await octokit.rest.issues.getComment({ ...target, comment_id: id });
          return RestComment.parse(data);
        }),
      ),
    create: (body) =>
      api.call({ doing: `comment on #${number}`, permission }, async (octokit, target) => {
        const { data } = await octokit.rest.issues.createComment({ ...target, issue_number: number, body });
        return RestComment.parse(data);
      }),
    update: ({ id }, body) =>
      api.call({ doing: `edit its comment on #${number}`, permission }, async (octokit, target) => {
        const { data } = await octokit.rest.issues.updateComment({ ...target, comment_id: id, body });
        return RestComment.parse(data);
      }),
    remove: ({ id }) =>
      api.call({ doing: `delete its comment on #${number}`, permission }, async (octokit, target) => {
        await octokit.rest.issues.deleteComment({ ...target, comment_id: id });
      }),
  };
}

const DiscussionComment = z
  .object({
    id: z.string(),
    databaseId: z.number(),
    author: z
      .object({ __typename: z.string(), login: z.string(), databaseId: z.number().nullish() })
      .nullable(),
    body: z.string(),
    url: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .transform(({ id, databaseId, author, ...rest }): Comment => {
    const isBot = author?.__typename === "Bot";
    // GraphQL drops the suffix that the REST API and people know.
    const login = isBot && !author?.login.endsWith("[bot]") ? `${author?.login}[bot]` : (author?.login ?? "");
    return {
      ...rest,
      id: databaseId,
      nodeId: id,
      author: author ? { login, id: author.databaseId ?? 0, isBot } : undefined,
    };
  });

const commentFields = `id databaseId body url createdAt updatedAt
  author { __typename login ... on User { databaseId } ... on Bot { databaseId } }`;

const CommentPage = z.object({
  node: z.object({
    comments: z.object({
      nodes: z.array(DiscussionComment),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
    }),
  }),
});

const Found = z.object({ node: DiscussionComment.nullable() });
const Added = z.object({ addDiscussionComment: z.object({ comment: DiscussionComment }) });
const Updated = z.object({ updateDiscussionComment: z.object({ comment: DiscussionComment }) });

function discussionComments({ nodeId, number }: ThreadAddress, api: GitHubApi): ThreadComments {
  const permission = permissionToWrite("discussion");
  const send = <Schema extends z.ZodType>(
    { doing, query, schema }: { doing: string; query: string; schema: Schema },
    variables: Readonly<Record<string, unknown>>,
  ) =>
    api.call({ doing, permission }, async (octokit) =>
      schema.parse(await octokit.graphql<unknown>(query, variables)),
    );

  return {
    async list({ since } = {}) {
      const comments: Comment[] = [];
      for (let cursor: string | null = null; ; ) {
        const query = `query ($id: ID!, $cursor: String) { node(id: $id) { ... on Discussion {
          comments(first: 100, after: $cursor) { nodes { ${commentFields} } pageInfo { hasNextPage endCursor } } } } }`;
        const doing = `list the comments of discussion #${number}`;
        const page: z.output<typeof CommentPage> = await send(
          { doing, query, schema: CommentPage },
          { id: nodeId, cursor },
        );
        comments.push(...page.node.comments.nodes);
        const { hasNextPage, endCursor } = page.node.comments.pageInfo;
        if (!hasNextPage) break;
        cursor = endCursor;
      }
      const isRecent = ({ updatedAt }: Comment) => !since || Date.parse(updatedAt) >= Date.parse(since);
      return comments.filter(isRecent).sort((a, b) => a.id - b.id);
    },
    async read({ nodeId: id }) {
      const query = `query ($id: ID!) { node(id: $id) { ... on DiscussionComment { ${commentFields} } } }`;
      const doing = `read its comment on discussion #${number}`;
      const answer = await unlessGone(send({ doing, query, schema: Found }, { id }));
      return answer?.node ?? undefined;
    },
    async create(body) {
      const query = `mutation ($id: ID!, $body: String!) {
        addDiscussionComment(input: { discussionId: $id, body: $body }) { comment { ${commentFields} } } }`;
      const doing = `comment on discussion #${number}`;
      const answer = await send({ doing, query, schema: Added }, { id: nodeId, body });
      return answer.addDiscussionComment.comment;
    },
    async update({ nodeId: id }, body) {
      const query = `mutation ($id: ID!, $body: String!) {
        updateDiscussionComment(input: { commentId: $id, body: $body }) { comment { ${commentFields} } } }`;
      const doing = `edit its comment on discussion #${number}`;
      const answer = await send({ doing, query, schema: Updated }, { id, body });
      return answer.updateDiscussionComment.comment;
    },
    async remove({ nodeId: id }) {
      const query = "mutation ($id: ID!) { deleteDiscussionComment(input: { id: $id }) { comment { id } } }";
      await send(
        { doing: `delete its comment on discussion #${number}`, query, schema: z.unknown() },
        { id },
      );
    },
  };
}
