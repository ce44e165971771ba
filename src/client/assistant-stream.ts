/**
 * The assistant's endpoint (specification §4.1): a question goes out, an answer comes back. Its bytes become text, the
 * text becomes parts of one of two protocols, and the parts become events, which are the same for both. What a part holds
 * is not specified: every shape that compatible platforms are known to send is read.
 */
import * as z from "zod/mini";
import { isJsonObject, messageOf, parseJson, shorten } from "../base/text.ts";
import { type AssistantRequest, assistantPath, type UiAssistantRequest } from "./assistant-contract.ts";
import { readErrorMessage } from "./error-message.ts";
import { PlatformError } from "./errors.ts";
import type { PlatformClient } from "./platform-client.ts";

/** A question in the shape of its version of the endpoint. */
export type AssistantQuestion =
  | { readonly version: "v1"; readonly domain: string; readonly request: AssistantRequest }
  | { readonly version: "v2"; readonly domain: string; readonly request: UiAssistantRequest };

export interface AssistantStream {
  /** From the header `x-thread-id`, where the platform sends it. */
  readonly threadId: string | undefined;
  /** From the header `x-thread-key`: a credential. */
  readonly threadKey: string | undefined;
  /**
   * The answer's events, to be read once. They end early when the signal aborts; the connection is closed with them.
   *
   * @throws {StreamFault} after the last event that arrived, where the answer is damaged or cut.
   */
  readonly events: (signal: AbortSignal) => AsyncIterable<AnswerEvent>;
}

/** What a reader of an answer needs to know, the same for both protocols. */
export type AnswerEvent =
  | { readonly type: "text"; readonly text: string }
  /** A new paragraph begins: the text of one step is not continued by the next. */
  | { readonly type: "break" }
  /** A page that the answer cites (`cited`), or that the assistant found while it searched. */
  | {
      readonly type: "source";
      readonly url: string;
      readonly title: string | undefined;
      readonly cited: boolean;
    }
  | { readonly type: "thread"; readonly threadId: string }
  /** The assistant says that it failed. */
  | { readonly type: "error"; readonly message: string }
  /** The assistant says that the answer is whole; without it, it is not. */
  | { readonly type: "finish"; readonly reason: string }
  /** The same among the data beside the answer, which may stand anywhere: it holds where no text follows. */
  | { readonly type: "data-finish"; readonly reason: string };

/** Why a stream ended before its end; the message is the end of a sentence: "the connection broke (ECONNRESET)". */
export class StreamFault extends Error {
  override readonly name = "StreamFault";
  /**
   * - `cut`: the connection ended or broke;
   * - `idle`: nothing came for too long;
   * - `malformed`: what came is not the protocol;
   * - `too-long`: one part, or the whole, is longer than any answer.
   */
  readonly reason: "cut" | "idle" | "malformed" | "too-long";

