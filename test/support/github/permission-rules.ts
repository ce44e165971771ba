/** Which line of a job's `permissions:` an operation needs (GitHub's "Permissions required for GitHub Apps"). */

import type { Actor, ApiCall, Scope } from "./api-call.ts";

interface Need {
  /** One of these is enough. */
  readonly scopes: readonly Scope[];
  readonly level: "read" | "write";
}

const scopesByCategory: Record<string, readonly Scope[]> = {
  actions: ["actions"],
  git: ["contents"],
  issues: ["issues", "pull-requests"],
  pulls: ["pull-requests"],
  reactions: ["issues", "pull-requests"],
  repos: ["contents"],
};

const scopesByOperation: Record<string, readonly Scope[]> = {
  "rate-limit/get": [],
  "reactions/create-for-pull-request-review-comment": ["pull-requests"],
  "reactions/delete-for-pull-request-comment": ["pull-requests"],
  "repos/create-commit-status": ["statuses"],
  "repos/get": [],
  "repos/get-collaborator-permission-level": [],
  "repos/get-combined-status-for-ref": ["statuses"],
  "repos/list-commit-statuses-for-ref": ["statuses"],
  "repos/list-pull-requests-associated-with-commit": ["pull-requests"],
  "search/issues-and-pull-requests": [],
  "users/get-by-username": [],
};

function needOf(operation: string, call: Omit<ApiCall, "body">, method: string): Need {
  const level = method === "GET" ? "read" : "write";
  const scopes = scopesByOperation[operation] ?? scopesByCategory[operation.split("/")[0] ?? ""] ?? [];
  const comment = call.state.comments.get(Number(call.path["comment_id"]));
  const issue = call.state.issues.get(comment?.issueNumber ?? Number(call.path["issue_number"]));
  // The permission for pull requests reaches a thread only if it is one.
  const onIssue = issue !== undefined && issue.pull === undefined;
  return { scopes: onIssue ? scopes.filter((scope) => scope !== "pull-requests") : scopes, level };
}

function grants({ permissions }: Actor, { scopes, level }: Need): boolean {
  return scopes.some((scope) => permissions[scope] === "write" || permissions[scope] === level);
}

/**
 * The permissions that are missing, in the words of GitHub's `x-accepted-github-permissions` header; `undefined` if the
 * actor may go on. Public things may be read without any.
 */
export function missingPermissions(
  operation: { readonly id: string; readonly method: string },
  call: Omit<ApiCall, "body">,
): string | undefined {
  const need = needOf(operation.id, call, operation.method);
  // No permission lets a run's token act as a user.
  if (operation.id === "users/get-authenticated") return call.actor.kind === "app" ? "" : undefined;
  if (need.scopes.length === 0 || grants(call.actor, need)) return undefined;
  if (need.level === "read" && !call.state.isPrivate) return undefined;
  return need.scopes.map((scope) => `${scope.replace("-", "_")}=${need.level}`).join("; ");
}
