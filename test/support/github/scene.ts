/** Verbs with which a test sets the scene: what people did before, or do while, the action runs. */

import { createHash } from "node:crypto";
import { ancestry } from "./history.ts";
import { addReviewComment, type NewReviewComment } from "./review-threads.ts";
import {
  type ChangedFile,
  type Collaborator,
  type Commit,
  type Deployment,
  type Discussion,
  type DiscussionComment,
  deleteDiscussionComment,
  editWriting,
  type GitHubState,
  type Issue,
  type IssueComment,
  type Person,
  type PullFacts,
  type Release,
  type Review,
  type ReviewComment,
  type Role,
  rememberPerson,
  startWriting,
  type Writing,
} from "./state.ts";

interface NewCommit {
  readonly branch?: string;
  readonly message?: string;
  readonly author?: string;
  /** Names of modified files, or whole changes. */
  readonly files?: readonly (string | ChangedFile)[];
  /** Instead of the branch's tip: makes a rewritten history. */
  readonly parent?: string;
  /** What a merge commit merges. */
  readonly merges?: string;
}

const changeOf = (file: string | ChangedFile): ChangedFile =>
  typeof file === "string" ? { filename: file, status: "modified" } : file;

/** Adds a commit to a branch, which it makes if need be; returns its SHA. */
function addCommit(state: GitHubState, options: NewCommit): string {
  const {
    branch = state.defaultBranch,
    message = "Change something",
    author = state.owner,
    files = [],
  } = options;
  const ref = `refs/heads/${branch}`;
  const parent = options.parent ?? state.refs.get(ref) ?? state.refs.get(`refs/heads/${state.defaultBranch}`);
  const sha = createHash("sha1").update(`${state.nextId()} ${message}`).digest("hex");
  rememberPerson(state, author);
  state.commits.set(sha, {
    sha,
    parents: [parent, options.merges].filter((sha) => sha !== undefined),
    message,
    author,
    date: state.now(),
    files: files.map(changeOf),
  });
  state.refs.set(ref, sha);
  return sha;
}

/** How GitHub brings a pull request's commits to its base branch. */
export type MergeMethod = "merge" | "squash" | "rebase";

/** Merges a pull request; returns the SHA of the base branch's new tip. */
function mergePull(
  state: GitHubState,
  { issue, method }: { issue: Issue & { pull: PullFacts }; method: MergeMethod },
): string {
  const { pull, number, author, title } = issue;
  const branch = pull.base;
  const head = state.refs.get(`refs/heads/${pull.head}`);
  const base = state.refs.get(`refs/heads/${branch}`);
  if (head === undefined || base === undefined) throw new Error(`Pull request ${number} lacks a branch`);
  const known = new Set(ancestry(base, state).map(({ sha }) => sha));
  const own = ancestry(head, state)
    .filter(({ sha }) => !known.has(sha))
    .toReversed();
  const copy = ({ message, files, ...commit }: Commit) =>
    addCommit(state, { branch, message, files, author: commit.author });
  const together = (message: string, merges?: string) => [
    addCommit(state, {
      branch,
      message,
      author,
      files: own.flatMap(({ files }) => files),
      ...(merges === undefined ? {} : { merges }),
    }),
  ];
  const land = {
    merge: () => together(`Merge pull request #${number}`, head),
    squash: () => together(`${title} (#${number})`),
    rebase: () => own.map(copy),
  };
  const landed = land[method]();
  const tip = landed.at(-1) ?? base;
  issue.state = "closed";
  Object.assign(pull, {
    mergedAt: state.now(),
    mergeCommitSha: tip,
    ownCommits: own.map(({ sha }) => sha),
    landedCommits: landed,
  } satisfies Partial<PullFacts>);
  return tip;
}

interface NewThread {
  readonly author: string;
  readonly title?: string;
  readonly body?: string;
  readonly labels?: readonly string[];
}

export interface NewPull extends NewThread {
  /** Its branch; made, with one commit of `files`, unless it exists. */
  readonly head: string;
  readonly base?: string;
  /** Of a fork, where it comes from one. */
  readonly headRepository?: string;
  readonly draft?: boolean;
  readonly files?: readonly (string | ChangedFile)[];
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
    locked: false,
    labels: [...labels],
  };
}

/** The verbs over one repository's state. Names of threads are their numbers, of texts their records. */
export function createScene(state: GitHubState) {
  return {
    /** Adds a commit to a branch, which it makes if need be; returns its SHA. */
    addCommit: (options: NewCommit = {}): string => addCommit(state, options),

    addRelease({
      tag,
      name = tag,
      body = "",
      author = state.owner,
    }: {
      tag: string;
      name?: string;
      body?: string;
      author?: string;
    }): Release {
      const release = { id: state.nextId(), tag, name, body, author, createdAt: state.now() };
      const tip = state.refs.get(`refs/heads/${state.defaultBranch}`);
      if (tip !== undefined) state.refs.set(`refs/tags/${tag}`, tip);
      state.releases.push(release);
      return release;
    },

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

    /** Closes a pull request, or an issue, without merging it. */
    closeThread(issue: Issue): void {
      issue.state = "closed";
      issue.updatedAt = state.now();
    },

    /** Pushes one more commit to a pull request's branch; returns its SHA. */
    pushToPullRequest(
      issue: Issue & { pull: PullFacts },
      { author = issue.author, files = ["README.md"], ...commit }: Omit<NewCommit, "branch"> = {},
    ): string {
      issue.updatedAt = state.now();
      return addCommit(state, { ...commit, author, files, branch: issue.pull.head });
    },

    /** Says where a commit can be looked at. */
    addDeployment({
      sha,
      environmentUrl,
      environment = "Preview",
      outcome = "SUCCESS",
    }: {
      sha: string;
      environmentUrl?: string;
      environment?: string;
      outcome?: Deployment["state"];
    }): void {
      const [id, createdAt] = [state.nextId(), state.now()];
      state.deployments.push({ id, sha, environment, state: outcome, environmentUrl, createdAt });
    },

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

    /** A comment on the diff: on line 1 of README.md, or in the thread of the comment it replies to. */
    addReviewComment: (options: NewReviewComment): ReviewComment => addReviewComment(state, options),

    /** A thread on a line of the diff: its first comment, and replies to it. */
    addReviewThread({
      replies = [],
      ...first
    }: NewReviewComment & { replies?: readonly { author: string; body: string }[] }): ReviewComment {
      const comment = addReviewComment(state, first);
      for (const reply of replies) {
        addReviewComment(state, { ...reply, pull: first.pull, inReplyTo: comment.id });
      }
      return comment;
    },

    /** Resolves the thread that a comment started. */
    resolveThread({ id, inReplyTo = id }: ReviewComment, by = state.owner): void {
      state.resolvedThreads.set(inReplyTo, by);
    },

    isResolved: ({ id, inReplyTo = id }: ReviewComment): boolean => state.resolvedThreads.has(inReplyTo),

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
