/** Failures at the boundary to GitHub: its API, its artifact service, the runner's token. */
import { ActionError } from "../base/errors.ts";
import { messageOf, withStop } from "../base/text.ts";

/** GitHub did not do what was asked; the hint names the `permissions:` line where one is missing. */
export class GitHubError extends ActionError {
  override readonly name = "GitHubError";
}

/** GitHub answered a request, but not with success; always the cause of a `GitHubError`. */
export class RequestFailure extends Error {
  override readonly name: string = "RequestFailure";
  readonly status: number;
  /** Milliseconds that GitHub asked to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface GraphqlErrorDetails {
  readonly type?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/** GraphQL answers with status 200 and an error's type; these are the statuses that the REST API would have used. */
const statusOfType: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
};

/** A GraphQL request that failed in whole or in part. */
export class GraphqlFailure extends RequestFailure {
  override readonly name = "GraphqlFailure";
  readonly errors: readonly GraphqlErrorDetails[];
  /** What was answered besides: a field that failed is null. */
  readonly data: Readonly<Record<string, unknown>> | null | undefined;

  constructor(errors: readonly GraphqlErrorDetails[], data: GraphqlFailure["data"]) {
    super(statusOfType[errors[0]?.type ?? ""] ?? 502, errors.map(({ message }) => message).join("; "));
    this.errors = errors;
    this.data = data;
  }
}

/** What a call is for: its words appear in the error, its permission in the hint. */
export interface CallPurpose {
  /** Completes "the token may not …". */
  readonly doing: string;
  /** The line that the job's `permissions:` needs, such as `issues: write`. */
  readonly permission: string;
}

const checkNetwork =
  "Run again later. If it stays, check the runner's network, its proxy variables (HTTPS_PROXY, NO_PROXY), and whether a proxy answers in GitHub's place.";

/** The error for a call that failed, as people see it; bugs and what is a `GitHubError` already stay what they are. */
export function translateError(error: unknown, { doing, permission }: CallPurpose): unknown {
  if (error instanceof GitHubError || error instanceof TypeError) return error;
  const reason = messageOf(error);
  if (!(error instanceof RequestFailure)) {
    const message = `GitHub did not answer when asked to ${doing}: ${withStop(reason)}`;
    return new GitHubError("unreachable", message, { hint: checkNetwork, cause: error });
  }
  const { status } = error;
  if (status === 401) {
    return new GitHubError("unauthorized", `GitHub refused the token; it could not ${doing}.`, {
      hint: "Pass a valid token as `github-token`, or leave the input out.",
      status,
      cause: error,
    });
  }
  if (status === 429 || (status === 403 && /rate limit/i.test(reason))) {
    return new GitHubError("rate-limited", `GitHub's rate limit is used up; could not ${doing}.`, {
      hint: "Run again later.",
      status,
      cause: error,
    });
  }
  if (status === 403 && /locked/i.test(reason)) {
    return new GitHubError("conflict", `GitHub would not ${doing}: the conversation is locked.`, {
      hint: "Unlock the conversation, or ask in another place.",
      retryable: false,
      status,
      cause: error,
    });
  }
  if (status === 403) return missingPermission(permission, { doing, status, cause: error });
  const code = status === 404 || status === 410 ? "not-found" : "unavailable";
  return new GitHubError(code, `GitHub could not ${doing}: ${withStop(reason)}`, {
    hint: `Check that the job's \`permissions:\` hold \`${permission}\`, then run again.`,
    status,
    cause: error,
  });
}

/** An answer of GitHub that is not of the documented shape. */
export function unexpectedAnswer({ doing }: CallPurpose, cause: unknown): GitHubError {
  const message = `GitHub's answer is not what it should be; could not ${doing}.`;
  return new GitHubError("unexpected-response", message, { hint: checkNetwork, cause });
}

/** The run's token lacks a permission; `line` is what to add to the job's `permissions:`, such as `issues: write`. */
export function missingPermission(
  line: string,
  { doing, status, cause }: { readonly doing: string; readonly status?: number; readonly cause?: unknown },
): GitHubError {
  return new GitHubError("missing-permission", `The run's token may not ${doing}.`, {
    hint: `Add \`${line}\` to the job's \`permissions:\`.`,
    status,
    cause,
  });
}

/** GitHub's HTTP status behind an error; `undefined` where it is not GitHub's, or no answer came. */
export function statusOfCause(error: unknown): number | undefined {
  return error instanceof GitHubError ? error.status : undefined;
}

/** What a request found; `undefined` where GitHub says that it is not there. */
export async function unlessGone<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    const status = statusOfCause(error);
    if (status === 404 || status === 410) return undefined;
    throw error;
  }
}

/** Whether the token may not do something, or there is no such thing for it: another try would end the same. */
export function isRefusal({ code }: GitHubError): boolean {
  return code === "missing-permission" || code === "not-found";
}
