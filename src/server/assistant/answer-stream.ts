/** Streams an answer to the client in one of two protocols. */
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";

/** A part of an answer, independent of the protocol. */
export type AnswerPart =
  /** `isRefusal`: the documentation does not answer the question. */
  | { readonly type: "text"; readonly text: string; readonly isRefusal?: boolean }
  | { readonly type: "source"; readonly url: string; readonly title: string }
  /** A part of the request has no effect on the answer. */
  | { readonly type: "notice"; readonly message: string }
  /** The model stopped early. Only the finish event follows. */
  | { readonly type: "stop"; readonly reason: StopReason }
  /** The answer failed. Only the finish event follows. */
  | { readonly type: "error"; readonly message: string };

/** Why an answer ended early without a failure: a finish reason of both protocols. */
export type StopReason = "length" | "content-filter";

/** A stream protocol: its response headers and its encoding. */
export interface AnswerProtocol {
  readonly headers: Readonly<Record<string, string>>;
  /** An empty event. It keeps proxies from closing the connection while the model is silent. */
  readonly keepAlive: string;
  readonly encode: (parts: AsyncIterable<AnswerPart>, ids: AnswerIds) => AsyncGenerator<string>;
}

interface AnswerIds {
  readonly messageId: string;
  /** Sent on the event whose type is `finish` (specification §6). */
  readonly threadId: string;
}

/** The data stream of AI SDK 4 (v1). */
export const dataStreamProtocol: AnswerProtocol = {
  headers: { "content-type": "text/plain; charset=utf-8", "x-vercel-ai-data-stream": "v1" },
  keepAlive: line("2", []),
  async *encode(parts, { messageId, threadId }) {
    let sources = 0;
    let finishReason = "stop";
    yield line("f", { messageId });
    for await (const part of parts) {
      switch (part.type) {
        case "text":
          yield line("0", part.text);
          break;
        case "source":
          sources += 1;
          yield line("h", { sourceType: "url", id: `source-${sources}`, url: part.url, title: part.title });
          break;
        case "notice":
          yield line("8", [part]);
          break;
        case "stop":
          finishReason = part.reason;
          break;
        case "error":
          finishReason = "error";
          yield line("3", part.message);
      }
    }
    const usage = { promptTokens: null, completionTokens: null };
    // `useChat` drops unknown fields of the finish part but passes data parts on.
    yield line("2", [{ type: "finish", threadId }]);
    yield line("e", { finishReason, usage, isContinued: false });
    yield line("d", { type: "finish", finishReason, usage, threadId });
  },
};

function line(code: string, value: unknown): string {
  return `${code}:${JSON.stringify(value)}\n`;
}

/** The UI message stream of AI SDK 5 and later (v2). */
export const uiMessageProtocol: AnswerProtocol = {
  headers: {
    "content-type": "text/event-stream",
    "x-vercel-ai-ui-message-stream": "v1",
    "x-accel-buffering": "no",
  },
  keepAlive: ": keep-alive\n\n",
  async *encode(parts, { messageId, threadId }) {
    const id = "text-1";
    let sources = 0;
    let isTextOpen = false;
    let finishReason: StopReason | undefined;
    yield event({ type: "start", messageId });
    yield event({ type: "start-step" });
    for await (const part of parts) {
      switch (part.type) {
        case "text":
          if (!isTextOpen) yield event({ type: "text-start", id });
          isTextOpen = true;
          yield event({ type: "text-delta", id, delta: part.text });
          break;
        case "source":
          sources += 1;
          yield event({ ...part, type: "source-url", sourceId: `source-${sources}` });
          break;
        case "notice":
          yield event({ type: "data-notice", data: { message: part.message } });
          break;
        case "stop":
          finishReason = part.reason;
          break;
        case "error":
          if (isTextOpen) yield event({ type: "text-end", id });
          isTextOpen = false;
          yield event({ type: "error", errorText: part.message });
      }
    }
    if (isTextOpen) yield event({ type: "text-end", id });
    yield event({ type: "finish-step" });
    // SDK 5.0 rejects unknown fields of the finish event, `finishReason` included. All versions pass the metadata on.
    yield event({ type: "finish", messageMetadata: { threadId, ...(finishReason && { finishReason }) } });
    yield "data: [DONE]\n\n";
  },
};

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

interface AnswerDeps {
  /** The parts of the answer. The signal aborts when the client disconnects. */
  readonly answer: (signal: AbortSignal) => AsyncIterable<AnswerPart>;
  /** Receives the complete text of an answer that did not fail, before the finish event is sent. */
  readonly onAnswered: (text: string) => Promise<void>;
  readonly log: Log;
}

/** Creates the response body of an answer. An empty event is sent after `keepAliveMs` without data. */
export function streamAnswer(
  protocol: AnswerProtocol,
  ids: AnswerIds,
  keepAliveMs: number,
  deps: AnswerDeps,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TextEncoderStream();
  const writer = writable.getWriter();
  const disconnected = new AbortController();
  // Aborts immediately, even while the next part is awaited.
  writer.closed.catch(() => disconnected.abort());
  const keepAliveTimer = setInterval(() => {
    writer.write(protocol.keepAlive).catch(() => clearInterval(keepAliveTimer));
  }, keepAliveMs);
  const send = async () => {
    for await (const text of protocol.encode(collectAnswer(deps, disconnected.signal), ids)) {
      await writer.write(text);
      keepAliveTimer.refresh();
    }
    await writer.close();
  };
  send()
    .catch((error: unknown) => writer.abort(error))
    .finally(() => clearInterval(keepAliveTimer));
  return readable;
}

/** Drops empty text parts, turns a failure into an error part, and reports the complete text. */
async function* collectAnswer(
  { answer, onAnswered, log }: AnswerDeps,
  signal: AbortSignal,
): AsyncGenerator<AnswerPart> {
  let text = "";
  let isFailed = false;
  try {
    for await (const part of answer(signal)) {
      if (part.type === "text") text += part.text;
      isFailed ||= part.type === "error";
      if (part.type !== "text" || part.text !== "") yield part;
    }
    if (!isFailed) await onAnswered(text);
  } catch (error) {
    if (signal.aborted) return;
    log.warning(`The assistant could not answer: ${stackOf(error)}`);
    yield { type: "error", message: "The assistant failed. The platform's log has the reason." };
  }
}
