/** The run and the event that started it: webhook payloads, read into the action's own terms. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { InputError } from "../base/errors.ts";
import type { Environment } from "../base/runtime.ts";
import { configureSchemas } from "../base/schemas.ts";
import { messageOf, parseJson } from "../base/text.ts";
import type { Repository } from "./github-api.ts";

/** A person or bot. */
export interface Account {
  readonly login: string;
  readonly id: number;
  readonly isBot: boolean;
}

/** The comment of a discussion, or on a pull request's diff, that an event tells of; an answer to it belongs in its thread. */
export interface TriggerComment {
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
  /** Where a comment triggered that stands in a thread of its own: in a discussion, or on a diff. */
  readonly triggerComment?: TriggerComment;
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
  readonly label?: string | undefined;
  /** What a comment said before this edit. */
  readonly previousBody?: string | undefined;
  /** Where in a diff a review comment stands. */
  readonly location?: DiffLocation;
  /** The review that the text is, or was submitted with. */
  readonly reviewId?: number;
}

export interface DiffLocation {
  readonly path: string;
  /** `undefined` for a comment on the whole file. */
  readonly line: number | undefined;
  readonly hunk: string;
}

/**
 * An account as webhooks and the REST API show it; `undefined` where it was deleted, and for a "mannequin": it stands for an
 * author of another server, whose login may be another person's here.
 */
export const User = z.pipe(
  z.nullish(z.object({ login: z.string(), id: z.number(), type: z.optional(z.string()) })),
  z.transform((user): Account | undefined =>
    user && user.type !== "Mannequin"
      ? { login: user.login, id: user.id, isBot: user.type === "Bot" || user.login.endsWith("[bot]") }
      : undefined,
  ),
);

const text = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? ""),
);

const writing = {
  id: z.number(),
  node_id: text,
  user: User,
  body: text,
  html_url: text,
  created_at: text,
  updated_at: text,
};

const Issue = z.object({
  ...writing,
  number: z.number(),
  title: text,
  pull_request: z.optional(z.unknown()),
});

/** The repository is null where it was deleted. */
const Side = z.object({
  ref: z.string(),
  sha: z.string(),
  repo: z.nullish(z.object({ id: z.number() })),
});

const PullRequest = z.object({
  ...writing,
  number: z.number(),
  title: text,
  merged: z.nullish(z.boolean()),
  merge_commit_sha: z.nullish(z.string()),
  base: Side,
  head: Side,
});

/** What an edit changed. */
const Changes = z.nullish(z.object({ body: z.nullish(z.object({ from: text })) }));
const Label = z.nullish(z.object({ name: z.string() }));
const Commit = z.object({ id: z.string(), message: text });

/** What every event has. */
const Shared = z.object({ action: z._default(z.string(), ""), sender: User });
type Shared = z.output<typeof Shared>;

const IssueCommentPayload = z.pipe(
  z.object({ comment: z.object(writing), issue: Issue, changes: Changes }),
  z.transform(({ comment, issue, changes }) => {
    const thread = toThread(issue, issue.pull_request ? "pull-request" : "issue");
    return written(thread, toText(comment, "issue-comment"), { previousBody: changes?.body?.from });
  }),
);

const ReviewCommentPayload = z.pipe(
  z.object({
    comment: z.object({
      ...writing,
      path: text,
      diff_hunk: text,
      /** Null where later commits changed the line. */
      line: z.nullish(z.number()),
      original_line: z.nullish(z.number()),
      in_reply_to_id: z.nullish(z.number()),
      pull_request_review_id: z.nullish(z.number()),
    }),
    pull_request: PullRequest,
    changes: Changes,
  }),
  z.transform(({ comment, pull_request, changes }) => {
    const { id, node_id: nodeId, in_reply_to_id: parent, pull_request_review_id: reviewId, path } = comment;
    const thread = toThread(pull_request, "pull-request");
    const line = comment.line ?? comment.original_line ?? undefined;
    return {
      ...written(
        { ...thread, triggerComment: { id, nodeId, topId: parent ?? id } },
        toText(comment, "review-comment"),
        { previousBody: changes?.body?.from },
      ),
      location: { path, line, hunk: comment.diff_hunk },
      ...(reviewId != null && { reviewId }),
    };
  }),
);

