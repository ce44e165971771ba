/**
 * The platform's bare repository for agent commits. It reads the served repository's objects as alternates, and each agent's worktree
 * repository reads its objects the same way. Isolation hides its configuration from agents. An agent without isolation could change
 * it, so it is restored before each use. Git never gets a token together with the served repository's configuration.
 */
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { JobFailedError } from "../../base/errors.ts";
import { codeOf } from "../../base/text.ts";
import { readIfPresent, writeFileAtomically } from "../base/records.ts";
import { type Git, type GitCall, GitError } from "./git.ts";
import { turnTrailer } from "./published-change.ts";
import { endProcessesOf } from "./run-command.ts";
import type { ServedRepository } from "./served-repository.ts";

/** Options of a commit besides its files. */
export interface CommitOptions {
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** Time limit for git to read the worktree; defaults to ten minutes. */
  readonly timeoutMs?: number;
}

/** Limits of a prompt's change. A larger change cannot be reviewed; usually it contains files that `.gitignore` should list. */
const limits = { files: 2000, bytes: 50 * 1024 ** 2 };

/** Number of commits on a branch that are searched for the work of a turn. */
const maxSearchedCommits = 1000;

export type AgentRepository = Awaited<ReturnType<typeof openAgentRepository>>;

/** Opens the repository, which is created if missing. Removes locks, worktrees and agent processes of an interrupted run. */
export async function openAgentRepository(
  directory: string,
  served: ServedRepository,
  git: Git,
  signal: AbortSignal,
) {
  const [path, worktrees] = [join(directory, "repository.git"), join(directory, "worktrees")];
  // The objects are outside of `repository.git`, because agents must read them but not the configuration.
  const objects = join(directory, "objects");
  // End agents that are still running after their platform was killed: nothing else limits their time.
  const leftovers = await readdir(worktrees).catch(() => []);
  await endProcessesOf(leftovers.map((name) => name.replace(/-[^-]*$/, "")));
  await removeFolder(worktrees);
  await mkdir(worktrees, { recursive: true, mode: 0o700 });
  const format = `--object-format=${served.objectFormat}`;
  const prepare = async () => {
    for (const folder of [path, objects]) await mkdir(folder, { recursive: true, mode: 0o700 });
    const link = join(path, "objects");
    if ((await lstat(link).catch(() => undefined)) === undefined) await symlink(objects, link, "junction");
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      // Locks of killed git processes are stale: only this platform uses the repository.
      if (entry.isFile() && entry.name.endsWith(".lock")) await rm(join(entry.parentPath, entry.name));
    }
    for (const name of ["config", "commondir", "worktrees"]) await removeFolder(join(path, name));
    await git(["init", "--quiet", "--bare", "--template=", format, path], { cwd: path, signal });
    if (served.gitDir !== undefined)
      await writeFile(join(objects, "info", "alternates"), `${join(served.gitDir, "objects")}\n`);
    return readFile(join(path, "config"), "utf8");
  };
  const config = await prepare().catch(async (error: unknown) => {
    signal.throwIfAborted();
    // An agent damaged the repository. Create it again; unpublished work is repeated.
    await Promise.all([path, objects].map(removeFolder)).catch(() => {
      throw error;
    });
    return prepare();
  });

  const restore = async () => {
    await restoreFile(join(path, "config"), config);
    // `commondir` could point to another configuration, `info` could hold attributes.
    for (const name of ["commondir", "info"]) await restoreFile(join(path, name), undefined);
    const shallow = served.gitDir && (await readIfPresent(join(served.gitDir, "shallow")));
    await restoreFile(join(path, "shallow"), shallow);
  };
  let restored: Promise<void> = Promise.resolve();
  /** Runs git in the repository after restoring its configuration. @throws {GitError} */
  const run = async (args: readonly string[], signal: AbortSignal, call: Partial<GitCall> = {}) => {
    // Serialized, because two jobs must not write the same file at the same time.
    restored = restored.catch(() => undefined).then(restore);
    await restored;
    return git(args, { cwd: path, ...call, signal, variables: { ...call.variables, GIT_DIR: path } });
  };
  /**
   * Checks out a commit into a new folder that is its own repository. Git works there as usual for the agent, and other jobs do not see
   * its state. The platform never reads its configuration.
   */
  const checkOut = async (worktree: string, commit: string, signal: AbortSignal) => {
    await git(["init", "--quiet", "--template=", format, worktree], { cwd: worktrees, signal });
    const gitDir = join(worktree, ".git");
    await writeFile(join(gitDir, "objects", "info", "alternates"), `${objects}\n`);
    await restoreFile(join(gitDir, "shallow"), await readIfPresent(join(path, "shallow")));
    const variables = { GIT_WORK_TREE: worktree, GIT_INDEX_FILE: join(gitDir, "index") };
    await run(["read-tree", "--reset", "-u", commit], signal, { cwd: worktree, variables });
    await writeFile(join(gitDir, "HEAD"), `${commit}\n`);
  };
  return {
    path,
    served,
    run,
    /** Runs git in the served repository. @throws {GitError} */
    runInServed: (args: readonly string[], signal: AbortSignal) => git(args, { cwd: served.root, signal }),
    /**
     * Finds the commit of a turn in a branch's history, so that work published by another machine is not repeated.
     *
     * Neither a prompt nor an agent can write the trailer: prompts appear in the subject only, and agents do not write messages. A user with
     * push access can forge it; then the agent does not run for that prompt, and the pull request shows what the user pushed.
     */
    async findTurn(tip: string, turn: string, signal: AbortSignal): Promise<string | undefined> {
      const format = `--format=%H %(trailers:key=${turnTrailer},valueonly,separator=%x20)`;
      const log = await run(["log", `--max-count=${maxSearchedCommits}`, format, tip], signal);
      const commits = log.split("\n").map((line) => line.split(" "));
      return commits.find(([, ...turns]) => turns.includes(turn))?.[0];
    },
    /**
     * Checks out a commit into a worktree, calls `edit`, and creates one commit from the resulting files, whatever `edit` did with git. The
     * worktree is removed afterwards.
     *
     * @returns the new commit; `undefined` if nothing changed.
     * @throws {JobFailedError} if the worktree is gone, has merge conflicts, or has too many changes.
     */
    async commitEdits(
      name: string,
      start: string,
      options: CommitOptions,
      edit: (worktree: string) => Promise<void>,
      signal: AbortSignal,
    ): Promise<string | undefined> {
      const worktree = join(worktrees, name);
      try {
        await checkOut(worktree, start, signal);
        await edit(worktree);
        const index = join(worktree, ".git", "index");
        const timeout = AbortSignal.timeout(options.timeoutMs ?? 600_000);
        const stop = AbortSignal.any([signal, timeout]);
        const runHere: RunGit = (args, variables) =>
          run(args, stop, { cwd: worktree, variables: { GIT_WORK_TREE: worktree, ...variables } });
        try {
          await refuseConflicts(worktree, index, runHere);
          return await commitFiles(worktree, objects, start, options, runHere);
        } catch (error) {
          if (error !== timeout.reason) throw error;
          // For example, git waits for ever to read a named pipe.
          throw new JobFailedError("Git took too long to read the files that the agent command left.");
        }
      } finally {
        await removeFolder(worktree);
      }
    },
  };
}

