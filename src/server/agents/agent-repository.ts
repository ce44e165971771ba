/**
 * The platform's own repository: it borrows the served repository's objects, and lends them to the repository that each agent gets
 * for its worktree. Of an isolated agent its configuration is hidden; another one can reach it, so that it is restored before it is
 * relied on. Tokens never meet the served repository's configuration at all.
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

/** What a commit is made of besides the files. */
export interface CommitFacts {
  readonly author: { readonly name: string; readonly email: string };
  readonly message: string;
  /** How long git may take with what is there; ten minutes unless set. */
  readonly withinMs?: number;
}

/** What one prompt may add and change: more is not for people to review, and is what `.gitignore` should have named. */
const limits = { files: 2000, bytes: 50 * 1024 ** 2 };

/** People's commits on a job's branch, and those of its other prompts, are no more than this. */
const maxSearchedCommits = 1000;

/** Commits and worktrees of agent jobs. */
export type AgentRepository = Awaited<ReturnType<typeof openAgentRepository>>;

/** Opens the repository (made when missing), without the locks, worktrees and agents that an interrupted run left behind. */
export async function openAgentRepository(
  directory: string,
  served: ServedRepository,
  git: Git,
  signal: AbortSignal,
) {
  const [path, worktrees] = [join(directory, "repository.git"), join(directory, "worktrees")];
  // Apart from the rest, since agents read them.
  const objects = join(directory, "objects");
  // Agents that outlived a platform which was killed: their work is done again, and nothing would limit their time.
  const left = await readdir(worktrees).catch(() => []);
  await endProcessesOf(left.map((name) => name.replace(/-[^-]*$/, "")));
  await removeFolder(worktrees);
  await mkdir(worktrees, { recursive: true, mode: 0o700 });
  const format = `--object-format=${served.objectFormat}`;
  const prepare = async () => {
    for (const folder of [path, objects]) await mkdir(folder, { recursive: true, mode: 0o700 });
    const link = join(path, "objects");
    if ((await lstat(link).catch(() => undefined)) === undefined) await symlink(objects, link, "junction");
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      // Git does not remove the locks of a process that was killed; only this platform uses the repository.
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
    // An agent broke it. It is made again: what was not published yet is done again.
    await Promise.all([path, objects].map(removeFolder)).catch(() => {
      throw error;
    });
    return prepare();
  });

  const restore = async () => {
    await restoreFile(join(path, "config"), config);
    // They would name a folder with another configuration, and attributes.
    for (const name of ["commondir", "info"]) await restoreFile(join(path, name), undefined);
    const shallow = served.gitDir && (await readIfPresent(join(served.gitDir, "shallow")));
    await restoreFile(join(path, "shallow"), shallow);
  };
  let restored: Promise<void> = Promise.resolve();
  /** Runs git on the repository, whose configuration is as it was when it was made. @throws {GitError} */
  const run = async (args: readonly string[], signal: AbortSignal, call: Partial<GitCall> = {}) => {
    // One after the other: two jobs must not write the same file at once.
    restored = restored.catch(() => undefined).then(restore);
    await restored;
    return git(args, { cwd: path, ...call, signal, variables: { ...call.variables, GIT_DIR: path } });
  };
  /**
   * Checks a commit out into a new folder. It is a repository of its own: git works there as usual, and neither its half-made state
   * nor what an agent does with it is seen by other jobs. Its configuration is never read here.
   */
  const checkOut = async (worktree: string, commit: string, signal: AbortSignal) => {
    await git(["init", "--quiet", "--template=", format, worktree], { cwd: worktrees, signal });
    const own = join(worktree, ".git");
    await writeFile(join(own, "objects", "info", "alternates"), `${objects}\n`);
    await restoreFile(join(own, "shallow"), await readIfPresent(join(path, "shallow")));
    const variables = { GIT_WORK_TREE: worktree, GIT_INDEX_FILE: join(own, "index") };
    await run(["read-tree", "--reset", "-u", commit], signal, { cwd: worktree, variables });
    await writeFile(join(own, "HEAD"), `${commit}\n`);
  };
  return {
    path,
    served,
    run,
    /** Runs git on the served repository. @throws {GitError} */
    runInServed: (args: readonly string[], signal: AbortSignal) => git(args, { cwd: served.root, signal }),
    /**
     * The commit that holds a turn's work, in the history of a branch's tip: what another machine left there is not done twice.
     *
     * A prompt cannot write the trailer, because it appears in the subject only, and an agent writes files and no messages. People who
     * can push to the branch can forge it: then their commit counts as the work, and the agent does not run for that prompt. What
     * is asked to be merged is what they pushed there, as it would be without the trailer.
     */
    async findTurn(tip: string, turn: string, signal: AbortSignal): Promise<string | undefined> {
      const format = `--format=%H %(trailers:key=${turnTrailer},valueonly,separator=%x20)`;
      const log = await run(["log", `--max-count=${maxSearchedCommits}`, format, tip], signal);
      const commits = log.split("\n").map((line) => line.split(" "));
      return commits.find(([, ...turns]) => turns.includes(turn))?.[0];
    },
    /**
     * Checks a commit out into a worktree of that name, has its files edited, and makes one commit of what is there in the end,
     * whatever the editor did with git. Nothing of the worktree stays on the disk.
     *
     * @returns the new commit; `undefined` when nothing differs from `start`.
     * @throws {JobFailedError} when the worktree is gone, in the middle of a merge with conflicts, or holds too much.
     */
    async commitEdits(
      name: string,
      start: string,
      facts: CommitFacts,
      edit: (worktree: string) => Promise<void>,
      signal: AbortSignal,
    ): Promise<string | undefined> {
      const worktree = join(worktrees, name);
      try {
        await checkOut(worktree, start, signal);
        await edit(worktree);
        const index = join(worktree, ".git", "index");
        const late = AbortSignal.timeout(facts.withinMs ?? 600_000);
        const until = AbortSignal.any([signal, late]);
        const runHere: Run = (args, variables) =>
          run(args, until, { cwd: worktree, variables: { GIT_WORK_TREE: worktree, ...variables } });
        try {
          await refuseConflicts(worktree, index, runHere);
          return await commitFiles(worktree, objects, start, facts, runHere);
        } catch (error) {
          if (error !== late.reason) throw error;
          // Git waits for ever for what is written to a pipe, for instance.
          throw new JobFailedError("What the agent command left takes git too long to read.");
        }
      } finally {
        await removeFolder(worktree);
      }
    },
  };
}

