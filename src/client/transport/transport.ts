/** One request to the platform: authentication, time-outs, size limits, retries that know the operation, errors that explain themselves. */
import { type Dispatcher, request as send } from "undici";
import type { z } from "zod";
import type { Clock, Log } from "../../base/runtime.ts";
import { connectionError, httpError, invalidAnswer } from "./answer-errors.ts";
import { createKeyHider } from "./hide-key.ts";
import type { PlatformRequest } from "./platform-request.ts";
import { readCapped } from "./read-capped.ts";
import { readTimestamp } from "./read-timestamp.ts";
import { repeatRequest } from "./repeat-request.ts";

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

type Context = TransportOptions & TransportDeps & { readonly hideKey: (text: string) => string };

const maxRedirects = 3;
const maxAnswerBytes = 4 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

export function createTransport(options: TransportOptions, deps: TransportDeps): Transport {
  const context = { ...options, ...deps, hideKey: createKeyHider(options.apiKey) };
  const requestDatedJson: Transport["requestDatedJson"] = (request, schema) =>
    repeatRequest(request, context, async () => {
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
    open: (request) => repeatRequest(request, context, () => sendOnce(request, context)),
  };
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
  const { statusCode: status, headers } = response;
  // A date in the answer counts from the platform's time, wherever this machine's clock stands.
  const platformNow = readTimestamp(String(headers.date ?? ""));
  throw httpError(request, { status, headers, body }, platformNow?.getTime() ?? context.clock.now());
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
  { baseUrl, signal, hideKey }: Context,
): Promise<string> {
  try {
    // A platform that quotes the key in what it says must not get it into a comment: masking covers logs only.
    return hideKey(await readCapped(response.body, maxBytes));
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
