import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Log } from "../../base/runtime.ts";

/** A request that is refused: answered as `{"error": message}` with this status and these headers. */
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

/** Answers what a handler threw: a refusal in its own words, anything else as 500 whose cause only the log learns. */
export function createErrorHandler({ log }: { log: Log }) {
  return (error: Error, context: Context): Response => {
    if (error instanceof ApiError) return context.json({ error: error.message }, error.status, error.headers);
    log.warning(`${context.req.method} ${context.req.path} failed: ${error.stack ?? error.message}`);
    return context.json({ error: "The platform failed on this request; its log says why." }, 500);
  };
}
