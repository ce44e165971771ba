/** Failures at the boundary to the platform: no usable answer. */
import { ActionError, type ErrorCode } from "../errors.ts";

interface PlatformErrorDetails {
  readonly hint?: string;
  readonly retryable?: boolean;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly maybeSubmitted?: boolean;
  readonly cause?: unknown;
}

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

  constructor(code: ErrorCode, message: string, details: PlatformErrorDetails = {}) {
    super(code, message, details);
    this.retryAfterMs = details.retryAfterMs;
    this.maybeSubmitted = details.maybeSubmitted ?? false;
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
