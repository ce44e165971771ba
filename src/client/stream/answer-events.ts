/** What a reader of an answer needs to know, the same for both protocols. */
import { z } from "zod";
import type { DataStreamPart } from "./data-stream.ts";
import { createStage, type StreamFault } from "./stream-fault.ts";
import type { UiMessageChunk } from "./ui-message-stream.ts";

export type AnswerEvent =
  | { readonly type: "text"; readonly text: string }
  /** A new paragraph begins: the text of one step is not continued by the next. */
  | { readonly type: "break" }
  /** A page that the answer cites (`cited`), or that the assistant found while it searched. */
  | {
      readonly type: "source";
      readonly url: string;
      readonly title: string | undefined;
      readonly cited: boolean;
    }
  | { readonly type: "thread"; readonly threadId: string }
  /** The assistant says that it failed. */
  | { readonly type: "error"; readonly message: string }
  /** The assistant says that the answer is whole; without it, it is not. */
  | { readonly type: "finish"; readonly reason: string }
  /** A part of no use to a reader of the answer, or of no known kind. */
  | { readonly type: "other"; readonly kind: string };

/** Events of a v1 stream. */
export function readDataStreamEvents(): TransformStream<
  DataStreamPart | StreamFault,
  AnswerEvent | StreamFault
> {
  return createStage<DataStreamPart, AnswerEvent>({
    transform(part, emit) {
      for (const event of [...threadsIn(part.value), ...eventsOfPart(part)]) emit(event);
    },
  });
}

function eventsOfPart(part: DataStreamPart): AnswerEvent[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.value }];
    case "error":
      return [{ type: "error", message: messageOf(part.value) }];
    case "source":
      return [{ type: "source", url: part.value.url, title: part.value.title, cited: true }];
    case "tool_result":
      return pagesFound(part.value["result"]);
    case "finish_step":
      return part.value.isContinued ? [] : [{ type: "break" }];
    case "finish_message":
      return [{ type: "finish", reason: part.value.finishReason }];
    case "unknown":
      return [{ type: "other", kind: part.code }];
    default:
      return [{ type: "other", kind: part.type }];
  }
}

/** Events of a v2 stream. */
export function readUiMessageEvents(): TransformStream<
  UiMessageChunk | StreamFault,
  AnswerEvent | StreamFault
> {
  return createStage<UiMessageChunk, AnswerEvent>({
    transform(chunk, emit) {
      const events = eventsOfChunk(chunk);
      for (const event of [...threadsIn(chunk), ...events]) emit(event);
    },
  });
}

function eventsOfChunk(chunk: UiMessageChunk): AnswerEvent[] {
  const { type, url, title } = chunk;
  switch (type) {
    case "text-delta":
      return [{ type: "text", text: chunk.delta ?? "" }];
    case "text-end":
      return [{ type: "break" }];
    case "source-url":
      return url === undefined ? [] : [{ type: "source", url, title, cited: true }];
    case "tool-output-available":
      return pagesFound(chunk["output"]);
    case "error":
      return [{ type: "error", message: messageOf(chunk.errorText) }];
    case "abort":
      return [{ type: "error", message: messageOf(chunk.reason) }];
    case "finish":
      return [{ type: "finish", reason: reasonOf(chunk) }];
    default:
      return [{ type: "other", kind: type }];
  }
}

const WithReason = z.looseObject({ messageMetadata: z.looseObject({ finishReason: z.string() }) });

/** Beside the finish, or, as clients of 5.0 take it, in the message's metadata. */
function reasonOf(chunk: UiMessageChunk): string {
  return chunk.finishReason ?? WithReason.safeParse(chunk).data?.messageMetadata.finishReason ?? "stop";
}

const WithThread = z.looseObject({ threadId: z.string().min(1) });
const WithMetadata = z.looseObject({ messageMetadata: z.unknown() });
const WithData = z.looseObject({ type: z.string().startsWith("data-"), data: z.unknown() });

/**
 * The specification says that `threadId` is on "the event whose type is finish", and platforms put it in different
 * places: beside the finish reason, in a list of data or annotations, in the message's metadata.
 */
function threadsIn(value: unknown): AnswerEvent[] {
  return (Array.isArray(value) ? value : [value])
    .map(threadIdIn)
    .filter((threadId) => threadId !== undefined)
    .map((threadId) => ({ type: "thread", threadId }));
}

function threadIdIn(value: unknown): string | undefined {
  const direct = WithThread.safeParse(value).data?.threadId;
  if (direct !== undefined) return direct;
  const inside = WithMetadata.safeParse(value).data?.messageMetadata ?? WithData.safeParse(value).data?.data;
  return WithThread.safeParse(inside).data?.threadId;
}

/** One hit of a search: platforms name the page `url` or `path`, and its title beside it or in `metadata`. */
const SearchHit = z.looseObject({
  url: z.string().optional().catch(undefined),
  path: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  metadata: z
    .looseObject({ title: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
const SearchResult = z.union([
  z.array(z.unknown()),
  z.looseObject({ results: z.array(z.unknown()) }).transform(({ results }) => results),
]);

/** The pages that a search tool found: what an answer without explicit sources rests on. */
function pagesFound(result: unknown): AnswerEvent[] {
  return (SearchResult.safeParse(result).data ?? []).flatMap((value): AnswerEvent[] => {
    const hit = SearchHit.safeParse(value).data;
    const url = hit?.url ?? hit?.path;
    const title = hit?.title ?? hit?.metadata?.title;
    return url === undefined ? [] : [{ type: "source", url, title, cited: false }];
  });
}

const WithMessage = z.looseObject({ message: z.string() });

function messageOf(value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  return WithMessage.safeParse(value).data?.message ?? "The assistant gave no reason.";
}
