/** The mutations that the stand-in offers. */

import { GraphProblem } from "./graphql-connection.ts";
import { findNode, numberOf, unresolved } from "./graphql-nodes.ts";
import { discussionCommentObject, issueCommentObject, issueObject } from "./graphql-objects.ts";
import { requireScopes } from "./graphql-permissions.ts";
import { type GraphContext, reactionObject, reactionWord } from "./graphql-writing.ts";
import { deleteDiscussionComment, editWriting, startWriting } from "./state.ts";

type Input<Fields> = { readonly input: Fields };

function setDraft(id: string, { draft, context }: { draft: boolean; context: GraphContext }) {
  // A run's token needs both: with `pull-requests: write` alone GitHub refuses (reports of many projects).
  requireScopes(["contents", "pull-requests"], context);
  const issue = [...context.state.issues.values()].find((one) => one.id === numberOf(id));
  if (issue?.pull === undefined) throw unresolved(`node with the global id of '${id}'`);
  issue.pull.draft = draft;
  return { pullRequest: issueObject(issue, context) };
}

/** By name, as the executor calls them. */
export const mutations = {
  addComment({ input }: Input<{ subjectId: string; body: string }>, context: GraphContext) {
    const { object, scope } = findNode(input.subjectId, context);
    requireScopes([scope], context);
    const { state, actor } = context;
    const issue = [...state.issues.values()].find(({ id }) => id === numberOf(input.subjectId));
    if (issue === undefined) throw unresolved("issue");
    const comment = {
      ...startWriting(state, { author: actor.login, body: input.body }),
      issueNumber: issue.number,
    };
    state.comments.set(comment.id, comment);
    return { subject: object, commentEdge: { cursor: "", node: issueCommentObject(comment, context) } };
  },

  updateIssueComment({ input }: Input<{ id: string; body: string }>, context: GraphContext) {
    requireScopes(["issues"], context);
    const { writing } = findNode(input.id, context);
    editWriting(context.state, { writing, editor: context.actor.login, body: input.body });
    return { issueComment: findNode(input.id, context).object };
  },

  addDiscussionComment(
    { input }: Input<{ discussionId: string; body: string; replyToId?: string }>,
    context: GraphContext,
  ) {
    requireScopes(["discussions"], context);
    const { state, actor } = context;
    const discussion = [...state.discussions.values()].find(({ id }) => id === numberOf(input.discussionId));
    if (discussion === undefined) throw unresolved("Discussion");
    const parent =
      input.replyToId === undefined ? undefined : state.discussionComments.get(numberOf(input.replyToId));
    if (input.replyToId !== undefined && parent === undefined) throw unresolved("DiscussionComment");
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
    const { writing } = findNode(input.commentId, context);
    editWriting(context.state, { writing, editor: context.actor.login, body: input.body });
    return { comment: findNode(input.commentId, context).object };
  },

  deleteDiscussionComment({ input }: Input<{ id: string }>, context: GraphContext) {
    requireScopes(["discussions"], context);
    const { object } = findNode(input.id, context);
    deleteDiscussionComment(context.state, numberOf(input.id));
    return { comment: object };
  },

  addReaction({ input }: Input<{ subjectId: string; content: string }>, context: GraphContext) {
    const { writing, object, scope } = findNode(input.subjectId, context);
    requireScopes([scope], context);
    const { state, actor } = context;
    const content = reactionWord(input.content);
    const known = writing.reactions.find((one) => one.content === content && one.author === actor.login);
    const reaction = known ?? { id: state.nextId(), content, author: actor.login, createdAt: state.now() };
    if (known === undefined) writing.reactions.push(reaction);
    return { reaction: reactionObject(reaction, context), subject: object };
  },

  removeReaction({ input }: Input<{ subjectId: string; content: string }>, context: GraphContext) {
    const { writing, object, scope } = findNode(input.subjectId, context);
    requireScopes([scope], context);
    const content = reactionWord(input.content);
    const index = writing.reactions.findIndex(
      (one) => one.content === content && one.author === context.actor.login,
    );
    if (index < 0) throw unresolved("reaction");
    const [removed] = writing.reactions.splice(index, 1);
    return { reaction: removed && reactionObject(removed, context), subject: object };
  },

  convertPullRequestToDraft({ input }: Input<{ pullRequestId: string }>, context: GraphContext) {
    return setDraft(input.pullRequestId, { draft: true, context });
  },

  markPullRequestReadyForReview({ input }: Input<{ pullRequestId: string }>, context: GraphContext) {
    return setDraft(input.pullRequestId, { draft: false, context });
  },
};
