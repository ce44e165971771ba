/** Errors of GitHub's API and artifact service. */
import type * as z from "zod/mini";
import { ActionError, type ErrorClass, type ErrorCode, messageWithHint } from "../base/errors.ts";
import { certificateErrorDetails } from "../base/http.ts";
import type { Log } from "../base/runtime.ts";
import { codeOf, endWithPeriod, messageOf } from "../base/text.ts";

/** A failed call to GitHub. If a permission is missing, the hint names its line for `permissions:`. */
export class GitHubError extends ActionError {
  override readonly name = "GitHubError";

  /** Codes whose class is `platform` elsewhere have the class `github` here. */
  override get class(): ErrorClass {
    return super.class === "platform" || this.status === 422 ? "github" : super.class;
  }
}

/** An unsuccessful response from GitHub; always the cause of a `GitHubError`. */
export class RequestFailure extends Error {
  readonly status: number;
  /** Milliseconds to wait, from `Retry-After`. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether GitHub's secondary rate limit refused a request: unlike the hourly limit, it resets within minutes. */
export function isSecondaryLimit(error: unknown): error is RequestFailure {
  // GitHub refuses comments on a diff with 422, and "abuse" as the code of the field `base`.
  const isLimit =
    error instanceof GraphqlFailure ||
    (error instanceof RequestFailure && [403, 422, 429].includes(error.status));
  return (
    isLimit && /secondary rate limit|abuse detection|submitted too quickly|base abuse$/i.test(error.message)
  );
}

/** Whether another attempt at a request would fail in the same way: GitHub refused it, or a certificate is not trusted. */
export function isPermanentFailure(error: unknown): boolean {
  if (!(error instanceof RequestFailure)) return "retryable" in certificateErrorDetails(codeOf(error));
  // Proxies in front of the artifact service respond 403 for a while ("Error from intermediary").
  const isTemporary =
    [408, 429].includes(error.status) || error.status >= 500 || /intermediary/i.test(error.message);
  return !isTemporary;
}

export interface GraphqlErrorDetails {
  readonly type: string | undefined;
  readonly message: string;
  readonly path: readonly unknown[];
}

/** GraphQL reports errors with status 200 and a type; these are the equivalent statuses of the REST API. */
const statusOfType: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  NOT_FOUND: 404,
  UNPROCESSABLE: 422,
  RATE_LIMIT: 429,
  RATE_LIMITED: 429,
};

/** A GraphQL request that failed completely or partly. */
export class GraphqlFailure extends RequestFailure {
  readonly errors: readonly GraphqlErrorDetails[];
  /** The response's data: a field that failed is null. */
  readonly data: Readonly<Record<string, unknown>> | null;

  constructor(errors: readonly GraphqlErrorDetails[], data: GraphqlFailure["data"]) {
    const messages = new Set(errors.map(({ message }) => message));
    super(statusOfType[errors[0]?.type ?? ""] ?? 502, [...messages].join("; "));
    this.errors = errors;
    this.data = data;
  }
}

/** What a call is for, as errors and hints describe it. */
export interface CallPurpose {
  /** Completes "the token may not …". */
  readonly doing: string;
  /** The line that the job's `permissions:` needs, such as `issues: write`; none if every workflow token may do it. */
  readonly permission?: string;
}

const checkNetwork =
  "Run again later. If the error persists, check the runner's network, its proxy variables (HTTPS_PROXY, NO_PROXY), and whether a proxy responds instead of GitHub.";

