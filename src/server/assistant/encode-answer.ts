/** Answers on the wire: the data stream of AI SDK 4 (v1) and the UI message stream of AI SDK 5 and later (v2). */
import type { AnswerPart, StopReason } from "./answer-part.ts";

/** A protocol: its headers, and the bytes of one answer. */
export interface AnswerProtocol {
  readonly headers: Readonly<Record<string, string>>;
  begin(messageId: string): string;
  /** Says nothing, so that nobody on the way takes a model that thinks for a dead one. */
  readonly keepAlive: string;
  encode(part: Exclude<AnswerPart, { type: "stop" }>): string;
  /** Both clients and the specification find the thread here: on the event whose type is finish. */
  end(end: AnswerEnd): string;
}

export interface AnswerEnd {
  readonly threadId: string;
  readonly failed: boolean;
  /** What stopped the answer before its end. */
  readonly stop: StopReason | undefined;
}

type MakeProtocol = () => AnswerProtocol;

/** Created for each answer: it numbers the sources. */
export const createDataStreamProtocol: MakeProtocol = () => {
  let sources = 0;
  const line = (code: string, value: unknown) => `${code}:${JSON.stringify(value)}\n`;
  return {
    headers: { "content-type": "text/plain; charset=utf-8", "x-vercel-ai-data-stream": "v1" },
    begin: (messageId) => line("f", { messageId }),
    keepAlive: line("2", []),
    encode(part) {
      switch (part.type) {
        case "text":
          return line("0", part.text);
        case "source":
          sources += 1;
          return line("h", { sourceType: "url", id: `source-${sources}`, url: part.url, title: part.title });
        case "error":
          return line("3", part.message);
      }
    },
    end({ threadId, failed, stop = "stop" }) {
      const finishReason = failed ? "error" : stop;
      const usage = { promptTokens: null, completionTokens: null };
      // An unmodified `useChat` drops unknown fields of the finish part, and hands data on.
      return (
        line("2", [{ type: "finish", threadId }]) +
        line("e", { finishReason, usage, isContinued: false }) +
        line("d", { type: "finish", finishReason, usage, threadId })
      );
    },
  };
};

/** Created for each answer: it opens and closes the text, and numbers the sources. */
export const createUiMessageProtocol: MakeProtocol = () => {
  let sources = 0;
  let isTextOpen = false;
  const id = "text-1";
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const closeText = () => {
    if (!isTextOpen) return "";
    isTextOpen = false;
    return event({ type: "text-end", id });
  };
  const openText = () => {
    if (isTextOpen) return "";
    isTextOpen = true;
    return event({ type: "text-start", id });
  };
  return {
    headers: {
      "content-type": "text/event-stream",
      "x-vercel-ai-ui-message-stream": "v1",
      "x-accel-buffering": "no",
    },
    keepAlive: ": keep-alive\n\n",
    begin: (messageId) => event({ type: "start", messageId }) + event({ type: "start-step" }),
    encode(part) {
      switch (part.type) {
        case "text":
          return openText() + event({ type: "text-delta", id, delta: part.text });
        case "source":
          sources += 1;
          return event({
            type: "source-url",
            sourceId: `source-${sources}`,
            url: part.url,
            title: part.title,
          });
        case "error":
          return closeText() + event({ type: "error", errorText: part.message });
      }
    },
    end({ threadId, stop }) {
      // Clients of 5.0 refuse unknown fields on the finish itself, also the reason; all of them hand the metadata on.
      const finish = event({
        type: "finish",
        messageMetadata: { threadId, ...(stop && { finishReason: stop }) },
      });
      return `${closeText()}${event({ type: "finish-step" })}${finish}data: [DONE]\n\n`;
    },
  };
};
