/** Reads what an error answer says, whatever its shape: JSON, text, HTML or nothing. */
import { endWithPeriod, isJsonObject, parseJson, shorten } from "../base/text.ts";

const maxMessageLength = 300;
/** No more than this is read of a page, and of a message: the patterns below may take the square of a length. */
const maxPageLength = 20_000;
const maxReadLength = 4_000;

/** Where bodies of compatible platforms have their message, outermost object first; only texts and lists below. */
const messageFields = [
  ["error", "message", "detail", "errors"],
  ["message", "detail"],
];
/** What else a platform may call it: `failureReason`, `error_description`, `messageToUser`. Not `errorUrl`: a link may be a credential. */
const otherMessageField =
  /^(?!.*(?:id|key|code|type|token|ur[il]|link|count)s?$)(?:message|.*(?:reason|error|message|msg|details?|cause|failure|(?:error|failure|status)_?description)s?$)/i;
/** Taken where nothing else says it. */
const lastFields = [["title"], ["description", "code", "title"]];

/** A credential's name in a query, whose beginning may be missing, and an `Authorization` header's value. */
const credentialFields =
  /([?&;][\w.-]*(?:sig|signature|token|credential|key|secret|password|auth)[\w.-]*=)[^\s&;"'<>]+/gi;
const authorization = /\b(bearer|basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi;

/**
 * The message of an error body as one line of at most 300 characters, without control characters; `undefined` where
 * the body says nothing. Of links, only origin and path are shown: a query may be a credential. JSON without a message is
 * not shown for the same reason.
 */
export function readErrorMessage(body: string): string | undefined {
  const text = body.trim();
  const value = parseJson(text);
  return toShownLine(value === undefined ? textOf(text.slice(0, maxPageLength)) : messageIn(value, 0));
}

/** Why a job ended without success, as one line like that of `readErrorMessage`, from whatever field the platform says it in. */
export function readFailureReason(job: object): string | undefined {
  return toShownLine(messageIn({ ...job, title: undefined }, 0));
}

/** The same as the end of a sentence about the job. */
export function describeFailureReason(job: object): string {
  const reason = readFailureReason(job);
  return reason === undefined ? "; the platform gives no reason." : `: ${endWithPeriod(reason)}`;
}

function toShownLine(message = ""): string | undefined {
  return toOneLine(withoutCredentials(fold(message).slice(0, maxReadLength)));
}

/** Folds white space and control characters (bidirectional ones included) and cuts at 300 characters. */
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
  const [first = [], last = []] = [messageFields[depth], lastFields[depth]];
  const others = depth > 1 ? [] : Object.keys(value).filter((field) => otherMessageField.test(field));
  const values = [...first, ...others, ...last].map((field) => value[field]);
  return firstMessage(values, depth + 1);
}

function firstMessage(values: readonly unknown[], depth: number): string | undefined {
  return values.map((value) => messageIn(value, depth)).find((message) => message !== undefined);
}

/** A text as it is; of an HTML error page its title, else its text: enough to recognise a proxy's or a login page. */
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
