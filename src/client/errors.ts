/** Errors of requests to the platform, whether a failed request may be repeated, and what the platform's messages say. */
import type { IncomingHttpHeaders } from "node:http";
import type * as z from "zod/mini";
import { ActionError, type ErrorCode, type ErrorDetails } from "../base/errors.ts";
import { certificateErrorDetails, readRequestId } from "../base/http.ts";
import { parseRetryAfter } from "../base/retry.ts";
import {
  codeOf,
  endWithPeriod,
  isJsonObject,
  messageOf,
  parseJson,
  shorten,
  toOneLine,
} from "../base/text.ts";

/** The next step if a creating request may have arrived. */
export const checkDashboard =
  "Check the platform's dashboard before you run again, because the job may exist. If it does, set `job-id` to follow it.";

/** Another run could create a second job, so this is not retryable. */
const maybeSubmittedDetails = (code: ErrorCode) => ({
  section: "outcome-unknown",
  hint: `${code === "unexpected-response" ? "Check that `base-url` is the API's address. " : ""}${checkDashboard}`,
  retryable: false,
});

/** The platform did not return a usable response. */
export class PlatformError extends ActionError {
  override readonly name = "PlatformError";
  readonly retryAfterMs: number | undefined;
  /**
   * True if a request that creates something was sent, and its response is missing or unusable: the job may exist. Such a request
   * must not be repeated automatically.
   */
  readonly maybeSubmitted: boolean;
  /** Whether the error response was JSON, as the API sends it, and not one of a proxy or another site. */
  readonly isFromApi: boolean;
  readonly conflictingJobId: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails & Partial<ResponseDetails> = {}) {
    super(code, message, details.maybeSubmitted ? { ...maybeSubmittedDetails(code), ...details } : details);
    this.retryAfterMs = details.retryAfterMs;
    this.maybeSubmitted = details.maybeSubmitted ?? false;
    this.isFromApi = details.isFromApi ?? false;
    this.conflictingJobId = details.conflictingJobId;
  }
}

type ResponseDetails = Pick<
  PlatformError,
  "retryAfterMs" | "maybeSubmitted" | "isFromApi" | "conflictingJobId"
>;

/**
 * When a failed request may be repeated:
 * - `freely`: the request reads, or can be made twice without harm, and the platform has responded before;
 * - `unless-limited`: like `freely`, but it may be the first request, and the caller handles the rate limit (429), because it can show the wait;
 * - `unless-sent`: the request creates something; repeated only if it certainly did not arrive, or was rate-limited (429);
 * - `unless-arrived`: like `unless-sent`, but the caller handles the rate limit (429);
 * - `never`: the caller has its own schedule (polling).
 */
export type RetryPolicy = "freely" | "unless-limited" | "unless-sent" | "unless-arrived" | "never";

/** The request that an error is about. */
export interface RequestInfo {
  /** What the request does: "start the export". */
  readonly name: string;
  readonly retry: RetryPolicy;
}

/** Whether a request may be repeated after an error, and another attempt may succeed. */
export function mayRepeat({ retry }: RequestInfo, error: PlatformError): boolean {
  if (retry === "never" || error.maybeSubmitted) return false;
  if (error.code === "unreachable") return error.retryable;
  if (retry === "unless-arrived") return false;
  if (error.code === "rate-limited") return retry !== "unless-limited";
  if (retry === "unless-sent") return false;
  // A conflict may be a job whose status is ahead of its actual state. An invalid body with a success status is a proxy's temporary fault,
  // and so is a proxy's refusal, if earlier responses prove that address and key are right.
  const isGarbled = error.code === "unexpected-response" && error.status !== undefined && error.status < 300;
  const isRefusedByProxy = isProxyRefusal(error) && retry === "freely";
  return error.code === "unavailable" || error.code === "conflict" || isGarbled || isRefusedByProxy;
}

/** Whether a proxy refused a request or found nothing, perhaps because it takes the runner for a robot: the API responds with JSON. */
export function isProxyRefusal({ code, isFromApi }: PlatformError): boolean {
  return (code === "not-found" || code === "forbidden") && !isFromApi;
}

/** Whether a request failed because its job does not exist. Other 404s come from a proxy or a wrong address. */
export function isJobGone(error: unknown): boolean {
  return error instanceof PlatformError && error.code === "not-found" && error.isFromApi;
}

