/** The event that started the run, in the action's own terms. */
import type { Account } from "./event-schemas.ts";

export type { Account } from "./event-schemas.ts";

/** The comment of a discussion that an event tells of; an answer to it belongs in its thread. */
export interface AskingComment {
  readonly id: number;
  readonly nodeId: string;
  /** Number of the top-level comment in whose thread it stands: its own, or that of the one it replies to. */
  readonly topId: number;
}

/** Where people talk. */
export interface Thread {
  readonly kind: "issue" | "pull-request" | "discussion";
  readonly number: number;
  readonly nodeId: string;
  readonly title: string;
  readonly body: string;
  readonly author: Account | undefined;
  readonly url: string;
  readonly createdAt: string;
  /** In a discussion where a comment asks, not the discussion itself. */
  readonly asking?: AskingComment;
}

/** A text that a person wrote and that may call the action. */
export interface WrittenText {
  readonly kind:
    | "issue-comment"
    | "review-comment"
    | "review"
    | "discussion-comment"
    | "issue"
    | "discussion";
  readonly id: number;
  readonly nodeId: string;
  readonly author: Account | undefined;
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
  /** Last change that the event knows of. */
  readonly changedAt: string;
}

export interface WrittenEvent {
  readonly type: "written";
  readonly action: string;
  readonly sender: Account | undefined;
  readonly thread: Thread;
  readonly text: WrittenText;
  /** The label just added. */
  readonly label?: string;
  /** Where in a diff a review comment stands. */
  readonly place?: { readonly path: string; readonly line: number | undefined; readonly hunk: string };
}

export interface PullRequestEvent {
  readonly type: "pull-request";
  readonly action: string;
  readonly sender: Account | undefined;
  readonly thread: Thread;
  readonly merged: boolean;
  readonly base: { readonly ref: string; readonly sha: string };
  readonly head: { readonly ref: string; readonly sha: string };
  readonly mergeSha: string | undefined;
  readonly isFork: boolean;
}

export interface PushEvent {
  readonly type: "push";
  readonly sender: Account | undefined;
  readonly ref: string;
  readonly before: string;
  /** What the branch or tag names now: a commit, or the object of an annotated tag. */
  readonly after: string;
  /** The commit that the branch or tag leads to now. */
  readonly head: { readonly id: string; readonly message: string };
  readonly deleted: boolean;
  readonly forced: boolean;
  readonly defaultBranch: string;
  readonly commits: readonly { readonly id: string; readonly message: string }[];
}

export interface ReleaseEvent {
  readonly type: "release";
  readonly action: string;
  readonly sender: Account | undefined;
  readonly nodeId: string;
  readonly tag: string;
  readonly name: string;
  readonly body: string;
  readonly url: string;
  readonly isDraft: boolean;
  readonly author: Account | undefined;
}

/** Schedules, dispatches and all events that carry neither a text nor a change for us. */
export interface OtherEvent {
  readonly type: "other";
  readonly sender: Account | undefined;
}

export type GitHubEvent = WrittenEvent | PullRequestEvent | PushEvent | ReleaseEvent | OtherEvent;
