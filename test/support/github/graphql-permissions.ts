/** Which line of a job's `permissions:` a GraphQL field needs. */

import type { Scope } from "./api-call.ts";
import { GraphProblem } from "./graphql-connection.ts";
import type { GraphContext } from "./graphql-writing.ts";

/** Refuses as GitHub does when a line of `permissions:` is missing. */
export function requireScopes(scopes: readonly Scope[], { actor }: GraphContext): void {
  if (scopes.every((scope) => actor.permissions[scope] === "write")) return;
  throw new GraphProblem("FORBIDDEN", "Resource not accessible by integration");
}

/** Refuses to read private things without the permission for them. */
export function requireReadable(scope: Scope, { actor, state }: GraphContext): void {
  if (!state.isPrivate || actor.permissions[scope] !== undefined) return;
  throw new GraphProblem("FORBIDDEN", "Resource not accessible by integration");
}
