/** The platform's operations, one per endpoint of the specification, and how one request is sent, repeated and read. */
import type { IncomingMessage } from "node:http";
import type * as z from "zod/mini";
import { type HttpClient, readAtMost } from "../base/http.ts";
import { classifyAddress, classifyHost, type NetworkScope } from "../base/network.ts";
import { type RetryDeps, retry } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { messageOf, parseJson } from "../base/text.ts";
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
  mayRepeat,
  PlatformError,
  type RequestInfo,
} from "./errors.ts";

/** One request to the platform; its `name` says for messages what it does: "start the export". */
export interface PlatformRequest extends RequestInfo {
  readonly method: "GET" | "POST";
  /** Path below the base address, with a leading slash, its variable parts already encoded. */
  readonly path: string;
  readonly body?: unknown;
  /** Media type to ask for; JSON unless said. */
  readonly accept?: string;
  /** Time-out for the answer's head in milliseconds, where the usual 60 s do not fit. */
  readonly headersTimeoutMs?: number;
  /** Set by the client, for the log. */
  readonly attempt?: number;
}

export interface PlatformOptions {
  /** Address of the platform; a path prefix is kept. */
  readonly baseUrl: URL;
  readonly apiKey: string;
  readonly userAgent: string;
  readonly http: HttpClient;
  /** A request that starts at the deadline, as the last poll of a job does, still gets this long; 10 s unless said. */
  readonly shortestTimeLimitMs?: number;
}

/** What the client takes of the run that it works for. */
export interface PlatformRun extends RetryDeps {
  readonly log: Log;
  /** Milliseconds since the epoch after which no retry starts. */
  readonly deadlineMs: number;
}

const maxAttempts = 5;
const maxRedirects = 3;
const maxAnswerBytes = 4 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;
/** Packing a bundle takes the platform as long as it takes: minutes, for large sites. */
const bundleTimeoutMs = 10 * 60_000;
const exportJobs = "/v1/static-export/jobs";

/** The schemas of answers are loaded with the first answer: until then, a run would wait for them longer than for Node's HTTP client. */
async function loadContract() {
  const { configureSchemas } = await import("../base/schemas.ts");
  configureSchemas();
  return import("./contract.ts");
}
const exportJob = async () => (await loadContract()).ExportJob;
const agentJob = async () => (await loadContract()).AgentJob;

/**
 * A client for one platform and one key. Every request
 * @throws {PlatformError} when there is no usable answer; the signal's reason when aborted.
 */
export class PlatformClient {
  readonly #options: PlatformOptions;
  readonly #run: PlatformRun;
  #network: NetworkScope | undefined;
  /** How far the platform's clock is ahead of this machine's. */
  #aheadMs = 0;

  constructor(options: PlatformOptions, run: PlatformRun) {
    this.#options = options;
    this.#run = run;
  }

  /** Origin of the platform, for messages. */
  get origin(): string {
    return this.#options.baseUrl.origin;
  }

  /**
   * The network that the platform is in: told by the address of the connection that its last answer came over, which a name
   * server cannot change afterwards; behind a proxy only by `base-url` itself.
   */
  get network(): NetworkScope {
    return this.#network ?? classifyHost(this.#options.baseUrl) ?? "public";
  }

  /** The platform's clock, by its last answer, in milliseconds since the epoch: its times and waits count from there. */
  serverNow(): number {
    return this.#run.clock.now() + this.#aheadMs;
  }

  /**
   * Starts a static export (specification §4.4); never sent twice unless the first surely did not arrive.
   *
   * @throws {PlatformError} `conflict` with `conflictingJobIds` where one that is under way keeps it from starting.
   */
  startExport(body: StartExportRequest): Promise<ExportJob> {
    const name = "start the export";
    return this.request({ name, method: "POST", path: exportJobs, body, retry: "unless-sent" }, exportJob);
  }

  /** One poll of an export job (specification §4.5), without retries: polling has its own schedule. */
  getExportJob(jobId: string): Promise<ExportJob> {
    const path = `${exportJobs}/${encodeURIComponent(jobId)}`;
    return this.request({ name: `poll export job ${jobId}`, method: "GET", path, retry: "never" }, exportJob);
  }

  /** A fresh link to a completed job's bundle (specification §4.6); may be called again and again. */
  generateBundle(jobId: string): Promise<ExportBundle> {
    const name = `generate the bundle of export job ${jobId}`;
    const path = `${exportJobs}/${encodeURIComponent(jobId)}/bundle`;
    const request = { name, method: "POST", path, retry: "freely" } as const;
    const loadSchema = async () => (await loadContract()).ExportBundle;
    return this.request({ ...request, headersTimeoutMs: bundleTimeoutMs }, loadSchema);
  }

  /**
   * Creates an agent job (specification §4.2); never sent twice unless the first surely did not arrive. A used-up
   * limit is thrown: the caller shows the wait for it.
   */
  createAgentJob(projectId: string, request: CreateAgentJobRequest): Promise<AgentJob> {
    const path = `/v2/agent/${encodeURIComponent(projectId)}/job`;
    return this.#instructAgent("create the agent job", path, request);
  }

  /** A follow-up instruction to an agent job; it costs like a new job, so it is not sent twice either. */
  messageAgentJob(projectId: string, jobId: string, request: CreateAgentJobRequest): Promise<AgentJob> {
    const path = `${agentJobPath(projectId, jobId)}/message`;
    return this.#instructAgent(`send a message to agent job ${jobId}`, path, request);
  }

