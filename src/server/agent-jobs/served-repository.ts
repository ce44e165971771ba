import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { ActionError } from "../../base/errors.ts";
import { type Git, GitError } from "./git.ts";

/** The repository whose documents are served, as far as agent jobs need to know it. */
export interface ServedRepository {
  /** Top folder of its working tree. */
  readonly root: string;
  /** Folder that holds its objects and branches. */
  readonly gitDir: string;
  readonly objectFormat: string;
  /** Path of the documents from the top folder, with `/`; empty for the top folder itself. */
  readonly docsPath: string;
}

/**
 * Looks at the repository that holds the documents.
 *
 * @throws {ActionError} when there is none, it has no commit, or its objects are elsewhere.
 */
export async function readServedRepository(
  { repository, docsDir }: { repository: string; docsDir: string },
  { git, signal }: { git: Git; signal: AbortSignal },
): Promise<ServedRepository> {
  const ask = (...args: string[]) => git(["rev-parse", ...args], { cwd: repository, signal });
  const root = await ask("--show-toplevel").catch((error: unknown) => {
    throw unusable(repository, "is not the working tree of a git repository", error);
  });
  await ask("--verify", "--quiet", "HEAD^{commit}").catch((error: unknown) => {
    throw unusable(repository, "has no commit yet", error);
  });
  const docsPath = relative(await realpath(root), await realpath(docsDir));
  if (docsPath === ".." || docsPath.startsWith(`..${sep}`)) {
    throw unusable(repository, `does not hold the documents ${docsDir}`);
  }
  const gitDir = await ask("--path-format=absolute", "--git-common-dir");
  if (await isPartialClone(root, { git, signal })) {
    throw unusable(repository, "is a partial clone: agent jobs need all of its files", undefined);
  }
  return {
    root,
    gitDir,
    objectFormat: await ask("--show-object-format"),
    docsPath: docsPath.split(sep).join("/"),
  };
}

/** The branch that is checked out; `undefined` on a detached commit, as after most CI checkouts. */
export async function readCurrentBranch(
  root: string,
  { git, signal }: { git: Git; signal: AbortSignal },
): Promise<string | undefined> {
  return orUndefined(git(["symbolic-ref", "--quiet", "--short", "HEAD"], { cwd: root, signal }));
}

/** Address of the remote that the repository was cloned from, if there is one. */
export async function readOrigin(
  root: string,
  { git, signal }: { git: Git; signal: AbortSignal },
): Promise<string | undefined> {
  return orUndefined(git(["config", "--get", "remote.origin.url"], { cwd: root, signal }));
}

/** What a commit's name stands for; `undefined` where there is no such commit. */
export async function findCommit(
  name: string,
  { git, cwd, signal }: { git: Git; cwd: string; signal: AbortSignal },
): Promise<string | undefined> {
  return orUndefined(git(["rev-parse", "--verify", "--quiet", `${name}^{commit}`], { cwd, signal }));
}

async function isPartialClone(
  cwd: string,
  { git, signal }: { git: Git; signal: AbortSignal },
): Promise<boolean> {
  const found = await orUndefined(
    git(["config", "--local", "--get-regexp", "^remote\\..*\\.promisor$"], { cwd, signal }),
  );
  return found?.includes("true") ?? false;
}

/** Git says "there is none" with exit code 1. */
async function orUndefined(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 1) return undefined;
    throw error;
  }
}

function unusable(repository: string, why: string, cause?: unknown): ActionError {
  return new ActionError("invalid-input", `Agent jobs cannot work on ${repository}: it ${why}.`, {
    hint: "Serve documents that are committed to a git repository, checked out whole.",
    cause,
  });
}
