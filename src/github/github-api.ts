/** A client of GitHub's API for one repository, with time limits, safe retries and errors that name the missing permission. */
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { isDeepStrictEqual } from "node:util";
import type { Endpoints } from "@octokit/types";
import type * as z from "zod/mini";
import { HttpClient, readProxySettings } from "../base/http.ts";
import { parseRetryAfter, type RetryDeps, retry } from "../base/retry.ts";
import type { Log } from "../base/runtime.ts";
import { redactTexts } from "../base/secrets.ts";
import { isJsonObject, messageOf, parseJson } from "../base/text.ts";
import {
  type CallPurpose,
  GitHubError,
  type GraphqlErrorDetails,
  GraphqlFailure,
  isSecondaryLimit,
  parseResponse,
  RequestFailure,
  translateError,
  unexpectedResponse,
} from "./errors.ts";

export interface Repository {
  readonly owner: string;
  readonly name: string;
  /** GitHub's ID, which stays the same if the repository is renamed. */
  readonly id: string;
}

export interface GitHubApiOptions {
  /** `https://api.github.com`, or `https://<host>/api/v3`. */
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: Repository;
  /** Time limit of one attempt; default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Maximum attempts of a request; default: 4. */
  readonly attempts?: number;
  /** Time (ms since the epoch) until which the client waits for GitHub's secondary rate limit; by default it does not wait. */
  readonly deadlineMs?: number | undefined;
}

/** The signal aborts requests and waits. */
export interface GitHubApiDeps extends RetryDeps {
  readonly log: Log;
  readonly redact: (text: string) => string;
}

/** An operation of the REST API, such as `GET /repos/{owner}/{repo}/pulls`. */
type Route = keyof Endpoints;

/** Parameters of the path, query and body. The repository defaults to the client's own. */
type RouteParameters<R extends Route> = Omit<Endpoints[R]["parameters"], "owner" | "repo"> & {
  readonly owner?: string;
  readonly repo?: string;
};

/** The longest wait for the hourly rate limit: after that, the request fails. */
const maxRetryAfterMs = 60_000;
/** The first wait for the secondary rate limit without `Retry-After`; GitHub's documentation asks for a minute, doubled each time. */
const secondaryWaitMs = 60_000;
const needsGraphql =
  "This command needs GitHub's GraphQL API, which Forgejo and Gitea do not have. On GitHub, check whether a proxy responds instead.";
const backoff = { baseMs: 1_000, maxMs: 8_000 };

