/** GitHub's GraphQL API, executed by `graphql` against GitHub's own schema (cut by `scripts/cut-github-graphql.ts`). */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSchema, execute, type GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import type { Actor, Scope } from "./api-call.ts";
import { ancestry, pullCommits } from "./history.ts";
import { type RenderContext, repositoryUrls } from "./render.ts";
import { latestStatuses } from "./routes.ts";
import {
  type Commit,
  type Discussion,
  type DiscussionComment,
  deleteDiscussionComment,
  editWriting,
  type Issue,
  rememberPerson,
  startWriting,
  type Writing,
} from "./state.ts";

interface GraphContext extends RenderContext {
  readonly actor: Actor;
}

/** An error with GitHub's `type`, such as `NOT_FOUND` or `FORBIDDEN`. */
class GraphProblem extends Error {
  readonly type: string;

  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/** GitHub's error for what is not there, or not for this actor. */
const unresolved = (what: string) => new GraphProblem("NOT_FOUND", `Could not resolve to a ${what}.`);
const forbidden = () => new GraphProblem("FORBIDDEN", "Resource not accessible by integration");

/** Refuses as GitHub does when a line of `permissions:` is missing. */
function requireScopes(scopes: readonly Scope[], { actor }: GraphContext): void {
  if (!scopes.every((scope) => actor.permissions[scope] === "write")) throw forbidden();
}

/** Refuses to read private things without the permission for them. */
function requireReadable(scope: Scope, { actor, state }: GraphContext): void {
  if (state.isPrivate && actor.permissions[scope] === undefined) throw forbidden();
}

interface PageArguments {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** A page of a list, in Relay's form; GitHub demands `first` or `last`, at most a hundred. */
function connect<Item>(items: readonly Item[], { first, last, after, before }: PageArguments) {
  const size = first ?? last;
  if (size === undefined || size < 1 || size > 100) {
    const message = "You must provide a `first` or `last` value from 1 to 100.";
    throw new GraphProblem("MISSING_PAGINATION_BOUNDARIES", message);
  }
  const start = after == null ? 0 : Number(atob(after)) + 1;
  const end = before == null ? items.length : Number(atob(before));
  const from = first === undefined ? Math.max(start, end - size) : start;
  const to = first === undefined ? end : Math.min(end, start + first);
  const nodes = items.slice(from, to);
  return {
    nodes,
    totalCount: items.length,
    pageInfo: {
      startCursor: nodes.length > 0 ? btoa(String(from)) : null,
      endCursor: nodes.length > 0 ? btoa(String(from + nodes.length - 1)) : null,
      hasNextPage: to < items.length,
      hasPreviousPage: from > 0,
    },
  };
}

/** The same of things that are shown one by one. */
const connectEach = <Item>(items: readonly Item[], show: (item: Item) => object, page: PageArguments) => {
  const { nodes, ...rest } = connect(items, page);
  return { ...rest, nodes: nodes.map(show) };
};

/** Here a bot's login is without the `[bot]` that REST puts at its end. */
function actorObject(login: string, { state }: GraphContext) {
  const { id, type } = rememberPerson(state, login);
  return { __typename: type, id: `U_${id}`, databaseId: id, login: login.replace(/\[bot\]$/, "") };
}

/** The fields of every text. */
function writingObject(writing: Writing, context: GraphContext) {
  const edit = writing.edits.at(-1);
  return {
    // Of an account that is gone, GitHub gives none.
    editor: edit === undefined || edit.editor === "ghost" ? null : actorObject(edit.editor, context),
    lastEditedAt: edit?.editedAt ?? null,
    isMinimized: writing.isMinimized ?? false,
    databaseId: writing.id,
    author: actorObject(writing.author, context),
    body: writing.body,
    createdAt: writing.createdAt,
    updatedAt: writing.updatedAt,
  };
}

/** An issue or a pull request. */
function issueObject(issue: Issue, context: GraphContext) {
  const { pull } = issue;
  return {
    ...writingObject(issue, context),
    __typename: pull === undefined ? "Issue" : "PullRequest",
    id: `${pull === undefined ? "I" : "PR"}_${issue.id}`,
    number: issue.number,
    title: issue.title,
    isDraft: pull?.draft,
    mergeCommit: () => findCommit(pull?.mergeCommitSha, context),
    potentialMergeCommit: () => null,
    commits: (page: PageArguments) =>
      connectEach(
        pull === undefined ? [] : pullCommits(pull, context),
        (commit) => ({ id: `PRC_${commit.sha}`, commit: commitObject(commit, context) }),
        page,
      ),
  };
}

function discussionCommentObject(comment: DiscussionComment, context: GraphContext): object {
  const { discussionComments } = context.state;
  const parent = comment.replyTo === undefined ? undefined : discussionComments.get(comment.replyTo);
  const { html } = repositoryUrls(context);
  return {
    ...writingObject(comment, context),
    __typename: "DiscussionComment",
    id: `DC_${comment.id}`,
    url: `${html}/discussions/${comment.discussionNumber}#discussioncomment-${comment.id}`,
    replyTo: () => (parent === undefined ? null : discussionCommentObject(parent, context)),
    replies: (page: PageArguments) =>
      connectEach(
        [...discussionComments.values()].filter(({ replyTo }) => replyTo === comment.id),
        (reply) => discussionCommentObject(reply, context),
        page,
      ),
  };
}

function discussionObject(discussion: Discussion, context: GraphContext) {
  const isTop = ({ discussionNumber, replyTo }: DiscussionComment) =>
    discussionNumber === discussion.number && replyTo === undefined;
  return {
    ...writingObject(discussion, context),
    __typename: "Discussion",
    id: `D_${discussion.id}`,
    number: discussion.number,
    title: discussion.title,
    url: `${repositoryUrls(context).html}/discussions/${discussion.number}`,
    comments: (page: PageArguments) =>
      connectEach(
        [...context.state.discussionComments.values()].filter(isTop),
        (comment) => discussionCommentObject(comment, context),
        page,
      ),
  };
}

function statusObject(sha: string, context: GraphContext) {
  requireReadable("statuses", context);
  const contexts = latestStatuses(sha, context.state).map((status) => ({
    id: `SC_${status.id}`,
    context: status.context,
    state: status.state.toUpperCase(),
    createdAt: status.createdAt,
  }));
  return contexts.length === 0 ? null : { id: `ST_${sha}`, state: "PENDING", contexts };
}

function commitObject({ sha, date }: Commit, context: GraphContext): object {
  return {
    __typename: "Commit",
    id: `C_${sha}`,
    oid: sha,
    committedDate: date,
    status: () => statusObject(sha, context),
    history: (page: PageArguments) =>
      connectEach(ancestry(sha, context.state), (commit) => commitObject(commit, context), page),
  };
}

function findCommit(sha: string | undefined, context: GraphContext): object | null {
  const commit = sha === undefined ? undefined : context.state.commits.get(sha);
  return commit === undefined ? null : commitObject(commit, context);
}

/** A commit, or an annotated tag's object that leads to one. */
function targetObject(sha: string, context: GraphContext): object | null {
  const tagged = context.state.tagObjects.get(sha);
  if (tagged === undefined) return findCommit(sha, context);
  return { __typename: "Tag", id: `TA_${sha}`, oid: sha, target: () => findCommit(tagged, context) };
}

/** The number in an identifier such as `DC_1000007`. */
const numberOf = (id: string) => Number(id.split("_")[1]);

/** What stands behind the identifier of a text. */
function findText(id: string, context: GraphContext): { writing: Writing; object: object; scope: Scope } {
  const { issues, comments, discussions, discussionComments, reviewComments, reviews } = context.state;
  const find = <Item extends Writing>(items: Iterable<Item>) =>
    [...items].find((item) => item.id === numberOf(id));
  const plain = (type: string, writing: Writing | undefined, scope: Scope) =>
    writing && { writing, scope, object: { ...writingObject(writing, context), __typename: type, id } };
  const read = () => {
    switch (id.split("_")[0]) {
      case "I":
      case "PR": {
        const writing = find(issues.values());
        const scope = writing?.pull === undefined ? "issues" : "pull-requests";
        return writing && ({ writing, object: issueObject(writing, context), scope } as const);
      }
      case "D": {
        const writing = find(discussions.values());
        return (
          writing && ({ writing, object: discussionObject(writing, context), scope: "discussions" } as const)
        );
      }
      case "DC": {
        const writing = find(discussionComments.values());
        const object = writing && discussionCommentObject(writing, context);
        return object && ({ writing, object, scope: "discussions" } as const);
      }
      case "IC":
        return plain("IssueComment", find(comments.values()), "issues");
      case "PRRC":
        return plain("PullRequestReviewComment", find(reviewComments.values()), "pull-requests");
      case "PRR":
        return plain("PullRequestReview", find(reviews.values()), "pull-requests");
      default:
        return undefined;
    }
  };
  const found = read();
  if (found === undefined) throw unresolved(`node with the global id of '${id}'`);
  requireReadable(found.scope, context);
  return found;
}

function findNode(id: string, context: GraphContext): object | null {
  if (!id.startsWith("C_")) return findText(id, context).object;
  requireReadable("contents", context);
  return findCommit(id.slice(2), context);
}

/** Newest change first, as every query here asks for it. */
const byLastChange = <Item extends Writing>(items: Iterable<Item>): Item[] =>
  [...items].toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));

