/**
 * Requests to the assistant's endpoint, v1 (AI SDK 4) and v2 (AI SDK 5 and later). Clients send more fields and message parts than the
 * specification has: they are dropped.
 */
import * as z from "zod/mini";
import { isJsonObject } from "../base/text.ts";

/** Default of `retrievalPageSize` (specification §2.1). */
export const defaultRetrievalPageSize = 5;

/** `fp` of an anonymous user (specification §2.1). */
export const anonymousFingerprint = "anonymous";

/** Any value, but required: a missing key is read as `undefined`. */
const anything = z.unknown().check(z.refine((value) => value !== undefined, "is required"));

type TypedObject = z.ZodMiniObject<{ type: z.ZodMiniLiteral<string> }>;

/** A part of a message, discriminated by its type. One of another type is read as a part without content. */
function partOf<const Parts extends readonly [TypedObject, ...TypedObject[]]>(parts: Parts) {
  const types = parts.flatMap(({ shape }) => shape.type.def.values);
  const isOther = (part: unknown) =>
    isJsonObject(part) && typeof part["type"] === "string" && !types.includes(part["type"]);
  return z.pipe(
    z.transform((part) => (isOther(part) ? { type: "step-start" } : part)),
    z.discriminatedUnion("type", parts),
  );
}

/** A tool call, discriminated by its state (specification §2.1). */
const toolCall = {
  toolCallId: z.string(),
  toolName: z.string(),
  args: anything,
  step: z.optional(z.number()),
};

const ToolInvocation = z.discriminatedUnion("state", [
  z.object({ state: z.literal("partial-call"), ...toolCall }),
  z.object({ state: z.literal("call"), ...toolCall }),
  z.object({ state: z.literal("result"), ...toolCall, result: anything }),
]);

const ReasoningDetail = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string(), signature: z.optional(z.string()) }),
  z.object({ type: z.literal("redacted"), data: z.string() }),
]);

const UrlSource = z.object({
  sourceType: z.literal("url"),
  id: z.string(),
  url: z.string(),
  title: z.optional(z.string()),
});

/** A part of a v1 message (specification §2.1). */
const MessagePart = partOf([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("reasoning"), reasoning: z.string(), details: z.array(ReasoningDetail) }),
  z.object({ type: z.literal("step-start") }),
  z.object({ type: z.literal("source"), source: UrlSource }),
  z.object({ type: z.literal("tool-invocation"), toolInvocation: ToolInvocation }),
]);

/** A v1 message (specification §2.1). */
const AssistantMessage = z.object({
  id: z.string(),
  role: z.enum(["system", "assistant", "data", "user"]),
  content: z.string(),
  parts: z.array(MessagePart),
  createdAt: z.optional(z.iso.datetime({ offset: true })),
  annotations: z.optional(z.array(z.unknown())),
  experimental_attachments: z.optional(
    z.array(z.object({ url: z.string(), name: z.optional(z.string()), contentType: z.optional(z.string()) })),
  ),
});

/** Context of the question: a code snippet or selected text (specification §2.1). */
export const ContextItem = z.strictObject({
  type: z.enum(["code", "textSelection"]),
  value: z.string(),
  path: z.optional(z.string()),
  elementId: z.optional(z.string()),
});
export type ContextItem = z.infer<typeof ContextItem>;

const SearchFilter = z.object({ version: z.optional(z.string()), language: z.optional(z.string()) });

const requestFields = {
  /** Fingerprint of the conversation's session: `anonymous`, or a unique identifier of the user. */
  fp: z.string(),
  /** Ties a follow-up to its conversation. */
  threadId: z.nullish(z.string()),
  /** Credential for the thread. Some platforms return it once, in the header `x-thread-key`. */
  threadKey: z.nullish(z.string()),
  retrievalPageSize: z.optional(z.number()),
  context: z.optional(z.array(z.object(ContextItem.shape))),
  /** Limited by the specification (§8). */
  currentPath: z.optional(z.string().check(z.maxLength(200))),
};

/** Body of "create assistant message" v1 (specification §2.1, §4.1). */
export const AssistantRequest = z.object({
  ...requestFields,
  messages: z.array(AssistantMessage),
  filter: z.nullish(SearchFilter),
});
export type AssistantRequest = z.infer<typeof AssistantRequest>;

const UiMessagePart = partOf([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("reasoning"),
    text: z.string(),
    providerMetadata: z.optional(z.record(z.string(), z.unknown())),
  }),
  z.object({
    type: z.literal("source-url"),
    sourceId: z.string(),
    url: z.string(),
    title: z.optional(z.string()),
  }),
  z.object({
    type: z.literal("file"),
    mediaType: z.string(),
    url: z.string(),
    filename: z.optional(z.string()),
  }),
  z.object({ type: z.literal("step-start") }),
]);

/** A v2 message: parts only, no `content`. */
const UiMessage = z.object({
  id: z.string(),
  role: z.enum(["system", "assistant", "user"]),
  parts: z.array(UiMessagePart),
  createdAt: z.optional(z.iso.datetime({ offset: true })),
  metadata: z.optional(z.unknown()),
});

/** Body of "create assistant message" v2: like v1, but with the messages of AI SDK 5 and `groups` in the filter. */
export const UiAssistantRequest = z.object({
  ...requestFields,
  messages: z.array(UiMessage),
  filter: z.nullish(z.extend(SearchFilter, { groups: z.optional(z.array(z.string())) })),
});
export type UiAssistantRequest = z.infer<typeof UiAssistantRequest>;

/** Path below the base address of "create assistant message" (specification §4.1). */
export function assistantPath(version: "v1" | "v2", domain: string): string {
  return `/discovery/${version}/assistant/${encodeURIComponent(domain)}/message`;
}
