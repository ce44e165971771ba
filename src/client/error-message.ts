/** Reads the message in an error response or in the fields of a failed job. */
import { endWithPeriod, isJsonObject, parseJson, shorten, toOneLine } from "../base/text.ts";

const maxMessageLength = 300;
/** What is read of a message, because the pattern of credentials takes quadratic time. */
const maxReadLength = 4_000;

/** The fields that hold a message, in error bodies of compatible platforms and in failed jobs. */
const messageFields = ["error", "message", "detail", "reason", "errors", "failureReason", "messageToUser"];
/** An error may be nested: `{error: {message}}`, `{errors: [{message}]}`. */
const maxDepth = 3;

/** Query parameters with credentials, also in a query whose start is missing; and values of the `Authorization` header. */
const credentialFields =
  /([?&;][\w.-]*(?:sig|signature|token|credential|key|secret|password|auth)[\w.-]*=)[^\s&;"'<>]+/gi;
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
export function toMessageLine(text: string): string | undefined {
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
  const inner = Array.isArray(value) ? value : fields;
  for (const field of inner) {
    const message = messageIn(field, depth + 1);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Plain text unchanged; of an HTML page the title, to recognize the page of a proxy or a login. */
function textOf(text: string): string {
  if (!/^<(?:!doctype|html|head|body|\?xml|\w+[\s>])/i.test(text)) return text;
  const title = /<title[^<>]*>([^<]{1,500})<\/title>/i.exec(text)?.[1]?.trim();
  return title ? `an HTML page titled “${title}”` : "an HTML page";
}
