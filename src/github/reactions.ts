import type { WrittenEvent } from "./event/event.ts";
import type { GitHubApi } from "./github-api.ts";

/** Shows the author of a triggering text that it was seen. */
export async function reactWithEyes({ text, thread }: WrittenEvent, api: GitHubApi): Promise<void> {
  const permission = thread.kind === "pull-request" ? "pull-requests: write" : `${thread.kind}s: write`;
  await api.call(
    { doing: "react to the text that triggered the run", permission },
    async (octokit, target) => {
      const eyes = { ...target, content: "eyes" } as const;
      switch (text.kind) {
        case "issue-comment":
          return octokit.rest.reactions.createForIssueComment({ ...eyes, comment_id: text.id });
        case "review-comment":
          return octokit.rest.reactions.createForPullRequestReviewComment({ ...eyes, comment_id: text.id });
        case "issue":
          return octokit.rest.reactions.createForIssue({ ...eyes, issue_number: thread.number });
        default: {
          const query = `mutation ($id: ID!) { addReaction(input: { subjectId: $id, content: EYES }) { clientMutationId } }`;
          return octokit.graphql<unknown>(query, { id: text.nodeId });
        }
      }
    },
  );
}
