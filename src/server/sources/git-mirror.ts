/** A shallow mirror of a remote git repository on this machine, and folders with the files of its commits. */
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

/** Fetches after which superseded commits are removed. */
const fetchesUntilGc = 50;
/** Limits the size of the documents: a few git objects can describe any number of large files. */
const maxBytes = 4 * 1024 ** 3;
const readTipTimeoutMs = 60_000;
const hint =
  "Set `tokenVariable` to a variable with a token that may read the repository. With ssh, the user's ssh-agent or ~/.ssh must have the key, and known_hosts the host.";

/** Opens an empty mirror in an empty folder of this process. Submodules and LFS contents are not fetched. */
export async function openGitMirror(
  directory: string,
  { url, access, branch, ...retryOptions }: MirrorOptions,
  git: Git,
) {
  const stop = new AbortController();
  const [path, folders] = [join(directory, "mirror.git"), join(directory, "folders")];
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
  /** Writes the files of a folder below `destination`, and returns where. Symbolic links on the way to the folder are not followed. */
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
    const docsDir = join(destination, "docs");
    await mkdir(docsDir, { recursive: true, mode: 0o700 });
    const variables = { GIT_WORK_TREE: docsDir, GIT_INDEX_FILE: join(destination, "index") };
    await run(["read-tree", "--reset", "-u", tree], { cwd: docsDir, variables });
    return docsDir;
  };

  const inOrder = createSequence();
  let checkOuts = 0;
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
     * Checks a folder of a commit out into a folder of its own, which is removed on disposal.
     *
     * @param folder Path with `/`; empty for the root of the repository.
     * @throws {GitError} if the host no longer has the commit.
     */
    async open(commit: string, folder: string, signal: AbortSignal) {
      checkOuts += 1;
      const destination = join(folders, `${commit}-${checkOuts}`);
      const remove = () => rm(destination, { recursive: true, force: true, maxRetries: 3 });
      try {
        const checkingOut = inOrder(async () => {
          signal.throwIfAborted();
          return checkOut(commit, folder, destination);
        });
        const docsDir = await waitForShared(checkingOut, signal);
        return { docsDir, [Symbol.asyncDispose]: remove };
      } catch (error) {
        // After git, which may still be writing. The next start removes what is left.
        inOrder(remove).catch(() => undefined);
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      // Wait for work in progress.
      await inOrder(async () => undefined);
    },
  };
}