  constructor(reason: StreamFault["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Models think before the first word. */
const headersTimeoutMs = 120_000;
/** Longest silence in an answer; below the connection's own time-out, so that this one explains. */
const maxSilenceMs = 55_000;
/** Tool results carry whole pages; an answer with all of them is still far below these. */
const maxPartLength = 16 * 1024 * 1024;
const maxAnswerBytes = 64 * 1024 * 1024;
/** Enough for what an error says. */
const maxDocumentLength = 64 * 1024;

/**
 * Sends a question and hands over the answer's stream.
 *
 * @throws {PlatformError} when no stream begins.
 */
export async function openAssistantStream(
  question: AssistantQuestion,
  platform: Pick<PlatformClient, "open">,
): Promise<AssistantStream> {
  const { version, domain, request } = question;
  const response = await platform
    .open({
      name: "ask the assistant",
      method: "POST",
      path: assistantPath(version, domain),
      body: request,
      accept: "text/event-stream, text/plain, application/json",
      retry: "unless-limited",
      headersTimeoutMs,
    })
    .catch((error: unknown) => {
      throw error instanceof PlatformError && error.code === "not-found" ? describeUnknown(error) : error;
    });
  const headerOf = (name: string) => [response.headers[name]].flat()[0] || undefined;
  return {
    threadId: headerOf("x-thread-id"),
    threadKey: headerOf("x-thread-key"),
    events: (signal) => readAnswerEvents(response, signal),
  };
}

/** What of a question the platform may not know. */
function describeUnknown(error: PlatformError): PlatformError {
  const { message, status, requestId } = error;
  const hint =
    "Check `base-url`, `domain` and `thread-id`: the platform does not know one of them, has no endpoint of this `api-version`, or the key belongs to another organization.";
  return new PlatformError("not-found", message, { hint, status, requestId, cause: error });
}

/** A body of bytes; that of an HTTP response can be destroyed while it is silent. */
type Body = AsyncIterable<Uint8Array> & { destroy?(): unknown };

/**
 * Events of a body in the protocol of v1 or v2, whichever its lines are: media types, and the versions of the endpoint, do
 * not tell. See `AssistantStream.events`.
 */
export async function* readAnswerEvents(
  body: Body,
  signal: AbortSignal,
  idleMs = maxSilenceMs,
): AsyncGenerator<AnswerEvent> {
  for await (const part of readParts(readText(readBytes(body, idleMs, signal))))
    yield* "type" in part ? eventsOfChunk(part) : eventsOfPart(part);
}

/** The body's chunks: it never hangs, never grows without end, and is closed when it is not read any further. */
async function* readBytes(body: Body, idleMs: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await nextChunk(iterator, idleMs, signal);
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxAnswerBytes)
        throw new StreamFault("too-long", `it is longer than ${maxAnswerBytes} bytes`);
      yield value;
    }
  } finally {
    // Without waiting for it: a silent connection would hold up the end. How the body takes it matters no more.
    iterator.return?.().catch(() => undefined);
    body.destroy?.();
  }
}

