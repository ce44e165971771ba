/** The assistant's endpoint (specification §4.1): a question goes out, a stream of answer events comes back. */
import { AssistantRequest, assistantPath, UiAssistantRequest } from "./assistant-contract.ts";
import { PlatformError } from "./errors.ts";
import { type AnswerEvent, readDataStreamEvents, readUiMessageEvents } from "./stream/answer-events.ts";
import { parseDataStream } from "./stream/data-stream.ts";
import { guardBytes } from "./stream/guard-bytes.ts";
import { refuseDocuments } from "./stream/refuse-documents.ts";
import { decodeText, splitLines } from "./stream/split-lines.ts";
import type { StreamFault } from "./stream/stream-fault.ts";
import { parseUiMessageStream } from "./stream/ui-message-stream.ts";
import type { Transport } from "./transport/transport.ts";

/** A question in the shape of its version of the endpoint. */
export type AssistantQuestion =
  | { readonly version: "v1"; readonly domain: string; readonly request: AssistantRequest }
  | { readonly version: "v2"; readonly domain: string; readonly request: UiAssistantRequest };

export interface AssistantStream {
  /** From the header `x-thread-id`, where the platform sends it. */
  readonly threadId: string | undefined;
  /** From the header `x-thread-key`: a credential. */
  readonly threadKey: string | undefined;
  /** Ends with a fault where the answer did; cancelling it lets go of the connection. */
  readonly events: ReadableStream<AnswerEvent | StreamFault>;
}

export interface AssistantDeps {
  readonly transport: Pick<Transport, "open">;
  /** Longest silence in an answer, in milliseconds; below the transport's own time-out, so that this one explains. */
  readonly idleMs?: number;
}

/** Models think before the first word. */
const headersTimeoutMs = 120_000;
const defaultIdleMs = 55_000;
/** Tool results carry whole pages; an answer with all of them is still far below these. */
const maxLineLength = 16 * 1024 * 1024;
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends a question and hands over the answer's stream.
 *
 * @throws {PlatformError} when no stream begins.
 */
export async function openAssistantStream(
  question: AssistantQuestion,
  { transport, idleMs = defaultIdleMs }: AssistantDeps,
): Promise<AssistantStream> {
  const { version, domain } = question;
  const { headers, body } = await transport
    .open({
      name: "ask the assistant",
      method: "POST",
      path: assistantPath(version, domain),
      body: parseRequest(question),
      accept: "text/event-stream, text/plain, application/json",
      retry: "unless-limited",
      headersTimeoutMs,
    })
    .catch((error: unknown) => {
      throw error instanceof PlatformError && error.code === "not-found" ? describeUnknown(error) : error;
    });
  const bytes = guardBytes(body, { idleMs, maxBytes: maxAnswerBytes });
  const isEventStream = /^text\/event-stream\b/i.test(headerOf(headers, "content-type") ?? "");
  return {
    threadId: headerOf(headers, "x-thread-id"),
    threadKey: headerOf(headers, "x-thread-key"),
    events: version === "v2" || isEventStream ? readUiMessageStream(bytes) : readDataStream(bytes),
  };
}

/** Events of a v1 body. */
export function readDataStream(
  bytes: ReadableStream<Uint8Array | StreamFault>,
): ReadableStream<AnswerEvent | StreamFault> {
  return bytes
    .pipeThrough(decodeText())
    .pipeThrough(refuseDocuments())
    .pipeThrough(splitLines({ maxLength: maxLineLength }))
    .pipeThrough(parseDataStream())
    .pipeThrough(readDataStreamEvents());
}

/** Events of a v2 body. */
export function readUiMessageStream(
  bytes: ReadableStream<Uint8Array | StreamFault>,
): ReadableStream<AnswerEvent | StreamFault> {
  return bytes
    .pipeThrough(decodeText())
    .pipeThrough(refuseDocuments())
    .pipeThrough(parseUiMessageStream({ maxLength: maxLineLength }))
    .pipeThrough(readUiMessageEvents());
}

/** What of a question the platform may not know. */
function describeUnknown(error: PlatformError): PlatformError {
  const { message, status, requestId } = error;
  const hint =
    "Check `base-url`, `domain` and `thread-id`: the platform does not know one of them, has no endpoint of this `api-version`, or the key belongs to another organization.";
  return new PlatformError("not-found", message, { hint, status, requestId, cause: error });
}

function parseRequest(question: AssistantQuestion): AssistantRequest | UiAssistantRequest {
  return question.version === "v1"
    ? AssistantRequest.parse(question.request)
    : UiAssistantRequest.parse(question.request);
}

function headerOf(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
