/** Streams an answer as it is made, and ends the work when the reader goes away. */
import type { Log } from "../../base/runtime.ts";
import { stackOf } from "../../base/text.ts";
import type { AnswerPart, StopReason } from "./answer-part.ts";
import type { AnswerProtocol } from "./encode-answer.ts";

interface StreamAnswerOptions {
  readonly protocol: AnswerProtocol;
  readonly messageId: string;
  readonly threadId: string;
  /** Longest silence, in milliseconds; a model may think for longer. */
  readonly keepAliveMs: number;
}

interface StreamAnswerDeps {
  /** The answer's parts; the signal aborts when nobody reads them any more. */
  readonly answer: (signal: AbortSignal) => AsyncIterable<AnswerPart> | Iterable<AnswerPart>;
  /** Called with the whole text of an answer that did not fail, before its end is sent. */
  readonly onAnswered: (text: string) => Promise<void>;
  readonly log: Log;
}

/** The body of an answer. */
export function streamAnswer(
  options: StreamAnswerOptions,
  deps: StreamAnswerDeps,
): ReadableStream<Uint8Array> {
  const reader = new AbortController();
  const chunks = makeChunks(options, { ...deps, signal: reader.signal });
  const encoder = new TextEncoder();
  let pending: Promise<IteratorResult<string, undefined>> | undefined;
  return new ReadableStream(
    {
      async pull(controller) {
        pending ??= chunks.next();
        const next = await within(options.keepAliveMs, pending);
        if (next === undefined) return controller.enqueue(encoder.encode(options.protocol.keepAlive));
        pending = undefined;
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      // At once, also while the next part is waited for: the work for it ends with the signal.
      cancel: () => reader.abort(),
    },
    { highWaterMark: 0 },
  );
}

/** The promise's value, or `undefined` when it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(silence.resolve, ms, undefined);
  try {
    return await Promise.race([promise, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function* makeChunks(
  { protocol, messageId, threadId }: StreamAnswerOptions,
  { answer, onAnswered, log, signal }: StreamAnswerDeps & { readonly signal: AbortSignal },
): AsyncGenerator<string, undefined> {
  let text = "";
  let failed = false;
  let stop: StopReason | undefined;
  yield protocol.begin(messageId);
  try {
    for await (const part of answer(signal)) {
      if (part.type === "stop") stop = part.reason;
      if (part.type === "text") text += part.text;
      failed ||= part.type === "error";
      if (!isSilent(part)) yield protocol.encode(part);
    }
    if (!failed) await onAnswered(text);
  } catch (error) {
    if (signal.aborted) return;
    log.warning(`An answer failed: ${stackOf(error)}`);
    failed = true;
    yield protocol.encode({ type: "error", message: "The assistant failed; its log says why." });
  }
  yield protocol.end({ threadId, failed, stop });
}

/** Whether a part is nothing on the wire; a stop is told with the finish. */
function isSilent(part: AnswerPart): part is Extract<AnswerPart, { type: "stop" }> {
  return part.type === "stop" || (part.type === "text" && part.text === "");
}
