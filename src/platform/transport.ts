/** One request to the platform: authentication, time-outs, size limits, retries that know the operation, errors that explain themselves. */
import { type Dispatcher, request as send } from "undici";
import type { z } from "zod";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { connectionError, httpError, invalidAnswer } from "./answer-errors.ts";
import { PlatformError } from "./errors.ts";
import { readCapped } from "./read-capped.ts";
import { readTimestamp } from "./read-timestamp.ts";

/**
 * When a failed request may be repeated:
 * - `freely`: a read, or a call that can be made twice without harm;
 * - `unless-sent`: it creates something; repeated only if it surely did not arrive or was turned away (429);
 * - `unless-arrived`: it creates something whose refusal (429) the caller answers itself; repeated only if it surely did not arrive;
 * - `never`: the caller has a schedule of its own (polling).
 */
export type RetryPolicy = "freely" | "unless-sent" | "unless-arrived" | "never";

export interface PlatformRequest {
  /** What the request does, for messages: "start the export". */
  readonly name: string;
  readonly method: "GET" | "POST";
  /** Path below the base address, with a leading slash, its variable parts already encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Media type to ask for; JSON unless said. */
  readonly accept?: string;
  readonly retry: RetryPolicy;
  /** Time-out for the answer's head in milliseconds, where the usual 60 s do not fit. */
  readonly headersTimeoutMs?: number;
}

export interface TransportOptions {
  /** Address of the platform; a path prefix is kept. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly userAgent: string;
  /** Milliseconds since the epoch after which no retry starts. */
  readonly deadlineMs: number;
  /** A request that starts at the deadline, as the last look at a job does, still gets this long; 10 s unless said. */
  readonly shortestTimeLimitMs?: number;
}

export interface TransportDeps {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly random: () => number;
}

/** Requests to one platform with one key. */
export interface Transport {
  /** Origin of the platform, for messages. */
  readonly origin: string;

  /**
   * Sends a request until it succeeds, its policy forbids another try, or the deadline is near.
   *
   * @throws {PlatformError} with the last failure; the signal's reason when aborted.
   */
  requestJson<Schema extends z.ZodType>(request: PlatformRequest, schema: Schema): Promise<z.infer<Schema>>;

  /** Like `requestJson`, with the platform's own time of the answer: what a lifetime in it is to be measured by. */
  requestDatedJson<Schema extends z.ZodType>(
    request: PlatformRequest,
    schema: Schema,
  ): Promise<{ readonly value: z.infer<Schema>; readonly date: Date | undefined }>;

  /**
   * Like `requestJson`, but hands over the successful answer with its body unread, for answers that are streams.
   *
   * @throws {PlatformError} with the last failure; the signal's reason when aborted.
   */
  open(request: PlatformRequest): Promise<Dispatcher.ResponseData>;
}

type Context = TransportOptions & TransportDeps;

const maxAttempts = 5;
const maxRedirects = 3;
const maxAnswerBytes = 4 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
const maxBackoffMs = 30_000;

export function createTransport(options: TransportOptions, deps: TransportDeps): Transport {
  const context = { ...options, ...deps };
  const requestDatedJson: Transport["requestDatedJson"] = (request, schema) =>
    withRetries(request, context, async () => {
      const answer = await readAnswer(request, context);
      return {
        value: parseAnswer(request, schema, answer),
        date: readTimestamp(String(answer.headers.date ?? "")),
      };
    });
  return {
    origin: options.baseUrl.origin,
    requestDatedJson,
    requestJson: async (request, schema) => (await requestDatedJson(request, schema)).value,
    open: (request) => withRetries(request, context, () => sendOnce(request, context)),
  };
}

async function withRetries<T>(request: PlatformRequest, context: Context, run: () => Promise<T>): Promise<T> {
  const { clock, log, signal } = context;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await run();
    } catch (error) {
      const delayMs = delayBeforeRetry({ request, error, attempts }, context);
      if (delayMs === undefined) throw error;
      const seconds = Math.max(1, Math.round(delayMs / 1000));
      log.info(
        `${messageOf(error)} Trying again in ${seconds} s (attempt ${attempts + 1} of ${maxAttempts}).`,
      );
      await clock.sleep(delayMs, signal);
    }
  }
}

