/** Labels, reviewers and draft state of the agent's pull request, as the workflow wants them. */
import type { Log } from "../../base/runtime.ts";
import { GitHubError } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";
import type { PullRequest } from "./pull-requests.ts";

export interface Decorations {
  readonly labels: readonly string[];
  /** Logins, and teams as `org/team`. */
  readonly reviewers: readonly string[];
  readonly draft: boolean;
}

/** Applies what is asked for; each failure is a warning, for the pull request itself is there. */
export async function decoratePullRequest(
  pull: PullRequest,
  { labels, reviewers, draft }: Decorations,
  { api, log }: { readonly api: GitHubApi; readonly log: Log },
): Promise<void> {
  const attempt = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof GitHubError)) throw error;
      log.warning(`Pull request #${pull.number}: ${error.message} ${error.hint}`);
    }
  };
  if (labels.length > 0) await attempt(addLabels(pull, labels, api));
  if (reviewers.length > 0) await attempt(requestReviews(pull, reviewers, api));
  if (draft && !pull.isDraft) await attempt(makeDraft(pull, api));
}

const permission = "pull-requests: write";

function addLabels({ number }: PullRequest, labels: readonly string[], api: GitHubApi): Promise<unknown> {
  return api.call({ doing: "label the pull request", permission }, (octokit, target) =>
    octokit.rest.issues.addLabels({ ...target, issue_number: number, labels: [...labels] }),
  );
}

function requestReviews(
  { number }: PullRequest,
  reviewers: readonly string[],
  api: GitHubApi,
): Promise<unknown> {
  const people = reviewers.filter((name) => !name.includes("/"));
  const teams = reviewers.filter((name) => name.includes("/")).map((name) => name.split("/").at(-1) ?? name);
  return api.call({ doing: "ask for reviews", permission }, (octokit, target) =>
    octokit.rest.pulls.requestReviewers({
      ...target,
      pull_number: number,
      reviewers: people,
      team_reviewers: teams,
    }),
  );
}

function makeDraft({ nodeId }: PullRequest, api: GitHubApi): Promise<unknown> {
  const query =
    "mutation ($id: ID!) { convertPullRequestToDraft(input: { pullRequestId: $id }) { pullRequest { isDraft } } }";
  // GitHub asks for the contents permission here, although only the pull request changes.
  return api.call({ doing: "make the pull request a draft", permission: "contents: write" }, (octokit) =>
    octokit.graphql<unknown>(query, { id: nodeId }),
  );
}
