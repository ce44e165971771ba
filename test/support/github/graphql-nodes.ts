/** Finds what a GraphQL identifier stands for, and checks whether the actor may touch it. */

import type { Scope } from "./api-call.ts";
import { GraphProblem } from "./graphql-connection.ts";
import {
  discussionCommentObject,
  discussionObject,
  issueCommentObject,
  issueObject,
  reviewCommentObject,
} from "./graphql-objects.ts";
import { requireReadable } from "./graphql-permissions.ts";
import type { GraphContext } from "./graphql-writing.ts";
import type { Writing } from "./records.ts";

/** GitHub's error for what is not there, or not for this actor. */
export const unresolved = (what: string) => new GraphProblem("NOT_FOUND", `Could not resolve to a ${what}.`);

/** The number in an identifier such as `DC_1000007`. */
export const numberOf = (id: string) => Number(id.split("_")[1]);

export interface FoundNode {
  readonly writing: Writing;
  readonly object: object;
  readonly scope: Scope;
}

interface NodeKind {
  readonly scope: Scope;
  find(
    key: number,
    context: GraphContext,
  ): { readonly writing: Writing; readonly object: object } | undefined;
}

function kind<Item extends Writing>(
  scope: Scope,
  {
    items,
    render,
  }: {
    readonly items: (state: GraphContext["state"]) => Iterable<Item>;
    readonly render: (item: Item, context: GraphContext) => object;
  },
): NodeKind {
  return {
    scope,
    find(key, context) {
      const writing = [...items(context.state)].find(({ id }) => id === key);
      return writing && { writing, object: render(writing, context) };
    },
  };
}

/** By the letters that an identifier starts with. */
const kinds: Readonly<Record<string, NodeKind>> = {
  I: kind("issues", { items: ({ issues }) => issues.values(), render: issueObject }),
  PR: kind("pull-requests", { items: ({ issues }) => issues.values(), render: issueObject }),
  IC: kind("issues", { items: ({ comments }) => comments.values(), render: issueCommentObject }),
  D: kind("discussions", { items: ({ discussions }) => discussions.values(), render: discussionObject }),
  DC: kind("discussions", {
    items: ({ discussionComments }) => discussionComments.values(),
    render: discussionCommentObject,
  }),
  PRRC: kind("pull-requests", {
    items: ({ reviewComments }) => reviewComments.values(),
    render: reviewCommentObject,
  }),
};

/** What stands behind a node's identifier. */
export function findNode(id: string, context: GraphContext): FoundNode {
  const nodeKind = kinds[id.split("_")[0] ?? ""];
  const found = nodeKind?.find(numberOf(id), context);
  if (nodeKind === undefined || found === undefined) throw unresolved(`node with the global id of '${id}'`);
  requireReadable(nodeKind.scope, context);
  return { ...found, scope: nodeKind.scope };
}
