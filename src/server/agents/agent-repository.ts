/**
 * The platform's bare repository for agent commits. It reads the served repository's objects, and each agent's worktree repository reads
 * its objects. Isolation hides its configuration from agents. An agent without isolation could change it, so it is restored before each
 * use. Git never gets a token together with the served repository's configuration.
 */
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { JobFailedError } from "../../base/errors.ts";
import { codeOf } from "../../base/text.ts";
import { readIfPresent, writeFileAtomically } from "../base/records.ts";
import { createSequence } from "../base/shared-work.ts";
import { type Git, type GitCall, GitError } from "./git.ts";
import { turnTrailer } from "./published-change.ts";
import { endProcessesOf } from "./run-command.ts";
import { locateRepository, type ServedRepository } from "./served-repository.ts";

/** Options of a commit besides its files. */
export interface CommitOptions {
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** Time limit for git to read the worktree; defaults to ten minutes. */
  readonly timeoutMs?: number;
}

/** Limits of a prompt's change. A larger change cannot be reviewed; usually it contains files that `.gitignore` should list. */
const limits = { files: 2000, bytes: 50 * 1024 ** 2 };

const maxSearchedCommits = 1000;

/** A ref from which fetches negotiate, also after a restart. */
const baseRef = "refs/docs-agent/base";

export type AgentRepository = Awaited<ReturnType<typeof openAgentRepository>>;

/** Opens the repository. Removes worktrees and agent processes of an interrupted run. */
export async function openAgentRepository(
  directory: string,
  served: ServedRepository,
  git: Git,
  signal: AbortSignal,
) {
  const [path, worktrees] = [join(directory, "repository.git"), join(directory, "worktrees")];
  const servedObjects = served.gitDir && join(served.gitDir, "objects");
  // The objects are outside of `repository.git`, because agents must read them but not the configuration.
  const objects = (served.isTarget && servedObjects) || join(directory, "objects");
  // End agents that are still running after their platform was killed: nothing else limits their time.
  await endProcessesOf(await readdir(worktrees).catch(() => []));
  await removeFolder(worktrees);
  await mkdir(worktrees, { recursive: true, mode: 0o700 });
  // An earlier agent may have damaged the repository, so that only the ref is kept.
  let base = await readIfPresent(join(path, baseRef)).catch(() => undefined);
  await removeFolder(path);
  const format = `--object-format=${served.objectFormat}`;
  await git(["init", "--quiet", "--bare", "--template=", format, path], { cwd: directory, signal });
  const config = await readFile(join(path, "config"), "utf8");
  await mkdir(dirname(join(path, baseRef)));
  await mkdir(join(objects, "info"), { recursive: true, mode: 0o700 });
  if (servedObjects !== undefined && servedObjects !== objects)
    await writeFile(join(objects, "info", "alternates"), `${servedObjects}\n`);
  // A killed process leaves unfinished objects. Those in the served repository are removed by its own `git gc`.
  const unfinished = served.isTarget
    ? []
    : (await readdir(objects)).filter((name) => name.startsWith("tmp_"));
  for (const name of unfinished) await removeFolder(join(objects, name));
  const known = new Set([served.head]);

  const restore = async () => {
    await restoreFile(join(path, "config"), config);
    // `commondir` could point to another configuration, `info` could hold attributes.
    for (const name of ["commondir", "info"]) await restoreFile(join(path, name), undefined);
    const shallow = served.gitDir && (await readIfPresent(join(served.gitDir, "shallow")));
    await restoreFile(join(path, "shallow"), shallow);
    await restoreFile(join(path, baseRef), base);
  };
  // Two jobs must not write the same file at the same time.
  const inOrder = createSequence();
  /** Runs git in the repository after restoring its configuration. @throws {GitError} */
  const run = async (args: readonly string[], signal: AbortSignal, call: Partial<GitCall> = {}) => {
    await inOrder(restore);
    const variables = { GIT_OBJECT_DIRECTORY: objects, ...call.variables, GIT_DIR: path };
    return git(args, { cwd: path, ...call, signal, variables });
  };
  /**
   * Checks out a commit into a new folder that is its own repository. Git works there as usual for the agent, and other jobs do not see
   * its state. The platform never reads its configuration or its index.
   */
  const checkOut = async (commit: string, worktree: string, index: string, runHere: RunHere) => {
    const gitDir = join(worktree, ".git");
    for (const folder of ["objects/info", "refs"])
      await mkdir(join(gitDir, folder), { recursive: true, mode: 0o700 });
    await writeFile(join(gitDir, "config"), config.replace("bare = true", "bare = false"));
    await writeFile(join(gitDir, "objects", "info", "alternates"), `${objects}\n`);
    await writeFile(join(gitDir, "HEAD"), `${commit}\n`);
    await runHere(["read-tree", "--reset", "-u", commit]);
    await restoreFile(join(gitDir, "shallow"), await readIfPresent(join(path, "shallow")));
    await copyFile(index, join(gitDir, "index"));
  };
  return {
    served,
    /** The folder of the objects that worktrees read. */
    objects,
    run,
    /** Runs git in the served repository. @throws {GitError} */
    runInServed: async (args: readonly string[], signal: AbortSignal) =>
      git(args, { cwd: served.root, signal, variables: await locateRepository(served.root) }),
    /** Whether a commit is certainly present; `false` if it has to be fetched to be sure. */
    hasCommit: (commit: string) => known.has(commit),
    /** Notes commits that were fetched, among them the tip of the base branch. */
    addCommits(commits: readonly string[], baseTip: string): void {
      for (const commit of commits) known.add(commit);
      base = `${baseTip}\n`;
    },
    /**
     * Finds the commit of a turn in a branch's history, so that work published by another attempt is not repeated.
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
     * @throws {JobFailedError} if the worktree is gone or has too many changes.
     */
    async commitEdits(
      name: string,
      start: string,
      options: CommitOptions,
      edit: (worktree: string) => Promise<void>,
      signal: AbortSignal,
    ): Promise<string | undefined> {
      const worktree = join(worktrees, name);
      // Isolation hides it from the agent.
      const index = join(path, `${name}.index`);
      const own = { GIT_WORK_TREE: worktree, GIT_INDEX_FILE: index };
      const runUntil =
        (stop: AbortSignal): RunHere =>
        (args, variables) =>
          run(args, stop, { cwd: worktree, variables: { ...own, ...variables } });
      try {
        await checkOut(start, worktree, index, runUntil(signal));
        await edit(worktree);
        const timeout = AbortSignal.timeout(options.timeoutMs ?? 600_000);
        const runHere = runUntil(AbortSignal.any([signal, timeout]));
        return await commitFiles(start, objects, options, worktree, runHere).catch((error: unknown) => {
          if (error !== timeout.reason) throw error;
          // For example, git waits for ever to read a named pipe.
          throw new JobFailedError("Git took too long to read the files that the agent command left.");
        });
      } finally {
        await rm(index, { force: true });
        await removeFolder(worktree);
      }
    },
  };
}

