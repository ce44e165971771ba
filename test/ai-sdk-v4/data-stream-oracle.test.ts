/** The AI SDK 4's own parser as the oracle of ours. */
import { formatDataStreamPart, parseDataStreamPart } from "@ai-sdk/ui-utils";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readParts, readText } from "../../src/client/assistant-stream.ts";
import { chunksCutAt } from "../support/chunked-bytes.ts";

const id = fc.string({ minLength: 1, maxLength: 8 });
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)));
const text = fc.string({ unit: "grapheme", maxLength: 40 });

/** Every kind of part that a server can send. */
const part = fc.oneof(
  text.map((value) => formatDataStreamPart("text", value)),
  fc.array(json, { maxLength: 3 }).map((value) => formatDataStreamPart("data", value)),
  text.map((value) => formatDataStreamPart("error", value)),
  fc.array(json, { maxLength: 3 }).map((value) => formatDataStreamPart("message_annotations", value)),
  fc
    .record({ toolCallId: id, toolName: id, args: fc.dictionary(id, json, { maxKeys: 3 }) })
    .map((value) => formatDataStreamPart("tool_call", value)),
  fc.record({ toolCallId: id, result: json }).map((value) => formatDataStreamPart("tool_result", value)),
  fc
    .record({ toolCallId: id, toolName: id })
    .map((value) => formatDataStreamPart("tool_call_streaming_start", value)),
  fc
    .record({ toolCallId: id, argsTextDelta: text })
    .map((value) => formatDataStreamPart("tool_call_delta", value)),
  fc.constant(
    formatDataStreamPart("finish_message", {
      finishReason: "stop",
      usage: { promptTokens: 1, completionTokens: 2 },
    }),
  ),
  fc.boolean().map((isContinued) =>
    formatDataStreamPart("finish_step", {
      finishReason: "tool-calls",
      usage: { promptTokens: 1, completionTokens: 2 },
      isContinued,
    }),
  ),
  id.map((messageId) => formatDataStreamPart("start_step", { messageId })),
  text.map((value) => formatDataStreamPart("reasoning", value)),
  fc
    .record({ id, url: fc.webUrl(), title: text })
    .map((source) => formatDataStreamPart("source", { sourceType: "url", ...source })),
  text.map((data) => formatDataStreamPart("redacted_reasoning", { data })),
  text.map((signature) => formatDataStreamPart("reasoning_signature", { signature })),
  fc.record({ data: fc.base64String(), mimeType: id }).map((value) => formatDataStreamPart("file", value)),
);

test("our v1 parser reads every part as the AI SDK 4 does, from any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 10 }),
      fc.array(fc.nat(600), { maxLength: 12 }),
      async (lines, cuts) => {
        const parts = await Array.fromAsync(readParts(readText(chunksCutAt(lines.join(""), cuts))));
        const oracle = lines.map((line) => ({
          code: line.slice(0, line.indexOf(":")),
          value: parseDataStreamPart(line.trimEnd()).value,
        }));
        expect(parts).toEqual(oracle);
      },
    ),
  );
});
