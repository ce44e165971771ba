/** Shows what the run's token may read, for a diagnosis. */
import { GitHubError, isRefusal } from "./errors.ts";
import type { GitHubApi } from "./github-api.ts";

/** One read of each kind, with the `permissions:` line that commands need for more than reading. */
const reads = [
  { line: "contents: read", what: "the repository", path: "" },
  { line: "issues: write", what: "its issues", path: "/issues?per_page=1" },
  { line: "pull-requests: write", what: "its pull requests", path: "/pulls?per_page=1" },
] as const;

/**
 * Reads the repository, its issues and its pull requests.
 *
 * @throws {GitHubError} when GitHub refuses the token itself, or cannot be reached.
 */
export async function probeToken(api: GitHubApi): Promise<{ line: string; readable: boolean }[]> {
  const isReadable = async ({ line, what, path }: (typeof reads)[number]) => {
    try {
      await api.call<unknown>({ doing: `read ${what}`, permission: line }, (octokit, target) =>
        octokit.request(`GET /repos/{owner}/{repo}${path}`, { ...target }),
      );
      return true;
    } catch (error) {
      if (error instanceof GitHubError && isRefusal(error)) return false;
      throw error;
    }
  };
  return Promise.all(reads.map(async (read) => ({ line: read.line, readable: await isReadable(read) })));
}
