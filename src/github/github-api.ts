/** GitHub's API for one repository: time limits, retries that know the method, errors that name the missing permission. */
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import type { Endpoints } from "@octokit/types";
import type * as z from "zod/mini";
import { HttpClient, readProxySettings } from "../base/http.ts";
import { parseRetryAfter, retry } from "../base/retry.ts";
import type { Clock, Log } from "../base/runtime.ts";
import { messageOf, parseJson } from "../base/text.ts";
import {
  type CallPurpose,
  type GraphqlErrorDetails,
  GraphqlFailure,
  isSecondaryLimit,
  RequestFailure,
  translateError,
  unexpectedAnswer,
} from "./errors.ts";
import { redactTexts } from "./record-signer.ts";

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

export interface GitHubApiDeps {
  readonly log: Log;
  /** Ends every request and every wait for another try. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  readonly clock: Clock;
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

/** Every call throws a `GitHubError` that says what could not be done, or the signal's reason when it aborts. */
export interface GitHubApi {
  readonly repository: Repository;
  /** GitHub's clock at its last answer, in milliseconds since the epoch. */
  serverNow(): number;
  /** Carries out one operation of the REST API. */
  request<R extends Route>(
    purpose: CallPurpose,
    route: R,
    parameters?: RouteParameters<R>,
  ): Promise<RouteData<R>>;
  /** The pages of an operation, one request each, while GitHub names a next one. */
  pages<R extends Route>(
    purpose: CallPurpose,
    route: R,
    parameters?: RouteParameters<R>,
  ): AsyncGenerator<RouteData<R>, void>;
  /** A whole list, over all its pages. */
  list<R extends Route>(
    purpose: CallPurpose,
    route: R,
    parameters?: RouteParameters<R>,
  ): Promise<RouteData<R>>;
  /** Sends a query or mutation; its data must fit the schema. */
  graphql<Schema extends z.ZodMiniType>(
    purpose: CallPurpose,
    query: string,
    variables: Readonly<Record<string, unknown>>,
    schema: Schema,
  ): Promise<z.output<Schema>>;
}

/** Longer waits for the limit of requests an hour are left to the workflow's next run. */
const maxRetryAfterMs = 60_000;
/** The secondary limit lasts minutes: where GitHub names no time, it asks for at least one, and for more each time. */
const secondaryWaitMs = 60_000;
const backoff = { baseMs: 1_000, maxMs: 8_000 };

export function createGitHubApi(options: GitHubApiOptions, deps: GitHubApiDeps): GitHubApi {
  const { apiUrl, token, userAgent, repository, timeoutMs = 30_000, attempts = 4, deadlineMs } = options;
  const { log, signal, random, clock, redact } = deps;
  const base = apiUrl.replace(/\/+$/, "");
  const client = new HttpClient(readProxySettings(process.env));
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `token ${token}`,
    "user-agent": userAgent,
    "x-github-api-version": "2022-11-28",
  };
  let serverNowMs = clock.now();

  const send = (request: ApiRequest): Promise<ApiAnswer> =>
    retry(
      async () => {
        const answer = await exchange(request, { client, headers, signal, timeoutMs, redact });
        const dateMs = Date.parse(answer.headers.date ?? "");
        if (!Number.isNaN(dateMs)) serverNowMs = dateMs;
        return requireSuccess(answer, clock.now());
      },
      {
        attempts,
        backoff,
        clock,
        random,
        signal,
        retryAfterMs(error, failures) {
          if (!isSecondaryLimit(error)) return waitBeforeRetry(error, request);
          const waitMs = error.retryAfterMs ?? secondaryWaitMs * 2 ** (failures - 1);
          return clock.now() + waitMs < (deadlineMs ?? 0) ? waitMs : waitBeforeRetry(error, request);
        },
        onRetry(error, { delayMs }) {
          const failed = `GitHub: ${request.method} ${request.url} failed (${messageOf(error)})`;
          if (isSecondaryLimit(error)) log.notice(`${failed}; waiting for ${Math.round(delayMs / 1000)} s.`);
          else log.debug(`${failed}; trying again.`);
        },
      },
    );
  const call = async (purpose: CallPurpose, request: ApiRequest): Promise<ApiAnswer> => {
    try {
      return await send(request);
    } catch (error) {
      signal.throwIfAborted();
      throw translateError(error, purpose);
    }
  };
  const callRoute = (purpose: CallPurpose, route: string, parameters: object) =>
    call(
      purpose,
      composeRequest(base, route, { owner: repository.owner, repo: repository.name, ...parameters }),
    );