/** Runs git on the repository with a worktree. */
type Run = (args: readonly string[], variables: Record<string, string>) => Promise<string>;

/** A merge that was begun and not finished is no work to publish; one whose conflicts are gone from the files is. */
async function refuseConflicts(worktree: string, index: string, run: Run): Promise<void> {
  const unmerged = run(["ls-files", "--unmerged", "-z"], { GIT_INDEX_FILE: index });
  const listing = await unmerged.catch((error: unknown) => {
    // An index that the agent broke lists nothing.
    if (error instanceof GitError) return "";
    throw error;
  });
  for (const name of new Set([...listing.matchAll(/\t([^\0]+)\0/g)].map(([, name = ""]) => name))) {
    const stats = await lstat(join(worktree, name)).catch(() => undefined);
    const text = stats?.isFile() ? await readFile(join(worktree, name), "utf8") : "";
    if (/^<{7} /m.test(text) && /^>{7} /m.test(text))
      throw new JobFailedError("The agent command ended in the middle of a merge, with conflicts.");
  }
}

/**
 * Commits through an index of our own and by the repository's address, because everything in the worktree is the agent's to
 * change: its repository, its index, its HEAD. Objects of what is refused are not kept.
 */
async function commitFiles(
  worktree: string,
  objects: string,
  parent: string,
  { author, message }: CommitFacts,
  run: Run,
) {
  if (!(await lstat(worktree)).isDirectory())
    throw new JobFailedError("The agent command removed its worktree.");
  const [index, added] = [`${worktree}.index`, `${worktree}.objects`];
  const variables = {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: added,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects),
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const git = (...args: string[]) => run(args, variables);
  try {
    await mkdir(added, { mode: 0o700 });
    await git("read-tree", parent);
    await git("add", "--all", "--", ".");
    const changes = await git("diff-index", "--cached", "--raw", "-z", "--no-renames", parent).catch(
      (error: unknown) => {
        if (error instanceof GitError && error.isOutputTooLong) return refuseSize("files");
        throw error;
      },
    );
    if ([...changes.matchAll(/ [AMT]\0/g)].length > limits.files) refuseSize("files");
    // Before the trees and the commit, only the files' new contents are there.
    const list = ["cat-file", "--batch-all-objects", "--batch-check=%(objectsize)"];
    const sizes = await run(list, { GIT_OBJECT_DIRECTORY: added });
    if (sizes.split("\n").reduce((sum, size) => sum + Number(size), 0) > limits.bytes) refuseSize("bytes");
    // A repository that the agent made or cloned inside the worktree would become a submodule without an address.
    for (const [, nested = ""] of changes.matchAll(/:(?!160000)\d+ 160000 [^\0]+\0([^\0]+)\0/g)) {
      await git("update-index", "--force-remove", "--", nested);
    }
    const tree = await git("write-tree");
    if (tree === (await git("rev-parse", `${parent}^{tree}`))) return undefined;
    const commit = await git("commit-tree", tree, "-p", parent, "-m", message);
    await moveObjects(added, objects);
    return commit;
  } finally {
    await rm(index, { force: true });
    await removeFolder(added);
  }
}

function refuseSize(unit: keyof typeof limits): never {
  const most = `${limits[unit].toLocaleString("en")} ${unit}${unit === "bytes" ? " of new content" : ""}`;
  throw new JobFailedError(
    `The agent's change is too large: a prompt may add and change ${most} at most. Let .gitignore name what is not part of it, or ask for less at once.`,
  );
}

/** Moves what is in one folder of objects to another, an index after its pack. */
async function moveObjects(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  for (const path of paths.sort((one, other) => +one.endsWith(".idx") - +other.endsWith(".idx"))) {
    const target = join(to, relative(from, path));
    await mkdir(dirname(target), { recursive: true });
    await rename(path, target);
  }
}

/** Gives a file the content it should have; `undefined` stands for no file. */
async function restoreFile(path: string, content: string | undefined): Promise<void> {
  // A folder in its place cannot be read.
  const found = await readIfPresent(path).catch(() => null);
  if (found === content) return;
  if (content === undefined || found === null) await removeFolder(path);
  if (content !== undefined) await writeFileAtomically(path, content);
}

/** Removes a folder with all it holds, also folders that an agent protected against writing (as module caches are). */
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
