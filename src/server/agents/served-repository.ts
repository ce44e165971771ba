/** The repository whose documents are served: read when the platform starts, and where work on it begins. */
import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { ActionError } from "../../base/errors.ts";
import { isLoopback } from "../../base/network.ts";
import { isInside } from "../../base/paths.ts";
import type { Environment } from "../../base/runtime.ts";
import type { GitHubRemote } from "../base/context.ts";
import { createGit, type Git, orUndefined } from "./git.ts";

export interface ServedRepository {
  /** Top folder of its working tree. */
  readonly root: string;
  /** Folder that holds its objects and branches; without it, all of them are fetched. */
  readonly gitDir: string | undefined;
  readonly objectFormat: string;
  /** Path of the documents from the top folder, with `/`; empty for the top folder itself. */
  readonly docsPath: string;
}

/**
 * Reads the facts about the repository that holds the documents.
 *
 * @throws {ActionError} when there is none, it has no commit, or its objects are elsewhere.
 */
export async function readServedRepository(
  git: Git,
  repository: string,
  docsDir: string,
  signal: AbortSignal,
): Promise<ServedRepository> {
  const unusable = (why: string, cause?: unknown) =>
    new ActionError("invalid-input", `Agent jobs cannot work on ${repository}: it ${why}.`, {
      hint: "Serve documents that are committed to a git repository, checked out whole.",
      cause,
    });
  const ask = (...args: string[]) => git(args, { cwd: repository, signal });
  const root = await ask("rev-parse", "--show-toplevel").catch((error: unknown) => {
    throw unusable("is not the working tree of a git repository", error);
  });
  await ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}").catch((error: unknown) => {
    throw unusable("has no commit yet", error);
  });
  const [top, docs] = [await realpath(root), await realpath(docsDir)];
  if (!isInside(top, docs)) throw unusable(`does not hold the documents ${docsDir}`);
  const promisors = await orUndefined(ask("config", "--local", "--get-regexp", "^remote\\..*\\.promisor$"));
  if (promisors?.includes("true")) throw unusable("is a partial clone: agent jobs need all of its files");
  return {
    root,
    gitDir: await ask("rev-parse", "--path-format=absolute", "--git-common-dir"),
    objectFormat: await ask("rev-parse", "--show-object-format"),
    docsPath: relative(top, docs).split(sep).join("/"),
  };
}

/** `git@github.com:owner/name.git`, or the same as an address. */
const sshHost = /^(?:ssh:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)[:/]/;

/**
 * Where a clone's pull requests belong: on GitHub when its remote `origin` is there, `undefined` otherwise. Over HTTP, git goes
 * the way that the clone came (a proxy on this machine, for instance), but takes its token to no other host.
 */
export async function findGitHubRemote(
  repository: string,
  github: GitHubRemote,
  environment: Environment,
  signal: AbortSignal,
): Promise<GitHubRemote | undefined> {
  const asked = createGit(environment)(["config", "--get", "remote.origin.url"], { cwd: repository, signal });
  const origin = await orUndefined(asked);
  if (origin === undefined) return undefined;
  const serverHost = new URL(github.serverUrl).host;
  const url = /^https?:\/\//i.test(origin) ? new URL(origin) : undefined;
  if (url === undefined) return sshHost.exec(origin)?.groups?.["host"] === serverHost ? github : undefined;
  if (url.host !== serverHost && !isLoopback(url)) return undefined;
  return { ...github, gitUrl: `${url.origin}${url.pathname}` };
}
