import { JobFailedError } from "../../base/errors.ts";
import type { AgentRepository } from "./agent-repository.ts";
import { type Git, GitError } from "./git.ts";
import type { LocalPullRequests } from "./local-pull-requests.ts";
import type { PullRequestHost } from "./pull-request-host.ts";
import { findCommit, readCurrentBranch, type ServedRepository } from "./served-repository.ts";

interface LocalHostOptions {
  readonly served: ServedRepository;
  /** Branch that the work is for; the one that is checked out unless set. */
  readonly base: string | undefined;
}

interface LocalHostDeps {
  readonly git: Git;
  readonly repository: AgentRepository;
  readonly pullRequests: LocalPullRequests;
}

/** Leaves branches in the served repository, and shows them as pull requests on pages of the platform's own. */
export function createLocalHost({ served, base }: LocalHostOptions, deps: LocalHostDeps): PullRequestHost {
  const { git, repository, pullRequests } = deps;
  const cwd = served.root;
  return {
    repository: pullRequests.repository,
    findStart: async ({ branch }, { signal }) => {
      const lookup = { git, cwd, signal };
      const into = base ?? (await readCurrentBranch(cwd, { git, signal }));
      const commit =
        (await findCommit(`refs/heads/${branch}`, lookup)) ??
        (await findCommit(into === undefined ? "HEAD" : `refs/heads/${into}`, lookup));
      if (commit === undefined)
        throw new JobFailedError(`The served repository has no branch ${into ?? "HEAD"}.`);
      return { commit, base: into ?? commit };
    },
    publish: async (change, { signal }) => {
      const ref = `refs/heads/${change.branch}`;
      await repository.run(["update-ref", ref, change.commit], { signal });
      const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
      try {
        await git([...fetch, repository.path, `${ref}:${ref}`], { cwd, signal });
      } catch (error) {
        if (!(error instanceof GitError)) throw error;
        signal.throwIfAborted();
        // An interrupted attempt may have brought it, and people may have built on it since.
        const isThere = await git(["merge-base", "--is-ancestor", change.commit, ref], { cwd, signal })
          .then(() => true)
          .catch(() => false);
        if (!isThere) {
          const message = `The branch ${change.branch} could not be written: ${error.message}`;
          throw new JobFailedError(message, { cause: error });
        }
      }
      return pullRequests.open(change);
    },
  };
}
