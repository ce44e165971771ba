/** Reads the run's context and the webhook payload of the event that started it. */
import { readFileSync } from "node:fs";
import { InputError } from "../base/errors.ts";
import type { Environment } from "../base/runtime.ts";
import { isJsonObject, messageOf, parseJson } from "../base/text.ts";
import type { Repository } from "./github-api.ts";

/** A user or bot. */
export interface Account {
  readonly login: string;
  readonly id: number;
  readonly isBot: boolean;
}

/** The discussion comment or review comment of an event; replies to it belong in its thread. */
export interface TriggerComment {
  readonly id: number;
  readonly nodeId: string;
  /** ID of the thread's top-level comment: its own ID, or that of the comment it replies to. */
  readonly topId: number;
}

/** A text with its author: an issue, pull request, discussion, review or comment. */
export interface AuthoredText {
  readonly nodeId: string;
  /** `undefined` if the account was deleted. */
  readonly author: Account | undefined;
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
}

/** An issue, pull request or discussion. */
export interface Thread extends AuthoredText {
  readonly kind: "issue" | "pull-request" | "discussion";
  readonly number: number;
  readonly title: string;
  /** The comment that triggered the run, if it is a discussion comment or review comment. */
  readonly triggerComment?: TriggerComment;
}

/** A text that may trigger the action. */
export interface WrittenText extends AuthoredText {
  readonly kind:
    | "issue-comment"
    | "review-comment"
    | "review"
    | "discussion-comment"
    | "issue"
    | "discussion";
  readonly id: number;
  /** Time of the last change before the event. */
  readonly changedAt: string;
}

interface SentEvent {
  readonly action: string;
  readonly sender: Account | undefined;
}

export interface WrittenEvent extends SentEvent {
  readonly type: "written";
  readonly thread: Thread;
  readonly text: WrittenText;
  /** The label just added. */
  readonly label?: string | undefined;
  /** The comment's text before this edit. */
  readonly previousBody?: string | undefined;
  /** The location of a review comment in the diff. */
  readonly location?: DiffLocation;
  /** ID of the review that the text is, or was submitted with. */
  readonly reviewId?: number;
}

export interface DiffLocation {
  readonly path: string;
  /** `undefined` for a comment on the whole file. */
  readonly line: number | undefined;
  readonly hunk: string;
}

/**
 * The fields of a payload's object. Reading a field of the wrong type throws an `InputError`. No schema library is used here, because
 * loading one takes longer than the rest of reading an event.
 */
class PayloadFields {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #path: string;

  constructor(value: unknown, path: string) {
    if (!isJsonObject(value)) throw invalidField(path, "object");
    this.#values = value;
    this.#path = path;
  }

  /** Whether a field exists and is not null. */
  has(name: string): boolean {
    return this.#values[name] != null;
  }

  string(name: string): string {
    return this.#read(name, "");
  }

  /** Empty if it is missing or null. */
  text(name: string): string {
    return this.has(name) ? this.string(name) : "";
  }

  number(name: string): number {
    return this.#read(name, 0);
  }

  optionalNumber(name: string): number | undefined {
    return this.has(name) ? this.number(name) : undefined;
  }

  /** False if it is missing or null. */
  flag(name: string): boolean {
    return this.has(name) && this.#read(name, false);
  }

  object(name: string): PayloadFields {
    return new PayloadFields(this.#values[name], `${this.#path}.${name}`);
  }

  optionalObject(name: string): PayloadFields | undefined {
    return this.has(name) ? this.object(name) : undefined;
  }

  /** Empty if it is missing or null. */
  objects(name: string): PayloadFields[] {
    const items = this.#values[name] ?? [];
    if (!Array.isArray(items)) throw invalidField(`${this.#path}.${name}`, "array");
    return items.map((item, at) => new PayloadFields(item, `${this.#path}.${name}.${at}`));
  }

  account(name: string): Account | undefined {
    const user = this.optionalObject(name);
    return user && accountOf({ login: user.string("login"), id: user.number("id"), type: user.text("type") });
  }