/** By name, as the executor calls them. */
const queries = {
  id: "Q",
  // GitHub gives the viewer as a User, with REST's form of the login.
  viewer: (_: object, context: GraphContext) => ({
    ...actorObject(context.actor.login, context),
    __typename: "User",
    login: context.actor.login,
  }),
  node: ({ id }: { id: string }, context: GraphContext) => findNode(id, context),
  nodes: ({ ids }: { ids: readonly string[] }, context: GraphContext) =>
    ids.map((id) => findNode(id, context)),
  repository({ owner, name }: { owner: string; name: string }, context: GraphContext) {
    const { state } = context;
    if (owner !== state.owner || name !== state.name) {
      throw unresolved(`Repository with the name '${owner}/${name}'`);
    }
    return {
      discussions(page: PageArguments) {
        requireReadable("discussions", context);
        const show = (discussion: Discussion) => discussionObject(discussion, context);
        return connectEach(byLastChange(state.discussions.values()), show, page);
      },
      pullRequests(page: PageArguments) {
        requireReadable("pull-requests", context);
        const pulls = byLastChange(state.issues.values()).filter(({ pull }) => pull !== undefined);
        return connectEach(pulls, (pull) => issueObject(pull, context), page);
      },
      defaultBranchRef() {
        requireReadable("contents", context);
        const sha = state.refs.get(`refs/heads/${state.defaultBranch}`);
        return sha === undefined ? null : { id: "REF_default", target: () => targetObject(sha, context) };
      },
      refs({ refPrefix, ...page }: PageArguments & { refPrefix: string }) {
        requireReadable("contents", context);
        const refs = [...state.refs].filter(([ref]) => ref.startsWith(refPrefix));
        const show = ([ref, sha]: [string, string]) => ({
          id: `REF_${ref}`,
          name: ref.slice(refPrefix.length),
          target: () => targetObject(sha, context),
        });
        return connectEach(refs, show, page);
      },
    };
  },
};

