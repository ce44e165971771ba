/** A shallow copy of a git repository on this machine's disk, and its commits as folders. */
import { addAbortListener } from "node:events";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import type { Backoff } from "../../base/retry.ts";
import { type Git, type GitCall, GitError } from "../agents/git.ts";
import { reachServer } from "../agents/git-remote.ts";
import type { ProjectRepository } from "../base/sites.ts";

/** A repository elsewhere. */
interface MirrorOptions extends Pick<ProjectRepository, "url" | "access" | "branch"> {
  /** Waits before a server that does not answer is asked again. */
  readonly retryBackoff?: Backoff;
}

export type GitMirror = Awaited<ReturnType<typeof openGitMirror>>;

/** A commit is not at its host any more. */
export class CommitGoneError extends ActionError {
  override readonly name = "CommitGoneError";
}

/** Unused folders of commits that are kept, for each folder of the repository. */
const keptSnapshots = 2;
/** Each fetch adds a pack. */
const maxPacks = 50;
/** More than the documents of a site may be; a few objects can describe any number of files. */
const maxBytes = 4 * 1024 ** 3;
const readTipWithinMs = 60_000;
const hint =
  "Name a variable with a token that may read there as `tokenVariable`; over ssh, the key must be in the user's agent or folder, and the host in known_hosts.";

interface Snapshot {
  readonly path: string;
  readonly folder: string;
  readonly ready: Promise<void>;
  users: number;
}

/**
 * Opens the copy in a folder of this process alone: empty at first, or as an earlier process left it, also one that was killed.
 * Submodules and the contents of LFS are not fetched.
 */
