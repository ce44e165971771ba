/** What the stand-in remembers: one repository, its people, threads, commits and statuses. */

import type {
  Collaborator,
  Commit,
  CommitStatus,
  Discussion,
  DiscussionComment,
  Issue,
  IssueComment,
  Person,
  Release,
  Review,
  ReviewComment,
  WorkflowRun,
  Writing,
} from "./records.ts";

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
  /** Objects of annotated tags, to the commits they lead to. */
  readonly tagObjects: Map<string, string>;
  readonly statuses: CommitStatus[];
  readonly releases: Release[];
  readonly workflowRuns: Map<number, WorkflowRun>;
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
    tagObjects: new Map(),
    statuses: [],
    releases: [],
    workflowRuns: new Map(),
    labels: new Map(),
    actionsMayOpenPullRequests: true,
    nextId: next,
    nextNumber: count,
    now: () => `${new Date(clock()).toISOString().slice(0, 19)}Z`,
  };
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

/** Takes a discussion's comment away; where somebody has replied to it, GitHub keeps its place, empty. */
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