/** Runs git in a worktree with the platform's own index of it. */
type RunHere = (args: readonly string[], variables?: Record<string, string>) => Promise<string>;

/**
 * Commits the files of a worktree with the platform's own index and repository, because the agent may have changed those of the
 * worktree. The objects of a rejected change are discarded.
 */
async function commitFiles(
  parent: string,
  objects: string,
  { author, message }: CommitOptions,
  worktree: string,
  runHere: RunHere,
) {
  if (!(await lstat(worktree)).isDirectory())
    throw new JobFailedError("The agent command removed its worktree.");
  // In the same file system, so that each object can be moved at once. What a killed process leaves under this name is removed later.
  const newObjects = await mkdtemp(join(objects, "tmp_objdir-agent-"));
  const variables = {
    GIT_OBJECT_DIRECTORY: newObjects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const git = (...args: string[]) => runHere(args, variables);
  try {
    await git("add", "--all", "--", ".");
    const listing = await git("diff-index", "--cached", "--raw", "-z", "--no-renames", parent).catch(
      (error: unknown) => {
        if (error instanceof GitError && error.isOutputTooLong) return rejectSize("files");
        throw error;
      },
    );
    // The changed files, and their modes before and after the change.
    const entries = listing.matchAll(/:(\d+) (\d+) [^\0]+\0([^\0]+)\0/g);
    const changes = [...entries].map(([, before, after, file = ""]) => ({ before, after, file }));
    if (changes.filter(({ after }) => Number(after) > 0).length > limits.files) rejectSize("files");
    // Of the new objects, not of the files, whose names may be in any encoding.
    const ofObjects = ["cat-file", "--batch-all-objects", "--batch-check=%(objectsize)"];
    const sizes = await runHere(ofObjects, { ...variables, GIT_ALTERNATE_OBJECT_DIRECTORIES: "" });
    if (sizes.split("\n").reduce((sum, size) => sum + Number(size), 0) > limits.bytes) rejectSize("bytes");
    // Leave out repositories that the agent created in the worktree: they would become submodules without a URL.
    const nested = changes.filter(({ before, after }) => before !== submodule && after === submodule);
    if (changes.length === nested.length) return undefined;
    if (nested.length > 0)
      await git("update-index", "--force-remove", "--", ...nested.map(({ file }) => file));
    const commit = await git("commit-tree", await git("write-tree"), "-p", parent, "-m", message);
    await moveObjects(newObjects, objects);
    return commit;
  } finally {
    await removeFolder(newObjects);
  }
}

/** The mode of a repository inside of another one; 000000 stands for no file. */
const submodule = "160000";

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
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10 });
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
