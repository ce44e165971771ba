/** Shows what the run's token may read, for a diagnosis. */
import { getOctokit } from "@actions/github";
import { RequestError } from "@octokit/request-error";
import { GitHubError } from "./errors.ts";

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
  return Promise.all(
    reads.map(async ({ line, path }) => {
      try {
        await octokit.request(`GET /repos/${repository}${path}`);
        return { line, readable: true };
      } catch (error) {
        if (error instanceof RequestError && (error.status === 403 || error.status === 404))
          return { line, readable: false };
        signal.throwIfAborted();
        throw new GitHubError(
          error instanceof RequestError && error.status === 401 ? "unauthorized" : "unreachable",
          `GitHub did not answer for ${repository}: ${error instanceof Error ? error.message : String(error)}`,
          { hint: "Check `github-token`, and that the runner reaches GitHub's API.", cause: error },
        );
      }
    }),
  );
}
