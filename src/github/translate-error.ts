/** What a failed call to GitHub means: the HTTP status behind it, when it may be repeated, and the error that people see. */

import { z } from "zod";
import { messageOf, withStop } from "../base/text.ts";
import { GitHubError, missingPermission } from "./errors.ts";

/** What a call is for: its words appear in the error, its permission in the hint. */
export interface CallPurpose {
  /** Completes "the token may not …". */
  readonly doing: string;
  /** The line that the job's `permissions:` needs, such as `issues: write`. */
  readonly permission: string;
}

interface HttpFailure {
  readonly status?: unknown;
  readonly response?: { readonly headers?: Readonly<Record<string, unknown>> };
  readonly message?: unknown;
}

/** The HTTP status of a failed call; Octokit gives 500 to one that got no answer. */
export function statusOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { status } = error as HttpFailure;
  return typeof status === "number" ? status : undefined;
}

/** GraphQL answers 200 with an error's type in it; these are the HTTP statuses that the REST API would have used. */
const statusOfGraphType: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
};

function statusOfGraphError(error: unknown): number | undefined {
  if (!(error instanceof Error) || error.name !== "GraphqlResponseError") return undefined;
  const { errors } = error as { readonly errors?: readonly { readonly type?: string }[] };
  return statusOfGraphType[errors?.[0]?.type ?? ""] ?? 502;
}

function isAnswered(error: unknown): boolean {
  return typeof error === "object" && error !== null && (error as HttpFailure).response !== undefined;
}

/** Milliseconds that GitHub asked to wait; `undefined` where it did not. */
export function retryAfterOf(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const value = (error as HttpFailure).response?.headers?.["retry-after"];
  const seconds = Number(value);
  return value === undefined || Number.isNaN(seconds) ? undefined : seconds * 1000;
}

const checkTheWay =
  "Run again later. If it stays, check the runner's network, its proxy variables (HTTPS_PROXY, NO_PROXY), and whether a proxy answers in GitHub's place.";

/** The error to throw for a failed call: GitHubErrors and bugs stay what they are. */
export function translateError(error: unknown, purpose: CallPurpose): unknown {
  if (error instanceof GitHubError || error instanceof TypeError) return error;
  if (!(error instanceof z.ZodError)) return translateFailure(error, purpose);
  const message = `GitHub's answer is not what it should be; could not ${purpose.doing}.`;
  return new GitHubError("unexpected-response", message, { hint: checkTheWay, cause: error });
}

function translateFailure(error: unknown, { doing, permission }: CallPurpose): GitHubError {
  const status = statusOf(error) ?? statusOfGraphError(error);
  const reason = messageOf(error);
  const isRateLimit = status === 429 || (status === 403 && /rate limit/i.test(reason));
  if (status === 401) {
    return new GitHubError("unauthorized", `GitHub refused the token; it could not ${doing}.`, {
      hint: "Pass a valid token as `github-token`, or leave the input out.",
      status,
      cause: error,
    });
  }
  if (isRateLimit) {
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
  const isGone = status === 404 || status === 410;
  if (!isAnswered(error)) {
    return new GitHubError(
      "unreachable",
      `GitHub did not answer when asked to ${doing}: ${withStop(reason)}`,
      { hint: checkTheWay, cause: error },
    );
  }
  return new GitHubError(
    isGone ? "not-found" : "unavailable",
    `GitHub could not ${doing}: ${withStop(reason)}`,
    {
      hint: `Check that the job's \`permissions:\` hold \`${permission}\`, then run again.`,
      status,
      cause: error,
    },
  );
}