/** Whether a request creates something that must not be created twice. */
export function creates({ retry }: RequestInfo): boolean {
  return retry === "unless-sent" || retry === "unless-arrived";
}

/** Errors before any byte of the request is sent: name resolution, connect, TLS handshake, tunnel. Those of certificates are added. */
const beforeSending = new Set(
  "ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL CONNECT_TIMEOUT CONNECT_RESET ERR_PROXY_TUNNEL EPROTO".split(
    " ",
  ),
);

/** The error of a failed connection or a time-out. `isSent`: the response had already started. */
export function classifyConnectionError(
  request: RequestInfo,
  error: unknown,
  { origin, isSent }: { readonly origin: string; readonly isSent: boolean },
): PlatformError {
  const code = codeOfCause(error);
  const certificateError = certificateErrorDetails(code);
  const isUntrusted = certificateError.hint !== undefined;
  const didNotArrive = !isSent && (isConnectError(error) || isUntrusted || beforeSending.has(code ?? ""));
  const maybeSubmitted = creates(request) && !didNotArrive;
  const thrown = toMessageLine(messageOf(error).replace(/; if the root CA is .*/, "")) ?? "unknown reason";
  const reason = thrown.includes("wrong version number") ? "this port does not use TLS" : thrown;
  const detail = code === undefined || reason.includes(code) ? reason : `${code}, ${reason}`;
  return new PlatformError(
    "unreachable",
    `Could not ${request.name}: no response from ${origin} (${detail}).${maybeSubmittedNote(maybeSubmitted)}`,
    { maybeSubmitted, cause: error, ...certificateError },
  );
}

/** Whether no address of the host could be connected to. Its code may be that of a connection that broke later, such as `ETIMEDOUT`. */
function isConnectError(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isConnectError);
  if (!(error instanceof Error)) return false;
  return ("syscall" in error && error.syscall === "connect") || isConnectError(error.cause);
}

/** The code of an error, of the first error in an `AggregateError`, or of its cause. */
function codeOfCause(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined || !(error instanceof Error)) return code;
  if (error instanceof AggregateError)
    return error.errors.map(codeOfCause).find((inner) => inner !== undefined);
  return codeOfCause(error.cause);
}

/** A response of the platform; `body` is `undefined` if it exceeds the limit. */
export interface PlatformResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string | undefined;
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

function codeOfStatus(status: number): ErrorCode {
  if (status >= 500) return "unavailable";
  if (status < 400) return "unexpected-response";
  return codeByStatus[status] ?? "rejected";
}

const paymentHint =
  "The platform requires a payment: its credits are used up, or the plan does not include this feature.";

/** The error of a response with an error status; `nowMs` is the platform's time, which a date in `Retry-After` is relative to. */
export function classifyErrorResponse(
  request: RequestInfo,
  { status, headers, body }: PlatformResponse,
  nowMs: number,
): PlatformError {
  const maybeSubmitted = creates(request) && (status >= 500 || status === 408 || status < 400);
  const requestId = readRequestId(headers);
  const message = body === undefined ? undefined : readErrorMessage(body);
  const fields = parseJson(body ?? "");
  const target = URL.parse(headers.location ?? "")?.origin ?? "another path";
  const details = [
    `Could not ${request.name}: the platform returned ${status}`,
    requestId === undefined ? "" : `, request ${requestId}`,
    message === undefined ? "." : `: ${endWithPeriod(message)}`,
    status >= 300 && status < 400
      ? ` It redirects to ${target}, but requests with the API key follow no redirects.`
      : "",
    maybeSubmittedNote(maybeSubmitted),
  ];
  return new PlatformError(codeOfStatus(status), details.join(""), {
    status,
    requestId,
    maybeSubmitted,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
    isFromApi: isJsonObject(fields),
    conflictingJobId: status === 409 ? readConflictingJobId(fields) : undefined,
    ...(status === 402 ? { hint: paymentHint } : {}),
  });
}

/** Reads the identifier of a job: a word that is safe in a URL path. A number is converted to text. */
export function readJobId(value: unknown): string | undefined {
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  const id = isNumber ? String(value) : value;
  return typeof id === "string" && /^(?!\.{1,2}$)[\x21-\x7e]{1,200}$/.test(id) ? id : undefined;
}

/** The job that a conflict names, as `{jobId}` or `{job: {id}}`. */
function readConflictingJobId(body: unknown): string | undefined {
  const { jobId, job } = isJsonObject(body) ? body : {};
  return readJobId(jobId) ?? readJobId(isJsonObject(job) ? job["id"] : undefined);
}