/**
 * GitHub's API for one repository. A failed call throws a `GitHubError` that names its purpose, or the signal's reason after an
 * abort.
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

  /** GitHub's clock at its last response, in milliseconds since the epoch. */
  serverNow(): number {
    return this.#serverNowMs;
  }

  /** Calls an operation of the REST API. What the schema does not name is dropped; without a schema, the response is unknown. */
  async request<R extends Route, Schema extends z.ZodMiniType = z.ZodMiniUnknown>(
    purpose: CallPurpose,
    route: R,
    parameters?: RouteParameters<R>,
    schema?: Schema,
  ): Promise<z.output<Schema>> {
    const { data } = await this.#callRoute(purpose, route, parameters);
    return schema ? parseResponse(schema, data, purpose) : (data as z.output<Schema>);
  }

  /** The pages of a list, one request each; the schema is that of an item. */
  async *pages<R extends Route, Schema extends z.ZodMiniType>(
    purpose: CallPurpose,
    route: R,
    parameters: RouteParameters<R>,
    schema: Schema,
  ): AsyncGenerator<z.output<Schema>[], void> {
    let previous: unknown;
    for (let page = 1, hasNext = true; hasNext; page += 1) {
      const { data, headers } = await this.#callRoute(purpose, route, { per_page: 100, ...parameters, page });
      // A cache may ignore the number of the page.
      if (!Array.isArray(data) || isDeepStrictEqual(data, previous)) throw unexpectedResponse(purpose);
      previous = data;
      yield data.map((item) => parseResponse(schema, item, purpose));
      hasNext = data.length > 0 && /;\s*rel="next"/.test(String(headers.link ?? ""));
    }
  }

  /** The items of all pages of a list. */
  async list<R extends Route, Schema extends z.ZodMiniType>(
    purpose: CallPurpose,
    route: R,
    parameters: RouteParameters<R>,
    schema: Schema,
  ): Promise<z.output<Schema>[]> {
    return (await Array.fromAsync(this.pages(purpose, route, parameters, schema))).flat();
  }

  /** Sends a GraphQL query or mutation. The schema of its data may be loaded when the response arrives. */
  async graphql<Schema extends z.ZodMiniType>(
    purpose: CallPurpose,
    query: string,
    variables: Readonly<Record<string, unknown>>,
    schema: Schema | (() => Promise<Schema>),
  ): Promise<z.output<Schema>> {
    const url = `${this.#base.replace(/\/v3$/, "")}/graphql`;
    const request = { method: "POST", url, body: { query, variables } };
    const { data: response } = await this.#call(purpose, request).catch((error: unknown) => {
      // Of a node that does not exist, GraphQL says so with status 200.
      if (!(error instanceof GitHubError && error.status === 404)) throw error;
      const message = `There is no GraphQL API at ${url}; could not ${purpose.doing}.`;
      throw new GitHubError("unexpected-response", message, { hint: needsGraphql, cause: error });
    });
    const errors = readErrors(response);
    const data = isJsonObject(response) ? response["data"] : undefined;
    if (errors.length > 0)
      throw translateError(new GraphqlFailure(errors, isJsonObject(data) ? data : null), purpose);
    return parseResponse(typeof schema === "function" ? await schema() : schema, data, purpose);
  }

  #callRoute(purpose: CallPurpose, route: Route, parameters?: object): Promise<ApiResponse> {
    const { owner, name: repo } = this.repository;
    return this.#call(purpose, composeRequest(this.#base, route, { owner, repo, ...parameters }));
  }

  /** Sends a request, with retries if they are safe. */
  async #call(purpose: CallPurpose, request: ApiRequest): Promise<ApiResponse> {
    const { attempts = 4, deadlineMs = 0 } = this.#options;
    const { log, signal, clock } = this.#deps;
    const send = async (attempt: number) => {
      const response = await this.#exchange(request, attempt);
      const dateMs = Date.parse(response.headers.date ?? "");
      if (!Number.isNaN(dateMs)) this.#serverNowMs = dateMs;
      return requireSuccess(response, clock.now());
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
          else log.debug(`${failed}; retrying.`);
        },
      });
    } catch (error) {
      signal.throwIfAborted();
      throw translateError(error, purpose);
    }
  }

  async #exchange({ method, url, body: content }: ApiRequest, attempt: number): Promise<ApiResponse> {
    const { token, timeoutMs = 30_000 } = this.#options;
    const { signal, redact, log } = this.#deps;
    const timeout = AbortSignal.timeout(timeoutMs);
    const body = content && JSON.stringify(content, redactTexts(redact));
    const headers = {
      accept: "application/vnd.github+json",
      authorization: `token ${token}`,
      "x-github-api-version": "2022-11-28",
      ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
    };
    const request = { method, headers, body, signal: AbortSignal.any([signal, timeout]), log, attempt };
    try {
      const response = await this.#client.send(new URL(url), request);
      const { statusCode: status, headers } = response;
      return { status, headers, data: parseJson(await text(response)) };
    } catch (error) {
      if (timeout.aborted) throw new Error("GitHub did not respond in time", { cause: error });
      throw error;
    }
  }
}

interface Page {
  readonly pageInfo: { readonly hasMore: boolean; readonly cursor: string | null };
}

/** Of smaller pages, GitHub would refuse the items themselves. */
const smallestPage = 5;
/** A page that GitHub reads in time. */
const quickPage = 10;

/**
 * Iterates over the pages of a GraphQL list. The cursor of the first page is null. A page that is too much for GitHub is read in smaller
 * pages.
 *
 * @throws {GitHubError} if the list has more pages, but its cursor leads to none that was not read.
 */
export async function* eachPage<Found extends Page>(
  fetchPage: (cursor: string | null, size: number) => Promise<Found | undefined>,
  largestPage = 100,
): AsyncGenerator<Found> {
  const cursors = new Set<string | null>();
  let size = largestPage;
  const fetch = async (cursor: string | null): Promise<Found | undefined> => {
    for (;;) {
      try {
        return await fetchPage(cursor, size);
      } catch (error) {
        const smaller = smallerPage(size, error);
        if (smaller === undefined) throw error;
        size = smaller;
      }
    }
  };
  for (let cursor: string | null = null; ; ) {
    if (cursors.has(cursor)) throw unexpectedResponse({ doing: "read the next page of a list" });
    cursors.add(cursor);
    const page = await fetch(cursor);
    if (!page) return;
    yield page;
    if (!page.pageInfo.hasMore) return;
    cursor = page.pageInfo.cursor;
  }
}

