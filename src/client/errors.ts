/** Failures at the boundary to the platform: what each means, and whether its request may be repeated. */
import type { IncomingHttpHeaders } from "node:http";
import type * as z from "zod/mini";
import { ActionError, type ErrorCode, type ErrorDetails } from "../base/errors.ts";
import { certificateErrorDetails, readRequestId } from "../base/http.ts";
import { parseRetryAfter } from "../base/retry.ts";
import { codeOf, endWithPeriod, isJsonObject, messageOf, parseJson } from "../base/text.ts";
import { readErrorMessage, toOneLine } from "./error-message.ts";
import { readJobId } from "./job-fields.ts";

/** Running again could do everything twice, so that is not the next step. */
const whenMaybeSubmitted = {
  section: "outcome-unknown",
  hint: "Whether the platform did it cannot be told from here: check its dashboard before you run again. A job that is there can be followed with `job-id`.",
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
  /** Whether a refusal came as JSON, as the API sends it, and not from a proxy or another site. */
  readonly isFromApi: boolean;
  /** What a conflict names that may be the identifier of the job in the way, the likeliest first. */
  readonly conflictingJobIds: readonly string[];

  constructor(code: ErrorCode, message: string, details: ErrorDetails & Partial<PlatformFacts> = {}) {
    super(code, message, details.maybeSubmitted ? { ...whenMaybeSubmitted, ...details } : details);
    this.retryAfterMs = details.retryAfterMs;
    this.maybeSubmitted = details.maybeSubmitted ?? false;
    this.isFromApi = details.isFromApi ?? false;
    this.conflictingJobIds = details.conflictingJobIds ?? [];
  }
}

type PlatformFacts = Pick<
  PlatformError,
  "retryAfterMs" | "maybeSubmitted" | "isFromApi" | "conflictingJobIds"
>;

/**
 * When a failed request may be repeated:
 * - `freely`: a read, or a call that can be made twice without harm;
 * - `unless-limited`: like `freely`, but a used-up limit (429) is answered by the caller, who can show the wait;
 * - `unless-sent`: it creates something; repeated only if it surely did not arrive or was turned away (429);
 * - `unless-arrived`: it creates something whose refusal (429) the caller answers itself; repeated only if it surely did not arrive;
 * - `never`: the caller has a schedule of its own (polling).
 */
export type RetryPolicy = "freely" | "unless-limited" | "unless-sent" | "unless-arrived" | "never";

/** What an error says of its request. */
export interface RequestInfo {
  /** What the request does: "start the export". */
  readonly name: string;
  readonly retry: RetryPolicy;
}

/** Whether another attempt is allowed after an error, and may help. */
export function mayRepeat({ retry }: RequestInfo, error: PlatformError): boolean {
  if (retry === "never" || error.maybeSubmitted) return false;
  if (error.code === "unreachable") return error.retryable;
  if (retry === "unless-arrived") return false;
  if (error.code === "rate-limited") return retry !== "unless-limited";
  if (retry === "unless-sent") return false;
  // A conflict is a job that is not yet where its status says it is; garbage in a success is a proxy's passing fault.
  const isGarbled = error.code === "unexpected-response" && error.status !== undefined && error.status < 300;
  return error.code === "unavailable" || error.code === "conflict" || isGarbled;
}

/** Whether a request makes something that must not be made twice. */
function creates({ retry }: RequestInfo): boolean {
  return retry === "unless-sent" || retry === "unless-arrived";
}

/** Errors that arise before a byte of the request can have left: name resolution, connect, TLS handshake, tunnel. */
const beforeSending = new Set(
  `ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ENETDOWN EADDRNOTAVAIL CONNECT_TIMEOUT ERR_PROXY_TUNNEL
  EPROTO ERR_TLS_CERT_ALTNAME_INVALID CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN
  UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY`.split(/\s+/),
);

/** A connection that failed, was cut, or stayed silent; `isSent` where an answer had begun. */
export function classifyConnectionError(
  request: RequestInfo,
  error: unknown,
  { origin, isSent }: { readonly origin: string; readonly isSent: boolean },
): PlatformError {
  const code = codeOfCause(error);
  const didNotArrive = !isSent && code !== undefined && beforeSending.has(code);
  const maybeSubmitted = creates(request) && !didNotArrive;
  const thrown = toOneLine(messageOf(error).replace(/; if the root CA is .*/, "")) ?? "unknown reason";
  const reason = thrown.includes("wrong version number") ? "this port does not use TLS" : thrown;
  const detail = code === undefined || reason.includes(code) ? reason : `${code}, ${reason}`;
  return new PlatformError(
    "unreachable",
    `Could not ${request.name}: no answer from ${origin} (${detail}).${lostAnswer(maybeSubmitted)}`,
    { maybeSubmitted, cause: error, ...certificateErrorDetails(code) },
  );
}

