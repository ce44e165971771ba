import type { GitHubApi } from "../github-api.ts";
import { isFork, type PullRequest, pullsPurpose, toPullRequest } from "./pull-requests.ts";

interface ReferenceSearch {
  readonly wanted: string;
  /** Time of the claim, ISO 8601. */
  readonly since: string;
}

/** How far ahead of GitHub's a runner's clock may be; looking further back finds nothing wrong, for a reference is unique. */
const maxClockSkewMs = 24 * 60 * 60_000;

/**
 * The pull request opened since a claim that carries the claim's reference, in its description, title or branch; one
 * from a fork is not the agent's, whoever wrote the reference into it.
 */
export async function findByReference(
  search: ReferenceSearch,
  api: GitHubApi,
): Promise<PullRequest | undefined> {
  return createReferenceFinder(api)(search);
}

/** Like `findByReference`, for many searches: the pull requests are listed once, back to the earliest time that is searched. */
export function createReferenceFinder(
  api: GitHubApi,
): (search: ReferenceSearch) => Promise<PullRequest | undefined> {
  const known: ListedPull[] = [];
  let nextPage: number | undefined = 1;
  return async ({ wanted, since }) => {
    const sinceMs = Date.parse(since) - maxClockSkewMs;
    const isRecent = ({ createdAt }: ListedPull) => Date.parse(createdAt) >= sinceMs;
    const carries = ({ texts }: ListedPull) => texts.some((text) => text.includes(wanted));
    while (nextPage !== undefined && known.every(isRecent) && !known.some(carries)) {
      const pulls: ListedPull[] = await listPulls(nextPage, api);
      known.push(...pulls);
      nextPage = pulls.length < pullsPerPage ? undefined : nextPage + 1;
    }
    // Whoever copies a reference comes later than the pull request that first carried it.
    return known.findLast((pull) => isRecent(pull) && carries(pull))?.pull;
  };
}

interface ListedPull {
  readonly pull: PullRequest;
  readonly createdAt: string;
  /** Where a reference of ours may stand. */
  readonly texts: readonly string[];
}

const pullsPerPage = 100;

/** A page of all pull requests, newest first. */
async function listPulls(page: number, api: GitHubApi): Promise<ListedPull[]> {
  const { data } = await api.call(pullsPurpose, (octokit, target) => {
    const order = { state: "all", sort: "created", direction: "desc" } as const;
    return octokit.rest.pulls.list({ ...target, ...order, per_page: pullsPerPage, page });
  });
  return data.map((pull) => ({
    pull: toPullRequest(pull),
    createdAt: pull.created_at,
    texts: isFork(pull) ? [] : [pull.body ?? "", pull.title, pull.head.ref],
  }));
}