interface Input<Fields> {
  readonly input: Fields;
}

const mutations = {
  addDiscussionComment(
    { input }: Input<{ discussionId: string; body: string; replyToId?: string | null }>,
    context: GraphContext,
  ) {
    requireScopes(["discussions"], context);
    const { state, actor } = context;
    const discussion = [...state.discussions.values()].find(({ id }) => id === numberOf(input.discussionId));
    if (discussion === undefined) throw unresolved("Discussion");
    const parent =
      input.replyToId == null ? undefined : state.discussionComments.get(numberOf(input.replyToId));
    if (input.replyToId != null && parent === undefined) throw unresolved("DiscussionComment");
    if (parent?.replyTo !== undefined) {
      throw new GraphProblem("UNPROCESSABLE", "Parent comment is already in a thread, cannot reply to it");
    }
    const comment = {
      ...startWriting(state, { author: actor.login, body: input.body }),
      discussionNumber: discussion.number,
      replyTo: parent?.id,
    };
    state.discussionComments.set(comment.id, comment);
    return { comment: discussionCommentObject(comment, context) };
  },

  updateDiscussionComment({ input }: Input<{ commentId: string; body: string }>, context: GraphContext) {
    requireScopes(["discussions"], context);
    const { writing } = findText(input.commentId, context);
    editWriting(context.state, { writing, editor: context.actor.login, body: input.body });
    return { comment: findText(input.commentId, context).object };
  },

  deleteDiscussionComment({ input }: Input<{ id: string }>, context: GraphContext) {
    requireScopes(["discussions"], context);
    const { object } = findText(input.id, context);
    deleteDiscussionComment(context.state, numberOf(input.id));
    return { comment: object };
  },

  addReaction({ input }: Input<{ subjectId: string; content: string }>, context: GraphContext) {
    const { writing, scope } = findText(input.subjectId, context);
    requireScopes([scope], context);
    const { state, actor } = context;
    const content = input.content.toLowerCase();
    const isKnown = writing.reactions.some((one) => one.content === content && one.author === actor.login);
    const reaction = { id: state.nextId(), content, author: actor.login, createdAt: state.now() };
    if (!isKnown) writing.reactions.push(reaction);
    return { clientMutationId: null };
  },

  convertPullRequestToDraft({ input }: Input<{ pullRequestId: string }>, context: GraphContext) {
    // A run's token needs both: with `pull-requests: write` alone GitHub refuses (reports of many projects).
    requireScopes(["contents", "pull-requests"], context);
    const issue = [...context.state.issues.values()].find(({ id }) => id === numberOf(input.pullRequestId));
    if (issue?.pull === undefined) throw unresolved(`node with the global id of '${input.pullRequestId}'`);
    issue.pull.draft = true;
    return { pullRequest: issueObject(issue, context) };
  },
};