/** The code of an error or of the first of its causes that has one (Node aggregates). */
function codeOfCause(error: unknown): string | undefined {
  const code = codeOf(error);
  if (code !== undefined || !(error instanceof Error)) return code;
  if (error instanceof AggregateError)
    return error.errors.map(codeOfCause).find((inner) => inner !== undefined);
  return codeOfCause(error.cause);
}

/** What the platform answered; `body` is `undefined` where it is longer than anything the API answers. */
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

const paymentHint = "The platform asks for payment: its credits are used up, or the plan lacks this feature.";

/** An answer whose status is not a success; `nowMs` is the platform's time, from which a date in `Retry-After` counts. */
export function classifyErrorResponse(
  request: RequestInfo,
  { status, headers, body }: PlatformResponse,
  nowMs: number,
): PlatformError {
  const maybeSubmitted = creates(request) && (status >= 500 || status === 408 || status < 400);
  const requestId = readRequestId(headers);
  const message = body === undefined ? undefined : readErrorMessage(body);
  const facts = [
    `Could not ${request.name}: the platform answered ${status}`,
    requestId === undefined ? "" : `, request ${requestId}`,
    message === undefined ? "." : `: ${endWithPeriod(message)}`,
    status >= 300 && status < 400
      ? ` It redirects to ${originOf(headers.location)}; the key is sent to the platform's own address only.`
      : "",
    lostAnswer(maybeSubmitted),
  ];
  return new PlatformError(codeOfStatus(status), facts.join(""), {
    status,
    requestId,
    maybeSubmitted,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
    isFromApi: isJsonObject(parseJson(body ?? "")),
    conflictingJobIds: status === 409 ? readNamedJobs(parseJson(body ?? ""), headers.location, message) : [],
    ...(status === 402 ? { hint: paymentHint } : {}),
  });
}

const maxNamedJobs = 5;

/** Identifiers in a conflict's body (`jobId`, `job: {id}`), in its `Location`, or in words of its message with digits in them. */
function readNamedJobs(body: unknown, location = "", message = ""): string[] {
  const objects = [body, ...(isJsonObject(body) ? Object.values(body) : [])].filter(isJsonObject);
  const fields = objects.flatMap((object) =>
    Object.keys(object)
      .filter((name) => /^(?:id|.*job|.*(?:job|export)_?id)$/i.test(name))
      .map((name) => object[name]),
  );
  const last = /\/jobs\/([^/?#]+)/.exec(location)?.[1];
  const words = message.match(/\b(?=[\w-]*\d)\w+[_-][\w-]+/g) ?? [];
  const named = [...fields, last, ...words].map(readJobId);
  return [...new Set(named)].filter((id) => id !== undefined).slice(0, maxNamedJobs);
}

/** A success whose body is not what the API promises. */
export function classifyInvalidResponse(
  request: RequestInfo,
  { status, headers, body }: PlatformResponse,
  cause: z.core.$ZodError,
): PlatformError {
  const maybeSubmitted = creates(request);
  return new PlatformError(
    "unexpected-response",
    `Could not ${request.name}: the platform answered ${status}, but not with the API's JSON: ${endWithPeriod(describeBody(body, cause))}${lostAnswer(maybeSubmitted)}`,
    { status, requestId: readRequestId(headers), maybeSubmitted, cause },
  );
}

/** What came instead; of JSON only the fields that are not as promised: their values may be credentials. */
function describeBody(body: string | undefined, cause: z.core.$ZodError): string {
  if (body === undefined) return "it is too long";
  const message = readErrorMessage(body);
  if (message !== undefined) return message;
  if (!isJsonObject(parseJson(body))) return "nothing";
  return `JSON without a usable ${cause.issues.map(({ path }) => path.join(".") || "object").join(", ")}`;
}

function lostAnswer(maybeSubmitted: boolean): string {
  return maybeSubmitted
    ? " The request may have been carried out all the same, so it is not sent again."
    : "";
}

function originOf(location = ""): string {
  return URL.parse(location)?.origin ?? "another path";
}
