/** Failures at the boundary to the platform: no usable answer. */
import { ActionError, type ErrorCode } from "../base/errors.ts";

interface PlatformErrorDetails {
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly maybeSubmitted?: boolean;
  readonly isFromApi?: boolean;
  readonly cause?: unknown;
}

/** Running again could do everything twice, so that is not the next step. */
const whenMaybeSubmitted = {
  hint: "Whether the platform did it cannot be told from here: look at its dashboard before you run again. A job that is there can be followed with `job-id`.",
  retryable: false,
};

/** The platform did not give a usable answer. */
export class PlatformError extends ActionError {
  override readonly name = "PlatformError";
  /** How long the platform asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /**
   * True when a creating request was sent and its answer is missing or useless: the job may exist. Such a request is
   * never repeated blindly.
   */
  readonly maybeSubmitted: boolean;
  /** Whether a refusal came as JSON, the API's own way of speaking, and not from a proxy or another site. */
  readonly isFromApi: boolean;

  constructor(code: ErrorCode, message: string, details: PlatformErrorDetails = {}) {
    super(code, message, details.maybeSubmitted ? { ...whenMaybeSubmitted, ...details } : details);
    this.retryAfterMs = details.retryAfterMs;
    this.maybeSubmitted = details.maybeSubmitted ?? false;
    this.isFromApi = details.isFromApi ?? false;
  }
}

const codeByStatus: Record<number, ErrorCode> = {
  400: "rejected",
  401: "unauthorized",
  402: "forbidden",
  403: "forbidden",
  404: "not-found",
  408: "unavailable",
  409: "conflict",
  410: "not-found",
  425: "unavailable",
  429: "rate-limited",
};

/** The taxonomy's code for an HTTP status that is not a success. */
export function codeOfStatus(status: number): ErrorCode {
  if (status >= 500) return "unavailable";
  if (status < 400) return "unexpected-response";
  return codeByStatus[status] ?? "rejected";
}
