/**
 * The assistant's endpoint (specification §4.1). The response's bytes are decoded to text, the text is split into parts of one of two
 * protocols, and the parts are converted to events, which are the same for both. The specification leaves the parts' fields open, so
 * all known formats of compatible platforms are supported.
 */
import { addAbortListener } from "node:events";
import type { Readable } from "node:stream";
import * as z from "zod/mini";
import { isJsonObject, messageOf, parseJson, shorten } from "../base/text.ts";
import { type AssistantRequest, assistantPath, type UiAssistantRequest } from "./assistant-contract.ts";
import { readErrorMessage } from "./errors.ts";
import type { PlatformClient } from "./platform-client.ts";

/** A question, in the format of its version of the endpoint. */
export type AssistantQuestion =
  | { readonly version: "v1"; readonly domain: string; readonly request: AssistantRequest }
  | { readonly version: "v2"; readonly domain: string; readonly request: UiAssistantRequest };

export interface AssistantStream {
  /** From the header `x-thread-id`, if the platform sends it. */
  readonly threadId: string | undefined;
  /** From the header `x-thread-key`: a credential. */
  readonly threadKey: string | undefined;
  /**
   * Reads the answer's events; may be called once. The events end when the signal aborts. The connection is closed at the end.
   *
   * @throws {StreamFault} after the last complete event, if the answer is damaged or incomplete.
   */
  readonly events: (signal: AbortSignal) => AsyncIterable<AnswerEvent>;
}

/** An event of an answer, the same for both protocols. */
export type AnswerEvent =
  | { readonly type: "text"; readonly text: string }
  /** The end of a step. Text after it starts a new paragraph. */
  | { readonly type: "break" }
  /** A page that the answer cites (`cited`), or that the assistant only found while it searched. */
  | {
      readonly type: "source";
      readonly url: string;
      readonly title: string | undefined;
      readonly cited: boolean;
    }
  | { readonly type: "thread"; readonly threadId: string }
  /** The assistant reports an error; the message is empty if it gives no reason. */
  | { readonly type: "error"; readonly message: string }
  /** The answer is complete. An answer without this event is incomplete. */
  | { readonly type: "finish"; readonly reason: string }
  /** A finish in the data parts, whose position is arbitrary. It counts only if no text follows. */
  | { readonly type: "data-finish"; readonly reason: string };

/** A stream ended too early. The message completes a sentence: "the connection broke (ECONNRESET)". */
export class StreamFault extends Error {
  /**
   * - `cut`: the connection ended, broke or was silent for too long;
   * - `malformed`: the data does not follow the protocol;
   * - `too-long`: a part or the whole answer exceeds its limit.
   */
  readonly reason: "cut" | "malformed" | "too-long";

