/** The AI SDK 5's own parser as the oracle of ours. */
import { parseJsonEventStream, uiMessageChunkSchema } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readParts, readText } from "../../src/client/assistant-stream.ts";
import { chunksCutAt } from "../support/chunked-bytes.ts";

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const id = fc.string({ minLength: 1, maxLength: 8 });

const chunk = fc.oneof(
  id.map((messageId) => ({ type: "start", messageId })),
  fc.constant({ type: "start-step" }),
  id.map((value) => ({ type: "text-start", id: value })),
  fc.record({ id, delta: text }).map((value) => ({ type: "text-delta", ...value })),
  id.map((value) => ({ type: "text-end", id: value })),
  fc.record({ id, delta: text }).map((value) => ({ type: "reasoning-delta", ...value })),
  text.map((errorText) => ({ type: "error", errorText })),
  fc
    .record({ sourceId: id, url: fc.webUrl(), title: text })
    .map((value) => ({ type: "source-url", ...value })),
  fc
    .record({ toolCallId: id, output: fc.array(text) })
    .map((value) => ({ type: "tool-output-available", ...value })),
  id.map((value) => ({ type: "data-note", data: { value } })),
  fc.constant({ type: "finish-step" }),
  id.map((threadId) => ({ type: "finish", messageMetadata: { threadId } })),
);

async function oracle(body: AsyncIterable<Uint8Array>): Promise<unknown[]> {
  const stream = ReadableStream.from(body) as ReadableStream<Uint8Array<ArrayBuffer>>;
  const results = await Array.fromAsync(parseJsonEventStream({ stream, schema: uiMessageChunkSchema }));
  return results.map((result) => (result.success ? result.value : result.error));
}

describe("our v2 parser", () => {
  test("reads every chunk as the AI SDK 5 does, from any chunks of bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 10 }),
        fc.array(fc.nat(800), { maxLength: 12 }),
        fc.constantFrom("\n", "\r\n"),
        async (chunks, cuts, lineEnd) => {
          const events = chunks.map((value) => `data: ${JSON.stringify(value)}${lineEnd}${lineEnd}`);
          const body = `: ping${lineEnd}${lineEnd}${events.join("")}data: [DONE]${lineEnd}${lineEnd}`;
          const ours = await Array.fromAsync(readParts(readText(chunksCutAt(body, cuts))));
          expect(ours).toEqual(await oracle(chunksCutAt(body, cuts)));
        },
      ),
    );
  });
});