  #read<Value>(name: string, example: Value): Value {
    const value = this.#values[name];
    if (typeof value === typeof example) return value as Value;
    throw invalidField(`${this.#path}.${name}`, typeof example);
  }
}

function invalidField(path: string, type: string): InputError {
  return new InputError([`The payload does not match the event: ${path} is no ${type}.`]);
}

/**
 * An account of a webhook or the REST API; `undefined` if it was deleted, and for a "mannequin": a placeholder for an imported
 * author, whose login may belong to another user here.
 */
export function accountOf(
  user:
    | { readonly login: string; readonly id: number | bigint; readonly type?: string | undefined }
    | null
    | undefined,
): Account | undefined {
  if (!user || user.type === "Mannequin") return undefined;
  return {
    login: user.login,
    id: Number(user.id),
    isBot: user.type === "Bot" || user.login.endsWith("[bot]"),
  };
}

function readAuthoredText(fields: PayloadFields): AuthoredText {
  return {
    nodeId: fields.text("node_id"),
    author: fields.account("user"),
    body: fields.text("body"),
    url: fields.text("html_url"),
    createdAt: fields.text("created_at"),
  };
}

function readText(fields: PayloadFields, kind: WrittenText["kind"]): WrittenText {
  const writing = readAuthoredText(fields);
  const changedAt = fields.text("updated_at") || writing.createdAt;
  return { kind, id: fields.number("id"), ...writing, changedAt };
}

function readThread(fields: PayloadFields, kind: Thread["kind"]): Thread {
  return { kind, number: fields.number("number"), title: fields.text("title"), ...readAuthoredText(fields) };
}

function written(payload: PayloadFields, thread: Thread, text: WrittenText) {
  const label = payload.optionalObject("label")?.string("name");
  const previousBody = payload.optionalObject("changes")?.optionalObject("body")?.text("from");
  return { type: "written" as const, thread, text, label, previousBody };
}

function readIssueComment(payload: PayloadFields) {
  const [comment, issue] = [payload.object("comment"), payload.object("issue")];
  const thread = readThread(issue, issue.has("pull_request") ? "pull-request" : "issue");
  return written(payload, thread, readText(comment, "issue-comment"));
}

function readReviewComment(payload: PayloadFields) {
  const comment = payload.object("comment");
  const text = readText(comment, "review-comment");
  const topId = comment.optionalNumber("in_reply_to_id") ?? text.id;
  const triggerComment = { id: text.id, nodeId: text.nodeId, topId };
  const thread = { ...readThread(payload.object("pull_request"), "pull-request"), triggerComment };
  // `line` is null if later commits changed the line.
  const line = comment.optionalNumber("line") ?? comment.optionalNumber("original_line");
  const location = { path: comment.text("path"), line, hunk: comment.text("diff_hunk") };
  const reviewId = comment.optionalNumber("pull_request_review_id");
  return { ...written(payload, thread, text), location, ...(reviewId !== undefined && { reviewId }) };
}

function readReview(payload: PayloadFields) {
  const review = payload.object("review");
  const submittedAt = review.text("submitted_at");
  const text = { ...readText(review, "review"), createdAt: submittedAt, changedAt: submittedAt };
  const thread = readThread(payload.object("pull_request"), "pull-request");
  return { ...written(payload, thread, text), reviewId: text.id };
}

function readDiscussionComment(payload: PayloadFields) {
  const comment = payload.object("comment");
  const text = readText(comment, "discussion-comment");
  const { id, nodeId } = text;
  const triggerComment = { id, nodeId, topId: comment.optionalNumber("parent_id") ?? id };
  const thread = readThread(payload.object("discussion"), "discussion");
  return written(payload, nodeId === "" ? thread : { ...thread, triggerComment }, text);
}

function readTitled(payload: PayloadFields, kind: "issue" | "discussion") {
  const fields = payload.object(kind);
  return written(payload, readThread(fields, kind), readText(fields, kind));
}

