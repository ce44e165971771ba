/** The AI SDK 4 data stream (v1): one part per line, `CODE:JSON`. */
import { z } from "zod";
import type { Line } from "./split-lines.ts";
import { createStage, StreamFault } from "./stream-fault.ts";

/** Name and payload of every part by its code; fields beyond these are kept, as platforms add their own (`threadId`). */
const shapes = {
  "0": { type: "text", value: z.string() },
  "2": { type: "data", value: z.array(z.unknown()) },
  "3": { type: "error", value: z.unknown() },
  "8": { type: "message_annotations", value: z.array(z.unknown()) },
  "9": {
    type: "tool_call",
    value: z.looseObject({ toolCallId: z.string(), toolName: z.string(), args: z.unknown() }),
  },
  a: { type: "tool_result", value: z.looseObject({ toolCallId: z.string(), result: z.unknown() }) },
  b: {
    type: "tool_call_streaming_start",
    value: z.looseObject({ toolCallId: z.string(), toolName: z.string() }),
  },
  c: { type: "tool_call_delta", value: z.looseObject({ toolCallId: z.string(), argsTextDelta: z.string() }) },
  d: { type: "finish_message", value: z.looseObject({ finishReason: z.string().catch("unknown") }) },
  e: {
    type: "finish_step",
    value: z.looseObject({
      finishReason: z.string().catch("unknown"),
      isContinued: z.boolean().catch(false),
    }),
  },
  f: { type: "start_step", value: z.looseObject({ messageId: z.string().optional() }) },
  g: { type: "reasoning", value: z.string() },
  h: {
    type: "source",
    value: z.looseObject({ url: z.string(), title: z.string().optional().catch(undefined) }),
  },
  i: { type: "redacted_reasoning", value: z.looseObject({ data: z.string() }) },
  j: { type: "reasoning_signature", value: z.looseObject({ signature: z.string() }) },
  k: { type: "file", value: z.looseObject({ data: z.string(), mimeType: z.string() }) },
} as const satisfies Record<string, { type: string; value: z.ZodType }>;

type Shapes = typeof shapes;
type KnownPart = {
  [Code in keyof Shapes]: {
    readonly type: Shapes[Code]["type"];
    readonly value: z.infer<Shapes[Code]["value"]>;
  };
}[keyof Shapes];

/** One part; a code or a payload that the protocol does not have is `unknown`, and no reason to lose the answer. */
export type DataStreamPart =
  | KnownPart
  | { readonly type: "unknown"; readonly code: string; readonly value: unknown };

/** Parses lines into parts. A line that is no part at all ends the stream; empty lines and comments (`:…`) are skipped. */
export function parseDataStream(): TransformStream<Line | StreamFault, DataStreamPart | StreamFault> {
  return createStage<Line, DataStreamPart>({
    transform(line, emit) {
      if (line.text === "" || line.text.startsWith(":")) return;
      emit(parseLine(line));
    },
  });
}

function parseLine({ text, ended }: Line): DataStreamPart | StreamFault {
  const [, code, json] = /^([0-9a-z]+):(.*)$/s.exec(text) ?? [];
  if (code !== undefined && json !== undefined) {
    const part = isKnown(code) ? parseKnown(code, json) : parseUnknown(code, json);
    if (part !== undefined) return part;
  }
  return ended
    ? new StreamFault("malformed", `a line is not a part of a data stream: ${excerptOf(text)}`)
    : new StreamFault("cut", "the last part is cut off");
}

/** `undefined` where the payload is no JSON, or a text part holds no text: nothing to go on with. */
function parseKnown(code: keyof Shapes, json: string): DataStreamPart | undefined {
  const { type, value: schema } = shapes[code];
  const payload = parseJson(json);
  if (payload === undefined) return undefined;
  const parsed = schema.safeParse(payload.value);
  if (!parsed.success) return type === "text" ? undefined : { type: "unknown", code, value: payload.value };
  // The cast joins what the table joins: each type with the payload of the same row.
  return { type, value: parsed.data } as KnownPart;
}

function parseUnknown(code: string, json: string): DataStreamPart {
  const payload = parseJson(json);
  return { type: "unknown", code, value: payload === undefined ? json : payload.value };
}

function isKnown(code: string): code is keyof Shapes {
  return Object.hasOwn(shapes, code);
}

/** The value in an object, so that `null` is told apart from no JSON. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // The caller says what it means that this is no JSON.
  }
}

function excerptOf(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