  const api: GitHubApi = {
    repository,
    serverNow: () => serverNowMs,
    async request<R extends Route>(purpose: CallPurpose, route: R, parameters = {}) {
      return (await callRoute(purpose, route, parameters)).data as RouteData<R>;
    },
    async *pages<R extends Route>(purpose: CallPurpose, route: R, parameters = {}) {
      for (let page = 1, hasNext = true; hasNext; page += 1) {
        const answer = await callRoute(purpose, route, { per_page: 100, ...parameters, page });
        yield answer.data as RouteData<R>;
        hasNext = /;\s*rel="next"/.test(String(answer.headers.link ?? ""));
      }
    },
    async list<R extends Route>(purpose: CallPurpose, route: R, parameters: RouteParameters<R>) {
      const pages = await Array.fromAsync(api.pages(purpose, route, parameters));
      return pages.flat() as RouteData<R>;
    },
    async graphql(purpose, query, variables, schema) {
      const url = `${base.replace(/\/v3$/, "")}/graphql`;
      const { data: answer } = await call(purpose, { method: "POST", url, body: { query, variables } });
      const { data, errors } = answer as GraphqlAnswer;
      if (errors?.length) throw translateError(new GraphqlFailure(errors, data), purpose);
      return checkAnswer(schema, data, purpose);
    },
  };
  return api;
}

interface GraphqlAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlErrorDetails[];
}

/**
 * What GitHub answered, if it is of the documented shape.
 *
 * @throws {GitHubError} otherwise.
 */
export function checkAnswer<Schema extends z.ZodMiniType>(
  schema: Schema,
  answer: unknown,
  purpose: CallPurpose,
): z.output<Schema> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  throw unexpectedAnswer(purpose, checked.error);
}

interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface ApiAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body's JSON; `undefined` where it is empty or none. */
  readonly data: unknown;
}

/** Puts parameters where the route names them, the others into the query or, for a change, the body. */
function composeRequest(base: string, route: string, parameters: Record<string, unknown>): ApiRequest {
  const [method = "GET", template = ""] = route.split(" ");
  const rest = { ...parameters };
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(parameters[name]));
    delete rest[name];
    return value;
  });
  const { owner: _owner, repo: _repo, ...others } = rest;
  if (method !== "GET") {
    const hasBody = Object.keys(others).length > 0;
    return { method, url: `${base}${path}`, ...(hasBody ? { body: others } : {}) };
  }
  const query = new URLSearchParams(others as Record<string, string>);
  return { method, url: `${base}${path}${query.size > 0 ? `?${query}` : ""}` };
}

interface ExchangeOptions {
  readonly client: HttpClient;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly redact: (text: string) => string;
}

const maxRedirects = 3;

/** Sends a request, follows where GitHub says that a repository has moved, and reads the whole answer. */
async function exchange(request: ApiRequest, options: ExchangeOptions): Promise<ApiAnswer> {
  const { client, signal, redact } = options;
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const body = request.body && JSON.stringify(request.body, redactTexts(redact));
  const type = body === undefined ? {} : { "content-type": "application/json; charset=utf-8" };
  const parameters = {
    method: request.method,
    headers: { ...options.headers, ...type },
    body,
    signal: AbortSignal.any([signal, timeout]),
  };
  try {
    let url = new URL(request.url);
    for (let redirects = 0; ; redirects += 1) {
      const response = await client.send(url, parameters);
      const { statusCode: status = 0, headers } = response;
      const data = parseJson(await text(response));
      const target =
        redirects < maxRedirects ? redirectTarget(request.method, url, status, headers) : undefined;
      if (target === undefined) return { status, headers, data };
      url = target;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new Error("GitHub did not answer in time", { cause: error });
    throw error;
  }
}

/** A renamed repository's new address; the token goes to no other server. */
function redirectTarget(method: string, url: URL, status: number, { location }: IncomingHttpHeaders) {
  const isRepeated = status === 307 || status === 308 || (method === "GET" && [301, 302].includes(status));
  const target = isRepeated && location ? URL.parse(location, url.href) : null;
  return target?.origin === url.origin ? target : undefined;
}

/** @throws {RequestFailure} for an answer without success; GitHub itself never sends success without JSON. */
function requireSuccess(answer: ApiAnswer, nowMs: number): ApiAnswer {
  const { status, headers, data } = answer;
  const isJson = typeof data === "object" && data !== null;
  if (status >= 400) {
    throw new RequestFailure(status, reasonOf(data, status), parseRetryAfter(headers["retry-after"], nowMs));
  }
  const { errors } = (isJson ? data : {}) as GraphqlAnswer;
  const failure = errors?.length ? new GraphqlFailure(errors, null) : undefined;
  if (isSecondaryLimit(failure)) throw failure;
  if (status < 300 && (isJson || status === 204)) return answer;
  throw new RequestFailure(502, "the answer is not GitHub's JSON");
}

type FieldError = string | { readonly message?: string; readonly code?: string };

interface ErrorBody {
  readonly message?: unknown;
  readonly errors?: unknown;
}

/** GitHub's words for a refusal, with what it says of single fields. */
function reasonOf(body: unknown, status: number): string {
  const { message = `HTTP status ${status}`, errors } = (body ?? {}) as ErrorBody;
  const details = (Array.isArray(errors) ? errors : []).map((error: FieldError) =>
    typeof error === "string" ? error : (error.message ?? error.code),
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
  // Of what is sent to GraphQL, only this adds something that is not there yet.
  return url.endsWith("/graphql") && !String(body?.["query"]).includes("addDiscussionComment");
}
