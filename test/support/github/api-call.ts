/** The shape of the handlers, one per operation of the description; what a call needs, and the pages of its answer. */

import type { GitHubState } from "./state.ts";

/** Who a token speaks for, and what it may do. */
export interface Actor {
  /** As REST shows it: apps end in `[bot]`. */
  readonly login: string;
  readonly kind: "app" | "user";
  /** The job's `permissions:`; a person's token has them all. */
  readonly permissions: Readonly<Partial<Record<Scope, "read" | "write">>>;
}

/** The lines of a job's `permissions:` that matter here. */
export type Scope =
  | "actions"
  | "checks"
  | "contents"
  | "deployments"
  | "discussions"
  | "issues"
  | "metadata"
  | "pull-requests"
  | "statuses";

export interface Links {
  readonly api: string;
  /** Of pages for people, such as `https://github.localhost`. */
  readonly html: string;
}

export interface ApiCall {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly state: GitHubState;
  readonly links: Links;
  /** The whole address that was asked for. */
  readonly url: URL;
}

export interface ApiResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole list, of which the server sends the page that was asked for. */
  readonly list?: readonly unknown[];
}

export type Handler = (call: ApiCall) => ApiResponse;

/** A refusal in GitHub's own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly (object | string)[] | undefined;

  constructor(status: number, message: string, errors?: readonly (object | string)[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

export const notFound = () => new ApiError(404, "Not Found");

/** GitHub's 422 for a field. */
export function validationFailed(field: {
  readonly resource: string;
  readonly field: string;
  readonly message: string;
}) {
  return new ApiError(422, "Validation Failed", [{ code: "custom", ...field }]);
}

/** What is stored under a key, or 404. */
export function requireStored<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw notFound();
  return value;
}

/** Pages of lists, with the `Link` header that leads through them. */

interface PageOptions {
  readonly url: URL;
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** GitHub's pages are of thirty unless asked otherwise, and never of more than a hundred. */
export function readPage(query: URLSearchParams, { perPage = 30, maximum = 100 } = {}) {
  return {
    page: Math.max(1, Number(query.get("page") ?? 1)),
    perPage: Math.min(maximum, Math.max(1, Number(query.get("per_page") ?? perPage))),
  };
}

/** The `Link` header of a page; none where one page holds everything. */
export function linkHeader({ url, total, page, perPage }: PageOptions): Record<string, string> {
  const last = Math.max(1, Math.ceil(total / perPage));
  const targets: [relation: string, page: number][] = [];
  if (page > 1) targets.push(["prev", Math.min(page - 1, last)]);
  if (page < last) targets.push(["next", page + 1], ["last", last]);
  if (page > 1) targets.push(["first", 1]);
  if (targets.length === 0) return {};
  const links = targets.map(([relation, target]) => {
    const address = new URL(url);
    address.searchParams.set("page", String(target));
    return `<${address}>; rel="${relation}"`;
  });
  return { link: links.join(", ") };
}

interface Need {
  /** One of these is enough. */
  readonly scopes: readonly Scope[];
  readonly level: "read" | "write";
}

const scopesByCategory: Record<string, readonly Scope[]> = {
  issues: ["issues", "pull-requests"],
  pulls: ["pull-requests"],
  repos: ["contents"],
};

const scopesByOperation: Record<string, readonly Scope[]> = {
  "repos/create-commit-status": ["statuses"],
  "repos/get": [],
  "repos/get-collaborator-permission-level": [],
  "repos/list-commit-statuses-for-ref": ["statuses"],
  "repos/list-pull-requests-associated-with-commit": ["pull-requests"],
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
  if (need.scopes.length === 0 || grants(call.actor, need)) return undefined;
  if (need.level === "read" && !call.state.isPrivate) return undefined;
  return need.scopes.map((scope) => `${scope.replace("-", "_")}=${need.level}`).join("; ");
}
