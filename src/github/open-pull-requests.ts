/** The agent's open pull requests, found among those of others with one query for each hundred. */

import * as z from "zod/mini";
import { Actor, pageOf } from "./answers.ts";
import { type OwnershipDeps, readOwnMarkers } from "./comment-claims.ts";
import { eachPage, type GitHubApi } from "./github-api.ts";
import { Origin, referenceLine } from "./pull-requests.ts";

export interface OwnPullRequest {
  readonly url: string;
  /** The job behind it, where our comment on it tells. */
  readonly origin: Origin | undefined;
}

const OpenPull = z.object({
  number: z.number(),
  url: z.string(),
  body: z.string(),
  isCrossRepository: z.boolean(),
  comments: z.object({
    nodes: z.array(z.object({ databaseId: z.number(), body: z.string(), author: z.nullable(Actor) })),
  }),
});
const OpenPulls = z.object({ repository: z.object({ pullRequests: pageOf(OpenPull) }) });

// The comment that introduces a pull request comes as soon as its job has ended: among the first ones.
const query = `query ($owner: String!, $name: String!, $cursor: String) { repository(owner: $owner, name: $name) {
  pullRequests(states: OPEN, first: 100, after: $cursor, orderBy: { field: CREATED_AT, direction: DESC }) {
    pageInfo { hasNextPage endCursor } nodes { number url body isCrossRepository
      comments(first: 20) { nodes { databaseId body author { __typename login } } } } } } }`;

/** Lists the open pull requests that are ours, newest first; the list is read on as far as it is asked for. */
export async function* listOpenOwn(deps: OwnershipDeps): AsyncGenerator<OwnPullRequest> {
  const { owner, name } = deps.api.repository;
  const purpose = { doing: "search the open pull requests", permission: "pull-requests: read" };
  const pages = eachPage(async (cursor) => {
    const answer = await deps.api.graphql(purpose, query, { owner, name, cursor }, OpenPulls);
    return answer.repository.pullRequests;
  });
  for await (const { nodes } of pages) {
    for (const { number, url, body, isCrossRepository, comments } of nodes) {
      const listed = comments.nodes.map(({ databaseId: id, author, body: text }) => ({
        ...{ id, body: text, author: author ?? undefined },
        ...{ nodeId: "", url, createdAt: "", updatedAt: "" },
      }));
      const marker = { kind: "origin", schema: Origin } as const;
      const origins = readOwnMarkers(listed, { kind: "pull-request", number }, marker, deps);
      const origin = origins.find(({ isUnverifiable }) => !isUnverifiable)?.value;
      if (origin || (!isCrossRepository && referenceLine.test(body))) yield { url, origin };
    }
  }
}

/** Replaces the description of a pull request. */
export async function updateDescription(pullNumber: number, body: string, api: GitHubApi): Promise<void> {
  const purpose = {
    doing: "list the source changes in the pull request",
    permission: "pull-requests: write",
  };
  await api.request(purpose, "PATCH /repos/{owner}/{repo}/pulls/{pull_number}", {
    pull_number: pullNumber,
    body,
  });
}