const ReviewPayload = z.pipe(
  z.object({ review: z.object({ ...writing, submitted_at: text }), pull_request: PullRequest }),
  z.transform(({ review, pull_request }) => {
    const times = { created_at: review.submitted_at, updated_at: review.submitted_at };
    const text = toText({ ...review, ...times }, "review");
    return { ...written(toThread(pull_request, "pull-request"), text), reviewId: review.id };
  }),
);

const DiscussionCommentPayload = z.pipe(
  z.object({
    /** `parent_id` is null for a comment that replies to none. */
    comment: z.object({ ...writing, parent_id: z.nullish(z.number()) }),
    discussion: Issue,
    changes: Changes,
  }),
  z.transform(({ comment, discussion, changes }) => {
    const { id, node_id: nodeId, parent_id } = comment;
    const triggerComment = { id, nodeId, topId: parent_id ?? id };
    const thread = { ...toThread(discussion, "discussion"), ...(nodeId === "" ? {} : { triggerComment }) };
    return written(thread, toText(comment, "discussion-comment"), { previousBody: changes?.body?.from });
  }),
);

const IssuesPayload = z.pipe(
  z.object({ issue: Issue, label: Label }),
  z.transform(({ issue, label }) =>
    written(toThread(issue, "issue"), toText(issue, "issue"), { label: label?.name }),
  ),
);

const DiscussionPayload = z.pipe(
  z.object({ discussion: Issue, label: Label }),
  z.transform(({ discussion, label }) =>
    written(toThread(discussion, "discussion"), toText(discussion, "discussion"), { label: label?.name }),
  ),
);

const PullRequestPayload = z.pipe(
  z.object({ pull_request: PullRequest }),
  z.transform(({ pull_request: pull }) => ({
    type: "pull-request" as const,
    thread: toThread(pull, "pull-request"),
    merged: pull.merged ?? false,
    base: pull.base,
    head: pull.head,
    mergeSha: pull.merge_commit_sha ?? undefined,
    isFork: pull.head.repo?.id !== pull.base.repo?.id || !pull.head.repo,
  })),
);

export type PullRequestEvent = Shared & z.output<typeof PullRequestPayload>;

const PushPayload = z.pipe(
  z.object({
    ref: z.string(),
    before: z.string(),
    after: z.string(),
    deleted: z._default(z.boolean(), false),
    forced: z._default(z.boolean(), false),
    commits: z._default(z.readonly(z.array(Commit)), []),
    head_commit: z.nullish(Commit),
    repository: z.object({ default_branch: text }),
  }),
  z.transform(({ repository, head_commit, ...push }) => {
    const isTag = push.ref.startsWith("refs/tags/");
    /** The commit that the branch or tag leads to now; `after` may be the object of an annotated tag. */
    const head = isTag && head_commit ? head_commit : { id: push.after, message: "" };
    return { type: "push" as const, ...push, head, defaultBranch: repository.default_branch };
  }),
);

export type PushEvent = Shared & z.output<typeof PushPayload>;

const ReleasePayload = z.pipe(
  z.object({
    release: z.object({
      node_id: text,
      tag_name: z.string(),
      name: text,
      body: text,
      html_url: text,
      draft: z._default(z.boolean(), false),
      author: User,
    }),
  }),
  z.transform(({ release }) => {
    const { node_id: nodeId, tag_name: tag, html_url: url, draft: isDraft, ...rest } = release;
    return { type: "release" as const, nodeId, tag, url, isDraft, ...rest };
  }),
);

export type ReleaseEvent = Shared & z.output<typeof ReleasePayload>;

/** Schedules, dispatches and all events that carry neither a text nor a change for us. */
const OtherPayload = z.pipe(
  z.unknown(),
  z.transform(() => ({ type: "other" as const })),
);

export type GitHubEvent =
  | WrittenEvent
  | PullRequestEvent
  | PushEvent
  | ReleaseEvent
  | (Shared & { readonly type: "other" });

