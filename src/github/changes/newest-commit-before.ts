import { z } from "zod";
import type { GitHubApi } from "../github-api.ts";

const Commits = z.array(z.object({ sha: z.string() }));

/**
 * The newest commit of the default branch at a point in time: the same for every run that asks, however the branch moves
 * on. `undefined` for a time before its first commit.
 */
export async function newestCommitBefore(time: string, api: GitHubApi): Promise<string | undefined> {
  const purpose = {
    doing: "find the commit that the record of this request belongs to",
    permission: "contents: read",
  };
  const commits = await api.call(purpose, async (octokit, target) => {
    const { data } = await octokit.rest.repos.listCommits({ ...target, until: time, per_page: 1 });
    return Commits.parse(data);
  });
  return commits[0]?.sha;
}
