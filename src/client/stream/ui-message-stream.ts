/** The UI message stream of AI SDK 5 and later (v2): server-sent events, each a JSON chunk, ended by `[DONE]`. */
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { createStage, StreamFault } from "./stream-fault.ts";

/** A chunk of any type with the fields that are read here; the protocol grows, so every other field is let through. */
export const UiMessageChunk = z.looseObject({
  type: z.string(),
  delta: z.string().optional().catch(undefined),
  errorText: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  sourceId: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  toolName: z.string().optional().catch(undefined),
  finishReason: z.string().optional().catch(undefined),
});
export type UiMessageChunk = z.infer<typeof UiMessageChunk>;

/**
 * Parses the text of server-sent events into chunks. Comments and other event fields are skipped; an event that is no
 * chunk, or is longer than `maxLength` characters, ends the stream.
 */
export function parseUiMessageStream({
  maxLength,
}: {
  maxLength: number;
}): TransformStream<string | StreamFault, UiMessageChunk | StreamFault> {
  let emitNext: (value: UiMessageChunk | StreamFault) => void = () => undefined;
  let sawEvent = false;
  let sawText = false;
  const parser = createParser({
    maxBufferSize: maxLength,
    onEvent({ data }) {
      sawEvent = true;
      emitNext(parseEvent(data));
    },
    onComment() {
      sawEvent = true;
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") {
        emitNext(new StreamFault("too-long", `an event is longer than ${maxLength} characters`));
      }
    },
  });
  return createStage<string, UiMessageChunk>({
    transform(text, emit) {
      emitNext = emit;
      sawText = true;
      parser.feed(text);
    },
    flush(emit) {
      // Text without a single event is some other document: a login page, a JSON error.
      if (sawText && !sawEvent) emit(new StreamFault("malformed", "it holds no server-sent event"));
    },
  });
}

function parseEvent(data: string): UiMessageChunk | StreamFault {
  // The end marker adds nothing: a `finish` chunk says that the answer is whole.
  if (data === "[DONE]") return { type: "[DONE]" };
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (error) {
    return new StreamFault("malformed", "an event is not JSON", error);
  }
  const chunk = UiMessageChunk.safeParse(value);
  if (chunk.success) return chunk.data;
  return new StreamFault("malformed", "an event is not a chunk of a message stream", chunk.error);
}
