/** Reads requests of both API versions into one form. */
import { copyText, decodePercent } from "../../base/text.ts";
import {
  AssistantRequest,
  type ContextItem,
  defaultRetrievalPageSize,
  UiAssistantRequest,
} from "../../client/assistant-contract.ts";
import { ApiError, parseAs } from "../base/http.ts";
import type { RetrievalQuery } from "./docs-index.ts";
import type { Turn } from "./records.ts";

/** A question with its conversation. */
export interface Question {
  readonly threadId: string | undefined;
  readonly pageSize: number;
  readonly query: RetrievalQuery;
  /** Earlier questions and answers of the conversation, oldest first. */
  readonly turns: readonly Turn[];
  readonly context: readonly ContextItem[];
  /** The texts of the conversation's `system` messages. */
  readonly instructions: readonly string[];
  /** What of the request has no effect on the answer. */
  readonly notices: readonly string[];
}

/** Maximum characters of a text that is searched for. Longer texts block other requests and find nothing more. */
const maxSearchedLength = 20_000;
/** Maximum number of context items that are searched for, for the same reason. */
const maxSearchedItems = 50;

/** The specification has no maximum; more passages than this are not read. */
const maxPageSize = 100;

const attachmentsNotice = "Only attachments with text in a data URL are read.";

/** Reads a v1 body. @throws {ApiError} 400 that names every invalid field */
export function readV1Question(body: unknown): Question {
  const request = parseAs(AssistantRequest, body);
  const messages = request.messages.map(
    ({ role, content, parts, experimental_attachments: attached = [] }) => ({
      role,
      text: content || textOfParts(parts),
      attachments: attached,
    }),
  );
  return toQuestion(request, messages);
}

/** Reads a v2 body. @throws {ApiError} 400 that names every invalid field */
export function readV2Question(body: unknown): Question {
  const request = parseAs(UiAssistantRequest, body);
  const messages = request.messages.map(({ role, parts }) => ({
    role,
    text: textOfParts(parts),
    attachments: parts
      .filter((part) => part.type === "file")
      .map(({ url, filename }) => ({ url, name: filename })),
  }));
  return toQuestion(request, messages);
}

interface PlainMessage {
  readonly role: string;
  readonly text: string;
  readonly attachments: readonly { readonly url: string; readonly name?: string | undefined }[];
}

type AnyRequest = AssistantRequest | UiAssistantRequest;

function toQuestion(request: AnyRequest, messages: readonly PlainMessage[]): Question {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const text = messages[last]?.text.trim() ?? "";
  if (text === "") throw new ApiError(400, "messages: the last user message must contain text");
  const { threadId, filter, currentPath, retrievalPageSize: pageSize = defaultRetrievalPageSize } = request;
  if (pageSize < 1) throw new ApiError(400, "retrievalPageSize: must be at least 1");
  const textsOf = (role: string, among = messages) =>
    among.filter((message) => message.role === role).map((message) => message.text);
  const data = textsOf("data").map((value): ContextItem => ({ type: "textSelection", value }));
  const attachments = messages.flatMap((message) => message.attachments);
  const attached = attachments.flatMap(readAttachment);
  const context = [...(request.context ?? []), ...data, ...attached].slice(0, maxSearchedItems);
  const before = messages.slice(0, last);
  return {
    threadId: threadId ?? undefined,
    pageSize: Math.min(Math.floor(pageSize), maxPageSize),
    query: {
      question: copyText(text.slice(0, maxSearchedLength)),
      earlier: textsOf("user", before).map((earlier) => earlier.slice(0, maxSearchedLength)),
      context: context.map(({ value }) => value.slice(0, maxSearchedLength)),
      currentPath: currentPath ?? request.context?.find(({ path }) => path !== undefined)?.path,
      version: filter?.version,
      language: filter?.language,
    },
    turns: toTurns(before),
    context,
    instructions: textsOf("system"),
    notices: attached.length < attachments.length ? [attachmentsNotice] : [],
  };
}

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),(.*)$/is;
const textMediaType = /^(?:$|text\/|application\/(?:[\w.-]+\+)?(?:json|xml|ya?ml)$)/i;

/** The text of an attachment whose URL contains it. No other URL is requested. */
function readAttachment({ url, name }: PlainMessage["attachments"][number]): ContextItem[] {
  const [, mediaType, parameters = "", data = ""] = dataUrl.exec(url) ?? [];
  if (mediaType === undefined || !textMediaType.test(mediaType)) return [];
  const isBase64 = /;base64$/i.test(parameters);
  const value = isBase64 ? Buffer.from(data, "base64").toString("utf8") : decodePercent(data);
  return [{ type: "textSelection", value, ...(name !== undefined && { path: name }) }];
}

/** Pairs each question with the answer that follows it. */
function toTurns(messages: readonly PlainMessage[]): Turn[] {
  return messages.flatMap(({ role, text }, index) => {
    const next = messages[index + 1];
    return role === "user" && next?.role === "assistant" ? [{ question: text, answer: next.text }] : [];
  });
}

function textOfParts(parts: readonly { readonly type: string }[]): string {
  return parts.map((part) => ("text" in part && part.type === "text" ? String(part.text) : "")).join("");
}
