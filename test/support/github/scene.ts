/** Verbs with which a test sets the scene: what people did before, or do while, the action runs. */

import type {
  Collaborator,
  Discussion,
  DiscussionComment,
  Issue,
  IssueComment,
  Person,
  PullFacts,
  Review,
  ReviewComment,
  Role,
  Writing,
} from "./records.ts";
import { addCommit, createHistoryVerbs, type MergeMethod, mergePull } from "./scene-history.ts";
import {
  deleteDiscussionComment,
  editWriting,
  type GitHubState,
  rememberPerson,
  startWriting,
} from "./state.ts";

interface NewThread {
  readonly author: string;
  readonly title?: string;
  readonly body?: string;
  readonly labels?: readonly string[];
}

interface NewPull extends NewThread {
  /** Its branch; made, with one commit of `files`, unless it exists. */
  readonly head: string;
  readonly base?: string;
  /** Of a fork, where it comes from one. */
  readonly headRepository?: string;
  readonly draft?: boolean;
  readonly files?: readonly string[];
}

export type Scene = ReturnType<typeof createScene>;

function startThread(
  state: GitHubState,
  { author, title = "A thread", body = "", labels = [] }: NewThread,
): Issue {
  return {
    ...startWriting(state, { author, body }),
    number: state.nextNumber(),
    title,
    state: "open",
    stateReason: undefined,
    locked: false,
    labels: [...labels],
    assignees: [],
  };
}

/** The verbs over one repository's state. Names of threads are their numbers, of texts their records. */
export function createScene(state: GitHubState) {
  return {
    ...createHistoryVerbs(state),

    /** Makes a login known; with a role, a collaborator. */
    addPerson(login: string, role?: Role | Collaborator): Person {
      if (role !== undefined) {
        state.collaborators.set(login.toLowerCase(), typeof role === "string" ? { role } : role);
      }
      return rememberPerson(state, login);
    },

    addIssue(thread: NewThread): Issue {
      const issue = startThread(state, thread);
      state.issues.set(issue.number, issue);
      return issue;
    },

    openPullRequest(options: NewPull): Issue & { pull: PullFacts } {
      const { head, base = state.defaultBranch, draft = false, files = ["README.md"] } = options;
      if (!state.refs.has(`refs/heads/${head}`)) {
        addCommit(state, {
          branch: head,
          author: options.author,
          files,
          message: options.title ?? "Change",
        });
      }
      const pull: PullFacts = {
        head,
        headRepository: options.headRepository ?? `${state.owner}/${state.name}`,
        base,
        draft,
        mergedAt: undefined,
        mergeCommitSha: undefined,
        reviewers: [],
        teams: [],
      };
      const issue = { ...startThread(state, options), pull };
      state.issues.set(issue.number, issue);
      return issue;
    },

    /** Merges a pull request, by default with a merge commit; returns the SHA of the base branch's new tip. */
    mergePullRequest: (issue: Issue & { pull: PullFacts }, method: MergeMethod = "merge"): string =>
      mergePull(state, { issue, method }),

    addComment(options: { issue: number; author: string; body: string }): IssueComment {
      const comment = { ...startWriting(state, options), issueNumber: options.issue };
      state.comments.set(comment.id, comment);
      return comment;
    },

    addReview(options: { pull: number; author: string; body: string; state?: Review["state"] }): Review {
      const review: Review = {
        ...startWriting(state, options),
        pullNumber: options.pull,
        state: options.state ?? "COMMENTED",
      };
      state.reviews.set(review.id, review);
      return review;
    },

    addReviewComment(options: {
      pull: number;
      author: string;
      body: string;
      path?: string;
      review?: number;
      inReplyTo?: number;
    }): ReviewComment {
      // GitHub makes a review without text around a comment that stands alone.
      const review: Review = {
        ...startWriting(state, { author: options.author, body: "" }),
        pullNumber: options.pull,
        state: "COMMENTED",
      };
      if (options.review === undefined) state.reviews.set(review.id, review);
      const comment: ReviewComment = {
        ...startWriting(state, options),
        pullNumber: options.pull,
        path: options.path ?? "README.md",
        reviewId: options.review ?? review.id,
        inReplyTo: options.inReplyTo,
      };
      state.reviewComments.set(comment.id, comment);
      return comment;
    },

    addDiscussion({ author, title = "A discussion", body = "", labels = [] }: NewThread): Discussion {
      const discussion: Discussion = {
        ...startWriting(state, { author, body }),
        number: state.nextNumber(),
        title,
        locked: false,
        labels: [...labels],
      };
      state.discussions.set(discussion.number, discussion);
      return discussion;
    },

    addDiscussionComment(options: {
      discussion: number;
      author: string;
      body: string;
      replyTo?: number;
    }): DiscussionComment {
      const comment: DiscussionComment = {
        ...startWriting(state, options),
        discussionNumber: options.discussion,
        replyTo: options.replyTo,
      };
      state.discussionComments.set(comment.id, comment);
      return comment;
    },

    /** Changes any text, by default as its author. */
    edit(writing: Writing, { body, editor = writing.author }: { body: string; editor?: string }): void {
      rememberPerson(state, editor);
      editWriting(state, { writing, editor, body });
    },

    deleteComment({ id }: IssueComment | DiscussionComment | ReviewComment): void {
      state.comments.delete(id);
      deleteDiscussionComment(state, id);
      state.reviewComments.delete(id);
    },

    /** The comments of an issue or pull request, oldest first. */
    commentsOn: (number: number): IssueComment[] =>
      [...state.comments.values()].filter(({ issueNumber }) => issueNumber === number),
  };
}
