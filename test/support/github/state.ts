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
  /** Folded away by a maintainer, as spam or as outdated. */
  isMinimized?: boolean;
}

export interface IssueComment extends Writing {
  readonly issueNumber: number;
}

export interface ReviewComment extends Writing {
  readonly pullNumber: number;
  readonly path: string;
  /** Where it stood when it was written; none for a comment on the whole file. */
  readonly line: number | undefined;
  /** The old or the new version of the file. */
  readonly side: "LEFT" | "RIGHT";
  readonly diffHunk: string;
  /** Head of the pull request when it was written. */
  readonly commitSha: string | undefined;
  readonly reviewId: number | undefined;
  readonly inReplyTo: number | undefined;
  /** When its review was submitted, if it was drafted earlier. */
  publishedAt?: string;
}

export interface Review extends Writing {
  readonly pullNumber: number;
  /** Only its author sees a pending review and its comments. */
  readonly state: "APPROVED" | "CHANGES_REQUESTED" | "COMMENTED" | "PENDING";
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
  readonly additions?: number;
  readonly deletions?: number;
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
  locked: boolean;
  labels: string[];
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

/** What a deployment of a commit came to, with the address of the preview. */
export interface Deployment {
  readonly id: number;
  readonly sha: string;
  readonly environment: string;
  readonly state: "ERROR" | "FAILURE" | "INACTIVE" | "IN_PROGRESS" | "PENDING" | "QUEUED" | "SUCCESS";
  readonly environmentUrl: string | undefined;
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

export interface GitHubState {
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly defaultBranch: string;
  readonly people: Map<string, Person>;
  readonly collaborators: Map<string, Collaborator>;
  /** Issues and pull requests share their numbers with discussions. */
  readonly issues: Map<number, Issue>;
  readonly discussions: Map<number, Discussion>;
  readonly comments: Map<number, IssueComment>;
  readonly reviewComments: Map<number, ReviewComment>;
  readonly reviews: Map<number, Review>;
  readonly discussionComments: Map<number, DiscussionComment>;
  readonly commits: Map<string, Commit>;
  /** Full names, such as `refs/heads/main`, to commits. */
  readonly refs: Map<string, string>;
  readonly statuses: CommitStatus[];
  /** How many of them GraphQL shows: the newest ones may reach it late. */
  shownStatuses: number;
  /** How many nodes a GraphQL query may read; of one that needs more, GitHub returns errors. */
  nodesPerQuery: number;
  readonly deployments: Deployment[];
  /** First comments of threads, to who resolved them. */
  readonly resolvedThreads: Map<number, string>;
  readonly releases: Release[];
  readonly labels: Map<string, number>;
  /** The repository's setting "Allow GitHub Actions to create and approve pull requests". */
  actionsMayOpenPullRequests: boolean;
  nextId(): number;
  nextNumber(): number;
  /** Now, in whole seconds as GitHub keeps it. */
  now(): string;
}

interface StateOptions {
  readonly repository: string;
  readonly isPrivate: boolean;
  readonly clock: () => number;
}

/** An empty repository with one commit on its default branch. */
export function createState({ repository, isPrivate, clock }: StateOptions): GitHubState {
  const [owner = "", name = ""] = repository.split("/");
  let [lastId, lastNumber] = [1_000_000, 0];
  const next = () => {
    lastId += 1;
    return lastId;
  };
  const count = () => {
    lastNumber += 1;
    return lastNumber;
  };
  return {
    owner,
    name,
    isPrivate,
    defaultBranch: "main",
    people: new Map(),
    collaborators: new Map(),
    issues: new Map(),
    discussions: new Map(),
    comments: new Map(),
    reviewComments: new Map(),
    reviews: new Map(),
    discussionComments: new Map(),
    commits: new Map(),
    refs: new Map(),
    statuses: [],
    shownStatuses: Number.POSITIVE_INFINITY,
    nodesPerQuery: Number.POSITIVE_INFINITY,
    deployments: [],
    resolvedThreads: new Map(),
    releases: [],
    labels: new Map(),
    actionsMayOpenPullRequests: true,
    nextId: next,
    nextNumber: count,
    now: () => `${new Date(clock()).toISOString().slice(0, 19)}Z`,
  };
}

/** The commit that a branch, a tag or a commit's own name stands for. */
export function shaOf(
  name: string,
  { state: { commits, refs } }: { readonly state: GitHubState },
): string | undefined {
  if (commits.has(name)) return name;
  return refs.get(`refs/heads/${name}`) ?? refs.get(`refs/tags/${name}`) ?? refs.get(name);
}

/** Logins are compared without case, as GitHub does. */
export function findPerson({ people }: GitHubState, login: string): Person | undefined {
  return people.get(login.toLowerCase());
}

/** Makes a person known; bots have `[bot]` at the end of their login. */
export function rememberPerson(state: GitHubState, login: string): Person {
  const known = findPerson(state, login);
  if (known !== undefined) return known;
  const person: Person = { login, id: state.nextId(), type: login.endsWith("[bot]") ? "Bot" : "User" };
  state.people.set(login.toLowerCase(), person);
  return person;
}

/** What every new text starts with. */
export function startWriting(
  state: GitHubState,
  { author, body }: { readonly author: string; readonly body: string },
): Writing {
  rememberPerson(state, author);
  const now = state.now();
  return { id: state.nextId(), author, body, createdAt: now, updatedAt: now, edits: [], reactions: [] };
}

/** Takes a discussion's comment away; where it has replies, GitHub keeps its place, empty. */
export function deleteDiscussionComment({ discussionComments }: GitHubState, id: number): void {
  const comment = discussionComments.get(id);
  if (comment === undefined) return;
  const hasReplies = [...discussionComments.values()].some(({ replyTo }) => replyTo === id);
  if (hasReplies) comment.body = "";
  else discussionComments.delete(id);
}

/** Changes a text and keeps who did it and what was there before. */
export function editWriting(
  state: GitHubState,
  { writing, editor, body }: { readonly writing: Writing; readonly editor: string; readonly body: string },
): void {
  if (body === writing.body) return;
  const editedAt = state.now();
  writing.edits.push({ id: state.nextId(), editor, editedAt, previousBody: writing.body });
  writing.body = body;
  writing.updatedAt = editedAt;
}