function readPullRequest(payload: PayloadFields) {
  const pull = payload.object("pull_request");
  const [base, head] = [pull.object("base"), pull.object("head")];
  // `repo` is null if the repository was deleted.
  const fork = head.optionalObject("repo")?.number("id");
  return {
    type: "pull-request" as const,
    thread: readThread(pull, "pull-request"),
    merged: pull.flag("merged"),
    base: { ref: base.string("ref"), sha: base.string("sha") },
    head: { ref: head.string("ref"), sha: head.string("sha") },
    mergeSha: pull.text("merge_commit_sha") || undefined,
    isFork: fork === undefined || fork !== base.optionalObject("repo")?.number("id"),
  };
}

export type PullRequestEvent = SentEvent & ReturnType<typeof readPullRequest>;

interface Commit {
  readonly id: string;
  readonly message: string;
}

function readCommit(commit: PayloadFields): Commit {
  return { id: commit.string("id"), message: commit.text("message") };
}

function readPush(payload: PayloadFields) {
  const [ref, after] = [payload.string("ref"), payload.string("after")];
  const commit = ref.startsWith("refs/tags/") ? payload.optionalObject("head_commit") : undefined;
  const commits: readonly Commit[] = payload.objects("commits").map(readCommit);
  return {
    type: "push" as const,
    ref,
    before: payload.string("before"),
    after,
    /** The commit that the branch or tag points to; `after` may be the object of an annotated tag. */
    head: commit ? readCommit(commit) : { id: after, message: "" },
    deleted: payload.flag("deleted"),
    forced: payload.flag("forced"),
    commits,
    defaultBranch: payload.object("repository").text("default_branch"),
  };
}

export type PushEvent = SentEvent & ReturnType<typeof readPush>;

function readRelease(payload: PayloadFields) {
  const release = payload.object("release");
  return {
    type: "release" as const,
    nodeId: release.text("node_id"),
    tag: release.string("tag_name"),
    name: release.text("name"),
    body: release.text("body"),
    url: release.text("html_url"),
    isDraft: release.flag("draft"),
    author: release.account("author"),
  };
}

export type ReleaseEvent = SentEvent & ReturnType<typeof readRelease>;

/** Schedules, dispatches and all other events without a text or a change. */
type OtherEvent = SentEvent & { readonly type: "other" };

export type GitHubEvent = WrittenEvent | PullRequestEvent | PushEvent | ReleaseEvent | OtherEvent;

const payloadReaders = new Map(
  Object.entries({
    issue_comment: readIssueComment,
    pull_request_review_comment: readReviewComment,
    pull_request_review: readReview,
    discussion_comment: readDiscussionComment,
    issues: (payload: PayloadFields) => readTitled(payload, "issue"),
    discussion: (payload: PayloadFields) => readTitled(payload, "discussion"),
    pull_request: readPullRequest,
    pull_request_target: readPullRequest,
    push: readPush,
    release: readRelease,
  }),
);

/**
 * Reads a webhook's payload.
 *
 * @throws {InputError} if the payload does not match the event.
 */
export function readEvent(eventName: string, payload: unknown): GitHubEvent {
  const fields = new PayloadFields(payload, "payload");
  const found = payloadReaders.get(eventName)?.(fields) ?? { type: "other" as const };
  return { action: fields.text("action"), sender: fields.account("sender"), ...found };
}

export interface RunContext {
  readonly repository: Repository;
  readonly eventName: string;
  /** The webhook payload, not validated. */
  readonly payload: unknown;
  readonly sha: string;
  readonly runId: string;
  readonly runAttempt: number;
  readonly actor: string;
  /** The user who started this attempt; differs from `actor` if another user re-ran the workflow. */
  readonly triggeringActor: string;
  readonly serverUrl: URL;
  readonly apiUrl: string;
  /** URL of this attempt of the run. */
  readonly runUrl: string;
}

/**
 * Reads the run's context.
 *
 * @throws {InputError} outside of a GitHub runner.
 */
export function readRunContext(environment: Environment): RunContext {
  const need = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new InputError([`${name} is not set: this command only runs in a GitHub workflow.`]);
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
