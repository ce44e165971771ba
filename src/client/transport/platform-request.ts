import type { RetryPolicy } from "./repeat-request.ts";

/** One request to the platform, as its caller words it. */
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
