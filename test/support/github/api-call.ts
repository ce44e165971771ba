/** The shape of the stand-in's handlers, one per operation of GitHub's description. */

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

export interface ApiAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole list, of which the server sends the page that was asked for. */
  readonly list?: readonly unknown[];
}

export type Handler = (call: ApiCall) => ApiAnswer;

/** A refusal in GitHub's own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly errors: readonly object[] | undefined;

  constructor(status: number, message: string, errors?: readonly object[]) {
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
