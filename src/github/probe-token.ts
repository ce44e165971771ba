/** Shows what the run's token may read, for a diagnosis. */
import { getOctokit } from "@actions/github";
import { messageOf } from "../message-of.ts";
import { GitHubError } from "./errors.ts";
import { statusOf } from "./translate-error.ts";

/** The `permissions:` line behind each read. */
const reads = [
  { line: "contents: read", path: "" },
  { line: "issues: write", path: "/issues?per_page=1" },
  { line: "pull-requests: write", path: "/pulls?per_page=1" },
] as const;

/**
 * Reads the repository, its issues and its pull requests.
 *
 * @throws {GitHubError} when GitHub refuses the token itself, or cannot be reached.
 */
export async function probeToken(
  { token, repository }: { readonly token: string; readonly repository: string },
  signal: AbortSignal,
): Promise<{ line: string; readable: boolean }[]> {
  const octokit = getOctokit(token, { request: { signal } });
  const isReadable = async (path: string) => {
    try {
      await octokit.request(`GET /repos/${repository}${path}`);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (statusOf(error) === 403 || statusOf(error) === 404) return false;
      throw unanswered(repository, error);
    }
  };
  return Promise.all(reads.map(async ({ line, path }) => ({ line, readable: await isReadable(path) })));
}

function unanswered(repository: string, cause: unknown): GitHubError {
  const reason = messageOf(cause);
  return new GitHubError(
    statusOf(cause) === 401 ? "unauthorized" : "unreachable",
    `GitHub did not answer for ${repository}: ${reason}`,
    { hint: "Check `github-token`, and that the runner reaches GitHub's API.", cause },
  );
}
