/**
 * The platform's own repository: it borrows the served repository's objects and gives agents their worktrees. An agent can
 * reach its configuration from a worktree, so that this is put right before it is relied on; tokens never meet the served
 * repository's configuration at all.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfPresent } from "../storage/read-or-create-secret.ts";
import { writeFileAtomically } from "../storage/write-file-atomically.ts";
import { type AgentAuthor, type AgentWorktree, addWorktree } from "./agent-worktree.ts";
import type { Git, RunGit } from "./git.ts";
import { removeFolder } from "./remove-folder.ts";
import type { ServedRepository } from "./served-repository.ts";

/** Commits and worktrees of agent jobs. */
export interface AgentRepository {
  readonly path: string;
  readonly run: RunGit;
  /** Checks a commit out into a folder of its own. */
  addWorktree(
    options: { readonly name: string; readonly commit: string },
    deps: { readonly signal: AbortSignal },
  ): Promise<AgentWorktree>;
}

interface OpenOptions {
  /** Folder for the repository and its worktrees. */
  readonly directory: string;
  readonly served: ServedRepository;
  readonly author: AgentAuthor;
}

/** Opens the repository (made when missing), without the worktrees that an interrupted run left behind. */
export async function openAgentRepository(
  { directory, served, author }: OpenOptions,
  { git, signal }: { git: Git; signal: AbortSignal },
): Promise<AgentRepository> {
  const [path, worktrees] = [join(directory, "repository.git"), join(directory, "worktrees")];
  await removeFolder(worktrees);
  await mkdir(worktrees, { recursive: true, mode: 0o700 });
  const config = await initialize(path, { git, served, signal });

  const run: RunGit = async (args, call) => {
    await restoreFile(join(path, "config"), config);
    await restoreFile(join(path, "shallow"), await readIfPresent(join(served.gitDir, "shallow")));
    return git(args, { cwd: path, ...call, variables: { ...call.variables, GIT_DIR: path } });
  };
  await run(["worktree", "prune"], { signal });
  return {
    path,
    run,
    addWorktree: ({ name, commit }, deps) =>
      addWorktree(
        {
          path: join(worktrees, name),
          indexFile: join(path, "worktrees", name, "index"),
          commit,
          author,
        },
        { run, signal: deps.signal },
      ),
  };
}

/** Makes the repository, or makes it usable again after a crash; its configuration as git wants it here. */
async function initialize(
  path: string,
  { git, served, signal }: { git: Git; served: ServedRepository; signal: AbortSignal },
): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  await removeLocks(path);
  await rm(join(path, "config"), { force: true });
  const init = ["init", "--quiet", "--bare", "--template=", `--object-format=${served.objectFormat}`, path];
  await git(init, { cwd: path, signal });
  await writeFile(join(path, "objects", "info", "alternates"), `${join(served.gitDir, "objects")}\n`);
  return readFile(join(path, "config"), "utf8");
}

/** Git does not remove the locks of a process that was killed; nobody else uses this repository. */
async function removeLocks(path: string): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.endsWith(".lock")) await rm(join(entry.parentPath, entry.name));
  }
}

/** Gives a file the content it should have; `undefined` stands for no file. */
async function restoreFile(path: string, content: string | undefined): Promise<void> {
  if ((await readIfPresent(path)) === content) return;
  if (content === undefined) await rm(path, { force: true });
  else await writeFileAtomically(path, content);
}
