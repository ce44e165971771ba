/** A shallow mirror of a remote git repository on this machine, and snapshot folders of its commits. */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ActionError } from "../../base/errors.ts";
import type { Backoff } from "../../base/retry.ts";
import { type Git, type GitCall, optionalOutput } from "../agents/git.ts";
import { parseRefListing, retryGit } from "../agents/git-remote.ts";
import { createSequence, waitForShared } from "../base/shared-work.ts";
import type { ProjectRepository } from "../base/sites.ts";

interface MirrorOptions extends Pick<ProjectRepository, "url" | "access" | "branch"> {
  /** Backoff between attempts to reach the server. */
  readonly retryBackoff?: Backoff;
}

export type GitMirror = Awaited<ReturnType<typeof openGitMirror>>;

/** Unused snapshots that are kept for each folder of the repository. */
const keptSnapshots = 2;
/** Fetches after which superseded commits are removed. */
const fetchesUntilGc = 50;
/** Limits the size of the documents: a few git objects can describe any number of large files. */
const maxBytes = 4 * 1024 ** 3;
const readTipTimeoutMs = 60_000;
const hint =
  "Set `tokenVariable` to a variable with a token that may read the repository. With ssh, the user's ssh-agent or ~/.ssh must have the key, and known_hosts the host.";

interface Snapshot {
  readonly path: string;
  readonly folder: string;
  readonly ready: Promise<void>;
  users: number;
}

/** Opens an empty mirror in an empty folder of this process. Submodules and LFS contents are not fetched. */
export async function openGitMirror(
  directory: string,
  { url, access, branch, ...retryOptions }: MirrorOptions,
  git: Git,
) {
  const stop = new AbortController();
  const [path, folders] = [join(directory, "mirror.git"), join(directory, "snapshots")];
  for (const folder of [path, folders]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const run = (args: readonly string[], call: Partial<GitCall> = {}) => {
    const variables = { ...call.variables, GIT_DIR: path };
    return git(args, { cwd: directory, signal: stop.signal, ...call, variables });
  };
  const runRemotely = (args: readonly string[], attempts: number, timeoutMs?: number) => {
    const options = { hint, ...retryOptions, attempts, signal: stop.signal, timeoutMs };
    return retryGit((signal) => run(args, { access, signal }), options);
  };

  let fetches = 0;
  const fetchCommit = async (commit: string) => {
    const format = `--object-format=${commit.length === 64 ? "sha256" : "sha1"}`;
    if (fetches === 0) await run(["init", "--quiet", "--bare", "--template=", format, path]);
    const quietly = ["--quiet", "--no-tags", "--no-write-fetch-head", "--force", "--depth=1"];
    try {
      // The next fetch negotiates from this ref.
      await runRemotely(["fetch", ...quietly, "--", url, `${commit}:refs/docs/current`], 4);
    } catch (cause) {
      // Start again with an empty mirror: each failed fetch can leave a partial pack.
      await rm(path, { recursive: true, force: true });
      await mkdir(path, { mode: 0o700 });
      fetches = 0;
      throw cause;
    }
    fetches += 1;
    if (fetches % fetchesUntilGc === 0) await run(["gc", "--quiet", "--prune=now"]);
  };
  /** Runs git, which fails if the mirror does not have an object; returns `undefined` then. */
  const readObject = (args: readonly string[]) => optionalOutput(run(args), [1, 128]);
  /** Writes the files of a folder. Symbolic links on the way to it are not followed. */
  const checkOut = async (commit: string, folder: string, destination: string) => {
    const tree = `${commit}:${folder}`;
    const isFetched = fetches > 0 && (await readObject(["cat-file", "-e", commit])) !== undefined;
    if (!isFetched) await fetchCommit(commit);
    // If there are too many files, git is stopped.
    const files = await readObject(["ls-tree", "-r", "-l", tree]);
    if (files === undefined)
      throw new ActionError("invalid-input", `The commit ${commit} of ${url} has no folder ${folder}.`);
    let bytes = 0;
    for (const [, size] of files.matchAll(/^\d+ blob \S+ +(\d+)\t/gm)) bytes += Number(size);
    if (bytes > maxBytes)
      throw new ActionError(
        "invalid-input",
        `The documents of ${url} have ${bytes} bytes; the limit is ${maxBytes} bytes.`,
      );
    const index = `${destination}.index`;
    await mkdir(destination, { mode: 0o700 });
    const variables = { GIT_WORK_TREE: destination, GIT_INDEX_FILE: index };
    await run(["read-tree", "--reset", "-u", tree], { cwd: destination, variables });
    await rm(index, { force: true });
  };

  const inOrder = createSequence();
  /** By commit and folder; the most recently used is last. */
  const snapshots = new Map<string, Snapshot>();
  let createdCount = 0;
  const createSnapshot = (commit: string, folder: string): Snapshot => {
    createdCount += 1;
    const destination = join(folders, `${commit}-${createdCount}`);
    const ready = inOrder(() => checkOut(commit, folder, destination));
    const snapshot = { path: destination, folder, ready, users: 0 };
    ready.catch(async () => {
      if (snapshots.get(`${commit}:${folder}`) === snapshot) snapshots.delete(`${commit}:${folder}`);
      await rm(destination, { recursive: true, force: true });
    });
    return snapshot;
  };
  const removeOld = async (folder: string) => {
    const unused = [...snapshots].filter(([, one]) => one.folder === folder && one.users === 0);
    for (const [key, { path }] of unused.slice(0, -keptSnapshots)) {
      snapshots.delete(key);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  return {
    url,
    isClosed: () => stop.signal.aborted,
    /** Reads the branch's current tip from the host. @throws {ActionError} if that fails, or there is no such branch. */
    async readTip(): Promise<{ readonly branch: string; readonly commit: string }> {
      const ref = branch === undefined ? "HEAD" : `refs/heads/${branch}`;
      const listTip = ["ls-remote", "--quiet", "--symref", "--", url, ref];
      const listing = await runRemotely(listTip, 1, readTipTimeoutMs);
      const { defaultBranch, tips } = parseRefListing(listing);
      const [name, commit] = [branch ?? defaultBranch, tips.get(ref)];
      if (name !== undefined && commit !== undefined) return { branch: name, commit };
      const missing = branch === undefined ? "default branch" : `branch ${branch}`;
      throw new ActionError("invalid-input", `${url} has no ${missing}.`);
    },
    /**
     * Opens a folder of a commit as a snapshot, which is kept until disposal.
     *
     * @param folder Path with `/`; empty for the root of the repository.
     * @throws {GitError} if the host no longer has the commit.
     */
    async open(commit: string, folder: string, signal: AbortSignal) {
      const key = `${commit}:${folder}`;
      const snapshot = snapshots.get(key) ?? createSnapshot(commit, folder);
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
        await waitForShared(snapshot.ready, signal);
      } catch (error) {
        await close();
        throw error;
      }
      return { docsDir: snapshot.path, [Symbol.asyncDispose]: close };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      // Wait for work in progress.
      await inOrder(async () => undefined);
    },
  };
}
