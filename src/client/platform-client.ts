/** The client of the platform's API: one method per endpoint of the specification, and the sending of requests with retries. */
import type * as z from "zod/mini";
import { InterruptedError } from "../base/errors.ts";
import { defaultHeadersTimeoutMs, type HttpClient, type HttpResponse, readResponse } from "../base/http.ts";
import { classifyAddress, classifyHost, type NetworkScope } from "../base/network.ts";
import { type RetryDeps, rateLimitDelayMs, retry } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { formatDuration, isJsonObject, messageOf, parseJson } from "../base/text.ts";
import type {
  AgentJob,
  CreateAgentJobRequest,
  ExportBundle,
  ExportJob,
  StartExportRequest,
} from "./contract.ts";
import {
  classifyConnectionError,
  classifyErrorResponse,
  classifyInvalidResponse,
  creates,
  mayRepeat,
  PlatformError,
  type RequestInfo,
  type RetryPolicy,
  readJobId,
} from "./errors.ts";

export interface PlatformRequest extends RequestInfo {
  readonly method: "GET" | "POST";
  /** Path below the base address, with a leading slash and encoded parameters. */
  readonly path: string;
  readonly body?: unknown;
  /** The job that the response must be about, if it names one in `jobField` (default: `jobId`): a proxy may confuse responses. */
  readonly jobId?: string;
  readonly jobField?: "id";
  /** The `Accept` header; default: JSON. */
  readonly accept?: string;
  /** Time-out for the response headers in milliseconds; default: 60 s. */
  readonly headersTimeoutMs?: number;
}

export interface PlatformClientOptions {
  /** Base address of the platform, which may include a path. */
  readonly baseUrl: URL;
  /** For the creation of agent jobs and messages: waits for the rate limit, which the caller handles by default. */
  readonly agentRetry?: "unless-sent" | undefined;
  readonly apiKey: string;
  readonly http: HttpClient;
  /** Minimum time-out for the response headers, which the last poll of a job needs, as it starts at the deadline; default: 10 s. */
  readonly minTimeLimitMs?: number;
}

/** The run that the client works for. */
export interface PlatformRun extends RetryDeps {
  readonly log: Log;
  /** Milliseconds since the epoch after which no retry starts. */
  readonly deadlineMs: number;
}

const maxAttempts = 5;
const maxBodyBytes = 4 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
/** A platform may need minutes to pack the bundle of a large site. */
const bundleTimeoutMs = 10 * 60_000;
/** A time-out at the deadline may end this much before it. */
const timerToleranceMs = 1_000;
/** Path of the static export jobs (specification §4.4). */
export const exportJobsPath = "/v1/static-export/jobs";

/** The schemas of responses are loaded with the first response, because the schema library takes longer to load than the HTTP client. */
async function loadContract() {
  const { configureSchemas } = await import("../base/schemas.ts");
  configureSchemas();
  return import("./contract.ts");
}
const exportJob = async () => (await loadContract()).ExportJob;
const agentJob = async () => (await loadContract()).AgentJob;

/**
 * A client for one platform and one API key. Every request throws a {@link PlatformError} if there is no usable response, the signal's
 * reason when aborted, and an {@link InterruptedError} if it reads and the deadline passes before the response.
 */
export class PlatformClient {
  readonly #options: PlatformClientOptions;
  readonly #run: PlatformRun;
  #network: NetworkScope | undefined;
  /** The platform's time minus this machine's time. */
  #clockOffsetMs = 0;

  constructor(options: PlatformClientOptions, run: PlatformRun) {
    this.#options = options;
    this.#run = run;
  }

  get origin(): string {
    return this.#options.baseUrl.origin;
  }

  /**
   * The platform's network, classified by the remote address of the last response, which DNS cannot change later. With a proxy, it is
   * classified by the host in `base-url`.
   */
  get network(): NetworkScope {
    return this.#network ?? classifyHost(this.#options.baseUrl) ?? "public";
  }

  /** The platform's time in milliseconds since the epoch, from the `Date` of its last response. Its other times are relative to it. */
  serverNow(): number {
    return this.#run.clock.now() + this.#clockOffsetMs;
  }

