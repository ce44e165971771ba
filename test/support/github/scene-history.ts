/** Verbs for what happens to the repository itself: commits, releases, runs. */

import { createHash } from "node:crypto";
import { ancestry } from "./history.ts";
import type { ChangedFile, Commit, Issue, PullFacts, Release, WorkflowRun } from "./records.ts";
import { type GitHubState, rememberPerson } from "./state.ts";

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
export function addCommit(state: GitHubState, options: NewCommit): string {
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
export function mergePull(
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

/** The verbs over one repository's state. */
export function createHistoryVerbs(state: GitHubState) {
  return {
    /** Adds a commit to a branch, which it makes if need be; returns its SHA. */
    addCommit: (options: NewCommit = {}): string => addCommit(state, options),

    /** Names a commit by a tag, an annotated one unless told otherwise. */
    addTag({ tag, sha, isAnnotated = true }: { tag: string; sha: string; isAnnotated?: boolean }): void {
      const object = createHash("sha1").update(`tag ${tag} ${sha}`).digest("hex");
      if (isAnnotated) state.tagObjects.set(object, sha);
      state.refs.set(`refs/tags/${tag}`, isAnnotated ? object : sha);
    },

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

    setWorkflowRun(run: WorkflowRun): void {
      state.workflowRuns.set(run.id, run);
    },
  };
}