let builtSchema: GraphQLSchema | undefined;

function schema(): GraphQLSchema {
  const file = fileURLToPath(new URL("../../fixtures/github-schema.graphql", import.meta.url));
  builtSchema ??= buildSchema(readFileSync(file, "utf8"));
  return builtSchema;
}

export interface GraphRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
}

export interface GraphAnswer {
  /** The mutations or queries asked for, such as `addDiscussionComment`. */
  readonly operations: readonly string[];
  /** What is wrong with the request itself: GitHub would not execute it. */
  readonly problems: readonly string[];
  readonly body: unknown;
}

function renderError({ message, path, locations, originalError }: GraphQLError) {
  const type = originalError instanceof GraphProblem ? { type: originalError.type } : {};
  return { ...type, ...(path === undefined ? {} : { path }), locations, message };
}

/** Executes a request; its failures are part of the answer, as GitHub's are. */
export async function answerGraphRequest(
  { query, variables }: GraphRequest,
  context: GraphContext,
): Promise<GraphAnswer> {
  const document = parse(query);
  const operations = document.definitions.flatMap((definition) =>
    "selectionSet" in definition && definition.kind === "OperationDefinition"
      ? definition.selectionSet.selections.flatMap((field) => ("name" in field ? [field.name.value] : []))
      : [],
  );
  const invalid = validate(schema(), document);
  if (invalid.length > 0) {
    return { operations, problems: invalid.map(String), body: { errors: invalid.map(renderError) } };
  }
  const { data, errors } = await execute({
    schema: schema(),
    document,
    rootValue: { ...queries, ...mutations },
    contextValue: context,
    ...(variables === undefined ? {} : { variableValues: variables }),
  });
  const failures = errors === undefined ? {} : { errors: errors.map(renderError) };
  return { operations, problems: [], body: { data, ...failures } };
}
