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
