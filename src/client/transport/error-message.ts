/** Reads what an error answer says, whatever its shape: JSON, text, HTML or nothing. */
import { z } from "zod";

const longestMessage = 300;

const Nested = z.looseObject({
  message: z.string().optional(),
  detail: z.string().optional(),
  code: z.string().optional(),
});

/** Error bodies seen on compatible platforms: `{error}`, `{message}`, `{error: {message}}`, `{detail}`, `{errors: […]}`. */
const ErrorBody = z.looseObject({
  error: z
    .union([z.string(), Nested, z.array(z.union([z.string(), Nested])).transform(([first]) => first)])
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  errors: z
    .array(z.union([z.string(), Nested]))
    .optional()
    .catch(undefined),
});

/**
 * The message of an error body as one line of at most 300 characters, without control characters; `undefined` where
 * the body says nothing. Of links, only origin and path are shown: a query may be a credential. JSON without a message is
 * not shown for the same reason.
 */
export function readErrorMessage(body: string): string | undefined {
  const text = body.trim();
  const value = parseJson(text);
  if (value !== undefined) return withoutSecrets(messageOfJson(value));
  return withoutSecrets(
    /^<(?:!doctype|html|head|body|\?xml|\w+[\s>])/i.test(text) ? textOfMarkup(text) : text,
  );
}

/** A credential's name in a query, whose beginning may be missing, and an `Authorization` header's value. */
const credentialFields =
  /([?&;][\w.-]*(?:sig|signature|token|credential|key|secret|password|auth)[\w.-]*=)[^\s&;"'<>]+/gi;
const authorization = /\b(bearer|basic)\s+(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/gi;

/** Folds white space and control characters (bidirectional ones included) and cuts at 300 characters. */
export function toOneLine(text: string): string | undefined {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Z}]+/gu, " ").trim();
  if (line === "") return undefined;
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1).trimEnd()}…` : line;
}

/** Whether a body is a JSON object: what the API itself answers with, unlike proxies and login pages. */
export function isJsonObject(body: string): boolean {
  const value = parseJson(body.trim());
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the caller shows it as text.
  }
}

function withoutSecrets(text: string | undefined): string | undefined {
  return text === undefined
    ? undefined
    : toOneLine(
        text
          .replace(/\b(https?:\/\/)([^\s"'<>?#]*)[^\s"'<>]*/gi, hideCredentials)
          .replace(credentialFields, "$1***")
          .replace(authorization, "$1 ***"),
      );
}

function hideCredentials(_link: string, scheme: string, address: string): string {
  return `${scheme}${address.replace(/^[^/]*@/, "")}`;
}

function messageOfJson(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const body = ErrorBody.safeParse(value).data;
  if (body === undefined) return undefined;
  const candidates = [body.error, body.message, body.detail, ...(body.errors ?? []), body.title];
  return candidates.map(messageOfField).find((message) => message !== undefined && message.trim() !== "");
}

function messageOfField(field: string | z.infer<typeof Nested> | undefined): string | undefined {
  return typeof field === "object" ? (field.message ?? field.detail ?? field.code) : field;
}

/** The title of an HTML error page, else its text: enough to recognise a proxy's or a login page. */
function textOfMarkup(markup: string): string {
  const title = /<title[^>]*>([^<]{1,500})<\/title>/i.exec(markup)?.[1]?.trim();
  if (title) return `an HTML page titled “${decodeEntities(title)}”`;
  const text = markup
    .slice(0, 20_000)
    .replace(/<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<[^>]*>/g, " ");
  return decodeEntities(text);
}

function decodeEntities(text: string): string {
  const named: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
  return text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_entity, name: string) => named[name] ?? " ");
}
