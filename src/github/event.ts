/** The run and the event that started it: webhook payloads, read into the action's own terms. */
import { readFileSync } from "node:fs";
import { InputError } from "../base/errors.ts";
import type { Environment } from "../base/runtime.ts";
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

// Readers of payloads: no schema library, as loading it would take a run longer than all else that it does with its event.

/** Reads the value at a path; a problem is added where it is of another type. */
type Reader<Value> = (value: unknown, path: string, problems: string[]) => Value;
type Fields = Readonly<Record<string, Reader<unknown>>>;
type ValuesOf<Read extends Fields> = { readonly [Name in keyof Read]: ReturnType<Read[Name]> };

const of =
  <Value>(type: string): Reader<Value> =>
  (value, path, problems) => {
    const received = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    if (received !== type) problems.push(`${path}: Invalid input: expected ${type}, received ${received}`);
    return value as Value;
  };

const string = of<string>("string");
const number = of<number>("number");
const boolean = of<boolean>("boolean");

/** What stands for a value that is absent or null. */
const orElse =
  <Value, Other>(read: Reader<Value>, other: Other): Reader<Value | Other> =>
  (value, path, problems) =>
    value == null ? other : read(value, path, problems);

const optional = <Value>(read: Reader<Value>) => orElse(read, undefined);
const text = orElse(string, "");

const object =
  <Read extends Fields>(fields: Read): Reader<ValuesOf<Read>> =>
  (value, path, problems) => {
    const count = problems.length;
    const found = of<Readonly<Record<string, unknown>>>("object")(value, path, problems);
    const readers = problems.length === count ? Object.entries(fields) : [];
    const below = path === "" ? "" : `${path}.`;
    const values = readers.map(([name, read]) => [name, read(found[name], below + name, problems)]);
    return Object.fromEntries(values) as ValuesOf<Read>;
  };

const list =
  <Item>(read: Reader<Item>): Reader<readonly Item[]> =>
  (value, path, problems) => {
    const items = of<readonly unknown[]>("array")(value, path, problems);
    return Array.isArray(items) ? items.map((item, at) => read(item, `${path}.${at}`, problems)) : [];
  };

const user = optional(object({ login: string, id: number, type: optional(string) }));

/**
 * An account as webhooks and the REST API show it; `undefined` where it was deleted, and for a "mannequin": it stands for an
 * author of another server, whose login may be another person's here.
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

const writing = {
  id: number,
  node_id: text,
  user,
  body: text,
  html_url: text,
  created_at: text,
  updated_at: text,
};
const titled = { ...writing, number, title: text };
type Writing = ValuesOf<typeof writing>;

const Issue = object({ ...titled, pull_request: (value) => value != null });

/** The repository is null where it was deleted. */
const Side = object({ ref: string, sha: string, repo: optional(object({ id: number })) });

const PullRequest = object({
  ...titled,
  merged: orElse(boolean, false),
  merge_commit_sha: optional(string),
  base: Side,
  head: Side,
});

/** What an edit changed. */
const Changes = optional(object({ body: optional(object({ from: text })) }));
const Label = optional(object({ name: string }));
const Commit = object({ id: string, message: text });

/** What every event has. */
const readShared = object({ action: text, sender: user });

/** The reader of a payload: what is read of it besides, and the event that this makes. */
function payload<Read extends Fields, Event>(fields: Read, toEvent: (found: ValuesOf<Read>) => Event) {
  const read = object(fields);
  return (value: unknown) => {
    const problems: string[] = [];
    const { action, sender } = readShared(value, "", problems);
    const found = read(value, "", problems);
    if (problems.length === 0) return { action, sender: accountOf(sender), ...toEvent(found) };
    throw new InputError([`The event's payload lacks what its kind of event has (${problems.join("; ")}).`]);
  };
}

const readIssueComment = payload(
  { comment: object(writing), issue: Issue, changes: Changes },
  ({ comment, issue, changes }) => {
    const thread = toThread(issue, issue.pull_request ? "pull-request" : "issue");
    return written(thread, toText(comment, "issue-comment"), { previousBody: changes?.body?.from });
  },
);

const readReviewComment = payload(
  {
    comment: object({
      ...writing,
      path: text,
      diff_hunk: text,
      /** Null where later commits changed the line. */
      line: optional(number),
      original_line: optional(number),
      in_reply_to_id: optional(number),
      pull_request_review_id: optional(number),
    }),
    pull_request: PullRequest,
    changes: Changes,
  },
  ({ comment, pull_request, changes }) => {
    const { id, node_id: nodeId, in_reply_to_id: parent, pull_request_review_id: reviewId, path } = comment;
    const thread = toThread(pull_request, "pull-request");
    const line = comment.line ?? comment.original_line;
    return {
      ...written(
        { ...thread, triggerComment: { id, nodeId, topId: parent ?? id } },
        toText(comment, "review-comment"),
        { previousBody: changes?.body?.from },
      ),
      location: { path, line, hunk: comment.diff_hunk },
      ...(reviewId !== undefined && { reviewId }),
    };
  },
);