  /**
   * Starts a static export (specification §4.4). The request is repeated only if it certainly did not arrive.
   *
   * @throws {PlatformError} `conflict` with `conflictingJobId` if another export is running.
   */
  startExport(body: StartExportRequest): Promise<ExportJob> {
    const request = { name: "start the export", method: "POST", path: exportJobsPath, body } as const;
    return this.request({ ...request, retry: "unless-sent" }, exportJob);
  }

  /** Reads an export job (specification §4.5); by default once, because polling has its own schedule. */
  getExportJob(jobId: string, retry: RetryPolicy = "never"): Promise<ExportJob> {
    const path = `${exportJobsPath}/${encodeURIComponent(jobId)}`;
    const request = { name: `poll export job ${jobId}`, method: "GET", path, jobId, retry } as const;
    return this.request(request, exportJob);
  }

  /** Gets a fresh link to a completed job's bundle (specification §4.6); may be called repeatedly. */
  generateBundle(jobId: string): Promise<ExportBundle> {
    const name = `generate the bundle of export job ${jobId}`;
    const path = `${exportJobsPath}/${encodeURIComponent(jobId)}/bundle`;
    const request = { name, method: "POST", path, jobId, retry: "freely" } as const;
    const loadSchema = async () => (await loadContract()).ExportBundle;
    return this.request({ ...request, headersTimeoutMs: bundleTimeoutMs }, loadSchema);
  }

  /**
   * Creates an agent job (specification §4.2). The request is repeated only if it certainly did not arrive. A rate limit is thrown,
   * because the caller shows the wait for it.
   */
  createAgentJob(projectId: string, body: CreateAgentJobRequest): Promise<AgentJob> {
    const path = agentJobPath(projectId);
    const { agentRetry: retry = "unless-arrived" } = this.#options;
    return this.request({ name: "create the agent job", method: "POST", path, body, retry }, agentJob);
  }

  /** Sends a follow-up message to an agent job. It costs as much as a new job, so it is repeated as rarely. */
  messageAgentJob(projectId: string, jobId: string, body: CreateAgentJobRequest): Promise<AgentJob> {
    const path = `${agentJobPath(projectId, jobId)}/message`;
    const { agentRetry: retry = "unless-arrived" } = this.#options;
    const name = `send a message to agent job ${jobId}`;
    return this.request({ name, method: "POST", path, body, retry }, agentJob);
  }

  /** Reads an agent job (specification §4.3); by default once, because polling has its own schedule. */
  getAgentJob(projectId: string, jobId: string, retry: RetryPolicy = "never"): Promise<AgentJob> {
    const request = { name: `poll agent job ${jobId}`, method: "GET", jobId, jobField: "id", retry } as const;
    return this.request({ ...request, path: agentJobPath(projectId, jobId) }, agentJob);
  }