export async function openGitMirror(
  directory: string,
  { url, access, branch, ...waits }: MirrorOptions,
  git: Git,
) {
  const stop = new AbortController();
  const [path, folders] = [join(directory, "mirror.git"), join(directory, "snapshots")];
  // They are made again from the copy: which of them were whole is not worth knowing.
  await rm(folders, { recursive: true, force: true });
  await mkdir(folders, { recursive: true, mode: 0o700 });
  await mkdir(path, { recursive: true, mode: 0o700 });
  /** Removes what git leaves when it is killed. */
  const removeLeft = async () => {
    for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
      const isLeft = entry.isFile() && /\.lock$|^tmp_/.test(entry.name);
      if (isLeft) await rm(join(entry.parentPath, entry.name), { force: true });
    }
  };
  await removeLeft();
  const run = (args: readonly string[], call: Partial<GitCall> = {}) => {
    const variables = { ...call.variables, GIT_DIR: path };
    return git(args, { cwd: directory, signal: stop.signal, ...call, variables });
  };
  const runRemotely = (args: readonly string[], attempts: number, signal = stop.signal) =>
    reachServer((until) => run(args, { access, signal: until }), { hint, ...waits, attempts, signal });

  const succeeds = async (...args: readonly string[]) => {
    try {
      await run(args);
      return true;
    } catch (error) {
      if (error instanceof GitError) return false;
      throw error;
    }
  };
  const has = (commit: string) => succeeds("cat-file", "-e", `${commit}^{commit}`);
  const isWhole = () => succeeds("fsck", "--no-dangling", "--no-progress");
  const fetchObject = async (object: string) => {
    const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--force", "--depth=1"];
    try {
      // The ref is what the next fetch builds upon.
      await runRemotely(["fetch", ...quietly, "--", url, `${object}:refs/docs/current`], 4);
    } catch (error) {
      // What arrived of it would stay with every attempt.
      await removeLeft();
      throw error;
    }
  };
  /** Where the server gives nothing but the tips of branches. */
  const fetchTip = async (commit: string, cause: unknown) => {
    const isRefused = cause instanceof GitError && /not our ref|unadvertised object/.test(cause.message);
    if (!isRefused) throw cause;
    await fetchObject(branch === undefined ? "HEAD" : `refs/heads/${branch}`);
    if (await has(commit)) return;
    const message = `The commit ${commit} is not at ${url} any more: the branch was force-pushed.`;
    throw new CommitGoneError("conflict", message, { cause });
  };
  const fetchCommit = async (commit: string) => {
    const format = `--object-format=${commit.length === 64 ? "sha256" : "sha1"}`;
    await run(["init", "--quiet", "--bare", "--template=", format, path]);
    // Loose objects are not safe when the power fails.
    await run(["config", "fetch.unpackLimit", "1"]);
    await fetchObject(commit).catch((error: unknown) => fetchTip(commit, error));
    const packs = (await readdir(join(path, "objects", "pack"))).filter((name) => name.endsWith(".pack"));
    if (packs.length > maxPacks) await run(["gc", "--quiet", "--prune=now"]);
  };
  /** The folder's tree: a symbolic link is none, and is not followed. */
  const findTree = async (commit: string, folder: string) => {
    if (folder === "") return `${commit}^{tree}`;
    const [, tree] = /^040000 tree ([\da-f]+)\t/.exec(await run(["ls-tree", commit, "--", folder])) ?? [];
    if (tree !== undefined) return tree;
    throw new ActionError("invalid-input", `The commit ${commit} of ${url} has no folder ${folder}.`);
  };
  /** @param destination An empty folder. */
  const writeFiles = async (commit: string, folder: string, destination: string) => {
    const tree = await findTree(commit, folder);
    let bytes = 0;
    // Git is stopped if this list is too long.
    const files = await run(["ls-tree", "-r", "-l", tree]);
    for (const [, size] of files.matchAll(/^\d+ blob \S+ +(\d+)\t/gm)) bytes += Number(size);
    if (bytes > maxBytes)
      throw new ActionError(
        "invalid-input",
        `The documents of ${url} have ${bytes} bytes; at most ${maxBytes}.`,
      );
    const index = `${destination}.index`;
    const call = { cwd: destination, variables: { GIT_WORK_TREE: destination, GIT_INDEX_FILE: index } };
    await run(["read-tree", tree], call);
    await run(["checkout-index", "--all", "--quiet"], call);
    await rm(index, { force: true });
  };
  /** Writes beside, and renames: what is at `destination` is whole. */
  const checkOut = async (commit: string, folder: string, destination: string) => {
    const attempt = async () => {
      if (!(await has(commit))) await fetchCommit(commit);
      const partial = `${destination}.partial`;
      await rm(partial, { recursive: true, force: true });
      await mkdir(partial, { mode: 0o700 });
      await writeFiles(commit, folder, partial);
      await rename(partial, destination);
    };
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof GitError) || (await isWhole())) throw error;
      // As after a power failure: the copy is made again.
      await rm(path, { recursive: true, force: true });
      await mkdir(path, { mode: 0o700 });
      await attempt();
    }
  };

  let last: Promise<unknown> = Promise.resolve();
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };
  /** By commit and folder, the newest use last. */
  const snapshots = new Map<string, Snapshot>();
  let made = 0;
  const make = (commit: string, folder: string): Snapshot => {
    made += 1;
    const destination = join(folders, `${commit}-${made}`);
    const ready = inOrder(() => checkOut(commit, folder, destination));
    const snapshot = { path: destination, folder, ready, users: 0 };
    ready.catch(() => {
      if (snapshots.get(`${commit}:${folder}`) === snapshot) snapshots.delete(`${commit}:${folder}`);
    });
    return snapshot;
  };
  const removeOld = async (folder: string) => {
    const unused = [...snapshots].filter(([, one]) => one.folder === folder && one.users === 0);
    for (const [key, snapshot] of unused.slice(0, -keptSnapshots)) {
      snapshots.delete(key);
      await rm(snapshot.path, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  return {
    url,
    isClosed: () => stop.signal.aborted,
    /** What the branch is at its host now. @throws {ActionError} when the host cannot be asked, or has no such branch. */
    async readTip(): Promise<{ readonly branch: string; readonly commit: string }> {
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(readTipWithinMs)]);
      const ref = branch === undefined ? "HEAD" : `refs/heads/${branch}`;
      const listing = await runRemotely(["ls-remote", "--quiet", "--symref", "--", url, ref], 1, signal);
      const [, head] = /^ref: refs\/heads\/(.+)\tHEAD$/m.exec(listing) ?? [];
      const name = branch ?? head;
      // Patterns of `ls-remote` also match the ends of other names.
      const lines = listing.split("\n").map((line) => line.split("\t"));
      const [commit] = lines.find(([tip = "", of]) => of === ref && /^[\da-f]+$/.test(tip)) ?? [];
      if (name !== undefined && commit !== undefined) return { branch: name, commit };
      const missing = branch === undefined ? "default branch" : `branch ${branch}`;
      throw new ActionError("invalid-input", `${url} has no ${missing}.`);
    },
    /**
     * The files of a commit's folder, in a folder that stays until it is disposed of.
     *
     * @param folder Path with `/`; empty for the top folder.
     * @throws {CommitGoneError} when the host does not have the commit any more.
     */
    async open(commit: string, folder: string, signal: AbortSignal) {
      const key = `${commit}:${folder}`;
      const snapshot = snapshots.get(key) ?? make(commit, folder);
      snapshots.delete(key);
      snapshots.set(key, snapshot);
      snapshot.users += 1;
      let isOpen = true;
      const close = async () => {
        if (!isOpen) return;
        isOpen = false;
        snapshot.users -= 1;
        await removeOld(folder);
      };
      try {
        // Others may wait for it too: it goes on when this caller goes away.
        const { promise: gone, reject } = Promise.withResolvers<never>();
        using _listening = addAbortListener(signal, () => reject(signal.reason));
        await Promise.race([snapshot.ready, gone]);
      } catch (error) {
        await close();
        throw error;
      }
      return { docsDir: snapshot.path, [Symbol.asyncDispose]: close };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await last;
    },
  };
}
