/** Whether the text that triggered still stands as the event told it. */
import { z } from "zod";
import { statusOfCause } from "../errors.ts";
import type { GitHubApi } from "../github-api.ts";
import type { WrittenEvent } from "./event.ts";

export type TextState = "unchanged" | "edited" | "deleted";

/** Reads the live text and compares it with the event's. */
export async function compareWithLiveText(event: WrittenEvent, api: GitHubApi): Promise<TextState> {
  try {
    const live = await readLiveBody(event, api);
    if (live === undefined) return "deleted";
    return normalize(live) === normalize(event.text.body) ? "unchanged" : "edited";
  } catch (error) {
    const status = statusOfCause(error);
    if (status === 404 || status === 410) return "deleted";
    throw error;
  }
}

/** GitHub tells the same text with either kind of line end. */
function normalize(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

const Node = z.object({ node: z.object({ body: z.string() }).nullable() });

async function readLiveBody({ text, thread }: WrittenEvent, api: GitHubApi): Promise<string | undefined> {
  const { kind, id, nodeId } = text;
  const permission = thread.kind === "pull-request" ? "pull-requests: read" : `${thread.kind}s: read`;
  const purpose = { doing: "read the text that triggered the run", permission };
  return api.call(purpose, async (octokit, target) => {
    switch (kind) {
      case "issue-comment":
        return (await octokit.rest.issues.getComment({ ...target, comment_id: id })).data.body ?? "";
      case "review-comment":
        return (await octokit.rest.pulls.getReviewComment({ ...target, comment_id: id })).data.body;
      case "review": {
        const parameters = { ...target, pull_number: thread.number, review_id: id };
        return (await octokit.rest.pulls.getReview(parameters)).data.body;
      }
      case "issue":
        return (await octokit.rest.issues.get({ ...target, issue_number: thread.number })).data.body ?? "";
      case "discussion":
      case "discussion-comment": {
        const query = `query ($id: ID!) { node(id: $id) { ... on Discussion { body } ... on DiscussionComment { body } } }`;
        return Node.parse(await octokit.graphql<unknown>(query, { id: nodeId })).node?.body;
      }
    }
  });
}