  constructor(reason: StreamFault["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** A model may think for a long time before the response starts. */
const headersTimeoutMs = 120_000;
/** Tool results may contain whole pages. Real answers stay far below these limits. */
const maxPartLength = 16 * 1024 * 1024;
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends a question and returns the stream of the answer.
 *
 * @throws {PlatformError} if the platform returns no stream.
 */
export async function openAssistantStream(
  question: AssistantQuestion,
  platform: Pick<PlatformClient, "open">,
): Promise<AssistantStream> {
  const { version, domain, request } = question;
  const response = await platform.open({
    name: "ask the assistant",
    method: "POST",
    path: assistantPath(version, domain),
    body: request,
    accept: "text/event-stream, text/plain, application/json",
    retry: "unless-limited",
    headersTimeoutMs,
  });
  const headerOf = (name: string) => [response.headers[name]].flat()[0] || undefined;
  return {
    threadId: headerOf("x-thread-id"),
    threadKey: headerOf("x-thread-key"),
    events: (signal) => readAnswerEvents(response, signal),
  };
}

/**
 * Reads the events of a body. The protocol, v1 or v2, is detected from the lines, because the media type and the version of the
 * endpoint do not determine it. See `AssistantStream.events`.
 */
export async function* readAnswerEvents(body: Readable, signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  for await (const part of readParts(readText(readBytes(body, signal))))
    yield* "type" in part ? eventsOfChunk(part) : eventsOfPart(part);
}

/** Reads the body's chunks with a size limit. The body is closed at the end, and when the signal aborts. */
async function* readBytes(body: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  using _closing = addAbortListener(signal, () => body.destroy());
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxAnswerBytes)
        throw new StreamFault("too-long", `the answer is longer than ${maxAnswerBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof StreamFault) throw error;
    throw new StreamFault("cut", `the connection broke (${messageOf(error)})`, error);
  }
}

/** Decodes UTF-8, including characters that are split between chunks; one that is cut off at the end is dropped. */
export async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
}

/** A part of the data stream: its code, and its JSON value, or its text if that is not JSON. */
interface DataStreamPart {
  readonly code: string;
  readonly value: unknown;
}

/**
 * Parses an answer into the parts of its protocol. v1 is the data stream of AI SDK 4, with one `CODE:JSON` part per line. v2 is
 * server-sent events, each with a chunk of the UI message stream of AI SDK 5 and later; some platforms send v1 parts in events.
 * Empty lines, comments (`:…`) and the end marker `[DONE]` are skipped. Unknown codes and fields are allowed. The last line or event may
 * be unterminated.
 *
 * @throws {StreamFault} for a line that is not a part, and for an event that is neither a chunk nor a part.
 */
export async function* readParts(
  texts: AsyncIterable<string>,
): AsyncGenerator<DataStreamPart | UiMessageChunk> {
  let isEventStream = false;
  const data: string[] = [];
  for await (const { line, isEnded, rest } of readLines(texts)) {
    const [start = "", field] = eventField.exec(line) ?? [];
    isEventStream ||= field !== undefined;
    if (field === "data") data.push(line.slice(start.length));
    else if (line.trim() === "") yield* isEnded ? readEvent(data.splice(0)) : [];
    else if (!isEventStream && !line.startsWith(":")) yield parsePart(line) ?? notAPart(line, isEnded, rest);
  }
  // The empty line after the last event may be missing, but not a part of its data.
  const last = data.join("\n");
  if (isJsonObject(parseJson(last)) || parsePart(last) !== undefined) yield* readEvent(data);
}

/** Fields of a server-sent event. Codes of data stream parts have only one letter. */
const eventFields = ["data", "event", "id", "retry"];
const eventField = new RegExp(`^(${eventFields.join("|")})(?:$|: ?)`);

function* readEvent(lines: readonly string[]): Generator<DataStreamPart | UiMessageChunk> {
  const data = lines.join("\n");
  requireShort(data);
  if (data !== "" && data !== "[DONE]") yield parsePart(data) ?? parseChunk(data);
}

/**
 * Splits a text into lines, which end with LF, CRLF or CR. The last line may be unterminated. `rest` returns what has arrived after a line.
 */
async function* readLines(texts: AsyncIterable<string>) {
  let line = "";
  /** A CR at the end of the text so far, which a LF may follow. */
  let pendingCr = "";
  for await (const text of texts) {
    const piece = pendingCr + text;
    pendingCr = piece.endsWith("\r") ? "\r" : "";
    const [first = "", ...others] = piece.slice(0, piece.length - pendingCr.length).split(/\r\n?|\n/);
    line += first;
    for (const [index, next] of others.entries()) {
      yield { line, isEnded: true, rest: () => others.slice(index).join("\n") };
      line = next;
    }
    requireShort(line);
  }
  yield { line, isEnded: pendingCr !== "", rest: () => "" };
}

function requireShort(part: string): void {
  if (part.length > maxPartLength)
    throw new StreamFault("too-long", `a part is longer than ${maxPartLength} characters`);
}

/** A code and a value. Platforms send white space to keep the connection open before the answer starts. */
const partPattern = /^\s*([0-9a-z]+):(.*)$/s;
/** The codes of the protocol. Their values must be JSON. */
const knownCode = /^[02389a-k]$/;

function parsePart(line: string): DataStreamPart | undefined {
  const [, code = "", json = ""] = partPattern.exec(line) ?? [];
  const value = parseJson(json);
  // A text part without text would leave a gap in the answer.
  if (code === "" || (code === "0" && typeof value !== "string")) return undefined;
  if (value !== undefined) return { code, value };
  return knownCode.test(code) ? undefined : { code, value: json };
}

/** Platforms and proxies also return errors and login pages with status 200. */
function notAPart(line: string, isEnded: boolean, rest: () => string): never {
  const [start = ""] = line.trim().split(":", 1);
  const isStart = /^[0-9a-z]$/.test(start) || eventFields.some((field) => field.startsWith(start));
  if (!isEnded && isStart) throw new StreamFault("cut", "the last part is cut off");
  throw malformed("a line is not a part of a data stream", `${line}\n${rest()}`);
}

function malformed(problem: string, text: string): StreamFault {
  const shown = readErrorMessage(text);
  return new StreamFault(
    "malformed",
    shown === undefined ? problem : `${problem}: ${JSON.stringify(shorten(shown, 80))}`,
  );
}

function parseChunk(data: string): UiMessageChunk {
  const value = parseJson(data);
  if (value === undefined) throw malformed("an event is not JSON", data);
  const chunk = fieldsOf(value);
  if (chunk?.type !== undefined) return { ...chunk, type: chunk.type };
  throw malformed("an event is not a chunk of a message stream", data);
}

const optionalText = z.catch(z.optional(z.string()), undefined);

/** All fields that are read from parts of either protocol. A field of another type is ignored, because the protocols may change. */
const PartFields = z.looseObject({
  type: optionalText,
  delta: optionalText,
  url: optionalText,
  path: optionalText,
  title: optionalText,
  message: optionalText,
  errorText: optionalText,
  reason: optionalText,
  finishReason: optionalText,
  threadId: optionalText,
  isContinued: z.catch(z.optional(z.boolean()), undefined),
});
type PartFields = z.infer<typeof PartFields>;
type UiMessageChunk = PartFields & { readonly type: string };

function fieldsOf(value: unknown): PartFields | undefined {
  return isJsonObject(value) ? PartFields.parse(value) : undefined;
}

type ReadEvents<Part> = (part: Part, fields: PartFields | undefined) => Iterable<AnswerEvent>;

const eventsByCode = new Map<string, ReadEvents<unknown>>([
  ["0", (value) => [{ type: "text", text: String(value) }]],
  ["3", (value) => [{ type: "error", message: reasonOf(value) }]],
  ["h", (value) => pagesIn(value, true)],
  ["a", (_value, fields) => pagesIn(fields?.["result"], false)],
  ["e", (_value, fields) => (fields && !fields.isContinued ? [{ type: "break" }] : [])],
  ["d", (_value, fields) => (fields ? [{ type: "finish", reason: fields.finishReason ?? "unknown" }] : [])],
]);

function* eventsOfPart({ code, value }: DataStreamPart): Generator<AnswerEvent> {
  // Any part may have these fields. Platforms use data (2) and annotations (8) for their own extensions.
  for (const data of [value].flat().map(fieldsOf)) {
    yield* threadIn(data);
    if (data?.type === "finish" && code !== "d")
      yield { type: "data-finish", reason: data.finishReason ?? "stop" };
    if (code === "2" || code === "8") yield* pagesInData(data);
  }
  yield* eventsByCode.get(code)?.(value, fieldsOf(value)) ?? [];
}

/** Converts the chunks of a message stream to events, by type. Platforms for AI SDK 5.0 send the finish reason in the metadata. */
const eventsByType = new Map<string, ReadEvents<UiMessageChunk>>([
  ["text-delta", ({ delta = "" }) => [{ type: "text", text: delta }]],
  ["text-end", () => [{ type: "break" }]],
  ["source-url", (chunk) => pagesIn(chunk, true)],
  ["source-document", (chunk) => pagesIn(chunk, true)],
  ["tool-output-available", ({ output }) => pagesIn(output, false)],
  ["error", ({ errorText }) => [{ type: "error", message: reasonOf(errorText) }]],
  ["abort", ({ reason }) => [{ type: "error", message: reasonOf(reason) }]],
  [
    "finish",
    (chunk, metadata) => {
      return [{ type: "finish", reason: chunk.finishReason ?? metadata?.finishReason ?? "stop" }];
    },
  ],
]);

function* eventsOfChunk(chunk: UiMessageChunk): Generator<AnswerEvent> {
  const metadata = fieldsOf(chunk["messageMetadata"]);
  yield* threadIn(chunk);
  yield* pagesInData(metadata, "metadata");
  yield* eventsByType.get(chunk.type)?.(chunk, metadata) ?? [];
  const data = chunk.type.startsWith("data-") ? [chunk["data"]].flat() : [];
  for (const item of data) yield* pagesInData(fieldsOf(item), chunk.type);
}

/**
 * The specification states that `threadId` is on "the event whose type is finish". Platforms send it beside the finish reason, in data
 * or annotations, or in the message's metadata.
 */
function* threadIn(fields: PartFields | undefined): Generator<AnswerEvent> {
  const data = fields?.type?.startsWith("data-") ? fields["data"] : undefined;
  const threadId = fields?.threadId || fieldsOf(fields?.["messageMetadata"] ?? data)?.threadId;
  if (threadId) yield { type: "thread", threadId };
}

/** Fields in which platforms list pages, and whether these pages may be cited ones or are only search results. */
const pageLists: readonly (readonly [name: string, mayBeCited: boolean])[] = [
  ...["source", "sources", "citations", "references", "pages", "nodes", "data"].map(
    (name) => [name, true] as const,
  ),
  ...["results", "documents", "hits"].map((name) => [name, false] as const),
];
/** Limits the recursion: JSON can be nested more deeply than the stack allows. */
const maxPageDepth = 6;

/** The pages in a value. Platforms send a page's address as `url` or `path`, with its title beside it, or both in `metadata`. */
function* pagesIn(input: unknown, cited: boolean, depth = maxPageDepth): Generator<AnswerEvent> {
  if (depth === 0) return;
  // Some tools return their result as JSON text.
  const value = typeof input === "string" ? parseJson(input) : input;
  if (Array.isArray(value)) for (const item of value) yield* pagesIn(item, cited, depth - 1);
  const fields = fieldsOf(value);
  if (fields === undefined) return;
  const metadata = fieldsOf(fields["metadata"]);
  const url = fields.url || fields.path || metadata?.url || metadata?.path;
  if (url) yield { type: "source", url, title: fields.title ?? metadata?.title, cited };
  else
    for (const [name, mayBeCited] of pageLists) yield* pagesIn(fields[name], cited && mayBeCited, depth - 1);
}

/** The pages in data of any type. Its own address counts as a page only if its type is missing or names a source. */
function* pagesInData(data: PartFields | undefined, type = data?.type ?? "source"): Generator<AnswerEvent> {
  const isPage = /source|citation|reference|document|page/i.test(type);
  yield* pagesIn(data && (isPage ? data : { ...data, url: "", path: "", metadata: {} }), true);
}

function reasonOf(value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  return fieldsOf(value)?.message ?? "";
}
