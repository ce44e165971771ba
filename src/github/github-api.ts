/** GitHub's API for one repository: time limits, retries that know the method, errors that name the missing permission. */
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import type { Endpoints } from "@octokit/types";
import type * as z from "zod/mini";
import { HttpClient, readProxySettings } from "../base/http.ts";
import { parseRetryAfter, type RetryDeps, retry } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { redactTexts } from "../base/secrets.ts";
import { isJsonObject, messageOf, parseJson } from "../base/text.ts";
import {
  type CallPurpose,
  type GraphqlErrorDetails,
  GraphqlFailure,
  isSecondaryLimit,
  parseResponse,
  RequestFailure,
  translateError,
} from "./errors.ts";

export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** GitHub's number for it; stays when the repository is renamed. */
  readonly id: string;
}

export interface GitHubApiOptions {
  /** `https://api.github.com`, or `https://<host>/api/v3`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly userAgent: string;
  readonly repository: Repository;
  /** Of one attempt. */
  readonly timeoutMs?: number;
  /** How often a request is sent at most. */
  readonly attempts?: number;
  /** Milliseconds since the epoch until which GitHub's secondary limit is waited out; without it, it fails the request. */
  readonly deadlineMs?: number | undefined;
}

/** The signal ends every request and every wait for another try. */
export interface GitHubApiDeps extends RetryDeps {
  readonly log: Log;
  /** Takes secrets out of a text that is about to be sent. */
  readonly redact: (text: string) => string;
}

/** An operation of the REST API, such as `GET /repos/{owner}/{repo}/pulls`. */
type Route = keyof Endpoints;

/** What stands in the path, the query and the body; the repository is the API's own unless it is given. */
type RouteParameters<R extends Route> = Omit<Endpoints[R]["parameters"], "owner" | "repo"> & {
  readonly owner?: string;
  readonly repo?: string;
};

/** What GitHub answers to an operation. */
export type RouteData<R extends Route> = Endpoints[R]["response"]["data"];

/** Longer waits for the limit of requests an hour are left to the workflow's next run. */
const maxRetryAfterMs = 60_000;
/** The secondary limit lasts minutes: where GitHub names no time, it asks for at least one, and for more each time. */
const secondaryWaitMs = 60_000;
const backoff = { baseMs: 1_000, maxMs: 8_000 };

/**
 * One repository over GitHub's API. Every call throws a `GitHubError` that says what could not be done, or the signal's
 * reason when it aborts.
 */
export class GitHubApi {
  readonly repository: Repository;
  readonly #options: GitHubApiOptions;
  readonly #deps: GitHubApiDeps;
  readonly #base: string;
  readonly #client = new HttpClient(readProxySettings(process.env));
  #serverNowMs: number;

  constructor(options: GitHubApiOptions, deps: GitHubApiDeps) {
    this.repository = options.repository;
    this.#options = options;
    this.#deps = deps;
    this.#base = options.apiUrl.replace(/\/+$/, "");
    this.#serverNowMs = deps.clock.now();
  }

  /** GitHub's clock at its last answer, in milliseconds since the epoch. */
  serverNow(): number {
    return this.#serverNowMs;
  }

  /** Carries out one operation of the REST API. */
  async request<R extends Route>(
    purpose: CallPurpose,
    route: R,
    parameters?: RouteParameters<R>,
  ): Promise<RouteData<R>> {
    return (await this.#callRoute(purpose, route, parameters)).data as RouteData<R>;
  }

  /** The pages of an operation, one request each, while GitHub names a next one. */
  async *pages<R extends Route>(
    purpose: CallPurpose,
    route: R,
    parameters?: RouteParameters<R>,
  ): AsyncGenerator<RouteData<R>, void> {
    for (let page = 1, hasNext = true; hasNext; page += 1) {
      const answer = await this.#callRoute(purpose, route, { per_page: 100, ...parameters, page });
      yield answer.data as RouteData<R>;
      hasNext = /;\s*rel="next"/.test(String(answer.headers.link ?? ""));
    }
  }

  /** A whole list, over all its pages. */
  async list<R extends Route>(purpose: CallPurpose, route: R, parameters?: RouteParameters<R>) {
    const pages = await Array.fromAsync(this.pages(purpose, route, parameters));
    return pages.flat() as RouteData<R>;
  }

  /** Sends a query or mutation; its data must fit the schema, which may be loaded with the answer. */
  async graphql<Schema extends z.ZodMiniType>(
    purpose: CallPurpose,
    query: string,
    variables: Readonly<Record<string, unknown>>,
    schema: Schema | (() => Promise<Schema>),
  ): Promise<z.output<Schema>> {
    const url = `${this.#base.replace(/\/v3$/, "")}/graphql`;
    const { data: answer } = await this.#call(purpose, { method: "POST", url, body: { query, variables } });
    const { data, errors } = answer as GraphqlResponse;
    if (errors?.length) throw translateError(new GraphqlFailure(errors, data), purpose);
    return parseResponse(typeof schema === "function" ? await schema() : schema, data, purpose);
  }

  #callRoute(purpose: CallPurpose, route: Route, parameters?: object): Promise<ApiResponse> {
    const { owner, name: repo } = this.repository;
    return this.#call(purpose, composeRequest(this.#base, route, { owner, repo, ...parameters }));
  }

