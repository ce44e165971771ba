/** The queries that the stand-in offers. */

import { defaultBranchObject, findCommitNode, refObjects } from "./graphql-commits.ts";
import { connect, type PageArguments } from "./graphql-connection.ts";
import { findNode, unresolved } from "./graphql-nodes.ts";
import { discussionObject, issueObject, repositoryObject } from "./graphql-objects.ts";
import { requireReadable } from "./graphql-permissions.ts";
import { actorObject, type GraphContext } from "./graphql-writing.ts";
import type { Writing } from "./records.ts";

const findAnyNode = (id: string, context: GraphContext): object =>
  findCommitNode(id, context) ?? findNode(id, context).object;

/** Newest change first, as every query here asks for it. */
const byLastChange = <Item extends Writing>(items: readonly Item[]): Item[] =>
  items.toSorted((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));

/** By name, as the executor calls them. */
export const queries = {
  id: "Q",
  viewer: (_: object, context: GraphContext) => ({
    ...actorObject(context.actor.login, context),
    // GitHub gives the viewer as a User, with REST's form of the login.
    __typename: "User",
    login: context.actor.login,
  }),
  rateLimit: () => ({ cost: 1, limit: 1_000, remaining: 999, used: 1, resetAt: "2030-01-01T00:00:00Z" }),
  node: ({ id }: { id: string }, context: GraphContext) => findAnyNode(id, context),
  nodes: ({ ids }: { ids: readonly string[] }, context: GraphContext) =>
    ids.map((id) => findAnyNode(id, context)),
  repository(wanted: { owner: string; name: string }, context: GraphContext) {
    const { state } = context;
    if (wanted.owner !== state.owner || wanted.name !== state.name) {
      throw unresolved(`Repository with the name '${wanted.owner}/${wanted.name}'`);
    }
    const thread = (number: number, what: string) => {
      const issue = state.issues.get(number);
      if (issue === undefined) throw unresolved(`${what} with the number of ${number}`);
      return issueObject(issue, context);
    };
    return {
      ...repositoryObject(context),
      discussion({ number }: { number: number }) {
        requireReadable("discussions", context);
        const discussion = state.discussions.get(number);
        if (discussion === undefined) throw unresolved(`Discussion with the number of ${number}`);
        return discussionObject(discussion, context);
      },
      discussions(page: PageArguments) {
        requireReadable("discussions", context);
        const newestFirst = byLastChange([...state.discussions.values()]);
        return connect(
          newestFirst.map((discussion) => discussionObject(discussion, context)),
          page,
        );
      },
      defaultBranchRef: () => defaultBranchObject(context),
      refs: (page: PageArguments & { refPrefix: string }) =>
        connect(refObjects(page.refPrefix, context), page),
      pullRequests(page: PageArguments) {
        requireReadable("pull-requests", context);
        const pulls = byLastChange([...state.issues.values()].filter(({ pull }) => pull !== undefined));
        return connect(
          pulls.map((pull) => issueObject(pull, context)),
          page,
        );
      },
      issue: ({ number }: { number: number }) => thread(number, "Issue"),
      pullRequest: ({ number }: { number: number }) => thread(number, "PullRequest"),
      issueOrPullRequest: ({ number }: { number: number }) => thread(number, "issue or pull request"),
    };
  },
};
