/** Threads and comments as GraphQL shows them; fields with arguments are functions, as the executor calls them. */

import { pullCommitFields } from "./graphql-commits.ts";
import { connect, type PageArguments } from "./graphql-connection.ts";
import { type GraphContext, writingObject } from "./graphql-writing.ts";
import type { Discussion, DiscussionComment, Issue, IssueComment, ReviewComment } from "./records.ts";
import { repositoryUrls, threadPath } from "./render-threads.ts";

const labelsOf = (labels: readonly string[]) => (page: PageArguments) =>
  connect(
    labels.map((name) => ({ id: `LA_${name}`, name })),
    page,
  );

export function repositoryObject(context: GraphContext) {
  const { owner, name, isPrivate } = context.state;
  return {
    id: "R_101",
    databaseId: 101,
    name,
    nameWithOwner: `${owner}/${name}`,
    isPrivate,
    resourcePath: `/${owner}/${name}`,
    url: repositoryUrls(context).html,
  };
}

export function issueCommentObject(comment: IssueComment, context: GraphContext) {
  const issue = context.state.issues.get(comment.issueNumber);
  const { html } = repositoryUrls(context);
  return {
    ...writingObject(comment, context),
    __typename: "IssueComment",
    id: `IC_${comment.id}`,
    url: `${html}/issues/${comment.issueNumber}#issuecomment-${comment.id}`,
    issue: () => (issue === undefined ? null : issueObject(issue, context)),
  };
}

export function reviewCommentObject(comment: ReviewComment, context: GraphContext) {
  const { html } = repositoryUrls(context);
  return {
    ...writingObject(comment, context),
    __typename: "PullRequestReviewComment",
    id: `PRRC_${comment.id}`,
    url: `${html}/pull/${comment.pullNumber}#discussion_r${comment.id}`,
  };
}

/** An issue or a pull request. */
export function issueObject(issue: Issue, context: GraphContext) {
  const { pull } = issue;
  const path = threadPath(issue);
  const comments = () =>
    [...context.state.comments.values()].filter(({ issueNumber }) => issueNumber === issue.number);
  return {
    ...writingObject(issue, context),
    __typename: pull === undefined ? "Issue" : "PullRequest",
    id: `${pull === undefined ? "I" : "PR"}_${issue.id}`,
    number: issue.number,
    title: issue.title,
    state: pull?.mergedAt === undefined ? issue.state.toUpperCase() : "MERGED",
    locked: issue.locked,
    url: `${repositoryUrls(context).html}/${path}`,
    resourcePath: `/${context.state.owner}/${context.state.name}/${path}`,
    repository: () => repositoryObject(context),
    labels: labelsOf(issue.labels),
    comments: (page: PageArguments) =>
      connect(
        comments().map((comment) => issueCommentObject(comment, context)),
        page,
      ),
    ...(pull === undefined ? {} : pullCommitFields(pull, context)),
    baseRefName: pull?.base,
    headRefName: pull?.head,
    isDraft: pull?.draft,
    merged: pull?.mergedAt !== undefined,
  };
}

export function discussionCommentObject(comment: DiscussionComment, context: GraphContext): object {
  const { state } = context;
  const all = [...state.discussionComments.values()];
  const parent = comment.replyTo === undefined ? undefined : state.discussionComments.get(comment.replyTo);
  const { html } = repositoryUrls(context);
  return {
    ...writingObject(comment, context),
    __typename: "DiscussionComment",
    id: `DC_${comment.id}`,
    url: `${html}/discussions/${comment.discussionNumber}#discussioncomment-${comment.id}`,
    discussion: () => {
      const discussion = state.discussions.get(comment.discussionNumber);
      return discussion === undefined ? null : discussionObject(discussion, context);
    },
    replyTo: () => (parent === undefined ? null : discussionCommentObject(parent, context)),
    replies: (page: PageArguments) =>
      connect(
        all
          .filter(({ replyTo }) => replyTo === comment.id)
          .map((reply) => discussionCommentObject(reply, context)),
        page,
      ),
  };
}

export function discussionObject(discussion: Discussion, context: GraphContext) {
  const { html } = repositoryUrls(context);
  const comments = () =>
    [...context.state.discussionComments.values()].filter(
      ({ discussionNumber, replyTo }) => discussionNumber === discussion.number && replyTo === undefined,
    );
  return {
    ...writingObject(discussion, context),
    __typename: "Discussion",
    id: `D_${discussion.id}`,
    number: discussion.number,
    title: discussion.title,
    closed: false,
    locked: discussion.locked,
    url: `${html}/discussions/${discussion.number}`,
    repository: () => repositoryObject(context),
    labels: labelsOf(discussion.labels),
    comments: (page: PageArguments) =>
      connect(
        comments().map((comment) => discussionCommentObject(comment, context)),
        page,
      ),
  };
}
