/** Reads the run's context and the webhook payload of the event that started it. */
import { readFileSync } from "node:fs";
import { InputError } from "../base/errors.ts";
import { type Environment, readGitHubAddresses } from "../base/runtime.ts";
import { isJsonObject, messageOf, parseJson } from "../base/text.ts";

/** A user or bot. */
export interface Account {
  readonly login: string;
  readonly id: number;
  readonly isBot: boolean;
}

/** The account of a token. */
export type Identity = Pick<Account, "login">;

/** Whether a login names an account, with or without the suffix `[bot]`, which some of GitHub's responses omit. */
export function isSameAccount(
  account: Pick<Account, "login" | "isBot"> | null | undefined,
  login: string,
): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/\[bot\]$/, "");
  const isBotLogin = login.endsWith("[bot]");
  return account != null && plain(account.login) === plain(login) && (!isBotLogin || account.isBot);
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
export interface TriggerText extends AuthoredText {
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

export interface TextEvent extends SentEvent {
  readonly type: "text";
  readonly thread: Thread;
  readonly text: TriggerText;
  readonly label?: string | undefined;
  /** The comment's text before this edit. */
  readonly previousBody?: string | undefined;
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

// No schema library is used for payloads, because loading one takes longer than the rest of reading an event.

type Fields = Readonly<Record<string, unknown>>;

/** A field of the same type as `example`. @throws {InputError} if it is missing or has another type */
function read<Value>(fields: Fields, name: string, example: Value): Value {
  const value = fields[name];
  if (typeof value === typeof example && isJsonObject(value) === isJsonObject(example)) return value as Value;
  throw new InputError([`The payload does not match the event: \`${name}\` is missing or of another type.`]);
}

/** Like `read`; `undefined` if the field is missing or null. */
function readOptional<Value>(fields: Fields, name: string, example: Value): Value | undefined {
  return fields[name] == null ? undefined : read(fields, name, example);
}

function readObject(fields: Fields, name: string): Fields {
  return read<Fields>(fields, name, {});
}

function readOptionalObject(fields: Fields, name: string): Fields | undefined {
  return readOptional<Fields>(fields, name, {});
}

/** Empty if it is missing or null. */
function readText(fields: Fields, name: string): string {
  return readOptional(fields, name, "") ?? "";
}

function readAccount(fields: Fields, name: string): Account | undefined {
  const user = readOptional<Fields>(fields, name, {});
  return (
    user &&
    accountOf({ login: read(user, "login", ""), id: read(user, "id", 0), type: readText(user, "type") })
  );
}

/**
 * An account of a webhook or the REST API; `undefined` if it was deleted, and for a "mannequin": a placeholder for an imported
 * author, whose login may belong to another user here.
 */
export function accountOf(
  user: (Pick<Account, "login" | "id"> & { readonly type?: string | undefined }) | null | undefined,
): Account | undefined {
  if (!user || user.type === "Mannequin") return undefined;
  const { login, id, type } = user;
  return { login, id, isBot: type === "Bot" || login.endsWith("[bot]") };
}

function readAuthoredText(fields: Fields): AuthoredText {
  return {
    nodeId: readText(fields, "node_id"),
    author: readAccount(fields, "user"),
    body: readText(fields, "body"),
    url: readText(fields, "html_url"),
    createdAt: readText(fields, "created_at"),
  };
}

function readTriggerText(fields: Fields, kind: TriggerText["kind"]): TriggerText {
  const writing = readAuthoredText(fields);
  const changedAt = readText(fields, "updated_at") || writing.createdAt;
  return { kind, id: read(fields, "id", 0), ...writing, changedAt };
}

function readThread(fields: Fields, kind: Thread["kind"]): Thread {
  return {
    kind,
    number: read(fields, "number", 0),
    title: readText(fields, "title"),
    ...readAuthoredText(fields),
  };
}

function textEvent(payload: Fields, thread: Thread, text: TriggerText) {
  const label = readOptionalObject(payload, "label");
  const change = readOptionalObject(readOptionalObject(payload, "changes") ?? {}, "body");
  return {
    type: "text" as const,
    thread,
    text,
    label: label && read(label, "name", ""),
    previousBody: change && readText(change, "from"),
  };
}

function readIssueComment(payload: Fields) {
  const [comment, issue] = [readObject(payload, "comment"), readObject(payload, "issue")];
  const thread = readThread(issue, issue["pull_request"] != null ? "pull-request" : "issue");
  return textEvent(payload, thread, readTriggerText(comment, "issue-comment"));
}

function readReviewComment(payload: Fields) {
  const comment = readObject(payload, "comment");
  const text = readTriggerText(comment, "review-comment");
  const topId = readOptional(comment, "in_reply_to_id", 0) ?? text.id;
  const triggerComment = { id: text.id, nodeId: text.nodeId, topId };
  const thread = { ...readThread(readObject(payload, "pull_request"), "pull-request"), triggerComment };
  // `line` is null if later commits changed the line.
  const line = readOptional(comment, "line", 0) ?? readOptional(comment, "original_line", 0);
  const location = { path: readText(comment, "path"), line, hunk: readText(comment, "diff_hunk") };
  const reviewId = readOptional(comment, "pull_request_review_id", 0);
  return { ...textEvent(payload, thread, text), location, ...(reviewId !== undefined && { reviewId }) };
}

function readReview(payload: Fields) {
  const review = readObject(payload, "review");
  const submittedAt = readText(review, "submitted_at");
  const text = { ...readTriggerText(review, "review"), createdAt: submittedAt, changedAt: submittedAt };
  const thread = readThread(readObject(payload, "pull_request"), "pull-request");
  return { ...textEvent(payload, thread, text), reviewId: text.id };
}

function readDiscussionComment(payload: Fields) {
  const comment = readObject(payload, "comment");
  const text = readTriggerText(comment, "discussion-comment");
  const { id, nodeId } = text;
  const triggerComment = { id, nodeId, topId: readOptional(comment, "parent_id", 0) ?? id };
  const thread = { ...readThread(readObject(payload, "discussion"), "discussion"), triggerComment };
  return textEvent(payload, thread, text);
}

function readTitled(payload: Fields, kind: "issue" | "discussion") {
  const fields = readObject(payload, kind);
  return textEvent(payload, readThread(fields, kind), readTriggerText(fields, kind));
}

function readPullRequest(payload: Fields) {
  const pull = readObject(payload, "pull_request");
  const [base, head] = [readObject(pull, "base"), readObject(pull, "head")];
  // `repo` is null if the repository was deleted.
  const idOf = (branch: Fields) => readOptional(readOptionalObject(branch, "repo") ?? {}, "id", 0);
  return {
    type: "pull-request" as const,
    thread: readThread(pull, "pull-request"),
    merged: readOptional(pull, "merged", false) ?? false,
    base: { ref: read(base, "ref", ""), sha: read(base, "sha", "") },
    head: { ref: read(head, "ref", ""), sha: read(head, "sha", "") },
    mergeSha: readText(pull, "merge_commit_sha") || undefined,
    isFork: idOf(head) !== idOf(base),
  };
}

export type PullRequestEvent = SentEvent & ReturnType<typeof readPullRequest>;

interface Commit {
  readonly id: string;
  readonly message: string;
}

function readCommit(commit: unknown): Commit {
  const fields = readObject({ commit }, "commit");
  return { id: read(fields, "id", ""), message: readText(fields, "message") };
}

function readPush(payload: Fields) {
  const [ref, after] = [read(payload, "ref", ""), read(payload, "after", "")];
  const commit = ref.startsWith("refs/tags/") ? readOptionalObject(payload, "head_commit") : undefined;
  const commits: readonly Commit[] =
    readOptional<readonly unknown[]>(payload, "commits", [])?.map(readCommit) ?? [];
  return {
    type: "push" as const,
    ref,
    before: read(payload, "before", ""),
    after,
    /** The commit that the branch or tag points to; `after` may be the object of an annotated tag. */
    head: commit ? readCommit(commit) : { id: after, message: "" },
    deleted: readOptional(payload, "deleted", false) ?? false,
    forced: readOptional(payload, "forced", false) ?? false,
    commits,
    defaultBranch: readText(readObject(payload, "repository"), "default_branch"),
  };
}

export type PushEvent = SentEvent & ReturnType<typeof readPush>;

function readRelease(payload: Fields) {
  const release = readObject(payload, "release");
  return {
    type: "release" as const,
    nodeId: readText(release, "node_id"),
    tag: read(release, "tag_name", ""),
    name: readText(release, "name"),
    body: readText(release, "body"),
    url: readText(release, "html_url"),
    isDraft: readOptional(release, "draft", false) ?? false,
    author: readAccount(release, "author"),
  };
}

export type ReleaseEvent = SentEvent & ReturnType<typeof readRelease>;

/** Schedules, dispatches and all other events without a text or a change. */
type OtherEvent = SentEvent & { readonly type: "other" };

export type GitHubEvent = TextEvent | PullRequestEvent | PushEvent | ReleaseEvent | OtherEvent;

const payloadReaders = new Map(
  Object.entries({
    issue_comment: readIssueComment,
    pull_request_review_comment: readReviewComment,
    pull_request_review: readReview,
    discussion_comment: readDiscussionComment,
    issues: (payload: Fields) => readTitled(payload, "issue"),
    discussion: (payload: Fields) => readTitled(payload, "discussion"),
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
  const fields = readObject({ payload }, "payload");
  const found = payloadReaders.get(eventName)?.(fields) ?? { type: "other" as const };
  return { action: readText(fields, "action"), sender: readAccount(fields, "sender"), ...found };
}

export type RunContext = ReturnType<typeof readRunContext>;

/**
 * Reads the run's context.
 *
 * @throws {InputError} outside of a GitHub runner.
 */
export function readRunContext(environment: Environment) {
  const need = (name: string): string => {
    const value = environment[name];
    if (value) return value;
    throw new InputError([`${name} is not set: this command only runs in a GitHub workflow.`]);
  };
  const [owner = "", name = ""] = need("GITHUB_REPOSITORY").split("/");
  const { apiUrl, ...addresses } = readGitHubAddresses(environment);
  const serverUrl = new URL(addresses.serverUrl);
  const runId = need("GITHUB_RUN_ID");
  const runAttempt = Number(environment["GITHUB_RUN_ATTEMPT"] || "1");
  return {
    repository: { owner, name, id: environment["GITHUB_REPOSITORY_ID"] || `${owner}/${name}` },
    eventName: need("GITHUB_EVENT_NAME"),
    /** The webhook payload, not validated. */
    payload: readPayload(environment["GITHUB_EVENT_PATH"]),
    sha: environment["GITHUB_SHA"] ?? "",
    runId,
    runAttempt,
    actor: environment["GITHUB_ACTOR"] ?? "",
    /** The user who started this attempt; differs from `actor` if another user re-ran the workflow. */
    triggeringActor: environment["GITHUB_TRIGGERING_ACTOR"] || (environment["GITHUB_ACTOR"] ?? ""),
    serverUrl,
    apiUrl,
    /** URL of this attempt of the run. */
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