/** How long to wait before the next attempt; `undefined`: give up. Full jitter, or what the platform asked for. */
function delayBeforeRetry(
  { request, error, attempts }: { request: PlatformRequest; error: unknown; attempts: number },
  { clock, random, deadlineMs }: Context,
): number | undefined {
  if (!(error instanceof PlatformError) || attempts >= maxAttempts || !mayRepeat(request, error))
    return undefined;
  const jitter = random() * Math.min(maxBackoffMs, 1000 * 2 ** attempts);
  const delayMs = Math.max(error.retryAfterMs ?? 0, jitter);
  return clock.now() + delayMs < deadlineMs ? delayMs : undefined;
}

function mayRepeat(request: PlatformRequest, error: PlatformError): boolean {
  if (request.retry === "never" || error.maybeSubmitted) return false;
  if (error.code === "unreachable") return true;
  if (request.retry === "unless-arrived") return false;
  if (error.code === "rate-limited") return true;
  if (request.retry === "unless-sent") return false;
  // A conflict is a job that is not yet where its status says it is; garbage in a success is a proxy's passing fault.
  const isGarbled = error.code === "unexpected-response" && error.status !== undefined && error.status < 300;
  return error.code === "unavailable" || error.code === "conflict" || isGarbled;
}

/** Where a request goes: always the platform's own origin, so that the key never leaves it. */
function urlOf(path: string, baseUrl: URL): URL {
  const url = new URL(baseUrl);
  // The setter cannot change the host; resolving a path like `//host/…` against the base would.
  url.pathname = baseUrl.pathname.replace(/\/+$/, "") + path;
  return url;
}

/** One successful answer, its body unread. */
async function sendOnce(request: PlatformRequest, context: Context): Promise<Dispatcher.ResponseData> {
  const response = await followRedirects(request, context);
  if (response.statusCode >= 200 && response.statusCode < 300) return response;
  const body = await readText({ request, response, maxBytes: maxErrorBytes }, context);
  throw httpError(
    request,
    { status: response.statusCode, headers: response.headers, body },
    context.clock.now(),
  );
}

/** Follows redirects of reads that stay on the platform's origin; any other redirect is left to be reported. */
async function followRedirects(request: PlatformRequest, context: Context): Promise<Dispatcher.ResponseData> {
  let url = urlOf(request.path, context.baseUrl);
  for (let redirects = 0; ; redirects += 1) {
    const response = await sendTo(url, request, context);
    const target = redirectTarget(response, url);
    const follow =
      request.method === "GET" && redirects < maxRedirects && target?.origin === context.baseUrl.origin;
    if (target === undefined || !follow) return response;
    await response.body.dump();
    url = target;
  }
}

async function sendTo(
  url: URL,
  request: PlatformRequest,
  context: Context,
): Promise<Dispatcher.ResponseData> {
  const { dispatcher, signal, apiKey, userAgent, deadlineMs, clock, shortestTimeLimitMs = 10_000 } = context;
  const timeLimit = AbortSignal.timeout(Math.max(shortestTimeLimitMs, deadlineMs - clock.now()));
  const hasBody = request.body !== undefined;
  try {
    return await send(url, {
      dispatcher,
      signal: AbortSignal.any([signal, timeLimit]),
      method: request.method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: request.accept ?? "application/json",
        "user-agent": userAgent,
        ...(hasBody ? { "content-type": "application/json" } : {}),
      },
      body: hasBody ? JSON.stringify(request.body) : null,
      ...(request.headersTimeoutMs === undefined ? {} : { headersTimeout: request.headersTimeoutMs }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw connectionError(request, url, { error, sent: false });
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData["headers"];
  readonly body: string;
}

async function readAnswer(request: PlatformRequest, context: Context): Promise<Answer> {
  const response = await sendOnce(request, context);
  const body = await readText({ request, response, maxBytes: maxAnswerBytes }, context);
  return { status: response.statusCode, headers: response.headers, body };
}

async function readText(
  {
    request,
    response,
    maxBytes,
  }: { request: PlatformRequest; response: Dispatcher.ResponseData; maxBytes: number },
  { baseUrl, signal }: Context,
): Promise<string> {
  try {
    return await readCapped(response.body, maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    throw connectionError(request, baseUrl, { error, sent: true });
  }
}

function parseAnswer<Schema extends z.ZodType>(
  request: PlatformRequest,
  schema: Schema,
  answer: Answer,
): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(answer.body);
  } catch (error) {
    throw invalidAnswer(request, answer, error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidAnswer(request, answer, parsed.error);
}

function redirectTarget(response: Dispatcher.ResponseData, from: URL): URL | undefined {
  const { location } = response.headers;
  if (response.statusCode < 300 || response.statusCode >= 400 || typeof location !== "string")
    return undefined;
  return URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
