/** An answer on the wire: its parts in one of two protocols, sent as they are made. */
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";

/** What an answer is made of, before it takes the shape of a protocol. */
export type AnswerPart =
  /** `isRefusal`: the documents do not answer. */
  | { readonly type: "text"; readonly text: string; readonly isRefusal?: boolean }
  | { readonly type: "source"; readonly url: string; readonly title: string }
  /** The model was stopped before its end; nothing follows but the finish. */
  | { readonly type: "stop"; readonly reason: StopReason }
  /** The answer failed; nothing follows but the finish. */
  | { readonly type: "error"; readonly message: string };

/** What ends an answer early without a failure, in the protocols' words. */
export type StopReason = "length" | "content-filter";

/** A protocol: its headers, and the text of one answer. */
export interface AnswerProtocol {
  readonly headers: Readonly<Record<string, string>>;
  /** Carries nothing, so that no proxy takes a model that thinks for a broken connection. */
  readonly keepAlive: string;
  readonly encode: (parts: AsyncIterable<AnswerPart>, ids: AnswerIds) => AsyncGenerator<string>;
}

interface AnswerIds {
  readonly messageId: string;
  /** Both clients and the specification find the thread on the event whose type is finish. */
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
        case "stop":
          finishReason = part.reason;
          break;
        case "error":
          finishReason = "error";
          yield line("3", part.message);
      }
    }
    const usage = { promptTokens: null, completionTokens: null };
    // An unmodified `useChat` drops unknown fields of the finish part, and hands data on.
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
    // Clients of 5.0 refuse unknown fields on the finish itself, also the reason; all of them hand the metadata on.
    yield event({ type: "finish", messageMetadata: { threadId, ...(finishReason && { finishReason }) } });
    yield "data: [DONE]\n\n";
  },
};

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

interface AnswerDeps {
  /** The answer's parts; the signal aborts when the reader has gone away. */
  readonly answer: (signal: AbortSignal) => AsyncIterable<AnswerPart>;
  /** Called with the whole text of an answer that did not fail, before its end is sent. */
  readonly onAnswered: (text: string) => Promise<void>;
  readonly log: Log;
}

/** The body of an answer; it is never silent for longer than `keepAliveMs`. */
export function streamAnswer(
  protocol: AnswerProtocol,
  ids: AnswerIds,
  keepAliveMs: number,
  deps: AnswerDeps,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new TextEncoderStream();
  const writer = writable.getWriter();
  const reader = new AbortController();
  // At once, also while the next part is waited for: the work for it ends with the signal.
  writer.closed.catch(() => reader.abort());
  const silence = setInterval(() => {
    writer.write(protocol.keepAlive).catch(() => clearInterval(silence));
  }, keepAliveMs);
  const send = async () => {
    for await (const text of protocol.encode(settle(deps, reader.signal), ids)) {
      await writer.write(text);
      silence.refresh();
    }
    await writer.close();
  };
  send()
    .catch((error: unknown) => writer.abort(error))
    .finally(() => clearInterval(silence));
  return readable;
}

/** The answer's parts that carry something; a failure becomes one of them, and a whole answer is reported. */
async function* settle(
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
    log.warning(`An answer failed: ${stackOf(error)}`);
    yield { type: "error", message: "The assistant failed; its log says why." };
  }
}