  /** Sends a request, and repeats it as its retry policy and the deadline allow. */
  request<Schema extends z.ZodMiniType>(
    request: PlatformRequest,
    loadSchema: () => Promise<Schema>,
  ): Promise<z.infer<Schema>> {
    return this.#repeat(request, async (attempt) => {
      const response = await this.#sendOnce(request, attempt);
      const { statusCode: status, headers } = response;
      const body = await this.#readText(request, response, maxBodyBytes);
      const parsed = (await loadSchema()).safeParse(parseJson(body ?? ""));
      if (!parsed.success) throw classifyInvalidResponse(request, { status, headers, body }, parsed.error);
      const { name, jobId, jobField = "jobId" } = request;
      const named = isJsonObject(parsed.data) ? readJobId(parsed.data[jobField]) : undefined;
      if (jobId === undefined || (named ?? jobId).toLowerCase() === jobId.toLowerCase()) return parsed.data;
      const message = `Could not ${name}: the platform's response is about job ${named}.`;
      throw new PlatformError("unexpected-response", message, { status });
    });
  }

  /** Like `request`, but returns the response with its body unread, for streams. */
  open(request: PlatformRequest): Promise<HttpResponse> {
    return this.#repeat(request, (attempt) => this.#sendOnce(request, attempt));
  }

  async #repeat<T>(request: PlatformRequest, send: (attempt: number) => Promise<T>): Promise<T> {
    const { clock, deadlineMs, log } = this.#run;
    let isWaiting = false;
    const sendAgain = (attempt: number) => {
      isWaiting = false;
      return send(attempt);
    };
    try {
      return await retry(sendAgain, {
        ...this.#run,
        attempts: Number.POSITIVE_INFINITY,
        retryAfterMs(error, failures) {
          if (!(error instanceof PlatformError) || !mayRepeat(request, error)) return undefined;
          // A rate limit is waited for until the deadline.
          if (error.code === "rate-limited") return rateLimitDelayMs(error.retryAfterMs, failures);
          return failures < maxAttempts ? (error.retryAfterMs ?? 0) : undefined;
        },
        onRetry: (error, { delayMs, attempt }) => {
          isWaiting = true;
          const wait = formatDuration(delayMs);
          log.info(`${messageOf(error)} Trying again in ${wait} (attempt ${attempt + 1}).`);
        },
      });
    } catch (error) {
      // Not the signal's reason itself, after which the caller says that a job may exist.
      if (isWaiting && request.retry === "unless-sent" && error instanceof InterruptedError)
        throw new InterruptedError(error.code, error.message, { hint: error.hint, cause: error });
      const isLate = clock.now() > deadlineMs - timerToleranceMs;
      const isUnanswered =
        error instanceof PlatformError && error.code === "unreachable" && !error.maybeSubmitted;
      // A poll may start at the deadline.
      if (!isLate || !isUnanswered || request.retry === "never") throw error;
      const message = `Could not ${request.name}: \`timeout-minutes\` passed before ${this.origin} responded.`;
      // There is a job to continue with only if the platform has responded before.
      const hint = request.retry === "freely" ? undefined : `${error.hint} Or raise \`timeout-minutes\`.`;
      throw new InterruptedError("timed-out", message, { hint, cause: error });
    }
  }

  /** Returns a response with a success status and its body unread. */
  async #sendOnce(request: PlatformRequest, attempt: number): Promise<HttpResponse> {
    const { http, apiKey, baseUrl, minTimeLimitMs = 10_000 } = this.#options;
    const { signal, deadlineMs, clock, log } = this.#run;
    const url = new URL(baseUrl);
    // Resolving a path like `//host/…` against the base would change the host; the setter cannot.
    url.pathname = baseUrl.pathname.replace(/\/+$/, "") + request.path;
    const timeLimitMs = Math.max(minTimeLimitMs, deadlineMs - clock.now());
    const hasBody = request.body !== undefined;
    const sent = http.send(url, {
      signal,
      method: request.method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: request.accept ?? "application/json",
        ...(hasBody ? { "content-type": "application/json" } : {}),
      },
      body: hasBody ? JSON.stringify(request.body) : undefined,
      headersTimeoutMs: Math.min(request.headersTimeoutMs ?? defaultHeadersTimeoutMs, timeLimitMs),
      needsNewConnection: creates(request),
      log,
      attempt,
    });
    const response = await sent.catch((error: unknown) => {
      throw classifyConnectionError(request, error, { origin: this.origin, isSent: false });
    });
    const { statusCode: status, headers } = response;
    const dateMs = Date.parse(headers.date ?? "");
    if (!Number.isNaN(dateMs)) this.#clockOffsetMs = dateMs - clock.now();
    const { remoteAddress } = response.socket;
    this.#network = http.isProxied(url) || !remoteAddress ? undefined : classifyAddress(remoteAddress);
    if (status >= 200 && status < 300) return response;
    const body = await this.#readText(request, response, maxErrorBytes);
    throw classifyErrorResponse(request, { status, headers, body }, this.serverNow());
  }

  /** Reads a body as UTF-8 text without a byte order mark; `undefined` if it is longer than `maxBytes`. */
  async #readText(request: PlatformRequest, response: HttpResponse, maxBytes: number) {
    try {
      return (await readResponse(response, maxBytes))?.toString("utf8").replace(/^\uFEFF/, "");
    } catch (error) {
      throw classifyConnectionError(request, error, { origin: this.origin, isSent: true });
    }
  }
}

/** Path of a project's agent jobs (specification §4.2), or of one of them. */
export function agentJobPath(projectId: string, jobId?: string): string {
  const jobs = `/v2/agent/${encodeURIComponent(projectId)}/job`;
  return jobId === undefined ? jobs : `${jobs}/${encodeURIComponent(jobId)}`;
}
