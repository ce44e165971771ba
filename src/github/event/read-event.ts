/** Webhook payloads, read into the action's own terms. */
import type { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { GitHubEvent, OtherEvent, PullRequestEvent, Thread, WrittenText } from "./event.ts";
import {
  type Account,
  AnyPayload,
  DiscussionCommentPayload,
  DiscussionPayload,
  IssueCommentPayload,
  IssuesPayload,
  PullRequestPayload,
  PushPayload,
  ReleasePayload,
  ReviewCommentPayload,
  ReviewPayload,
} from "./event-schemas.ts";

/**
 * Reads a webhook's payload.
 *
 * @throws {InputError} when the payload is not what its event's name says.
 */
export function readEvent(eventName: string, payload: unknown): GitHubEvent {
  const reader = readers[eventName] ?? readOther;
  return reader(payload);
}

const readers: Readonly<Record<string, (payload: unknown) => GitHubEvent>> = {
  issue_comment(payload) {
    const { action, sender, comment, issue } = parse(IssueCommentPayload, payload);
    const thread = threadOf(issue, issue.pull_request ? "pull-request" : "issue");
    return { type: "written", action, sender, thread, text: textOf(comment, "issue-comment") };
  },
  pull_request_review_comment(payload) {
    const { action, sender, comment, pull_request } = parse(ReviewCommentPayload, payload);
    return {
      type: "written",
      action,
      sender,
      thread: threadOf(pull_request, "pull-request"),
      text: textOf(comment, "review-comment"),
      place: { path: comment.path, line: comment.line ?? undefined, hunk: comment.diff_hunk },
    };
  },
  pull_request_review(payload) {
    const { action, sender, review, pull_request } = parse(ReviewPayload, payload);
    const text = textOf(
      { ...review, created_at: review.submitted_at, updated_at: review.submitted_at },
      "review",
    );
    return { type: "written", action, sender, thread: threadOf(pull_request, "pull-request"), text };
  },
  discussion_comment(payload) {
    const { action, sender, comment, discussion } = parse(DiscussionCommentPayload, payload);
    const { id, node_id: nodeId, parent_id } = comment;
    const asking = { id, nodeId, topId: parent_id ?? id };
    const thread = { ...threadOf(discussion, "discussion"), ...(nodeId === "" ? {} : { asking }) };
    return { type: "written", action, sender, thread, text: textOf(comment, "discussion-comment") };
  },
  issues(payload) {
    const { action, sender, issue, label } = parse(IssuesPayload, payload);
    const event = { type: "written", action, sender, thread: threadOf(issue, "issue") } as const;
    return { ...event, text: textOf(issue, "issue"), ...(label ? { label: label.name } : {}) };
  },
  discussion(payload) {
    const { action, sender, discussion, label } = parse(DiscussionPayload, payload);
    const event = { type: "written", action, sender, thread: threadOf(discussion, "discussion") } as const;
    return { ...event, text: textOf(discussion, "discussion"), ...(label ? { label: label.name } : {}) };
  },
  pull_request: readPullRequest,
  pull_request_target: readPullRequest,
  push(payload) {
    const { repository, created: _, head_commit, ...push } = parse(PushPayload, payload);
    const isTag = push.ref.startsWith("refs/tags/");
    const head = isTag && head_commit ? head_commit : { id: push.after, message: "" };
    return { type: "push", ...push, head, defaultBranch: repository.default_branch };
  },
  release(payload) {
    const { action, sender, release } = parse(ReleasePayload, payload);
    const { node_id, tag_name, html_url, draft, name, body, author } = release;
    return {
      type: "release",
      action,
      sender,
      nodeId: node_id,
      tag: tag_name,
      name,
      body,
      url: html_url,
      isDraft: draft,
      author,
    };
  },
};

function readPullRequest(payload: unknown): PullRequestEvent {
  const { action, sender, pull_request } = parse(PullRequestPayload, payload);
  return {
    type: "pull-request",
    action,
    sender,
    thread: threadOf(pull_request, "pull-request"),
    merged: pull_request.merged ?? false,
    base: pull_request.base,
    head: pull_request.head,
    mergeSha: pull_request.merge_commit_sha ?? undefined,
    isFork: pull_request.head.repo?.id !== pull_request.base.repo?.id || !pull_request.head.repo,
  };
}

function readOther(payload: unknown): OtherEvent {
  const { sender } = parse(AnyPayload, payload);
  return { type: "other", sender };
}

interface Piece {
  readonly id: number;
  readonly node_id: string;
  readonly user?: Account | undefined;
  readonly body: string;
  readonly html_url: string;
  readonly created_at: string;
  readonly updated_at: string;
}

function textOf(piece: Piece, kind: WrittenText["kind"]): WrittenText {
  const { id, node_id, user, body, html_url, created_at, updated_at } = piece;
  const changedAt = updated_at || created_at;
  return { kind, id, nodeId: node_id, author: user, body, url: html_url, createdAt: created_at, changedAt };
}

function threadOf(piece: Piece & { number: number; title: string }, kind: Thread["kind"]): Thread {
  const { number, node_id, title, body, user, html_url, created_at } = piece;
  return { kind, number, nodeId: node_id, title, body, author: user, url: html_url, createdAt: created_at };
}

function parse<Schema extends z.ZodType>(schema: Schema, payload: unknown): z.output<Schema> {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const places = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new InputError([`The event's payload lacks what its kind of event has (${places.join("; ")}).`]);
}
