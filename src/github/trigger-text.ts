/** The text that triggered the run: adds reactions to it, and compares it with its current state on GitHub. */
import * as z from "zod/mini";
import { permissionToWrite } from "./comments.ts";
import { undefinedIfGone } from "./errors.ts";
import type { TextEvent } from "./event.ts";
import type { GitHubApi } from "./github-api.ts";
import { normalizeLineEndings } from "./may-trigger.ts";

/** Seen, accepted, succeeded, failed. */
export type Reaction = "EYES" | "ROCKET" | "THUMBS_UP" | "CONFUSED";

/** Adds a reaction to the text that triggered the run. */
export function reactTo({ text, thread }: TextEvent, content: Reaction, api: GitHubApi): Promise<unknown> {
  const permission = permissionToWrite(thread.kind);
  const purpose = { doing: "react to the text that triggered the run", permission };
  const query = `mutation ($id: ID!, $content: ReactionContent!) {
    addReaction(input: { subjectId: $id, content: $content }) { clientMutationId } }`;
  return api.graphql(purpose, query, { id: text.nodeId, content }, z.unknown());
}

const Found = z.object({ node: z.nullable(z.object({ body: z.string() })) });

/** Compares the event's text with its current state on GitHub. */
export async function compareWithLiveText(
  { text, thread }: TextEvent,
  api: GitHubApi,
): Promise<"unchanged" | "edited" | "deleted"> {
  const permission = permissionToWrite(thread.kind).replace("write", "read");
  const purpose = { doing: "read the text that triggered the run", permission };
  const query = "query ($id: ID!) { node(id: $id) { ... on Comment { body } } }";
  const live = await undefinedIfGone(api.graphql(purpose, query, { id: text.nodeId }, Found));
  if (!live?.node) return "deleted";
  return normalizeLineEndings(live.node.body) === normalizeLineEndings(text.body) ? "unchanged" : "edited";
}