/** The next chunk, or the end when the signal aborts. */
async function nextChunk(
  iterator: AsyncIterator<Uint8Array, unknown>,
  idleMs: number,
  signal: AbortSignal,
): Promise<IteratorResult<Uint8Array, unknown>> {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array, unknown>>();
  const stop = () => resolve({ done: true, value: undefined });
  const seconds = Math.round(idleMs / 1000);
  const timer = setTimeout(() => reject(new StreamFault("idle", `nothing came for ${seconds} s`)), idleMs);
  signal.addEventListener("abort", stop);
  try {
    if (signal.aborted) stop();
    else
      iterator.next().then(resolve, (error: unknown) => {
        reject(new StreamFault("cut", `the connection broke (${messageOf(error)})`, error));
      });
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/**
 * Decodes UTF-8, also where a chunk ends inside a character. Platforms and proxies answer 200 with JSON errors and
 * login pages; no part of a data stream and no server-sent event begins like these, so they end the stream with their message.
 */
export async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let isStream = false;
  let document = "";
  for await (const chunk of bytes) {
    const decoded = decoder.decode(chunk, { stream: true });
    // White space shows that the connection is alive before the answer begins.
    const text: string = isStream || document !== "" ? decoded : decoded.trimStart();
    if (text === "") continue;
    isStream ||= document === "" && !/^[{["<]/.test(text);
    if (isStream) yield text;
    else document += text;
    if (document.length > maxDocumentLength) break;
  }
  if (document !== "")
    throw new StreamFault("malformed", readErrorMessage(document)?.replace(/\.$/, "") ?? "it says nothing");
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** A part of the data stream: its code, and its value as JSON or, where it is none, as text. */
interface DataStreamPart {
  readonly code: string;
  readonly value: unknown;
}

/**
 * What the lines of an answer say: parts of the AI SDK 4 data stream (v1), one per line, `CODE:JSON`; or server-sent events,
 * each with a chunk of the UI message stream of AI SDK 5 and later (v2), or again with a part. Empty lines and comments (`:…`)
 * are skipped, codes and fields that the protocols do not have are let through; the end marker adds nothing, as a `finish`
 * says that the answer is whole.
 *
 * @throws {StreamFault} at a line that is no part at all, and at an event that is no chunk.
 */
export async function* readParts(
  texts: AsyncIterable<string>,
): AsyncGenerator<DataStreamPart | UiMessageChunk> {
  let isEventStream = false;
  const data: string[] = [];
  for await (const { line, isEnded } of readLines(texts)) {
    const [start = "", field] = (isEnded && eventField.exec(line)) || [];
    isEventStream ||= field !== undefined;
    if (field === "data") data.push(line.slice(start.length));
    else if (line.trim() === "") yield* isEnded ? readEvent(data.splice(0)) : [];
    else if (!isEventStream && !line.startsWith(":")) yield parsePart(line) ?? notAPart(line, isEnded);
  }
}

/** The beginning of a field of a server-sent event; parts of a data stream have codes of one letter. */
const eventField = /^(data|event|id|retry)(?:$|: ?)/;

/** What an event says in its lines of data. */
function* readEvent(lines: readonly string[]): Generator<DataStreamPart | UiMessageChunk> {
  const data = lines.join("\n");
  requireShort(data);
  if (lines.length > 0 && data !== "[DONE]") yield parsePart(data) ?? parseChunk(data);
}

/** The lines of a text, which LF, CRLF or CR ends; the last one may have no end. */
async function* readLines(texts: AsyncIterable<string>) {
  let line = "";
  /** A CR at the end of a piece, whose LF may be still to come. */
  let held = "";
  for await (const text of texts) {
    const piece = held + text;
    held = piece.endsWith("\r") ? "\r" : "";
    const [first = "", ...others] = piece.slice(0, piece.length - held.length).split(/\r\n?|\n/);
    line += first;
    for (const next of others) {
      yield { line, isEnded: true };
      line = next;
    }
    requireShort(line);
  }
  yield { line, isEnded: held !== "" };
}

function requireShort(part: string): void {
  if (part.length > maxPartLength)
    throw new StreamFault("too-long", `a part is longer than ${maxPartLength} characters`);
}

/** The codes of the protocol, whose values are JSON. */
const knownCode = /^[02389a-k]$/;

function parsePart(line: string): DataStreamPart | undefined {
  const [, code = "", json = ""] = /^([0-9a-z]+):(.*)$/s.exec(line) ?? [];
  const value = parseJson(json);
  // Without its text, an answer cannot be read on.
  if (code === "" || (code === "0" && typeof value !== "string")) return undefined;
  if (value !== undefined) return { code, value };
  return knownCode.test(code) ? undefined : { code, value: json };
}

function notAPart(line: string, isEnded: boolean): never {
  if (!isEnded) throw new StreamFault("cut", "the last part is cut off");
  const excerpt = JSON.stringify(shorten(line.trimEnd(), 80));
  throw new StreamFault("malformed", `a line is not a part of a data stream: ${excerpt}`);
}

function parseChunk(data: string): UiMessageChunk {
  const value = parseJson(data);
  if (value === undefined) throw new StreamFault("malformed", "an event is not JSON");
  const chunk = fieldsOf(value);
  if (chunk?.type !== undefined) return { ...chunk, type: chunk.type };
  throw new StreamFault("malformed", "an event is not a chunk of a message stream");
}

const optionalText = z.catch(z.optional(z.string()), undefined);

/** Every field that is read of a part, in either protocol; of another type it counts as absent. The protocols grow. */
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

/** `undefined` where a value is no object. */
function fieldsOf(value: unknown): PartFields | undefined {
  return isJsonObject(value) ? PartFields.parse(value) : undefined;
}

type ReadEvents<Part> = (part: Part, fields: PartFields | undefined) => Iterable<AnswerEvent>;

/** What the parts of a data stream mean, by their codes. */
const eventsByCode = new Map<string, ReadEvents<unknown>>([
  ["0", (value) => [{ type: "text", text: String(value) }]],
  ["3", (value) => [{ type: "error", message: reasonOf(value) }]],
  ["h", (value) => pagesIn(value, true)],
  ["a", (_value, fields) => pagesIn(fields?.["result"], false)],
  ["e", (_value, fields) => (fields && !fields.isContinued ? [{ type: "break" }] : [])],
  ["d", (_value, fields) => (fields ? [{ type: "finish", reason: fields.finishReason ?? "unknown" }] : [])],
]);

function* eventsOfPart({ code, value }: DataStreamPart): Generator<AnswerEvent> {
  for (const item of [value].flat()) yield* eventsInData(code, fieldsOf(item));
  yield* eventsByCode.get(code)?.(value, fieldsOf(value)) ?? [];
}

/** What any part may say besides; data (2) and annotations (8) are for whatever the protocol has no code for. */
function* eventsInData(code: string, data: PartFields | undefined): Generator<AnswerEvent> {
  yield* threadIn(data);
  if (data?.type === "finish" && code !== "d")
    yield { type: "data-finish", reason: data.finishReason ?? "stop" };
  if (code === "2" || code === "8") yield* pagesInData(data);
}

/** What the chunks of a message stream mean, by their types; clients of 5.0 take a finish's reason in the metadata. */
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
  for (const item of data) yield* pagesInData(fieldsOf(item), chunk.type.slice(5));
}

/**
 * The specification says that `threadId` is on "the event whose type is finish", and platforms put it in different
 * places: beside the finish reason, in a list of data or annotations, in the message's metadata.
 */
function* threadIn(fields: PartFields | undefined): Generator<AnswerEvent> {
  const data = fields?.type?.startsWith("data-") ? fields["data"] : undefined;
  const threadId = fields?.threadId || fieldsOf(fields?.["messageMetadata"] ?? data)?.threadId;
  if (threadId) yield { type: "thread", threadId };
}

/** Where platforms list pages, and whether the answer may cite what is listed there; searches find more than that. */
const pageLists: readonly (readonly [name: string, mayBeCited: boolean])[] = [
  ...["source", "sources", "citations", "references", "pages", "nodes", "data"].map(
    (name) => [name, true] as const,
  ),
  ...["results", "documents", "hits"].map((name) => [name, false] as const),
];
/** Lists in objects in lists; JSON can be nested deeper than the stack. */
const maxPageDepth = 6;

/** The pages in a value: platforms name a page `url` or `path`, and its title beside it, or both in `metadata`. */
function* pagesIn(given: unknown, cited: boolean, depth = maxPageDepth): Generator<AnswerEvent> {
  if (depth === 0) return;
  // Tools also hand over their result as text.
  const value = typeof given === "string" ? parseJson(given) : given;
  if (Array.isArray(value)) for (const item of value) yield* pagesIn(item, cited, depth - 1);
  const fields = fieldsOf(value);
  if (fields === undefined) return;
  const metadata = fieldsOf(fields["metadata"]);
  const url = fields.url || fields.path || metadata?.url || metadata?.path;
  if (url) yield { type: "source", url, title: fields.title ?? metadata?.title, cited };
  else
    for (const [name, mayBeCited] of pageLists) yield* pagesIn(fields[name], cited && mayBeCited, depth - 1);
}

/** The same in data of any kind: an address in it is a page's where its type, if it has one, says so. */
function* pagesInData(data: PartFields | undefined, type = data?.type ?? "source"): Generator<AnswerEvent> {
  const isPage = /source|citation|reference|document|page/i.test(type);
  yield* pagesIn(data && (isPage ? data : { ...data, url: "", path: "", metadata: {} }), true);
}

function reasonOf(value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  return fieldsOf(value)?.message ?? "The assistant gave no reason.";
}
