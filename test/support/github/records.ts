/** What the stand-in remembers of each thing: people, texts, threads, commits. */

/** The five roles of a repository, weakest first. */
export const ROLES = ["read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** A collaborator with one of GitHub's roles, or with a custom one built on it. */
export interface Collaborator {
  readonly role: Role;
  /** Name of a custom role; its permissions are those of `role`. */
  readonly customRole?: string;
}

export interface Person {
  readonly login: string;
  readonly id: number;
  readonly type: "User" | "Bot";
}

interface Edit {
  readonly id: number;
  readonly editor: string;
  readonly editedAt: string;
  /** The text from before the edit. */
  readonly previousBody: string;
}

export interface Reaction {
  readonly id: number;
  readonly content: string;
  readonly author: string;
  readonly createdAt: string;
}

/** What comments, issues, pull requests, reviews and discussions have in common. */
export interface Writing {
  readonly id: number;
  readonly author: string;
  readonly createdAt: string;
  body: string;
  updatedAt: string;
  readonly edits: Edit[];
  readonly reactions: Reaction[];
}

export interface IssueComment extends Writing {
  readonly issueNumber: number;
}

export interface ReviewComment extends Writing {
  readonly pullNumber: number;
  readonly path: string;
  readonly reviewId: number | undefined;
  readonly inReplyTo: number | undefined;
}

export interface Review extends Writing {
  readonly pullNumber: number;
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED";
}

export interface DiscussionComment extends Writing {
  readonly discussionNumber: number;
  readonly replyTo: number | undefined;
}

export interface ChangedFile {
  readonly filename: string;
  readonly status: "added" | "removed" | "modified" | "renamed";
  readonly previousFilename?: string;
  readonly patch?: string;
}

export interface Commit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: string;
  readonly date: string;
  readonly files: readonly ChangedFile[];
}

export interface PullFacts {
  readonly head: string;
  readonly headRepository: string;
  readonly base: string;
  draft: boolean;
  mergedAt: string | undefined;
  mergeCommitSha: string | undefined;
  /** Once it is merged: its commits as they were on its branch, and those that it became on the base branch. */
  ownCommits?: readonly string[];
  landedCommits?: readonly string[];
  reviewers: string[];
  teams: string[];
}

/** An issue, or a pull request if it has `pull`. */
export interface Issue extends Writing {
  readonly number: number;
  title: string;
  state: "open" | "closed";
  stateReason: string | undefined;
  locked: boolean;
  labels: string[];
  assignees: string[];
  readonly pull?: PullFacts;
}

export interface Discussion extends Writing {
  readonly number: number;
  title: string;
  locked: boolean;
  labels: string[];
}

export interface CommitStatus {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string | undefined;
  readonly targetUrl: string | undefined;
  readonly creator: string;
  readonly createdAt: string;
}

export interface Release {
  readonly id: number;
  readonly tag: string;
  readonly name: string;
  readonly body: string;
  readonly author: string;
  readonly createdAt: string;
}

export interface WorkflowRun {
  readonly id: number;
  readonly status: "queued" | "in_progress" | "completed";
  readonly conclusion: "success" | "failure" | "cancelled" | null;
}
