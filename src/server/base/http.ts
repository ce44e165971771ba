/** HTTP basics that all routes share: the error format, request bodies, health routes and the server socket. */
import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, Server as NetServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod/mini";
import { ActionError } from "../../base/errors.ts";
import { readAtMost } from "../../base/http.ts";
import { describeProblem } from "../../base/schemas.ts";
import { messageOf, shorten } from "../../base/text.ts";

z.config({ localeError: describeProblem });

/** An error response `{"error": message}` with this status and these headers. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ContentfulStatusCode;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const maxProblemLength = 4000;
const jsonMediaType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/**
 * Reads a request's JSON body and validates it.
 *
 * @throws {ApiError} 415 for another media type; 413 for a body that is too long; 400 for invalid JSON, or naming each invalid field.
 */
export async function readJson<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
  maxBytes: number,
): Promise<z.infer<Schema>> {
  if (!jsonMediaType.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError(415, "The body must be JSON, sent with content-type application/json.");
  }
  return parseAs(schema, parseBody(await readBody(request, maxBytes)));
}

/** Validates a value. @throws {ApiError} 400 naming each invalid field, as far as they fit into a message. */
export function parseAs<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  try {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "body"}: ${issue.message}`,
    );
    throw new ApiError(400, shorten(problems.join("; "), maxProblemLength));
  } catch (error) {
    // The parser passes the problems as arguments, and the stack cannot hold any number of them.
    throw error instanceof RangeError ? new ApiError(400, "The body has too many invalid fields.") : error;
  }
}

/** Reads a request's body. @throws {ApiError} 413 for a body that is too long; 400 for a truncated body. */
export async function readBody(request: Request, maxBytes: number): Promise<Buffer> {
  const isDeclaredTooLong = Number(request.headers.get("content-length")) > maxBytes;
  // The HTTP server discards a body only if it was not opened. Otherwise the connection hangs, and the client's next request is lost.
  const reading = isDeclaredTooLong
    ? undefined
    : readAtMost(request.body ?? ReadableStream.from([]), maxBytes);
  const bytes = await reading?.catch(() => {
    throw new ApiError(400, "The body ended early.");
  });
  if (bytes !== undefined) return bytes;
  throw new ApiError(413, `The body is longer than ${maxBytes} bytes.`);
}

function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    throw new ApiError(400, `The body is not JSON: ${messageOf(error)}`);
  }
}

/** Longer than common proxies keep idle connections (60 s): what they send while the server closes one is lost, and a POST not repeated. */
const keepAliveMs = 75_000;

/**
 * Adds `/livez` (the process runs) and `/readyz` (it can serve requests). Both need no API key.
 *
 * @param findProblem Why requests cannot be served now. The text is public.
 */
export function addHealthRoutes(
  app: Hono,
  findProblem: () => Promise<string | undefined> | string | undefined,
): void {
  const headers = { "cache-control": "no-store" };
  app.get("/livez", (context) => context.text("ok", 200, headers));
  app.get("/readyz", async (context) => {
    const problem = await findProblem();
    return context.text(problem ?? "ok", problem === undefined ? 200 : 503, headers);
  });
}

/**
 * Serves an app until disposal. `url` has no trailing slash.
 *
 * @param drainMs How long disposal waits for requests in progress.
 * @throws {ActionError} if the port is not available.
 */
export async function listen(app: Hono["fetch"], host: string, port: number, drainMs = 0) {
  // Keep the global Request and Response: this process also sends requests. The host name is for requests without one (HTTP/1.0).
  const options = { fetch: app, hostname: "localhost", overrideGlobalObjects: false };
  const server = createAdaptorServer(options) as Server;
  server.keepAliveTimeout = keepAliveMs;
  let activeRequests = 0;
  let isDraining = false;
  server.prependListener("request", (_request, response) => {
    activeRequests += 1;
    // The client opens a new connection for its next request, which reaches another replica.
    if (isDraining) response.shouldKeepAlive = false;
    response.once("close", () => {
      activeRequests -= 1;
    });
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new ActionError("invalid-input", `Cannot listen on ${host}:${port} (${messageOf(error)}).`, {
      hint: "Choose another `--port` or `--host`, or stop what uses this one.",
      cause: error,
    });
  }
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      isDraining = true;
      // Stop accepting connections. `Server.close` of HTTP would also cut off responses that are written but not yet sent.
      if (drainMs > 0) NetServer.prototype.close.call(server);
      for (const end = Date.now() + drainMs; activeRequests > 0 && Date.now() < end; ) await delay(20);
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Responds with a file, or a range of it (RFC 9110 §13, §14); `undefined` if there is no such file.
 *
 * @param tag The file's strong entity tag; the middleware `etag` compares it with `If-None-Match`.
 */
export async function serveFile(
  call: Context,
  root: string,
  path: string,
  tag: string,
): Promise<Response | undefined> {
  call.header("etag", tag);
  call.header("accept-ranges", "bytes");
  const { headers } = call.req.raw;
  if (![tag, "*"].includes(headers.get("if-match") ?? tag)) return call.body(null, 412);
  // A download that began with another version starts again (§13.1.5).
  if ((headers.get("if-range") ?? tag) !== tag) headers.delete("range");
  return (await serveStatic({ root, path })(call, async () => undefined)) ?? undefined;
}