/** The size of a page that GitHub may accept after an error; what a query may need depends on what it finds. */
function smallerPage(size: number, error: unknown): number | undefined {
  const failure = error instanceof GitHubError ? error.cause : undefined;
  if (
    failure instanceof GraphqlFailure &&
    failure.errors.some(({ type }) => type === "RESOURCE_LIMITS_EXCEEDED")
  )
    return size > smallestPage ? Math.floor(size / 2) : undefined;
  // GitHub aborts a request after ten seconds. Several attempts took that long, so the next size is the last one.
  const isSlow = failure instanceof RequestFailure && [502, 504].includes(failure.status);
  return isSlow && size > quickPage ? quickPage : undefined;
}

interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body's JSON; `undefined` if it is not JSON. */
  readonly data: unknown;
}

/** Inserts parameters into the route's path; the others become the query or, except for GET, the body. */
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

/** @throws {RequestFailure} if the response is no success. A success or a 403 without JSON was not sent by GitHub's API. */
function requireSuccess(response: ApiResponse, nowMs: number): ApiResponse {
  const { status, headers, data } = response;
  const isJson = typeof data === "object" && data !== null;
  if (status === 403 && !isJson) throw new RequestFailure(502, "status 403 without JSON from GitHub");
  if (status >= 400) {
    throw new RequestFailure(status, reasonOf(data, status), parseRetryAfter(headers["retry-after"], nowMs));
  }
  // Other redirects come from a proxy.
  if (status >= 300 && isJson)
    throw new RequestFailure(status, "the repository was renamed, or the issue was transferred");
  const failure = new GraphqlFailure(readErrors(data), null);
  if (failure.message.startsWith("Something went wrong") || isSecondaryLimit(failure)) throw failure;
  if (status < 300 && (isJson || status === 204)) return response;
  throw new RequestFailure(502, "the response is not JSON from GitHub");
}

/** The error message of a response, with the errors of single fields. */
function reasonOf(body: unknown, status: number): string {
  const message = isJsonObject(body) && typeof body["message"] === "string" ? body["message"] : "";
  const details = readErrors(body).map((error) => error.message);
  return [message || `HTTP status ${status}`, ...details].filter(Boolean).join(": ");
}

/** The errors that a response lists: objects with a message or with a code and a field, or texts. */
function readErrors(body: unknown): GraphqlErrorDetails[] {
  const errors = isJsonObject(body) && Array.isArray(body["errors"]) ? body["errors"] : [];
  return errors.map((error: unknown) => {
    const { type, message, field, code, path, extensions } = isJsonObject(error) ? error : { message: error };
    const text = message ?? (typeof field === "string" ? `${field} ${code}` : code);
    // An older GitHub Enterprise Server does not know each field; such an error has no type.
    const isUnknown = isJsonObject(extensions) && /^undefined|^argument/.test(String(extensions["code"]));
    return {
      type: isUnknown ? "UNPROCESSABLE" : typeof type === "string" ? type : undefined,
      message: typeof text === "string" ? text : "",
      path: Array.isArray(path) ? path : [],
    };
  });
}

/** The minimum wait before a retry, in milliseconds; `undefined` if the request must not be sent again. */
function waitBeforeRetry(error: unknown, request: ApiRequest): number | undefined {
  const { status, retryAfterMs } = error instanceof RequestFailure ? error : {};
  if (status === 429 || status === 403) {
    const isLimit = retryAfterMs !== undefined || (status === 429 && !isSecondaryLimit(error));
    return isLimit && (retryAfterMs ?? 0) <= maxRetryAfterMs ? (retryAfterMs ?? 0) : undefined;
  }
  const isTransient = status === undefined || status >= 500;
  return isTransient && isIdempotent(request) ? 0 : undefined;
}

/** Whether a request may be sent again if it is unknown whether the first attempt was executed. */
function isIdempotent({ method, url, body }: ApiRequest): boolean {
  // The statuses of a claim count as one, however many there are. A label or reviewer is added once.
  if (method !== "POST" || /\/(?:statuses\/[^/]+|labels|requested_reviewers)$/.test(url)) return true;
  // Of the GraphQL requests, only these mutations create something new.
  const createsComment = /addDiscussionComment|addPullRequestReviewThreadReply/.test(String(body?.["query"]));
  return url.endsWith("/graphql") && !createsComment;
}
