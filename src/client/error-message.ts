/** Reads the error message in a response body (JSON, text or HTML) or in the fields of a failed job. */
import { endWithPeriod, isJsonObject, parseJson, shorten } from "../base/text.ts";

const maxMessageLength = 300;
/** Limits of what is read, because some patterns below take quadratic time. */
const maxPageLength = 20_000;
const maxReadLength = 4_000;

/** The fields with the message in bodies of compatible platforms, by nesting depth. */
const messageFields = [
  ["error", "message", "detail", "errors"],
  ["message", "detail"],
];
/** Other names of such fields: `failureReason`, `error_description`, `messageToUser`. Not `errorUrl`, as a link may be a credential. */
const otherMessageField =
  /^(?!.*(?:id|key|code|type|token|ur[il]|link|count)s?$)(?:message|.*(?:reason|error|message|msg|details?|cause|failure|(?:error|failure|status)_?description)s?$)/i;
/** Fields that are used if no other field has a message. */
const fallbackFields = [["title"], ["description", "code", "title"]];

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
  return toSafeLine(value === undefined ? textOf(text.slice(0, maxPageLength)) : messageIn(value, 0));
}

/** The reason why a job failed, from any field that may hold it, as one line like that of `readErrorMessage`. */
export function readFailureReason(job: object): string | undefined {
  return toSafeLine(messageIn({ ...job, title: undefined }, 0));
}

/** The reason why a job failed, as the end of a sentence about the job. */
export function describeFailureReason(job: object): string {
  const reason = readFailureReason(job);
  return reason === undefined ? "; the platform gives no reason." : `: ${endWithPeriod(reason)}`;
}

function toSafeLine(message = ""): string | undefined {
  return toOneLine(withoutCredentials(fold(message).slice(0, maxReadLength)));
}

/** Replaces white space and control characters, including bidirectional ones, with single spaces, and cuts at 300 characters. */
export function toOneLine(text: string): string | undefined {
  return shorten(fold(text), maxMessageLength) || undefined;
}

function fold(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim();
}

function withoutCredentials(line: string): string {
  return line
    .replace(/\b(https?:\/\/)(?:[^\s"'<>?#/]*@)?([^\s"'<>?#]*)[^\s"'<>]*/gi, "$1$2")
    .replace(credentialFields, "$1***")
    .replace(authorization, "$1 ***");
}

function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value;
  if (Array.isArray(value)) {
    const items = depth === 1 ? value.filter((item) => !Array.isArray(item)) : [];
    return firstMessage(items, depth);
  }
  if (!isJsonObject(value)) return undefined;
  const [first = [], last = []] = [messageFields[depth], fallbackFields[depth]];
  const others = depth > 1 ? [] : Object.keys(value).filter((field) => otherMessageField.test(field));
  const values = [...first, ...others, ...last].map((field) => value[field]);
  return firstMessage(values, depth + 1);
}

function firstMessage(values: readonly unknown[], depth: number): string | undefined {
  return values.map((value) => messageIn(value, depth)).find((message) => message !== undefined);
}

/** Plain text unchanged; of an HTML page the title or else the text, to recognize the page of a proxy or a login. */
function textOf(text: string): string {
  if (!/^<(?:!doctype|html|head|body|\?xml|\w+[\s>])/i.test(text)) return text;
  const title = /<title[^<>]*>([^<]{1,500})<\/title>/i.exec(text)?.[1]?.trim();
  if (title) return `an HTML page titled “${decodeEntities(title)}”`;
  const withoutScripts = text.replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ");
  return decodeEntities(withoutScripts.replace(/<[^<>]*>/g, " "));
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: string) => named[name] ?? " ");
}
