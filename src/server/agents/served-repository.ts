/** The git repository that contains the served documents. */
import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { ActionError } from "../../base/errors.ts";
import { isLoopback } from "../../base/network.ts";
import { isInside } from "../../base/paths.ts";
import type { Environment } from "../../base/runtime.ts";
import type { GitHubRemote } from "../base/context.ts";
import { createGit, type Git, optionalOutput } from "./git.ts";

export interface ServedRepository {
  /** Root of the working tree. */
  readonly root: string;
  /** The `.git` folder; `undefined` for a remote repository, whose objects are fetched. */
  readonly gitDir: string | undefined;
  readonly objectFormat: string;
  /** Path of the documents below `root`, with `/`; empty for `root` itself. */
  readonly docsPath: string;
}

/**
 * Inspects the repository that contains the documents.
 *
 * @throws {ActionError} if there is none, it has no commit, or it is a partial clone.
 */
export async function readServedRepository(
  git: Git,
  repository: string,
  docsDir: string,
  signal: AbortSignal,
): Promise<ServedRepository> {
  const unusable = (why: string, cause?: unknown) =>
    new ActionError("invalid-input", `Agent jobs cannot work on ${repository}: it ${why}.`, {
      hint: "Serve documents from a git repository with at least one commit, and not from a partial clone.",
      cause,
    });
  const query = (...args: string[]) => git(args, { cwd: repository, signal });
  const root = await query("rev-parse", "--show-toplevel").catch((error: unknown) => {
    throw unusable("is not the working tree of a git repository", error);
  });
  await query("rev-parse", "--verify", "--quiet", "HEAD^{commit}").catch((error: unknown) => {
    throw unusable("has no commit yet", error);
  });
  const [top, docs] = [await realpath(root), await realpath(docsDir)];
  if (!isInside(top, docs)) throw unusable(`does not contain the documents ${docsDir}`);
  const promisors = await optionalOutput(
    query("config", "--local", "--get-regexp", "^remote\\..*\\.promisor$"),
  );
  if (promisors?.includes("true")) throw unusable("is a partial clone: agent jobs need all of its files");
  return {
    root,
    gitDir: await query("rev-parse", "--path-format=absolute", "--git-common-dir"),
    objectFormat: await query("rev-parse", "--show-object-format"),
    docsPath: relative(top, docs).split(sep).join("/"),
  };
}

/** `git@github.com:owner/name.git` or `ssh://git@github.com/owner/name.git`. */
const sshHost = /^(?:ssh:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)[:/]/;

/**
 * Finds the GitHub repository of a clone; `undefined` if its remote `origin` is not on the GitHub server. If `origin` is an HTTP URL of
 * that server or of this machine (a local proxy), git uses that URL. The token is not sent to any other host.
 */
export async function findGitHubRemote(
  repository: string,
  github: GitHubRemote,
  environment: Environment,
  signal: AbortSignal,
): Promise<GitHubRemote | undefined> {
  const reading = createGit(environment)(["config", "--get", "remote.origin.url"], {
    cwd: repository,
    signal,
  });
  const origin = await optionalOutput(reading);
  if (origin === undefined) return undefined;
  const serverHost = new URL(github.serverUrl).host;
  const url = /^https?:\/\//i.test(origin) ? new URL(origin) : undefined;
  if (url === undefined) return sshHost.exec(origin)?.groups?.["host"] === serverHost ? github : undefined;
  if (url.host !== serverHost && !isLoopback(url)) return undefined;
  return { ...github, gitUrl: `${url.origin}${url.pathname}` };
}
