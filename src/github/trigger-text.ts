/** The text that triggered a run: adds reactions to it, and compares it with its current state on GitHub. */
import * as z from "zod/mini";
import { commentRoutes, permissionToWrite } from "./comments.ts";
import { undefinedIfGone } from "./errors.ts";
import type { WrittenEvent } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { normalizeLineEndings } from "./may-trigger.ts";

const issue = "/repos/{owner}/{repo}/issues/{issue_number}";
const commentRoute = {
  "issue-comment": commentRoutes.conversation.route,
  "review-comment": commentRoutes.diff.route,
} as const;

/** The names of the reactions in the REST API and GraphQL: seen, accepted, succeeded, failed. */
const reactions = { eyes: "EYES", rocket: "ROCKET", "+1": "THUMBS_UP", confused: "CONFUSED" } as const;
export type Reaction = keyof typeof reactions;

/** Adds a reaction to the text that triggered the run. */
export function reactTo({ text, thread }: WrittenEvent, content: Reaction, api: GitHubApi): Promise<unknown> {
  const permission = permissionToWrite(thread.kind);
  const purpose = { doing: "react to the text that triggered the run", permission };
  switch (text.kind) {
    case "issue-comment":
    case "review-comment": {
      const route = `POST ${commentRoute[text.kind]}/reactions` as const;
      return api.request(purpose, route, { comment_id: text.id, content });
    }
    case "issue":
      return api.request(purpose, `POST ${issue}/reactions`, { issue_number: thread.number, content });
    default: {
      const query = `mutation ($id: ID!, $content: ReactionContent!) {
        addReaction(input: { subjectId: $id, content: $content }) { clientMutationId } }`;
      return api.graphql(purpose, query, { id: text.nodeId, content: reactions[content] }, z.unknown());
    }
  }
}

export type TextState = "unchanged" | "edited" | "deleted";

/** Compares the event's text with its current state on GitHub. */
export async function compareWithLiveText(event: WrittenEvent, api: GitHubApi): Promise<TextState> {
  const live = await undefinedIfGone(readLiveText(event, api));
  if (!live) return "deleted";
  return normalizeLineEndings(live.body ?? "") === normalizeLineEndings(event.text.body)
    ? "unchanged"
    : "edited";
}

const Node = z.object({ node: z.nullable(z.object({ body: z.string() })) });

async function readLiveText({ text, thread }: WrittenEvent, api: GitHubApi) {
  const permission = permissionToWrite(thread.kind).replace("write", "read");
  const purpose = { doing: "read the text that triggered the run", permission };
  switch (text.kind) {
    case "issue-comment":
    case "review-comment":
      return api.request(purpose, `GET ${commentRoute[text.kind]}`, { comment_id: text.id });
    case "issue":
      return api.request(purpose, `GET ${issue}`, { issue_number: thread.number });
    default: {
      const query = `query ($id: ID!) { node(id: $id) {
        ... on PullRequestReview { body } ... on Discussion { body } ... on DiscussionComment { body } } }`;
      return (await api.graphql(purpose, query, { id: text.nodeId }, Node)).node;
    }
  }
}