  /** Sends a request, more than once where that does no harm and may help. */
  async #call(purpose: CallPurpose, request: ApiRequest): Promise<ApiResponse> {
    const { attempts = 4, deadlineMs = 0 } = this.#options;
    const { log, signal, clock } = this.#deps;
    const send = async (attempt: number) => {
      const answer = await this.#exchange(request, attempt);
      const dateMs = Date.parse(answer.headers.date ?? "");
      if (!Number.isNaN(dateMs)) this.#serverNowMs = dateMs;
      return requireSuccess(answer, clock.now());
    };
    try {
      return await retry(send, {
        ...this.#deps,
        attempts,
        backoff,
        retryAfterMs(error, failures) {
          if (!isSecondaryLimit(error)) return waitBeforeRetry(error, request);
          const waitMs = error.retryAfterMs ?? secondaryWaitMs * 2 ** (failures - 1);
          return clock.now() + waitMs < deadlineMs ? waitMs : waitBeforeRetry(error, request);
        },
        onRetry(error, { delayMs }) {
          const failed = `GitHub: ${request.method} ${request.url} failed (${messageOf(error)})`;
          if (isSecondaryLimit(error)) log.notice(`${failed}; waiting for ${Math.round(delayMs / 1000)} s.`);
          else log.debug(`${failed}; trying again.`);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw translateError(error, purpose);
    }
  }

  /** Sends a request once, and reads the whole answer. */
  async #exchange({ method, url, body: content }: ApiRequest, attempt: number): Promise<ApiResponse> {
    const { token, userAgent, timeoutMs = 30_000 } = this.#options;
    const { signal, redact, log } = this.#deps;
    const timeout = AbortSignal.timeout(timeoutMs);
    const body = content && JSON.stringify(content, redactTexts(redact));
    const headers = {
      accept: "application/vnd.github+json",
      authorization: `token ${token}`,
      "user-agent": userAgent,
      "x-github-api-version": "2022-11-28",
      ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
    };
    const request = { method, headers, body, signal: AbortSignal.any([signal, timeout]), log, attempt };
    try {
      const response = await this.#client.send(new URL(url), request);
      const { statusCode: status = 0, headers } = response;
      return { status, headers, data: parseJson(await text(response)) };
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw new Error("GitHub did not answer in time", { cause: error });
      throw error;
    }
  }
}

interface GraphqlResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlErrorDetails[];
}

interface Page {
  readonly pageInfo: { readonly hasMore: boolean; readonly cursor: string | null };
}

/** Goes through a list page by page; the first page has no cursor. */
export async function* eachPage<Found extends Page>(
  fetchPage: (cursor: string | null) => Promise<Found | undefined>,
): AsyncGenerator<Found> {
  for (let cursor: string | null = null; ; ) {
    const page: Found | undefined = await fetchPage(cursor);
    if (!page) return;
    yield page;
    if (!page.pageInfo.hasMore) return;
    cursor = page.pageInfo.cursor;
  }
}

interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body's JSON; `undefined` where it is empty or none. */
  readonly data: unknown;
}

/** Puts parameters where the route names them, the others into the query or, for a change, the body. */
function composeRequest(base: string, route: string, parameters: Record<string, unknown>): ApiRequest {
  const [method = "GET", template = ""] = route.split(" ");
  const { owner: _owner, repo: _repo, ...rest } = parameters;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(parameters[name]));
  });
  const url = `${base}${path}`;
  if (Object.keys(rest).length === 0) return { method, url };
  if (method !== "GET") return { method, url, body: rest };
  return { method, url: `${url}?${new URLSearchParams(rest as Record<string, string>)}` };
}

/** @throws {RequestFailure} for an answer without success; GitHub itself never sends success without JSON. */
function requireSuccess(answer: ApiResponse, nowMs: number): ApiResponse {
  const { status, headers, data } = answer;
  const isJson = typeof data === "object" && data !== null;
  if (status >= 400) {
    throw new RequestFailure(status, reasonOf(data, status), parseRetryAfter(headers["retry-after"], nowMs));
  }
  const { errors } = (isJson ? data : {}) as GraphqlResponse;
  const failure = errors?.length ? new GraphqlFailure(errors, null) : undefined;
  if (isSecondaryLimit(failure)) throw failure;
  if (status < 300 && (isJson || status === 204)) return answer;
  throw new RequestFailure(502, "the answer is not GitHub's JSON");
}

/** GitHub's words for a refusal, with what it says of single fields. */
function reasonOf(body: unknown, status: number): string {
  const { message = `HTTP status ${status}`, errors } = isJsonObject(body) ? body : {};
  const details = (Array.isArray(errors) ? errors : []).map((error: unknown) =>
    isJsonObject(error) ? (error["message"] ?? error["code"]) : error,
  );
  return [message, ...details].filter(Boolean).join(": ");
}

/** Least milliseconds to wait before the same request may be sent again; `undefined` where it must not be. */
function waitBeforeRetry(error: unknown, request: ApiRequest): number | undefined {
  const { status, retryAfterMs } = error instanceof RequestFailure ? error : {};
  if (status === 429 || status === 403) {
    const isLimit = retryAfterMs !== undefined || (status === 429 && !isSecondaryLimit(error));
    return isLimit && (retryAfterMs ?? 0) <= maxRetryAfterMs ? (retryAfterMs ?? 0) : undefined;
  }
  const isPassing = status === undefined || status >= 500;
  return isPassing && isRepeatable(request) ? 0 : undefined;
}

/** Whether a request that was carried out, although no answer came, does no harm when it is carried out again. */
function isRepeatable({ method, url, body }: ApiRequest): boolean {
  if (method !== "POST") return true;
  // Of what is sent to GraphQL, only these add something that is not there yet.
  const isAdding = /addDiscussionComment|addPullRequestReviewThreadReply/.test(String(body?.["query"]));
  return url.endsWith("/graphql") && !isAdding;
}
