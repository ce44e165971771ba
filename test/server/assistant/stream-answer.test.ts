import { describe, expect, test } from "vitest";
import { readAnswerEvents } from "../../../src/client/assistant-stream.ts";
import { collectAnswer } from "../../../src/client/collect-answer.ts";
import type { AnswerPart } from "../../../src/server/assistant/answer-part.ts";
import {
  createDataStreamProtocol,
  createUiMessageProtocol,
} from "../../../src/server/assistant/encode-answer.ts";
import { streamAnswer } from "../../../src/server/assistant/stream-answer.ts";
import { createRecordingLog } from "../../support/recording-log.ts";

describe("a streamed answer", () => {
  test.each([
    ["v1", createDataStreamProtocol, "2:[]\n", "data-stream"],
    ["v2", createUiMessageProtocol, ": keep-alive\n\n", "ui-message-stream"],
  ] as const)(
    "shows life while the model thinks, and is whole all the same: %s",
    async (_name, create, sign, protocol) => {
      const thought = Promise.withResolvers<void>();
      async function* answer(): AsyncGenerator<AnswerPart> {
        await thought.promise;
        yield { type: "text", text: "Done." };
      }
      const body = streamAnswer(
        { protocol: create(), messageId: "m", threadId: "t", keepAliveMs: 1 },
        { answer, onAnswered: async () => undefined, log: createRecordingLog() },
      );
      const [watched, collected] = body.tee();
      const decoder = new TextDecoder();
      let seen = "";
      for await (const chunk of watched) {
        seen += decoder.decode(chunk);
        if (seen.includes(sign)) thought.resolve();
      }
      const events = (signal: AbortSignal) => readAnswerEvents(collected, protocol, signal);
      const quiet = { onText: () => undefined, signal: new AbortController().signal };
      expect(await collectAnswer({ events, threadId: undefined }, quiet)).toMatchObject({
        text: "Done.",
        threadId: "t",
        failure: undefined,
      });
    },
  );
});
