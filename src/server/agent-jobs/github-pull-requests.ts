import { setTimeout as delay } from "node:timers/promises";
import { type Dispatcher, request } from "undici";
import { z } from "zod";
import { JobFailedError } from "../../base/errors.ts";
import { messageOf } from "../../base/text.ts";
import { describePullRequest } from "./describe-change.ts";
import type { GithubRemote } from "./github-remote.ts";
import type { PublishedChange } from "./pull-request-host.ts";

/** Pull requests of one repository on GitHub. */
export interface GithubPullRequests {
  readDefaultBranch(deps: { readonly signal: AbortSignal }): Promise<string>;
  /** Finds the pull request of a commit or its branch, or opens one; its address. However often it is called, there is one. */
  open(change: PublishedChange, deps: { readonly signal: AbortSignal }): Promise<string>;
}

const PullRequest = z.object({
  html_url: z.url(),
  state: z.string(),
  head: z.object({ sha: z.string() }),
});

const RefusalBody = z.object({
  message: z.string().optional(),
  errors: z.array(z.union([z.string(), z.object({ message: z.string().optional() })])).optional(),
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Deps {
  readonly dispatcher: Dispatcher;
  /** Pauses before each further attempt. */
  readonly retryDelaysMs: readonly number[];
}

/** Speaks GitHub's REST API, version 2022-11-28. */
export function createGithubPullRequests(remote: GithubRemote, deps: Deps): GithubPullRequests {
  const base = `${remote.apiUrl.replace(/\/+$/, "")}/repos/${remote.owner}/${remote.repository}`;
  const headers = {
    accept: "application/vnd.github+json",
    authorization: `Bearer ${remote.token}`,
    "user-agent": "docs-automation-action",
    "x-github-api-version": "2022-11-28",
  };
  const send = async (
    path: string,
    { signal, json }: { signal: AbortSignal; json?: object },
  ): Promise<Answer> => {
    try {
      const response = await request(`${base}${path}`, {
        method: json === undefined ? "GET" : "POST",
        headers: json === undefined ? headers : { ...headers, "content-type": "application/json" },
        body: json === undefined ? null : JSON.stringify(json),
        dispatcher: deps.dispatcher,
        signal,
      });
      return { status: response.statusCode, body: parseJson(await response.body.text()) };
    } catch (error) {
      signal.throwIfAborted();
      throw new GithubSilenceError(error);
    }
  };
  const find = async ({ branch, commit }: PublishedChange, signal: AbortSignal) => {
    const query = new URLSearchParams({ head: `${remote.owner}:${branch}`, state: "all", per_page: "100" });
    const answer = await send(`/pulls?${query}`, { signal });
    if (answer.status !== 200) throw new GithubAnswerError("list pull requests", answer);
    const found = z.array(PullRequest).parse(answer.body);
    return found.find(({ state }) => state === "open") ?? found.find(({ head }) => head.sha === commit);
  };

  return {
    readDefaultBranch: (options) =>
      withRetries({ delaysMs: deps.retryDelaysMs, ...options }, async () => {
        const answer = await send("", options);
        if (answer.status !== 200) throw new GithubAnswerError("read the repository", answer);
        return z.object({ default_branch: z.string() }).parse(answer.body).default_branch;
      }),
    open: (change, { signal }) =>
      // An attempt looks first, so that one whose answer was lost does not open a second pull request.
      withRetries({ delaysMs: deps.retryDelaysMs, signal }, async () => {
        const found = await find(change, signal);
        if (found !== undefined) return found.html_url;
        const { title, base: into, branch: head } = change;
        const body = describePullRequest(change);
        const answer = await send("/pulls", { signal, json: { title, body, base: into, head } });
        if (answer.status !== 201) throw new GithubAnswerError("open a pull request", answer);
        return PullRequest.parse(answer.body).html_url;
      }),
  };
}

const permissionsHint =
  "The token needs `contents: write` and `pull-requests: write`, and the repository's settings must allow GitHub Actions to create pull requests.";

/** GitHub answered, but not with what was asked for. */
class GithubAnswerError extends JobFailedError {
  readonly isTransient: boolean;

  constructor(what: string, { status, body }: Answer) {
    const refusal = RefusalBody.safeParse(body).data;
    const details = refusal?.errors?.map((error) => (typeof error === "string" ? error : error.message));
    const said = [refusal?.message, ...(details ?? [])].filter(Boolean).join(": ");
    const hint = [401, 403, 404].includes(status) ? permissionsHint : "";
    super(`GitHub answered ${status} when it was asked to ${what}. ${said} ${hint}`.trimEnd());
    this.isTransient = status >= 500 || status === 429 || said.includes("already exists");
  }
}

/** GitHub gave no answer. */
class GithubSilenceError extends JobFailedError {
  constructor(cause: unknown) {
    super(`GitHub did not answer: ${messageOf(cause)}.`, { cause });
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof GithubAnswerError) return error.isTransient;
  return error instanceof GithubSilenceError || !(error instanceof JobFailedError);
}

async function withRetries<Result>(
  { delaysMs, signal }: { delaysMs: readonly number[]; signal: AbortSignal },
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (const delayMs of delaysMs) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!isTransient(error)) throw error;
    }
    await delay(delayMs, undefined, { signal });
  }
  return attempt();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