/** What is read of each event's payload besides; everything else of it is dropped. */
const payloadSchemas = {
  issue_comment: IssueCommentPayload,
  pull_request_review_comment: ReviewCommentPayload,
  pull_request_review: ReviewPayload,
  discussion_comment: DiscussionCommentPayload,
  issues: IssuesPayload,
  discussion: DiscussionPayload,
  pull_request: PullRequestPayload,
  pull_request_target: PullRequestPayload,
  push: PushPayload,
  release: ReleasePayload,
};

/** Events that say by themselves what to do. */
export const payloadEvents = Object.keys(payloadSchemas);

/**
 * Reads a webhook's payload.
 *
 * @throws {InputError} when the payload is not what its event's name says.
 */
export function readEvent(eventName: string, payload: unknown): GitHubEvent {
  configureSchemas();
  const schemas: Readonly<Record<string, (typeof payloadSchemas)[keyof typeof payloadSchemas]>> =
    payloadSchemas;
  const result = z.intersection(Shared, schemas[eventName] ?? OtherPayload).safeParse(payload);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new InputError([`The event's payload lacks what its kind of event has (${problems.join("; ")}).`]);
}

type Writing = z.output<z.ZodMiniObject<typeof writing>>;

function toText(writing: Writing, kind: WrittenText["kind"]): WrittenText {
  const { id, node_id, user, body, html_url, created_at, updated_at } = writing;
  const changedAt = updated_at || created_at;
  return { kind, id, nodeId: node_id, author: user, body, url: html_url, createdAt: created_at, changedAt };
}

function toThread(writing: Writing & { number: number; title: string }, kind: Thread["kind"]): Thread {
  const { number, node_id, title, body, user, html_url, created_at } = writing;
  return { kind, number, nodeId: node_id, title, body, author: user, url: html_url, createdAt: created_at };
}

function written(thread: Thread, text: WrittenText, more: Pick<WrittenEvent, "label" | "previousBody"> = {}) {
  return { type: "written" as const, thread, text, ...more };
}

export interface RunContext {
  readonly repository: Repository;
  readonly eventName: string;
  /** The webhook's payload, unchecked. */
  readonly payload: unknown;
  readonly sha: string;
  readonly runId: string;
  readonly runAttempt: number;
  readonly actor: string;
  /** Who started this attempt; differs from `actor` when another person pressed "re-run". */
  readonly triggeringActor: string;
  readonly serverUrl: URL;
  readonly apiUrl: string;
  /** Page of this run and attempt. */
  readonly runUrl: string;
}

/**
 * Reads the run's context.
 *
 * @throws {InputError} when this is not a GitHub runner.
 */
export function readRunContext(environment: Environment): RunContext {
  const need = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new InputError([`${name} is not set: this command runs in a GitHub workflow.`]);
  };
  const [owner = "", name = ""] = need("GITHUB_REPOSITORY").split("/");
  const serverUrl = new URL(environment["GITHUB_SERVER_URL"] || "https://github.com");
  const runId = need("GITHUB_RUN_ID");
  const runAttempt = Number(environment["GITHUB_RUN_ATTEMPT"] || "1");
  return {
    repository: { owner, name, id: environment["GITHUB_REPOSITORY_ID"] || `${owner}/${name}` },
    eventName: need("GITHUB_EVENT_NAME"),
    payload: readPayload(environment["GITHUB_EVENT_PATH"]),
    sha: environment["GITHUB_SHA"] ?? "",
    runId,
    runAttempt,
    actor: environment["GITHUB_ACTOR"] ?? "",
    triggeringActor: environment["GITHUB_TRIGGERING_ACTOR"] || (environment["GITHUB_ACTOR"] ?? ""),
    serverUrl,
    apiUrl: environment["GITHUB_API_URL"] || "https://api.github.com",
    runUrl: new URL(`/${owner}/${name}/actions/runs/${runId}/attempts/${runAttempt}`, serverUrl).href,
  };
}

function readPayload(path: string | undefined): unknown {
  if (!path) return {};
  const problem = (reason: string) =>
    new InputError([`The event's payload at GITHUB_EVENT_PATH cannot be read: ${reason}.`]);
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    throw problem(messageOf(error));
  }
  const payload = parseJson(content);
  if (payload === undefined) throw problem("it is not JSON");
  return payload;
}