/** The error of a response with a success status and an invalid body. */
export function classifyInvalidResponse(
  request: RequestInfo,
  { status, headers, body }: PlatformResponse,
  cause: z.core.$ZodError,
): PlatformError {
  const maybeSubmitted = creates(request);
  return new PlatformError(
    "unexpected-response",
    `Could not ${request.name}: the platform returned ${status}, but not the API's JSON: ${endWithPeriod(describeBody(body, cause))}${maybeSubmittedNote(maybeSubmitted)}`,
    { status, requestId: readRequestId(headers), maybeSubmitted, cause },
  );
}

/** Describes an invalid body. Of JSON, only the names of invalid fields are shown, because values may be credentials. */
function describeBody(body: string | undefined, cause: z.core.$ZodError): string {
  if (body === undefined) return "the body is too long";
  const message = readErrorMessage(body);
  if (message !== undefined) return message;
  if (!isJsonObject(parseJson(body))) return "the body has no content";
  return `JSON without a usable ${cause.issues.map(({ path }) => path.join(".") || "object").join(", ")}`;
}

function maybeSubmittedNote(maybeSubmitted: boolean): string {
  return maybeSubmitted ? " The platform may have processed the request, so it is not sent again." : "";
}

const maxMessageLength = 300;
/** What is read of a message, because the pattern of credentials takes quadratic time. */
const maxReadLength = 4_000;

/** The fields that hold a message, in error bodies of compatible platforms and in failed jobs. */
const messageFields = ["error", "message", "detail", "reason", "errors", "failureReason", "messageToUser"];
/** An error may be nested: `{error: {message}}`, `{errors: [{message}]}`. */
const maxDepth = 3;

/** Query parameters with credentials, also in a query whose start is missing; and values of the `Authorization` header. */
const credentialFields =
  /((?:[?&;]|\\u0026)[\w.-]*(?:sig|signature|token|credential|key|secret|password|auth)[\w.-]*=)[^\s&;"'<>]+/gi;
const authorization = /\b(bearer|basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi;

/**
 * The message of an error body as one line of at most 300 characters, without control characters; `undefined` if the body has none.
 * Links are reduced to origin and path, because a query may hold a credential. JSON without a message is not shown for the same
 * reason.
 */
export function readErrorMessage(body: string): string | undefined {
  const text = body.trim();
  const value = parseJson(text);
  return toSafeLine(value === undefined ? textOf(text) : messageIn(value));
}

/** The reason why a job failed, as the end of a sentence about the job. */
export function describeFailureReason(job: object): string {
  const reason = toSafeLine(messageIn(job));
  return reason === undefined ? "; the platform gives no reason." : `: ${endWithPeriod(reason)}`;
}

function toSafeLine(message = ""): string | undefined {
  return toMessageLine(withoutCredentials(toOneLine(message).slice(0, maxReadLength)));
}

/** A message as one line of at most 300 characters; `undefined` if it is empty. */
function toMessageLine(text: string): string | undefined {
  return shorten(toOneLine(text), maxMessageLength) || undefined;
}

function withoutCredentials(line: string): string {
  return line
    .replace(/\b(https?:\/\/)(?:[^\s"'<>?#/]*@)?([^\s"'<>?#]*)[^\s"'<>]*/gi, "$1$2")
    .replace(credentialFields, "$1***")
    .replace(authorization, "$1 ***");
}

function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (depth > maxDepth) return undefined;
  const fields = isJsonObject(value) ? messageFields.map((name) => value[name]) : [];
  const inner: readonly unknown[] = Array.isArray(value) ? value : fields;
  return inner.map((field) => messageIn(field, depth + 1)).find(Boolean);
}

/** Plain text unchanged; of an HTML page the title, to recognize the page of a proxy or a login; nothing of damaged JSON. */
function textOf(text: string): string {
  // A value may be a credential, in any escaped form.
  if (/^[{[]\s*["{[]/.test(text)) return "damaged JSON";
  if (!/^<(?:!doctype|html|head|body|\?xml|\w+[\s>])/i.test(text)) return text;
  const title = /<title[^<>]*>([^<]{1,500})<\/title>/i.exec(text)?.[1]?.trim();
  return title ? `an HTML page titled “${title}”` : "an HTML page";
}
