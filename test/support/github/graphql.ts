/** GitHub's GraphQL API, executed by `graphql` against GitHub's own schema (cut by `scripts/cut-github-graphql.ts`). */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  buildSchema,
  type DocumentNode,
  defaultFieldResolver,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  parse,
  validate,
} from "graphql";
import type { Actor, Scope } from "./api-call.ts";
import { ancestry, changedFiles, pullCommits } from "./history.ts";
import { changedLinesOf, type RenderContext, repositoryUrls } from "./render.ts";
import {
  addReviewComment,
  findDraft,
  isOutdated,
  isShown,
  listReviewThreads,
  type ReviewThread,
} from "./review-threads.ts";
import { latestStatuses } from "./routes.ts";
import {
  type Commit,
  type Deployment,
  type Discussion,
  type DiscussionComment,
  deleteDiscussionComment,
  editWriting,
  type Issue,
  type IssueComment,
  type PullFacts,
  type Review,
  type ReviewComment,
  rememberPerson,
  shaOf,
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

/** Refuses to read private things without one of the permissions for them. */
function requireReadable(scopes: readonly Scope[], { actor, state }: GraphContext): void {
  if (state.isPrivate && scopes.every((scope) => actor.permissions[scope] === undefined)) throw forbidden();
}

interface PageArguments {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** A page of a list, in Relay's form; GitHub demands `first` or `last`, at most a hundred. */
function connect<Item>(
  items: readonly Item[],
  show: (item: Item) => object,
  { first, last, after, before }: PageArguments,
) {
  const size = first ?? last;
  if (size === undefined || size < 1 || size > 100) {
    const message = "You must provide a `first` or `last` value from 1 to 100.";
    throw new GraphProblem("MISSING_PAGINATION_BOUNDARIES", message);
  }
  const start = after == null ? 0 : Number(atob(after)) + 1;
  const end = before == null ? items.length : Number(atob(before));
  const from = first === undefined ? Math.max(start, end - size) : start;
  const to = first === undefined ? end : Math.min(end, start + first);
  const nodes = items.slice(from, to).map(show);
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

/** Here a bot's login is without the `[bot]` that REST puts at its end. */
function actorObject(login: string, { state }: GraphContext) {
  const { id, type } = rememberPerson(state, login);
  return { __typename: type, id: `U_${id}`, databaseId: id, login: login.replace(/\[bot\]$/, "") };
}

/** GraphQL's names of reactions, to those of REST. */
const REACTIONS: Readonly<Record<string, string>> = {
  CONFUSED: "confused",
  EYES: "eyes",
  HEART: "heart",
  HOORAY: "hooray",
  LAUGH: "laugh",
  ROCKET: "rocket",
  THUMBS_DOWN: "-1",
  THUMBS_UP: "+1",
};

/** The fields of every text. */
function writingObject(writing: Writing, context: GraphContext) {
  const edit = writing.edits.at(-1);
  return {
    // Of an account that is gone, GitHub gives none.
    editor: edit === undefined || edit.editor === "ghost" ? null : actorObject(edit.editor, context),
    lastEditedAt: edit?.editedAt ?? null,
    isMinimized: writing.isMinimized ?? false,
    databaseId: writing.id,
    fullDatabaseId: String(writing.id),
    author: actorObject(writing.author, context),
    body: writing.body,
    createdAt: writing.createdAt,
    updatedAt: writing.updatedAt,
  };
}

const issueCommentObject = (comment: IssueComment, context: GraphContext) => ({
  ...writingObject(comment, context),
  __typename: "IssueComment",
  id: `IC_${comment.id}`,
});

/** An issue or a pull request. */
function issueObject(issue: Issue, context: GraphContext): object {
  const { pull } = issue;
  return {
    ...writingObject(issue, context),
    ...(pull === undefined ? {} : pullFields({ ...issue, pull }, context)),
    __typename: pull === undefined ? "Issue" : "PullRequest",
    id: `${pull === undefined ? "I" : "PR"}_${issue.id}`,
  };
}

/** What a pull request has and an issue has not. */
function pullFields(issue: Issue & { pull: PullFacts }, context: GraphContext) {
  const { pull, number } = issue;
  const { state, actor } = context;
  const home = `${state.owner}/${state.name}`;
  const commits = () => pullCommits(pull, context);
  const files = () => changedFiles(commits());
  const ofPull = ({ pullNumber }: { pullNumber: number }) => pullNumber === number;
  return {
    number,
    title: issue.title,
    state: stateOf(issue),
    url: `${repositoryUrls(context).html}/pull/${number}`,
    headRefOid: () => pull.ownCommits?.at(-1) ?? shaOf(pull.head, context),
    isDraft: pull.draft,
    headRefName: pull.head,
    baseRefName: pull.base,
    isCrossRepository: pull.headRepository !== home,
    additions: () => changedLinesOf(files()).additions,
    deletions: () => changedLinesOf(files()).deletions,
    changedFiles: () => files().length,
    comments: (page: PageArguments) =>
      connect(
        [...state.comments.values()].filter(({ issueNumber }) => issueNumber === number),
        (comment) => issueCommentObject(comment, context),
        page,
      ),
    files: (page: PageArguments) =>
      connect(
        files(),
        (file) => ({
          path: file.filename,
          changeType: CHANGE_TYPES[file.status],
          ...changedLinesOf([file]),
        }),
        page,
      ),
    reviews: (page: PageArguments) =>
      connect(
        [...state.reviews.values()].filter((review) => ofPull(review) && isShown(review, actor.login)),
        (review) => reviewObject(review, context),
        page,
      ),
    reviewThreads: (page: PageArguments) =>
      connect(
        listReviewThreads(state, actor.login).filter(({ comments: [first] }) => ofPull(first)),
        (thread) => reviewThreadObject(thread, context),
        page,
      ),
    commits: (page: PageArguments) =>
      connect(
        commits(),
        (commit) => ({ id: `PRC_${commit.sha}`, commit: commitObject(commit, context) }),
        page,
      ),
  };
}

const stateOf = ({ pull, state }: Issue) => (pull?.mergedAt === undefined ? state.toUpperCase() : "MERGED");

const CHANGE_TYPES = { added: "ADDED", modified: "MODIFIED", removed: "DELETED", renamed: "RENAMED" };

function reviewObject(review: Review, context: GraphContext): object {
  const page = `${repositoryUrls(context).html}/pull/${review.pullNumber}`;
  return {
    ...writingObject(review, context),
    __typename: "PullRequestReview",
    id: `PRR_${review.id}`,
    url: `${page}#pullrequestreview-${review.id}`,
    state: review.state,
  };
}

function reviewCommentObject(comment: ReviewComment, context: GraphContext): object {
  const { reviews } = context.state;
  const review = comment.reviewId === undefined ? undefined : reviews.get(comment.reviewId);
  return {
    ...writingObject(comment, context),
    __typename: "PullRequestReviewComment",
    id: `PRRC_${comment.id}`,
    publishedAt: review?.state === "PENDING" ? null : (comment.publishedAt ?? comment.createdAt),
    url: `${repositoryUrls(context).html}/pull/${comment.pullNumber}#discussion_r${comment.id}`,
    diffHunk: comment.diffHunk,
    pullRequestReview: () => review && reviewObject(review, context),
  };
}

function reviewThreadObject({ id, comments }: ReviewThread, context: GraphContext): object {
  const [first] = comments;
  const outdated = isOutdated(first, context);
  return {
    __typename: "PullRequestReviewThread",
    id: `PRRT_${id}`,
    path: first.path,
    line: outdated ? null : first.line,
    originalLine: first.line,
    diffSide: first.side,
    isOutdated: outdated,
    isResolved: context.state.resolvedThreads.has(id),
    comments: (page: PageArguments) =>
      connect(comments, (comment) => reviewCommentObject(comment, context), page),
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
      connect(
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
    comments: (page: PageArguments) =>
      connect(
        [...context.state.discussionComments.values()].filter(isTop),
        (comment) => discussionCommentObject(comment, context),
        page,
      ),
  };
}

function statusObject(sha: string, context: GraphContext) {
  requireReadable(["statuses"], context);
  const contexts = latestStatuses(sha, context.state).map((status) => ({
    id: `SC_${status.id}`,
    context: status.context,
    targetUrl: status.targetUrl,
    creator: () => actorObject(status.creator, context),
    createdAt: status.createdAt,
  }));
  return contexts.length === 0 ? null : { id: `ST_${sha}`, contexts };
}

const deploymentObject = ({ id, state, environmentUrl }: Deployment) => ({
  id: `DE_${id}`,
  latestStatus: { id: `DS_${id}`, state, environmentUrl },
});

function commitObject({ sha, date, message }: Commit, context: GraphContext): object {
  return {
    __typename: "Commit",
    id: `C_${sha}`,
    oid: sha,
    messageHeadline: message.split("\n", 1)[0],
    committedDate: date,
    url: `${repositoryUrls(context).html}/commit/${sha}`,
    status: () => statusObject(sha, context),
    deployments(page: PageArguments) {
      requireReadable(["deployments"], context);
      const deployments = context.state.deployments.filter((deployment) => deployment.sha === sha);
      return connect(deployments, deploymentObject, page);
    },
    history({ path, until, ...page }: PageArguments & { path?: string; until?: string | null }) {
      const commits = ancestry(sha, context.state).filter(
        ({ files, date }) =>
          (path === undefined || files.some(({ filename }) => filename === path)) &&
          (until == null || Date.parse(date) <= Date.parse(until)),
      );
      return connect(commits, (commit) => commitObject(commit, context), page);
    },
  };
}

function findCommit(sha: string | undefined, context: GraphContext): object | null {
  const commit = sha === undefined ? undefined : context.state.commits.get(sha);
  return commit === undefined ? null : commitObject(commit, context);
}

/** The number in an identifier such as `DC_1000007`. */
const numberOf = (id: string) => Number(id.split("_")[1]);

interface FoundText {
  readonly writing: Writing;
  readonly object: object;
  /** One of these permissions is enough. */
  readonly scopes: readonly Scope[];
}

/** On a pull request, the permission for issues reaches comments and reactions too. */
const scopesOf = (issue: Issue | undefined): readonly Scope[] =>
  issue?.pull === undefined ? ["issues"] : ["issues", "pull-requests"];

/** What stands behind the identifier of a text. */
function findText(id: string, context: GraphContext): FoundText {
  const { issues, comments, discussions, discussionComments, reviewComments, reviews } = context.state;
  const find = <Item extends Writing>(items: Iterable<Item>) =>
    [...items].find((item) => item.id === numberOf(id));
  const found = <Item extends Writing>(
    writing: Item | undefined,
    show: (item: Item, context: GraphContext) => object,
    scopes: readonly Scope[],
  ) => writing && { writing, object: show(writing, context), scopes };
  const read = (): FoundText | undefined => {
    switch (id.split("_")[0]) {
      case "I":
      case "PR": {
        const issue = find(issues.values());
        return found(issue, issueObject, scopesOf(issue));
      }
      case "D":
        return found(find(discussions.values()), discussionObject, ["discussions"]);
      case "DC":
        return found(find(discussionComments.values()), discussionCommentObject, ["discussions"]);
      case "IC": {
        const comment = find(comments.values());
        return found(comment, issueCommentObject, scopesOf(comment && issues.get(comment.issueNumber)));
      }
      case "PRRC":
        return found(find(reviewComments.values()), reviewCommentObject, ["pull-requests"]);
      case "PRR":
        return found(find(reviews.values()), reviewObject, ["pull-requests"]);
      default:
        return undefined;
    }
  };
  const text = read();
  if (text === undefined) throw unresolved(`node with the global id of '${id}'`);
  requireReadable(text.scopes, context);
  return text;
}

function findReviewThread(id: string, { state, actor }: GraphContext): ReviewThread {
  const thread = listReviewThreads(state, actor.login).find((thread) => id === `PRRT_${thread.id}`);
  if (thread === undefined) throw unresolved(`node with the global id of '${id}'`);
  return thread;
}

function findNode(id: string, context: GraphContext): object | null {
  if (id.startsWith("PRRT_")) {
    requireReadable(["pull-requests"], context);
    return reviewThreadObject(findReviewThread(id, context), context);
  }
  if (!id.startsWith("C_")) return findText(id, context).object;
  requireReadable(["contents"], context);
  return findCommit(id.slice(2), context);
}

/** The one behind an identifier of many, or its error: GitHub answers the others. */
function findNodeOrError(id: string, context: GraphContext): object | null {
  try {
    return findNode(id, context);
  } catch (error) {
    if (error instanceof GraphProblem) return error;
    throw error;
  }
}

interface Order {
  readonly orderBy?: { readonly field: string; readonly direction: "ASC" | "DESC" } | null;
}

/** As `orderBy` says; oldest first without it. */
function ordered<Item extends Writing>(items: Iterable<Item>, { orderBy }: Order): Item[] {
  const field = orderBy?.field === "UPDATED_AT" ? "updatedAt" : "createdAt";
  const sign = orderBy?.direction === "DESC" ? -1 : 1;
  return [...items].toSorted(
    (one, other) => sign * (Date.parse(one[field]) - Date.parse(other[field]) || one.id - other.id),
  );
}

const refObject = (ref: string, sha: string, context: GraphContext) => ({
  id: `REF_${ref}`,
  target: () => findCommit(sha, context),
});

interface PullFilter extends PageArguments, Order {
  readonly states?: readonly ("CLOSED" | "MERGED" | "OPEN")[] | null;
  readonly baseRefName?: string | null;
  readonly headRefName?: string | null;
  readonly labels?: readonly string[] | null;
}

/** By name, as the executor calls them. */
const queries = {
  // GitHub gives the viewer as a User, with REST's form of the login.
  viewer: (_: object, context: GraphContext) => ({
    ...actorObject(context.actor.login, context),
    __typename: "User",
    login: context.actor.login,
  }),
  node: ({ id }: { id: string }, context: GraphContext) => findNode(id, context),
  nodes: ({ ids }: { ids: readonly string[] }, context: GraphContext) =>
    ids.map((id) => findNodeOrError(id, context)),
  repository({ owner, name }: { owner: string; name: string }, context: GraphContext) {
    const { state } = context;
    if (`${owner}/${name}`.toLowerCase() !== `${state.owner}/${state.name}`.toLowerCase()) {
      throw unresolved(`Repository with the name '${owner}/${name}'`);
    }
    return {
      id: "R_101",
      pullRequest({ number }: { number: number }) {
        const issue = state.issues.get(number);
        if (issue?.pull === undefined) throw unresolved(`PullRequest with the number of ${number}`);
        requireReadable(["pull-requests"], context);
        return issueObject(issue, context);
      },
      discussions(page: PageArguments & Order) {
        requireReadable(["discussions"], context);
        const show = (discussion: Discussion) => discussionObject(discussion, context);
        return connect(ordered(state.discussions.values(), page), show, page);
      },
      pullRequests({ states, baseRefName, headRefName, labels, ...page }: PullFilter) {
        requireReadable(["pull-requests"], context);
        const pulls = ordered(state.issues.values(), page).filter((issue) => {
          const { pull } = issue;
          if (pull === undefined) return false;
          return (
            (states?.includes(stateOf(issue) as "OPEN") ?? true) &&
            pull.base === (baseRefName ?? pull.base) &&
            pull.head === (headRefName ?? pull.head) &&
            (labels?.some((label) => issue.labels.includes(label)) ?? true)
          );
        });
        return connect(pulls, (pull) => issueObject(pull, context), page);
      },
      object({ expression, oid }: { expression?: string | null; oid?: string | null }) {
        requireReadable(["contents"], context);
        const [, path] = /^HEAD:(.+)$/.exec(expression ?? "") ?? [];
        if (path !== undefined) {
          const tip = shaOf(state.defaultBranch, context) ?? "";
          const files = changedFiles([...ancestry(tip, state)].reverse());
          const isThere = files.some(({ filename, status }) => filename === path && status !== "removed");
          return isThere ? { __typename: "Blob", id: `B_${path}`, oid: "0".repeat(40) } : null;
        }
        const sha = shaOf(oid ?? (expression === "HEAD" ? state.defaultBranch : (expression ?? "")), context);
        return sha === undefined ? null : findCommit(sha, context);
      },
      refs({ refPrefix, ...page }: PageArguments & { refPrefix: string }) {
        requireReadable(["contents"], context);
        const dateOf = (sha: string) => Date.parse(state.commits.get(sha)?.date ?? "");
        const refs = [...state.refs]
          .filter(([ref]) => ref.startsWith(refPrefix))
          .toSorted(([, one], [, other]) => dateOf(other) - dateOf(one) || 0);
        const show = ([ref, sha]: [string, string]) => refObject(ref, sha, context);
        return connect(refs, show, page);
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
    const { writing, scopes } = findText(input.subjectId, context);
    if (!scopes.some((scope) => context.actor.permissions[scope] === "write")) throw forbidden();
    const { state, actor } = context;
    const content = REACTIONS[input.content] ?? "";
    const known = writing.reactions.find((one) => one.content === content && one.author === actor.login);
    const reaction = known ?? { id: state.nextId(), content, author: actor.login, createdAt: state.now() };
    if (known === undefined) writing.reactions.push(reaction);
    return {};
  },

  addPullRequestReviewThreadReply(
    { input }: Input<{ pullRequestReviewThreadId: string; body: string }>,
    context: GraphContext,
  ) {
    requireScopes(["pull-requests"], context);
    const { id, comments } = findReviewThread(input.pullRequestReviewThreadId, context);
    const { state, actor } = context;
    const pull = comments[0].pullNumber;
    const draft = findDraft(pull, actor.login, state);
    addReviewComment(state, {
      ...{ pull, author: actor.login, body: input.body, inReplyTo: id },
      ...(draft && { review: draft.id }),
    });
    return {};
  },

  resolveReviewThread({ input }: Input<{ threadId: string }>, context: GraphContext) {
    // A run's token needs both: GitHub counts it as writing contents (github/gh-aw#35726, community discussion 44650).
    requireScopes(["contents", "pull-requests"], context);
    const thread = findReviewThread(input.threadId, context);
    context.state.resolvedThreads.set(thread.id, context.actor.login);
    return { thread: reviewThreadObject(thread, context) };
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

interface ReadQuery extends Pick<GraphAnswer, "operations"> {
  readonly document: DocumentNode;
  readonly invalid: readonly GraphQLError[];
}

/** The action has a few dozen queries and sends them thousands of times. */
const readQueries = new Map<string, ReadQuery>();

function readQuery(query: string): ReadQuery {
  const known = readQueries.get(query);
  if (known !== undefined) return known;
  const document = parse(query);
  const operations = document.definitions.flatMap((definition) =>
    "selectionSet" in definition && definition.kind === "OperationDefinition"
      ? definition.selectionSet.selections.flatMap((field) => ("name" in field ? [field.name.value] : []))
      : [],
  );
  const read = { document, operations, invalid: validate(schema(), document) };
  readQueries.set(query, read);
  return read;
}

/** As many replies to review threads as GitHub has been seen to execute (Reviewable/Reviewable#1275). */
const mutationsPerRequest = 13;

/** The number of nodes in all lists of a result. */
function countNodes(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce((count, [name, field]) => {
    const isList = name === "nodes" && Array.isArray(field);
    return count + (isList ? field.length : 0) + countNodes(field);
  }, 0);
}

/** GitHub's error for what it does not execute, because the request needs too much. */
const tooLarge = () =>
  new GraphProblem("RESOURCE_LIMITS_EXCEEDED", "Resource limits for this query exceeded.");

/** Executes a request; its failures are part of the answer, as GitHub's are. */
export async function answerGraphRequest(
  { query, variables }: GraphRequest,
  context: GraphContext,
): Promise<GraphAnswer> {
  const { document, operations, invalid } = readQuery(query);
  if (invalid.length > 0) {
    return { operations, problems: invalid.map(String), body: { errors: invalid.map(renderError) } };
  }
  let executed = 0;
  const { data, errors } = await execute({
    schema: schema(),
    document,
    rootValue: { ...queries, ...mutations },
    contextValue: context,
    fieldResolver(source, fields, graphContext, info) {
      if (info.parentType.name === "Mutation") executed += 1;
      if (executed > mutationsPerRequest) throw tooLarge();
      return defaultFieldResolver(source, fields, graphContext, info);
    },
    ...(variables === undefined ? {} : { variableValues: variables }),
  });
  if (countNodes(data) > context.state.nodesPerQuery) {
    const { type, message } = tooLarge();
    return {
      operations,
      problems: [],
      body: {
        data: null,
        errors: [
          { type, message },
          { type, message },
        ],
      },
    };
  }
  const failures = errors === undefined ? {} : { errors: errors.map(renderError) };
  return { operations, problems: [], body: { data, ...failures } };
}
