/** Threads, comments and people as GraphQL shows them; fields with arguments are functions, as `graphql` calls them. */

import type { Actor, Links } from "./api-call.ts";
import { connect, type PageArguments } from "./graphql-connection.ts";
import { authorAssociation } from "./render-people.ts";
import { repositoryUrls, threadPath } from "./render-threads.ts";
import type {
  Discussion,
  DiscussionComment,
  GitHubState,
  Issue,
  IssueComment,
  Reaction,
  ReviewComment,
  Writing,
} from "./state.ts";
import { rememberPerson } from "./state.ts";

export interface GraphContext {
  readonly state: GitHubState;
  readonly links: Links;
  readonly actor: Actor;
}

/** Here a bot's login is without the `[bot]` that REST puts at its end. */
export function actorObject(login: string, { state, links }: GraphContext) {
  const { id, type } = rememberPerson(state, login);
  const name = login.replace(/\[bot\]$/, "");
  const path = type === "Bot" ? `/apps/${name}` : `/${name}`;
  return {
    __typename: type,
    id: `U_${id}`,
    databaseId: id,
    login: name,
    name: null,
    avatarUrl: `${links.html}/avatars/${id}`,
    url: `${links.html}${path}`,
    resourcePath: path,
  };
}

const CONTENTS: Readonly<Record<string, string>> = {
  "+1": "THUMBS_UP",
  "-1": "THUMBS_DOWN",
  laugh: "LAUGH",
  hooray: "HOORAY",
  confused: "CONFUSED",
  heart: "HEART",
  rocket: "ROCKET",
  eyes: "EYES",
};

/** REST's word for a reaction. */
export function reactionWord(content: string): string {
  return Object.keys(CONTENTS).find((word) => CONTENTS[word] === content) ?? content;
}

export function reactionObject({ id, content, author, createdAt }: Reaction, context: GraphContext) {
  const user = actorObject(author, context);
  return {
    __typename: "Reaction",
    id: `REA_${id}`,
    databaseId: id,
    content: CONTENTS[content],
    createdAt,
    user: user.__typename === "User" ? user : null,
  };
}

function writingObject(writing: Writing, context: GraphContext) {
  const lastEdit = writing.edits.at(-1);
  // The newest edit comes first, and the oldest entry is the text as it was created.
  const edits = [
    ...writing.edits.toReversed().map((edit, index, all) => ({
      ...edit,
      diff: index === 0 ? writing.body : (all[index - 1]?.previousBody ?? ""),
    })),
    {
      id: writing.id,
      editor: writing.author,
      editedAt: writing.createdAt,
      diff: writing.edits[0]?.previousBody,
    },
  ].map(({ id, editor, editedAt, diff }) => ({
    id: `UCE_${id}`,
    editor: actorObject(editor, context),
    editedAt,
    createdAt: editedAt,
    updatedAt: editedAt,
    deletedAt: null,
    diff,
  }));
  return {
    databaseId: writing.id,
    fullDatabaseId: String(writing.id),
    author: actorObject(writing.author, context),
    authorAssociation: authorAssociation(context.state, writing.author),
    body: writing.body,
    bodyText: writing.body,
    createdAt: writing.createdAt,
    publishedAt: writing.createdAt,
    updatedAt: writing.updatedAt,
    editor: lastEdit === undefined ? null : actorObject(lastEdit.editor, context),
    lastEditedAt: lastEdit?.editedAt ?? null,
    includesCreatedEdit: writing.edits.length > 0,
    isMinimized: false,
    viewerDidAuthor: writing.author === context.actor.login,
    userContentEdits: (page: PageArguments) => connect(writing.edits.length === 0 ? [] : edits, page),
    reactions: (page: PageArguments) =>
      connect(
        writing.reactions.map((reaction) => reactionObject(reaction, context)),
        page,
      ),
  };
}

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