  /** One poll of an agent job (specification §4.3), without retries: polling has its own schedule. */
  getAgentJob(projectId: string, jobId: string): Promise<AgentJob> {
    const path = agentJobPath(projectId, jobId);
    return this.request({ name: `poll agent job ${jobId}`, method: "GET", path, retry: "never" }, agentJob);
  }

  #instructAgent(name: string, path: string, body: CreateAgentJobRequest): Promise<AgentJob> {
    return this.request({ name, method: "POST", path, body, retry: "unless-arrived" }, agentJob);
  }

  /** Sends a request until it succeeds, its policy forbids another attempt, or the deadline is near. */
  request<Schema extends z.ZodMiniType>(
    repeated: PlatformRequest,
    loadSchema: () => Promise<Schema>,
  ): Promise<z.infer<Schema>> {
    return this.#repeat(repeated, async (request) => {
      const response = await this.#sendOnce(request);
      const { statusCode: status = 0, headers } = response;
      const body = await this.#readText(request, response, maxAnswerBytes);
      const parsed = (await loadSchema()).safeParse(parseJson(body ?? ""));
      if (!parsed.success) throw classifyInvalidResponse(request, { status, headers, body }, parsed.error);
      return parsed.data;
    });
  }

  /** Like `request`, but hands over the successful answer with its body unread, for answers that are streams. */
  open(request: PlatformRequest): Promise<IncomingMessage> {
    return this.#repeat(request, (attempt) => this.#sendOnce(attempt));
  }

  #repeat<T>(request: PlatformRequest, send: (request: PlatformRequest) => Promise<T>): Promise<T> {
    return retry((attempt) => send({ ...request, attempt }), {
      ...this.#run,
      attempts: maxAttempts,
      retryAfterMs: (error) =>
        error instanceof PlatformError && mayRepeat(request, error) ? (error.retryAfterMs ?? 0) : undefined,
      onRetry: (error, { delayMs, attempt }) => {
        const seconds = Math.max(1, Math.round(delayMs / 1000));
        const next = `Trying again in ${seconds} s (attempt ${attempt + 1} of ${maxAttempts}).`;
        this.#run.log.info(`${messageOf(error)} ${next}`);
      },
    });
  }

  /** One successful answer, its body unread. */
  async #sendOnce(request: PlatformRequest): Promise<IncomingMessage> {
    const response = await this.#followRedirects(request);
    const { statusCode: status = 0, headers } = response;
    if (status >= 200 && status < 300) return response;
    const body = await this.#readText(request, response, maxErrorBytes);
    throw classifyErrorResponse(request, { status, headers, body }, this.serverNow());
  }

  /** Follows redirects of reads that stay on the platform's origin; any other redirect is left to be reported. */
  async #followRedirects(request: PlatformRequest): Promise<IncomingMessage> {
    const { baseUrl } = this.#options;
    let url = new URL(baseUrl);
    // The setter cannot change the host; resolving a path like `//host/…` against the base would.
    url.pathname = baseUrl.pathname.replace(/\/+$/, "") + request.path;
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#sendTo(url, request);
      const target = redirectTarget(response, url);
      const isFollowed = request.method === "GET" && redirects < maxRedirects;
      if (!isFollowed || target?.origin !== this.origin) return response;
      response.destroy();
      url = target;
    }
  }

  async #sendTo(url: URL, request: PlatformRequest): Promise<IncomingMessage> {
    const { http, apiKey, userAgent, shortestTimeLimitMs = 10_000 } = this.#options;
    const { signal, deadlineMs, clock, log } = this.#run;
    const timeLimit = AbortSignal.timeout(Math.max(shortestTimeLimitMs, deadlineMs - clock.now()));
    const hasBody = request.body !== undefined;
    try {
      const response = await http.send(url, {
        signal: AbortSignal.any([signal, timeLimit]),
        method: request.method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          accept: request.accept ?? "application/json",
          "user-agent": userAgent,
          ...(hasBody ? { "content-type": "application/json" } : {}),
        },
        body: hasBody ? JSON.stringify(request.body) : undefined,
        headersTimeoutMs: request.headersTimeoutMs,
        log,
        attempt: request.attempt,
      });
      const dateMs = Date.parse(response.headers.date ?? "");
      if (!Number.isNaN(dateMs)) this.#aheadMs = dateMs - clock.now();
      const { remoteAddress } = response.socket;
      this.#network = http.isProxied || !remoteAddress ? undefined : classifyAddress(remoteAddress);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      throw classifyConnectionError(request, error, { origin: url.origin, isSent: false });
    }
  }

  /** A body as UTF-8 text; `undefined` where it is longer than `maxBytes`, which are never held. */
  async #readText(request: PlatformRequest, response: IncomingMessage, maxBytes: number) {
    try {
      return (await readAtMost(response, maxBytes))?.toString("utf8");
    } catch (error) {
      this.#run.signal.throwIfAborted();
      throw classifyConnectionError(request, error, { origin: this.origin, isSent: true });
    }
  }
}

function agentJobPath(projectId: string, jobId: string): string {
  return `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(jobId)}`;
}

function redirectTarget({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  const { location } = headers;
  if (statusCode < 300 || statusCode >= 400 || typeof location !== "string") return undefined;
  return URL.parse(location, from.href) ?? undefined;
}
