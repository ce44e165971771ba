/** Verbs for what happens to the repository itself: commits, releases, runs. */

import { createHash } from "node:crypto";
import type { ChangedFile, Release, WorkflowRun } from "./records.ts";
import { type GitHubState, rememberPerson } from "./state.ts";

interface NewCommit {
  readonly branch?: string;
  readonly message?: string;
  readonly author?: string;
  /** Names of modified files, or whole changes. */
  readonly files?: readonly (string | ChangedFile)[];
  /** Instead of the branch's tip: makes a rewritten history. */
  readonly parent?: string;
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
    parents: parent === undefined ? [] : [parent],
    message,
    author,
    date: state.now(),
    files: files.map(changeOf),
  });
  state.refs.set(ref, sha);
  return sha;
}

/** The verbs over one repository's state. */
export function createHistoryVerbs(state: GitHubState) {
  return {
    /** Adds a commit to a branch, which it makes if need be; returns its SHA. */
    addCommit: (options: NewCommit = {}): string => addCommit(state, options),

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
