import { statusOfCause } from "../errors.ts";
import type { PushEvent } from "../event/event.ts";
import type { GitHubApi } from "../github-api.ts";
import { isOwn, type OwnershipDeps, toCandidate } from "./pull-requests.ts";

const purpose = { doing: "read which pull requests commits came with", permission: "pull-requests: read" };

/** GitHub's event lists no more commits of a push. */
const maxListedCommits = 2048;
/** Commits whose pull requests are asked for one by one: those of a rebase have no other link to theirs. */
const maxLookups = 50;

/**
 * Whether a push brought nothing but our pull requests: every commit of it came with one that is merged, or whose branch
 * was pushed. What cannot be told counts as somebody else's.
 */
export async function isFromOwnPullRequest(
  push: Pick<PushEvent, "ref" | "head" | "commits" | "forced">,
  deps: OwnershipDeps,
): Promise<boolean> {
  const { ref, head, commits } = push;
  // A tag is set by somebody who has something in mind, whatever its commit came with.
  if (ref.startsWith("refs/tags/") || commits.length >= maxListedCommits) return false;
  // The tip first: of most pushes it says already that they are somebody's work.
  const uncovered = new Set([head.id, ...commits.map(({ id }) => id).toReversed()]);
  const findOwn = createOwnFinder(push, deps);
  const listed = new Set<number>();
  for (let lookups = 0; lookups < maxLookups && uncovered.size > 0; lookups += 1) {
    const [sha = ""] = uncovered;
    const own = await findOwn(sha);
    if (!own) return false;
    uncovered.delete(sha);
    if (uncovered.size === 0 || listed.has(own.number)) continue;
    listed.add(own.number);
    for (const other of await listCommits(own, deps)) uncovered.delete(other);
  }
  return uncovered.size === 0;
}

type AssociatedPull = Awaited<ReturnType<typeof listPulls>>[number];

/** Finds the pull request of ours that a commit of the push came with; whose a pull request is, is asked once. */
function createOwnFinder({ ref, forced }: Pick<PushEvent, "ref" | "forced">, deps: OwnershipDeps) {
  const judged = new Map<number, boolean>();
  const isOurs = async (pull: AssociatedPull) => {
    const known = judged.get(pull.number) ?? (await isOwn(toCandidate(pull), deps));
    judged.set(pull.number, known);
    return known;
  };
  return async (sha: string): Promise<AssociatedPull | undefined> => {
    for (const pull of await listPulls(sha, deps)) {
      const isItsBranch = pull.head.repo?.id === pull.base.repo.id && ref === `refs/heads/${pull.head.ref}`;
      // A rewritten history also took something away, and that was no pull request.
      const isItsMerge = Boolean(pull.merged_at) && !forced;
      if ((isItsBranch || isItsMerge) && (await isOurs(pull))) return pull;
    }
    return undefined;
  };
}

async function listPulls(sha: string, { api }: { readonly api: GitHubApi }) {
  try {
    return await api.call(purpose, (octokit, target) =>
      octokit.paginate(octokit.rest.repos.listPullRequestsAssociatedWithCommit, {
        ...target,
        commit_sha: sha,
        per_page: 100,
      }),
    );
  } catch (error) {
    // A later push has taken the commit away.
    if (statusOfCause(error) === 422) return [];
    throw error;
  }
}

/** The commits of a pull request on its branch, and the one that merged it. */
async function listCommits(pull: AssociatedPull, { api }: { readonly api: GitHubApi }): Promise<string[]> {
  const commits = await api.call(purpose, (octokit, target) =>
    octokit.paginate(octokit.rest.pulls.listCommits, {
      ...target,
      pull_number: pull.number,
      per_page: 100,
    }),
  );
  return [pull.merge_commit_sha ?? "", ...commits.map(({ sha }) => sha)];
}
