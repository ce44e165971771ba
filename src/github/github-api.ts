/** GitHub's API for one run: time limits, retries that know the method, errors that name the missing permission. */
import { setTimeout as delay } from "node:timers/promises";
import { GitHub, getOctokitOptions } from "@actions/github/lib/utils";
import type { Log } from "../base/runtime.ts";
import { messageOf } from "../base/text.ts";
import type { Repository } from "./run-context.ts";
import { type CallPurpose, retryAfterOf, statusOf, translateError } from "./translate-error.ts";

export interface GitHubApiOptions {
  readonly apiUrl: string;
  readonly token: string;
  readonly userAgent: string;
  readonly repository: Repository;
  /** Patience with one request; usually 30 s, and four attempts. */
  readonly patience?: { readonly timeoutMs: number; readonly attempts: number };
}

export interface GitHubApiDeps {
  readonly log: Log;
  /** Ends every request and every wait for another try. */
  readonly signal: AbortSignal;
  readonly random: () => number;
}

type Octokit = InstanceType<typeof GitHub>;

export interface GitHubApi {
  readonly repository: Repository;
  /** GitHub's clock at its last answer, in milliseconds since the epoch. */
  serverNow(): number;
  /**
   * Calls GitHub.
   *
   * @throws {GitHubError} that says what could not be done; `status` is GitHub's.
   */
  call<T>(purpose: CallPurpose, run: (octokit: Octokit, target: RepositoryTarget) => Promise<T>): Promise<T>;
}

/** Path parameters that name the repository. */
export interface RepositoryTarget {
  readonly owner: string;
  readonly repo: string;
}

const usualPatience = { timeoutMs: 30_000, attempts: 4 };
const maxRetryAfterMs = 60_000;

export function createGitHubApi(options: GitHubApiOptions, deps: GitHubApiDeps): GitHubApi {
  const { apiUrl, token, userAgent, repository, patience = usualPatience } = options;
  const octokit = new GitHub(
    getOctokitOptions(token, { baseUrl: apiUrl, userAgent, log: quietLog(deps.log) }),
  );
  let serverNowMs = Date.now();
  octokit.hook.after("request", ({ headers }) => {
    const dateMs = Date.parse(headers.date ?? "");
    if (!Number.isNaN(dateMs)) serverNowMs = dateMs;
  });
  octokit.hook.wrap("request", (send, request) =>
    sendWithRetries(
      async () => {
        const answer = await sendWithin({ signal: deps.signal, timeoutMs: patience.timeoutMs }, (signal) =>
          send({ ...request, request: { ...request.request, signal } }),
        );
        return requireJson(answer);
      },
      { ...request, attempts: patience.attempts },
      deps,
    ),
  );
  const target = { owner: repository.owner, repo: repository.name };
  return {
    repository,
    serverNow: () => serverNowMs,
    async call(purpose, run) {
      try {
        return await run(octokit, target);
      } catch (error) {
        deps.signal.throwIfAborted();
        throw translateError(error, purpose);
      }
    },
  };
}

/**
 * Ends a request when the signal aborts or its time is over, whether or not the one who sends it listens: fetch keeps only
 * a weak hold of a signal made from others.
 */
async function sendWithin<T>(
  { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  send: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (reason: unknown) => {
    controller.abort(reason);
    reject(reason);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener("abort", onAbort);
  const timer = setTimeout(
    () => stop(new DOMException("GitHub did not answer in time", "TimeoutError")),
    timeoutMs,
  );
  try {
    return await Promise.race([send(controller.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Octokit hands an answer that is not JSON on as text; GitHub itself never sends one with success. */
function requireJson<Answer extends { readonly status: number; readonly data: unknown }>(
  answer: Answer,
): Answer {
  if (answer.status === 204 || (typeof answer.data === "object" && answer.data !== null)) return answer;
  throw Object.assign(new Error("the answer is not GitHub's JSON"), { status: 502, response: answer });
}

/** Octokit tells deprecations and failures; both are the maintainers' business, not the user's. */
function quietLog(log: Log) {
  const say = (message: unknown) => log.debug(String(message));
  return { debug: say, info: say, warn: say, error: say };
}

interface RequestFacts {
  readonly method?: string;
  readonly url?: string;
  /** GraphQL's. */
  readonly query?: unknown;
  /** How often to try at most. */
  readonly attempts: number;
}

async function sendWithRetries<T>(
  send: () => T | Promise<T>,
  request: RequestFacts,
  { signal, log, random }: GitHubApiDeps,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const waitMs = signal.aborted ? undefined : waitBeforeRetry(error, request, { attempt, random });
      if (waitMs === undefined || attempt >= request.attempts) throw error;
      log.debug(`GitHub: ${request.method} ${request.url} failed (${messageOf(error)}); trying again.`);
      await delay(waitMs, undefined, { signal });
    }
  }
}

/** Milliseconds to wait before the same request may be sent again; `undefined` where it must not be. */
function waitBeforeRetry(
  error: unknown,
  request: RequestFacts,
  { attempt, random }: { attempt: number; random: () => number },
): number | undefined {
  const status = statusOf(error);
  const backoffMs = 250 * 2 ** attempt * (0.5 + random());
  const retryAfterMs = retryAfterOf(error);
  if (status === 429 || (status === 403 && retryAfterMs !== undefined)) {
    const waitMs = Math.max(retryAfterMs ?? 0, backoffMs);
    return waitMs > maxRetryAfterMs ? undefined : waitMs;
  }
  const isPassing = status === undefined || status >= 500;
  return isRepeatable(request) && isPassing ? backoffMs : undefined;
}

/** Whether a request that was carried out, although no answer came, does no harm when it is carried out again. */
function isRepeatable({ method = "GET", url = "", query }: RequestFacts): boolean {
  if (method !== "POST") return true;
  // Of what is sent to GraphQL, only this adds something that is not there yet.
  return url.endsWith("/graphql") && !String(query).includes("addDiscussionComment");
}
