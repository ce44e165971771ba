/** The git repository that contains the served documents. */
import { existsSync } from "node:fs";
import { access, constants, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { ActionError } from "../../base/errors.ts";
import { isLoopback } from "../../base/network.ts";
import type { Environment } from "../../base/runtime.ts";
import { messageOf } from "../../base/text.ts";
import type { GitHubRemote } from "../base/context.ts";
import { createGit, type Git, GitError, optionalOutput } from "./git.ts";

export interface ServedRepository {
  readonly root: string;
  /** The `.git` folder; `undefined` for a remote repository, whose objects are fetched. */
  readonly gitDir: string | undefined;
  readonly objectFormat: string;
  readonly head: string | undefined;
  /** Path of the documents below `root`, with `/`; empty for `root` itself. */
  readonly docsPath: string;
  /** Whether agents' branches are created in this repository; then their commits are stored there. */
  readonly isTarget?: boolean;
}

/**
 * Finds the working tree that contains a folder; returns the variables that name it. A repository that git finds by itself must belong to
 * its user, unless a file of the user or the system says otherwise.
 */
export async function locateRepository(folder: string) {
  let root = await realpath(folder).catch(() => folder);
  while (!existsSync(join(root, ".git")) && dirname(root) !== root) root = dirname(root);
  return { GIT_DIR: join(root, ".git"), GIT_WORK_TREE: root };
}

/**
 * Inspects the repository that contains the documents.
 *
 * @throws {ActionError} if there is none, it has no commit, it is a partial clone or an unwritable target, or git is not installed.
 */
export async function readServedRepository(
  git: Git,
  docsDir: string,
  signal: AbortSignal,
  isTarget = false,
): Promise<ServedRepository> {
  const unusable = (why: string, cause?: unknown) =>
    new ActionError("invalid-input", `Agent jobs cannot work on ${docsDir}: it ${why}.`, {
      hint: "Serve documents from a git repository with at least one commit, and not from a partial clone.",
      cause,
    });
  const facts = ["--path-format=absolute", "--git-common-dir", "--show-object-format"];
  const variables = await locateRepository(docsDir);
  const { GIT_WORK_TREE: root } = variables;
  const reading = git(["rev-parse", ...facts, "HEAD^{commit}"], { cwd: docsDir, signal, variables });
  const output = await reading.catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    const hasNoCommit = messageOf(error).includes("unknown revision");
    throw unusable(hasNoCommit ? "has no commit yet" : "is not the working tree of a git repository", error);
  });
  const [gitDir = "", objectFormat = "", head] = output.split("\n");
  const config = await readFile(join(gitDir, "config"), "utf8");
  if (/^\s*promisor\s*=\s*true$/m.test(config))
    throw unusable("is a partial clone: agent jobs need all of its files");
  if (isTarget)
    await access(join(gitDir, "objects"), constants.W_OK).catch((cause: unknown) => {
      throw unusable("is in a repository that this user cannot write to", cause);
    });
  const docsPath = relative(root, await realpath(docsDir)).replaceAll(sep, "/");
  return { root, gitDir, objectFormat, head, docsPath, isTarget };
}

/** `git@github.com:owner/name.git` or `ssh://git@github.com/owner/name.git`. */
const sshHost = /^(?:ssh:\/\/)?(?:[^@/]+@)?(?<host>[^:/]+)[:/]/;

/** The end of a repository's address: `owner/name`. */
const ownerAndName = /([\w-]+)\/([\w.-]+?)(?:\.git)?\/?$/;

/**
 * Finds the GitHub repository of a clone, which may be another one than the run's; `undefined` if its remote `origin` is not on the GitHub
 * server. If `origin` is an HTTP URL of that server or of this machine (a local proxy), git uses that URL. The token is not sent to any
 * other host.
 */
export async function findGitHubRemote(
  folder: string,
  github: GitHubRemote,
  environment: Environment,
  signal: AbortSignal,
): Promise<GitHubRemote | undefined> {
  const variables = await locateRepository(folder);
  const command = ["config", "--get", "remote.origin.url"];
  const reading = createGit(environment)(command, { cwd: folder, signal, variables });
  const origin = await optionalOutput(reading);
  if (origin === undefined) return undefined;
  const serverHost = new URL(github.serverUrl).host;
  const url = /^https?:\/\//i.test(origin) ? new URL(origin) : undefined;
  const [, owner = github.owner, repository = github.repository] =
    ownerAndName.exec(url?.pathname ?? origin) ?? [];
  const remote = { ...github, owner, repository };
  if (url === undefined) return sshHost.exec(origin)?.groups?.["host"] === serverHost ? remote : undefined;
  if (url.host !== serverHost && !isLoopback(url)) return undefined;
  return { ...remote, gitUrl: `${url.origin}${url.pathname}` };
}