/** Translates a failure into a `GitHubError`. A `GitHubError` and a `TypeError` (a bug) are returned unchanged. */
export function translateError(error: unknown, { doing, permission }: CallPurpose): unknown {
  if (error instanceof GitHubError || error instanceof TypeError) return error;
  const reason = messageOf(error);
  if (!(error instanceof RequestFailure)) {
    const message = `No response from GitHub; could not ${doing}: ${endWithPeriod(reason)}`;
    const advice = certificateErrorDetails(codeOf(error));
    return new GitHubError("unreachable", message, { hint: checkNetwork, cause: error, ...advice });
  }
  const { status } = error;
  const fail = (code: ErrorCode, message: string, hint: string) =>
    new GitHubError(code, message, { hint, status, cause: error });
  if (status === 401) {
    const hint =
      "Pass a valid token as `github-token`, or remove the input. That of a GitHub App expires after an hour.";
    return fail("unauthorized", `GitHub rejected the token; could not ${doing}.`, hint);
  }
  if (status === 429 || isSecondaryLimit(error) || (status === 403 && /rate limit/i.test(reason))) {
    const limit = isSecondaryLimit(error) ? "secondary rate limit (too many requests at once)" : "rate limit";
    const hint = "Run again later. Limit concurrent runs with `concurrency:` and `queue: max`.";
    return fail("rate-limited", `GitHub's ${limit} is reached; could not ${doing}.`, hint);
  }
  if (status === 403 && /locked/i.test(reason)) {
    const message = `GitHub refused to ${doing}: the conversation is locked.`;
    const hint =
      "The action cannot write in a locked conversation. Unlock it and run again, or make the request in another thread.";
    return new GitHubError("conflict", message, { hint, retryable: false, status, cause: error });
  }
  if (status === 403) return missingPermission(permission, { doing, status, cause: error });
  if (status === 422) {
    const hint =
      "Running again does not help by itself. Change what GitHub's reason names, such as an input of this step or a rule of the repository.";
    return fail("rejected", `GitHub refused to ${doing}: ${endWithPeriod(reason)}`, hint);
  }
  const code = status < 400 || status === 404 || status === 410 ? "not-found" : "unavailable";
  return fail(code, `GitHub could not ${doing}: ${endWithPeriod(reason)}`, adviseOn(status, permission));
}

function adviseOn(status: number, permission: string | undefined): string {
  if (status >= 500) return checkNetwork;
  if (status < 400 || status === 410) return "Make a new request, where the repository or the thread is now.";
  const line =
    permission === undefined ? "" : `, and that the job's \`permissions:\` include \`${permission}\``;
  const check = status === 404 ? "If it was not deleted, check" : "Check";
  return `${check} that the token is valid for this repository${line}; then run again.`;
}

/**
 * Parses a response of GitHub's API.
 *
 * @throws {GitHubError} if it does not match the schema.
 */
export function parseResponse<Schema extends z.ZodMiniType>(
  schema: Schema,
  response: unknown,
  purpose: CallPurpose,
): z.output<Schema> {
  const { data, error: cause } = schema.safeParse(response);
  if (cause === undefined) return data;
  throw unexpectedResponse(purpose, cause);
}

/** The error for a response that is not one of GitHub's API. */
export function unexpectedResponse({ doing }: CallPurpose, cause?: Error): GitHubError {
  const message = `Unexpected response from GitHub; could not ${doing}.`;
  return new GitHubError("unexpected-response", message, { hint: checkNetwork, cause });
}

const otherToken =
  "The workflow's own token may do this: remove the input `github-token`. Any other token needs `metadata: read` on the repository; a user's token also needs push access.";

/** The message of a response that refuses a request only because of the token's permissions. */
const plainRefusal = /^(?:Resource not accessible|HTTP status)/;

/** The error for a missing permission; `line` is what to add to the job's `permissions:`, such as `issues: write`. */
export function missingPermission(
  line: string | undefined,
  { doing, status, cause }: { readonly doing: string; readonly status?: number; readonly cause: Error },
): GitHubError {
  const advice = line === undefined ? otherToken : `Add \`${line}\` to the job's \`permissions:\`.`;
  // Another reason may be an archived repository, or an organization's single sign-on or list of addresses.
  const isPlain = plainRefusal.test(cause.message);
  const message = `The run's token may not ${doing}${isPlain ? "." : `: ${endWithPeriod(cause.message)}`}`;
  const hint = isPlain
    ? advice
    : `GitHub's reason says what to change. If it is about a permission: ${advice}`;
  return new GitHubError("missing-permission", message, { hint, status, cause });
}

/** The result of a request; `undefined` if GitHub responds with one of the statuses, by default 404 or 410. */
export async function undefinedIfGone<Found>(
  request: Promise<Found>,
  statuses: readonly number[] = [404, 410],
): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof GitHubError && statuses.includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

/** The result of work that the run's own result does not depend on; an error of GitHub is only a warning. */
export async function warnOnGitHubError<Result>(
  log: Log,
  work: () => Promise<Result>,
  subject = "",
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    log.warning(`${subject}${messageWithHint(error)}`);
    return undefined;
  }
}

/** Whether a later request may succeed: GitHub did not respond, had a failure, or its rate limit is used up. */
export function isTransient(error: unknown): boolean {
  return error instanceof GitHubError && error.retryable;
}

/** Whether the token lacks a permission, or sees no such resource: a retry would not help. */
export function isRefusal({ code }: GitHubError): boolean {
  return code === "missing-permission" || code === "not-found";
}
