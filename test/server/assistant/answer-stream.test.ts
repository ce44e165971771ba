import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readAnswerEvents } from "../../../src/client/assistant-stream.ts";
import { collectAnswer } from "../../../src/client/collect-answer.ts";
import type { AnswerPart } from "../../../src/server/assistant/answer-stream.ts";
import {
  dataStreamProtocol,
  streamAnswer,
  uiMessageProtocol,
} from "../../../src/server/assistant/answer-stream.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

describe("a streamed answer", () => {
  // Specification §6: the event with type finish includes the thread.
  test.each([
    ["v1", dataStreamProtocol, /^d:(.*)$/m],
    ["v2", uiMessageProtocol, /^data: (\{"type":"finish".*)$/m],
  ] as const)("ends with a finish event that names its thread: %s", async (_name, protocol, pattern) => {
    async function* answer(): AsyncGenerator<AnswerPart> {
      yield { type: "text", text: "Done." };
    }
    const deps = { answer, onAnswered: async () => undefined, log: createRecordingLog() };
    const body = streamAnswer(protocol, { messageId: "m", threadId: "t" }, 60_000, deps);
    const [, finish = ""] = pattern.exec(await new Response(body).text()) ?? [];
    const { type, threadId, messageMetadata } = JSON.parse(finish);
    expect({ type, threadId: threadId ?? messageMetadata?.threadId }).toEqual({
      type: "finish",
      threadId: "t",
    });
  });

  async function encode(protocol: typeof dataStreamProtocol, ...parts: AnswerPart[]): Promise<string> {
    async function* given() {
      yield* parts;
    }
    return (await Array.fromAsync(protocol.encode(given(), { messageId: "m", threadId: "t" }))).join("");
  }
  const source = { type: "source", url: "/a", title: "A" } as const;
  const text = { type: "text", text: "é" } as const;

  test("has the parts of the data stream, in order", async () => {
    const stopped = { type: "stop", reason: "length" } as const;
    expect(await encode(dataStreamProtocol, text, source, stopped)).toMatchInlineSnapshot(`
      "f:{"messageId":"m"}
      0:"é"
      h:{"sourceType":"url","id":"source-1","url":"/a","title":"A"}
      2:[{"type":"finish","threadId":"t"}]
      e:{"finishReason":"length","usage":{"promptTokens":null,"completionTokens":null},"isContinued":false}
      d:{"type":"finish","finishReason":"length","usage":{"promptTokens":null,"completionTokens":null},"threadId":"t"}
      "
    `);
    const failed = { type: "error", message: "No." } as const;
    expect(await encode(dataStreamProtocol, text, failed)).toMatchInlineSnapshot(`
      "f:{"messageId":"m"}
      0:"é"
      3:"No."
      2:[{"type":"finish","threadId":"t"}]
      e:{"finishReason":"error","usage":{"promptTokens":null,"completionTokens":null},"isContinued":false}
      d:{"type":"finish","finishReason":"error","usage":{"promptTokens":null,"completionTokens":null},"threadId":"t"}
      "
    `);
  });

  test("has the events of the message stream, in order", async () => {
    const stopped = { type: "stop", reason: "length" } as const;
    expect(await encode(uiMessageProtocol, text, source, stopped)).toMatchInlineSnapshot(`
      "data: {"type":"start","messageId":"m"}

      data: {"type":"start-step"}

      data: {"type":"text-start","id":"text-1"}

      data: {"type":"text-delta","id":"text-1","delta":"é"}

      data: {"type":"source-url","url":"/a","title":"A","sourceId":"source-1"}

      data: {"type":"text-end","id":"text-1"}

      data: {"type":"finish-step"}

      data: {"type":"finish","messageMetadata":{"threadId":"t","finishReason":"length"}}

      data: [DONE]

      "
    `);
    const failed = { type: "error", message: "No." } as const;
    expect(await encode(uiMessageProtocol, text, failed)).toMatchInlineSnapshot(`
      "data: {"type":"start","messageId":"m"}

      data: {"type":"start-step"}

      data: {"type":"text-start","id":"text-1"}

      data: {"type":"text-delta","id":"text-1","delta":"é"}

      data: {"type":"text-end","id":"text-1"}

      data: {"type":"error","errorText":"No."}

      data: {"type":"finish-step"}

      data: {"type":"finish","messageMetadata":{"threadId":"t"}}

      data: [DONE]

      "
    `);
  });

  test.each([
    ["v1", dataStreamProtocol, "2:[]\n"],
    ["v2", uiMessageProtocol, ": keep-alive\n\n"],
  ] as const)(
    "sends keep-alive events while the model is silent, and stays complete: %s",
    async (_name, protocol, sign) => {
      const thought = Promise.withResolvers<void>();
      async function* answer(): AsyncGenerator<AnswerPart> {
        await thought.promise;
        yield { type: "text", text: "Done." };
      }
      const body = streamAnswer(protocol, { messageId: "m", threadId: "t" }, 1, {
        answer,
        onAnswered: async () => undefined,
        log: createRecordingLog(),
      });
      const [watched, collected] = body.tee();
      const decoder = new TextDecoder();
      let seen = "";
      for await (const chunk of watched) {
        seen += decoder.decode(chunk);
        if (seen.includes(sign)) thought.resolve();
      }
      const events = (signal: AbortSignal) => readAnswerEvents(Readable.from(collected), signal);
      const quiet = { onText: () => undefined, signal: new AbortController().signal };
      expect(await collectAnswer({ events, threadId: undefined }, quiet)).toMatchObject({
        text: "Done.",
        threadId: "t",
        failure: undefined,
      });
    },
  );
});