/** Runs git in the repository with a worktree. */
type RunGit = (args: readonly string[], variables: Record<string, string>) => Promise<string>;

/** @throws {JobFailedError} if a file of an unfinished merge still contains conflict markers. */
async function refuseConflicts(worktree: string, index: string, run: RunGit): Promise<void> {
  const unmerged = run(["ls-files", "--unmerged", "-z"], { GIT_INDEX_FILE: index });
  const listing = await unmerged.catch((error: unknown) => {
    // The agent damaged the index: treat it as if nothing was unmerged.
    if (error instanceof GitError) return "";
    throw error;
  });
  for (const name of new Set([...listing.matchAll(/\t([^\0]+)\0/g)].map(([, name = ""]) => name))) {
    const stats = await lstat(join(worktree, name)).catch(() => undefined);
    const text = stats?.isFile() ? await readFile(join(worktree, name), "utf8") : "";
    if (/^<{7} /m.test(text) && /^>{7} /m.test(text))
      throw new JobFailedError("The agent command left a merge with conflicts.");
  }
}

/**
 * Commits the files of a worktree with a separate index and the platform's repository, because the agent may have changed the
 * worktree's own repository, index and HEAD. The objects of a rejected change are discarded.
 */
async function commitFiles(
  worktree: string,
  objects: string,
  parent: string,
  { author, message }: CommitOptions,
  run: RunGit,
) {
  if (!(await lstat(worktree)).isDirectory())
    throw new JobFailedError("The agent command removed its worktree.");
  const [index, newObjects] = [`${worktree}.index`, `${worktree}.objects`];
  const variables = {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: newObjects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const git = (...args: string[]) => run(args, variables);
  try {
    await mkdir(newObjects, { mode: 0o700 });
    await git("read-tree", parent);
    await git("add", "--all", "--", ".");
    const changes = await git("diff-index", "--cached", "--raw", "-z", "--no-renames", parent).catch(
      (error: unknown) => {
        if (error instanceof GitError && error.isOutputTooLong) return rejectSize("files");
        throw error;
      },
    );
    if ([...changes.matchAll(/ [AMT]\0/g)].length > limits.files) rejectSize("files");
    // Trees and the commit do not exist yet, so these are the blobs of new file contents.
    const list = ["cat-file", "--batch-all-objects", "--batch-check=%(objectsize)"];
    const sizes = await run(list, { GIT_OBJECT_DIRECTORY: newObjects });
    if (sizes.split("\n").reduce((sum, size) => sum + Number(size), 0) > limits.bytes) rejectSize("bytes");
    // Leave out repositories that the agent created in the worktree: they would become submodules without a URL.
    for (const [, nested = ""] of changes.matchAll(/:(?!160000)\d+ 160000 [^\0]+\0([^\0]+)\0/g)) {
      await git("update-index", "--force-remove", "--", nested);
    }
    const tree = await git("write-tree");
    if (tree === (await git("rev-parse", `${parent}^{tree}`))) return undefined;
    const commit = await git("commit-tree", tree, "-p", parent, "-m", message);
    await moveObjects(newObjects, objects);
    return commit;
  } finally {
    await rm(index, { force: true });
    await removeFolder(newObjects);
  }
}

function rejectSize(unit: keyof typeof limits): never {
  const limit = `${limits[unit].toLocaleString("en")} ${unit}${unit === "bytes" ? " of new content" : ""}`;
  throw new JobFailedError(
    `The agent's change is too large: a prompt may add or change at most ${limit}. Add files that are not part of the change to .gitignore, or split the request.`,
  );
}

/** Moves git objects to another folder, each pack before its index. */
async function moveObjects(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  for (const path of paths.sort((one, other) => +one.endsWith(".idx") - +other.endsWith(".idx"))) {
    const target = join(to, relative(from, path));
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
  }
}

/** Restores a file's expected content; `undefined` removes the file. */
async function restoreFile(path: string, content: string | undefined): Promise<void> {
  // `null`: there is a folder instead of the file.
  const current = await readIfPresent(path).catch(() => null);
  if (current === content) return;
  if (content === undefined || current === null) await removeFolder(path);
  if (content !== undefined) await writeFileAtomically(path, content);
}

/** Removes a folder, including read-only folders such as the module caches of Go. */
async function removeFolder(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch (error) {
    if (!["EACCES", "EPERM"].includes(codeOf(error) ?? "")) throw error;
    await makeWritable(path);
    await remove();
  }
}

async function makeWritable(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
  }
}
