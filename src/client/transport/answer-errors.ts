/** Turns what went wrong with one request into a PlatformError that says what happened, where, and what to do. */

import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { parseRetryAfter } from "../../base/retry.ts";
import { messageOf, withStop } from "../../base/text.ts";
import { codeOfStatus, PlatformError } from "../errors.ts";
import { isJsonObject, readErrorMessage, toOneLine } from "./error-message.ts";
import type { PlatformRequest } from "./platform-request.ts";
import { AnswerTooLongError } from "./read-capped.ts";

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Errors that arise before a byte of the request can have left: name resolution, connect, TLS handshake. */
const beforeSending = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
  "EPROTO",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_HAS_EXPIRED",
]);

const requestIdHeaders = ["x-request-id", "request-id", "x-amzn-requestid", "x-correlation-id", "cf-ray"];

/** A connection that failed, was cut, or stayed silent. */
export function connectionError(
  request: PlatformRequest,
  url: URL,
  { error, sent }: { error: unknown; sent: boolean },
): PlatformError {
  const code = codeOf(error);
  const didNotArrive = !sent && ((code !== undefined && beforeSending.has(code)) || isProxyRefusal(error));
  const maybeSubmitted = creates(request) && !didNotArrive;
  const reason = toOneLine(messageOf(error)) ?? "unknown reason";
  if (error instanceof AnswerTooLongError) {
    return new PlatformError("unexpected-response", `Could not ${request.name}: ${reason}`, {
      maybeSubmitted,
      cause: error,
    });
  }
  const detail = code === undefined || reason.includes(code) ? reason : `${code}, ${reason}`;
  return new PlatformError(
    "unreachable",
    `Could not ${request.name}: no answer from ${url.origin} (${detail}).${lostAnswer(maybeSubmitted)}`,
    {
      maybeSubmitted,
      cause: error,
    },
  );
}

/** The proxy opened no tunnel, so nothing went through it. */
function isProxyRefusal(error: unknown): boolean {
  return error instanceof Error && /^Proxy response \(\d+\)/.test(error.message);
}

/** An answer whose status is not a success. */
export function httpError(
  request: PlatformRequest,
  { status, headers, body }: Answer,
  nowMs: number,
): PlatformError {
  const code = codeOfStatus(status);
  const maybeSubmitted = creates(request) && (status >= 500 || status === 408 || status < 400);
  const said = readErrorMessage(body);
  const redirect =
    status >= 300 && status < 400
      ? ` It redirects to ${originOf(headers.location)}; the key is sent to the platform's own address only.`
      : "";
  const requestId = requestIdOf(headers);
  const id = requestId === undefined ? "" : `, request ${requestId}`;
  const message = `Could not ${request.name}: the platform answered ${status}${id}${said === undefined ? "." : `: ${withStop(said)}`}${redirect}${lostAnswer(maybeSubmitted)}`;
  const paymentHint =
    "The platform asks for payment: its credits are used up, or the plan lacks this feature.";
  return new PlatformError(code, message, {
    status,
    requestId,
    maybeSubmitted,
    retryAfterMs: parseRetryAfter(headers["retry-after"], nowMs),
    isFromApi: isJsonObject(body),
    ...(status === 402 ? { hint: paymentHint } : {}),
  });
}

/** A success whose body is not what the API promises. */
export function invalidAnswer(
  request: PlatformRequest,
  { status, headers, body }: Answer,
  cause: unknown,
): PlatformError {
  const maybeSubmitted = creates(request);
  const said = readErrorMessage(body) ?? (isJsonObject(body) ? describeMismatch(cause) : "nothing");
  return new PlatformError(
    "unexpected-response",
    `Could not ${request.name}: the platform answered ${status}, but not with the API's JSON: ${withStop(said)}${lostAnswer(maybeSubmitted)}`,
    { status, requestId: requestIdOf(headers), maybeSubmitted, cause },
  );
}

/** Which fields are not as promised; their values stay unsaid, for they may be credentials. */
function describeMismatch(cause: unknown): string {
  if (!(cause instanceof z.ZodError)) return "other JSON";
  return `JSON without a usable ${cause.issues.map(({ path }) => path.join(".") || "object").join(", ")}`;
}

function lostAnswer(maybeSubmitted: boolean): string {
  return maybeSubmitted
    ? " The request may have been carried out all the same, so it is not sent again."
    : "";
}

function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const value = requestIdHeaders.map((name) => headers[name]).find((header) => typeof header === "string");
  return typeof value === "string" ? toOneLine(value.slice(0, 100)) : undefined;
}

function originOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : "another path";
}

/** The code of an error or of the first of its causes that has one (undici wraps, Node aggregates). */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError) return error.errors.map(codeOf).find((code) => code !== undefined);
  return codeOf(error.cause);
}

/** Whether a request makes something that must not be made twice. */
function creates({ retry }: PlatformRequest): boolean {
  return retry === "unless-sent" || retry === "unless-arrived";
}
