import { lstat, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { JobFailedError } from "../../base/errors.ts";
import type { RunGit } from "./git.ts";
import { GitError } from "./git.ts";
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

/** Name and address that commits of agents carry. */
export interface AgentAuthor {
  readonly name: string;
  readonly email: string;
}

interface WorktreeOptions {
  readonly path: string;
  /** Where git keeps the index that the agent's own calls of git change. */
  readonly indexFile: string;
  readonly commit: string;
  readonly author: AgentAuthor;
}

/** Checks a commit out. */
export async function addWorktree(
  { path, indexFile, commit, author }: WorktreeOptions,
  { run, signal }: { run: RunGit; signal: AbortSignal },
): Promise<AgentWorktree> {
  await run(["worktree", "add", "--quiet", "--detach", path, commit], { signal });
  return {
    path,
    async commit(message) {
      await refuseConflicts({ path, indexFile }, { run, signal });
      return commitWorktree({ path, parent: commit, author, message }, { run, signal });
    },
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

/** A merge that the agent began and did not finish is no work to publish; one it only forgot to tell git of is. */
async function refuseConflicts(
  { path, indexFile }: Pick<WorktreeOptions, "path" | "indexFile">,
  { run, signal }: { run: RunGit; signal: AbortSignal },
): Promise<void> {
  const variables = { GIT_WORK_TREE: path, GIT_INDEX_FILE: indexFile };
  const listing = await run(["ls-files", "--unmerged", "-z"], { cwd: path, signal, variables }).catch(
    (error: unknown) => {
      // An index that the agent broke tells nothing.
      if (error instanceof GitError) return "";
      throw error;
    },
  );
  const unmerged = new Set([...listing.matchAll(/\t([^\0]+)\0/g)].map(([, name = ""]) => name));
  for (const name of unmerged) {
    const file = join(path, name);
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isFile() && hasConflicts(await readFile(file, "utf8")))
      throw new JobFailedError("The agent command ended in the middle of a merge, with conflicts.");
  }
}

function hasConflicts(text: string): boolean {
  return /^<{7} /m.test(text) && /^>{7} /m.test(text);
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