const readReview = payload(
  { review: object({ ...writing, submitted_at: text }), pull_request: PullRequest },
  ({ review, pull_request }) => {
    const times = { created_at: review.submitted_at, updated_at: review.submitted_at };
    const text = toText({ ...review, ...times }, "review");
    return { ...written(toThread(pull_request, "pull-request"), text), reviewId: review.id };
  },
);

const readDiscussionComment = payload(
  {
    /** `parent_id` is null for a comment that replies to none. */
    comment: object({ ...writing, parent_id: optional(number) }),
    discussion: Issue,
    changes: Changes,
  },
  ({ comment, discussion, changes }) => {
    const { id, node_id: nodeId, parent_id } = comment;
    const triggerComment = { id, nodeId, topId: parent_id ?? id };
    const thread = { ...toThread(discussion, "discussion"), ...(nodeId === "" ? {} : { triggerComment }) };
    return written(thread, toText(comment, "discussion-comment"), { previousBody: changes?.body?.from });
  },
);

const readIssue = payload({ issue: Issue, label: Label }, ({ issue, label }) =>
  written(toThread(issue, "issue"), toText(issue, "issue"), { label: label?.name }),
);

const readDiscussion = payload({ discussion: Issue, label: Label }, ({ discussion, label }) =>
  written(toThread(discussion, "discussion"), toText(discussion, "discussion"), { label: label?.name }),
);

const readPullRequest = payload({ pull_request: PullRequest }, ({ pull_request: pull }) => ({
  type: "pull-request" as const,
  thread: toThread(pull, "pull-request"),
  merged: pull.merged,
  base: pull.base,
  head: pull.head,
  mergeSha: pull.merge_commit_sha,
  isFork: pull.head.repo?.id !== pull.base.repo?.id || !pull.head.repo,
}));

export type PullRequestEvent = ReturnType<typeof readPullRequest>;

const readPush = payload(
  {
    ref: string,
    before: string,
    after: string,
    deleted: orElse(boolean, false),
    forced: orElse(boolean, false),
    commits: orElse(list(Commit), []),
    head_commit: optional(Commit),
    repository: object({ default_branch: text }),
  },
  ({ repository, head_commit, ...push }) => {
    const isTag = push.ref.startsWith("refs/tags/");
    /** The commit that the branch or tag leads to now; `after` may be the object of an annotated tag. */
    const head = isTag && head_commit ? head_commit : { id: push.after, message: "" };
    return { type: "push" as const, ...push, head, defaultBranch: repository.default_branch };
  },
);

export type PushEvent = ReturnType<typeof readPush>;

const readRelease = payload(
  {
    release: object({
      node_id: text,
      tag_name: string,
      name: text,
      body: text,
      html_url: text,
      draft: orElse(boolean, false),
      author: user,
    }),
  },
  ({ release }) => {
    const { node_id: nodeId, tag_name: tag, html_url: url, draft: isDraft, author, ...rest } = release;
    return { type: "release" as const, nodeId, tag, url, isDraft, author: accountOf(author), ...rest };
  },
);

export type ReleaseEvent = ReturnType<typeof readRelease>;

/** Schedules, dispatches and all events that carry neither a text nor a change for us. */
const readOther = payload({}, () => ({ type: "other" as const }));

export type GitHubEvent =
  | WrittenEvent
  | PullRequestEvent
  | PushEvent
  | ReleaseEvent
  | ReturnType<typeof readOther>;

const payloadReaders: Readonly<Record<string, (payload: unknown) => GitHubEvent>> = {
  issue_comment: readIssueComment,
  pull_request_review_comment: readReviewComment,
  pull_request_review: readReview,
  discussion_comment: readDiscussionComment,
  issues: readIssue,
  discussion: readDiscussion,
  pull_request: readPullRequest,
  pull_request_target: readPullRequest,
  push: readPush,
  release: readRelease,
};

/** Events that say by themselves what to do. */
export const payloadEvents = Object.keys(payloadReaders);

/**
 * Reads a webhook's payload.
 *
 * @throws {InputError} when the payload is not what its event's name says.
 */
export function readEvent(eventName: string, payload: unknown): GitHubEvent {
  return (payloadReaders[eventName] ?? readOther)(payload);
}

function toText(writing: Writing, kind: WrittenText["kind"]): WrittenText {
  const { id, node_id, user, body, html_url, created_at, updated_at } = writing;
  const [author, changedAt] = [accountOf(user), updated_at || created_at];
  return { kind, id, nodeId: node_id, author, body, url: html_url, createdAt: created_at, changedAt };
}

function toThread(writing: ValuesOf<typeof titled>, kind: Thread["kind"]): Thread {
  const { number, node_id, title, body, user, html_url, created_at } = writing;
  const [nodeId, author] = [node_id, accountOf(user)];
  return { kind, number, nodeId, title, body, author, url: html_url, createdAt: created_at };
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
