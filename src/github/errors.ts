/** Failures at the boundary to GitHub: its API, its artifact service, the runner's token. */
import type * as z from "zod/mini";
import { ActionError, type ErrorClass, type ErrorCode } from "../base/errors.ts";
import { certificateErrorDetails } from "../base/http.ts";
import { codeOf, endWithPeriod, messageOf } from "../base/text.ts";

/** GitHub did not do what was asked; the hint names the `permissions:` line where one is missing. */
export class GitHubError extends ActionError {
  override readonly name = "GitHubError";

  /** What is said of the platform by a code is here said of GitHub. */
  override get class(): ErrorClass {
    return super.class === "platform" || this.status === 422 ? "github" : super.class;
  }
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

/** Whether GitHub refused a request because too many came at once: the limit lifts within minutes, unlike that of an hour. */
export function isSecondaryLimit(error: unknown): error is RequestFailure {
  const isLimit =
    error instanceof GraphqlFailure || (error instanceof RequestFailure && [403, 429].includes(error.status));
  return isLimit && /secondary rate limit|abuse detection/i.test(error.message);
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
  readonly type?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

/** GraphQL answers with status 200 and an error's type; these are the statuses that the REST API would have used. */
const statusOfType: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  NOT_FOUND: 404,
  UNPROCESSABLE: 422,
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
  /** The line that the job's `permissions:` needs, such as `issues: write`; none for what every workflow's token may do. */
  readonly permission?: string;
}

const checkNetwork =
  "Run again later. If it stays, check the runner's network, its proxy variables (HTTPS_PROXY, NO_PROXY), and whether a proxy answers in GitHub's place.";

/** The error for a call that failed, as people see it; bugs and what is a `GitHubError` already stay what they are. */
export function translateError(error: unknown, { doing, permission }: CallPurpose): unknown {
  if (error instanceof GitHubError || error instanceof TypeError) return error;
  const reason = messageOf(error);
  if (!(error instanceof RequestFailure)) {
    const message = `GitHub did not answer when asked to ${doing}: ${endWithPeriod(reason)}`;
    const advice = certificateErrorDetails(codeOf(error));
    return new GitHubError("unreachable", message, { hint: checkNetwork, cause: error, ...advice });
  }
  const { status } = error;
  const fail = (code: ErrorCode, message: string, hint: string) =>
    new GitHubError(code, message, { hint, status, cause: error });
  if (status === 401) {
    const hint = "Pass a valid token as `github-token`, or leave the input out.";
    return fail("unauthorized", `GitHub refused the token; it could not ${doing}.`, hint);
  }
  if (status === 429 || isSecondaryLimit(error) || (status === 403 && /rate limit/i.test(reason))) {
    const limit = isSecondaryLimit(error) ? "secondary rate limit (too many requests at once)" : "rate limit";
    const hint = "Run again later. Fewer runs at the same time (`concurrency:`) use less of it.";
    return fail("rate-limited", `GitHub's ${limit} is used up; could not ${doing}.`, hint);
  }
  if (status === 403 && /locked/i.test(reason)) {
    const message = `GitHub would not ${doing}: the conversation is locked.`;
    const hint =
      "In a locked conversation the action can write nothing: unlock it and run again, or ask in another place.";
    return new GitHubError("conflict", message, { hint, retryable: false, status, cause: error });
  }
  if (status === 403) return missingPermission(permission, { doing, status, cause: error });
  if (status === 422) {
    const hint =
      "Running again does not help by itself: change what GitHub's reason names, such as an input of this step or a rule of the repository.";
    return fail("rejected", `GitHub refused to ${doing}: ${endWithPeriod(reason)}`, hint);
  }
  const code = status === 404 || status === 410 ? "not-found" : "unavailable";
  return fail(code, `GitHub could not ${doing}: ${endWithPeriod(reason)}`, checkToken(permission));
}

function checkToken(permission: string | undefined): string {
  const line = permission === undefined ? "" : `, and that the job's \`permissions:\` hold \`${permission}\``;
  return `Check that the token is one for this repository${line}; then run again.`;
}

/**
 * What GitHub answered, if it is of the documented shape.
 *
 * @throws {GitHubError} otherwise.
 */
export function parseResponse<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: unknown,
  { doing }: CallPurpose,
): z.output<Schema> {
  const { data, error: cause } = schema.safeParse(answer);
  if (cause === undefined) return data as z.output<Schema>;
  const message = `GitHub's answer is not what it should be; could not ${doing}.`;
  throw new GitHubError("unexpected-response", message, { hint: checkNetwork, cause });
}

const otherToken =
  "The workflow's own token may do this: leave `github-token` out. Any other token needs `metadata: read` on the repository, and a person's token push access.";

/** The run's token lacks a permission; `line` is what to add to the job's `permissions:`, such as `issues: write`. */
export function missingPermission(
  line: string | undefined,
  { doing, status, cause }: { readonly doing: string; readonly status?: number; readonly cause?: unknown },
): GitHubError {
  const hint = line === undefined ? otherToken : `Add \`${line}\` to the job's \`permissions:\`.`;
  return new GitHubError("missing-permission", `The run's token may not ${doing}.`, { hint, status, cause });
}

/** What a request found; `undefined` where GitHub answered one of these statuses, by default that it is not there. */
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

/** Whether the token may not do something, or there is no such thing for it: another try would end the same. */
export function isRefusal({ code }: GitHubError): boolean {
  return code === "missing-permission" || code === "not-found";
}
