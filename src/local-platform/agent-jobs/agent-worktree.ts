import { lstat, rm } from "node:fs/promises";
import { JobFailedError } from "../../errors.ts";
import type { AgentAuthor, RunGit } from "./agent-repository.ts";
import { removeFolder } from "./remove-folder.ts";

/** A checked-out commit that one run of an agent edits; disposal removes it. */
export interface AgentWorktree extends AsyncDisposable {
  readonly path: string;
  /**
   * Makes one commit of what is in the worktree now, whatever the agent did with git in it; `undefined` when nothing differs
   * from the commit that was checked out.
   */
  commit(message: string): Promise<string | undefined>;
}

/** Checks a commit out. */
export async function addWorktree(
  { path, commit, author }: { path: string; commit: string; author: AgentAuthor },
  { run, signal }: { run: RunGit; signal: AbortSignal },
): Promise<AgentWorktree> {
  await run(["worktree", "add", "--quiet", "--detach", path, commit], { signal });
  return {
    path,
    commit: (message) => commitWorktree({ path, parent: commit, author, message }, { run, signal }),
    // The registration in the repository goes with the next `worktree prune`.
    [Symbol.asyncDispose]: () => removeFolder(path),
  };
}

/**
 * Commits through an index of our own and by the repository's address, because everything in the worktree is the agent's to
 * change: its `.git` file, its index, its HEAD.
 */
async function commitWorktree(
  { path, parent, author, message }: { path: string; parent: string; author: AgentAuthor; message: string },
  { run, signal }: { run: RunGit; signal: AbortSignal },
): Promise<string | undefined> {
  if (!(await lstat(path)).isDirectory()) throw new JobFailedError("The agent command removed its worktree.");
  const index = `${path}.index`;
  const variables = {
    GIT_WORK_TREE: path,
    GIT_INDEX_FILE: index,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const git = (...args: string[]) => run(args, { cwd: path, signal, variables });
  try {
    await git("read-tree", parent);
    await git("add", "--all", "--", ".");
    await dropNestedRepositories(git, parent);
    const tree = await git("write-tree");
    if (tree === (await git("rev-parse", `${parent}^{tree}`))) return undefined;
    return await git("commit-tree", tree, "-p", parent, "-m", message);
  } finally {
    await rm(index, { force: true });
  }
}

/** A repository that the agent made or cloned inside the worktree would become a submodule without an address. */
async function dropNestedRepositories(
  git: (...args: string[]) => Promise<string>,
  parent: string,
): Promise<void> {
  const changes = await git("diff-index", "--cached", "--raw", "-z", "--no-renames", parent);
  for (const match of changes.matchAll(/:(?!160000)\d+ 160000 [^\0]+\0(?<path>[^\0]+)\0/g)) {
    await git("update-index", "--force-remove", "--", match.groups?.["path"] ?? "");
  }
}
